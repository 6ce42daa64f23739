"""The rules at hand: their addresses, and the names of their paragraphs."""

from __future__ import annotations

from gettext import NullTranslations

from companion.games.game import AnyGame
from companion.web.view.addresses import quoted


def title(t: NullTranslations, game: AnyGame, edition: str, anchor: str) -> str | None:
    """What the paragraph at `anchor` is called."""
    rules = (rule for section in game.book(t, edition) for rule in section.rules)
    return next((rule.title for rule in rules if rule.anchor == anchor), None)


def rules_path(
    game: str,
    edition: str | None = None,
    anchor: str | None = None,
    back: str | None = None,
    q: str | None = None,
) -> str:
    """The address of the rules in an edition; `back` is the page that the reader came from, `q`
    the words that are searched."""
    asked = {"edition": edition, "back": back, "q": q}
    query = "&".join(f"{name}={quoted(value, safe='')}" for name, value in asked.items() if value)
    return f"/rules/{game}" + (f"?{query}" if query else "") + (f"#{anchor}" if anchor else "")
