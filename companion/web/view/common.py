"""Panels that the pages of all games share.

What is made from the table alone is alike for everybody; what is made for a `Me` is that phone's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from markupsafe import Markup

from companion.tables.dealing import begins_next
from companion.tables.ending import may_stop
from companion.tables.identity import name_of, own_seats
from companion.tables.model import Device, Handovers, Seat, Table
from companion.values import Value
from companion.web.http.fields import digits
from companion.web.view import presenter
from companion.web.view.asking import home
from companion.web.view.games import Me, can_be_watched, has_record, pages_of
from companion.web.view.html_cache import TABLE
from companion.web.view.models import Elsewhere, FairLine, Reach, RefusalView, SeatName, SeatView
from companion.web.view.moments import Moment
from companion.web.view.panels import Panel, View

SNUG_LETTERS: Final = 16
"""Of the longest name; with longer ones there is less room for all else on a table screen."""


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
    code: str
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


class MovedSeat(Value, frozen=True):
    """A seat that went to another phone, and maybe back."""

    name: str
    times: int
    freed_by: str | None  # who freed it; empty: the host; None: it was offered, or nobody known
    back: bool  # on the phone where it was first
    taken_by: str | None  # who has it else; empty: the host; None: nobody known
    stranger: bool  # it was freed, and a phone that had no seat took it


class NoticesView(View, frozen=True):
    """What has happened to the seats and the host, for everybody to see."""

    template = "panels/notices.html"

    moved: tuple[MovedSeat, ...]
    host_taken: str | None  # name of who has just taken over the hosting
    reordered: int  # how often the players have changed places
    order: tuple[str, ...]  # then their names, clockwise
    low: bool = False  # one line, since what else stands there needs the room

    @property
    def count(self) -> int:
        """Of what has happened; it only grows while they stand there."""
        return sum(seat.times for seat in self.moved) + bool(self.host_taken) + self.reordered

    @property
    def more(self) -> bool:
        """Whether one line does not say it all."""
        return bool(self.order) or len(self.moved) + bool(self.host_taken) > 1


class HostGoneView(View, frozen=True):
    """That anybody may take over the hosting."""

    template = "panels/host_gone.html"

    here: str
    gone: bool


class DealtView(View, frozen=True):
    """That a round waits until this phone's players have looked at what was dealt."""

    template = "panels/dealt.html"

    waits: bool


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


class RingView(View, frozen=True):
    """The seats, clockwise, and who has looked at what was dealt or who starts."""

    template = "panels/ring.html"

    game: str
    seats: tuple[SeatView, ...]
    looks: bool = False  # it shows who has looked, and nothing else
    open_seats: int = 0
    starter: int | None = None  # id of a seat
    wide: bool = False  # on a table screen
    low: bool = False  # there is less room above each other


class RingSeatView(View, frozen=True):
    """One of the seats, and whether its player has looked."""

    template = "panels/ring_seat.html"

    game: str
    seat: SeatView
    at: int  # the first is 1
    of: int  # seats


class ScanView(View, frozen=True):
    """The way to the table, on its screen."""

    template = "panels/scan.html"

    qr: Markup
    address: str
    code: str
    large: bool


class OtherAddressesView(View, frozen=True):
    """Other addresses of the table, for phones that do not reach the one in the code."""

    template = "panels/others.html"

    others: tuple[Elsewhere, ...]
    code: str


class FairLineView(View, frozen=True):
    """On the table screen: that the deal can be checked."""

    template = "panels/fair_line.html"

    fair: FairLine | None


class HandOnView(View, frozen=True):
    """The seats on this phone that have not looked: whose turn it is to hold it."""

    template = "panels/hand_on.html"

    game: str
    dealt: str  # which deal it is: the next one asks again
    seats: tuple[SeatName, ...]


class JoinedView(View, frozen=True):
    """The seats on this phone that had no part in the game that is over."""

    template = "panels/joined.html"

    names: tuple[str, ...]


class Headcount(Value, frozen=True):
    """How many sit at a table, and for how many its game is."""

    count: int
    low: int
    high: int

    @property
    def can_start(self) -> bool:
        return self.low <= self.count <= self.high


class NewGameView(View, frozen=True):
    """After a game: what the next one will be, and its start, or who can start it."""

    template = "panels/new_game.html"

    here: str
    game: str
    edition: str
    editions: int
    way: str
    ways: int
    you_host: bool
    host: str | None  # name
    same: bool  # players as in the last one
    came: tuple[str, ...]  # since it began
    players: Headcount
    wide: bool = False  # on a table screen
    explains: bool = False  # the game can be explained
    seats: tuple[SeatName, ...] = ()  # that may start it, for the host
    next: int = 0  # id of the one that the game names
    lot: bool = False  # it can be drawn by lot
    host_page: str = ""  # address, for the host


def headcount(table: Table) -> Headcount:
    counts = table.game.seat_counts
    return Headcount(len(table.seats), counts[0], counts[-1])


def host_name(table: Table) -> str | None:
    """What the host is called; never by a seat that it has got hold of. None: it has no other."""
    return name_of(table, table.host)


def _new_host_name(table: Table) -> str | None:
    """Also by a seat that it has got hold of: that somebody has taken over the hosting is told of
    whomever."""
    held = next((seat.name for seat in table.held(table.host)), None)
    return host_name(table) or held


def notices_of(table: Table, low: bool = False) -> NoticesView:
    handovers = table.handovers_shown
    return NoticesView(
        tuple(_moved(table, handovers, seat) for seat in table.seats if seat.id in handovers.moved),
        _new_host_name(table) if handovers.host_moved else None,
        handovers.reordered,
        tuple(seat.name for seat in table.in_play) if handovers.reordered else (),
        low,
    )


