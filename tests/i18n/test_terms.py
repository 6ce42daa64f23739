"""The glossary's terms: phrases that are settled, and words that may not be used.

A later reading by a native goes before the glossary: Finnish “Tuomari mukana” is such a phrase.
"""

import re
import tomllib
from pathlib import Path

import pytest

from companion import languages
from tests.i18n import catalogue

DATA = Path(__file__).parent / "data"


def forbidden() -> list[tuple[str, str, str]]:
    with (DATA / "forbidden.toml").open("rb") as source:
        rules = tomllib.load(source)
    return [
        (locale, pattern, use)
        for locale in languages.LOCALES
        for pattern, use in (rules["all"] | rules[locale]).items()
    ]


@pytest.mark.parametrize("locale", languages.LOCALES)
def test_no_forbidden_words(locale: str) -> None:
    found = []
    for message in catalogue.read(locale):
        for text in catalogue.strings(message) if message.id else ():
            for where, pattern, use in forbidden():
                if where == locale and re.search(pattern, text):
                    found.append(f"{text!r}: not {pattern!r}; {use}")
    assert found == []


@pytest.mark.parametrize("locale", [each for each in languages.LOCALES if each != "en"])
def test_settled_phrases_are_used_as_they_are(locale: str) -> None:
    settled = {english: row[locale] for english, row in catalogue.settled().items()}
    other = {}
    for message in catalogue.read(locale):
        if isinstance(message.id, str) and message.id in settled and message.string:
            wanted = settled[message.id]
            if str(message.string).replace(catalogue.SOFT_HYPHEN, "") != wanted:
                other[message.id] = (message.string, wanted)
    assert other == {}
