"""Everybody who looks on, in all worlds at once: who they are, what they ask for and when.

Viewers are every phone that holds a seat, the laptop that hosts, a television with the join link,
a guest with it, a phone whose seat has moved away, a stranger, and one without any cookie. At a
halt each asks for some of what there is; before the end everybody has asked for everything.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from werkzeug.routing import Rule

from companion.games.saboteur.rules.decide import legal
from companion.games.saboteur.rules.model import State
from tests.noninterference.draws import draws
from tests.noninterference.plan import LANGUAGES, STRIDE, Plan
from tests.noninterference.requests import (
    FETCH,
    Sight,
    get_headers,
    post_headers,
    post_page,
    requests,
    tasks,
)
from tests.noninterference.worlds import Plant, Viewer, Worlds


class Crowd:
    def __init__(
        self,
        plan: Plan,
        plant: Plant | None = None,
        worlds: type[Worlds] = Worlds,
    ) -> None:
        self.plan = plan
        self.rng = random.Random(f"{plan}")
        found = draws(plan.players, plan.worlds, plan.classes, plan.winners, self.rng)
        self.worlds = worlds(str(plan), found, public=plan.public, plant=plant)
        self.asked = 0
        self.turns: Counter[tuple[str, str]] = Counter()
        for rule in self.worlds.first.app.url_map.iter_rules():
            for method in ("GET", "POST"):
                self.turns[method, rule.rule] = plan.seed * STRIDE
        self.left: dict[str, list[tuple[str, Rule]]] = {}
        self.offer = ""
        self.viewers: list[Viewer] = []
        self.holders: dict[int, Viewer] = {}  # seat -> phone

    @property
    def path(self) -> str:
        return f"/t/{self.worlds.first.table_id}"

    @property
    def state(self) -> State:
        state = self.worlds.table.game_state
        assert isinstance(state, State)
        return state

    def sight(self, viewer: Viewer) -> Sight:
        world = self.worlds.first
        table = world.table
        seats = tuple(seat.id for seat in table.seats if seat.device) if table else ()
        own = tuple(seat for seat, phone in self.holders.items() if phone is viewer)
        place = "1,0"
        if table is not None and table.game_state is not None and table.game_state.now is not None:
            place = ",".join(map(str, next(iter(legal(table.game_state)), (1, 0))))
        self.asked += 1
        return Sight(
            table=world.table_id,
            key=world.tables.join_key(world.tables.get(world.table_id)),
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

    def do(self, viewer: Viewer, command: str, script: bool | None = None, **form: Any) -> None:
        """A command by form or, with script, by script."""
        script = bool(self.rng.getrandbits(1)) if script is None else script
        form = {"page": self.path + ("/host" if viewer.hosts else ""), **form}
        self.worlds.done(viewer, f"{self.path}/do/{command}", form, **(FETCH if script else {}))

    def secret(self, kind: str, seat: int) -> None:
        """The own role or gold: without script, with it, and compressed if it were up to us."""
        path = f"{self.path}/{kind}"
        form = {"seat": str(seat), "version": "1", "key": "-"}
        headers = {"X-Requested-With": "fetch", "Accept-Encoding": "gzip"}
        for each in (headers, {}, {"Accept-Language": LANGUAGES[seat % 5], **FETCH}):
            self.worlds.ask(self.holders[seat], "POST", path, form=form, headers=each)
            self.worlds.tick()
