"""What the host can set right: the game, seats, order, edition, way, language, Wi-Fi, the end."""

from __future__ import annotations

from collections.abc import Sequence

from companion.tables.model import Phase, SeatId, Table
from companion.tables.playing import may_take_back
from companion.tables.seating import may_join_people, may_reorder, order_ends_undo
from companion.values import Value
from companion.web.html.cache import TABLE
from companion.web.html.panels import Page, Panel, Part, View
from companion.web.view import common, handovers
from companion.web.view.evening import names_of
from companion.web.view.games import EndedBy, pages_of
from companion.web.view.me import Me
from companion.web.view.models import SeatName, ToldEvent
from companion.web.view.moments import Moment


class HostGameView(View, frozen=True):
    """What the host can do with the game that is on, or has just ended."""

    template = "panels/host_game.html"

    here: str
    game: str
    reports: str  # address where every play can be reported for another player; or nothing
    ends: str  # address where it is said how the round that is on ended; or nothing
    back: str  # the page of the table that this device has
    undoes: EndedBy | None  # how what can be taken back came
    undoes_end: bool  # secrets that were shown by it go with it
    undone: ToldEvent | None  # the play that was taken back last
    undone_times: int  # how many have been, one after another
    deals: bool  # the next round
    finishes: bool  # the game can be ended before its time
    broken_off: bool  # that would leave a round without an end
    gains: bool  # something is gained in this game, though it ends before its time
    saved: bool  # else it has a record, though nobody wins

    @property
    def shown(self) -> bool:
        return bool(self.reports or self.ends or self.undoes or self.finishes or self.undone)


class HostSeat(Value, frozen=True):
    id: SeatId
    name: str
    mine: bool
    free: bool
    waits: bool  # for the next game
    played: bool  # it has a part in the game that is on, or was last
    code: str  # that takes it when it is free; or nothing
    up: str  # ids in the order in which this one has gone one place up; empty for the first one
    down: str


class HostSeatsView(View, frozen=True):
    """The seats, clockwise, and what can be done with each."""

    template = "panels/host_seats.html"

    here: str
    game: str
    back: str  # the page of the table that this device has
    seats: tuple[HostSeat, ...]
    between: bool  # no game is on: seats may go
    orders: bool  # they may change places
    reseat_counts: bool  # and something is shared out by the places that they have then
    ends_undo: bool  # and what was played last stays as it is
    rounds: bool  # of a game that is on: they may change places when this one is over
    end_waits: bool  # until it has come, or was stopped, places, seats and hosting stay as they are
    room: bool  # for one more
    most: int  # who can play
    finishes: bool  # a game that is on can be ended before its time
    gains: bool  # and then something counts
    from_screen: bool  # it was opened on the table screen, which is no phone


class HostRulesView(View, frozen=True):
    """The edition and the way to play."""

    template = "panels/host_rules.html"

    here: str
    game: str
    edition: str
    editions: tuple[str, ...]
    way: str
    ways: tuple[str, ...]
    between: bool  # no game is on
    round_on: bool
    end_waits: bool


class HostLanguageView(View, frozen=True):
    """Of the table."""

    template = "panels/host_language.html"

    here: str
    language: str
    end_waits: bool  # nothing is changed meanwhile


class HostDeckView(View, frozen=True):
    """What is printed on the cards, to be saved and loaded."""

    template = "panels/host_deck.html"

    here: str
    remembers: bool  # the game has such cards, and their plays are reported
    between: bool  # no game is on: a deck can be loaded


class HostWifiView(View, frozen=True):
    template = "panels/host_wifi.html"

    here: str
    name: str
    password: str


class HostLinkView(View, frozen=True):
    """What leads to the table, and how to make it lead there no longer."""

    template = "panels/host_link.html"

    here: str
    address: str
    code: str
    end_waits: bool  # nobody is shut out meanwhile


class HostPeopleView(View, frozen=True):
    """Everybody who has played here; whoever had several seats is joined by hand."""

    template = "panels/host_people.html"

    here: str
    people: tuple[SeatName, ...]  # by their first seat
    joined: tuple[SeatName, ...]  # those of them who had several
    shown: bool  # there is something to join or to part


class HostLayout(View, frozen=True):
    template = "layouts/host.html"

    here: str
    back: str


