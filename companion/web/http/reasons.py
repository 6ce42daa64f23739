"""Why the web refuses a request: one row a reason, with what to do about it."""

from __future__ import annotations

from gettext import NullTranslations
from typing import Final

from companion.games.game import Given, Reasons, counted

REASONS: Final = Reasons("web")
_add = REASONS.add

MINUTE_S: Final = 60
"""The wait that is told where nobody knows a better one."""


def _minutes(given: Given) -> int:
    return int(-(-given.params.get("wait_s", MINUTE_S) // 60))


def _too_many(t: NullTranslations, given: Given) -> str:
    minutes = _minutes(given)
    if minutes <= 1:
        return t.gettext("That was too much at once. Wait a minute, then try again.")
    text: str = t.ngettext(
        "That was too much at once. Try again in %(num)d minute.",
        "That was too much at once. Try again in %(num)d minutes.",
        minutes,
    )
    return text % {"num": minutes}


def _too_many_codes(t: NullTranslations, given: Given) -> str:
    minutes = _minutes(given)
    if minutes <= 1:
        return t.gettext("Too many wrong codes. Wait a minute, or scan the QR code instead.")
    text: str = t.ngettext(
        "Too many wrong codes. Wait %(num)d minute, or scan the QR code instead.",
        "Too many wrong codes. Wait %(num)d minutes, or scan the QR code instead.",
        minutes,
    )
    return text % {"num": minutes}


# Who asks

COOKIES_NEEDED: Final = _add(
    "cookies_needed",
    lambda t, _: t.gettext(
        "This phone does not accept cookies, and without them it cannot hold a seat. Allow"
        " cookies for this page and try again."
    ),
    status=400,
)
CROSS_SITE: Final = _add(
    "cross_site",
    lambda t, _: t.gettext("This form came from another site. Open the page itself and try again."),
    status=403,
)
NOT_AT_TABLE: Final = _add(
    "not_at_table",
    lambda t, _: t.gettext(
        "This phone has no seat at this table. Scan the table’s QR code to sit down."
    ),
    status=403,
)
SEAT_MOVED: Final = _add(
    "seat_moved",
    lambda t, _: t.gettext(
        "Your seat is on another phone now. If that was not you, tell the others at the table."
    ),
    status=403,
)
SEAT_FREED: Final = _add(
    "seat_freed",
    lambda t, _: t.gettext(
        "The host has freed your seat for another phone. "
        "Scan the table’s QR code to sit down there again, "
        "or type the table’s code on the home page."
    ),
    status=403,
)

# What is not there

NOT_FOUND: Final = _add(
    "not_found",
    lambda t, _: t.gettext("There is no such page. Continue from the home page."),
    status=404,
)
WRONG_LINK: Final = _add(
    "wrong_link",
    lambda t, _: t.gettext(
        "This link leads to no table: it is wrong, or the table has been closed. Ask somebody at"
        " the table to show the QR code again."
    ),
    status=404,
)
LINK_RENEWED: Final = _add(
    "link_renewed",
    lambda t, _: t.gettext("This table is in use. Ask its host to show you the QR code."),
    status=403,
)
NEXT_TABLE_GONE: Final = _add(
    "next_table_gone",
    lambda t, _: t.gettext("The table of the other game has been closed."),
)
BAD_METHOD: Final = _add(
    "bad_method",
    lambda t, _: t.gettext("This address is not a page. Continue from the home page."),
    status=405,
)
NOTHING_TO_SEE: Final = _add(
    "nothing_to_see",
    lambda t, _: t.gettext("There is nothing to look at now. Wait for the next deal."),
)
NO_RECORD_YET: Final = _add(
    "no_record_yet",
    lambda t, _: t.gettext("There is a record only once a game is over. Finish the game first."),
)
NO_RESULT_YET: Final = _add(
    "no_result_yet",
    lambda t, _: t.gettext("There is a result only when a game is over."),
)

# Games watched again

NO_REPLAY_YET: Final = _add(
    "no_replay_yet",
    lambda t, _: t.gettext("A game can be watched again only when it is over."),
)
NO_PLAYS: Final = _add(
    "no_plays",
    lambda t, _: t.gettext("No game was found. Choose a record that this program has saved."),
    "first",  # the step of the record at the line that the referee refuses first
    status=400,
)
SEVERAL_GAMES: Final = _add(
    "several_games",
    lambda t, _: t.gettext("There are several games in this file. Each needs a file of its own."),
    status=400,
)
NO_SUCH_GAME: Final = _add(
    "no_such_game",
    counted(
        "num",
        lambda t, num: t.ngettext(
            "There is only %(num)d game in this file.",
            "There are only %(num)d games in this file.",
            num,
        ),
    ),
    "num",
    status=400,
)
TOO_MANY_PLAYS: Final = _add(
    "too_many_plays",
    counted(
        "num",
        lambda t, _: t.gettext("The game is too long to be shown: more than %(num)d plays."),
    ),
    "num",
    status=400,
)
FILE_TOO_LARGE: Final = _add(
    "file_too_large",
    lambda t, _: t.gettext("The file is too large for a game."),
    status=413,
)

# Requests that cannot be served

TOO_SLOW: Final = _add(
    "too_slow",
    lambda t, _: t.gettext("That took too long to arrive. Check the network, then try again."),
    status=408,
)
TOO_LARGE: Final = _add(
    "too_large",
    lambda t, _: t.gettext("That is too long. Shorten it and try again."),
    status=413,
)
WRONG_HOST: Final = _add(
    "wrong_host",
    lambda t, _: t.gettext(
        "This is not the table’s address. Open the one shown beside its QR code, or scan the code."
    ),
    status=421,
)
TOO_MANY: Final = _add("too_many", _too_many, "wait_s", status=429)
TOO_MANY_CODES: Final = _add("too_many_codes", _too_many_codes, "wait_s", status=429)
SERVER_ERROR: Final = _add(
    "server_error",
    lambda t, _: t.gettext(
        "Something went wrong in the program. Nothing is lost: load the page again."
    ),
    status=500,
)
TABLE_DAMAGED: Final = _add(
    "table_damaged",
    lambda t, _: t.gettext(
        "The program can no longer read this table. Tell whoever runs it, and open another table."
    ),
    status=500,
)
ALL_USED_UP: Final = _add(
    "all_used_up",
    lambda t, _: t.gettext(
        "The disk space for tables is used up, so nothing was changed. "
        "Tell whoever runs the program."
    ),
    status=503,
)
STORE_BROKEN: Final = _add(
    "store_broken",
    lambda t, _: t.gettext(
        "The program cannot save anything at the moment. Tell whoever runs it, then try again."
    ),
    status=503,
)
