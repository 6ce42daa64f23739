"""A PNG of eight bits a channel, read by its own rules: what is drawn can be looked at."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from itertools import pairwise

BYTES = 4
"""A pixel: red, green, blue and how far it covers what is below."""


@dataclass(frozen=True)
class Png:
    wide: int
    high: int
    rows: tuple[bytes, ...]

    def colours(self, left: float, top: float, right: float, bottom: float) -> set[bytes]:
        """In a rectangle, its edges counted in."""
        across = range(BYTES * int(left), BYTES * int(right), BYTES)
        return {row[at : at + 3] for row in self.rows[int(top) : int(bottom)] for at in across}


def size(data: bytes) -> tuple[int, int]:
    """Width and height."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert data[12:16] == b"IHDR"
    wide, high = struct.unpack_from(">II", data, 16)
    return wide, high


def read(data: bytes) -> Png:
    (wide, high), packed, at = size(data), b"", 8
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            assert body[8:] == bytes((8, 6, 0, 0, 0)), "not eight bits a channel, with alpha"
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    plain, row_bytes = zlib.decompress(packed), BYTES * wide
    starts = range(0, len(plain) + 1, row_bytes + 1)
    rows, above = [], bytes(row_bytes)
    for start, end in pairwise(starts):
        above = _unfiltered(plain[start], bytearray(plain[start + 1 : end]), above)
        rows.append(above)
    return Png(wide, high, tuple(rows))


def _unfiltered(kind: int, row: bytearray, above: bytes) -> bytes:
    if kind == 2:
        return bytes((each + up) & 255 for each, up in zip(row, above, strict=True))
    if kind:
        for at in range(len(row)):
            left = row[at - BYTES] if at >= BYTES else 0
            corner = above[at - BYTES] if at >= BYTES else 0
            guess = (left, 0, (left + above[at]) // 2, _paeth(left, above[at], corner))[kind - 1]
            row[at] = (row[at] + guess) & 255
    return bytes(row)


def _paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    return min((left, up, corner), key=lambda each: abs(guess - each))
