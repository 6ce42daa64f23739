"""What many pages may know: an allow-list of frozen values. What only one of them may know is
beside the function that makes it.

What only one seat may know is never in them before it is public: answers that carry secrets
have views of their own, made only for the seat that asks. Times and devices stay outside; keys are
only in what shows a way in.
"""

from __future__ import annotations

from markupsafe import Markup
from msgspec.structs import force_setattr, replace

from companion.games.game import AnyGame, Reason
from companion.tables.model import SeatId
from companion.tables.reasons import STALE
from companion.values import Value
from companion.web.html.panels import View
from companion.web.view.network import Kind


class SeatView(Value, frozen=True):
    """A seat as everyone at the table may see it."""

    id: SeatId
    name: str
    mine: bool  # this device holds it
    host: bool  # by its name the host's device is called
    looked: bool  # at what was dealt last
    free: bool  # no phone holds it: the host freed it
    awaited: bool = False  # its phone has not followed to this table yet


class Agreed(Value, frozen=True):
    """Which game a table plays, in which way and by which rules."""

    game: str
    edition: str
    editions: int  # to choose from
    way: str
    ways: int  # to choose from


class Doer(Value, frozen=True):
    """Who has done something at the table."""

    name: str  # empty: a host without a seat of its own
    former: bool = False  # who hosts no more


class SeatName(Value, frozen=True):
    id: SeatId
    name: str


class OtherGame(Value, frozen=True):
    """To which the host can go on with those who sit here."""

    name: str
    most: int  # players, where more than that sit here; 0: it can be played


class ToldEvent(Value, frozen=True):
    """Something that has happened, for `told` to put into words. It is made of the game's own
    event, of which it keeps no more than is told."""

    game: AnyGame
    event: object
    names: tuple[str, ...]  # of the players, in the game's order

    def __post_init__(self) -> None:
        force_setattr(self, "event", self.game.public_event(self.event))


class Elsewhere(Value, frozen=True):
    """Another address of the same table, for phones that do not reach the first one."""

    address: str
    kind: Kind
    proved: bool  # a phone has come by it
    qr: Markup


class GuestWifi(Value, frozen=True):
    """The network that guests need first; only for those who may join."""

    name: str
    password: str  # empty: an open network
    qr: Markup


class Reach(Value, frozen=True):
    """How a guest reaches the table."""

    url: str  # the join link, with the key
    address: str  # the same address in letters, without the key: "192.168.1.20:8080"
    code: str  # the short code to type there
    qr: Markup  # SVG of `url`
    wifi: GuestWifi | None
    others: tuple[Elsewhere, ...]


class FairLine(Value, frozen=True):
    """That a deal can be checked: the quiet line."""

    page: str  # address of the explanation
    next: str  # the beginning of the commitment to the next roles, to be read; or nothing


class Frame(Value, frozen=True):
    """What stands around the panels of a table's page."""

    game: str
    way: str
    live: str  # address of this page's stream
    seat: str | None  # name of the one that the page is about
    typing: bool  # something is typed on it
    explains: bool  # the game can be explained there
    again: str  # address to load it from anew, where it answers a form; else its own


class RefusalView(Value, frozen=True):
    """Why something that this phone sent was not done."""

    reason: Reason
    text: str
    rule: str  # anchor of the paragraph that says so; empty: none does
    game: str  # whose rule; empty: it was not sent at a table
    edition: str

    @property
    def calm(self) -> bool:
        """Nothing was wrong: the table has changed while it was sent."""
        return self.reason is STALE


class Typed(Value, frozen=True):
    """What a refused form had, so that nothing need be typed twice."""

    fields: tuple[tuple[str, str], ...]

    def get(self, name: str) -> str:
        return next((value for field, value in self.fields if field == name), "")

    def all(self, name: str) -> tuple[str, ...]:
        return tuple(value for field, value in self.fields if field == name)


NOTHING_TYPED = Typed(())


class Kit(Value, frozen=True):
    """What a page of a table needs beside its words."""

    symbols: tuple[str, ...]  # files of drawings
    styles: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    sheet: bool = False  # something opens over the page

    def with_looks_of(self, kit: Kit) -> Kit:
        """With another's drawings and styles, and its own scripts alone."""
        return replace(
            self,
            symbols=tuple(dict.fromkeys((*self.symbols, *kit.symbols))),
            styles=tuple(dict.fromkeys((*self.styles, *kit.styles))),
        )


EXPLANATION = Kit(("core", "tools", "steps"), ("explain.css",))
"""Of a page that has steps of an explanation, whatever the game."""


class Drawing(Value, frozen=True):
    """What lay on the table at the end, in units of its own: for the picture of a result."""

    view: View  # its template is a piece of SVG
    left: int
    top: int
    width: int
    height: int
    named: bool = False  # everybody's name stands in it


class SeatOfferView(Value, frozen=True):
    """A seat on its way to another phone, shown on the old one (page "seat")."""

    url: str
    address: str
    code: str  # eight letters, typed where table codes are typed
    qr: Markup
    minutes: int  # it is good for


class ErrorView(View, frozen=True):
    """A page for what could not be done."""

    template = "panels/error.html"

    here: str
    status: int
    reason: str  # a stable code
    text: str  # what happened and what to do, in the reader's language
    back: str  # where to go on
    home: str  # address
    again_s: int = 0  # after so many seconds the page asks once more by itself; 0: it does not
