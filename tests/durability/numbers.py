"""The phones' part in the deals, as their pages' script does it, and how they check them.

A phone seals a random number for each deal to come and opens it when the list of seals is fixed,
again each time that its stream begins anew. It may be slow to open, or asleep.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from companion.games import GAMES
from companion.record.fair import seal
from companion.record.verify import findings
from tests.kit.phone import Phone

SLOW_S = 0.4
SLOW, ASLEEP = 0.1, 0.01
"""How often a phone is, when it is to open a number."""


class Lives(Protocol):
    starts: int
    """How often a process has begun."""


class Numbers:
    """Of one phone at one table, by deal: "game.round"."""

    def __init__(self, phone: Phone, rng: Random, server: Lives) -> None:
        self.phone = phone
        self._rng = rng
        self._server = server
        self._lock = threading.Lock()
        self.commitments: dict[str, str] = {}
        self.shares: dict[str, str] = {}
        self.lists: dict[str, list[str | None]] = {}
        """As they were seen first."""
        self.sealed: dict[str, int] = {}
        """In which life of the server it was told that its seal counts, at last."""
        self.opened: dict[str, int] = {}
        """As `sealed`, of the numbers opened."""
        self.wrong: list[str] = []
        """What no server may tell: another commitment or another list than before."""

    def take(self, told: dict[str, Any]) -> None:
        """A message of the stream."""
        at = told["at"]
        with self._lock:
            opens = {place: self._seen(place, seals) for place, seals in told["open"].items()}
            seals = {place: self._promised(place, one) for place, one in told["seal"].items()}
        due = {place: share for place, share in opens.items() if share}
        if due:
            chance = self._rng.random()
            if chance < ASLEEP:
                return
            if chance > 1 - SLOW:
                time.sleep(self._rng.uniform(0, SLOW_S))
            self._post(at, "share", due, self.opened)
        self._post(at, "seal", seals, self.sealed)

    def _seen(self, place: str, seals: list[str | None]) -> str:
        """The number to open; empty where there is none."""
        if self.lists.setdefault(place, seals) != seals:
            self.wrong.append(f"{self.phone.name}: another list of {place}: {seals}")
        share = self.shares.get(place, "")
        return share if share and seal(self.commitments[place], share) in seals else ""

    def _promised(self, place: str, commitment: str) -> str:
        """The seal of the number for a deal to come."""
        if self.commitments.setdefault(place, commitment) != commitment:
            self.wrong.append(f"{self.phone.name}: another commitment of {place}: {commitment}")
        return seal(commitment, self.shares.setdefault(place, secrets.token_hex(16)))

    def _post(
        self, at: str, field: str, numbers: Mapping[str, str], counting: dict[str, int]
    ) -> None:
        if not numbers:
            return
        commitments = [self.commitments[place] for place in numbers]
        life = self._server.starts
        form = {"commitment": commitments, field: list(numbers.values())}
        counted = self.phone.ask("POST", at, form).text.split()
        if self._server.starts != life:
            return  # whichever server has answered, it may be gone
        for place in numbers:
            if self.commitments[place] in counted:
                counting[place] = life

    def check(self, proof: Mapping[str, Any], place: str, seat: int) -> None:
        """A deal in a record: it is drawn from what this phone has seen, and from its own number or
        from none of this seat."""
        share, own = proof["shares"][seat], self.shares.get(place)
        assert self.commitments.get(place) in (None, proof["commitment"]), place
        assert self.lists.get(place) in (None, proof["seals"]), place
        assert share in (None, own), (self.phone.name, place)
        seals = proof["seals"][seat]
        assert seals is None or (own and seals == seal(proof["commitment"], own)), place


@dataclass(frozen=True)
class Counted:
    """Of one deal, by seat: whose seal and whose number must be in it."""

    sealed: Sequence[bool]
    opened: Sequence[bool]


class Deals:
    """Those of one game, as the phones at its table know them."""

    def __init__(self, numbers: Sequence[Numbers], server: Lives) -> None:
        self._numbers = numbers
        self._server = server
        self._counted: dict[str, Counted] = {}

    def drawn(self, deed: Callable[[], None], *places: str) -> None:
        """`deed` asks for the deals. What counts by the word of a server does count in them, unless
        that server was killed before."""
        life = self._server.starts
        sealed = [[one.sealed.get(place) == life for one in self._numbers] for place in places]
        deed()
        if self._server.starts == life:
            for place, each in zip(places, sealed, strict=True):
                opened = [one.opened.get(place) == life for one in self._numbers]
                self._counted[place] = Counted(each, opened)

    def check(self, saved: bytes, redrawn: bool) -> None:
        """A record of the game. `redrawn`: what was left of its gold was drawn anew, without
        proof."""
        found = [one.code for one in findings([saved], GAMES)]
        assert found[0] == ("no_proof" if redrawn else "agrees")
        assert set(found[1:]) == {"agrees"}
        for line in map(json.loads, saved.splitlines()):
            if "fair" in line:
                self._check(line["fair"])

    def _check(self, proof: Mapping[str, Any]) -> None:
        place = f"{proof['game']}.{proof.get('round', 0)}"
        for seat, one in enumerate(self._numbers):
            one.check(proof, place, seat)
        counted = self._counted.get(place)
        if counted is not None:
            for field, flags in (("seals", counted.sealed), ("shares", counted.opened)):
                assert all(
                    number for number, flag in zip(proof[field], flags, strict=True) if flag
                ), (place, field, counted)
