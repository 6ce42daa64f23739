"""What several processes that write one log share beside it, and how each hears of the others.

Only what must be right lies here, in the same database as the log: numbers that phones have sealed
or opened for a deal, and offers of seats. What a decision has read of it is checked when the
decision is written down, so that nothing comes in between.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager
from typing import Protocol

from companion.tables.offers import Offered
from companion.values import Value


class NotesNeeded(Value, frozen=True):
    """What is needed of the notes at a table."""

    places: Collection[str]
    """Places to keep; notes at all others are deleted."""
    names: Collection[str]
    """Names to keep at a place with `most` notes or more."""
    most: int


class SharedStore(Protocol):
    """Every method raises `StorageError` where the database is away."""

    def versions(self, table_ids: Collection[str]) -> dict[str, int]:
        """Of the tables among these that are there."""

    def alone(self, request: str) -> AbstractContextManager[None]:
        """No other process opens a table by this request, which is a hash, meanwhile."""

    def note(
        self,
        table_id: str,
        version: int,
        said: Mapping[str, Mapping[str, str]],
        needed: NotesNeeded | None = None,
    ) -> dict[str, dict[str, str]] | None:
        """Notes what was said at places of a table, by name, where there is no note of that name
        yet; all that is noted at these places then. None where the table is not at this version.

        `needed`: what else goes before; None: all stays, however many there are.
        """

    def notes(self, table_id: str) -> dict[str, dict[str, str]]:
        """By place and name."""

    def put_offer(self, digests: tuple[str, str], offered: Offered) -> bool:
        """In the place of the older offer of the same; False where a digest is taken."""

    def find_offer(self, digest: str) -> Offered | None:
        """Whether its time is over or not."""

    def take_offer(self, offered: Offered) -> None:
        """Says by whom it was taken."""
