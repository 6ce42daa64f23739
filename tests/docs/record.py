"""The reasons of all games, as tables for docs/record.md."""

from __future__ import annotations

from collections.abc import Iterator
from gettext import NullTranslations

from companion.games import GAMES
from companion.games.game import Reason, Rejection
from companion.record.reasons import MALFORMED, NO_GAME


def reasons(game: str) -> list[Reason]:
    """The reasons of a game in records, in the order of the checks."""
    return list(GAMES[game].reasons.values())


def section() -> str:
    """One table for every record, and one a game."""
    return "\n".join(_lines()).strip()


def _lines() -> Iterator[str]:
    yield from _table("Reasons in every record")
    yield _row(MALFORMED)
    yield _row(MALFORMED, "field")
    yield _row(NO_GAME)
    for game in GAMES:
        yield from _table(f"Reasons of `{game}`")
        for reason in reasons(game):
            yield _row(reason, *reason.recorded)


def _table(title: str) -> tuple[str, ...]:
    return f"\n### {title}\n", "| reason | more fields | meaning |", "|---|---|---|"


def _row(reason: Reason, *fields: str) -> str:
    more = ", ".join(f"`{field}`" for field in fields)
    meaning = Rejection(reason, dict.fromkeys(fields, "…")).sentence(NullTranslations())
    return f"| `{reason.code}` | {more} | {meaning} |"
