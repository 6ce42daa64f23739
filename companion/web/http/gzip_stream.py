"""Gzip for event streams: each message is deflated alone and fully flushed.

So a message is whole when it arrives, without waiting for the next one, and no stream keeps a
window in memory.
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
    """A gzip stream without an end: the listener goes away before.

    >>> found = zlib.decompressobj(zlib.MAX_WBITS | 16)
    >>> [found.decompress(chunk) for chunk in packed([b"data: 1", b"data: 2"])]
    [b'', b'data: 1', b'data: 2']
    """
    yield HEAD
    for message in messages:
        yield pack(message)
