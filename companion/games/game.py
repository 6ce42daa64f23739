"""What a game is to the rest of the program: one manifest, reasons and rejections, chance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from gettext import NullTranslations
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar

from msgspec import field

from companion.games.book import Section
from companion.games.explanation import Step
from companion.games.fields import Fields, FindsPlayer, Malformed, PlayerIndex, RecordStart, State
from companion.values import Value

Play = TypeVar("Play")
Event = TypeVar("Event")
Told = TypeVar("Told", contravariant=True)

NO_PARAMS: Mapping[str, Any] = MappingProxyType({})
NO_PARAGRAPHS: tuple[str, Mapping[str, str]] = ("", MappingProxyType({}))

Listing = Callable[[Iterable[str]], str]
"""Joins names as the reader's language does."""


class Given(Value, frozen=True):
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


class Reason(Value, frozen=True):
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
    paragraph_by: tuple[str, Mapping[str, str]] = NO_PARAGRAPHS
    """A parameter, and by its value a paragraph that fits better."""

    def __hash__(self) -> int:
        return hash((self.owner, self.code))  # what belongs to it is no key

    def __str__(self) -> str:
        return f"{self.owner}/{self.code}"

    __repr__ = __str__

    def paragraph_for(self, params: Mapping[str, Any]) -> str | None:
        parameter, paragraphs = self.paragraph_by
        return paragraphs.get(params.get(parameter, ""), self.paragraph)


