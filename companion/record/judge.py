"""Judging a game record: which checks come before any game's own, and in which order.

First the line (`malformed`, `no_game`), then the fields (`malformed` with the first bad `field`),
then whatever the game refuses, first of all names that nobody has (`unknown_seat`), then plays
after its end (`game_over`). A refused line changes nothing; a bad header leaves no game on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import field

from companion.games.fields import (
    UNKNOWN_PLAYER,
    Fields,
    Malformed,
    PlayerIndex,
    RecordStart,
    by_player,
)
from companion.games.game import AnyGame, Rejection
from companion.record.jsonl import lines_of, parse
from companion.record.reasons import MALFORMED, NO_GAME
from companion.values import Value


class Verdict(Value, frozen=True):
    """On a line of a record."""

    rejection: Rejection | None = None
    """Why the line is refused, with the parameters that a record gives; None: it is accepted."""
    accepted: Fields = field(default_factory=dict)
    """What the game says of an accepted line."""

    @property
    def ok(self) -> bool:
        return self.rejection is None

    @property
    def fields(self) -> Fields:
        """As it is written, without the number of its line."""
        if self.rejection is None:
            return {"ok": True, **self.accepted}
        params = self.rejection.params.items()
        plain = {name: list(each) if type(each) is tuple else each for name, each in params}
        return {"ok": False, "reason": self.rejection.reason.code, **plain}


def refused(rejection: Rejection) -> Verdict:
    reason = rejection.reason
    params = {name: rejection.params[name] for name in reason.recorded}
    return Verdict(Rejection(reason, params))


def malformed(field: str) -> Verdict:
    return Verdict(Rejection(MALFORMED, {"field": field}))


class Judge:
    """Judges one file, line by line; holds no more than the game that is on."""

    __slots__ = ("_games", "_indexes", "events", "game", "names", "state")

    def __init__(self, games: Mapping[str, AnyGame]) -> None:
        self._games = games
        self._indexes: dict[str, PlayerIndex] = {}
        self.game: AnyGame | None = None
        self.names: tuple[str, ...] = ()
        """The players, clockwise; nobody while no game is on."""
        self.state: Any = None
        """The game's own."""
        self.events: tuple[Any, ...] = ()
        """What the last line that was accepted led to; nothing for one that was refused."""

    def line(self, fields: Fields | None) -> Verdict | None:
        """The verdict on one parsed line (None: no JSON object); None for an accepted header."""
        self.events = ()
        if fields is None:
            return Verdict(Rejection(MALFORMED))
        if "game" in fields:
            return self._header(fields)
        game = self.game
        if game is None:
            return Verdict(Rejection(NO_GAME))
        play = game.read_play(fields, self._index)
        if isinstance(play, Malformed):
            return malformed(play.field)
        decision = game.decide(self.state, play)
        if isinstance(decision, Rejection):
            return refused(decision)
        self.state, self.events = game.fold(self.state, decision), decision
        return Verdict(accepted=game.accepted(self.names, self.state, decision))

    def _index(self, name: object) -> PlayerIndex | None:
        return self._indexes.get(name, UNKNOWN_PLAYER) if type(name) is str else None

    def _header(self, fields: Fields) -> Verdict | None:
        self.game, self.names, self.state = None, (), None
        name = fields["game"]
        game = self._games.get(name) if type(name) is str else None
        if game is None:
            return malformed("game")
        beginning = game.read_header(fields)
        if isinstance(beginning, Malformed):
            return malformed(beginning.field)
        self.begin(game, beginning)
        return None

    def begin(self, game: AnyGame, beginning: RecordStart[Any]) -> None:
        """The next line is a play of this game."""
        self.game, self.names, self.state = game, beginning.names, beginning.state
        self._indexes = {player: index for index, player in by_player(self.names)}


def verdicts(lines: Iterable[bytes], games: Mapping[str, AnyGame]) -> Iterator[Fields]:
    """The verdicts on a record given in chunks of bytes of any size, as they are written: `line`
    first in each.

    >>> from companion.games import GAMES
    >>> list(verdicts([b'{"play": "pass"}'], GAMES))
    [{'line': 1, 'ok': False, 'reason': 'no_game'}]
    """
    judge = Judge(games)
    for number, line in lines_of(lines):
        verdict = judge.line(parse(line))
        if verdict is not None:
            yield {"line": number, **verdict.fields}
