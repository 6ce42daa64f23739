"""The rules at hand: a game's book as one of its editions has it."""

from __future__ import annotations

from gettext import NullTranslations

from companion.games.game import Game


def title(t: NullTranslations, game: Game, edition: str, anchor: str) -> str | None:
    """What the paragraph at `anchor` is called."""
    rules = (rule for section in game.book(t, edition) for rule in section.rules)
    return next((rule.title for rule in rules if rule.anchor == anchor), None)
