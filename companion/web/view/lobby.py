"""The pages of a table that waits for its players: a phone's, and the table screen."""

from __future__ import annotations

from msgspec.structs import replace

from companion.tables.model import Device, Table
from companion.web.html.panels import Page, Panel, Part, View
from companion.web.view import advice, after_game, common, explained, handovers, presenter, scanning
from companion.web.view.advice import Tip
from companion.web.view.after_game import Headcount
from companion.web.view.asking import PageName
from companion.web.view.common import FairLineView, SetupView
from companion.web.view.games import pages_of
from companion.web.view.me import Me
from companion.web.view.models import Agreed, GuestWifi, Reach, SeatName, SeatView
from companion.web.view.moments import Moment
from companion.web.view.ring import RingView

# What everybody sees


class SeatedView(View, frozen=True):
    """What will be played and by which rules, how many have sat down, and what that means; on the
    table screen."""

    template = "panels/seated.html"

    agreed: Agreed
    count: int


class WifiView(View, frozen=True):
    """The network that guests need first; on the table screen."""

    template = "panels/wifi.html"

    wifi: GuestWifi | None


class NobodyView(View, frozen=True):
    """What to try while no phone comes; nothing where one has come, or has not been waited for."""

    template = "panels/nobody.html"

    tips: tuple[Tip, ...]
    command: str


class LobbyScreenLayout(View, frozen=True):
    template = "layouts/lobby_screen.html"

    here: str


def _nobody(moment: Moment) -> Panel:
    network = moment.around.network
    tips = advice.tips(network) if moment.around.lonely else ()
    shown = advice.command(network) if Tip.FIREWALL in tips else ""
    return Panel("nobody", NobodyView(tips, shown))


def _seats(moment: Moment, device: Device | None) -> tuple[SeatView, ...]:
    awaited = moment.around.awaited
    return tuple(
        replace(seat, awaited=True) if seat.id in awaited else seat
        for seat in presenter.seat_views(moment.table, device)
    )


def _screen_common(moment: Moment, reach: Reach) -> tuple[Part, ...]:
    table, game, count = moment.table, moment.table.game, len(moment.table.seats)
    ring = RingView(
        game.name,
        _seats(moment, None),
        open_seats=max(game.seat_counts[0] - count, int(table.has_room)),
        wide=True,
        low=True,
    )
    return (
        Panel("scan", scanning.scan(reach, large=True)),
        scanning.other_addresses(reach),
        _nobody(moment),
        Panel("notices", handovers.notices_of(table)),
        Panel("seated", SeatedView(presenter.agreed(table), count)),
        Panel("ring", ring),
        Panel("wifi", WifiView(reach.wifi)),
    )


def _table_common(table: Table) -> tuple[Part, ...]:
    return (Panel("notices", handovers.notices_of(table)),)


# What this phone may do


class HeadView(View, frozen=True):
    """How many have sat down, what they wait for, and by which rules they will play."""

    template = "panels/lobby_head.html"

    agreed: Agreed
    count: int
    you_host: bool
    host: str | None  # name


class PlayTooView(View, frozen=True):
    """The host takes a seat, too."""

    template = "panels/play_too.html"

    here: str
    asks: bool


class StartView(View, frozen=True):
    """The host starts the game, on a phone with the starting player; and the way to the code."""

    template = "panels/start.html"

    here: str
    you_host: bool
    players: Headcount
    seats: tuple[SeatName, ...]
    lot: bool  # the starting player can be drawn by lot
    wide: bool  # on a table screen, which also asks how they sit


class LobbyLayout(View, frozen=True):
    template = "layouts/lobby.html"


def _start(table: Table, me: Me, wide: bool = False) -> Panel:
    view = StartView(
        here=me.path,
        you_host=me.hosts,
        players=after_game.headcount(table),
        seats=after_game.starters(table, me),
        lot=table.game.starter_by_lot,
        wide=wide,
    )
    return Panel("begin", view)


def _asks(table: Table, me: Me) -> bool:
    """For the name of a host who may play, too."""
    return me.hosts and not me.held_in_play and table.has_room


def _table_own(moment: Moment, me: Me) -> tuple[Part, ...]:
    table = moment.table
    count = len(table.seats)
    game = table.game
    head = HeadView(presenter.agreed(table), count, me.hosts, handovers.host_name(table))
    ring = RingView(
        game.name,
        _seats(moment, me.device),
        open_seats=max(game.seat_counts[0] - count, 0),
    )
    return (
        common.bar(table, me, None),
        common.refused(me),
        handovers.host_gone(moment, me),
        after_game.onward(table, me),
        Panel("head", head),
        Panel("play-too", PlayTooView(me.path, _asks(table, me))),
        Panel("ring", ring),
        Panel("setup", SetupView(game.name, count)),
        explained.explain(table, me),
        common.links(me, qr=False, room=bool(me.held_in_play) and table.has_room),
        _start(table, me),
    )


class NextGameView(View, frozen=True):
    """Who has sat down while a game is on: it goes on without them, and they can watch."""

    template = "panels/next_game.html"

    here: str
    names: tuple[str, ...]  # of the seats on this phone
    free: tuple[SeatName, ...]  # seats of the game that is on, whose players have gone
    asks: bool  # the host can end that game before its time


class NextGameLayout(View, frozen=True):
    template = "layouts/next_game.html"


def next_game(name: PageName, moment: Moment, me: Me) -> Page:
    """The table's screen, or the page of a phone that plays from the next game on."""
    if name == "screen":
        return pages_of(moment.table.game).page(name, moment, me)
    table = moment.table
    view = NextGameView(
        me.path,
        tuple(seat.name for seat in me.seats),
        tuple(SeatName(seat.id, seat.name) for seat in table.in_play if seat.device is None),
        asks=table.game.finish is not None and not me.hosts,
    )
    own = (
        common.bar(table, me, None),
        common.refused(me),
        common.waiting_end(moment, me),
        Panel("next-game", view),
        Panel("ring", RingView(table.game.name, presenter.in_play(table, None))),
        common.links(me),
    )
    return Page(NextGameLayout(), moment.once(_table_common, table), own)


def page(name: PageName, moment: Moment, me: Me) -> Page:
    table = moment.table
    if name == "table":
        shared = moment.once(_table_common, table)
        own = _table_own(moment, me)
        return Page(LobbyLayout(), shared, own, typing=_asks(table, me))
    own = (
        common.screen_bar(table, me),
        common.refused(me),
        after_game.onward(table, me, wide=True),
        Panel("fair-line", FairLineView(me.fair)),
        explained.explain(table, me),
        _start(table, me, wide=True),
    )
    shared = moment.once(_screen_common, moment, me.reach)
    return Page(LobbyScreenLayout(me.path), shared, own)
