"""What a page may know of what somebody has opened: a value for each sheet, with its own fields.

A sheet is what opens when somebody taps a face-up card, or a wagon that a drawn card replaces;
`sheets` makes them.
"""

from __future__ import annotations

from companion.games.trains.pages.views import SHEETS, Acting, MarketCard, PutName, Train, Wagon
from companion.games.trains.rules.abilities import Ability
from companion.tables.model import SeatId
from companion.values import Value
from companion.web.view.models import SeatView, ToldEvent
from companion.web.view.sheets import Sheet, Verdict


class Preview(Value, frozen=True):
    """The row as it would be, and what a form sends for it."""

    at: str  # as in a game record
    wagons: tuple[Wagon, ...]
    wins: bool
    unlocks: bool = False  # a protection is lost by it
    told: ToldEvent | None = None  # for who hears rows: what would be told of an ability's use


class RefusedSheet(Sheet, frozen=True, kw_only=True):
    """Why not."""

    template = f"{SHEETS}/refused.html"
    kind = "refused"

    verdict: Verdict
    ability: Ability | None  # that it is about
    back: str  # the sheet to choose another on; empty: there is none


# A face-up card


class UseSheet(Sheet, frozen=True, kw_only=True):
    """Where its ability is used."""

    template = f"{SHEETS}/use.html"
    kind = "use"

    ability: Ability
    place: int  # of the wagon that was tapped, whose rows alone are shown; 0: all
    previews: tuple[Preview, ...]
    reach: tuple[int, ...]  # places whose wagon it can move or protect
    beyond: tuple[Wagon, ...]  # wagons that it cannot reach: tapping says why
    corrects: int  # the card, where its ability can be corrected; else 0
    back: str  # to all rows


class RemoveSheet(Sheet, frozen=True, kw_only=True):
    """Which wagons it removes."""

    template = f"{SHEETS}/remove.html"
    kind = "remove"

    ability: Ability
    goes: tuple[tuple[str, int], ...]  # by name of the player, the wagon
    spared: tuple[str, ...]  # whose wagon there is protected: names
    corrects: int


class ReadSheet(Sheet, frozen=True, kw_only=True):
    """What it does, and why it cannot be used now."""

    template = f"{SHEETS}/read.html"
    kind = "read"

    verdict: Verdict
    ability: Ability
    corrects: int


# A drawn card


class PutSheet(Sheet, frozen=True, kw_only=True):
    """The row with it."""

    template = f"{SHEETS}/put.html"
    kind = "put"

    play: PutName
    card: int
    preview: Preview


class AbilitySheet(Sheet, frozen=True, kw_only=True):
    """What the wagon that it replaces can do, where nobody knows."""

    template = f"{SHEETS}/ability.html"
    kind = "ability"

    play: PutName
    card: int
    preview: Preview
    leaving: int  # the wagon that goes face up


# All of a turn, for a host who reports for somebody else


class ActSheet(Sheet, frozen=True, kw_only=True):
    template = f"{SHEETS}/act.html"
    kind = "act"

    seat: SeatId | None  # that the page is about, of several
    from_screen: bool  # the page was opened there, and leads back
    acting: Acting
    market: tuple[MarketCard, ...]


class DealSheet(Sheet, frozen=True, kw_only=True):
    template = f"{SHEETS}/deal.html"
    kind = "deal"

    number: int  # of the game at this table
    target: SeatView


# What was reported wrongly


class CorrectSheet(Sheet, frozen=True, kw_only=True):
    """The wagons of which something can be corrected."""

    template = f"{SHEETS}/mend.html"
    kind = "mend"

    trains: tuple[tuple[Train, tuple[int, ...]], ...]
    """Rows whose numbers can be, and the wagons that have left each but lie on the table."""
    kept: frozenset[int]
    """Wagons that were brought or told of by plays that are kept: of others nothing can be."""
    told: tuple[int, ...]
    """Wagons whose abilities can be."""


class WagonSheet(Sheet, frozen=True, kw_only=True):
    """What is right of one of them."""

    template = f"{SHEETS}/wagon.html"
    kind = "wagon"

    card: int
    numbers: bool  # its number can be corrected
    abilities: bool  # its ability can be
    ability: Ability | None  # that was told
    back: str


class RenumberedSheet(Sheet, frozen=True, kw_only=True):
    """What a wagon can do whose number is put right, where nobody knows."""

    template = f"{SHEETS}/renumbered.html"
    kind = "ability"

    card: int  # as it was reported
    number: int
    back: str


# The light way


class GapsSheet(Sheet, frozen=True, kw_only=True):
    """Who lost a wagon."""

    template = f"{SHEETS}/gaps.html"
    kind = "gaps"

    seats: tuple[SeatView, ...]


class ClaimSheet(Sheet, frozen=True, kw_only=True):
    """A row that has risen."""

    template = f"{SHEETS}/claim.html"
    kind = "claim"

    seats: tuple[SeatView, ...]  # whose it may be
    target: SeatView | None  # whose it most likely is
