"""Panels that the pages of all games share.

What is made from the table alone is alike for everybody; what is made for a `Me` is that phone's.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import ClassVar, Final

from companion.tables.ending import may_stop
from companion.tables.model import Phase, Seat, SeatId, Table
from companion.values import Value
from companion.web.html.cache import PLAYERS, TABLE
from companion.web.html.panels import Panel, View
from companion.web.http.fields import digits
from companion.web.view import presenter
from companion.web.view.asking import home
from companion.web.view.games import pages_of
from companion.web.view.me import Me
from companion.web.view.models import FairLine, RefusalView, SeatName
from companion.web.view.moments import Moment

SNUG_LETTERS: Final = 16
"""Letters of the longest name beyond which there is less room for all else on a table screen."""


class Heading(Value, frozen=True, cache_hash=True):
    """What game a table plays, as the head of its pages says it."""

    game: str
    edition: str
    round: int
    rounds: int


class BarView(View, frozen=True):
    """The head of a phone's page: the round, or else the table's code; and the seat that it is
    about."""

    template = "panels/bar.html"

    heading: Heading
    code: str  # empty: the round is shown
    seat: SeatName | None
    here: str
    home: str  # address


class ScreenBarView(View, frozen=True):
    """The head of a table screen."""

    template = "panels/screen_bar.html"

    heading: Heading
    code: str
    host_page: str  # address; empty: this device does not host
    here: str
    home: str  # address
    own: str  # address of this phone's own page, where its player only watches; else empty


class Wanted(StrEnum):
    """What a table waits for, of this phone's players."""

    NOTHING = ""
    END = "end"
    """An answer: the end of a round was told."""
    GAME_END = "game_end"
    """The same: the host is ending the game."""
    LOOK = "look"
    """A look at what was dealt."""
    TURN = "turn"


class WaitsView(View, frozen=True):
    """That the table waits for this phone's players."""

    template = "panels/waits.html"

    game: str
    waits: Wanted
    turn: str  # whose it is, on a phone of several players


class NoEndView(View, frozen=True):
    """No end waits for an answer."""

    template = "panels/no_end.html"
    worded: ClassVar[bool] = False


NO_END_WAITS = Panel("told", NoEndView())


class RefusedView(View, frozen=True):
    """Why what this phone has just sent was not done."""

    template = "panels/refused.html"

    here: str
    refusal: RefusalView | None


class CorrectionRefusedView(View, frozen=True):
    """Why something was not corrected, and the way back to its sheet; a game says which that is."""

    here: str
    refusal: RefusalView


class LinksView(View, frozen=True):
    """Everything else that can be done at the table, quietly at the end of the page."""

    template = "panels/links.html"

    here: str
    one: bool  # this phone has one seat
    several: tuple[SeatName, ...]  # that this phone has, where it has more
    host_page: str  # address; empty: this device does not host
    qr: bool  # the page has no larger link to the code
    record: str  # address of the game's; empty: it cannot be saved
    room: bool  # for one more seat on a phone that has one
    fair: FairLine | None


class SetupView(View, frozen=True):
    """What so many players lay out and deal."""

    template = "panels/setup.html"

    game: str
    count: int
    first: int = 0  # line; those before it stand elsewhere on the page


class FairLineView(View, frozen=True):
    """On the table screen: that the deal can be checked."""

    template = "panels/fair_line.html"

    fair: FairLine | None


def back(me: Me) -> str:
    """From a page beside the table to the one from which it was opened."""
    return f"/t/{TABLE}{'/screen' if me.from_screen else ''}"


def heading_of(table: Table) -> Heading:
    return Heading(table.game.name, table.edition, presenter.round_of(table), table.game.rounds)


def bar(table: Table, me: Me, seat: SeatName | None) -> Panel:
    return bar_of(heading_of(table), me, marked(table, seat))


def bar_of(heading: Heading, me: Me, seat: SeatName | None) -> Panel:
    """`seat`: see `marked`."""
    code = "" if heading.round else me.reach.code
    return Panel("bar", BarView(heading, code, seat, me.path, home(me.from_screen)))


def marked(table: Table, seat: SeatName | None) -> SeatName | None:
    """A player's seat with a mark for its name: all tables share what is drawn of it."""
    for player, mark in zip(table.players, PLAYERS, strict=False):
        if seat is not None and (seat.id, seat.name) == (player.id, player.name):
            return SeatName(seat.id, mark)
    return seat


def screen_bar(table: Table, me: Me) -> Panel:
    goes_on = me.device is not None and not me.seats  # a laptop does so as a screen
    view = ScreenBarView(
        heading_of(table),
        me.reach.code,
        me.host_page(),
        me.path,
        home(goes_on),
        own=me.folder if me.seats and not me.hosts else "",
    )
    return Panel("bar", view)


def is_snug(names: Sequence[str]) -> bool:
    """Whether some name is so long that all else on a table screen has less room."""
    return max(map(len, names), default=0) > SNUG_LETTERS


def refused(me: Me) -> Panel:
    return Panel("refusal-box", RefusedView(me.path, me.refusal))


def refused_number(table: Table, me: Me, field: str) -> int | None:
    """The number in a field of a form that was refused while a game is on; None: it has none."""
    if me.refusal is None or not table.playing:
        return None
    return digits(me.typed.get(field))


def beside(moment: Moment, me: Me) -> tuple[Panel, ...]:
    """With what every page beside the table begins."""
    return (bar(moment.table, me, None), refused(me), waiting_end(moment, me), _waits(moment, me))


def waiting_end(moment: Moment, me: Me) -> Panel:
    """For pages beside the table: an end that waits, where this phone may answer."""
    table = moment.table
    answers = me.device is not None and may_stop(table, me.device)
    panel = pages_of(table.game).waiting_end(moment, me) if answers else None
    return NO_END_WAITS if panel is None else panel


def _waits(moment: Moment, me: Me) -> Panel:
    """Of which an end that waits has a panel of its own."""
    return Panel("waits", waits_view(moment.table, me.held_in_play))


def waits_view(table: Table, seats: Sequence[Seat | SeatName]) -> WaitsView:
    """What it waits for of the players on these seats."""
    if table.phase == Phase.LOOKING and any(seat.id not in table.round.looked for seat in seats):
        return WaitsView(table.game.name, Wanted.LOOK, "")
    acts = _acts(table)
    for seat in seats:
        if seat.id == acts:
            return WaitsView(table.game.name, Wanted.TURN, seat.name if len(seats) > 1 else "")
    return WaitsView(table.game.name, Wanted.NOTHING, "")


def _acts(table: Table) -> SeatId | None:
    """Whose turn it is, as far as anybody can know."""
    if table.phase != Phase.PLAYING or table.round.end_waits:
        return None
    turn = pages_of(table.game).turn(table.game_state, table.game.ways[table.way])
    return table.players[turn].id if turn is not None else None


def links(
    me: Me, *, qr: bool = True, record: str = "", room: bool = False, fair: bool = True
) -> Panel:
    shown = me.fair if fair else None
    view = LinksView(
        here=me.path,
        one=len(me.seats) == 1,
        several=me.seats if len(me.seats) > 1 else (),
        host_page=me.host_page(),
        qr=qr,
        record=record,
        room=room,
        fair=shown,
    )
    return Panel("links", view)
