"""What stands on pages once a game is over: watching it again, who has joined, and the next one."""

from __future__ import annotations

from companion.tables.dealing import begins_next
from companion.tables.model import Phase, SeatId, Table
from companion.values import Value
from companion.web.html.panels import Panel, View
from companion.web.view import presenter
from companion.web.view.games import can_be_watched, last_has_record, pages_of
from companion.web.view.handovers import host_name
from companion.web.view.me import Me
from companion.web.view.models import Agreed, OtherGame, SeatName


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
    agreed: Agreed
    you_host: bool
    host: str | None  # name
    same: bool  # players as in the last one
    came: tuple[str, ...]  # since it began
    players: Headcount
    wide: bool  # on a table screen
    explains: bool  # the game can be explained
    seats: tuple[SeatName, ...]  # that may start it, for the host
    next: SeatId | None  # the one that the game names
    lot: bool  # it can be drawn by lot
    host_page: str  # address, for the host
    other_games: tuple[OtherGame, ...]  # for the host
    next_game: str  # that they have gone on to, at a table of its own
    led: bool  # this device may see where

    @property
    def next_here(self) -> bool:
        """Whether another game here is spoken of: not to who is led to the other table."""
        return self.you_host or not (self.next_game and self.led)


class OnwardView(View, frozen=True):
    """That they play another game, at a table of its own, and the way there."""

    template = "panels/onward.html"

    next_game: str  # empty: they play here
    led: bool  # this device may see where
    you_host: bool
    wide: bool  # on a table screen


def onward(table: Table, me: Me, wide: bool = False) -> Panel:
    """For pages of a table where no game has begun."""
    after = table.next_table.game if table.next_table is not None else ""
    return Panel("onward", OnwardView(after, me.device is not None, me.hosts, wide))


def headcount(table: Table) -> Headcount:
    counts = table.game.seat_counts
    return Headcount(len(table.seats), counts[0], counts[-1])


class WatchView(View, frozen=True):
    """The way to watch a game that is over again."""

    template = "panels/watch.html"

    address: str  # empty: there are no plays to be watched
    story: str  # what could be counted in it; empty: nothing
    take: str  # address of what can be taken along; empty: nothing yet, or not to this device
    games: str  # address of all their games; empty: there was one alone


def watch(table: Table, me: Me) -> Panel:
    """For pages of a game that may be over."""
    result = table.results[-1] if table.phase == Phase.OVER and table.results else None
    taken = result is not None and me.device is not None
    watched = result is not None and can_be_watched(table.game, result)
    counted = watched and pages_of(table.game).story is not None
    elsewhere = table.came_from is not None or table.next_table is not None
    several = taken and (len(table.results) > 1 or elsewhere)
    view = WatchView(
        address=me.address_of("replay", game=table.games_over) if watched else "",
        story=me.address_of("story", game=table.games_over) if counted else "",
        take=me.address_of("take", game=table.games_over) if taken else "",
        games=me.address_of("games") if several else "",
    )
    return Panel("watch", view)


def record_of(table: Table, me: Me) -> str:
    """The address of the record of a game that is over; empty: it has none."""
    saved = last_has_record(table)
    return me.address_of("record.jsonl", game=table.games_over) if saved else ""


def joined(table: Table, me: Me) -> Panel:
    fresh = tuple(seat.name for seat in me.held_in_play if table.index(seat.id) is None)
    return Panel("joined", JoinedView(fresh))


def starters(table: Table, me: Me) -> tuple[SeatName, ...]:
    """The seats that may start, for the host."""
    return tuple(SeatName(seat.id, seat.name) for seat in table.seats) if me.hosts else ()


def new_game(table: Table, me: Me, wide: bool = False) -> Panel:
    return Panel("new-game", new_game_view(table, me, wide))


def new_game_view(table: Table, me: Me, wide: bool) -> NewGameView:
    came = tuple(seat.name for seat in table.seats if table.index(seat.id) is None)
    same = not came and len(table.seats) == len(table.players)
    explains = table.game.explanation is not None
    seats = starters(table, me)
    return NewGameView(
        here=me.path,
        agreed=presenter.agreed(table),
        you_host=me.hosts,
        host=host_name(table),
        same=same,
        came=came,
        players=headcount(table),
        wide=wide,
        explains=explains,
        seats=seats,
        next=begins_next(table) if seats else None,
        lot=table.game.starter_by_lot,
        host_page=me.host_page(),
        other_games=me.other_games,
        next_game=table.next_table.game if table.next_table is not None else "",
        led=me.device is not None,
    )
