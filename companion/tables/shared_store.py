"""What several processes that write one log share beside it, and how each hears of the others.

Only what must be right lies here, in the same database as the log: numbers that phones have sealed
or opened for a deal, and offers of seats. What a decision has read of it is checked when the
decision is written down, so that nothing comes in between.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from typing import Final, Protocol

from msgspec.structs import replace

from companion.tables.log import StorageError
from companion.tables.model import Device
from companion.tables.offers import (
    OFFER_CODE_LENGTH,
    Offer,
    Offerable,
    Offered,
    digest,
    short_code,
    tidy_code,
)
from companion.values import Value

TRIES: Final = 5
"""To find a code that is free."""


class NotesNeeded(Value, frozen=True):
    """What is needed of the notes at a table."""

    places: Collection[str]
    """What is noted elsewhere at the table goes."""
    names: Collection[str]
    """All others go from a place where `most` are."""
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


class SharedOffers:
    """Shared with other processes, whose clocks agree to some seconds."""

    def __init__(self, shared: SharedStore, clock: Callable[[], float], good_for_s: float) -> None:
        """`clock`: seconds since the epoch."""
        self._shared = shared
        self._clock = clock
        self._good_for_s = good_for_s

    def make(self, table_id: str, what: Offerable, device: Device | None) -> Offer:
        offered = Offered(table_id, what, device, self._clock() + self._good_for_s)
        for _ in range(TRIES):
            key, code = secrets.token_urlsafe(16), short_code(OFFER_CODE_LENGTH)
            if self._shared.put_offer((digest(key), digest(code)), offered):
                return Offer(table_id, what, key, code, self._good_for_s)
        raise StorageError("an offer could not be kept")

    def find(self, key_or_code: str) -> Offered | None:
        for candidate in (key_or_code, tidy_code(key_or_code)):
            offered = self._shared.find_offer(digest(candidate))
            if offered is not None and offered.expires_at > self._clock():
                return offered
        return None

    def taken(self, offered: Offered, device: Device) -> None:
        self._shared.take_offer(replace(offered, taken_by=device))

    def forget(self, table_id: str) -> None:
        """They went when the new link was written down: see `log.Index.renewed`."""
