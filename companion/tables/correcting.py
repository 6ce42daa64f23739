"""A play that was reported wrongly is put right, and what was played since stays, if it can."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.fields import Malformed
from companion.games.game import Rejection
from companion.tables import commands as ask
from companion.tables import ending, reasons
from companion.tables import events as on
from companion.tables.codec import encode_events
from companion.tables.model import Device, Table
from companion.tables.rejections import NO_GAME, NOT_HOST, NOT_SEATED, bad


def correct(table: Table, device: Device, command: ask.Correct) -> on.Answer:
    held = [seat.id for seat in table.held(device)]
    if device != table.host and not held:
        return NOT_SEATED
    game, steps = table.game, table.round.undo_steps
    if not table.playing or game.correct is None:
        return NO_GAME
    blocked = ending.blocked(table)
    if blocked is not None:
        return blocked
    events = [step.events for step in steps]
    plays = game.correct(table.game_state, events, dict(command.wrong), table.player_index)
    if isinstance(plays, Malformed):
        return bad(plays.field)
    if isinstance(plays, Rejection):
        return plays
    was = reported(table)
    changed = [at for at, play in enumerate(plays) if play != was[at]]
    if not changed:
        return ()
    if device != table.host and any(table.players[plays[at].by].id not in held for at in changed):
        return NOT_HOST
    return judged_again(table, plays, changed)


def reported(table: Table) -> list[Any]:
    """The plays of its steps."""
    return [play for step in table.round.undo_steps for play in table.game.plays_of(step.events)]


def judged_again(table: Table, plays: Sequence[Any], changed: Sequence[int]) -> on.Answer:
    """All plays from the first one that differs, judged once more; `changed`: which ones do."""
    game, first = table.game, changed[0]
    state = table.round.undo_steps[first].before
    done = []
    for at, play in enumerate(plays[first:], first):
        events = game.decide(state, play)
        if isinstance(events, Rejection):
            if at in changed:
                return events
            # what a host without a seat reported is nobody's, whosever name it is in
            name = (
                table.players[play.by].name if table.round.undo_steps[at].seat is not None else None
            )
            return Rejection(reasons.WOULD_FALL, {"name": name})
        done.append(encode_events(events))
        state = game.fold(state, events)
    if ending.must_wait(table, state):  # by a correction it would come at once
        return Rejection(reasons.WOULD_END)
    return (on.Corrected(first, tuple(done)),)
