"""One evening, played in all its worlds at once: everything that people do, and every viewer's
requests in between.

Viewers are every phone that holds a seat, the laptop that hosts, a television with the join link,
a guest with it, a phone whose seat has moved away, a stranger, and one without any cookie.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jinja2 import BytecodeCache
from werkzeug.routing import Rule

from companion.games.saboteur.rules.decide import legal
from companion.games.saboteur.rules.model import Pass, Play, Result, Reveal, Rockfall, State
from companion.tables.ending import END_WAIT_S, waits
from tests.games.saboteur.players import any_play, digger_play
from tests.kit import pages
from tests.kit.forms import form_of, opening
from tests.noninterference.draws import draws
from tests.noninterference.requests import (
    FETCH,
    Sight,
    get_headers,
    post_headers,
    post_page,
    requests,
    tasks,
)
from tests.noninterference.world import pinned
from tests.noninterference.worlds import Line, Plant, Viewer, Worlds

NAMES = ("Õnne", "Jānis", "Rūta", "Väinö", "Bo", "Charlotte", "Ģirts", "Ärni", "Žydrė", "Mo")
LANGUAGES = ("et", "lv", "lt", "fi", "en")
STRIDE = 7
"""By how many of a route's requests an evening begins later than the one before."""

PLAYS_MAX = 16
"""Plays reported in a round before its end is told by word."""


@dataclass(frozen=True)
class Plan:
    """What kind of evening it is."""

    edition: str
    way: str  # "roles" or "referee"
    players: int
    classes: tuple[int, ...]
    """By round: how many different deals of roles there are among the worlds (see `draws`)."""
    winners: tuple[str, ...]
    worlds: int = 7
    shared: bool = False  # the last two seats are on one phone
    host_plays: bool = False  # the first seat is on the host's phone
    public: bool = False  # behind a proxy, by HTTPS
    share: int = 4
    """Requests of each viewer at a halt; what is left is asked for before the last round ends."""
    times: int = 1
    """How often each viewer asks for every route in the evening."""
    only: tuple[str, ...] = ()
    """The routes that are asked for at halts; none named: all."""
    seed: int = 0

    def __str__(self) -> str:
        return f"{self.edition}-{self.way}-{self.players}-{self.seed}"