def _swapped(ids: Sequence[SeatId], at: int) -> str:
    """With the seats at `at` and behind it in each other's places; empty where there are no two."""
    if not 0 <= at < len(ids) - 1:
        return ""
    return ",".join(map(str, (*ids[:at], ids[at + 1], ids[at], *ids[at + 2 :])))


def _seats(table: Table, me: Me) -> HostSeatsView:
    ids = [seat.id for seat in table.seats]
    seats = tuple(
        HostSeat(
            seat.id,
            seat.name,
            mine=seat.device == me.device,
            free=seat.device is None,
            waits=not table.plays(seat.id),
            played=table.index(seat.id) is not None,
            code=dict(me.codes).get(seat.id, ""),
            up=_swapped(ids, at - 1),
            down=_swapped(ids, at),
        )
        for at, seat in enumerate(table.seats)
    )
    end_waits = table.round.end_waits
    orders = not end_waits and (not table.playing or may_reorder(table))
    return HostSeatsView(
        me.path,
        table.game.name,
        common.back(me),
        seats,
        between=not table.playing,
        orders=orders,
        reseat_counts=orders and table.playing,
        ends_undo=orders and order_ends_undo(table),
        rounds=table.game.reseat is not None,
        end_waits=end_waits,
        room=table.has_room,
        most=table.game.seat_counts[-1],
        finishes=table.playing and table.game.finish is not None and not end_waits,
        gains=table.game.gains_when_broken_off,
        from_screen=me.from_screen,
    )


def _game(table: Table, me: Me) -> HostGameView:
    game, phase = table.game, table.phase
    undoes = pages_of(game).ended_by(table) if may_take_back(table, me.device) else None
    end_waits = table.round.end_waits
    ends = phase == Phase.PLAYING and bool(game.host_plays) and not end_waits
    reports = phase == Phase.PLAYING and game.ways[table.way].follows
    seat_page = f"/t/{TABLE}{'?screen=1' if me.from_screen else ''}"
    undone = table.round.undone if game.ways[table.way].follows else None
    return HostGameView(
        me.path,
        game.name,
        reports=seat_page if reports else "",
        ends=me.host_page("report") if ends else "",
        back=common.back(me),
        undoes=undoes,
        undoes_end=phase in (Phase.SETTLED, Phase.OVER) and game.deals_secrets,
        undone=ToldEvent(game, undone.events[0], table.names) if undone else None,
        undone_times=undone.in_a_row if undone else 0,
        deals=phase == Phase.SETTLED and not end_waits,
        finishes=table.playing and game.finish is not None and not end_waits,
        broken_off=phase in (Phase.LOOKING, Phase.PLAYING) and game.deals_secrets,
        gains=game.gains_when_broken_off,
        saved=game.ways[table.way].recorded,
    )


def _rules(table: Table, me: Me) -> HostRulesView:
    return HostRulesView(
        here=me.path,
        game=table.game.name,
        edition=table.edition,
        editions=tuple(table.game.editions),
        way=table.way,
        ways=tuple(table.game.ways),
        between=not table.playing,
        round_on=table.phase in (Phase.LOOKING, Phase.PLAYING),
        end_waits=table.round.end_waits,
    )


def _deck(table: Table, me: Me) -> HostDeckView:
    asks = table.game.memory is not None and table.game.ways[table.way].recorded
    return HostDeckView(me.path, remembers=asks, between=not table.playing)


def _people(table: Table, me: Me) -> HostPeopleView:
    names = tuple(SeatName(*each) for each in names_of(table).items())
    joined = tuple(each for each in names if each.id in table.people.several)
    return HostPeopleView(me.path, names, joined, may_join_people(table))


def page(moment: Moment, me: Me) -> Page:
    table = moment.table
    wifi, end_waits = table.wifi, table.round.end_waits
    own: tuple[Part, ...] = (
        *common.beside(moment, me),
        Panel("host-game", _game(table, me)),
        Panel("host-seats", _seats(table, me)),
        Panel("host-people", _people(table, me)),
        Panel("host-rules", _rules(table, me)),
        Panel("host-deck", _deck(table, me)),
        Panel("host-language", HostLanguageView(me.path, table.language, end_waits)),
        Panel(
            "host-wifi",
            HostWifiView(me.path, wifi.name if wifi else "", wifi.password if wifi else ""),
        ),
        Panel("host-link", HostLinkView(me.path, me.reach.address, me.reach.code, end_waits)),
    )
    shared = (Panel("notices", handovers.notices_of(table)),)
    return Page(HostLayout(me.path, common.back(me)), shared, own)
