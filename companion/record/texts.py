"""Verdicts on the lines of a record, as whole sentences in a language.

Nothing is put together from fragments, and names stand where no language must inflect them.
"""

from __future__ import annotations

from collections.abc import Mapping
from gettext import NullTranslations
from typing import Any

from companion.games.game import AnyGame, Given, Listing
from companion.record.refusals import REASONS


def verdict(
    t: NullTranslations, game: AnyGame | None, said: Mapping[str, Any], listing: Listing
) -> str:
    """A verdict on a line of a record as text; `game` is the current game, if there is one."""
    # Translators: before a verdict on this line of a file
    line = t.gettext("Line %(line)d:") % {"line": said["line"]}
    if said["ok"]:
        assert game is not None
        more = " · ".join(game.texts.accepted(t, said, listing))
        return " ".join([line, t.pgettext("label", "Legal."), *([more] if more else [])])
    return " ".join([line, t.pgettext("label", "Not legal."), refusal(t, game, said)])


def refusal(t: NullTranslations, game: AnyGame | None, said: Mapping[str, Any]) -> str:
    """Why a line of a record was refused."""
    code = said["reason"]
    reasons = REASONS if game is None or code in REASONS else game.reasons
    return reasons[code].sentence(t, Given(said))
