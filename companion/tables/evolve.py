"""The state of a table after an event. Total and deterministic: no clock, no chance, no refusal.

An event that this program cannot have written (`UndecodableError`) means that the log is broken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from companion.games.game import AnyGame
from companion.tables import events as on
from companion.tables import evolve_play as play
from companion.tables import evolve_seats as seats
from companion.tables.codec import UndecodableError
from companion.tables.identity import reports_as
from companion.tables.model import (
    Change,
    Device,
    SealedDeal,
    SeatId,
    Table,
    WaitingEnd,
    Wifi,
)
from companion.values import Value


class LoggedEvent(Value, frozen=True):
    """An event with what the log keeps beside it."""

    version: int
    at: float  # seconds since the epoch
    by: Device
    event: on.Event


def fold(
    table_id: str, table: Table | None, logged: Sequence[LoggedEvent], games: Mapping[str, AnyGame]
) -> Table | None:
    for one in logged:
        table = opened(table_id, one, games) if table is None else evolve(table, one)
    return table


def opened(table_id: str, first: LoggedEvent, games: Mapping[str, AnyGame]) -> Table:
    event = first.event
    if not isinstance(event, on.Opened):
        raise UndecodableError("event")
    game = games.get(event.game)
    if game is None:
        raise UndecodableError("game")
    return Table(
        id=table_id,
        version=first.version,
        change=Change(first.version, on.Opened, first.by),
        game=game,
        edition=event.edition,
        way=event.way,
        language=event.language,
        host=first.by,
        seats=(),
        next_seat=SeatId(1),
        wifi=None,
        game_state=None,
        players=(),
        starter=None,
        looked=frozenset(),
        round_begun=False,
        undo_steps=(),
        games_over=0,
        opened_at=first.at,
        used_at=first.at,
        ended=False,
        last_by=first.by,
        last_at=first.at,
        lively_at=first.at,
    )


def evolve(table: Table, logged: LoggedEvent) -> Table:
    change, for_all = table.change, table.changed_for_all_version
    if isinstance(logged.event, on.MAKES_PAGES_STALE) and not _only_waited(table, logged.event):
        change = Change(logged.version, type(logged.event), logged.by)
        if not isinstance(logged.event, on.IGNORED_BY_ORDER_FREE_PLAYS):
            for_all = logged.version
    lively = logged.by != table.last_by or isinstance(logged.event, on.BY_WHO_PLAYS)
    return replace(
        _after(table, logged),
        version=logged.version,
        used_at=max(table.used_at, logged.at),
        last_by=logged.by,
        last_at=logged.at,
        lively_at=logged.at if lively else min(table.lively_at, logged.at),
        change=change,
        changed_for_all_version=for_all,
    )


def _only_waited(table: Table, event: on.Event) -> bool:
    """Whether a seat has gone that had no part in the game that is on: no page of it is misled."""
    return isinstance(event, on.SeatRemoved) and not table.plays(event.seat)


def _after(table: Table, logged: LoggedEvent) -> Table:
    event, version, at, by = logged.event, logged.version, logged.at, logged.by
    match event:
        case on.SeatTaken():
            return seats.taken(table, event)
        case on.SeatRemoved(seat):
            return seats.removed(table, seat)
        case on.SeatRenamed(seat, name):
            return seats.renamed(table, seat, name)
        case on.NamesTakenOut(names):
            return seats.nameless(table, version, names)
        case on.SeatsOrdered():
            return seats.ordered(table, event)
        case on.SeatFreed(seat):
            return seats.freed(table, seat, by)
        case on.SeatMoved():
            return seats.moved(table, event)
        case on.HostMoved(device):
            return seats.host_moved(table, device)
        case on.PeopleJoined():
            return seats.joined(table, event)
        case on.PeopleParted(seat):
            return seats.parted(table, seat)
        case on.Configured(edition, way, language):
            return replace(table, edition=edition, way=way, language=language)
        case on.WifiSet(name, password):
            return replace(table, wifi=Wifi(name, password))
        case on.WifiCleared():
            return replace(table, wifi=None)
        case on.LinkRenewed():
            return replace(table, link_renewals=table.link_renewals + 1, screens=frozenset())
        case on.DeckLoaded(known):
            return replace(table, deck=known)
        case on.Explained(step):
            return replace(table, explained=step)
        case on.SealsFixed(starter, seals):
            return replace(table, sealed_deal=SealedDeal(version, by, starter, seals))
        case on.GameStarted():
            return play.started(table, version, event)
        case on.Dealt():
            return play.dealt(table, event)
        case on.Looked(seat):
            return play.looked(table, seat)
        case on.BegunWithout():
            return replace(table, round_begun=True)
        case on.EndTold(seat, events):
            teller = reports_as(table, by, seat)
            told = WaitingEnd(version, at, by, seat, teller, events, table.phones)
            return replace(table, waiting_end=told, stopped=None)
        case on.EndStopped():
            return play.end_stopped(table, by)
        case on.Played():
            return play.played(table, version, at, by, event)
        case on.Corrected():
            return play.corrected(table, at, by, event)
        case on.TakenBack():
            return play.taken_back(table, at, by, event)
        case on.Counted():
            return replace(table, counted=True)
        case _:
            raise UndecodableError("event")
