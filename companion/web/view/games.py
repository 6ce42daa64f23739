"""What the pages ask of a game; nothing outside a game's own package here knows its name.

A game's manifest loads its `Pages`. Its templates lie under `games/<name>/`: `layouts/`, one for a
page in a phase, `panels/`, what stands in them, `sheets/`, what opens over them, `secrets/`, what
one player alone may see, `pictures/`, of its results, and `figures/`, among its rules. If it has a
`silent.html`, that stands below the differences of its editions: what the referee decides alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from gettext import NullTranslations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, cast

from companion.games.fields import Fields, PlayerIndex, number_or_text
from companion.tables.model import Phase
from companion.values import Value
from companion.web.html.panels import View
from companion.web.view.models import Drawing, Kit
from companion.web.view.plots import Address, Story
from companion.web.view.scenes import Scene, in_words

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.datastructures import MultiDict

    from companion.games.book import Difference
    from companion.games.explanation import Step
    from companion.games.game import AnyGame, Label, Listing, Way
    from companion.tables.model import Result, Seat, Table
    from companion.web.html.panels import Page, Panel
    from companion.web.view.asking import PageName
    from companion.web.view.me import Me
    from companion.web.view.moments import Moment
    from companion.web.view.recorded_game import RecordedGame


EVERY_FORM = ("seat", "version", "next", "page", "key")
"""What a form about a play has beside the play: whose it is, and where it comes from. What else
is called so does not reach the game; a record's `seat` is a form's `target`."""


EndedBy = Literal["play", "report", "end"]
"""How the last play came: it was one of the game, somebody's word on how a round had ended, or the
host's that the game ends now."""


class UnknownSheetError(ValueError):
    """An address that no link of ours has."""


class Secret(Value, frozen=True, kw_only=True):
    """What only the player of a seat may see: fetched by the seat's own phone, while it asks, as by
    what is held in `templates/macros/hold.html`."""

    title: Label
    kit: Kit
    views: Callable[[Table, Seat], tuple[View, ...]]
    """What this seat is shown, and then all that it could be as far as anybody may know: the answer
    is as long as the longest of these. Empty where there is nothing to see now."""
    dealt: bool = False
    """What was dealt last: the round begins when everybody has looked."""
    slack: int = 0
    """Bytes by which what is shown may be longer than these."""


class FaceView(View, frozen=True):
    """A player's face in the light of a lamp, two hundred units wide and high about its middle."""

    template = "pictures/face.svg"

    face: str


