"""What the program says of a record: codes and parameters in, whole translatable sentences out.

Each game has texts of its own; those for every record are here. No sentence is put together from
fragments, and a name is placed where no language must inflect it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from gettext import NullTranslations
from typing import Any

from companion import games
from companion.games.game import Game, Given, Listing


def known(game: str | None) -> Game:
    """The game of this name, which some state is of."""
    found = games.find(game)
    if found is None:
        raise LookupError(f"no game: {game}")
    return found


def verdict(
    t: NullTranslations, game: str | None, said: Mapping[str, Any], listing: Listing
) -> str:
    """A verdict on a line of a record as text; `game` is the current game, if there is one."""
    # Translators: before a verdict on this line of a file
    line = t.gettext("Line %(line)d:") % {"line": said["line"]}
    if said["ok"]:
        about = known(game).texts
        more = _joined(about.accepted(t, said, listing))
        return " ".join([line, t.pgettext("label", "Legal."), *([more] if more else [])])
    return " ".join([line, t.pgettext("label", "Not legal."), refusal(t, game, said)])


def event(
    t: NullTranslations, game: str, happened: Any, names: Sequence[str], listing: Listing
) -> str:
    """What has happened in a game; names in the game's order, ready for where the text goes."""
    about = known(game).texts
    sentence: str = about.event(t, happened, names, listing)
    return sentence


def _joined(sentences: Iterable[str]) -> str:
    return " · ".join(sentences)


def refusal(t: NullTranslations, game: str | None, said: Mapping[str, Any]) -> str:
    """Why a line of a record was refused."""
    match said["reason"]:
        case "malformed" if "field" in said:
            # Translators: field is the English name of a field in a file, such as “card”
            text = t.gettext("A field is missing or wrong: %(field)s")
            return text % {"field": said["field"]}
        case "malformed":
            return t.gettext("This line is not a JSON object that can be read.")
        case "no_game":
            return t.gettext("No game has begun: a line with ‘game’ comes first.")
    return known(game).reasons[said["reason"]].sentence(t, Given(said))
