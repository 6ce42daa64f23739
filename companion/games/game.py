"""What a game is to the rest of the program: one manifest, a refusal, a source of chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Protocol

NO_PARAMS: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why a play may not be made: a stable code, and what a sentence about it needs to say."""

    reason: str
    params: Mapping[str, Any] = field(default_factory=lambda: NO_PARAMS)


class Chance(Protocol):
    """The only door through which chance comes in; `random.Random` is one."""

    def shuffle(self, x: list[Any], /) -> None: ...


class Rules(Protocol):
    """The trio "may I", "why not" and "do it" is one `decide`; the past is folded by `evolve`."""

    @property
    def seat_counts(self) -> range: ...

    @property
    def editions(self) -> tuple[str, ...]: ...

    @property
    def rounds(self) -> int: ...

    def new(self, seats: int, starter: int, edition: str, chance: Chance) -> Any: ...

    def decide(self, state: Any, play: Any, /) -> tuple[Any, ...] | Rejection: ...

    def evolve(self, state: Any, event: Any, /) -> Any: ...

    def view(self, state: Any, seat: int | None, /) -> Any: ...


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Game:
    """The manifest of a game: all that the rest of the program knows of it."""

    name: str
    rules: Rules
    plays: tuple[type, ...]
    """The plays that may come from outside."""
    events: tuple[type, ...]
    modes: Mapping[str, Callable[[str], bool]]
    """Way of playing -> whether it has a play of this name."""
    deal: Callable[[Any, Chance], Any] | None = None
    """The play that deals the next round, where the program deals and players look."""
    is_over: Callable[[Any], bool]
    is_between_rounds: Callable[[Any], bool]
    next_starter: Callable[[Any], int]
    """Of another game with the same people: a player's index."""
    host_plays: frozenset[str] = frozenset()
    """Plays that the host has in every mode: a table may stop reporting in a round."""
    order_free: frozenset[str] = frozenset()
    """Plays that are never stale, whatever was played since: `decide` alone judges them."""
    seat_fields: frozenset[str]
    """Fields of plays and of refusals that hold a player's index."""
    by_field: str
    """The field of a play that holds who makes it."""
    read_play: Callable[[int, Any], Any] | None = None
    """Makes plays of a record's fields, where these have other names than the game's own."""
    record: Any
    """Its part in judging a record: `companion.record.judge.GameRecord`."""
    draw: Callable[[Any, Any], str]
    """A state and the players' names as text."""
    texts: Any
    """`accepted`, `event` and `reason`: what is said of it in a language."""
    book: Callable[[Any, str], Any]
    """The rules at hand, in a language and an edition."""
    paragraph_of: Callable[[str, Mapping[str, Any]], str | None]
    """The anchor of the paragraph in its book that a refusal rests on."""
    pages: Callable[[], Any]
    """Its part of the pages: `companion.web.view.games.GamePages`; loaded when first asked for."""
