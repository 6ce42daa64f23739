"""Verdicts on the lines of a record, as whole sentences in a language.

Nothing is put together from fragments, and names stand where no language must inflect them.
"""

from __future__ import annotations

from gettext import NullTranslations

from companion.games.game import AnyGame, Listing
from companion.record.judge import Verdict


def verdict_text(
    t: NullTranslations, game: AnyGame | None, number: int, verdict: Verdict, listing: Listing
) -> str:
    """A verdict on the line of this number as text; `game` is the current game, if there is one."""
    # Translators: before a verdict on this line of a file
    line = t.gettext("Line %(line)d:") % {"line": number}
    if verdict.rejection is not None:
        why = verdict.rejection.sentence(t)
        return " ".join([line, t.pgettext("label", "Not legal."), why])
    assert game is not None
    more = " · ".join(game.texts.accepted(t, verdict.accepted, listing))
    return " ".join([line, t.pgettext("label", "Legal."), *([more] if more else [])])
