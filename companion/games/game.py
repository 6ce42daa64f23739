"""What a game is to the rest of the program: one manifest, refusals, a source of chance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from gettext import NullTranslations
from types import MappingProxyType
from typing import Any, Protocol

NO_PARAMS: Mapping[str, Any] = MappingProxyType({})

Listing = Callable[[Iterable[str]], str]
"""Joins names as the reader's language does."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a sentence about a refusal may use beside the language."""

    params: Mapping[str, Any] = field(default_factory=lambda: NO_PARAMS)
    """Of the refusal; a verdict in a record has only some of them."""
    names: Sequence[str] = ()
    """The players' names by their index; empty where they are not known."""
    listing: Listing = ", ".join

    @property
    def player(self) -> str | None:
        """Name of the player whose index is the parameter `seat`."""
        index = self.params.get("seat")
        return self.names[index] if index is not None and 0 <= index < len(self.names) else None


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason to refuse something: all that there is to know of it."""

    owner: str
    """Who refuses: a game, "table", "web" or "record"."""
    code: str
    """Stable; unique with its owner."""
    sentence: Callable[[NullTranslations, Given], str]
    """In the reader's language."""
    parameters: frozenset[str] = frozenset()
    recorded: tuple[str, ...] = ()
    """The parameters that a verdict on a line of a record has."""
    status: int = 409
    """Of HTTP; a game's refusals are conflicts with how the game stands."""
    paragraph: str | None = None
    """Anchor of the paragraph in the game's rules that it rests on."""
    paragraph_by: tuple[str, Mapping[str, str]] = ("", MappingProxyType({}))
    """A parameter, and by its value a paragraph that fits better."""

    def __str__(self) -> str:
        return f"{self.owner}/{self.code}"

    def paragraph_for(self, params: Mapping[str, Any]) -> str | None:
        parameter, paragraphs = self.paragraph_by
        return paragraphs.get(params.get(parameter, ""), self.paragraph)


class Reasons(Mapping[str, Reason]):
    """The reasons of one owner, by their codes, in the order in which they were added."""

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self._rows: dict[str, Reason] = {}

    def add(
        self,
        code: str,
        sentence: Callable[[NullTranslations, Given], str],
        *parameters: str,
        **more: Any,
    ) -> Reason:
        assert code not in self._rows, code
        row = Reason(self.owner, code, sentence, frozenset(parameters), **more)
        self._rows[code] = row
        return row

    def __getitem__(self, code: str) -> Reason:
        return self._rows[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why something may not be done: the reason, and what a sentence about it needs to say."""

    reason: Reason
    params: Mapping[str, Any] = field(default_factory=lambda: NO_PARAMS)

    def __post_init__(self) -> None:
        if not self.params.keys() <= self.reason.parameters:
            raise TypeError(f"{self.reason} has no parameters {sorted(self.params)}")

    def sentence(
        self, t: NullTranslations, names: Sequence[str] = (), listing: Listing = ", ".join
    ) -> str:
        """What the reader is told; `names`: the players' by their index."""
        return self.reason.sentence(t, Given(self.params, names, listing))


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
    """`accepted` and `event`: what is said of it in a language."""
    book: Callable[[Any, str], Any]
    """The rules at hand, in a language and an edition."""
    reasons: Mapping[str, Reason]
    """Why it refuses plays, by code."""
    pages: Callable[[], Any]
    """Its part of the pages: `companion.web.view.games.GamePages`; loaded when first asked for."""
