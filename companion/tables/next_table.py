"""Another game with the same people: a table of its own, where they sit as they sat here; or the
one that they came from, whose games are counted on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import takewhile

from companion.games.game import Rejection
from companion.tables import commands as ask
from companion.tables.log import DamagedError
from companion.tables.model import Device, Table
from companion.tables.rejections import NOT_HOST, UNDER_WAY
from companion.tables.service import Tables


def go_on(
    tables: Tables,
    table: Table,
    device: Device,
    game: str,
    request_key: str,
    opening: Callable[[], Table | Rejection],
) -> Table | Rejection:
    """The other table, with those who sit here, as many as its game is for; all phones here are
    told of it. Sent again with the same key it is done once. `opening`: where there is none yet."""
    if device != table.host:
        return NOT_HOST
    if table.playing:
        return UNDER_WAY
    opened = _already(tables, table, game) or opening()
    if isinstance(opened, Rejection):
        return opened
    gather, told = ask.Gather(table), ask.GoOn(opened.id, game)
    key = f"{request_key} people"  # the other one has it from `open`
    gathered = tables.submit(opened.id, device, gather, version=None, request_key=key)
    if isinstance(gathered, Rejection):
        return gathered
    answer = tables.submit(table.id, device, told, version=None, request_key=request_key)
    if isinstance(answer, Rejection):  # a game has begun here meanwhile
        return answer
    tables.standing.go_on(table.id, opened.id)
    return gathered


def _already(tables: Tables, table: Table, game: str) -> Table | None:
    """The table where they play that game: the one that they came from, if all there have been led
    here; or the one that they have gone to already, with the same host."""
    before, after = table.came_from, table.next_table
    found = _fresh(tables, before.table) if before is not None else None
    if found is not None and _leads(found, table) and _can_take(found, game):
        return found
    found = _fresh(tables, after.id) if after is not None else None
    if found is not None and found.host == table.host and _can_take(found, game):
        return found
    return None


def _can_take(table: Table, game: str) -> bool:
    return table.game.name == game and not table.playing


def _fresh(tables: Tables, table_id: str) -> Table | None:
    with suppress(DamagedError):
        return tables.fresh(table_id)
    return None


def _leads(table: Table, to: Table) -> bool:
    return table.next_table is not None and table.next_table.id == to.id


def neighbours(tables: Tables, table: Table) -> Iterator[Table]:
    """Where they played before they came here, and where they have gone on to; neither twice."""
    before, after = table.came_from, table.next_table
    ids = (before.table if before is not None else "", after.id if after is not None else "")
    for each in dict.fromkeys(filter(None, ids)):
        found = _fresh(tables, each)
        if found is not None:
            yield found


def onward(tables: Tables, table: Table) -> Table:
    """Where those of this table play by now, as far as anybody may know who has no more than its
    link: one that was made anew since leads nobody past it."""
    *_, last = takewhile(
        lambda each: each.link_renewals <= table.link_renewals, _onward(tables, table)
    )
    return last


def _onward(tables: Tables, table: Table) -> Iterator[Table]:
    """This one and those after it, each once."""
    seen: set[str] = set()
    found: Table | None = table
    while found is not None and found.id not in seen:
        yield found
        seen.add(found.id)
        after = found.next_table
        found = _fresh(tables, after.id) if after is not None else None
