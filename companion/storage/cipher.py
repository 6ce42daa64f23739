"""The content of events is encrypted (AES-256-GCM); the key is kept outside the database.

The key is derived from the program's secret key and is in no file of the database, so that a look
into one reveals nothing by accident. Each event is bound to its place in the log and to the columns
beside it: content that was moved to another table, version or kind, or whose device, time or
request was changed, cannot be decrypted. The kind of an event, its device and its time stay
legible, and so does its size in steps (`STEP_BYTES`, `STEPS`): two roles have the same length.
"""

from __future__ import annotations

import hmac
import json
import os
from typing import Any, Final

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from companion.tables.keys import Keys
from companion.values import Value

NONCE_BYTES: Final = 12
TAG_BYTES: Final = 16
STEP_BYTES: Final = 128
STEPS: Final = {"Dealt": 2048, "EndTold": 1024}
"""Of a deal, and of an end of a round that can still be stopped, more than the longest one has: its
size must not show which dwarf is left over."""

CHECK_BYTES: Final = 16


class UndecryptableError(Exception):
    """Not encrypted with this key, for this place, or changed since."""


class AssociatedData(Value, frozen=True):
    """The columns beside the encrypted content."""

    table_id: str
    version: int
    kind: str
    request: str | None
    device: str
    at: float

    @property
    def bound(self) -> bytes:
        beside = (self.table_id, self.version, self.kind, self.request, self.device, self.at)
        return json.dumps(beside, default=repr).encode()

    @property
    def step(self) -> int:
        return step_of(self.kind)


def step_of(kind: str) -> int:
    return STEPS.get(kind, STEP_BYTES)


def _plain(data: dict[str, Any]) -> bytes:
    return msgspec.json.encode(data)


def blanks(kind: str, data: dict[str, Any]) -> int:
    """How many are put behind the content of an event of this kind before it is encrypted."""
    return -len(_plain(data)) % step_of(kind)


def encrypted_size(kind: str, data: dict[str, Any]) -> int:
    """Bytes of an event of this kind, encrypted."""
    return NONCE_BYTES + len(_plain(data)) + blanks(kind, data) + TAG_BYTES


def place_alone(table_id: str, version: int, kind: str) -> bytes:
    """What events were bound to before the database's version 0004."""
    return f"{table_id}\0{version}\0{kind}".encode()


class Cipher:
    def __init__(self, secret: bytes) -> None:
        self._aes = AESGCM(_derived(secret, "event log 1: key", 32))
        self.keys = Keys(secret)
        """Also of requests, which older versions of the database have otherwise."""
        self.check = _derived(secret, "event log 1: check", CHECK_BYTES)
        """Lies in the database: whether a key is the right one, without telling which it is."""

    def fits(self, check: bytes) -> bool:
        return hmac.compare_digest(check, self.check)

    def encrypt(self, beside: AssociatedData, data: dict[str, Any]) -> bytes:
        """Nonce, then what is encrypted with its tag."""
        return self.encrypt_bytes(beside.bound, _plain(data), beside.step)

    def encrypt_bytes(self, bound: bytes, plain: bytes, step: int = STEP_BYTES) -> bytes:
        """The same for JSON that is text already; blanks behind it make its length a multiple of
        `step`."""
        nonce = os.urandom(NONCE_BYTES)
        padded = plain + b" " * (-len(plain) % step)
        return nonce + self._aes.encrypt(nonce, padded, bound)

    def decrypt(self, beside: AssociatedData, encrypted: bytes) -> dict[str, Any]:
        return msgspec.json.decode(self.decrypt_bytes(beside.bound, encrypted), type=dict[str, Any])

    def decrypt_bytes(self, bound: bytes, encrypted: bytes) -> bytes:
        nonce, rest = encrypted[:NONCE_BYTES], encrypted[NONCE_BYTES:]
        try:
            return self._aes.decrypt(nonce, rest, bound)
        except (InvalidTag, ValueError) as error:
            raise UndecryptableError from error


def _derived(secret: bytes, purpose: str, length: int) -> bytes:
    return HKDF(SHA256(), length, salt=None, info=f"companion {purpose}".encode()).derive(secret)
