"""Another game with the same people: a table of its own, where they sit as they sat here."""

from __future__ import annotations

from companion.games.game import Rejection
from companion.tables import commands as ask
from companion.tables.model import Device, Table
from companion.tables.rejections import NOT_HOST, UNDER_WAY
from companion.tables.service import Tables


def go_on(
    tables: Tables, table: Table, device: Device, command: ask.Open, request_key: str
) -> Table | Rejection:
    """The new table, with the seats of those whose phones hold one here, as many as its game is
    for; all phones here are told of it. Sent again with the same key it is done once."""
    if device != table.host:
        return NOT_HOST
    if table.playing:
        return UNDER_WAY
    opened = tables.open(device, command, request_key)
    if isinstance(opened, Rejection):
        return opened
    for seat in table.seats:
        if seat.device is not None:
            key = f"{request_key} {seat.id}"
            join = ask.Join(seat.name)
            tables.submit(opened.id, seat.device, join, version=None, request_key=key)
    if table.link_renewals:  # who was kept out here is kept out there
        key = f"{request_key} link"
        tables.submit(opened.id, device, ask.RenewLink(), version=None, request_key=key)
    tables.standing.go_on(table.id, opened.id)
    told = ask.GoOn(opened.id, command.game)
    answer = tables.submit(table.id, device, told, version=None, request_key=request_key)
    return answer if isinstance(answer, Rejection) else opened
