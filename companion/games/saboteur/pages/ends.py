"""Ends of a round that wait, were stopped or were taken back: what everybody is told of them.

Everything comes from the game's own view for nobody in particular, as in `present`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from companion.games.fields import PlayerIndex
from companion.games.game import Game
from companion.games.saboteur.pages import present
from companion.games.saboteur.pages.views import PANELS, EndUndone, ShownEnd
from companion.games.saboteur.rules.model import (
    NOBODY,
    Event,
    GameEnded,
    Play,
    ResultTold,
    RoundEnded,
    State,
    WonBy,
)
from companion.games.saboteur.rules.view import PastRound
from companion.tables import ending
from companion.tables.codec import decode_events
from companion.tables.model import Actor, Device, Phase, SeatId, Table, UndoStep, WaitingEnd
from companion.values import Value
from companion.web.html.identity_cache import by_identity
from companion.web.html.panels import Panel, Part, View
from companion.web.view import common, handovers, presenter
from companion.web.view.games import EndedBy
from companion.web.view.me import Me
from companion.web.view.models import Doer
from companion.web.view.moments import TABLES_KEPT, Moment


class EndsUndoneView(View, frozen=True):
    """Ends of this round, or of the game, that were taken back, each with who did it."""

    template = f"{PANELS}/ends_undone.html"

    ends: tuple[EndUndone, ...]
    settled: bool  # the round has ended otherwise since
    over: bool  # and so has the game
    redrawn: bool  # the gold that was left has been drawn anew


class EndToldView(View, frozen=True):
    """An end of the round that waits, for everybody to see and to stop."""

    template = f"{PANELS}/end_told.html"

    here: str
    end: ShownEnd
    yours: bool  # this phone has told it, and has one player
    stops: bool  # this phone may stop it
    confirms: bool  # it is another player's phone than the one that told it
    late: bool  # so it is, but it has not had a seat since the deal
    wait_s: int  # for which it can be stopped, in all
    left_s: int  # of these
    starts_next: bool  # who had the last turn decides who starts the next round
    pays_in_turn: bool  # and who is paid first, where the saboteurs have won


class EndStoppedView(View, frozen=True):
    """The round goes on, since somebody has stopped the end that was told."""

    template = f"{PANELS}/end_stopped.html"

    by: Doer | None  # None: a phone that has lost its seat
    end: ShownEnd


def waiting_end(moment: Moment, me: Me) -> Panel:
    table = moment.table
    if table.round.waiting_end is None:
        stopped = table.round.stopped
        if stopped is None:
            return common.NO_END_WAITS
        end, name = moment.once(end_told, table, stopped.told), table.player_name(stopped.seat)
        by = Doer(name) if name else presenter.nameless(table, stopped.by)
        return Panel("told", EndStoppedView(by, end))
    end = moment.once(end_told, table, table.round.waiting_end)
    stops = me.device is not None and ending.may_stop(table, me.device)
    confirms = ending.may_confirm(table, me.device)
    view = EndToldView(
        here=me.path,
        end=end,
        yours=me.device == table.round.waiting_end.by and not me.several,
        stops=stops,
        confirms=confirms,
        late=ending.comes_late(table, me.device),
        wait_s=moment.end_wait_s,
        left_s=me.end_left_s,
        starts_next=present.last_starts_next(table),
        pays_in_turn=present.pays_in_turn(table),
    )
    return Panel("told", view)


def took_back(table: Table) -> Panel:
    over = table.phase == Phase.OVER
    settled = over or table.phase == Phase.SETTLED
    view = EndsUndoneView(ends_undone(table), settled, over, table.deals.redrawn)
    return Panel("took-back", view)


def notices(table: Table, *, low: bool = False) -> tuple[Part, ...]:
    """Ends that were taken back, and what has happened to seats and phones. `low`: in one line,
    above what a thumb holds."""
    return (took_back(table), Panel("notices", handovers.notices_of(table, low)))


def ends_undone(table: Table) -> tuple[EndUndone, ...]:
    """The ends that were taken back: of the game, then of this round, oldest first. Everybody may
    know by whom, since what lay open in between has been seen."""
    ends = [
        EndUndone(presenter.doer(table, by), None, None, None, None, last_known=False, times=times)
        for by, times in Counter(table.finishes_undone).items()
    ]
    for end, times in _ends(table.game, table.round.ends_undone).items():
        finisher, last = present.finisher_and_last(table.names, end.finisher, end.last)
        ends.append(
            EndUndone(
                undone_by=presenter.doer(table, end.by),
                told_by=_teller(table, end.teller, end.host) if end.told else None,
                won_by=end.won_by,
                finisher=finisher,
                last=last,
                last_known=end.last_known,
                times=times,
            )
        )
    return tuple(ends)


def end_told(table: Table, told: WaitingEnd) -> ShownEnd:
    """An end that waits or was stopped; nothing of what it would turn over."""
    assert table.game_state is not None
    events = decode_events(table.game.events, told.events)
    past = _last_round(table.game, table.game_state, events)
    finisher, last = present.finisher_and_last(table.names, past.finisher, past.last)
    finishes = past.won_by == NOBODY or table.phase == Phase.SETTLED
    seat = None if finishes else told.teller  # it is the host who ends a game, and no player
    return ShownEnd(
        told_by=_teller(table, seat, told.by),
        finishes=finishes,
        won_by=past.won_by,
        finisher=finisher,
        last=last,
        last_known=past.last_known,
        left=present.cards_left(table) if _in_words(events) and not finishes else None,
    )


def _teller(table: Table, seat: SeatId | None, host: Device | None) -> Doer:
    """By whose phone an end was told; without a seat it was the `host` of then."""
    name = table.player_name(seat)
    return Doer(name) if name is not None else Doer("", former=host != table.host)


class _End(Value, frozen=True):
    """An end that was taken back; players by their game numbers."""

    by: Actor  # that took it back
    told: bool  # by somebody; else a play ended the round
    teller: SeatId | None  # the seat on whose phone it was told
    host: Device | None  # or else the host that told it
    won_by: WonBy
    finisher: PlayerIndex | None
    last: PlayerIndex
    last_known: bool


@by_identity(kept=TABLES_KEPT)
def _ends(game: Game[State, Play, Event], undone: tuple[UndoStep, ...]) -> Counter[_End]:
    """How often each was taken back."""
    return Counter(_end(game, step) for step in undone)


def _end(game: Game[State, Play, Event], step: UndoStep) -> _End:
    told, past = _in_words(step.events), _last_round(game, step.before, step.events)
    return _End(
        by=step.actor,
        told=told,
        teller=step.teller if told else None,
        host=step.reporter if told and step.teller is None else None,
        won_by=past.won_by,
        finisher=past.finisher,
        last=past.last,
        last_known=past.last_known,
    )


def _last_round(
    game: Game[State, Play, Event], before: State, events: Iterable[Event]
) -> PastRound:
    """The last one that is over after these events, as anybody may know it."""
    past: PastRound = game.view(game.fold(before, events), None).past[-1]
    return past


def _in_words(events: Iterable[Event]) -> bool:
    """Somebody said how the round had ended; else a play ended it."""
    return any(isinstance(event, ResultTold) for event in events)


def ended_by(table: Table) -> EndedBy:
    events = table.round.last_events
    if _in_words(events):
        return "report"
    counted = any(isinstance(each, RoundEnded) and each.won_by != NOBODY for each in events)
    ended = any(isinstance(each, GameEnded) for each in events)
    return "end" if ended and not counted else "play"
