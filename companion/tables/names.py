"""Which names a seat may have: at least one visible character, at most 24 code points. No two names
of a table may look the same, even when blanks, points or strokes are added to one of them.

Characters that cannot be seen, that reverse text or mean nothing to others (control, format and
direction characters, fillers, private use) are left out silently; so are marks stacked higher than
any language stacks them. A joiner stays where a picture or a script needs it, so that a family of
emoji and a Persian name stay what they are. Unicode's own list (UTS 39), kept in `look_alikes.txt`,
says which characters look the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path

from companion.games.fields import NAME_MAX
from companion.games.game import Rejection
from companion.tables import reasons

LOOK_ALIKES = Path(__file__).with_name("look_alikes.txt")
"""Unicode's characters that look alike: those of one line do."""

RAW_MAX = 1000
"""Characters that are looked at; a longer text is too long whatever is left out of it."""

MARKS_MAX = 3
"""Combining marks on one letter; more is a prank that paints over the lines around it."""

INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164"
    "\ufe00-\ufe0f\uffa0\ufff0-\ufff8\ufffc\U00016fe4\U0001d159\U000e0000-\U000e0fff]"
)
"""Fillers and selectors that are letters, marks or symbols by category; and what Unicode has set
aside for more of them: no browser draws it (`Default_Ignorable_Code_Point`)."""

DECORATING = (
    ("\u0300", "\u036f"),
    ("\u1ab0", "\u1aff"),
    ("\u1dc0", "\u1dff"),
    ("\u20d0", "\u20ff"),
    ("\ufe20", "\ufe2f"),
)
"""Marks for any script. Where Unicode has the letter with its mark as one, it is that letter."""

SIGNS = frozenset("\u1427\u2212\u2217\u2218\u2219\u2223\u22c5\ua78f") | frozenset(
    chr(code) for code in (*range(0x02B0, 0x0300), *range(0x2500, 0x25A0))
)
"""Points, dashes, bars and blocks that are letters or pictures by category."""

OTHER_SCRIPTS = "\u0530"
"""Letters before this one are of Latin, Greek and Cyrillic."""

SMALL_CAPITALS = (range(0x0250, 0x02B0), range(0x1D00, 0x1D23), range(0xA720, 0xA800))
"""Where Unicode has them, among others."""

PICTURES = "\u2190"
"""Symbols from here on are pictures; those before are signs such as ˙, ° and +."""

ZWNJ, ZWJ, IN_COLOUR, KEY = "\u200c", "\u200d", "\ufe0f", "\u20e3"
_PICTURE = (
    r"[\u203c\u2049\u2122\u2139\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
    rf"[{IN_COLOUR}\U0001f3fb-\U0001f3ff]?"
)
_JOINING = "[\u0600-\u07ff\u0840-\u0dff]"  # Arabic to Sinhala: what is written joined or not
_REGION = "\U000e0030-\U000e0039\U000e0061-\U000e007a"
_END = "\U000e007f"
_HELPERS = frozenset(f"{ZWNJ}{ZWJ}{IN_COLOUR}{_END}") | frozenset(
    chr(code) for code in (*range(0xE0030, 0xE003A), *range(0xE0061, 0xE007B))
)
_NEEDED = re.compile(
    f"{_PICTURE}(?:{ZWJ}{_PICTURE})+"
    f"|\U0001f3f4[{_REGION}]{{2,6}}{_END}"  # a region's flag
    f"|{_PICTURE}"
    f"|[0-9#*]{IN_COLOUR}{KEY}"
    f"|[\u00a9\u00ae]{IN_COLOUR}"
    f"|(?<={_JOINING})[{ZWNJ}{ZWJ}](?={_JOINING})"
    f"|(?P<needless>[{''.join(_HELPERS)}])"
)
"""Where characters that are not seen by themselves belong to what is seen, and where not."""


def clean(raw: str, most: int = NAME_MAX) -> str | Rejection:
    """The name as it is kept, or why there is none; `most`: characters of it.

    >>> clean("  Anna\\u202e \\t Liisa ")
    'Anna Liisa'
    >>> clean("\\u200b").reason.code, clean("x" * 25).reason.code
    ('name_empty', 'name_too_long')
    """
    name = _visible(raw) if len(raw) <= RAW_MAX else raw
    if not name:
        return Rejection(reasons.NAME_EMPTY)
    if len(name) > most:
        return Rejection(reasons.NAME_TOO_LONG, {"max": most})
    return name


def _visible(raw: str) -> str:
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", raw):
        category = unicodedata.category(char)
        if char.isspace():
            char = " "
        elif char in _HELPERS:
            kept.append(char)
            continue
        elif category in ("Cc", "Cf", "Cs", "Co") or INVISIBLE.match(char) or _is_none(char):
            continue
        if category in ("Mn", "Me"):
            marks += 1
            if marks > MARKS_MAX or not kept or kept[-1] == " ":
                continue
        else:
            marks = 0
        kept.append(char)
    text = _NEEDED.sub(lambda found: "" if found["needless"] else found[0], "".join(kept))
    return " ".join(unicodedata.normalize("NFC", text).split())


