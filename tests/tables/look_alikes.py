"""Unicode's characters that look alike, out of a library's copy of `confusables.txt` (UTS 39).

    python -m tests.tables.look_alikes    # writes companion/tables/look_alikes.txt anew

A line is a set of single characters that may stand for each other, the plainest first. Left out is
what a compatible decomposition (NFKD) makes equal anyway, and what looks like several letters: "m"
and "rn" may sit at one table.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict

from confusable_homoglyphs import confusables

from companion.tables.names import LOOK_ALIKES

ABOUT = """\
# Characters that look alike, a set a line, from Unicode's confusables.txt (UTS 39).
# Copyright Unicode, Inc.; used under the Unicode License: https://www.unicode.org/license.txt
# Made by tests/tables/look_alikes.py.
"""


def sets() -> list[str]:
    """Each set as a text, its plainest character first."""
    stands_for: dict[str, str] = {}

    def root(char: str) -> str:
        while stands_for.setdefault(char, char) != char:
            char = stands_for[char]
        return char

    for raw, others in confusables.confusables_data.items():
        for other in others:
            one, two = raw.strip("\u200e\u200f"), other["c"].strip("\u200e\u200f")
            if len(one) == len(two) == 1:
                stands_for[root(one)] = root(two)
    found: dict[str, set[str]] = defaultdict(set)
    for char in stands_for:
        if unicodedata.normalize("NFKD", char) == char and not char.isspace():
            found[root(char)].add(char)
    return sorted("".join(sorted(each, key=_plain)) for each in found.values() if len(each) > 1)


def _plain(char: str) -> tuple[bool, bool, bool, str]:
    """Latin letters first, small ones before capitals, then digits, then all others."""
    return not char.isascii(), not char.isalpha(), not char.islower(), char


def main() -> None:
    lines = "".join(f"{each}\n" for each in sets())
    LOOK_ALIKES.write_text(ABOUT + lines, encoding="utf-8")


if __name__ == "__main__":
    main()