class Pages(ABC):
    """A game's part of the pages; what a game has nothing to say of stays as it is here. `shown` is
    the game's view for nobody in particular."""

    title: str
    """The product's name: never translated."""

    face: str
    """The drawing that marks a player, in a file of the same name."""

    quarters: int = 0
    """Quarter turns to the left in which a phone shows the table until its player turns it."""

    secrets: Mapping[str, Secret] = MappingProxyType({})
    """By the last part of their addresses."""

    def whole_title(self, t: NullTranslations) -> str:
        """The name, and after it what the game is called in a language, if that is always said."""
        return self.title

    def edition(self, locale: str) -> str | None:
        """The edition that is chosen at first for a reader of this language; None: the game's
        first."""
        return None

    def round(self, shown: Any) -> int:
        """Of several, from 1; 0 in a game without rounds."""
        return 0

    @abstractmethod
    def page(self, name: PageName, moment: Moment, me: Me) -> Page:
        """The page "table" or "screen" of a game that has begun."""

    def report(self, moment: Moment, me: Me) -> Page | None:
        """The page on which somebody tells how a round ended, in the lobby too; None where nobody
        does."""
        return None

    def turn(self, state: Any, way: Way) -> PlayerIndex | None:
        """Whose turn it is while the game or a round of it goes on; None where nobody knows."""
        return None

    def waiting_end(self, moment: Moment, me: Me) -> Panel | None:
        """The panel "told" while an end waits, of a game that has `ends_wait`: who has told it,
        what stops or confirms it, and how long that can be done."""
        return None

    def scenes(self, recorded: RecordedGame) -> Iterator[Scene]:
        """A game watched again: a scene after each of its plays, of which its record tells."""
        return in_words(recorded)

    def drawn(self, step: Step, name: str) -> tuple[View, tuple[View | None, ...]]:
        """The drawing of a step of the game's explanation, and those of its choices, which stand in
        it or below. The input of the first choice has the id "<name>-1". Asked of games that have
        an explanation."""
        raise NotImplementedError

    def has_plays(self, state: Any) -> bool:
        """Whether there is anything to watch in a game that ended in this state of its own."""
        return True

    def ended_by(self, table: Table) -> EndedBy:
        """How the last play came."""
        return "play"

    def goes_with_end(self, t: NullTranslations, by: EndedBy) -> str:
        """What taking back the end of a round or game takes back with it; `by`: how it came."""
        if by != "end":
            return ""
        return t.gettext("The end of the game is taken back, and the game goes on where it was.")

    def new_order_hint(self, t: NullTranslations) -> str:
        """What a new order of the players, in the middle of a game, does to what they have gained
        by their places."""
        return ""

    def look_words(self, t: NullTranslations) -> tuple[str, str]:
        """To whom the others wait for, until what was dealt in secret has been looked at: a
        sentence, and a button."""
        return (
            t.gettext("The others are waiting until you have looked at your card."),
            t.pgettext("btn", "Look at your card"),
        )

    coin: str = ""
    """The drawing beside points; empty in a game without them."""

    role_symbols: Mapping[str, str] = MappingProxyType({})
    """The drawing for each of the game's roles."""

    def picture(self, state: Any, names: Sequence[str], *, tall: bool) -> Drawing:
        """What stands in the picture of a result: of a state in which the game is over."""
        return Drawing(FaceView(self.face), -100, -100, 200, 200)

    story: Callable[[RecordedGame, NullTranslations, Address, Callable[[], None]], Story] | None = (
        None
    )
    """What could be counted in a game, by its states after each play, with rests (`pacing`); None:
    nothing is."""

    def setup(self, t: NullTranslations, players: int) -> tuple[str, ...]:
        """What so many players must know before they start, the most asked for first."""
        return ()

    def kit(self, page: str, *, follows: bool = False) -> Kit:
        """`follows`: every play is reported (see `Way`)."""
        return Kit(("core", "tools", self.face))

    def fields(self, form: MultiDict[str, str]) -> Fields:
        """A play's fields as in a game record, seats by id; `MisfitError` where none of our
        forms sends such a thing (see `http.fields`)."""
        return {
            name: number_or_text(value) for name, value in form.items() if name not in EVERY_FORM
        }

    def sheet(self, table: Table, me: Me, asked: Mapping[str, str]) -> View | None:
        """What somebody has opened; None where nothing can be opened now, `UnknownSheetError`
        where no link of ours asks so."""
        return None

    def differences(self, t: NullTranslations) -> tuple[Difference, ...]:
        """What the editions of its rules differ in."""
        return ()

    def figures(self, t: NullTranslations, listing: Listing) -> Mapping[str, Any]:
        """What the drawings among the game's rules need."""
        return {}

    def install(self, app: Flask) -> None:  # noqa: B027 - most games have none
        """Filters and templates of its own."""


def pages_of(game: AnyGame) -> Pages:
    return cast(Pages, game.pages())


def can_be_watched(game: AnyGame, result: Result) -> bool:
    """Whether a game that is over has plays that were reported."""
    return game.ways[result.way].recorded and pages_of(game).has_plays(result.game_state)


def has_record(table: Table, result: Result) -> bool:
    """Whether a game that is over can be saved as a record."""
    return table.game.ways[result.way].recorded


def last_has_record(table: Table) -> bool:
    """Whether the game that is over, if one is, can be saved."""
    over = table.phase == Phase.OVER and bool(table.results)
    return over and has_record(table, table.results[-1])


def edition_for(game: AnyGame, locale: str) -> str:
    """The edition that a reader of this language is offered."""
    return pages_of(game).edition(locale) or next(iter(game.editions))


def edition_and_way(
    game: AnyGame, table: Table | None, locale: str, edition: str, way: str = ""
) -> tuple[str, str]:
    """Those that are asked for; else those of the table that the reader came from, where it has
    this game; else those that the reader is offered."""
    if table is not None and table.game is game:
        usual = table.edition, table.way
    else:
        usual = edition_for(game, locale), next(iter(game.ways))
    return (
        edition if edition in game.editions else usual[0],
        way if way in game.ways else usual[1],
    )