def _moved(table: Table, handovers: Handovers, seat: Seat) -> MovedSeat:
    freed, taker = dict(handovers.freed).get(seat.id), dict(handovers.takers).get(seat.id)
    return MovedSeat(
        seat.name,
        times=handovers.moved.count(seat.id),
        freed_by=_called(table, freed),
        back=seat.device is not None and seat.device == dict(handovers.first_phones).get(seat.id),
        taken_by=_called(table, taker),
        stranger=freed is not None and taker is None,
    )


def _called(table: Table, device: Device | None) -> str | None:
    """By its own seat's name, as it is now: not by that of a seat which it has got hold of. Empty:
    the host without one; None: it is neither any more."""
    if device is None:
        return None
    own = own_seats(table, device)
    if own:
        return own[0].name
    return "" if device == table.host else None


def scan(reach: Reach, large: bool) -> ScanView:
    return ScanView(reach.qr, reach.address, reach.code, large)


def other_addresses(reach: Reach) -> Panel:
    return Panel("others", OtherAddressesView(reach.others, reach.code))


class WatchView(View, frozen=True):
    """The way to watch a game that is over again."""

    template = "panels/watch.html"

    address: str  # empty: there are no plays to be watched
    story: str  # what could be counted in it; empty: nothing
    take: str  # address of what can be taken along; empty: nothing yet, or not to this device
    games: str  # address of all games of the table; empty: there was one alone


def watch(table: Table, me: Me) -> Panel:
    """For pages of a game that may be over."""
    result = table.results[-1] if table.phase == "over" and table.results else None
    taken = result is not None and me.device is not None
    watched = result is not None and can_be_watched(table.game, result)
    counted = watched and pages_of(table.game).story is not None
    several = taken and len(table.results) > 1
    view = WatchView(
        address=me.beside("replay", game=table.games_over) if watched else "",
        story=me.beside("story", game=table.games_over) if counted else "",
        take=me.beside("take", game=table.games_over) if taken else "",
        games=me.beside("games") if several else "",
    )
    return Panel("watch", view)


def record_of(table: Table, me: Me) -> str:
    """The address of the record of a game that is over; empty: it has none."""
    saved = table.phase == "over" and has_record(table, table.results[-1])
    return me.beside("record.jsonl", game=table.games_over) if saved else ""


def back(me: Me) -> str:
    """From a page beside the table to the one from which it was opened."""
    return f"/t/{TABLE}{'/screen' if me.from_screen else ''}"


def heading_of(table: Table) -> Heading:
    return Heading(table.game.name, table.edition, presenter.round_of(table), table.game.rounds)


def bar(table: Table, me: Me, seat: SeatName | None) -> Panel:
    return bar_of(heading_of(table), me, seat)


def bar_of(heading: Heading, me: Me, seat: SeatName | None) -> Panel:
    return Panel("bar", BarView(heading, me.reach.code, seat, me.path, home(me.from_screen)))


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
    return max(map(len, names)) > SNUG_LETTERS


def refused(me: Me) -> Panel:
    return Panel("refusal-box", RefusedView(me.path, me.refusal))


def refused_about(table: Table, me: Me, field: str) -> int | None:
    """The number in a field of a form that was refused while a game is on; None: it has none."""
    if me.refusal is None or not table.playing:
        return None
    return digits(me.typed.get(field))


def is_host_gone(moment: Moment, me: Me) -> bool:
    """And this phone may take over the hosting."""
    # While the end of a round waits, everybody keeps their part.
    waits = moment.table.waiting_end is not None
    return moment.around.host_gone and bool(me.held_in_play) and not me.hosts and not waits


def host_gone(moment: Moment, me: Me) -> Panel:
    return Panel("host-gone", HostGoneView(me.path, is_host_gone(moment, me)))


def waiting_end(moment: Moment, me: Me) -> Panel:
    """For pages beside the table: an end that waits, where this phone may answer."""
    table = moment.table
    answers = me.device is not None and may_stop(table, me.device)
    panel = pages_of(table.game).waiting_end(moment, me) if answers else None
    return NO_END_WAITS if panel is None else panel


def dealt(table: Table, me: Me) -> Panel:
    """For pages on which nothing is dealt."""
    looks = table.phase == "looking" and any(
        seat.id not in table.looked for seat in me.held_in_play
    )
    return Panel("dealt", DealtView(looks))


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


def joined(table: Table, me: Me) -> Panel:
    fresh = tuple(seat.name for seat in me.held_in_play if table.index(seat.id) is None)
    return Panel("joined", JoinedView(fresh))


def starters(table: Table, me: Me) -> tuple[SeatName, ...]:
    """The seats that may start, for the host."""
    return tuple(SeatName(seat.id, seat.name) for seat in table.seats) if me.hosts else ()


def new_game(table: Table, me: Me, wide: bool = False) -> Panel:
    return Panel("new-game", new_game_view(table, me, wide))


def new_game_view(table: Table, me: Me, wide: bool = False) -> NewGameView:
    came = tuple(seat.name for seat in table.seats if table.index(seat.id) is None)
    same = not came and len(table.seats) == len(table.players)
    explains = table.game.explanation is not None
    seats = starters(table, me)
    return NewGameView(
        here=me.path,
        game=table.game.name,
        edition=table.edition,
        editions=len(table.game.editions),
        way=table.way,
        ways=len(table.game.ways),
        you_host=me.hosts,
        host=host_name(table),
        same=same,
        came=came,
        players=headcount(table),
        wide=wide,
        explains=explains,
        seats=seats,
        next=begins_next(table) if seats else 0,
        lot=table.game.starter_by_lot,
        host_page=me.host_page(),
    )
