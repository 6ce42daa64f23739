"""Offers of a seat to another phone, or of the table screen to a laptop: a one-time key and a short
code, valid for minutes.

Offers are kept only as hashes, and in memory where there is one process; after its restart the old
phone makes another. A new offer of the same takes the place of the older one.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from typing import Protocol

from msgspec.structs import replace

from companion.tables.model import Device, SeatId
from companion.values import Value

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""None that is easily taken for another: no 0 and O, no 1, I and L."""

OFFER_CODE_LENGTH = 8
OFFERS_MAX = 10_000


def short_code(length: int) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def tidy_code(raw: str) -> str:
    """A code as it was meant, however it was typed.

    >>> tidy_code(" k7f-2mq ")
    'K7F2MQ'
    """
    return "".join(char for char in raw.upper() if char.isalnum())


def digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()


class LentScreen(Value, frozen=True):
    """The table screen, as one phone lends it."""

    lent_from: SeatId | None  # None: a host without a seat lends it


Offerable = SeatId | LentScreen


def as_number(what: Offerable) -> int:
    """As it lies in a database, and is sent to other processes: a screen is the seat that it is
    lent from, with a sign.

    >>> [as_number(each) for each in (SeatId(3), LentScreen(SeatId(3)), LentScreen(None))]
    [3, -3, 0]
    """
    return -(what.lent_from or 0) if isinstance(what, LentScreen) else what


def of_number(number: int) -> Offerable:
    """See `as_number`."""
    if number > 0:
        return SeatId(number)
    return LentScreen(SeatId(-number) if number else None)


class Offer(Value, frozen=True):
    """For the old phone to show, once."""

    table_id: str
    what: Offerable
    key: str
    code: str
    good_for_s: float  # from when it was made


class Offered(Value, frozen=True):
    """What is kept of an offer."""

    table_id: str
    what: Offerable
    device: Device | None  # of the old phone; None: the host has freed the seat
    expires_at: float
    taken_by: Device | None = None


class OfferStore(Protocol):
    def make(self, table_id: str, what: Offerable, device: Device | None) -> Offer: ...

    def find(self, key_or_code: str) -> Offered | None:
        """The offer with this key or code, taken or not, unless its time is over."""

    def mark_taken(self, offered: Offered, device: Device) -> None:
        """From now on only the same device gets an answer, so that a double tap does no harm."""

    def forget(self, table_id: str) -> None:
        """All that were made at a table."""


def found(key_or_code: str, look_up: Callable[[str], Offered | None], now: float) -> Offered | None:
    """See `OfferStore.find`. `look_up`: by a digest."""
    for candidate in (key_or_code, tidy_code(key_or_code)):
        offered = look_up(digest(candidate))
        if offered is not None and offered.expires_at > now:
            return offered
    return None


class MemoryOffers:
    """In the memory of the only process."""

    def __init__(self, clock: Callable[[], float], good_for_s: float) -> None:
        self._clock = clock
        self._good_for_s = good_for_s
        self._by_hash: dict[str, Offered] = {}
        self._hashes: dict[tuple[str, Offerable], tuple[str, str]] = {}  # to key and code

    def make(self, table_id: str, what: Offerable, device: Device | None) -> Offer:
        self._sweep()
        self._drop((table_id, what))
        expires_at = self._clock() + self._good_for_s
        key, code = secrets.token_urlsafe(16), short_code(OFFER_CODE_LENGTH)
        while digest(code) in self._by_hash:
            code = short_code(OFFER_CODE_LENGTH)
        offered = Offered(table_id, what, device, expires_at)
        self._hashes[table_id, what] = (digest(key), digest(code))
        for one in self._hashes[table_id, what]:
            self._by_hash[one] = offered
        return Offer(table_id, what, key, code, self._good_for_s)

    def find(self, key_or_code: str) -> Offered | None:
        return found(key_or_code, self._by_hash.get, self._clock())

    def mark_taken(self, offered: Offered, device: Device) -> None:
        hashes = self._hashes.get((offered.table_id, offered.what), ())
        after = replace(offered, taken_by=device)
        for one in hashes:
            if self._by_hash.get(one) == offered:
                self._by_hash[one] = after

    def forget(self, table_id: str) -> None:
        for slot in [slot for slot in self._hashes if slot[0] == table_id]:
            self._drop(slot)

    def _drop(self, slot: tuple[str, Offerable]) -> None:
        for one in self._hashes.pop(slot, ()):
            self._by_hash.pop(one, None)

    def _sweep(self) -> None:
        now = self._clock()
        gone = [
            slot for slot, (key, _) in self._hashes.items() if self._by_hash[key].expires_at <= now
        ]
        for slot in gone:
            self._drop(slot)
        while len(self._hashes) >= OFFERS_MAX:
            self._drop(next(iter(self._hashes)))
