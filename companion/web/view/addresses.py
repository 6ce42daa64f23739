"""Addresses within addresses: there, too, a mark stands for the id of the table in kept HTML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote, urlencode

from companion.web.html.cache import TABLE

_MARK: Final = quote(TABLE)


def quoted(address: str, safe: str = "/") -> str:
    """As a part of another address. An id of a table needs no quoting.

    >>> quoted("/t/abc/screen?at=1"), quoted(f"/t/{TABLE}", safe="") == f"%2Ft%2F{TABLE}"
    ('/t/abc/screen%3Fat%3D1', True)
    """
    return quote(address, safe=safe).replace(_MARK, TABLE)


def query_of(fields: Mapping[str, object]) -> str:
    """All of them that have a value, as an address has them."""
    return urlencode({name: value for name, value in fields.items() if value}).replace(_MARK, TABLE)
