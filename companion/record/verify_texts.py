"""What `companion verify` says of a record's deals."""

from __future__ import annotations

from gettext import NullTranslations

from companion.record.fair import GOLD
from companion.record.texts import refusal
from companion.record.verify import Finding


def sentence(t: NullTranslations, finding: Finding) -> str:
    """A finding on a line of a record, as text."""
    if finding.code == "no_game":
        return t.gettext("There is no game in this record: there is nothing to check.")
    # Translators: before a verdict on this line of a file
    line = t.gettext("Line %(line)d:") % {"line": finding.line}
    said = [_about(t, finding)]
    if finding.round is not None:
        gold = finding.round == GOLD
        what = t.gettext("The order of the gold") if gold else t.gettext("Round %(n)d")
        said.insert(0, what if gold else what % {"n": finding.round})
    if finding.commitment:
        # Translators: number is a long number of digits and letters
        fingerprint = t.gettext("Fingerprint: %(number)s")
        said.append(fingerprint % {"number": finding.commitment})
    return " ".join([line, " · ".join(said)])


def _about(t: NullTranslations, finding: Finding) -> str:
    match finding.code:
        case "agrees":
            return t.gettext("The deal matches the numbers.")
        case "no_proof":
            return t.gettext("The deal cannot be checked: its numbers are not in the record.")
        case "unknown_method":
            return t.gettext("The deal cannot be checked: this program does not know its method.")
        case "other_deal":
            return t.gettext("The deal does not match: these numbers belong to another deal.")
        case "bad_commitment":
            return t.gettext(
                "The deal does not match: the secret number does not fit the fingerprint."
            )
        case "other_numbers":
            return t.gettext("The deal does not match: it was drawn from other numbers.")
        case "other_cards":
            return t.gettext("The deal does not match: the numbers give other cards.")
        case "nothing_dealt":
            return t.gettext("In this game the program deals nothing: nothing can be checked.")
        case "bad_field":
            # Translators: field is the English name of a field in a file, such as “card”
            text = t.gettext("A field is missing or wrong: %(field)s")
            return text % {"field": finding.field}
    assert finding.verdict is not None
    illegal: str = t.pgettext("label", "Not legal.")
    return " ".join([illegal, refusal(t, finding.game, finding.verdict)])
