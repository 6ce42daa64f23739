"""What `companion verify` says of a record's deals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from gettext import NullTranslations
from typing import Final

from companion.games.game import Rejection
from companion.record.fair import WHOLE_GAME
from companion.record.reasons import MALFORMED
from companion.record.verify import Found, ProofFinding

SENTENCES: Final[Mapping[Found, Callable[[NullTranslations], str]]] = {
    Found.AGREES: lambda t: t.gettext("The deal matches the numbers."),
    Found.AGREES_UNSEALED: lambda t: t.gettext(
        "The deal matches the numbers, but by an older method: whoever ran the program could have "
        "chosen it."
    ),
    Found.NO_PROOF: lambda t: t.gettext(
        "The deal cannot be checked: its numbers are not in the record."
    ),
    Found.UNKNOWN_METHOD: lambda t: t.gettext(
        "The deal cannot be checked: this program does not know its method."
    ),
    Found.OTHER_DEAL: lambda t: t.gettext(
        "The deal does not match: these numbers belong to another deal."
    ),
    Found.BAD_COMMITMENT: lambda t: t.gettext(
        "The deal does not match: the secret number does not fit the fingerprint."
    ),
    Found.BAD_SEAL: lambda t: t.gettext(
        "The deal does not match: a player’s number does not fit its seal."
    ),
    Found.OTHER_NUMBERS: lambda t: t.gettext(
        "The deal does not match: it was drawn from other numbers."
    ),
    Found.OTHER_CARDS: lambda t: t.gettext(
        "The deal does not match: the numbers give other cards."
    ),
    Found.NOTHING_DEALT: lambda t: t.gettext(
        "In this game the program deals nothing, so there is nothing to check."
    ),
    Found.NO_GAME: lambda t: t.gettext(
        "There is no game in this record: there is nothing to check."
    ),
}
"""By the codes of findings; a bad field and what the referee refuses are said as in a verdict."""


def sentence(t: NullTranslations, finding: ProofFinding) -> str:
    """A finding on a line of a record, as text."""
    if finding.code == Found.NO_GAME:
        return SENTENCES[Found.NO_GAME](t)
    # Translators: before a verdict on this line of a file
    line = t.gettext("Line %(line)d:") % {"line": finding.line}
    said = [_about(t, finding)]
    if finding.round is not None:
        assert finding.game is not None
        number = t.gettext("Round %(n)d") % {"n": finding.round}
        said.insert(0, finding.game.drawn_once(t) if finding.round == WHOLE_GAME else number)
    if finding.withheld:
        late = t.gettext("Sealed, but not opened in time, and so left out: %(players)s")
        said.append(late % {"players": ", ".join(finding.withheld)})
    if finding.given:
        numbers = t.gettext("Numbers in it of: %(players)s")
        said.append(numbers % {"players": ", ".join(finding.given)})
    elif finding.given is not None:
        said.append(
            t.gettext("No player’s number is in it: whoever ran the program could have chosen it.")
        )
    if finding.commitment:
        # Translators: number is a long number of digits and letters
        fingerprint = t.gettext("Fingerprint: %(number)s")
        said.append(fingerprint % {"number": finding.commitment})
    return " ".join([line, " · ".join(said)])


def _about(t: NullTranslations, finding: ProofFinding) -> str:
    if finding.code in SENTENCES:
        return SENTENCES[finding.code](t)
    if finding.field:
        return Rejection(MALFORMED, {"field": finding.field}).sentence(t)
    assert finding.rejection is not None
    illegal: str = t.pgettext("label", "Not legal.")
    return " ".join([illegal, finding.rejection.sentence(t)])
