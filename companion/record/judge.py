"""Judging a game record: which checks come before any game's own, and in which order.

First the line (`malformed`, `no_game`), then the fields (`malformed` with the first bad `field`),
then the names (`unknown_seat`), then `game_over`, then the game. A refused line changes nothing;
after a bad header no game is on. `GameRecord` is what a game must offer to be judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Protocol

from companion import games
from companion.record.jsonl import Fields, lines_of, parse

Verdict = dict[str, Any]

NAME_MAX: Final = 24
"""Code points in a seat's name."""

DIGITS_MAX: Final = 15
NUMBER_LIMIT: Final[int] = 10**DIGITS_MAX


@dataclass(frozen=True, slots=True)
class Malformed:
    """The first field that is missing, or has the wrong type or value."""

    field: str


class GameRecord(Protocol):
    """A game's part in judging. Only the game looks into its states; they never change in place."""

    def header(self, fields: Fields) -> Any | Malformed:
        """The state before the first play; `game` itself is checked already."""

    def judge(self, state: Any, fields: Fields) -> tuple[Any, Verdict]:
        """The state after the line, and the verdict without `line`: `ok`, then the rest.

        With a refusal the state is the same object that came in.
        """


def refused(reason: str, /, **params: Any) -> Verdict:
    return {"ok": False, "reason": reason, **params}


def malformed(field: str) -> Verdict:
    return {"ok": False, "reason": "malformed", "field": field}


# Helpers for the fields of lines. Each takes any value of JSON.


def is_number(value: object) -> bool:
    """An integer written without fraction or exponent, of at most 15 digits, never a boolean."""
    return type(value) is int and -NUMBER_LIMIT < value < NUMBER_LIMIT


def is_between(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def good_seats(value: object, counts: range) -> tuple[str, ...] | None:
    """The seats' names: as many as the game allows, 1 to 24 code points each, all different."""
    if type(value) is not list or len(value) not in counts:
        return None
    for name in value:
        if type(name) is not str or not 1 <= len(name) <= NAME_MAX:
            return None
    return tuple(value) if len(set(value)) == len(value) else None


def part(game: object) -> GameRecord | None:
    """The record of the game with this name; None if there is no such game."""
    found = games.find(game) if type(game) is str else None
    if found is None:
        return None
    record: GameRecord = found.record
    return record


class Judge:
    """Judges one file, line by line; holds no more than the game that is on."""

    __slots__ = ("_judge", "game", "state")

    def __init__(self) -> None:
        self.game: str | None = None
        self.state: Any = None
        self._judge: Callable[[Any, Fields], tuple[Any, Verdict]] | None = None

    def fields(self, fields: Fields | None) -> Verdict | None:
        """The verdict on one parsed line (None: no JSON object); None for an accepted header."""
        if fields is None:
            return {"ok": False, "reason": "malformed"}
        if "game" in fields:
            return self._header(fields)
        if self._judge is None:
            return {"ok": False, "reason": "no_game"}
        self.state, verdict = self._judge(self.state, fields)
        return verdict

    def _header(self, fields: Fields) -> Verdict | None:
        self.game = self.state = self._judge = None
        record = part(fields["game"])
        if record is None:
            return malformed("game")
        state = record.header(fields)
        if isinstance(state, Malformed):
            return malformed(state.field)
        self.game, self.state, self._judge = fields["game"], state, record.judge
        return None


def verdicts(lines: Iterable[bytes]) -> Iterator[Verdict]:
    """The verdicts on a record given in chunks of bytes of any size, `line` first in each.

    >>> list(verdicts([b'{"play": "pass"}']))
    [{'line': 1, 'ok': False, 'reason': 'no_game'}]
    """
    judge = Judge()
    for number, line in lines_of(lines):
        verdict = judge.fields(parse(line))
        if verdict is not None:
            yield {"line": number, **verdict}
