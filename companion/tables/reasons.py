"""Why a table refuses something: one row a reason, with what to do about it."""

from __future__ import annotations

from gettext import NullTranslations
from typing import Final

from companion.games.game import Given, Reasons, counted
from companion.tables import events as on

REASONS: Final = Reasons("table")
_add = REASONS.add


_name_too_long = counted(
    "max",
    lambda t, num: t.ngettext(
        "That name is too long. Shorten it to %(num)d character.",
        "That name is too long. Shorten it to %(num)d characters.",
        num,
    ),
)


def _name_taken(t: NullTranslations, given: Given) -> str:
    # Translators: player is a name that is still free, such as “Anna 2”
    text = t.gettext("That name is taken at this table. Still free: %(player)s")
    return text % {"player": given.params["suggestion"]}


def _stale(t: NullTranslations, given: Given) -> str:
    """Somebody was faster; `what`: the class of the event that this page had not seen."""
    by = given.params.get("by")
    match given.params.get("what"):
        case on.Played if by is not None:
            text = t.gettext(
                "%(player)s has just reported something. The page shows how things stand now."
            )
            return text % {"player": by}
        case on.Played:
            return t.gettext(
                "Somebody has just reported something. The page shows how things stand now."
            )
        case on.EndTold if given.params.get("ends_game"):
            return t.gettext("The host is ending the game.")
        case on.EndTold if by is not None:
            # Translators: player is a name
            text = t.gettext(
                "%(player)s has just reported how the round ended. The page shows how things stand"
                " now."
            )
            return text % {"player": by}
        case on.EndTold:
            return t.gettext(
                "The host has just reported how the round ended. The page shows how things stand"
                " now."
            )
        case on.TakenBack:
            return t.gettext(
                "The last report has just been taken back. Check what the page shows now before"
                " you go on."
            )
        case on.Dealt | on.GameStarted:
            return t.gettext(
                "The cards have just been dealt. Check what the page shows now before you go on."
            )
        case on.SeatTaken | on.SeatRemoved | on.SeatsOrdered:
            return t.gettext(
                "The seats have just changed. Check what the page shows now before you go on."
            )
    return t.gettext(
        "Something at the table has just changed. Check what the page shows now before you go on."
    )


_host_present = counted(
    "minutes",
    lambda t, num: t.ngettext(
        "The host’s device was here a moment ago. "
        "Wait %(num)d minute; if it stays away, you can take over.",
        "The host’s device was here a moment ago. "
        "Wait %(num)d minutes; if it stays away, you can take over.",
        num,
    ),
)
_too_many_players = counted(
    "max",
    lambda t, num: t.ngettext(
        "This game is for %(num)d player at most. Remove a seat before you start.",
        "This game is for %(num)d players at most. Remove a seat before you start.",
        num,
    ),
)
_not_enough_players = counted(
    "min",
    lambda t, num: t.ngettext(
        "You need at least %(num)d player to start. Let the others scan the QR code first.",
        "You need at least %(num)d players to start. Let the others scan the QR code first.",
        num,
    ),
)


def _would_fall(t: NullTranslations, given: Given) -> str:
    """`name`: None where a host without a seat reported it."""
    name = given.params.get("name")
    if name is None:
        return t.gettext(
            "If this were corrected, a later report by the host would no longer be possible. On the"
            " host’s device that report and all plays since can be undone first."
        )
    # Translators: player is a name; a play reported wrongly cannot be corrected
    text = t.gettext(
        "If this were corrected, a later play by %(player)s would no longer be legal. On the host’s"
        " device all plays from that one on can be undone first."
    )
    return text % {"player": name}


# What was sent

BAD_REQUEST: Final = _add(
    "bad_request",
    lambda t, _: t.gettext("That could not be understood. Load the page again and try once more."),
    "field",
    status=400,
)
BAD_DECK: Final = _add(
    "bad_deck",
    lambda t, _: t.gettext("This file is not a deck saved with this program. Choose another."),
    status=400,
)
STALE: Final = _add("stale", _stale, "what", "by", "ends_game")

PLAYED_TOGETHER: Final = _add(
    "played_together",
    lambda t, _: t.gettext("They have sat at the table at the same time, so they are two people."),
)

