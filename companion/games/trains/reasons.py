"""Why the Game of Trains refuses a play: one row a reason, in the order of the checks."""

from __future__ import annotations

from gettext import NullTranslations
from typing import Final

from companion.games.game import Given, Reasons
from companion.games.trains.labels import NAME, ability
from companion.games.words import game_over, no_such_player, whose_turn

REASONS: Final = Reasons(NAME)
_add = REASONS.add


def _wrong_phase(t: NullTranslations, given: Given) -> str:
    match given.params.get("phase"):
        case "deal":
            return t.gettext("First every player’s seven wagons must be dealt.")
        case "draft":
            return t.gettext(
                "The opening draft is on: keep one of the wagons drawn; it replaces one of yours."
            )
        case "turn":
            return t.gettext("The opening draft is over: draw a card or use an ability.")
        case "refill":
            return t.gettext("First the gaps must be filled: draw a card for each.")
    return t.gettext("That play is not possible now.")


def _in_play(t: NullTranslations, given: Given) -> str:
    where, player = given.params.get("where"), given.player
    params = {"wagon": given.params.get("wagon", 0), "player": player}
    if where == "market":
        return t.gettext("Wagon %(wagon)d lies among the face-up cards.") % params
    if player is None:
        return t.gettext("This wagon is already on the table.")
    if where == "row":
        return t.gettext("Wagon %(wagon)d is already in a row: %(player)s") % params
    if where == "protection":
        return t.gettext("Wagon %(wagon)d lies under a row as a lock: %(player)s") % params
    return t.gettext("Wagon %(wagon)d has just been removed from a row: %(player)s") % params


def _contradicts(t: NullTranslations, given: Given) -> str:
    if "ability" in given.params:
        # Translators: ability is its label, such as “Protect a card”
        text = t.gettext("Wagon %(wagon)d turned up earlier with a different ability: %(ability)s")
        known = ability(t, given.params["ability"])
        return text % {"wagon": given.params["wagon"], "ability": known}
    return t.gettext("This wagon turned up earlier with a different ability.")


EVERYWHERE: Final = 0
"""For a place: whichever would be asked for."""


def _already_protected(t: NullTranslations, given: Given) -> str:
    if given.params.get("place") == EVERYWHERE:
        return t.gettext("All three wagons that can be protected are protected already.")
    return t.gettext("This wagon is already protected.")


def _out_of_reach(t: NullTranslations, given: Given) -> str:
    match given.params.get("ability"):
        case "swap_adjacent":
            return t.gettext("There is no wagon to the right of this one to swap it with.")
        case "swap_over_one":
            return t.gettext("There is no wagon two places to the right to swap this one with.")
        case "move_right":
            return t.gettext("A wagon moves exactly two places: there is no room on the right.")
        case "move_left":
            return t.gettext("A wagon moves exactly two places: there is no room on the left.")
        case "protect":
            return t.gettext("Only the leftmost, middle or rightmost wagon can be protected.")
    return t.gettext("That place is out of reach.")


def _falls(t: NullTranslations, given: Given) -> str:
    # Translators: left and right are the numbers of two wagons that lie beside each other
    text = t.gettext(
        "This row does not rise all the way from left to right: after %(left)d comes %(right)d."
    )
    return text % {name: given.params.get(name, 0) for name in ("left", "right")}


# Of every play

UNKNOWN_SEAT: Final = _add("unknown_seat", no_such_player, paragraph="players")
GAME_OVER: Final = _add("game_over", game_over, paragraph="winning")
WRONG_PHASE: Final = _add(
    "wrong_phase",
    _wrong_phase,
    "phase",
    paragraph="turn",
    paragraph_by=(
        "phase",
        {"deal": "deal", "draft": "draft", "turn": "turn", "refill": "refill"},
    ),
)
ALREADY_DEALT: Final = _add(
    "already_dealt",
    lambda t, _: t.gettext("This player’s seven wagons have already been dealt."),
    "seat",
    paragraph="deal",
)
NOT_YOUR_TURN: Final = _add("not_your_turn", whose_turn, "seat", paragraph="turn")

# The cards

UNKNOWN_CARD: Final = _add(
    "unknown_card",
    lambda t, _: t.gettext("Wagons are numbered from 1 to 84."),
    "wagon",
    paragraph="cards",
)
CARD_IN_PLAY: Final = _add("card_in_play", _in_play, "wagon", "where", "seat", paragraph="cards")
NOT_DESCENDING: Final = _add(
    "not_descending",
    lambda t, _: t.gettext("The row begins in descending order, the highest number on the left."),
    paragraph="deal",
)
ABILITY_MISSING: Final = _add(
    "ability_missing",
    lambda t, _: t.gettext(
        "The wagon that leaves the row has an ability that is not known yet: say which."
    ),
    "wagon",
    paragraph="market",
)
ABILITY_CONTRADICTS: Final = _add(
    "ability_contradicts", _contradicts, "wagon", "ability", paragraph="cards"
)

# The abilities

ABILITY_NOT_AVAILABLE: Final = _add(
    "ability_not_available",
    lambda t, _: t.gettext("No face-up card has this ability."),
    "ability",
    paragraph="abilities",
)
OUT_OF_REACH: Final = _add(
    "out_of_reach",
    _out_of_reach,
    "ability",
    paragraph="abilities",
    paragraph_by=(
        "ability",
        {
            "swap_adjacent": "swap",
            "swap_over_one": "swap",
            "move_right": "move",
            "move_left": "move",
            "protect": "protect",
        },
    ),
)
ALREADY_PROTECTED: Final = _add(
    "already_protected",
    _already_protected,
    "place",
    paragraph="protect",
)

# Where no plays are reported, and of corrections: no record has these

UNRECORDED: Final = Reasons(NAME)
NOT_ASCENDING: Final = UNRECORDED.add(
    "not_ascending",
    _falls,
    "left",
    "right",
    paragraph="winning",
)
PLAYED_WITH: Final = UNRECORDED.add(
    "played_with",
    lambda t, _: t.gettext(
        "With this number the dealt row lay in another order, and it has been played with since."
        " Undo the plays back to the deal instead, and report them again."
    ),
    paragraph="deal",
)
