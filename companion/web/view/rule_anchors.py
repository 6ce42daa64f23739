"""Addresses of the rules at hand."""

from __future__ import annotations

from urllib.parse import quote


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