class Evening:
    def __init__(
        self,
        plan: Plan,
        compiled: BytecodeCache,
        plant: Plant | None = None,
        worlds: type[Worlds] = Worlds,
    ) -> None:
        self.plan = plan
        self.rng = random.Random(f"{plan}")
        found = draws(plan.players, plan.worlds, plan.classes, plan.winners, self.rng)
        self.worlds = worlds(str(plan), found, compiled, public=plan.public, plant=plant)
        self.asked = 0
        self.turns: Counter[tuple[str, str]] = Counter()
        for rule in self.worlds.first.app.url_map.iter_rules():
            for method in ("GET", "POST"):
                self.turns[method, rule.rule] = plan.seed * STRIDE
        self.left: dict[str, list[tuple[str, Rule]]] = {}
        self.offer = ""
        self.viewers: list[Viewer] = []
        self.holders: dict[int, Viewer] = {}  # seat -> phone

    def play(self) -> Worlds:
        with pinned():
            try:
                self.lobby()
                for number in range(len(self.plan.classes)):
                    self.round(number)
                self.end()
            finally:
                self.worlds.close()
        assert not any(self.left.values()), "somebody has not asked for everything"
        self.worlds.tally.searched = self.worlds.needles.searched
        return self.worlds

    # What is known

    @property
    def path(self) -> str:
        return f"/t/{self.worlds.first.table_id}"

    @property
    def state(self) -> State:
        state = self.worlds.table.play
        assert isinstance(state, State)
        return state

    def sight(self, viewer: Viewer) -> Sight:
        world = self.worlds.first
        table = world.table
        seats = tuple(seat.id for seat in table.seats if seat.device) if table else ()
        own = tuple(seat for seat, phone in self.holders.items() if phone is viewer)
        place = "1,0"
        if table is not None and table.play is not None and table.play.now is not None:
            place = ",".join(map(str, next(iter(legal(table.play)), (1, 0))))
        self.asked += 1
        return Sight(
            table=world.table_id,
            key=world.tables.join_key(world.table_id),
            code=world.tables.code(world.table_id) or "222222",
            offer=self.offer,
            seats=seats or (1, 2, 3),
            own=own,
            version=table.version if table else 1,
            hosts=viewer.hosts,
            place=place,
            asset=world.app.extensions["companion"].assets.hash,
            here=f"{self.worlds.base}{self.path}",
            said=self.asked,
        )

    # Halts: everybody asks, and before the end everybody has asked for everything

    def halt(self, viewers: list[Viewer] | None = None) -> None:
        for viewer in viewers or self.viewers:
            self.visit(viewer, self.plan.share)
        self.worlds.tick()

    def visit(self, viewer: Viewer, share: int | None = None) -> None:
        """The next requests that this viewer has not made yet, or all that are left."""
        left = self.left.get(viewer.name)
        if left is None:
            every = tasks(self.worlds.first.app.url_map.iter_rules())
            only = self.plan.only
            left = [task for task in every if not only or task[1].rule in only] * self.plan.times
            self.rng.shuffle(left)
            self.left[viewer.name] = left
        for _ in range(len(left) if share is None else min(share, len(left))):
            self._ask(viewer, *left.pop())

    def _ask(self, viewer: Viewer, method: str, rule: Rule) -> None:
        """One of the route's requests, the next in turn; now and then by another method."""
        sight = self.sight(viewer)
        turn = self.turns[method, rule.rule]
        self.turns[method, rule.rule] += 1
        choice = requests(method, rule, sight)
        path, filled = choice[turn % len(choice)]
        others = {1: "OPTIONS", 4: "PUT", 7: "HEAD" if method == "GET" else "DELETE"}
        if turn - self.plan.seed * STRIDE in others:
            by = others[turn - self.plan.seed * STRIDE]
            self.worlds.ask(viewer, by, path, query=filled.query, headers=get_headers(0, sight))
        headers = (get_headers if method == "GET" else post_headers)(turn, sight)
        if rule.rule.endswith("/live"):
            headers = {"Accept-Encoding": headers.get("Accept-Encoding", "")}
        form = None if method == "GET" else post_page(turn, sight) | (filled.form or {})
        self.worlds.ask(viewer, method, path, query=filled.query, form=form, headers=headers)

    def broken(self, viewer: Viewer) -> None:
        """The disk is full, and then this address has asked too often."""
        sight = self.sight(viewer)
        for world in self.worlds.all:
            world.log.full = True
        form = {"play": "result", "reached": "0", "last": "", "seat": sight.own_seat}
        for headers in ({}, FETCH):
            keyed = {"version": str(sight.version), "key": f"full{self.asked}", **form}
            path = f"{self.path}/do/play"
            self.worlds.ask(viewer, "POST", path, form=keyed, headers=headers)
        for world in self.worlds.all:
            world.log.full = False
            world.limits.refusing = True
        for path in (self.path, f"{self.path}/live", "/", "/nothing"):
            self.worlds.ask(viewer, "GET", path)
        self.worlds.ask(viewer, "POST", f"{self.path}/role", form={"seat": sight.own_seat})
        for world in self.worlds.all:
            world.limits.refusing = False

    # The evening

    def do(self, viewer: Viewer, command: str, script: bool | None = None, **form: Any) -> None:
        """A command by form or, with script, by script."""
        script = bool(self.rng.getrandbits(1)) if script is None else script
        form = {"page": self.path + ("/host" if viewer.hosts else ""), **form}
        self.worlds.done(viewer, f"{self.path}/do/{command}", form, **(FETCH if script else {}))

    def lobby(self) -> None:
        worlds, plan = self.worlds, self.plan
        self.host = host = worlds.viewer("host", "en")
        host.hosts = True
        self.stranger = worlds.viewer("stranger", "lv")
        self.bare = worlds.viewer("bare", "de", cookie=False)
        self.guest = worlds.viewer("guest", "et")
        self.television = worlds.viewer("television", "fi", cookie=False)
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
        self.viewers = [host, self.guest, self.television, self.stranger, self.bare]
        self.join = f"/j/{worlds.first.tables.join_key(worlds.first.table_id)}"
        worlds.listen(self.television, f"{self.join}/live", gzip=bool(plan.seed % 2))
        self.at_host = worlds.listen(host, f"{self.path}/live?page=screen", gzip=True)
        self._sit_down()
        self._add_seals()
        self.do(host, "set-wifi", wifi_name="Kelder", wifi_password="salajane;1")
        self.do(host, "order-seats", seat="2", by="1")
        self.do(host, "configure", language="fi")
        self.halt()

    def _sit_down(self) -> None:
        worlds, plan = self.worlds, self.plan
        for number in range(1, plan.players + 1):
            name, language = NAMES[number - 1], LANGUAGES[number % 5]
            if number == 1 and plan.host_plays:
                self.do(self.host, "add-seat", name=name)
                self.holders[number] = self.host
                continue
            if number == plan.players and plan.shared:
                phone = self.holders[number - 1]
                self.do(phone, "join", name=name)
                self.holders[number] = phone
                continue
            phone = worlds.viewer(f"seat {number}", language)
            worlds.ask(phone, "GET", self.join)
            worlds.done(phone, self.join, {"name": name})
            self.holders[number] = phone
            self.viewers.append(phone)
            page = list(pages.OF_PLAYERS)[number % len(pages.OF_PLAYERS)]
            worlds.listen(phone, f"{self.path}/live?page={page}", gzip=number % 2 == 0)
        if plan.players == len(NAMES):
            return
        extra = worlds.viewer("left", "et")
        worlds.done(extra, self.join, {"name": "Zoë"})
        self.do(self.host, "remove-seat", seat=str(plan.players + 1))
        self.viewers.append(extra)

    def _add_seals(self) -> None:
        for phone in dict.fromkeys(self.holders.values()):
            self.worlds.opening.add_seals(phone, self.path)
        if self.plan.seed % 2:
            self.worlds.opening.asleep = self.holders[self.plan.players]

    def _asks_at_the_deal(self) -> None:
        """Some viewers for some of the pages that say something of a deal."""
        seat = ("", "/fair", "/live", "/record.jsonl", "/screen")
        of = {self.television: (f"{self.join}/{each}" for each in ("screen", "fair", "live"))}
        paths = [
            (viewer, "GET", path)
            for viewer in self.viewers
            for path in of.get(viewer, (f"{self.path}{each}" for each in seat))
        ]
        secrets = [(viewer, "POST", f"{self.path}/role") for viewer in self.viewers]
        asked = (*self.rng.sample(paths, len(paths) // 4), *secrets[:: self.rng.choice((2, 3))])
        self.worlds.opening.asking = list(asked)

    def round(self, number: int) -> None:
        self._asks_at_the_deal()
        if number == 0:
            for world in self.worlds.all:
                world.games += 1
            self.do(self.host, "start", starter="3")
        else:
            self.do(self.host, "deal")
        self.worlds.opening.asking = []
        self.looking(number)
        if self.plan.way == "referee":
            self.referee(number)
        else:
            self.by_word(number)
        self.settled(number)

    def looking(self, number: int) -> None:
        self.halt()
        if number == 0:
            self.a_seat_moves()
            self.a_phone_is_lost()
            self.a_guest_comes_late()
        seats = list(self.holders)
        for seat in seats[:-1]:
            self.secret("role", seat)
            if seat == seats[1]:
                self.halt(self.viewers[:1])
        self.do(self.host, "begin")
        self.secret("role", seats[-1])
        self.halt()

    def secret(self, kind: str, seat: int) -> None:
        """The own role or gold: without script, with it, and compressed if it were up to us."""
        path = f"{self.path}/{kind}"
        form = {"seat": str(seat), "version": "1", "key": "-"}
        headers = {"X-Requested-With": "fetch", "Accept-Encoding": "gzip"}
        for each in (headers, {}, {"Accept-Language": LANGUAGES[seat % 5], **FETCH}):
            self.worlds.ask(self.holders[seat], "POST", path, form=form, headers=each)
            self.worlds.tick()

    def a_seat_moves(self) -> None:
        """By the code that its old phone shows; the old one stays among those who ask."""
        seat = 2
        old = self.holders[seat]
        self.do(old, "offer-move", script=False, seat=str(seat))
        house = self.worlds.first.app.extensions["companion"]
        self.offer, code, _ = house.offers[self.worlds.first.table_id, seat]
        new = self.worlds.viewer("moved to", "lt")
        self.halt(self.viewers[:2])
        self.worlds.ask(old, "GET", f"{self.path}/seat", query={"seat": str(seat)})
        self.worlds.ask(new, "POST", "/code", form={"code": code})
        self.worlds.ask(new, "GET", f"/m/{self.offer}")
        self.worlds.done(new, f"/m/{self.offer}", {})
        self.holders[seat] = new
        self.viewers.append(new)
        self.worlds.listen(new, f"{self.path}/live?seat={seat}", gzip=True)

    def a_phone_is_lost(self) -> None:
        """The host frees its seat; a guest takes it."""
        seat = 3
        lost = self.holders[seat]
        self.do(self.host, "free-seat", seat=str(seat))
        self.halt(self.viewers[1:3])
        new = self.worlds.viewer("claimed by", "et")
        self.worlds.done(new, self.join, {"claim": str(seat)})
        self.holders[seat] = new
        self.viewers.append(new)
        if lost is not self.host:
            self.visit(lost, self.plan.share)

    def a_guest_comes_late(self) -> None:
        """And waits for the next game."""
        if self.plan.players < len(NAMES):
            late = self.worlds.viewer("late", "fi")
            self.worlds.done(late, self.join, {"name": "Zoë"})
            self.viewers.append(late)
            self.worlds.listen(late, f"{self.path}/live?page=seat", gzip=False)

    # Roles and gold: the end of the round by word

    def all_the_rest(self, number: int) -> None:
        """Before the last round ends: what comes after tells the worlds apart."""
        if number == len(self.plan.classes) - 1:
            for viewer in self.viewers:
                self.visit(viewer)

    def by_word(self, number: int) -> None:
        self.broken(self.holders[1])
        if number == 0:
            self.the_host_is_gone()
        reporter = self.holders[list(self.holders)[(number + 1) % len(self.holders)]]
        result = self._result(number)
        alike = len({world.draw.roles[: number + 1] for world in self.worlds.all}) == 1
        if alike:  # what is taken back has been seen, so only where it tells the worlds not apart
            for first in (result, self._another(number)):
                self.told(number, reporter, first)
                self.halt(self.viewers[:3])
                self.secret("gold", next(iter(self.holders)))
                self.do(self.host, "take-back")
                self.halt(self.viewers[2:5])
        if waits(self.worlds.table, "result"):
            self.do(reporter, "play", play="result", **self._another(number))
            self.halt(self.viewers[number::3])
            self.do(self.holders[2], "stop-end")
            self.halt(self.viewers[:2])
        else:
            self.all_the_rest(number)
        self.told(number, reporter, result, self.all_the_rest)

    def told(
        self,
        number: int,
        reporter: Viewer,
        result: dict[str, str],
        meanwhile: Callable[[int], None] = lambda _: None,
    ) -> None:
        """The end of the round. Where it waits, another phone confirms it, or nobody does."""
        self.do(reporter, "play", play="result", **result)
        if self.worlds.table.told is None:
            return
        other = next(phone for phone in self.holders.values() if phone is not reporter)
        self.halt(self.viewers[number + 1 :: 3])
        meanwhile(number)
        if number % 2:
            for world in self.worlds.all:
                world.clock.now += END_WAIT_S
                world.note_shown()
            self.worlds.tick()
        else:
            self.do(other, "confirm-end")

    def _result(self, number: int) -> dict[str, str]:
        seats = list(self.holders)
        if self.plan.winners[number] == "miners":
            return {"reached": "1", "finisher": str(seats[(number + 1) % len(seats)])}
        return {"reached": "0", "last": str(seats[number % len(seats)])}

    def _another(self, number: int) -> dict[str, str]:
        """What did not happen."""
        seat = str(next(iter(self.holders)))
        if self.plan.winners[number] == "miners":
            return {"reached": "0", "last": seat}
        return {"reached": "1", "finisher": seat}

    def the_host_is_gone(self) -> None:
        """For longer than two minutes; a phone takes its part over, and the laptop is back."""
        worlds = self.worlds
        open_ones: list[Line] = [line for line in worlds.lines if line.viewer is self.host]
        for line in open_ones:
            line.close()
        for world in worlds.all:
            world.clock.now += 125
        worlds.tick()
        taker = self.holders[2]
        for viewer in (taker, self.television, self.guest):
            path = self.path if viewer is taker else f"{self.join}/screen"
            worlds.ask(viewer, "GET", path)
        self.do(taker, "take-hosting")
        old, self.host = self.host, taker
        old.hosts, taker.hosts = False, True
        self.halt([old, taker])

    # The full referee

    def referee(self, number: int) -> None:
        if number == 0:
            self.the_host_is_gone()
        reached = self.plan.winners[number] == "miners"
        treasure = "middle" if reached else "none"
        halt_at = {2, 7}
        for turn in range(60):
            state = self.state
            if state.now is None:
                return
            if turn in halt_at:
                self.halt(self.viewers[turn % 3 :: 3])
            if turn == 5:
                self.all_the_rest(number)
            if not state.now.reveal and turn >= PLAYS_MAX:
                break
            if state.now.reveal and reached:
                self.halt(self.viewers[:3])
            if state.now.reveal and not reached and state.now.maze.down and turn >= PLAYS_MAX:
                self.do(self.host, "take-back")
                break
            self._reported(self._next(state, treasure))
            if turn == 4:
                self.do(self.host, "take-back")
            if turn == 6 and self.state.now is not None:
                self._reported(Pass(self.state.now.turn))
                last = self.worlds.table.steps[-1]
                assert last.by
                self.do(self.host, "take-back")
        if self.state.now is not None:
            if self.state.now.reveal:
                self.do(self.host, "take-back")
            self.do(self.host, "play", play="result", **self._result(number))

    def _next(self, state: State, treasure: str) -> Play:
        assert state.now is not None
        if treasure == "none":
            for _ in range(200):
                play = any_play(state, self.rng)
                if isinstance(play, Result) or (isinstance(play, Reveal) and play.card == "NESW"):
                    continue
                return play
        if not state.now.reveal and self.rng.random() < 0.25:
            play = any_play(state, self.rng)
            if not isinstance(play, Result | Rockfall | Reveal):
                return play
        return digger_play(state, self.rng, treasure)

    def _reported(self, play: Play) -> None:
        """By the phone whose turn it is, or by the host in its name."""
        table = self.worlds.table
        assert not isinstance(play, Result)
        by = table.players[play.by].id  # type: ignore[union-attr] # nobody deals here
        phone = self.host if self.rng.random() < 0.2 else self.holders[by]
        self.do(phone, "play", **form_of(play, tuple(str(each.id) for each in table.players)))

    # The end of a round, and of the evening

    def settled(self, number: int) -> None:
        assert self.state.now is None
        if self._apart():
            self.worlds.ask(self.television, "GET", f"{self.join}/screen")
            assert self.worlds.tally.told_apart, "nothing is ever shown"
        if not self.state.over:
            self.halt()
        for seat in self.holders:
            self.secret("gold", seat)

    def _apart(self) -> bool:
        return len({tuple(world.shown) for world in self.worlds.all}) > 1

    def end(self) -> None:
        """The record, another game, and the table deleted."""
        if self.state.over:
            self.halt(self.viewers[:4])
            for world in self.worlds.all:
                world.games += 1
            if self.plan.players < len(NAMES):
                self.do(self.host, "remove-seat", seat=str(self.worlds.table.seats[-1].id))
            self._asks_at_the_deal()
            self.do(self.host, "new-game")
            self.worlds.opening.asking = []
            self.halt(self.viewers[:2])
        self.do(self.host, "end", next="/")
        self.halt(self.viewers[-3:])
