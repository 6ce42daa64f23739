"""The reasons of all games, as tables for docs/record.md."""

from __future__ import annotations

from collections.abc import Iterator
from gettext import NullTranslations
from importlib import import_module

from companion import games
from companion.record import texts

FORMS_ONLY = {"not_seven"}
"""Reasons that a form can meet and a record cannot: such a line is `malformed`."""

FIELDS = {"edge_mismatch": "sides", "goal_orientation": "fits"}
"""What a verdict says beside the reason; test_record_doc.py compares it with verdicts."""


def reasons(game: str) -> list[str]:
    """The reasons of a game in records, in the order of the checks."""
    known = import_module(f"companion.games.{game}.refusals").PARAGRAPHS
    return [reason for reason in known if reason not in FORMS_ONLY]


def section() -> str:
    """One table for every record, and one a game."""
    return "\n".join(_lines()).strip()


def _lines() -> Iterator[str]:
    yield from _table("Reasons in every record")
    yield _row(None, "malformed")
    yield _row(None, "malformed", "field")
    yield _row(None, "no_game")
    for game in games.names():
        yield from _table(f"Reasons of `{game}`")
        for reason in reasons(game):
            yield _row(game, reason, FIELDS.get(reason))


def _table(title: str) -> tuple[str, ...]:
    return f"\n### {title}\n", "| reason | more fields | meaning |", "|---|---|---|"


def _row(game: str | None, reason: str, field: str | None = None) -> str:
    verdict = {"line": 1, "ok": False, "reason": reason} | ({field: "…"} if field else {})
    more = f"`{field}`" if field else ""
    return f"| `{reason}` | {more} | {texts.refusal(NullTranslations(), game, verdict)} |"
