"""Tables of a café, whose codes last: who plays there, and when they are free again."""

from __future__ import annotations

from typing import Final

from companion.tables.model import Table

OVER_S: Final = 1800.0
"""After a game, or before one, in which nothing happens: then those who sat there have gone."""

LEFT_S: Final = 3 * 3600.0
"""The same in the middle of a game, which may be played for long without a word to a phone."""


def is_free(table: Table, now: float) -> bool:
    """Whether another evening can begin where this one was. `now`: seconds since the epoch."""
    return now - table.used_at >= (LEFT_S if table.playing else OVER_S)
