"""What is looked at, played and taken back in the game that is on, and how it is finished."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.games.fields import UNKNOWN_PLAYER, Fields, Malformed, PlayerIndex
from companion.games.game import Rejection
from companion.tables import commands as ask
from companion.tables import ending, reasons
from companion.tables import events as on
from companion.tables.chance import RecordingShuffle
from companion.tables.codec import encode_events
from companion.tables.dealing import DealSource
from companion.tables.model import Device, SeatId, Table
from companion.tables.names import Names
from companion.tables.rejections import NO_GAME, NOT_HOST, NOT_SEATED, UNDER_WAY, UNKNOWN_SEAT, bad


def look(table: Table, device: Device, command: ask.Look) -> on.Answer:
    seat = table.seat(command.seat)
    if seat is None:
        return UNKNOWN_SEAT
    if seat.device != device:
        return NOT_SEATED
    if table.game_state is None or table.index(seat.id) is None:
        return NO_GAME
    if seat.id in table.round.looked or not table.game.deals_secrets:
        return ()
    return (on.Looked(seat.id),)


def begin(table: Table) -> on.Answer:
    if not table.playing:
        return NO_GAME
    return () if table.round.begun else (on.BegunWithout(),)


def play(table: Table, device: Device, command: ask.Play, *, ends_wait: bool) -> on.Answer:
    held = table.held_in_play(device)
    if device != table.host and not held:
        return NOT_SEATED
    seat_id = command.seat
    if seat_id is None and held:
        seat_id = held[0].id
    if table.game_state is None:
        return NO_GAME
    by = None
    if seat_id is not None:
        by = table.index(seat_id)
        if by is None:
            return UNKNOWN_SEAT
        if device != table.host and seat_id not in (seat.id for seat in held):
            return NOT_SEATED
    game = table.game
    asked = _read(table, command.play, by, device == table.host)
    if isinstance(asked, Rejection):
        return asked
    if not table.round.begun:
        return Rejection(reasons.NOT_BEGUN, {"missing": list(table.missing)})
    events = ending.blocked(table) or game.decide(table.game_state, asked)
    if isinstance(events, Rejection):
        return events
    return _played(table, seat_id, events, ends_wait=ends_wait)


def _played(
    table: Table, seat: SeatId | None, events: Sequence[Any], *, ends_wait: bool
) -> tuple[on.Event, ...]:
    """What ends a round or the game waits."""
    done = on.Played(seat, encode_events(events))
    if ends_wait and ending.must_wait(table, table.game.fold(table.game_state, events)):
        return (on.EndTold(done.seat, done.events),)
    return (done,)


def _read(
    table: Table, fields: Mapping[str, Any], by: PlayerIndex | None, host: bool
) -> Any | Rejection:
    """The game's play out of the fields that came in; `by`: who makes it.

    A host without a seat reports in the first player's name: the table's own event keeps that it
    was nobody's.
    """
    game = table.game
    name = fields.get("play")
    way = game.ways[table.way]
    if type(name) is not str or name not in way.plays | game.host_plays | way.host_plays:
        return bad("play")
    if not host and (name not in way.plays or not way.host_fields.isdisjoint(fields)):
        return NOT_HOST
    unknown: list[object] = []

    def player_index(seat: object) -> PlayerIndex | None:
        index = table.player_index(seat)
        if index == UNKNOWN_PLAYER:
            unknown.append(seat)
        return index

    whose: Fields = {"by": table.players[by or 0].id}
    read = way.read or game.read_play
    play = read({**fields, **whose}, player_index)
    if isinstance(play, Malformed):
        return bad(play.field)
    return UNKNOWN_SEAT if unknown else play


def finish(table: Table, *, ends_wait: bool) -> on.Answer:
    if not table.playing:
        return NO_GAME
    if table.game.finish is None:
        return UNDER_WAY
    blocked = ending.blocked(table)
    if blocked is not None:
        return blocked
    return _played(table, None, table.game.finish(table.game_state), ends_wait=ends_wait)


def count(table: Table, device: Device) -> on.Answer:
    if not may_count(table, device):
        return NOT_SEATED
    if table.game_state is None or table.playing:
        return UNDER_WAY if table.playing else NO_GAME
    return () if table.counted else (on.Counted(),)


def may_count(table: Table, device: Device | None) -> bool:
    """The host, or who held a seat in the game: not who waits for the next one."""
    if device is None:
        return False
    played = (table.index(seat.id) is not None for seat in table.held(device))
    return device == table.host or any(played)


def take_back(table: Table, device: Device, source: DealSource, name_max: int) -> on.Answer:
    if device != table.host and not table.held_in_play(device):
        return NOT_SEATED
    if not table.round.undo_steps:
        return Rejection(reasons.NOTHING_TO_TAKE_BACK)
    blocked = ending.blocked(table)
    if blocked is not None:
        return blocked
    if not may_take_back(table, device):
        return NOT_HOST
    return _taken_back(table, source, name_max)


def _taken_back(table: Table, source: DealSource, name_max: int) -> on.Answer:
    """The last play. If it ended a round, what was drawn has been seen: what is left is drawn anew,
    so that nobody learns from what else somebody would have had who has what. Players who have left
    since are back; whoever has come meanwhile and is called as one of them gets another name."""
    last = table.round.undo_steps[-1]
    most = table.game.seat_counts[-1]
    if len(table.seats) + len(table.round.left) > most:
        return Rejection(reasons.TABLE_FULL, {"max": most})
    shuffles: tuple[tuple[int, ...], ...] = ()
    if table.game.is_between_rounds(table.game_state) and table.game.redraw is not None:
        assert table.beginning is not None
        drawn = RecordingShuffle(source.rest(table))
        table.game.redraw(table.beginning.game_state, last.before, drawn)
        shuffles = tuple(drawn.shuffles)
    return (*_renamed(table, name_max), on.TakenBack(last.version, shuffles))


def _renamed(table: Table, name_max: int) -> Iterator[on.SeatRenamed]:
    """Seats that are called as a player who has left."""
    players = [seat.name for _, seat in table.round.left]
    taken, left = Names(players), Names(players)
    for seat in table.seats:
        taken.add(seat.name)
    for seat in table.seats:
        free = taken.free(seat.name, name_max) if seat.name in left else seat.name
        if isinstance(free, Rejection):
            name = free.params["suggestion"]
            taken.add(name)
            yield on.SeatRenamed(seat.id, name)


def may_take_back(table: Table, device: Device | None) -> bool:
    """The host may take back any play since the deal. Where the referee follows the plays, the
    device that reported the last one and the seat whose play it was may take that one back, until
    the next play, also where something was put right meanwhile; but none before it."""
    if not table.round.undo_steps or device is None or table.round.end_waits:
        return False
    if device == table.host:
        return True
    last = table.round.undo_steps[-1]
    mine = last.by == device or any(seat.id == last.seat for seat in table.held(device))
    follows = table.game.ways[last.way].follows
    return mine and follows and table.round.undone is None and bool(table.held_in_play(device))
