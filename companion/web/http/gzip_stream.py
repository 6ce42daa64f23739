"""A stream compressed so that every message is whole when it arrives.

Each message is packed by itself and flushed to the last byte, so nothing waits for what comes next
and no stream keeps a window in memory. What is equal for many phones could be packed once.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

HEAD: Final = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
"""Of a gzip file without name and time; RFC 1952."""

LEVEL: Final = 6


def pack(message: bytes) -> bytes:
    """Blocks of one deflate stream that refer to nothing before them and end on a byte."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(message) + packer.flush(zlib.Z_FULL_FLUSH)


def packed(messages: Iterable[bytes]) -> Iterator[bytes]:
    """A gzip stream that has no end: whoever listens goes away before.

    >>> found = zlib.decompressobj(zlib.MAX_WBITS | 16)
    >>> [found.decompress(chunk) for chunk in packed([b"data: 1", b"data: 2"])]
    [b'', b'data: 1', b'data: 2']
    """
    yield HEAD
    for message in messages:
        yield pack(message)
