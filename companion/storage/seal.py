"""Events under lock: what the log says of an event is AES-256-GCM, under a key beside the database.

The key is derived from the program's secret key and is in no file of the database, so that a look
into one tells nothing by accident. Each event is bound to its place: another table's, another
version's or another kind's cannot be opened there. What stays legible is when which device caused
an event of which kind, and its size in steps of `STEP_BYTES`: so two roles have one length.
"""

from __future__ import annotations

import hmac
import json
import os
from typing import Any, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

NONCE_BYTES: Final = 12
STEP_BYTES: Final = 128
CHECK_BYTES: Final = 16


class UnsealableError(Exception):
    """Not sealed with this key, for this place, or changed since."""


class Seal:
    def __init__(self, secret: bytes) -> None:
        self._cipher = AESGCM(_derived(secret, "event log 1: key", 32))
        self.check = _derived(secret, "event log 1: check", CHECK_BYTES)
        """Lies in the database: whether a key is the right one, without telling which it is."""

    def fits(self, check: bytes) -> bool:
        return hmac.compare_digest(check, self.check)

    def close(self, table_id: str, version: int, kind: str, data: dict[str, Any]) -> bytes:
        """Nonce, then what is sealed with its tag."""
        plain = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
        return self.close_text(table_id, version, kind, plain)

    def close_text(self, table_id: str, version: int, kind: str, plain: bytes) -> bytes:
        """The same for JSON as it is, made longer by blanks."""
        nonce = os.urandom(NONCE_BYTES)
        padded = plain + b" " * (-len(plain) % STEP_BYTES)
        return nonce + self._cipher.encrypt(nonce, padded, _place(table_id, version, kind))

    def open(self, table_id: str, version: int, kind: str, sealed: bytes) -> dict[str, Any]:
        nonce, rest = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
        try:
            plain = self._cipher.decrypt(nonce, rest, _place(table_id, version, kind))
        except (InvalidTag, ValueError) as error:
            raise UnsealableError from error
        data: dict[str, Any] = json.loads(plain)
        return data


def _place(table_id: str, version: int, kind: str) -> bytes:
    return f"{table_id}\0{version}\0{kind}".encode()


def _derived(secret: bytes, purpose: str, length: int) -> bytes:
    return HKDF(SHA256(), length, salt=None, info=f"companion {purpose}".encode()).derive(secret)
