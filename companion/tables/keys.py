"""Keys of links, which are never stored, and ids of tables and requests: derived from the program's
secret."""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64encode
from functools import lru_cache
from typing import Final

from companion.tables.model import Device

KEPT: Final = 4096
"""Derived keys, of which every page of a table shows one."""


class Keys:
    """Only who knows the secret can tell them. Those of links and tables have 128 bits, in 22
    letters; those of requests have 64 hexadecimal digits."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def fresh_id(self, request: str, at: float) -> str:
        """Of a table that a request opens."""
        return _derived(self._secret, "table", f"{request}|{at}")

    def join(self, table_id: str, renewed: int) -> str:
        """Of a table's link; `renewed`: how often it was."""
        return _derived(self._secret, "join", f"{table_id}|{renewed}" if renewed else table_id)

    def standing(self, number: int, renewed: int) -> str:
        """Of a café's table; `renewed`: how often its code was."""
        return _derived(self._secret, "standing", f"{number}|{renewed}" if renewed else str(number))

    def request(self, device: Device, key: str) -> str:
        """Of a request, as the log has it."""
        return self.blinded(hashlib.sha256(f"{device}|{key}".encode(errors="replace")).hexdigest())

    def blinded(self, digest: str) -> str:
        """Of a form, by whose digest alone a name or a password could be tried out."""
        return hmac.digest(self._secret, f"request:{digest}".encode(), "sha256").hex()


@lru_cache(KEPT)
def _derived(secret: bytes, purpose: str, of: str) -> str:
    mac = hmac.digest(secret, f"{purpose}:{of}".encode(), "sha256")
    return urlsafe_b64encode(mac[:16]).decode().rstrip("=")
