"""The state of a table after an event. Total and deterministic: no clock, no chance, no refusal.

An event that this program cannot have written (`UndecodableError`) means that the log is broken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from msgspec.structs import replace

from companion.games.game import AnyGame
from companion.tables import events as on
from companion.tables import evolve_play as play
from companion.tables import evolve_seats as seats
from companion.tables.codec import UndecodableError
from companion.tables.identity import reports_as
from companion.tables.model import (
    Activity,
    CameFrom,
    Change,
    Device,
    NextTable,
    SealedDeal,
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
        activity=Activity(first.at, first.at, first.by, first.by, first.at, first.at),
        game=game,
        edition=event.edition,
        way=event.way,
        language=event.language,
        host=first.by,
    )


def evolve(table: Table, logged: LoggedEvent) -> Table:
    return replace(
        _after(table, logged),
        version=logged.version,
        change=_changed(table, logged),
        activity=_active(table, logged),
    )


def _changed(table: Table, logged: LoggedEvent) -> Change:
    event, version = logged.event, logged.version
    if not isinstance(event, on.MAKES_PAGES_STALE) or _only_waited(table, event):
        return table.change
    ignored = isinstance(event, on.IGNORED_BY_ORDER_FREE_PLAYS)
    for_all_version = table.change.for_all_version if ignored else version
    return Change(version, type(event), logged.by, for_all_version)


def _active(table: Table, logged: LoggedEvent) -> Activity:
    before, at, by = table.activity, logged.at, logged.by
    back = isinstance(logged.event, on.WentOn) and logged.event.table == table.id
    lively = by != before.last_by or isinstance(logged.event, on.BY_WHO_PLAYS)
    return Activity(
        opened_at=before.opened_at,
        used_at=max(before.used_at, at),
        last_by=by,
        seen_by=None if back else by,
        last_at=at,
        lively_at=at if lively else min(before.lively_at, at),
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
        case on.WentOn(other, game):
            here = other == table.id  # they have come back
            after = None if here else NextTable(other, game)
            return replace(table, next_table=after, explained=None)  # else nobody would see it
        case on.Gathered(other, pairs, screens):
            screens_now = table.screens | set(screens)
            return replace(table, came_from=CameFrom(other, pairs), screens=screens_now)
        case on.DeckLoaded(known):
            return replace(table, deck=known)
        case on.Explained(step):
            return replace(table, explained=step)
        case on.SealsFixed(starter, seals):
            return play.sealed(table, SealedDeal(version, by, starter, seals))
        case on.GameStarted():
            return play.started(table, version, event)
        case on.Dealt():
            return play.dealt(table, event)
        case on.Looked(seat):
            return play.looked(table, seat)
        case on.BegunWithout():
            return play.begun_without(table)
        case on.EndTold(seat, events):
            teller = reports_as(table, by, seat)
            told = WaitingEnd(version, at, by, seat, teller, events, table.phones)
            return play.end_told(table, told)
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
        case on.Opened():
            raise UndecodableError("event")
        case _:
            assert_never(event)
