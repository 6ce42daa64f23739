"""What everybody asks and is told in the middle of a deal.

Each world is asked when the list of seals is on its disk and not yet in its memory; when it is
fixed, and before the phones open their numbers, while who asked for the deal waits; and when the
deal itself is on the disk alone. When all worlds have come so far, their answers are compared.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from companion.record.fair import seal
from tests.noninterference.answers import Answer
from tests.noninterference.world import ASKED

if TYPE_CHECKING:
    from tests.noninterference.worlds import Viewer, Worlds


Asked = tuple["Viewer", str, str, str]
"""Who, by which method, which path, when."""


class Opening:
    def __init__(self, worlds: Worlds) -> None:
        self._worlds = worlds
        self._shares: dict[Viewer, dict[str, str]] = {}
        """By their commitments."""
        self.asleep: Viewer | None = None
        """Opens no number."""
        self.asking: list[tuple[Viewer, str, str]] = []
        """Who, by which method, which path."""
        self._answers: dict[Asked, list[list[Answer]]] = {}
        """By world."""
        for number, world in enumerate(worlds.all):
            world.when_fixed = partial(self._fixed, number)
            world.log.when_written = partial(self._ask_all, number, "on the disk alone")

    def add_seals(self, viewer: Viewer, path: str) -> None:
        """What this phone seals for the deals to come, by itself."""
        worlds = self._worlds
        added = {}
        for commitment, (game, round_) in worlds.first.tables.fair_deals.to_come(
            worlds.table
        ).items():
            of = f"{viewer.name} {game} {round_}".encode()
            added[commitment] = sha256(of).hexdigest()[:32]
            worlds.needles.added[game, round_].add(added[commitment])
        self._shares[viewer] = added
        seals = [seal(*pair) for pair in added.items()]
        form = {"commitment": list(added), "seal": seals}
        answers = worlds.ask(viewer, "POST", f"{path}/fair", form=form)
        assert json.loads(answers[0].body) == list(added), answers[0]

    def _fixed(self, number: int) -> None:
        """In one world, while its phones have not opened anything."""
        world = self._worlds.all[number]
        for line in self._worlds.lines:
            line.read_early(number)
        self._ask_all(number, "while numbers are opened")
        looked_for = ASKED.names
        table = world.table
        assert table is not None
        fixed = world.tables.fair_deals.to_open(table).values()
        for viewer, shares in self._shares.items():
            opened = {
                commitment: shares[commitment]
                for commitment, seals in fixed
                if seal(commitment, shares[commitment]) in seals  # its seat may have moved
            }
            if opened and viewer is not self.asleep:
                form = {"commitment": list(opened), "share": list(opened.values())}
                path = f"/t/{table.id}/fair"
                answer = self._ask(number, viewer, "POST", path, form, "numbers are opened")
                assert json.loads(answer.body) == list(opened), answer
        ASKED.names = looked_for

    def _ask_all(self, number: int, when: str) -> None:
        looked_for = ASKED.names
        for viewer, method, path in self.asking:
            self._ask(number, viewer, method, path, {"peek": "1"} if method == "POST" else {}, when)
        ASKED.names = looked_for

    def _ask(
        self,
        number: int,
        viewer: Viewer,
        method: str,
        path: str,
        form: Mapping[str, Any],
        when: str,
    ) -> Answer:
        answer = self._worlds.answer(number, viewer, method, path, form=form)
        by_world = self._answers.setdefault(
            (viewer, method, path, when), [[] for _ in self._worlds.all]
        )
        by_world[number].append(answer)
        return answer

    def compare(self) -> None:
        """When the deal has been asked for in all worlds."""
        found, self._answers = self._answers, {}
        for (viewer, method, path, when), by_world in found.items():
            for answers in zip(*by_world, strict=True):
                self._worlds.search(viewer, f"{method} {path}, {when}", answers)
                self._worlds.compare(viewer, f"{method} {path}, {when}", answers)
