"""The letters of pictures: a font of our own, so that they are alike whatever the machine has.

It is Noto Sans with the letters of Latin, Greek and Cyrillic alphabets (`companion/web/fonts`).
How wide a letter is stands in two of its tables, `cmap` (format 4) and `hmtx`; see the OpenType
specification. Letters draw together in pairs but never apart, so no text is wider than their sum.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from struct import unpack_from
from typing import Final

FOLDER: Final = Path(__file__).parents[1] / "fonts"
REGULAR, BOLD = FOLDER / "sans-Regular.ttf", FOLDER / "sans-Bold.ttf"

UNKNOWN_EM: Final = 1.2
"""As wide as the widest letters of other alphabets, and pictures."""


@cache
def _widths() -> dict[int, float]:
    """Of bold letters, by code point, in em."""
    data = BOLD.read_bytes()
    tables = {
        tag: start
        for at in range(12, 12 + 16 * unpack_from(">H", data, 4)[0], 16)
        for tag, _, start, _ in (unpack_from(">4sIII", data, at),)
    }
    em: int = unpack_from(">H", data, tables[b"head"] + 18)[0]
    count: int = unpack_from(">H", data, tables[b"hhea"] + 34)[0]

    def width(glyph: int) -> float:
        at = tables[b"hmtx"] + 4 * min(glyph, count - 1)
        return float(unpack_from(">H", data, at)[0] / em)

    return {code: width(glyph) for code, glyph in _glyphs(data, tables[b"cmap"]).items()}


def _glyphs(data: bytes, cmap: int) -> dict[int, int]:
    """By code point: the number of its glyph. `cmap`: where that table begins."""
    subtables = (
        cmap + unpack_from(">I", data, cmap + 8 + 8 * each)[0]
        for each in range(unpack_from(">H", data, cmap + 2)[0])
    )
    at = next(each for each in subtables if unpack_from(">H", data, each)[0] == 4)
    size = unpack_from(">H", data, at + 6)[0]  # twice the number of segments
    ends, starts, deltas, offsets = (
        at + 14,
        at + 16 + size,
        at + 16 + 2 * size,
        at + 16 + 3 * size,
    )
    glyphs = {}
    for segment in range(0, size, 2):
        end, start, delta, offset = (
            unpack_from(">H", data, each + segment)[0] for each in (ends, starts, deltas, offsets)
        )
        for code in range(start, min(end, 0xFFFE) + 1):
            glyph = code
            if offset:
                glyph = unpack_from(">H", data, offsets + segment + offset + 2 * (code - start))[0]
            glyphs[code] = (glyph + delta) & 0xFFFF
    return glyphs


def width(text: str) -> float:
    """At most, in em, of bold letters."""
    widths = _widths()
    return sum(widths.get(ord(letter), UNKNOWN_EM) for letter in text)


def has(text: str) -> bool:
    """Whether the font has all letters of a text; others must come from the machine's."""
    return all(ord(letter) in _widths() for letter in text)


def size(text: str, room: float, most: float) -> float:
    """Of letters so that a text fits into `room`, `most` at the most; all in the same unit.

    >>> size("Li", 500, 40)
    40
    >>> 20 < size("M" * 24, 500, 40) < 40
    True
    """
    return min(most, room / max(width(text), 1e-9))
