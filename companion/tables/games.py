"""Which games there are, and the one place where a game's own terms meet the table's.

Outside, a play is fields as in a game record, its seats by id, and an event is plain JSON; inside,
both are the game's dataclasses, its seats by number. Nothing else in `tables` knows a game's name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib import import_module
from typing import Any

from companion.record.judge import Malformed
from companion.rules.game import Chance, Rejection
from companion.tables.codec import UndecodableError, decode, encode
from companion.tables.model import Player

Ways = Mapping[str, Callable[[str], bool]]


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """What the table must know of a game beyond the protocol that all games share."""

    module: str  # of GAME; its `model` beside it has PLAYS and EVENTS
    ways: Ways  # way of playing -> whether it has a play of this name
    seats: frozenset[str]  # fields of plays that hold a seat
    by: str  # the field of a play that holds who makes it
    over: Callable[[Any], bool]
    between: Callable[[Any], bool]  # no round is on
    next_starter: Callable[[Any], int]  # of another game with the same people
    hosts: frozenset[str] = frozenset()
    """Plays that the host has in every way: a table may stop reporting in the middle of a round."""
    apart: tuple[str, ...] = ()
    """Plays that stand beside each other in any order: whatever was played since, `decide` alone
    says whether one may be made."""
    reads: str | None = None
    """A module of `record` whose `read_play` makes plays of a record's fields, where these have
    other names than the game's own."""


GAMES: dict[str, Entry] = {
    "saboteur": Entry(
        module="companion.rules.saboteur",
        ways={
            "roles": lambda play: play == "result",
            "referee": lambda play: play != "result",
        },
        seats=frozenset({"by", "seat", "finisher", "last"}),
        by="by",
        over=lambda state: bool(state.over),
        between=lambda state: state.now is None,
        next_starter=lambda state: int(state.starter),
        hosts=frozenset({"result"}),
    ),
    "trains": Entry(
        module="companion.rules.trains",
        ways={"referee": lambda play: True},
        seats=frozenset({"seat"}),
        by="seat",
        over=lambda state: state.phase == "over",
        between=lambda state: state.phase == "over",
        next_starter=lambda state: (state.starter + 1) % len(state.rows),
        apart=("deal",),
        reads="companion.record.trains",
    ),
}


class Rules:
    """A game as the table plays it."""

    def __init__(self, name: str, entry: Entry) -> None:
        self.name = name
        self.entry = entry
        self.game: Any = import_module(entry.module).GAME
        model = import_module(f"{entry.module}.model")
        self._plays = {kind.__name__.lower(): kind for kind in model.PLAYS.values()}
        self._events = {kind.__name__: kind for kind in model.EVENTS.values()}
        self.deals: bool = hasattr(self.game, "deal")
        """Roles or cards are dealt by the program, and looked at."""
        if self.deals:
            del self._plays["deal"]  # nobody deals from outside

    @property
    def seat_counts(self) -> range:
        counts: range = self.game.seat_counts
        return counts

    @property
    def editions(self) -> tuple[str, ...]:
        return tuple(self.game.editions)

    @property
    def ways(self) -> tuple[str, ...]:
        return tuple(self.entry.ways)

    def over(self, state: Any) -> bool:
        return self.entry.over(state)

    def deal(self, state: Any, chance: Chance) -> tuple[Any, ...]:
        """The events of the next deal; none in games where nothing is dealt. No round is on."""
        if not self.deals:
            return ()
        events = self.decide(state, self.game.deal(state, chance))
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
        """The game's play out of the fields that came in; `by` is the number of who makes it.

        A host without a seat reports in the first player's name: the table's own event keeps
        that it was nobody's.
        """
        name = raw.get("play")
        kind = self._plays.get(name) if isinstance(name, str) else None
        known = self.entry.ways[way](str(name)) or (host and name in self.entry.hosts)
        if kind is None or not known:
            return Rejection("bad_request", {"field": "play"})
        if self.entry.reads is not None:
            read = import_module(self.entry.reads).read_play(by or 0, raw)
            if isinstance(read, Malformed):
                return Rejection("bad_request", {"field": read.field})
            return read
        numbers = {player.id: index for index, player in enumerate(players)}
        found: dict[str, Any] = {}
        for field in fields(kind):
            if field.name == self.entry.by:
                found[field.name] = by or 0
            elif field.name in raw:
                value = raw[field.name]
                if field.name in self.entry.seats and value is not None:
                    if type(value) is not int or value not in numbers:
                        return Rejection("unknown_seat")
                    value = numbers[value]
                found[field.name] = value
        unknown = set(raw) - set(found) - {"play", self.entry.by}
        if unknown:
            return Rejection("bad_request", {"field": min(unknown)})
        try:
            return decode(kind, found)
        except UndecodableError as error:
            return Rejection("bad_request", {"field": error.field})

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

    def refusal(self, rejection: Rejection, players: Sequence[Player]) -> Rejection:
        """A refusal of the game in the table's terms: seats by id, and whose rules it is from."""
        params = {
            key: players[value].id
            if key in self.entry.seats and type(value) is int and 0 <= value < len(players)
            else value
            for key, value in rejection.params.items()
        }
        return Rejection(rejection.reason, params | {"game": self.name})


@cache
def _rules(name: str, entry: Entry) -> Rules:
    return Rules(name, entry)


def rules(name: str) -> Rules | None:
    """The game with this name, imported when it is first asked for."""
    entry = GAMES.get(name)
    return _rules(name, entry) if entry is not None else None


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
