"""A round that is over, and a game that is over: roles face up, gold cards, the final standings."""

from __future__ import annotations

from companion.games.saboteur.pages import ends, maze, present
from companion.games.saboteur.pages.panels import MANY
from companion.games.saboteur.pages.views import (
    LAYOUTS,
    PANELS,
    Board,
    EveningLine,
    FinalStanding,
    RoundResult,
)
from companion.games.saboteur.rules.model import NOBODY
from companion.tables.model import SeatId, Table
from companion.tables.playing import may_count, may_take_back
from companion.web.html.panels import Page, Panel, Part, View
from companion.web.view import after_game, common, handovers, presenter
from companion.web.view.common import FairLineView
from companion.web.view.games import EndedBy
from companion.web.view.me import Me
from companion.web.view.models import SeatName
from companion.web.view.moments import Moment

Gains = tuple[tuple[str, int], ...]
"""Gold cards gained in the round, by name; most of them first."""

LEADERS = 4
"""Of an evening's games, on the table screen; phones show all."""


# What everybody sees


class ResultView(View, frozen=True):
    """How the round ended."""

    template = f"{PANELS}/result.html"

    edition: str
    result: RoundResult
    starts_next: bool  # who had the last turn decides who starts the next round
    wide: bool  # on the table screen


class LastMazeView(View, frozen=True):
    """The maze as it lay when the round ended: shown for some seconds, and again when asked for."""

    template = f"{PANELS}/last_maze.html"

    board: Board | None  # None: the referee has not followed the round
    result: RoundResult
    wide: bool


class RolesView(View, frozen=True):
    """Roles turned over."""

    template = f"{PANELS}/roles.html"

    result: RoundResult


class FiguresView(View, frozen=True):
    """The same as cards, on the table screen."""

    template = f"{PANELS}/figures.html"

    result: RoundResult


class GainsView(View, frozen=True):
    template = f"{PANELS}/gains.html"

    gains: Gains
    wide: bool


class NextStarterView(View, frozen=True):
    template = f"{PANELS}/next_starter.html"

    name: str  # empty: there is no next round, or perhaps none
    yours: bool  # it is the only player of this phone
    late: tuple[str, ...]  # who plays from the next game on


class WinnerView(View, frozen=True):
    """Who has won the game."""

    template = f"{PANELS}/winner.html"

    winners: tuple[str, ...]  # nobody where there was no gold
    yours: bool  # it is the only player of this phone, and has won alone
    wide: bool  # on the table screen


class StandingsView(View, frozen=True):
    template = f"{PANELS}/standings.html"

    lines: tuple[FinalStanding, ...]


class LegendView(View, frozen=True):
    template = f"{PANELS}/legend.html"

    played: int  # rounds
    rounds: int  # of a whole game
    cut_short: bool  # one more was, and does not count


class TallyView(View, frozen=True):
    """All games at this table, from the second one on."""

    template = f"{PANELS}/tally.html"

    games: int
    lines: tuple[EveningLine, ...]  # on the table screen of those who have won


class LastRoundView(View, frozen=True):
    """How the last round of the game ended, once more; on a phone."""

    template = f"{PANELS}/last_round.html"

    result: RoundResult
    gains: Gains


def _last_maze(table: Table, quarters: int, *, wide: bool) -> Panel:
    view = LastMazeView(last_board(table, quarters), present.result(table), wide)
    return Panel("last-maze", view)


def last_board(table: Table, quarters: int) -> Board | None:
    """The maze as it lay when the round ended. None where the referee has not followed it; or where
    the way of playing has changed since: the page lacks the drawings."""
    shown = presenter.shown_of(table)
    if table.game_state is None or not maze.follows(table) or not shown.past[-1].followed:
        return None
    return maze.board(table.game_state, shown, table.round.last_events, quarters)


def _result(table: Table, result: RoundResult, *, wide: bool = False) -> ResultView:
    starts_next = present.last_starts_next(table)
    return ResultView(table.edition, result, starts_next, wide)


