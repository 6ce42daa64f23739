"""Addresses of the rules at hand, and of the paragraph that a refusal rests on.

A refusal that rests on no rule of the game, but on the table or on a file that cannot be read,
has no paragraph.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from companion import games


def rule_of(game: str, reason: str, params: Mapping[str, Any] | None = None) -> str | None:
    """The anchor of the paragraph; None where the refusal rests on no rule of the game."""
    found = games.find(game)
    return None if found is None else found.paragraph_of(reason, params or {})


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
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in asked.items() if value)
    return f"/rules/{game}" + (f"?{query}" if query else "") + (f"#{anchor}" if anchor else "")
