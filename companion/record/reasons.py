"""Why a line of a record is refused before any game is asked: one row a reason."""

from __future__ import annotations

from gettext import NullTranslations
from typing import Final

from companion.games.game import Given, Reasons

REASONS: Final = Reasons("record")


def _malformed(t: NullTranslations, given: Given) -> str:
    if "field" in given.params:
        # Translators: field is the English name of a field in a file, such as “card”
        text = t.gettext("A field is missing or wrong: %(field)s")
        return text % {"field": given.params["field"]}
    return t.gettext("This line is not a JSON object that can be read.")


MALFORMED: Final = REASONS.add("malformed", _malformed, "field", recorded=("field",))
NO_GAME: Final = REASONS.add(
    "no_game",
    lambda t, _: t.gettext("No game has begun: a line with ‘game’ must come first."),
)
