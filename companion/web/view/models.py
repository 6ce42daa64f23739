"""What pages may know: an allow-list of frozen values.

What only one seat may know is never in them before it is public: answers that carry secrets
have views of their own, made only for the seat that asks. Times, keys and devices stay outside.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup
from msgspec.structs import replace

from companion.games.book import Section
from companion.games.game import Game
from companion.tables.model import SeatId
from companion.values import Value
from companion.web.view.network import Kind
from companion.web.view.panels import View


class SeatView(Value, frozen=True):
    """A seat as everyone at the table may see it."""

    id: SeatId
    name: str
    mine: bool  # this device holds it
    host: bool  # the first one that the host's device holds
    looked: bool  # at what was dealt last
    free: bool  # no phone holds it: the host freed it


class SeatName(Value, frozen=True):
    id: SeatId
    name: str


class Told(Value, frozen=True):
    """Something that has happened, for `told` to put into words."""

    game: Game
    event: Any  # the game's own
    names: tuple[str, ...]  # of the players, in the game's order


class Elsewhere(Value, frozen=True):
    """Another address of the same table, for phones that do not reach the first one."""

    address: str
    kind: Kind
    proved: bool  # a phone has come by it
    qr: Markup


class Reach(Value, frozen=True):
    """How a guest reaches the table."""

    url: str  # the join link, with the key
    address: str  # the same address in letters, without the key: "192.168.1.20:8080"
    code: str  # the short code to type there, six letters
    qr: Markup  # SVG of `url`
    wifi: str | None  # the network's name
    wifi_password: str | None  # only for those who may join; None: an open network
    wifi_qr: Markup | None
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


class RefusalView(Value, frozen=True):
    """Why something that this phone sent was not done."""

    reason: str  # a stable code
    text: str
    rule: str = ""  # anchor of the paragraph that says so
    game: str = ""  # whose rule
    edition: str = ""


class OpenReplayView(View, frozen=True):
    """A record that somebody has, to be watched."""

    template = "panels/replay_open.html"

    here: str
    bytes_max: int  # a larger file is refused
    refusal: RefusalView | None
    verdict: str  # on the first line of a file in which there is no game


class Typed(Value, frozen=True):
    """What a refused form had, so that nothing need be typed twice."""

    fields: tuple[tuple[str, str], ...]

    def get(self, name: str) -> str:
        return next((value for field, value in self.fields if field == name), "")

    def all(self, name: str) -> tuple[str, ...]:
        return tuple(value for field, value in self.fields if field == name)


NOTHING_TYPED = Typed(())


class Number(Value, frozen=True):
    """What a player's phone added to a deal."""

    name: str
    seal: str | None  # None: none
    share: str | None  # None: none, or to be kept
    late: bool  # sealed, but not opened in time


class DealView(Value, frozen=True):
    """One deal on the page that explains it; secrets are in it only when they are over."""

    game: str
    place: str  # "game.round"; round 0 is what is drawn once a game
    round: int
    commitment: str
    dealt: bool
    secret: str  # empty while it is to be kept
    sealed: bool  # the list of seals is fixed
    numbers: tuple[Number, ...]  # of each player; empty before the list of seals is fixed
    provable: bool  # false: dealt by a program that could not prove it, or drawn anew
    redrawn: bool
    nameless: bool  # it was drawn with a name that was taken out


class FairView(View, frozen=True):
    """How a deal is made so that nobody can have chosen it, and all that belongs to it."""

    template = "panels/fair.html"

    here: str
    back: str
    deals: tuple[DealView, ...]  # of the game on the table, or of the coming one
    coming: tuple[DealView, ...]  # of another game, when this one is over
    record: str  # address of the saved record; empty before the game is over
    file: str  # the name under which it is saved
    table: str  # by which a phone remembers what it has added


class TableLink(Value, frozen=True):
    """The way back to a table this device is at."""

    id: str
    game: str
    names: tuple[str, ...]
    phase: str
    hosted: bool


