"""How people get to a table, and from one phone to another; and a host who is gone."""

from __future__ import annotations

from tests.kit import pages
from tests.kit.forms import opening
from tests.noninterference.crowd import Crowd
from tests.noninterference.plan import LANGUAGES, NAMES
from tests.noninterference.worlds import Line


def lobby(crowd: Crowd) -> None:
    worlds, plan = crowd.worlds, crowd.plan
    crowd.host = host = worlds.viewer("host", "en")
    host.hosts = True
    crowd.stranger = worlds.viewer("stranger", "lv")
    crowd.bare = worlds.viewer("bare", "de", cookie=False)
    crowd.guest = worlds.viewer("guest", "et")
    crowd.television = worlds.viewer("television", "fi", cookie=False)
    worlds.ask(host, "GET", "/")
    opened = worlds.ask(
        host,
        "POST",
        "/open",
        form={"key": "o", **opening(edition=plan.edition, way=plan.way, language="lv")},
    )
    location = dict(opened[0].headers)["Location"]
    for world in worlds.all:
        world.table_id = location.split("/")[2]
    crowd.viewers = [host, crowd.guest, crowd.television, crowd.stranger, crowd.bare]
    crowd.join = (
        f"/j/{worlds.first.tables.join_key(worlds.first.tables.get(worlds.first.table_id))}"
    )
    worlds.listen(crowd.television, f"{crowd.join}/live", gzip=bool(plan.seed % 2))
    crowd.at_host = worlds.listen(host, f"{crowd.path}/live?page=screen", gzip=True)
    _sit_down(crowd)
    _add_seals(crowd)
    crowd.do(host, "set-wifi", wifi_name="Kelder", wifi_password="salajane;1")
    order = (1, 3, 2, *range(4, plan.players + 1))
    crowd.do(host, "order-seats", order=",".join(map(str, order)))
    crowd.do(host, "configure", language="fi")
    crowd.halt()


def _sit_down(crowd: Crowd) -> None:
    worlds, plan = crowd.worlds, crowd.plan
    for number in range(1, plan.players + 1):
        name, language = NAMES[number - 1], LANGUAGES[number % 5]
        if number == 1 and plan.host_plays:
            crowd.do(crowd.host, "add-seat", name=name)
            crowd.holders[number] = crowd.host
            continue
        if number == plan.players and plan.shared:
            phone = crowd.holders[number - 1]
            crowd.do(phone, "join", name=name)
            crowd.holders[number] = phone
            continue
        phone = worlds.viewer(f"seat {number}", language)
        worlds.ask(phone, "GET", crowd.join)
        worlds.done(phone, crowd.join, {"name": name})
        crowd.holders[number] = phone
        crowd.viewers.append(phone)
        page = pages.STREAMS_OF_PLAYERS[number % len(pages.STREAMS_OF_PLAYERS)]
        worlds.listen(phone, f"{crowd.path}/live?page={page}", gzip=number % 2 == 0)
    if plan.players == len(NAMES):
        return
    extra = worlds.viewer("left", "et")
    worlds.done(extra, crowd.join, {"name": "Zoë"})
    crowd.do(crowd.host, "remove-seat", seat=str(plan.players + 1))
    crowd.viewers.append(extra)


def _add_seals(crowd: Crowd) -> None:
    for phone in dict.fromkeys(crowd.holders.values()):
        crowd.worlds.opening.add_seals(phone, crowd.path)
    if crowd.plan.seed % 2:
        crowd.worlds.opening.asleep = crowd.holders[crowd.plan.players]


def a_seat_moves(crowd: Crowd) -> None:
    """By the code that its old phone shows; the old one stays among those who ask."""
    seat = 2
    old = crowd.holders[seat]
    crowd.do(old, "offer-move", script=False, seat=str(seat))
    services = crowd.worlds.first.app.extensions["companion"]
    shown = services.shown_offers._shown[crowd.worlds.first.table_id, seat]
    crowd.offer = shown.key
    new = crowd.worlds.viewer("moved to", "lt")
    crowd.halt(crowd.viewers[:2])
    crowd.worlds.ask(old, "GET", f"{crowd.path}/seat", query={"seat": str(seat)})
    crowd.worlds.ask(new, "POST", "/code", form={"code": shown.code})
    crowd.worlds.ask(new, "GET", f"/m/{crowd.offer}")
    crowd.worlds.done(new, f"/m/{crowd.offer}", {})
    crowd.holders[seat] = new
    crowd.viewers.append(new)
    crowd.worlds.listen(new, f"{crowd.path}/live?seat={seat}", gzip=True)


def a_phone_is_lost(crowd: Crowd) -> None:
    """The host frees its seat; a guest takes it."""
    seat = 3
    lost = crowd.holders[seat]
    crowd.do(crowd.host, "free-seat", seat=str(seat))
    crowd.halt(crowd.viewers[1:3])
    new = crowd.worlds.viewer("claimed by", "et")
    crowd.worlds.done(new, crowd.join, {"claim": str(seat)})
    crowd.holders[seat] = new
    crowd.viewers.append(new)
    if lost is not crowd.host:
        crowd.visit(lost, crowd.plan.share)


def a_guest_comes_late(crowd: Crowd) -> None:
    """And waits for the next game."""
    if crowd.plan.players < len(NAMES):
        late = crowd.worlds.viewer("late", "fi")
        crowd.worlds.done(late, crowd.join, {"name": "Zoë"})
        crowd.viewers.append(late)
        crowd.worlds.listen(late, f"{crowd.path}/live?page=seat", gzip=False)


def the_host_is_gone(crowd: Crowd) -> None:
    """For longer than two minutes; a phone takes its part over, and the laptop is back."""
    worlds = crowd.worlds
    open_ones: list[Line] = [line for line in worlds.lines if line.viewer is crowd.host]
    for line in open_ones:
        line.close()
    for world in worlds.all:
        world.clock.now += 125
    worlds.tick()
    taker = crowd.holders[2]
    for viewer in (taker, crowd.television, crowd.guest):
        path = crowd.path if viewer is taker else f"{crowd.join}/screen"
        worlds.ask(viewer, "GET", path)
    crowd.do(taker, "take-hosting")
    old, crowd.host = crowd.host, taker
    old.hosts, taker.hosts = False, True
    crowd.halt([old, taker])
