"""Another game with the same people: a table of its own, where they sit as they sat here; or the
one that they came from, whose games are counted on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import takewhile

from companion.games.game import Rejection
from companion.tables import commands as ask
from companion.tables.log import DamagedError
from companion.tables.model import Device, Table
from companion.tables.rejections import NOT_HOST, UNDER_WAY
from companion.tables.service import Tables

LATELY_MAX = 10
"""Tables of the host's, newest used first, among which the one is that they came from."""


def go_on(
    tables: Tables, table: Table, device: Device, command: ask.Open, request_key: str
) -> Table | Rejection:
    """The other table, with the seats of those whose phones hold one here, as many as its game is
    for; all phones here are told of it. Sent again with the same key it is done once."""
    if device != table.host:
        return NOT_HOST
    if table.playing:
        return UNDER_WAY
    found = _came_from(tables, table, command.game)
    opened = found or tables.open(device, command, request_key)
    if isinstance(opened, Rejection):
        return opened
    for seat in table.seats:
        if seat.device is not None and not opened.held(seat.device):
            key = f"{request_key} {seat.id}"
            join = ask.Join(seat.name)
            tables.submit(opened.id, seat.device, join, version=None, request_key=key)
    if table.link_renewals > opened.link_renewals:  # who was kept out here is kept out there
        key = f"{request_key} link"
        tables.submit(opened.id, device, ask.RenewLink(), version=None, request_key=key)
    tables.standing.go_on(table.id, opened.id)
    told = ask.GoOn(opened.id, command.game)
    answer = tables.submit(table.id, device, told, version=None, request_key=request_key)
    if isinstance(answer, Rejection):
        return answer
    if found is not None:
        tables.submit(opened.id, device, told, version=None, request_key=request_key)
    return opened


def _came_from(tables: Tables, table: Table, game: str) -> Table | None:
    """Where they played that game before this one: its host has led them from there to here."""
    for table_id in tables.hosted_by(table.host, LATELY_MAX):
        found = _fresh(tables, table_id) if table_id != table.id else None
        if found is None or found.game.name != game or found.playing:
            continue
        if _leads(found, table) or _leads(table, found):  # the latter where this is asked again
            return found
    return None


def _fresh(tables: Tables, table_id: str) -> Table | None:
    with suppress(DamagedError):
        return tables.fresh(table_id)
    return None


def _leads(table: Table, to: Table) -> bool:
    return table.next_table is not None and table.next_table.id == to.id


def onward(tables: Tables, table: Table) -> Table | None:
    """Where those of this table play by now; None: here, as far as anybody may know who has no
    more than its link."""
    *_, last = (table, *takewhile(lambda each: not each.link_renewals, _after(tables, table)))
    return last if last is not table else None


def _after(tables: Tables, table: Table) -> Iterator[Table]:
    """One after the other, each once."""
    seen = {table.id}
    after = table.next_table
    while after is not None and after.id not in seen:
        seen.add(after.id)
        found = _fresh(tables, after.id)
        if found is None:
            return
        yield found
        after = found.next_table
