"""Gzip for event streams: each piece of a message is deflated alone and fully flushed.

So a message is whole when it arrives, without waiting for the next one, no stream keeps a window in
memory, and what many phones are sent is packed once.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

HEAD: Final = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
"""Of a gzip file without name and time; RFC 1952."""

LEVEL: Final = 6

WINDOW_BITS: Final = 13
MEMORY_LEVEL: Final = 6
"""For a window of 8 KiB: hardly a piece is longer, and what is beside a small packer in the
processor's cache stays there."""

SHORT: Final = 20
"""Bytes of what is sent as it is, in a stored block; RFC 1951, 3.2.4."""


def pack(message: bytes) -> bytes:
    """Blocks of one deflate stream that refer to nothing before them and end on a byte."""
    if len(message) <= SHORT:
        return b"\0" + struct.pack("<HH", len(message), 0xFFFF ^ len(message)) + message
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -WINDOW_BITS, MEMORY_LEVEL)
    return packer.compress(message) + packer.flush(zlib.Z_FULL_FLUSH)


PIECES_KEPT: Final = 256

_kept_pack = lru_cache(PIECES_KEPT)(pack)
"""Many phones are sent the same piece in one moment."""


def packed(messages: Iterable[Sequence[bytes]]) -> Iterator[bytes]:
    """A gzip stream that has no end: whoever listens goes away before.

    >>> found = zlib.decompressobj(zlib.MAX_WBITS | 16)
    >>> [found.decompress(chunk) for chunk in packed([[b"data: ", b"1"], [b"data: 2"]])]
    [b'', b'data: 1', b'data: 2']
    """
    yield HEAD
    for pieces in messages:
        yield b"".join(map(_kept_pack, pieces))


def unpacked(messages: Iterable[Sequence[bytes]]) -> Iterator[bytes]:
    """As they are."""
    return map(b"".join, messages)
