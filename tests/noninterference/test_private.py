"""What others do for themselves, and what a stranger could learn of a table: nothing.

Here the worlds differ in more than what was drawn, so everything is compared, whatever was shown.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.kit import pages
from tests.kit.forms import opening
from tests.noninterference.draws import draws
from tests.noninterference.evening import ComparedEvening
from tests.noninterference.getting_in import lobby
from tests.noninterference.plan import LANGUAGES, NAMES, Plan
from tests.noninterference.requests import (
    FETCH,
    Sight,
    get_headers,
    post_headers,
    post_page,
    requests,
    tasks,
)
from tests.noninterference.world import PINNED, pinned
from tests.noninterference.worlds import Viewer, Worlds

PAGES = (
    "/j/<key>",
    *(f"/t/<table_id>{address}" for address in pages.ALL.values()),
    "/t/<table_id>/do/<name>",
)


def told(worlds: Worlds) -> str:
    return "\n".join(map(str, worlds.tally.leaks[:10]))


# Strangers


def a_lobby(do: Callable[..., None]) -> None:
    """Nobody has come yet."""


def a_game(do: Callable[..., None]) -> None:
    """Three people play, in Latvian."""
    for name in NAMES[:3]:
        do("add-seat", name=name)
    do("configure", language="lv", edition="lv-2009", way="referee")
    do("start")
    do("begin")
    do("play", play="path", card="EW", at="1,0", seat="1")


def trains(do: Callable[..., None]) -> None:
    """Another game."""
    for name in NAMES[:2]:
        do("add-seat", name=name)
    do("start")


def an_end(do: Callable[..., None]) -> None:
    """Ten people have played in Estonian, on another network."""
    for name in NAMES:
        do("add-seat", name=name)
    do("configure", language="et", edition="et-2007")
    do("set-wifi", wifi_name="Kelder", wifi_password="salajane;1")
    do("start")
    for number in range(3):
        do("begin")
        do("play", play="result", reached="1", finisher=str(number + 1))
        if number < 2:
            do("deal")


def test_a_stranger_learns_nothing_of_a_table() -> None:
    """Not even one who has seen its address on somebody's phone, without the join key."""
    stories = (
        (a_lobby, 10, {}),
        (a_game, 3, {"screen": "1"}),
        (an_end, 10, {"edition": "fi", "language": "fi"}),
        (trains, 3, {"game": "trains", "way": "referee", "edition": "et-2015"}),
    )
    rng = Random(5)
    with pinned():
        worlds = Worlds("strangers", draws(10, len(stories), (4,), ("miners",), rng))
        host, stranger = worlds.viewer("host"), worlds.viewer("stranger", "fr")
        bare = worlds.viewer("bare", "fr", cookie=False)
        tables = []
        for number, (story, players, form) in enumerate(stories):
            worlds.all[number].draw = draws(players, 1, (1,) * 3, ("miners",) * 3, rng)[0]
            PINNED.at(1)
            opened = host.clients[number].post("/open", data=opening(**form))
            tables.append(opened.location.split("/")[2])
            story(_doer(worlds, host, number, tables[-1]))
        assert len(set(tables)) == 1
        table = tables[0]
        assert len({str(world.tables.get(table)) for world in worlds.all}) == len(stories)
        sight = Sight(
            table=table,
            key="y" * 22,
            code="234567",
            offer="",
            seats=(1, 2, 3),
            own=(1,),
            version=1,
            hosts=False,
            place="1,0",
            asset=worlds.first.app.extensions["companion"].assets.hash,
            here=f"http://localhost/t/{table}",
        )
        every = tasks(worlds.first.app.url_map.iter_rules())
        once = {(method, rule.rule): rule for method, rule in every}
        for viewer in (stranger, bare):
            for (method, _), rule in once.items():
                for turn, (path, filled) in enumerate(requests(method, rule, sight)):
                    kind = get_headers if method == "GET" else post_headers
                    page = post_page(turn, sight)
                    form = None if method == "GET" else page | (filled.form or {})
                    headers = {**kind(turn, sight), "Accept-Language": "fr"}  # not spoken here
                    for client in viewer.clients:
                        client.delete_cookie("locale")
                        client.delete_cookie("screen_locale")
                    worlds.ask(viewer, method, path, query=filled.query, form=form, headers=headers)
    assert worlds.tally.answers > 500
    assert not worlds.tally.leaks, told(worlds)


