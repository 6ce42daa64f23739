"""The rules of Saboteur in our own words, edition by edition."""

from __future__ import annotations

from gettext import NullTranslations

from companion.games.book import Section
from companion.games.saboteur.book import chapters
from companion.games.saboteur.rules.editions import EDITIONS


def book(t: NullTranslations, edition: str) -> tuple[Section, ...]:
    """The rules as one of the editions has them."""
    return chapters.book(t, EDITIONS[edition])
