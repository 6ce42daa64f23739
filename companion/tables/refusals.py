"""Refusals of a table in words: what is the matter, and what to do; and their statuses.

What a game itself refuses is said by the game's own module; such a refusal names its game.
"""

from __future__ import annotations

from collections.abc import Mapping
from gettext import NullTranslations
from typing import Final

from companion.games.game import Rejection
from companion.record.texts import Listing, known

STATUS: Final = {
    "bad_request": 400,
    "name_empty": 400,
    "name_too_long": 400,
    "not_host": 403,
    "not_seated": 403,
    "no_table": 404,
    "wrong_code": 404,
    "unknown_seat": 404,
    "offer_expired": 404,
    "name_taken": 409,
    "table_full": 409,
    "table_used_up": 409,
    "game_under_way": 409,
    "round_under_way": 409,
    "not_enough_players": 409,
    "too_many_players": 409,
    "no_game_on": 409,
    "game_over": 409,
    "not_begun": 409,
    "nothing_to_take_back": 409,
    "stale": 409,
    "seat_not_free": 409,
    "host_present": 409,
}
"""A table's own reasons; a game's are all conflicts with how the game stands."""


def status(reason: str) -> int:
    return STATUS.get(reason, 409)


def sentence(
    t: NullTranslations, rejection: Rejection, names: Mapping[int, str], listing: Listing
) -> str:
    """Why something was refused and what to do; `names` of the seats by their ids."""
    reason, given = rejection.reason, rejection.params
    if "game" in given:
        about = known(given["game"]).texts
        text: str = about.reason(t, reason, given, names, listing)
        return text
    match reason:
        case "bad_request":
            return t.gettext("That could not be understood. Load the page again and try once more.")
        case "name_empty" | "name_too_long" | "name_taken":
            return _name(t, rejection)
        case "stale":
            return _stale(t, given.get("what"), given.get("by"))
        case "not_host" | "not_seated" | "host_present":
            return _part(t, rejection)
        case "table_used_up":
            return t.gettext("This table’s log is full. Open a new table from the start page.")
        case "no_table" | "wrong_code" | "offer_expired" | "unknown_seat" | "seat_not_free":
            return _place(t, reason)
        case "table_full" | "not_enough_players" | "too_many_players":
            return _count(t, rejection)
    return _game(t, reason)


def _name(t: NullTranslations, rejection: Rejection) -> str:
    match rejection.reason:
        case "name_empty":
            return t.gettext("A name is missing. Type the name that the others call you by.")
        case "name_too_long":
            num = rejection.params["max"]
            text = t.ngettext(
                "That name is too long. Shorten it to %(num)d character.",
                "That name is too long. Shorten it to %(num)d characters.",
                num,
            )
            return text % {"num": num}
    # Translators: player is a name that is still free, such as “Anna 2”
    text = t.gettext("That name is taken at this table. Still free: %(player)s")
    return text % {"player": rejection.params["suggestion"]}


def _stale(t: NullTranslations, what: object, by: str | None) -> str:
    """Somebody was faster; `what` is the class of the event that this page had not seen."""
    match what:
        case "Played" if by is not None:
            text = t.gettext(
                "%(player)s was faster and has reported already. "
                "Look at the page as it is now before you go on."
            )
            return text % {"player": by}
        case "Played":
            return t.gettext(
                "Somebody was faster and has reported already. "
                "Look at the page as it is now before you go on."
            )
        case "TakenBack":
            return t.gettext(
                "The last report has just been taken back. "
                "Look at the page as it is now before you go on."
            )
        case "Dealt" | "GameStarted":
            return t.gettext(
                "The cards have just been dealt. Look at the page as it is now before you go on."
            )
        case "SeatTaken" | "SeatRemoved" | "SeatsOrdered":
            return t.gettext(
                "The seats have just changed. Look at the page as it is now before you go on."
            )
    return t.gettext(
        "Something at the table has just changed. Look at the page as it is now before you go on."
    )


def _part(t: NullTranslations, rejection: Rejection) -> str:
    match rejection.reason:
        case "not_host":
            return t.gettext("Only the host can do this. Ask the host.")
        case "host_present":
            num = rejection.params["minutes"]
            text = t.ngettext(
                "The host’s device was here a moment ago. "
                "Wait %(num)d minute; if it stays away, you can take over.",
                "The host’s device was here a moment ago. "
                "Wait %(num)d minutes; if it stays away, you can take over.",
                num,
            )
            return text % {"num": num}
    return t.gettext(
        "This phone does not hold that seat. Use the phone that does, or ask the host to free it."
    )


def _place(t: NullTranslations, reason: str) -> str:
    match reason:
        case "no_table":
            return t.gettext("This table has ended. Open a new one from the start page.")
        case "wrong_code":
            return t.gettext(
                "No table has this code. Check each character, or scan the QR code instead."
            )
        case "offer_expired":
            return t.gettext(
                "This seat is no longer on offer. Ask for a new code on the phone that holds it."
            )
        case "seat_not_free":
            return t.gettext("That seat is taken. Choose another, or ask the host to free it.")
    return t.gettext("That seat is no longer at this table. Choose another.")


def _count(t: NullTranslations, rejection: Rejection) -> str:
    match rejection.reason:
        case "table_full":
            return t.gettext(
                "Every seat at this table is taken. Ask the host to free one, or open a new table."
            )
        case "too_many_players":
            num = rejection.params["max"]
            text = t.ngettext(
                "This game is for %(num)d player at most. Remove a seat before you start.",
                "This game is for %(num)d players at most. Remove a seat before you start.",
                num,
            )
            return text % {"num": num}
    num = rejection.params["min"]
    text = t.ngettext(
        "The game starts with %(num)d player or more. Let the others scan the QR code first.",
        "The game starts with %(num)d players or more. Let the others scan the QR code first.",
        num,
    )
    return text % {"num": num}


def _game(t: NullTranslations, reason: str) -> str:
    match reason:
        case "game_under_way":
            return t.gettext("A game is being played at this table. Wait until it is over.")
        case "round_under_way":
            return t.gettext("This round is not over yet. Report first how it ended.")
        case "no_game_on":
            return t.gettext("No game has begun at this table. Wait until the host starts one.")
        case "game_over":
            return t.gettext("This game is over. The host can start a new one.")
        case "not_begun":
            return t.gettext(
                "Not everybody has looked at the role yet. Wait for them, or let the host go on."
            )
        case "nothing_to_take_back":
            return t.gettext("There is nothing to take back now.")
    raise KeyError(reason)
