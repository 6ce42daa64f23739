"""Finds words in the rules, without regard to case and diacritics, and marks them."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from markupsafe import Markup, escape

from companion.games.book import Rule

QUERY_MAX: Final = 100
"""Characters of a query that are looked at."""

WORDS_MAX: Final = 8
"""Of a query; what comes after them is not looked for."""

HIT: Final = "\x02"
HIT_END: Final = "\x03"
"""In no text of ours."""

TEXTS_KEPT: Final = 8192
"""Of the books in all editions and languages, folded once."""


def folded(text: str) -> str:
    """Text without case and diacritics: “Käik” and “kaik” are the same."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(each for each in apart if not unicodedata.combining(each))


def words(query: str) -> tuple[str, ...]:
    """What is looked for: the first words, each folded."""
    found = dict.fromkeys(re.findall(r"\w+", folded(query[:QUERY_MAX])))
    return tuple(found)[:WORDS_MAX]


@lru_cache(maxsize=TEXTS_KEPT)
def _text_of(rule: Rule) -> str:
    return folded(" ".join((rule.title, *(line.text for line in rule.lines))))


def matches(rule: Rule, wanted: tuple[str, ...]) -> bool:
    """Whether a paragraph has all the words, as whole words or parts of them."""
    text = _text_of(rule)
    return all(word in text for word in wanted)


def marked(text: str, wanted: tuple[str, ...]) -> Markup:
    """The text with every hit marked."""
    hits = _hits(text, wanted) if wanted else []
    if not hits:
        return escape(text)
    parts: list[str] = []
    done = 0
    for start, end in hits:
        parts += text[done:start], HIT, text[start:end], HIT_END
        done = end
    whole = str(escape("".join((*parts, text[done:]))))  # at once: there may be thousands of hits
    return Markup(whole.replace(HIT, "<mark>").replace(HIT_END, "</mark>"))  # noqa: S704 - escaped


def _hits(text: str, wanted: tuple[str, ...]) -> list[tuple[int, int]]:
    """Where the text is to be marked: from where to where, in order, apart from each other."""
    plain, origin = _folded_with_origins(text)
    found = []
    for word in wanted:
        start = plain.find(word)
        while start >= 0:
            found.append((origin[start], origin[start + len(word) - 1] + 1))
            start = plain.find(word, start + 1)
    apart: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if apart and start <= apart[-1][1]:
            apart[-1] = apart[-1][0], max(end, apart[-1][1])
        else:
            apart.append((start, end))
    return apart


@lru_cache(maxsize=TEXTS_KEPT)
def _folded_with_origins(text: str) -> tuple[str, tuple[int, ...]]:
    """The folded text, and for each of its characters the place it comes from."""
    plain, origin = "", []
    for place, letter in enumerate(text):
        part = folded(letter)
        plain += part
        origin += [place] * len(part)
    return plain, tuple(origin)
