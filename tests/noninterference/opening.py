"""Sealed numbers: what everybody asks and is told between the fixing of their list and the deal.

In each world the phones open their numbers as soon as the list is fixed, while who asked for the
deal waits. Before they do, others ask, and the streams bring what is new. When all worlds have come
so far, their answers are compared.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from companion.record.fair import seal
from tests.noninterference.answers import Answer
from tests.noninterference.world import ASKED

if TYPE_CHECKING:
    from tests.noninterference.worlds import Viewer, Worlds


class Opening:
    def __init__(self, worlds: Worlds) -> None:
        self._worlds = worlds
        self._shares: dict[Viewer, dict[str, str]] = {}
        """By their commitments."""
        self.asleep: Viewer | None = None
        """Opens no number."""
        self.asking: list[tuple[Viewer, str, str]] = []
        """Who, by which method, which path."""
        self._answers: dict[tuple[Viewer, str, str], list[Answer]] = defaultdict(list)
        for number, world in enumerate(worlds.all):
            world.when_fixed = partial(self._fixed, number)

    def add_seals(self, viewer: Viewer, path: str) -> None:
        """What this phone seals for the deals to come, by itself."""
        worlds = self._worlds
        added = {}
        for commitment, (game, round_) in worlds.first.tables.deals.to_come(worlds.table).items():
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
        looked_for, world = ASKED.names, self._worlds.all[number]
        for line in self._worlds.lines:
            line.read_early(number)
        for viewer, method, path in self.asking:
            self._ask(number, viewer, method, path, {"peek": "1"} if method == "POST" else {})
        table = world.table
        assert table is not None
        fixed = world.tables.deals.fixed(table).values()
        for viewer, shares in self._shares.items():
            opened = {
                commitment: shares[commitment]
                for commitment, seals in fixed
                if seal(commitment, shares[commitment]) in seals  # its seat may have moved
            }
            if opened and viewer is not self.asleep:
                form = {"commitment": list(opened), "share": list(opened.values())}
                answer = self._ask(number, viewer, "POST", f"/t/{table.id}/fair", form)
                assert json.loads(answer.body) == list(opened), answer
        ASKED.names = looked_for

    def _ask(
        self, number: int, viewer: Viewer, method: str, path: str, form: Mapping[str, Any]
    ) -> Answer:
        answer = self._worlds.answer(number, viewer, method, path, form=form)
        self._answers[viewer, method, path].append(answer)
        return answer

    def compare(self) -> None:
        """When the deal has been asked for in all worlds."""
        found, self._answers = self._answers, defaultdict(list)
        for (viewer, method, path), answers in found.items():
            said = f"{method} {path}, before the deal"
            self._worlds.search(viewer, said, answers)
            self._worlds.compare(viewer, said, answers)
