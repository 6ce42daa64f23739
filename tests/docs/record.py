"""The reasons of all games, as tables for docs/record.md."""

from __future__ import annotations

from collections.abc import Iterator
from gettext import NullTranslations

from companion.games import GAMES
from companion.games.game import Reason
from companion.record import texts


def reasons(game: str) -> list[Reason]:
    """The reasons of a game in records, in the order of the checks."""
    return list(GAMES[game].reasons.values())


def section() -> str:
    """One table for every record, and one a game."""
    return "\n".join(_lines()).strip()


def _lines() -> Iterator[str]:
    yield from _table("Reasons in every record")
    yield _row(None, "malformed")
    yield _row(None, "malformed", "field")
    yield _row(None, "no_game")
    for game in GAMES:
        yield from _table(f"Reasons of `{game}`")
        for reason in reasons(game):
            yield _row(game, reason.code, *reason.recorded)


def _table(title: str) -> tuple[str, ...]:
    return f"\n### {title}\n", "| reason | more fields | meaning |", "|---|---|---|"


def _row(game: str | None, code: str, *fields: str) -> str:
    verdict = {"line": 1, "ok": False, "reason": code} | dict.fromkeys(fields, "…")
    more = ", ".join(f"`{field}`" for field in fields)
    meaning = texts.refusal(NullTranslations(), GAMES[game] if game else None, verdict)
    return f"| `{code}` | {more} | {meaning} |"
