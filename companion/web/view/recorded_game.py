"""A game as its record has it: what a table has saved, or a file that somebody has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from gettext import NullTranslations

from companion.games.game import AnyGame, Listing, Rejection
from companion.record import RecordStep, read
from companion.record.texts import verdict_text
from companion.tables.pacing import in_slices, rest
from companion.values import Value
from companion.web.http import reasons

PLAYS_MAX = 1000
"""In one game; the longest recorded ones have a quarter of it."""

GAMES_MAX, REFUSED_MAX = 100, 1000
"""In a record of which no game is chosen; what follows is not looked at."""


class RecordedGame(Value, frozen=True):
    """A game with at least one play, as its record has it."""

    game: AnyGame
    edition: str
    steps: tuple[RecordStep, ...]
    """After each play."""
    refused: int  # lines that were left out: its own, or all of a record that has no other game


@dataclass(slots=True)
class _Lines:
    """What was read of a game."""

    header: RecordStep
    plays: list[RecordStep] = field(default_factory=list)
    refused: int = 0


def recorded_game_of(
    chunks: Iterable[bytes],
    games: Mapping[str, AnyGame],
    breathe: Callable[[], None] = rest,
    number: int | None = None,
) -> RecordedGame | Rejection:
    """The game of a record, or of several the one with this number, from 1: of those that have a
    play. Lines that the referee refuses change nothing; of a record without a game, the first one
    says what is wrong."""
    found: list[_Lines] = []
    first: RecordStep | None = None  # that is refused
    headers = refused = 0
    for step in in_slices(read(chunks, games), breathe):
        if step.verdict is None:
            headers += 1
            if found and not found[-1].plays:
                found.pop()
            found.append(_Lines(step))
        elif not step.verdict.ok:
            first = first or step
            refused += 1
            if found and step.names:  # else no game is on
                found[-1].refused += 1
        elif not found[-1].plays or number in (None, len(found)):  # of other games one is enough
            found[-1].plays.append(step)
            if len(found[-1].plays) > PLAYS_MAX:
                return Rejection(reasons.TOO_MANY_PLAYS, {"num": PLAYS_MAX})
        if number is None and (headers > GAMES_MAX or refused > REFUSED_MAX):
            break
    with_plays = [each for each in found if each.plays]
    if not with_plays:
        return Rejection(reasons.NO_PLAYS, {"first": first} if first else {})
    if number is None and len(with_plays) > 1:
        return Rejection(reasons.SEVERAL_GAMES)
    if (number or 1) > len(with_plays):
        return Rejection(reasons.NO_SUCH_GAME, {"num": len(with_plays)})
    lines = with_plays[(number or 1) - 1]
    return _recorded(lines, lines.refused if len(with_plays) > 1 else refused)


def _recorded(lines: _Lines, refused: int) -> RecordedGame:
    header, game = lines.header, lines.header.game
    assert game is not None
    edition = game.header_fields(header.state, header.names).get("edition")
    usual = next(iter(game.editions))
    return RecordedGame(game, edition or usual, tuple(lines.plays), refused)


def verdict_of(rejection: Rejection, t: NullTranslations, listing: Listing) -> str:
    """What the referee says of the first line that it refuses; empty where it refuses none."""
    first: RecordStep | None = rejection.params.get("first")
    if first is None or first.verdict is None:
        return ""
    return verdict_text(t, first.game, first.line, first.verdict, listing)
