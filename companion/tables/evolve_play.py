"""What becomes of a table by events of its game: begun, dealt, played, put right, taken back."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any, Final

from msgspec.structs import replace

from companion.games.fields import PlayerIndex
from companion.tables import events as on
from companion.tables.chance import AsItLies, ReplayedShuffle
from companion.tables.codec import Plain, UndecodableError, decode_events
from companion.tables.evolve_seats import brought_back
from companion.tables.identity import reports_as
from companion.tables.memory import said_of_cards
from companion.tables.model import (
    Beginning,
    CameFrom,
    Correction,
    Deals,
    Device,
    Handovers,
    Player,
    Result,
    Round,
    SealedDeal,
    SeatId,
    StoppedEnd,
    Table,
    UndoStep,
    WaitingEnd,
)

SHOWN_MAX: Final = 100
"""Finished games, and ends that were taken back, that are kept to be shown: the newest."""

UNDO_STEPS_MAX: Final = 200
"""Plays that can be taken back or put right, the newest: a long game has some hundred, and what is
put right is written down with all plays since."""


def started(table: Table, version: int, event: on.GameStarted) -> Table:
    game = table.game
    players = tuple(Player(seat.id, seat.name) for seat in table.seats)
    first = PlayerIndex([player.id for player in players].index(event.starter))
    state = game.new(len(players), first, table.edition, ReplayedShuffle(event.shuffles))
    if event.known and game.memory is not None:
        state = game.memory.given(state, dict(event.known))
    table = replace(
        table,
        players=players,
        starter=event.starter,
        beginning=Beginning(version, state),
        game_state=state,
        round=Round(begun=not game.deals_secrets),
        finishes_undone=(),
        counted=False,
        explained=None,
        next_table=None,
        came_from=_come_back(table),
        said_before=said_of_cards(table),
        handovers=table.handovers_shown.of(_astray(table)),  # else nobody could see a secret yet
        handovers_before=Handovers(),
    )
    return replace(table, deals=Deals((event.shares,), (event.seals,), (table.phones,)))


def _come_back(table: Table) -> CameFrom | None:
    """Where they come from who play here: they are back from the table that they had gone to, and
    go on there again."""
    before, after = table.came_from, table.next_table
    if after is None or (before is not None and before.table == after.id):
        return before
    return CameFrom(after.id, ())


def _astray(table: Table) -> Set[SeatId]:
    """Seats that were freed, and are on no phone of their players' now: whoever has one, or takes
    it, sees what is dealt."""
    return {seat.id for seat in table.seats if seat.device not in seat.phones} & {
        seat for seat, _ in table.handovers_shown.freed
    }


def dealt(table: Table, event: on.Dealt) -> Table:
    before, deals = table.handovers_before.of(_astray(table)), table.deals
    return replace(
        table,
        game_state=_folded(table, event.events),
        round=Round(),
        deals=replace(
            deals,
            shares=(*deals.shares, event.shares),
            seals=(*deals.seals, event.seals),
            phones=(*deals.phones, table.phones),
            sealed=None,
        ),
        handovers=before.then(table.handovers),
        handovers_before=Handovers(),
    )


def sealed(table: Table, deal: SealedDeal) -> Table:
    return replace(table, deals=replace(table.deals, sealed=deal))


def looked(table: Table, seat: SeatId) -> Table:
    seen = table.round.looked | {seat}
    begun = table.round.begun or len(seen) == len(table.players)
    return replace(table, round=replace(table.round, looked=seen, begun=begun))


def begun_without(table: Table) -> Table:
    return replace(table, round=replace(table.round, begun=True))


def end_told(table: Table, told: WaitingEnd) -> Table:
    return replace(table, round=replace(table.round, waiting_end=told, stopped=None))


def end_stopped(table: Table, by: Device) -> Table:
    told = table.round.waiting_end
    seat = reports_as(table, by, None)
    stopped = StoppedEnd(told, table.actor(by), seat) if told is not None else None
    return replace(
        table,
        round=replace(table.round, waiting_end=None, stopped=stopped),
        taken_back=table.taken_back | {_told_version(table)},
    )


def played(table: Table, version: int, at: float, by: Device, event: on.Played) -> Table:
    done = decode_events(table.game.events, event.events)
    told = table.round.waiting_end
    reported_by = by if told is None else told.by  # else `by` has only confirmed it
    step = UndoStep(
        version=version,
        by=reported_by,
        by_host=reported_by == table.host,
        before=table.game_state,
        edition=table.edition,
        way=table.way,
        events=done,
        seat=event.seat,
        handovers=table.handovers,
        told_version=_told_version(table),
        teller=reports_as(table, by, event.seat) if told is None else told.teller,
        reporter=reported_by,
    )
    so_far = replace(
        table.round,
        undo_steps=(*table.round.undo_steps, step)[-UNDO_STEPS_MAX:],
        undone=None,
        corrected=None,
        waiting_end=None,
        stopped=None,
    )
    return _with_play(table, at, table.game.fold(table.game_state, done), so_far)


def corrected(table: Table, at: float, by: Device, event: on.Corrected) -> Table:
    """Each play from the first one on has other events, and begins where the one before led."""
    first, events = event.step, event.events
    before, old = table.round.undo_steps[:first], table.round.undo_steps[first:]
    if not old or len(old) != len(events):
        raise UndecodableError("events")
    steps, state = list(before), old[0].before
    for step, plain in zip(old, events, strict=True):
        done = decode_events(table.game.events, plain)
        steps.append(replace(step, before=state, events=done))
        state = table.game.fold(state, done)
    # By it the round may be over only now.
    steps[-1] = replace(steps[-1], handovers=table.handovers)
    wrong, right = old[0].events, steps[first]
    other = tuple(each for each in right.events if each not in wrong)
    correction = Correction(
        replace(right, by=by, by_host=by == table.host, events=other or right.events),
        instead_of=tuple(each for each in wrong if each not in right.events),
        before=table.game_state,
    )
    so_far = replace(table.round, undo_steps=tuple(steps), corrected=correction, stopped=None)
    return _with_play(table, at, state, so_far)


def taken_back(table: Table, at: float, by: Device, event: on.TakenBack) -> Table:
    if event.shuffles:
        table = _redrawn(table, event.shuffles)
    table = brought_back(table)
    game, so_far = table.game, table.round
    in_a_row = so_far.undone.in_a_row + 1 if so_far.undone else 1
    undone = replace(so_far.undo_steps[-1], by=by, by_host=by == table.host, in_a_row=in_a_row)
    so_far = replace(
        so_far,
        undo_steps=so_far.undo_steps[:-1],
        undone=undone,
        corrected=None,
        stopped=None,
    )
    table = replace(
        table,
        edition=undone.edition,
        way=undone.way,
        explained=None,
        next_table=None,  # as where another game begins: this one goes on here
        came_from=_come_back(table),
        taken_back=table.taken_back | {undone.version, undone.told_version},
    )
    if game.is_between_rounds(table.game_state) and not game.is_between_rounds(undone.before):
        so_far = replace(so_far, ends_undone=(*so_far.ends_undone, undone)[-SHOWN_MAX:])
        handovers = undone.handovers.then(table.handovers)
        table = replace(table, handovers=handovers, handovers_before=Handovers())
    elif game.is_over(table.game_state):  # it was finished between two rounds
        finishes_undone = (*table.finishes_undone, table.actor(by))[-SHOWN_MAX:]
        table = replace(table, finishes_undone=finishes_undone)
    return _with_play(table, at, undone.before, so_far)


def _told_version(table: Table) -> int:
    """The version at which the end was told that waits; 0 where none does."""
    told = table.round.waiting_end
    return told.version if told is not None else 0


def _redrawn(table: Table, shuffles: Sequence[Sequence[int]]) -> Table:
    """The table with what was left before the last play in another order, in all earlier states
    too: the old order has been seen. Nothing proves the new one."""
    game, beginning = table.game, table.beginning
    if game.redraw is None or beginning is None:
        raise UndecodableError("shuffles")
    chance = ReplayedShuffle(shuffles)
    undo_steps, deals = table.round.undo_steps, table.deals
    initial_state, _ = game.redraw(beginning.game_state, undo_steps[-1].before, chance)
    steps = []
    for step in undo_steps:
        # Before an older one more may have been left than before the last.
        _, before = game.redraw(initial_state, step.before, AsItLies())
        steps.append(replace(step, before=before))
    return replace(
        table,
        beginning=replace(beginning, game_state=initial_state),
        round=replace(table.round, undo_steps=tuple(steps)),
        deals=replace(
            deals,
            shares=(None, *deals.shares[1:]),
            seals=(None, *deals.seals[1:]),
            redrawn=True,
        ),
    )


def _folded(table: Table, events: Plain) -> Any:
    return table.game.fold(table.game_state, decode_events(table.game.events, events))


def _with_play(table: Table, at: float, state: Any, so_far: Round) -> Table:
    game = table.game
    was_over, over = game.is_over(table.game_state), game.is_over(state)
    was_between, between = game.is_between_rounds(table.game_state), game.is_between_rounds(state)
    if between and not was_between:
        # Whoever took a seat or the host's part may have seen what is no secret any more; how the
        # round ended is seen beside it. Where they sat has been counted.
        before = replace(table.handovers, reordered=0)
        table = replace(table, handovers=Handovers(), handovers_before=before)
    return replace(
        table,
        game_state=state,
        round=so_far,
        games_over=table.games_over + over - was_over,
        counted=over and was_between,
        results=_results(table, at, state, was_over, over),
    )


def _results(table: Table, at: float, state: Any, was_over: bool, over: bool) -> tuple[Result, ...]:
    """The results with the game that has just ended, or without the one that goes on again."""
    if was_over and not over:
        return table.results[:-1]
    if over and not was_over and table.beginning is not None:
        result = Result(
            beginning=table.beginning,
            version=table.version + 1,
            at=at,
            players=table.players,
            edition=table.edition,
            way=table.way,
            game_state=state,
            deals=table.deals,
        )
        return (*table.results, result)[-SHOWN_MAX:]
    return table.results
