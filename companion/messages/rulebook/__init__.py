"""The rules of the games in our own words, as data: sections, paragraphs, and what each rests on.

A paragraph has an anchor that stays the same in every edition and language, so that a refusal can
link to it. What an edition rules in its own way is marked as the edition's, and what none of the
booklets says, or says otherwise, as ours.
"""

from __future__ import annotations

from gettext import NullTranslations

from companion.messages.rulebook import saboteur, trains
from companion.messages.rulebook.differences import Difference, differences
from companion.messages.rulebook.model import EDITION, OURS, PLAIN, Line, Rule, Section
from companion.rules.saboteur.editions import EDITIONS
from companion.rules.trains import GAME as TRAINS

BOOKS = {"saboteur": tuple(EDITIONS), "trains": TRAINS.editions}
"""The games that have rules to read, and their editions."""


def book(t: NullTranslations, game: str, edition: str) -> tuple[Section, ...]:
    """The rules of a game as one of its editions has them."""
    if game == "trains":
        return trains.book(t)
    return saboteur.book(t, EDITIONS[edition])


def title(t: NullTranslations, game: str, edition: str, anchor: str) -> str | None:
    """What the paragraph at `anchor` is called."""
    rules = (rule for section in book(t, game, edition) for rule in section.rules)
    return next((rule.title for rule in rules if rule.anchor == anchor), None)


__all__ = [
    "BOOKS",
    "EDITION",
    "OURS",
    "PLAIN",
    "Difference",
    "Line",
    "Rule",
    "Section",
    "book",
    "differences",
    "title",
]
