"""A round under the referee as everybody sees it, and what a device may do in it."""

from __future__ import annotations

from itertools import takewhile

from msgspec.structs import replace

from companion.games.game import Game
from companion.games.saboteur.pages import log
from companion.games.saboteur.pages.maze import board, follows
from companion.games.saboteur.pages.views import Amended, Ending, Mate, May, PublicRound
from companion.games.saboteur.rules.cards import DECK
from companion.games.saboteur.rules.editions import EDITIONS
from companion.games.saboteur.rules.model import (
    Event,
    GameEnded,
    GoalTurned,
    PathPlaced,
    Play,
    ResultTold,
    RockFell,
    RoundEnded,
    State,
)
from companion.games.saboteur.rules.view import VisibleState
from companion.tables.codec import decode_events
from companion.tables.model import Correction, Device, Player, Seat, Table, UndoStep, WaitingEnd
from companion.tables.playing import may_take_back
from companion.web.html.cache import PLAYERS
from companion.web.html.identity_cache import by_identity
from companion.web.view import presenter
from companion.web.view.models import SeatView
from companion.web.view.moments import TABLES_KEPT


def public_round(
    table: Table, players: tuple[SeatView, ...], shown: VisibleState, quarters: int
) -> PublicRound | None:
    """None while no round is being played. `players`: as everybody sees them; what is drawn for
    many tables has marks for their names."""
    if not follows(table) or table.game_state is None or shown.turn is None:
        return None
    turn, reveal = shown.turn, shown.reveal
    correction = table.round.corrected
    # What is told of an end is newer than what was taken back or put right.
    ends = table.round.end_waits or table.round.stopped is not None
    state, last = table.game_state, table.round.last_events
    if table.round.waiting_end is not None:
        state, shown, moved = _as_told(table.game, state, shown, table.round.waiting_end)
        last, reveal = (moved, ()) if moved else (last, reveal)
    lies = board(state, shown, last, quarters)
    return PublicRound(
        board=replace(lies, places=()) if table.round.end_waits else lies,
        crew=tuple(
            Mate(players[place], shown.broken[place], shown.hands[place], place == turn)
            for place in shown.circle
        ),
        turn=players[turn],
        reveal=reveal,
        broken=shown.broken[turn],
        pile=shown.pile,
        used=shown.used,
        ending=_ending(shown),
        spent=spent(shown),
        log=log.entries(table),
        undone=None if ends else _amended(table, table.round.undone),
        corrected=None if ends or correction is None else _put_right(table, correction),
    )


MAZE_EVENTS = (PathPlaced, RockFell, GoalTurned)
"""What a play can do to the cards of the maze."""

ENDS = (ResultTold, RoundEnded, GameEnded)
"""With these the events of an end begin that are no play's."""


@by_identity(kept=TABLES_KEPT)
def _as_told(
    game: Game[State, Play, Event], state: State, shown: VisibleState, told: WaitingEnd
) -> tuple[State, VisibleState, tuple[Event, ...]]:
    """State and view while an end waits, with what its play did to the maze, and the events of
    that. The view takes the maze, the hands and the cards that may still come from the end, and
    nothing else: the turn stays, and so does a goal to be turned, during which no card can be
    laid."""
    events = decode_events(game.events, told.events)
    played = tuple(takewhile(lambda event: not isinstance(event, ENDS), events))
    if not played:
        return state, shown, ()
    moved = tuple(event for event in played if isinstance(event, MAZE_EVENTS))
    state = game.fold(state, played)
    after: VisibleState = game.view(state, None)
    lying = replace(
        shown,
        maze=after.maze,
        goals_down=after.goals_down,
        asked=(),
        hands=after.hands,
        used=after.used,
    )
    return state, lying, moved


def _amended(table: Table, step: UndoStep | None) -> Amended | None:
    if step is None:
        return None
    by = presenter.other_than_player(table, step)
    return Amended(log.shown_play(table.game, step.events[0]), by, step.in_a_row)


def _put_right(table: Table, correction: Correction) -> Amended:
    by = presenter.other_than_player(table, correction.play)
    play = log.shown_play(table.game, correction.play.events[0])
    wrong = correction.instead_of
    was = log.shown_play(table.game, wrong[0]).picture if wrong else None
    return Amended(play, by, was=None if was == play.picture else was)


def spent(shown: VisibleState) -> int:
    """How many cards were played or thrown away: those that are neither in the pile nor in a hand.
    At least 0, since the pile may have been counted too high."""
    return max(0, DECK - shown.pile - sum(shown.hands))


@by_identity(kept=TABLES_KEPT)
def nameless(seats: tuple[Seat, ...], players: tuple[Player, ...]) -> tuple[SeatView, ...]:
    """The players as everybody sees them, with marks for their names. Who hosts and who has looked
    is not shown of them."""
    free = {seat.id for seat in seats if seat.device is None}
    return tuple(
        SeatView(player.id, mark, mine=False, host=False, looked=False, free=player.id in free)
        for player, mark in zip(players, PLAYERS, strict=False)
    )


def _ending(shown: VisibleState) -> Ending | None:
    if shown.pile or not any(shown.hands):
        return None
    ring = EDITIONS[shown.edition].ring_ends
    passes = shown.passes if ring else 0
    return Ending(shown.edition, max(shown.hands) <= 1, ring, passes, shown.seats)


NOTHING = May(mine=False, actor=None, reveal=False, can_take_back=False)
"""For a phone that has nothing to do now, and for all while an end of the round waits."""


def concerned(table: Table, public: PublicRound) -> frozenset[Device | None]:
    """The devices that may do something now: the host's, that of the seat whose turn it is, and
    those of the last play. `may` has nothing for others."""
    last = table.round.undo_steps[-1:]
    seats = (public.turn.id, *(each.seat for each in last))
    held = (seat.device for seat in table.seats if seat.id in seats and seat.device is not None)
    return frozenset((table.host, *(each.by for each in last), *held))


def may(table: Table, public: PublicRound, device: Device | None) -> May:
    if table.round.end_waits:
        return NOTHING
    seat = table.seat(public.turn.id)
    mine = device is not None and seat is not None and seat.device == device
    acts = mine or (device is not None and device == table.host)
    actor = replace(public.turn, mine=mine) if acts else None
    return May(mine, actor, acts and bool(public.reveal), may_take_back(table, device))
