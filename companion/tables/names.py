"""Which names a seat may have: at least one visible character, at most 24 code points, and no two
that look the same at one table.

What cannot be seen or turns text about (control, format and direction characters, fillers) is left
out silently; so are marks stacked higher than any language stacks them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from companion.rules.game import Rejection
from companion.tables.model import NAME_MAX

MARKS_MAX = 3
"""Combining marks on one letter; more is a prank that paints over the lines around it."""

INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc") | frozenset(
    chr(code) for code in (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
)
"""Fillers and selectors that are letters, marks or symbols by category."""

LOOK_ALIKE = str.maketrans("аеорсухіјѕһԁԛԝαορνικτυ", "aeopcyxijshdqwaopviktu")
"""Small Cyrillic and Greek letters that are drawn as Latin ones."""


def clean(raw: str) -> str | Rejection:
    """The name as it is kept, or why there is none.

    >>> clean("  Anna\\u202e \\t Liisa ")
    'Anna Liisa'
    >>> clean("\\u200b").reason, clean("x" * 25).reason
    ('name_empty', 'name_too_long')
    """
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", raw):
        category = unicodedata.category(char)
        if char.isspace():
            char = " "
        elif category in ("Cc", "Cf", "Cs") or char in INVISIBLE:
            continue
        if category in ("Mn", "Me"):
            marks += 1
            if marks > MARKS_MAX or not kept or kept[-1] == " ":
                continue
        else:
            marks = 0
        kept.append(char)
    name = " ".join(unicodedata.normalize("NFC", "".join(kept)).split())
    if not name:
        return Rejection("name_empty")
    if len(name) > NAME_MAX:
        return Rejection("name_too_long", {"max": NAME_MAX})
    return name


def skeleton(name: str) -> str:
    """Equal for names that cannot be told apart when somebody calls them out or glances at them.

    >>> skeleton("ANNA") == skeleton("anna") == skeleton("\\uff21nn\\u0430")
    True
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    folded = unicodedata.normalize("NFKC", folded).translate(LOOK_ALIKE)
    return " ".join(folded.split())


def free_name(raw: str, taken: Iterable[str]) -> str | Rejection:
    """The cleaned name, if nobody at the table has it; else a suggestion with a number."""
    name = clean(raw)
    if isinstance(name, Rejection):
        return name
    skeletons = {skeleton(other) for other in taken}
    if skeleton(name) not in skeletons:
        return name
    number = 2
    while True:
        suggestion = f"{name[: NAME_MAX - len(str(number)) - 1].rstrip()} {number}"
        if skeleton(suggestion) not in skeletons:
            return Rejection("name_taken", {"name": name, "suggestion": suggestion})
        number += 1
