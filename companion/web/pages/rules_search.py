"""Finds words in the rules, without regard to case and diacritics, and marks them."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from markupsafe import Markup, escape

from companion.games.book import Rule

QUERY_MAX: Final = 100
"""Characters of a query that are looked at."""


def folded(text: str) -> str:
    """Text without case and diacritics: “Käik” and “kaik” are the same."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(each for each in apart if not unicodedata.combining(each))


def words(query: str) -> tuple[str, ...]:
    """What is looked for: each word, folded."""
    return tuple(dict.fromkeys(re.findall(r"\w+", folded(query[:QUERY_MAX]))))


def matches(rule: Rule, wanted: tuple[str, ...]) -> bool:
    """Whether a paragraph has all the words, as whole words or parts of them."""
    text = folded(" ".join((rule.title, *(line.text for line in rule.lines))))
    return all(word in text for word in wanted)


def marked(text: str, wanted: tuple[str, ...]) -> Markup:
    """The text with every hit marked."""
    if not wanted:
        return escape(text)
    plain, origin = _folded_with_origins(text)
    hit = [False] * len(text)
    for word in wanted:
        start = plain.find(word)
        while start >= 0:
            for place in range(origin[start], origin[start + len(word) - 1] + 1):
                hit[place] = True
            start = plain.find(word, start + 1)
    parts = []
    start = 0
    for place in range(1, len(text) + 1):
        if place == len(text) or hit[place] != hit[start]:
            part = escape(text[start:place])
            parts.append(Markup("<mark>{}</mark>").format(part) if hit[start] else part)
            start = place
    return Markup("").join(parts)


def _folded_with_origins(text: str) -> tuple[str, list[int]]:
    """The folded text, and for each of its characters the place it comes from."""
    plain, origin = "", []
    for place, letter in enumerate(text):
        part = folded(letter)
        plain += part
        origin += [place] * len(part)
    return plain, origin