class GameChoice(Value, frozen=True):
    """A game that can be opened, and what there is to choose for it."""

    game: str
    low: int  # players
    high: int
    edition: str  # preset by the reader's language
    editions: tuple[str, ...]
    way: str
    ways: tuple[str, ...]
    explained: bool  # it can be gone through step by step


class HomeView(View, frozen=True):
    """Open a table, join one by its code, or go back to one."""

    template = "panels/home.html"

    here: str
    game: str  # chosen at first: the one last played on this device
    games: tuple[GameChoice, ...]
    language: str
    screen: bool  # what opens is the table screen: this is the laptop
    tables: tuple[TableLink, ...]  # newest first
    request: str  # tells this form from the next one
    refusal: RefusalView | None
    code: str  # that was typed and led nowhere
    done: str  # what led here: a table was "left" or "closed"; or nothing


class StandingView(View, frozen=True):
    """A café's table where nobody plays: whoever has scanned its code can open an evening."""

    template = "panels/standing.html"

    here: str
    number: int
    game: str  # chosen at first
    games: tuple[GameChoice, ...]
    request: str  # tells this form from the next one
    refusal: RefusalView | None


class RulesView(View, frozen=True):
    """The rules of a game in one of its editions, to read and to search."""

    template = "panels/rules.html"

    here: str
    game: str
    games: tuple[str, ...]  # that have rules
    edition: str
    editions: tuple[str, ...]
    sections: tuple[Section, ...]
    query: str
    found: frozenset[str] | None  # anchors of the paragraphs that match; None: nothing is asked
    wanted: tuple[str, ...]  # the words of the query, to be marked
    figures: Mapping[str, Any]  # what the game's drawings need
    explained: bool  # it can be gone through step by step
    back: str  # the page to go back to


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
    wide: int
    high: int
    named: bool = False  # everybody's name stands in it


class FaceView(View, frozen=True):
    """A player's face in the light of a lamp, two hundred units wide and high about its middle."""

    template = "pictures/face.svg"

    face: str


class SecretPage(View, frozen=True):
    """A secret that a seat's own phone has asked for, where no script shows it."""

    template = "panels/secret.html"

    here: str
    name: str  # of the seat
    title: str
    kit: Kit
    shown: Markup
    back: str  # where the page goes after five seconds


class LanguageView(View, frozen=True):
    """The languages to choose from."""

    template = "panels/language.html"

    here: str


class PrivacyView(View, frozen=True):
    """What is kept of whoever plays, and how it is deleted."""

    template = "panels/privacy.html"

    here: str
    back: str
    operator: str  # empty: whoever opened the table
    contact: str
    contact_link: str  # empty where it is none
    unused_days: int


class JoinView(View, frozen=True):
    """What a guest sees after scanning."""

    template = "panels/join.html"

    here: str
    key: str  # of the join link: forms post to /j/<key>
    table: str
    game: str
    edition: str
    seats: tuple[SeatView, ...]
    free: tuple[SeatView, ...]  # may be claimed, in a game too
    min_seats: int
    secrets: bool  # whoever takes a seat sees what only its player may
    name: str  # remembered on this phone, or what was typed and refused
    full: bool
    under_way: bool  # a game is on: who sits down plays from the next one on
    lost: bool  # the name is taken there: most likely by whoever types it again
    address: str  # to be typed in another browser
    code: str
    in_app: bool  # the browser is part of another app, and may forget the phone
    no_cookies: bool  # it has not kept ours
    request: str  # tells these forms from those of another version of the table
    refusal: RefusalView | None


class MoveView(View, frozen=True):
    """The new phone's page for a seat offered by its old one: /m/<key>."""

    template = "panels/move.html"

    here: str
    key: str
    seat: SeatView
    request: str  # tells this form from the next one


class Offer(Value, frozen=True):
    """A seat on its way to another phone, shown on the old one (page myseat)."""

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
    again_s: int = 0  # after so many seconds the page asks once more by itself; 0: it does not
