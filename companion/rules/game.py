"""What a game is to the rest of the program: a refusal, a source of chance, and one protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

State = TypeVar("State")
Play = TypeVar("Play", contravariant=True)
Event = TypeVar("Event")

NO_PARAMS: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why a play may not be made: a stable code, and what a sentence about it needs to say."""

    reason: str
    params: Mapping[str, Any] = field(default_factory=lambda: NO_PARAMS)


class Chance(Protocol):
    """The only door through which chance comes in; `random.Random` is one."""

    def shuffle(self, x: list[Any], /) -> None: ...


class Game(Protocol[State, Play, Event]):
    """The trio "may I", "why not" and "do it" is one `decide`; the past is folded by `evolve`."""

    @property
    def name(self) -> str: ...

    @property
    def seat_counts(self) -> range: ...

    @property
    def editions(self) -> tuple[str, ...]: ...

    @property
    def rounds(self) -> int: ...

    def new(self, seats: int, starter: int, edition: str, chance: Chance) -> State: ...

    def decide(self, state: State, play: Play, /) -> tuple[Event, ...] | Rejection: ...

    def evolve(self, state: State, event: Event, /) -> State: ...

    def view(self, state: State, seat: int | None, /) -> Any: ...


def fold(game: Game[State, Any, Event], state: State, events: Sequence[Event]) -> State:
    """The state after `events`, one by one."""
    for event in events:
        state = game.evolve(state, event)
    return state
