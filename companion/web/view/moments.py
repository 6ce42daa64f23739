"""What is worked out of a table's newest state once, however many phones ask for it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, TypeVarTuple

from companion.live.listener import Call
from companion.tables.model import SeatId, Table
from companion.web.view.network import Network

TABLES_KEPT = 200

VIEWS_KEPT = 5 * TABLES_KEPT
"""Of a table: as it lies from four sides, and on its screen."""

Of = TypeVarTuple("Of")
Made = TypeVar("Made")


class Around(NamedTuple):
    """What the pages of a table show beside its state."""

    host_away: bool
    """Nothing has been heard of the host's device for a while."""
    host_gone: bool
    """So long that somebody else may host."""
    network: Network
    """Where phones reach the machine."""
    lonely: bool
    """No phone comes, and the table screen says what to try."""
    awaited: frozenset[SeatId] = frozenset()
    """Seats whose phones have not followed to this table yet."""


class Moment:
    """A state of a table as all phones see it, with what has been made of it so far."""

    __slots__ = (
        "_made",
        "around",
        "call",
        "end_wait_s",
        "names",
        "shown",
        "table",
    )

    def __init__(self, table: Table, around: Around, end_wait_s: int) -> None:
        self.table = table
        self.around = around
        self.end_wait_s = end_wait_s
        """How long anybody can stop an end that was told."""
        self.names = table.names
        """Of the players."""
        self.call: Call | None = None
        """The hub's call that woke the streams for the last look here; None: no call did."""
        self.shown: frozenset[tuple[str, str]] = frozenset()
        """Pages that follow the table, by name and language."""
        self._made: dict[Any, Any] = {}

    def shows(self, table: Table, around: Around) -> bool:
        return self.table is table and self.around == around

    def once(self, make: Callable[[*Of], Made], *of: *Of) -> Made:
        """`make(*of)`, made when it is first asked for. What it is made of is told apart by
        identity: such values are large and never change. It is kept as long as the moment, and so
        is made of what belongs to that, never to one request."""
        key = (make, *map(id, of))
        found = self._made.get(key)
        if found is None:
            kept = [each for each in of if each is not self]  # so that their ids stay theirs
            found = self._made[key] = (kept, make(*of))
        made: Made = found[1]
        return made


class Moments:
    """The newest moment of each table, for the tables that were asked for last."""

    def __init__(self, end_wait_s: int) -> None:
        self._end_wait_s = end_wait_s
        self._of: OrderedDict[str, Moment] = OrderedDict()

    def of(self, table: Table, around: Around) -> Moment:
        moment = self._of.get(table.id)
        if moment is None or not moment.shows(table, around):
            moment = Moment(table, around, self._end_wait_s)
            self._of[table.id] = moment
        self._of.move_to_end(table.id)
        while len(self._of) > TABLES_KEPT:
            self._of.popitem(last=False)
        return moment

    def newest(self, table_id: str) -> Moment | None:
        return self._of.get(table_id)

    def forget(self, table_id: str) -> None:
        self._of.pop(table_id, None)
