"""Answers held against each other: what tells them apart, and what none may hold yet."""

from __future__ import annotations

import re
from base64 import b64encode, urlsafe_b64encode
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from companion.tables.model import Table
from companion.tables.seals import DealId
from tests.noninterference.world import World


@dataclass(frozen=True)
class Answer:
    status: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def size(self) -> int:
        head = sum(len(name) + len(value) + 4 for name, value in self.headers)
        return len(self.status) + head + len(self.body)


class LeakFoundError(AssertionError):
    """Where the first leak is enough."""


@dataclass(frozen=True)
class Leak:
    viewer: str
    asked: str
    worlds: tuple[int, int]
    what: str

    def __str__(self) -> str:
        one, two = self.worlds
        if one == two:
            return f"{self.viewer} is told by {self.asked}: {self.what}"
        return f"{self.viewer} can tell world {one} from world {two} by {self.asked}: {self.what}"


def _sets() -> dict[Any, set[Any]]:
    return defaultdict(set)


@dataclass
class Tally:
    """What has been compared."""

    answers: int = 0
    bytes: int = 0
    leaks: list[Leak] = field(default_factory=list)
    pairs: dict[str, set[tuple[object, int, int]]] = field(default_factory=lambda: defaultdict(set))
    """By viewer: evening and two worlds that it could not tell apart."""
    routes: dict[tuple[str, str], set[str]] = field(default_factory=_sets)
    """By route and method: the viewers that it was compared for."""
    statuses: Counter[str] = field(default_factory=Counter)
    looked_for: dict[str, set[str]] = field(default_factory=_sets)
    """By route: names of the fields and cookies that the program looked for."""
    sent: dict[str, set[str]] = field(default_factory=_sets)
    """By route: names of the fields and cookies that it was sent."""
    told_apart: int = 0
    """Requests whose answers differed where they may: after something was shown."""
    searched: int = 0
    """Answers in which numbers were looked for that nobody may know yet."""
    secrets_told: int = 0
    """Secret answers that were the same in size and different in what they told."""

    def add(self, other: Tally) -> None:
        self.answers += other.answers
        self.bytes += other.bytes
        self.leaks += other.leaks
        for viewer, pairs in other.pairs.items():
            self.pairs[viewer] |= pairs
        for mine, others in (
            (self.routes, other.routes),
            (self.looked_for, other.looked_for),
            (self.sent, other.sent),
        ):
            for key, names in others.items():  # type: ignore[attr-defined]
                mine[key] |= names  # type: ignore[index]
        self.statuses += other.statuses
        self.told_apart += other.told_apart
        self.searched += other.searched
        self.secrets_told += other.secrets_told


def difference(one: Answer, two: Answer) -> str | None:
    """What tells the answers apart; None where nothing does."""
    if one == two:
        return None
    if one.status != two.status:
        return f"status {one.status!r} and {two.status!r}"
    if one.headers != two.headers:
        for first, second in zip(one.headers, two.headers, strict=False):
            if first != second:
                return f"headers {first!r} and {second!r}"
        return f"{len(one.headers)} and {len(two.headers)} headers"
    sizes = ""
    if len(one.body) != len(two.body):
        sizes = f"{len(one.body)} and {len(two.body)} bytes, "
    at = next(
        (place for place, (a, b) in enumerate(zip(one.body, two.body, strict=False)) if a != b),
        min(len(one.body), len(two.body)),
    )
    parts = [body[max(0, at - 60) : at + 60] for body in (one.body, two.body)]
    return f"{sizes}from byte {at} on: {parts[0]!r} and {parts[1]!r}"


SPELLINGS: tuple[tuple[int, Callable[[bytes], list[bytes]]], ...] = (
    (32, lambda secret: [secret.hex().encode()]),
    (36, lambda secret: [str(int.from_bytes(secret, "big")).encode()]),
    (21, lambda secret: [b64encode(secret), urlsafe_b64encode(secret)]),
)
"""How a number may be written into an answer, and by how many letters it is looked for."""


class Needles:
    """What no answer may hold yet: secrets and shares of deals that are not laid open. All worlds
    have the same, so that comparing them tells nothing of these."""

    def __init__(self) -> None:
        self.added: dict[DealId, set[str]] = defaultdict(set)
        """Shares, by their deals."""
        self.searched = 0
        self._of: tuple[tuple[int, int], list[dict[bytes, str]]] = ((0, 0), [])

    def hidden(self, world: World, table: Table) -> list[dict[bytes, str]]:
        """By each of `SPELLINGS`: beginnings of numbers, and what they are."""
        at = table.version, sum(map(len, self.added.values()))
        if self._of[0] != at:
            found = list(self._hidden(world, table))
            self._of = (
                at,
                [
                    {each[:letters]: name for name, number in found for each in spell(number)}
                    for letters, spell in SPELLINGS
                ],
            )
        return self._of[1]

    def _hidden(self, world: World, table: Table) -> Iterator[tuple[str, bytes]]:
        state = table.game_state
        on = state is not None and not state.over
        open_rounds = len(state.past) if on and state is not None else 0
        for game in (table.coming_game, table.coming_game + 1):
            for round_ in range(4):
                if game == table.coming_game and 0 < round_ <= open_rounds:
                    continue
                yield (
                    f"the secret of game {game}, deal {round_}",
                    world.tables.fair_deals.secret(table, game, round_),
                )
                for share in self.added[game, round_]:
                    yield f"a share of game {game}, deal {round_}", bytes.fromhex(share)

    def search(self, world: World, answer: Answer) -> str | None:
        table = world.table
        if table is None:
            return None
        self.searched += 1
        said = "\n".join(f"{name}: {value}" for name, value in answer.headers).encode()
        text = said + b"\n" + answer.body
        bare = re.sub(rb"<[^>]*>|\s", b"", text).lower()  # numbers are shown in groups
        for names, where in zip(self.hidden(world, table), (bare, bare, text), strict=True):
            for beginning, name in names.items():
                if beginning in where:
                    return name
        return None


def size_difference(one: Answer, two: Answer) -> str | None:
    """As `difference`, for who sees only sizes: an onlooker on the Wi-Fi."""
    if one.status != two.status or one.headers != two.headers:
        return difference(one, two)
    if len(one.body) != len(two.body):
        return f"the sizes {len(one.body)} and {len(two.body)} of a secret answer"
    return None
