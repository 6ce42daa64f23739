"""What the pages themselves have to say: a whole sentence for each reason, and what to do."""

from __future__ import annotations

from gettext import NullTranslations

STATUS = {
    "cookies_needed": 400,
    "cross_site": 403,
    "not_at_table": 403,
    "seat_moved": 403,
    "seat_freed": 403,
    "not_found": 404,
    "wrong_link": 404,
    "bad_method": 405,
    "too_slow": 408,
    "no_role_now": 409,
    "no_record_yet": 409,
    "too_large": 413,
    "wrong_host": 421,
    "too_many": 429,
    "too_many_codes": 429,
    "server_error": 500,
    "store_broken": 503,
}
"""The reasons that the web has for a refusal, with their statuses."""


def sentence(t: NullTranslations, reason: str, wait_s: int = 60) -> str:
    """What the reader is told about one of the reasons in `STATUS`; `wait_s`: until it goes on."""
    match reason:
        case "cookies_needed":
            return t.gettext(
                "This phone keeps no cookies, and without one it cannot hold a seat. "
                "Allow cookies for this page and try again."
            )
        case "cross_site":
            return t.gettext("This form came from another site. Open the page here and try again.")
        case "not_at_table":
            return t.gettext(
                "This phone has no seat at this table. Scan the table’s QR code to sit down."
            )
        case "seat_moved":
            return t.gettext(
                "Your seat is on another phone now. "
                "If that was not you, tell the others at the table."
            )
        case "seat_freed":
            return t.gettext(
                "The host has freed your seat for another phone. "
                "Scan the table’s QR code to sit down there again."
            )
        case "wrong_link":
            return t.gettext(
                "This link leads to no table: it is wrong, or the table has ended. "
                "Ask somebody at the table to show the QR code again."
            )
        case "bad_method":
            return t.gettext("This address is not a page. Go on from the start page.")
        case "no_role_now":
            return t.gettext("There is no role to show now. Wait for the next round.")
        case "no_record_yet":
            return t.gettext("There is a record only when a game is over. Finish the game first.")
        case "too_large":
            return t.gettext("That is too long. Shorten it and try again.")
        case "too_slow":
            return t.gettext("That took too long to arrive. Check the network, then try again.")
        case "wrong_host":
            return t.gettext(
                "This is not the table’s address. "
                "Open the one shown beside its QR code, or scan the code."
            )
        case "too_many":
            return _too_many(t, wait_s)
        case "too_many_codes":
            return _too_many_codes(t, wait_s)
        case "server_error":
            return t.gettext(
                "Something went wrong in the program. Nothing is lost: load the page again."
            )
        case "store_broken":
            return t.gettext(
                "The program cannot write to its disk, so nothing was changed. "
                "Tell whoever runs it, then try again."
            )
        case _:
            return t.gettext("There is no such page. Go on from the start page.")


def _too_many(t: NullTranslations, wait_s: int) -> str:
    minutes = -(-wait_s // 60)
    if minutes <= 1:
        return t.gettext("That was too much at once. Wait a minute, then try again.")
    text: str = t.ngettext(
        "That was too much at once. Try again in %(num)d minute.",
        "That was too much at once. Try again in %(num)d minutes.",
        minutes,
    )
    return text % {"num": minutes}


def _too_many_codes(t: NullTranslations, wait_s: int) -> str:
    minutes = -(-wait_s // 60)
    if minutes <= 1:
        return t.gettext("Too many wrong codes. Wait a minute, or scan the QR code instead.")
    text: str = t.ngettext(
        "Too many wrong codes. Wait %(num)d minute, or scan the QR code instead.",
        "Too many wrong codes. Wait %(num)d minutes, or scan the QR code instead.",
        minutes,
    )
    return text % {"num": minutes}
