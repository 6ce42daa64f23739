"""The rules at hand: a game's book as one of its editions has it."""

from __future__ import annotations

from gettext import NullTranslations

from companion import games
from companion.games.book import Section


def book(t: NullTranslations, game: str, edition: str) -> tuple[Section, ...]:
    """The rules of a game as one of its editions has them."""
    found = games.find(game)
    if found is None:
        raise LookupError(game)
    sections: tuple[Section, ...] = found.book(t, edition)
    return sections


def title(t: NullTranslations, game: str, edition: str, anchor: str) -> str | None:
    """What the paragraph at `anchor` is called."""
    rules = (rule for section in book(t, game, edition) for rule in section.rules)
    return next((rule.title for rule in rules if rule.anchor == anchor), None)
