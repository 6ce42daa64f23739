"""Finds words in the rules, without regard to case and diacritics, and marks them."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import log
from typing import Final

from markupsafe import Markup, escape

from companion.games.book import Rule

QUERY_MAX: Final = 100
"""Characters of a query that are looked at."""

WORDS_MAX: Final = 16
"""Of a query; what comes after them is not looked for."""

STEM_MIN: Final = 4
ENDING: Final = 2
"""Letters that stay of a word, and that an ending has."""

NEARLY: Final = 0.6
"""Part of the best score that suffices to be found, too."""

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
    """With a blank before each word."""
    text = folded(" ".join((rule.title, *(line.text for line in rule.lines))))
    return re.sub(r"\w+", r" \g<0>", text)


def search(
    rules: Sequence[Rule], wanted: tuple[str, ...]
) -> tuple[frozenset[str], tuple[str, ...]]:
    """Anchors of the paragraphs that have all the words, as whole words or parts of them; and what
    was looked for. Where none has them all, as in a question: those that have most of what is rare
    in these rules, at the beginnings of words and without the endings."""
    texts = {rule.anchor: _text_of(rule) for rule in rules}
    found = frozenset(at for at, text in texts.items() if all(word in text for word in wanted))
    if found:
        return found, wanted
    stems = tuple(dict.fromkeys(map(_stem, wanted)))
    had = {at: [stem for stem in stems if f" {stem}" in text] for at, text in texts.items()}
    in_how_many = Counter(stem for each in had.values() for stem in each)
    worth = {stem: log(len(rules) / times) for stem, times in in_how_many.items()}
    scores = {at: sum(worth[stem] for stem in each) for at, each in had.items()}
    least = NEARLY * max(scores.values(), default=0)
    return frozenset(at for at, score in scores.items() if 0 < least <= score), stems


def _stem(word: str) -> str:
    """Without what may be an ending."""
    return word[: max(STEM_MIN, len(word) - ENDING)]


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
    """The folded text, and for each of its characters the index it comes from."""
    plain, origin = "", []
    for index, letter in enumerate(text):
        part = folded(letter)
        plain += part
        origin += [index] * len(part)
    return plain, tuple(origin)