def _is_none(char: str) -> bool:
    """Codes that Unicode will never give to a character."""
    code = ord(char)
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF


_SMALL = re.compile("LATIN LETTER SMALL CAPITAL ([A-Z])")


@cache
def _look_alikes() -> dict[str, str]:
    """Each character that looks like others -> the canonical one of them."""
    lines = LOOK_ALIKES.read_text(encoding="utf-8").splitlines()
    alike = [line for line in lines if line and not line.startswith("# ")]
    small = map(chr, chain.from_iterable(SMALL_CAPITALS))
    capitals = {
        char: name[1] for char in small if (name := _SMALL.fullmatch(unicodedata.name(char, "")))
    }
    found = {char: line[0] for line in alike for char in line[1:]}

    def plainest(char: str) -> str:
        first = found.get(char, char)
        capital = capitals.get(first)
        return first if capital is None else found.get(capital, capital)

    return {char: plainest(char) for char in found.keys() | capitals.keys()}


def _decorates(char: str) -> bool:
    """Blanks, points, strokes through or under a letter: no name is another's by them. Pictures and
    the vowel signs of other scripts tell names apart."""
    category = unicodedata.category(char)
    if category[0] == "M":
        return any(first <= char <= last for first, last in DECORATING)
    return category[0] in "PZ" or (category[0] == "S" and char < PICTURES) or char in SIGNS


def _canonical(char: str, but: Iterable[str]) -> str:
    return char if char in but else _look_alikes().get(char, char)


def _is_point(char: str, canonical: str) -> bool:
    """A point or dash, whichever script's letter looks like it; no stroke that is like an l."""
    mark = unicodedata.category(char)[0] == "M"
    return _decorates(char) and not mark and not (canonical.isascii() and canonical.isalnum())


def _without_strange_marks(text: str) -> Iterator[str]:
    """A vowel sign of another script is one behind that script's letters; behind those of Latin,
    Greek and Cyrillic it only decorates."""
    letter = ""
    for char in text:
        if unicodedata.category(char)[0] != "M":
            letter = char
        elif _canonical(letter, ()) < OTHER_SCRIPTS and not _decorates(char):
            continue
        yield char


def _drawn(text: str, *but: str) -> str:
    """`text` in the plainest characters that look like it, without what only decorates it; those of
    `but` stay."""
    bare = "".join(char for char in text if char not in _HELPERS)
    apart = [
        (char, _canonical(char, but))
        for char in _without_strange_marks(unicodedata.normalize("NFKD", bare))
    ]
    pointless = "".join(" " if _is_point(*each) else each[1] for each in apart)
    whole = unicodedata.normalize("NFC", pointless)
    left = "".join(char for char in whole if not _decorates(char))
    as_it_is = unicodedata.normalize("NFC", "".join(canonical for _, canonical in apart))
    return left or " ".join(as_it_is.split())


def skeleton(name: str) -> tuple[str, str, str]:
    """Two names can be told apart, called out or at a glance, when no part of theirs is the same:
    what is called, what is seen, and what is seen whichever letters are capitals.

    >>> [one == other for one, other in zip(skeleton("ANNA"), skeleton("anna"))]
    [True, False, True]
    >>> [one == other for one, other in zip(skeleton("Al"), skeleton("AI"))]
    [False, True, False]
    >>> [one == other for one, other in zip(skeleton("Bob"), skeleton("\\u0412o\\u0412"))]
    [True, False, True]
    """
    called = unicodedata.normalize("NFKC", name).casefold()
    called = _drawn(unicodedata.normalize("NFKC", called).casefold()).casefold()
    return called, _drawn(name), _drawn(name, "I").casefold()


class Names:
    """Those that are taken at a table; each skeleton is made once, however many there are."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._parts: set[tuple[int, str]] = set()
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        self._parts.update(enumerate(skeleton(name)))

    def __contains__(self, name: str) -> bool:
        """Whether one of them looks or sounds the same."""
        return not self._parts.isdisjoint(enumerate(skeleton(name)))

    def free(self, raw: str, most: int = NAME_MAX) -> str | Rejection:
        """The cleaned name, if nobody at the table has it; else a suggestion with a number."""
        name = clean(raw, most)
        if isinstance(name, Rejection) or name not in self:
            return name
        number = 2
        while True:
            suggestion = f"{name[: most - len(str(number)) - 1].rstrip()} {number}"
            suggestion = _visible(suggestion)  # a cut may have gone through a picture
            if suggestion not in self:
                return Rejection(reasons.NAME_TAKEN, {"name": name, "suggestion": suggestion})
            number += 1


def free_name(raw: str, taken: Iterable[str], most: int = NAME_MAX) -> str | Rejection:
    return Names(taken).free(raw, most)
