"""What the pages ask of a game; nothing outside a game's own package here knows its name.

A game's manifest loads its `Pages`. Its templates lie under `games/<name>/`: `layouts/`, one for a
page in a phase, and `panels/`, what stands in them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from gettext import NullTranslations
from typing import TYPE_CHECKING, Any, Protocol, cast

from companion.web.view.models import NOTHING_TYPED, SeatName, Typed

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.datastructures import MultiDict

    from companion.games.book import Difference
    from companion.games.game import Game, Listing
    from companion.tables.model import Device, Table
    from companion.web.view.models import FairLine, Offer, Reach, RefusalView
    from companion.web.view.moments import Moment
    from companion.web.view.panels import Page, View


class UnknownSheetError(ValueError):
    """An address that no link of ours has."""


@dataclass(frozen=True, slots=True)
class Kit:
    """What a page of a table needs beside its words."""

    symbols: tuple[str, ...]  # files of drawings
    styles: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    sheet: bool = False  # something opens over the page


@dataclass(frozen=True, slots=True)
class Me:
    """The phone that a page is for, and what is on this page alone."""

    table: Table
    device: Device | None  # None: a table screen that came by the join link
    held: tuple[SeatName, ...]  # the seats on this phone
    seat: int | None  # id of the one that the page is about, where the phone has chosen
    path: str  # of the page
    turn: int  # quarter turns of its view
    reach: Reach
    fair: FairLine | None
    refusal: RefusalView | None = None
    typed: Typed = NOTHING_TYPED
    offer: Offer | None = None
    sheet: View | None = None  # the game's own: opened over the page

    @property
    def hosts(self) -> bool:
        return self.device is not None and self.device == self.table.host

    @property
    def several(self) -> bool:
        return len(self.held) > 1

    @property
    def chosen(self) -> SeatName | None:
        """The seat that the page is about: of several the one that was chosen."""
        held = self.held
        only = held[0] if len(held) == 1 else None
        return next((seat for seat in held if seat.id == self.seat), only)


class Pages(Protocol):
    """`shown` is the game's view for nobody in particular; None in the lobby."""

    title: str
    """The product's name: never translated."""

    face: str
    """The drawing that marks a player, in a file of the same name."""

    def whole_title(self, t: NullTranslations) -> str:
        """The name, and after it what the game is called in a language, if that is always said."""

    def edition(self, locale: str) -> str:
        """The edition that is chosen at first for a reader of this language."""

    def phase(self, table: Table, shown: Any) -> str:
        """ "looking", "playing", "settled" or "over"; the game has begun."""

    def round(self, shown: Any) -> int:
        """Of several, from 1; 0 in a game without rounds."""

    def page(self, name: str, moment: Moment, me: Me) -> Page:
        """The page "seat" or "screen" of a game that has begun."""

    def report(self, moment: Moment, me: Me) -> Page | None:
        """The page on which somebody tells how a round ended, in the lobby too; None where nobody
        does."""

    def kit(self, page: str, way: str) -> Kit: ...

    def fields(self, form: MultiDict[str, str]) -> dict[str, Any]:
        """A play's fields as in a game record, seats by id; `forms.MisfitError` where none of our
        forms sends such a thing."""

    def sheet(self, me: Me, asked: Mapping[str, str]) -> View | None:
        """What somebody has opened; None where nothing can be opened now, `UnknownSheetError`
        where no link of ours asks so."""

    def differences(self, t: NullTranslations) -> tuple[Difference, ...]:
        """What the editions of its rules differ in."""

    def figures(self, t: NullTranslations, listing: Listing) -> Mapping[str, Any]:
        """What the drawings among the game's rules need."""

    def install(self, app: Flask) -> None:
        """Addresses and filters of its own."""


def pages_of(game: Game) -> Pages:
    return cast(Pages, game.pages())