def counted(
    parameter: str, text: Callable[[NullTranslations, int], str]
) -> Callable[[NullTranslations, Given], str]:
    """The sentence of a reason that says a number: `num`, the parameter of this name."""

    def sentence(t: NullTranslations, given: Given) -> str:
        num = given.params[parameter]
        return text(t, num) % {"num": num}

    return sentence


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
        recorded: tuple[str, ...] = (),
        status: int = 409,
        paragraph: str | None = None,
        paragraph_by: tuple[str, Mapping[str, str]] = NO_PARAGRAPHS,
    ) -> Reason:
        assert code not in self._rows, code
        row = Reason(
            self.owner,
            code,
            sentence,
            frozenset(parameters),
            recorded,
            status,
            paragraph,
            paragraph_by,
        )
        self._rows[code] = row
        return row

    def __getitem__(self, code: str) -> Reason:
        return self._rows[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


class Rejection(Value, frozen=True):
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

    @property
    def paragraph(self) -> str:
        """Anchor of the paragraph in the game's rules that it rests on; empty: there is none."""
        return self.reason.paragraph_for(self.params) or ""


Label = Callable[[NullTranslations], str]
"""What something is called, in the reader's language."""


class Way(Value, frozen=True, kw_only=True):
    """A way of playing with the program."""

    plays: frozenset[str]
    """Those that can be reported."""
    host_plays: frozenset[str] = frozenset()
    """Further ones, that only the host can report."""
    host_fields: frozenset[str] = frozenset()
    """Of plays: what only the host may say."""
    read: Callable[[Fields, FindsPlayer], Any | Malformed] | None = None
    """Of plays that no record has; None: the game's own reader."""
    follows: bool = False
    """Every play is reported: the last one may be taken back by whoever made it."""
    name: Label = lambda t: ""
    """Shown where there is another way."""
    hint: Label = lambda t: ""
    """What it is, in a sentence."""

    @property
    def recorded(self) -> bool:
        """A game that is played so has a record."""
        return self.read is None


Known = Mapping[str, str]
"""What is printed on cards: by card, what a player need not be asked again."""


class Memory(Value, Generic[State], frozen=True, kw_only=True):
    """Of a game whose players say what is printed on its cards, which never changes."""

    learned: Callable[[State], Known]
    """What players have told in this game, by card, minus what its state was `given`."""
    known: Callable[[State], Known]
    """All that a state knows."""
    given: Callable[[State, Known], State]
    """A state before the first deal that knows what was told in other games."""
    read: Callable[[str], Known | None]
    """Of a saved file; None where it is none of ours."""
    written: Callable[[Known], str]


class Score(Value, frozen=True):
    """What a player had of a round; in a game without rounds, of all of it."""

    round: int
    """From 1; 0 in a game without rounds."""
    player: PlayerIndex
    won: bool
    role: str = ""
    """One of the game's roles; empty where it has none."""
    points: int = 0


class Outcome(Value, frozen=True):
    """A game that is over, as what is shown and counted afterwards."""

    starter: PlayerIndex
    winners: tuple[PlayerIndex, ...]
    """Several where they share the first place; none where nobody has won."""
    scores: tuple[Score, ...]
    """By round and player."""
    counts: bool = True
    """Among the games of an evening; not where it was cut short before anything could be won."""

    def points(self, player: PlayerIndex) -> int:
        return sum(score.points for score in self.scores if score.player == player)

    def place(self, player: PlayerIndex) -> int:
        """From 1; equals share a place, and without points all but the winners do."""
        own = (player in self.winners, self.points(player))
        others = {score.player for score in self.scores}
        return 1 + sum((each in self.winners, self.points(each)) > own for each in others)


Corrector = Callable[
    [State, Sequence[tuple[Event, ...]], Fields, FindsPlayer],
    Sequence[Play] | Rejection | Malformed,
]


class Chance(Protocol):
    """The only door through which chance comes in; `random.Random` is one."""

    def shuffle(self, x: list[Any], /) -> None: ...


class Texts(Protocol[Told]):
    """What is said of a game in a language; its module `texts`."""

    def event(
        self, t: NullTranslations, happened: Told, names: Sequence[str], listing: Listing
    ) -> str:
        """What has happened; `names` by the players' indexes, ready for where the text goes."""

    def accepted(
        self, t: NullTranslations, verdict: Mapping[str, Any], listing: Listing
    ) -> list[str]:
        """What the verdict on an accepted line of a record says, as sentences."""


class Game(Value, Generic[State, Play, Event], frozen=True, eq=False, kw_only=True):
    """The manifest of a game: all that the rest of the program knows of it.

    States, plays and events are the game's own. A state is never changed in place, a play has the
    index of whoever makes it in `by`, and events may be stored for years. The plays are those that
    a record can have; `decide` also takes what a way reads besides.
    """

    name: str
    seat_counts: range
    editions: Mapping[str, Label]
    """Of its rules: by the name that records have, what people call it."""
    rounds: int = 1
    ways: Mapping[str, Way]
    """By the name that is stored; the first is the one that is offered first."""
    host_plays: frozenset[str] = frozenset()
    """Plays that the host has in every way: a table may stop reporting in a round."""
    order_free: frozenset[str] = frozenset()
    """Plays that are never stale, whatever was played since: `decide` alone judges them."""

    # The rules: "may I", "why not" and "do it" is one `decide`; the past is folded by `evolve`.
    new: Callable[[int, PlayerIndex, str, Chance], State]
    """`new(player_count, starter_index, edition, chance)`: the state before the first deal."""
    decide: Callable[[State, Play], tuple[Event, ...] | Rejection]
    evolve: Callable[[State, Event], State]
    view: Callable[[State, PlayerIndex | None], Any]
    """What a player may know; None: what anybody may."""
    deal: Callable[[State, Chance], Play] | None = None
    """The play that deals the next round, where the program deals and players look."""
    ends_wait: bool = False
    """An end that turns secrets over waits for some seconds, and can be stopped; the game's pages
    say so by `waiting_end`."""
    correct: Corrector[State, Event, Play] | None = None
    """Of the present state, the events of each play since the deal, and what was reported wrongly:
    the plays as they should have been reported. Whether they are legal is for `decide`."""
    drawn_once: Label = lambda t: t.gettext("For the whole game")
    """What is drawn for the whole game, before its first deal; of games that deal."""
    memory: Memory[State] | None = None
    redraw: Callable[[State, State, Chance], tuple[State, State]] | None = None
    """From the beginning and a present state: both with the undrawn part reshuffled, where an end
    is taken back after all lay open."""
    reseat: Callable[[State, tuple[PlayerIndex, ...]], tuple[Event, ...] | Rejection] | None = None
    """The events by which the players of a game that is on, by their indexes clockwise, sit in
    another order. None where they stay in that of the beginning."""
    finish: Callable[[State], tuple[Event, ...]] | None = None
    """The events by which a game that is on ends before its time; no play in its record says so.
    None where it cannot."""
    is_over: Callable[[State], bool]
    outcome: Callable[[State], Outcome]
    """Of a state in which it is over."""
    roles: Mapping[str, Label] = field(default_factory=dict)
    """That players have in a round."""
    points: Label | None = None
    """What they gain; None: the game has winners only."""
    board_game_geek: int | None = None
    """Its number there; None: it is known by its title alone."""
    gains_when_broken_off: bool = False
    """What was gained counts also in a game that ends before its time."""
    starter_by_lot: bool = False
    """Whoever starts can be drawn by lot."""
    is_between_rounds: Callable[[State], bool]
    next_starter: Callable[[State], PlayerIndex]
    """Of another game with the same people: a player's index."""
    events: Mapping[str, type[Event]]
    """By the names of their classes, under which they are stored."""
    reasons: Mapping[str, Reason]
    """Why it refuses plays, by code."""

    # The fields of records, and of forms.
    read_header: Callable[[Fields], RecordStart[State] | Malformed]
    header_fields: Callable[[State, Sequence[str]], Fields]
    read_play: Callable[[Fields, FindsPlayer], Play | Malformed]
    """One reader for all that comes from outside; "play" and "by" are checked first."""
    play_fields: Callable[[Play, Sequence[str]], Fields]
    plays_of: Callable[[Iterable[Event]], Iterable[Play]]
    """The plays that led to these events."""
    accepted: Callable[[Sequence[str], State, Sequence[Event]], Fields]
    """What a verdict says beside "ok": of the names, the state after a play, and its events."""
    draw: Callable[[State, Sequence[str]], str]
    """A state and the players' names as text."""

    # Words and pages.
    texts: Texts[Event]
    public_event: Callable[[Event], object] = lambda event: event
    """What `texts` need of an event for its sentence, and nothing that is secret: all that pages
    have of it."""
    book: Callable[[NullTranslations, str], tuple[Section, ...]]
    """The rules at hand, in a language and an edition."""
    explanation: Callable[[str, Way], tuple[Step, ...]] | None = None
    """The rules in a few steps, by an edition's name and a way of playing."""
    pages: Callable[[], Any]
    """Its part of the pages: `companion.web.view.games.Pages`; loaded when first asked for."""

    def __repr__(self) -> str:
        return f"Game({self.name})"

    @property
    def deals_secrets(self) -> bool:
        """Roles or cards are dealt by the program, and looked at."""
        return self.deal is not None

    def steps(self, edition: str, way: str) -> tuple[Step, ...]:
        """Of its explanation; none where it has none."""
        return self.explanation(edition, self.ways[way]) if self.explanation else ()

    def fold(self, state: State, events: Iterable[Event]) -> State:
        for event in events:
            state = self.evolve(state, event)
        return state

    def dealt(self, state: State, chance: Chance) -> tuple[Event, ...]:
        """The events of the next deal. No round is on, and the program deals."""
        assert self.deal is not None
        events = self.decide(state, self.deal(state, chance))
        assert not isinstance(events, Rejection), events
        return events


AnyGame = Game[Any, Any, Any]
"""To those who know none of its rules."""
