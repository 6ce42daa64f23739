"""What the editions of Saboteur's rules differ in: which of them rule which way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from gettext import NullTranslations

from companion.games.book import Difference
from companion.games.saboteur.rules.editions import EDITIONS, Edition


def differences(t: NullTranslations) -> tuple[Difference, ...]:
    """Each question in which at least two editions differ."""
    asked = (
        _difference(
            "goals",
            t.gettext("Several goal cards reached at once"),
            lambda edition: edition.reveals_all,
            {
                True: t.gettext("All of them are turned over."),
                False: t.gettext(
                    "The player turns over one of them. Whoever places the next path card turns"
                    " over the next one."
                ),
            },
        ),
        _difference(
            "connected",
            t.gettext("Where a path card may be placed"),
            lambda edition: edition.connected,
            {
                True: t.gettext(
                    "Where it continues an unbroken path from the start card and the paths match."
                ),
                False: t.gettext("Beside any face-up card, if the paths match."),
            },
        ),
        _difference(
            "round-end",
            t.gettext("When the saboteurs win"),
            lambda edition: edition.ring_ends,
            {
                False: t.gettext("When nobody has cards left."),
                True: t.gettext(
                    "When nobody has cards left, or when the draw pile is empty and all players"
                    " pass one after another."
                ),
            },
        ),
        _difference(
            "next-round",
            t.gettext("Who starts the next round"),
            lambda edition: edition.last_starts_next,
            {
                True: t.gettext("The left neighbour of the player who had the last turn."),
                False: t.gettext("The left neighbour of the player who started this round."),
            },
        ),
    )
    return tuple(each for each in asked if len(each.answers) > 1)


def _difference(
    anchor: str, question: str, ruling: Callable[[Edition], bool], answers: Mapping[bool, str]
) -> Difference:
    given = (
        (answer, tuple(name for name, edition in EDITIONS.items() if ruling(edition) is way))
        for way, answer in answers.items()
    )
    return Difference(anchor, question, tuple(each for each in given if each[1]))