def _doer(worlds: Worlds, host: Viewer, number: int, table: str) -> Callable[..., None]:
    """Commands of the host in one of the worlds."""
    world, client = worlds.all[number], host.clients[number]

    def do(command: str, **form: str) -> None:
        found = world.tables.get(table)
        assert found is not None
        answer = client.post(
            f"/t/{table}/do/{command}",
            data={"version": str(found.version), "key": f"k{found.version}", **form},
        )
        assert answer.status_code == 303, (command, answer.status, answer.text[-400:])

    return do


# At the same table


def nothing(post: Callable[..., None], path: str) -> None:
    pass


def looks_around(post: Callable[..., None], path: str) -> None:
    """Looks at the own role again, turns the maze, changes the language."""
    for _ in range(3):
        post(f"{path}/role", seat="1")
    post(f"{path}/gold", seat="1")
    post(f"{path}/turn", seat="1")
    post("/language", locale="fi", next=path)


def offers_the_seat(post: Callable[..., None], path: str) -> None:
    """To another phone, which has not taken it yet; and opens another table."""
    post(f"{path}/do/offer-move", seat="1", version="1", key="k")
    post("/open", key="other", **opening(edition="fi"))


def test_what_somebody_does_alone_stays_alone() -> None:
    deeds = (nothing, looks_around, offers_the_seat)
    plan = Plan("lv-2009", "referee", 4, (3,), ("miners",), worlds=3)
    evening = ComparedEvening(plan)
    worlds = evening.worlds
    with pinned():
        lobby(evening)
        evening.do(evening.host, "start")
        for seat in evening.holders:
            evening.secret("role", seat)
        first = evening.holders[1]
        for world, client, deed in zip(worlds.all, first.clients, deeds, strict=True):
            deed(_poster(client), evening.path)
            assert world.table is not None
        for viewer in evening.viewers:
            if viewer is not first:
                evening.visit(viewer)
        worlds.lines = [line for line in worlds.lines if line.viewer is not first]
        worlds.tick()
        worlds.close()
    assert worlds.tally.answers > 500
    assert not worlds.tally.leaks, told(worlds)


def test_nobody_sees_to_which_phone_a_seat_has_moved() -> None:
    """That it moved, all see."""
    plan = Plan("fi", "roles", 3, (3,), ("miners",), worlds=3, only=PAGES)
    evening = ComparedEvening(plan)
    worlds = evening.worlds
    with pinned():
        lobby(evening)
        evening.do(evening.host, "start")
        evening.do(evening.host, "free-seat", seat="1")
        known = [worlds.viewer(f"new {number}", LANGUAGES[number]) for number in range(3)]
        for number, (viewer, world) in enumerate(zip(known, worlds.all, strict=True)):
            post = _poster(viewer.clients[number])
            post(evening.join, claim="1", key="k")
            assert world.table is not None
            assert world.table.handovers.moved == (1,)
        worlds.tick()
        lost = evening.holders.pop(1)
        for viewer in (*evening.viewers, lost):
            evening.visit(viewer)
        worlds.close()
    assert not worlds.tally.leaks, told(worlds)


def _poster(client: object) -> Callable[..., None]:
    def post(path: str, **form: str) -> None:
        answer = client.post(path, data=form, headers=FETCH)  # type: ignore[attr-defined]
        assert answer.status_code < 400 or "gold" in path, (path, answer.status)

    return post