def _next_starter(table: Table, me: Me | None) -> Panel:
    """None: for a screen."""
    on = table.playing and not table.round.end_waits
    name = present.starter(table) if on else ""
    yours = on and me is not None and present.starts(table, me)
    return Panel("next-starter", NextStarterView(name, yours, table.late))


def _settled_common(table: Table, quarters: int, wide: bool) -> tuple[Part, ...]:
    result = present.result(table)
    turned = Panel("figures", FiguresView(result)) if wide else Panel("roles", RolesView(result))
    return (
        *ends.notices(table),
        _last_maze(table, quarters, wide=wide),
        Panel("result", _result(table, result, wide=wide)),
        turned,
        Panel("gains", GainsView(present.gains(table), wide)),
    )


def _over_common(table: Table, quarters: int, wide: bool) -> tuple[Part, ...]:
    lines, rounds = present.standings(table), table.game.rounds
    result, played = present.result(table), len(lines[0].roles)
    last = LastRoundView(result, present.gains(table))
    return (
        *ends.notices(table),
        _last_maze(table, quarters, wide=wide),
        Panel("standings", StandingsView(lines)),
        Panel("legend", LegendView(played, rounds, result.won_by == NOBODY)),
        Panel("tally", _tally(table, wide)),
        *(() if wide else (Panel("last-round", last),)),
    )


def _winner(table: Table, me: Me | None) -> Panel:
    """None: for a screen."""
    seats = table.game.outcome(table.game_state).winners
    winners = tuple(table.names[seat] for seat in seats)
    alone = table.players[seats[0]].id if len(seats) == 1 else None
    yours = me is not None and alone is not None and me.you == alone
    return Panel("winner", WinnerView(winners, yours, wide=me is None))


def _tally(table: Table, wide: bool) -> TallyView:
    games, lines = present.evening(table)
    if wide:
        lines = tuple(line for line in lines if line.wins)[:LEADERS]
    return TallyView(games, lines)


# What this phone may do


class GoldChipsView(View, frozen=True):
    """Whose gold to look at, on a phone with several seats."""

    template = f"{PANELS}/gold_chips.html"

    seats: tuple[SeatName, ...]
    chosen: SeatId | None


class GoldHoldView(View, frozen=True):
    """The own gold cards, face down: as many backs as all may know of."""

    template = f"{PANELS}/gold_hold.html"

    shown: bool
    seat: SeatName | None  # whose, where the phone holds several
    gold_cards: int
    gained: int


class WrongView(View, frozen=True):
    """Taking back how the round ended, by who may."""

    template = f"{PANELS}/wrong.html"

    here: str
    ended_by: EndedBy
    can_take_back: bool
    asks: bool  # this phone's players, but it may not
    host: str | None  # name
    orders: str  # address where the seats can be put in another order; or nothing


class DealView(View, frozen=True):
    """The own gold to hold; the host deals the next round."""

    template = f"{PANELS}/deal.html"

    here: str
    gold: bool
    gold_here: bool  # of any player of this phone
    seat: SeatName | None  # whose, where the phone holds several
    you_host: bool
    host: str | None
    waits: bool  # the game is to end, and anybody can stop that
    host_away: bool  # nothing has been heard of the host's device for a while
    takes_over: bool  # and by now this phone may go on without it
    wide: bool


class CountView(View, frozen=True):
    """After the last round: the own gold to hold; the host or a player lets all see who has won."""

    template = f"{PANELS}/count.html"

    here: str
    gold: bool
    seat: SeatName | None  # whose, where the phone holds several
    counts: bool  # this device may
    wide: bool


class SettledLayout(View, frozen=True):
    template = f"{LAYOUTS}/settled.html"


class OverLayout(View, frozen=True):
    template = f"{LAYOUTS}/over.html"


class SettledScreenLayout(View, frozen=True):
    template = f"{LAYOUTS}/settled_screen.html"

    many: bool  # players
    snug: bool  # long names
    you_host: bool
    here: str


