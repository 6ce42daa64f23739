"""Offers in the database that processes share."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from companion.tables.log import StorageError
from companion.tables.model import Device
from companion.tables.offers import (
    OFFER_CODE_LENGTH,
    Offer,
    Offerable,
    Offered,
    digest,
    found,
    short_code,
)
from companion.tables.shared_store import SharedStore

CODE_TRIES: Final = 5
"""To find a code that is free."""


class SharedOffers:
    """Shared with other processes, whose clocks agree to some seconds."""

    def __init__(self, shared: SharedStore, clock: Callable[[], float], good_for_s: float) -> None:
        """`clock`: seconds since the epoch."""
        self._shared = shared
        self._clock = clock
        self._good_for_s = good_for_s

    def make(self, table_id: str, what: Offerable, device: Device | None) -> Offer:
        offered = Offered(table_id, what, device, self._clock() + self._good_for_s)
        for _ in range(CODE_TRIES):
            key, code = secrets.token_urlsafe(16), short_code(OFFER_CODE_LENGTH)
            if self._shared.put_offer((digest(key), digest(code)), offered):
                return Offer(table_id, what, key, code, self._good_for_s)
        raise StorageError("an offer could not be kept")

    def find(self, key_or_code: str) -> Offered | None:
        return found(key_or_code, self._shared.find_offer, self._clock())

    def mark_taken(self, offered: Offered, device: Device) -> None:
        self._shared.take_offer(replace(offered, taken_by=device))

    def forget(self, table_id: str) -> None:
        """They went when the new link was written down: see `log.Index.renewed`."""
