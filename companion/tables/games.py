"""The one place where a game's own terms meet the table's.

Outside the game, a play is a dict of fields as in a game record, with seats by id, and an event is
plain JSON. Inside, both are the game's dataclasses, with seats by number. Nothing else in `tables`
knows a game's name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import Any

from companion import games
from companion.games.game import Chance, Game, Rejection
from companion.record.judge import Malformed
from companion.tables import refusals
from companion.tables.codec import UndecodableError, decode, encode
from companion.tables.model import Player


class Rules:
    """A game as the table plays it."""

    def __init__(self, manifest: Game) -> None:
        self.name = manifest.name
        self.manifest = manifest
        self.game: Any = manifest.rules
        self._plays = {kind.__name__.lower(): kind for kind in manifest.plays}
        self._events = {kind.__name__: kind for kind in manifest.events}
        self.deals = manifest.deal is not None
        """Roles or cards are dealt by the program, and looked at."""

    @property
    def seat_counts(self) -> range:
        counts: range = self.game.seat_counts
        return counts

    @property
    def editions(self) -> tuple[str, ...]:
        return tuple(self.game.editions)

    @property
    def ways(self) -> tuple[str, ...]:
        return tuple(self.manifest.modes)

    def over(self, state: Any) -> bool:
        return self.manifest.is_over(state)

    def deal(self, state: Any, chance: Chance) -> tuple[Any, ...]:
        """The events of the next deal; none in games where nothing is dealt. No round is on."""
        if self.manifest.deal is None:
            return ()
        events = self.decide(state, self.manifest.deal(state, chance))
        assert not isinstance(events, Rejection), events
        return events

    def decide(self, state: Any, play: Any) -> tuple[Any, ...] | Rejection:
        events: tuple[Any, ...] | Rejection = self.game.decide(state, play)
        return events

    def fold(self, state: Any, events: Sequence[Any]) -> Any:
        for event in events:
            state = self.game.evolve(state, event)
        return state

    def play(
        self,
        raw: Mapping[str, Any],
        by: int | None,
        players: Sequence[Player],
        way: str,
        host: bool = False,
    ) -> Any | Rejection:
        """The game's play out of the fields that came in; `by` is the number of its player.

        A host without a seat reports in the first player's name: the table's own event keeps
        that it was nobody's.
        """
        name = raw.get("play")
        kind = self._plays.get(name) if isinstance(name, str) else None
        known = self.manifest.modes[way](str(name)) or (host and name in self.manifest.host_plays)
        if kind is None or not known:
            return Rejection(refusals.BAD_REQUEST, {"field": "play"})
        if self.manifest.read_play is not None:
            read = self.manifest.read_play(by or 0, raw)
            if isinstance(read, Malformed):
                return Rejection(refusals.BAD_REQUEST, {"field": read.field})
            return read
        numbers = {player.id: index for index, player in enumerate(players)}
        found: dict[str, Any] = {}
        for field in fields(kind):
            if field.name == self.manifest.by_field:
                found[field.name] = by or 0
            elif field.name in raw:
                value = raw[field.name]
                if field.name in self.manifest.seat_fields and value is not None:
                    if type(value) is not int or value not in numbers:
                        return Rejection(refusals.UNKNOWN_SEAT)
                    value = numbers[value]
                found[field.name] = value
        unknown = set(raw) - set(found) - {"play", self.manifest.by_field}
        if unknown:
            return Rejection(refusals.BAD_REQUEST, {"field": min(unknown)})
        try:
            return decode(kind, found)
        except UndecodableError as error:
            return Rejection(refusals.BAD_REQUEST, {"field": error.field})

    def to_plain(self, events: Sequence[Any]) -> tuple[dict[str, Any], ...]:
        return tuple({"event": type(event).__name__, **encode(event)} for event in events)

    def from_plain(self, plain: Sequence[Mapping[str, Any]]) -> tuple[Any, ...]:
        """The events as they were; `UndecodableError` where no program of ours wrote them."""
        found = []
        for one in plain:
            kind = self._events.get(one.get("event", ""))
            if kind is None:
                raise UndecodableError("event")
            found.append(decode(kind, {key: one[key] for key in one if key != "event"}))
        return tuple(found)


@cache
def rules(name: str) -> Rules | None:
    """The game with this name, imported when it is first asked for."""
    found = games.find(name)
    return Rules(found) if found is not None else None


class Drawn:
    """Chance that remembers its shuffles, so that an event can carry them."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self.shuffles: list[tuple[int, ...]] = []

    def shuffle(self, x: list[Any], /) -> None:
        places = list(range(len(x)))
        self._chance.shuffle(places)
        x[:] = [x[place] for place in places]
        self.shuffles.append(tuple(places))


class Replayed:
    """The same shuffles again."""

    def __init__(self, shuffles: Sequence[Sequence[int]]) -> None:
        self._shuffles = iter(shuffles)

    def shuffle(self, x: list[Any], /) -> None:
        places = next(self._shuffles, None)
        if places is None or sorted(places) != list(range(len(x))):
            raise UndecodableError("shuffles")
        x[:] = [x[place] for place in places]