class OverScreenLayout(View, frozen=True):
    template = f"{LAYOUTS}/over_screen.html"

    many: bool
    you_host: bool
    here: str


def _wrong(table: Table, me: Me, *, wide: bool = False) -> Panel:
    by, back = ends.ended_by(table), may_take_back(table, me.device)
    orders = me.host_page() if table.playing else ""
    undoes = may_take_back(table, table.host)  # not where the players have changed places since
    asks = undoes and not (wide or back or by == "end") and bool(me.held_in_play)
    host = handovers.host_name(table) if asks else None
    return Panel("wrong", WrongView(me.path, by, back, asks, host, orders))


def _dock(moment: Moment, me: Me, *, gold: bool, wide: bool = False) -> Panel:
    table, seat = moment.table, me.named(me.chosen) if gold else None
    if not table.playing:
        counts = may_count(table, me.device)
        return Panel("dock", CountView(me.path, gold, seat, counts, wide))
    view = DealView(
        here=me.path,
        gold=gold,
        gold_here=not wide
        and any(present.gold_cards_of(table, seat.id)[0] for seat in me.held_in_play),
        seat=seat,
        you_host=me.hosts,
        host=handovers.host_name(table),
        waits=table.round.end_waits,
        host_away=moment.around.host_away and not moment.around.host_gone,
        takes_over=handovers.is_host_gone(moment, me),
        wide=wide,
    )
    return Panel("dock", view)


def settled(moment: Moment, me: Me) -> Page:
    table, seat = moment.table, me.chosen
    played = seat if seat and table.index(seat.id) is not None else None
    held, gained = present.gold_cards_of(table, played.id) if played else (0, 0)
    chips = GoldChipsView(me.held_in_play if me.several else (), seat.id if seat else None)
    own = (
        common.bar(table, me, seat),
        common.refused(me),
        handovers.host_gone(moment, me),
        after_game.joined(table, me),
        ends.waiting_end(moment, me),
        _next_starter(table, me),
        Panel("gold-chips", chips),
        Panel("gold", GoldHoldView(played is not None, me.named(played), held, gained)),
        _wrong(table, me),
        common.links(me),
        _dock(moment, me, gold=held > 0),
    )
    return Page(SettledLayout(), moment.once(_settled_common, table, me.quarters, False), own)


def over(moment: Moment, me: Me) -> Page:
    table = moment.table
    own = (
        common.bar(table, me, None if me.several else me.chosen),
        common.refused(me),
        _winner(table, me),
        handovers.host_gone(moment, me),
        after_game.joined(table, me),
        _wrong(table, me),
        after_game.watch(table, me),
        common.links(me, record=after_game.record_of(table, me)),
        after_game.new_game(table, me),
    )
    return Page(OverLayout(), moment.once(_over_common, table, me.quarters, False), own)


def _screen_own(table: Table, me: Me) -> tuple[Part, ...]:
    return (
        common.screen_bar(table, me),
        common.refused(me),
        Panel("fair-line", FairLineView(me.fair)),
        _wrong(table, me, wide=True),
    )


def settled_screen(moment: Moment, me: Me) -> Page:
    table = moment.table
    many, snug = len(table.players) > MANY, common.is_snug(table.names)
    layout = SettledScreenLayout(many, snug, me.hosts, me.path)
    own = (
        *_screen_own(table, me),
        _next_starter(table, None),
        ends.waiting_end(moment, me),
        _dock(moment, me, gold=False, wide=True),
    )
    return Page(layout, moment.once(_settled_common, table, 0, True), own)


def over_screen(moment: Moment, me: Me) -> Page:
    table = moment.table
    layout = OverScreenLayout(len(table.players) > MANY, me.hosts, me.path)
    own = (
        *_screen_own(table, me),
        _winner(table, None),
        after_game.watch(table, me),
        after_game.new_game(table, me, wide=True),
    )
    return Page(layout, moment.once(_over_common, table, 0, True), own)