# Names

NAME_EMPTY: Final = _add(
    "name_empty",
    lambda t, _: t.gettext("A name is missing. Type the name that the others call you by."),
    status=400,
)
NAME_TOO_LONG: Final = _add("name_too_long", _name_too_long, "max", status=400)
NAME_TAKEN: Final = _add("name_taken", _name_taken, "name", "suggestion")

# Who asks

NOT_HOST: Final = _add(
    "not_host",
    lambda t, _: t.gettext("Only the host can do this. Ask the host."),
    status=403,
)
OWN_REPORT: Final = _add(
    "own_report",
    lambda t, _: t.gettext("Another player has to confirm this, on their own phone."),
)
NOT_SEATED: Final = _add(
    "not_seated",
    lambda t, _: t.gettext(
        "This phone does not hold that seat. Use the phone that does, or ask the host to free the"
        " seat."
    ),
    status=403,
)
HOST_PRESENT: Final = _add("host_present", _host_present, "minutes")

# Tables and seats that are not there

NO_TABLE: Final = _add(
    "no_table",
    lambda t, _: t.gettext("This table has been closed. Open a new one from the home page."),
    status=404,
)
WRONG_CODE: Final = _add(
    "wrong_code",
    lambda t, _: t.gettext(
        "No table has this code, all its seats are taken, or the code is too old. Check each "
        "character, or scan the QR code instead."
    ),
    status=404,
)
UNKNOWN_SEAT: Final = _add(
    "unknown_seat",
    lambda t, _: t.gettext("That seat is no longer at this table. Choose another."),
    status=404,
)
OFFER_EXPIRED: Final = _add(
    "offer_expired",
    lambda t, _: t.gettext(
        "This code for a seat no longer works. Ask for a new one where this one was shown."
    ),
    status=404,
)
SEAT_NOT_FREE: Final = _add(
    "seat_not_free",
    lambda t, _: t.gettext("That seat is taken. Choose another, or ask the host to free it."),
    "name",
)

# How many players

TABLE_FULL: Final = _add(
    "table_full",
    lambda t, _: t.gettext(
        "Every seat at this table is taken. Ask the host to remove one before the next game, or "
        "open a new table."
    ),
    "max",
)
TABLE_USED_UP: Final = _add(
    "table_used_up",
    lambda t, _: t.gettext("This table’s log is full. Open a new table from the home page."),
)
HOST_USED_UP: Final = _add(
    "host_used_up",
    lambda t, _: t.gettext(
        "The logs of the host’s tables are full. Close a table that is no longer needed."
    ),
)
NOT_ENOUGH_PLAYERS: Final = _add("not_enough_players", _not_enough_players, "min")
TOO_MANY_PLAYERS: Final = _add("too_many_players", _too_many_players, "max")

# How the evening stands

GAME_UNDER_WAY: Final = _add(
    "game_under_way",
    lambda t, _: t.gettext("A game is being played at this table. Wait until it is over."),
)
ROUND_UNDER_WAY: Final = _add(
    "round_under_way",
    lambda t, _: t.gettext("This round is not over yet. First report how it ended."),
)
NO_GAME_ON: Final = _add(
    "no_game_on",
    lambda t, _: t.gettext("No game has begun at this table. Wait until the host starts one."),
)
GAME_OVER: Final = _add(
    "game_over",
    lambda t, _: t.gettext("This game is over. The host can start a new one."),
)
NOT_BEGUN: Final = _add(
    "not_begun",
    lambda t, _: t.gettext(
        "Not everybody has looked at what they were dealt yet. Wait for them, or ask the host to go"
        " on without them."
    ),
    "missing",
)
WOULD_FALL: Final = _add("would_fall", _would_fall, "name")
WOULD_END: Final = _add(
    "would_end",
    lambda t, _: t.gettext(
        "If this were corrected, the round would be over at once. Undo the plays back to that one"
        " instead, and report them again."
    ),
)
NOTHING_TO_TAKE_BACK: Final = _add(
    "nothing_to_take_back",
    lambda t, _: t.gettext("There is nothing to take back now."),
)
