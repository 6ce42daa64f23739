"""The Game of Trains in words: abilities, events and refusals as whole sentences.

Every function takes the translations to speak in (`t`, as `gettext.NullTranslations`) and gives
back text. Names of players come in ready for where the text goes (a page escapes and wraps them);
a sentence begins with a name or has it after a colon, so that no language must inflect it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from gettext import NullTranslations
from typing import Any, assert_never

from companion.games.trains.rules.model import (
    Event,
    GameWon,
    GapFilled,
    MarketGrew,
    PairDiscarded,
    ProtectionLost,
    RowDealt,
    WagonDrafted,
    WagonDrawn,
    WagonMoved,
    WagonProtected,
    WagonsRemoved,
    WagonsSwapped,
)

Names = Sequence[str] | Mapping[int, str]
"""Names by seats, as the events or parameters that come with them number these."""

Listing = Callable[[Iterable[str]], str]
"""Joins labels as the reader's language does."""


def ability(t: NullTranslations, code: str) -> str:
    """What an ability does, as the label beside its picture."""
    match code:
        case "swap_adjacent":
            return t.gettext("Swap two adjacent cards")
        case "swap_over_one":
            return t.gettext("Swap two cards with one card between them")
        case "move_right":
            return t.gettext("Move a card two places right")
        case "move_left":
            return t.gettext("Move a card two places left")
        case "remove_left":
            # Translators: an ability of a card; every player’s row is hit
            return t.gettext("Remove the leftmost card")
        case "remove_middle":
            # Translators: an ability of a card; every player’s row is hit
            return t.gettext("Remove the middle card")
        case "remove_right":
            # Translators: an ability of a card; every player’s row is hit
            return t.gettext("Remove the rightmost card")
        case "protect":
            return t.gettext("Protect a card")
    raise KeyError(code)


def event(t: NullTranslations, happened: Event, names: Names, listing: Listing = ", ".join) -> str:
    """What has happened, for the list of plays. No event of this game has names to list."""
    match happened:
        case RowDealt(seat, row):
            # Translators: row is seven numbers, such as 83 60 59 24 20 9 7
            text = t.gettext("%(player)s begins with this row: %(row)s")
            return text % {"player": names[seat], "row": " ".join(map(str, row))}
        case WagonDrafted(seat, wagon, place, replaced):
            # Translators: in the opening draft; place is 1 (left) to 7 (right)
            text = t.gettext(
                "%(player)s keeps wagon %(wagon)d: it replaces wagon %(replaced)d"
                " at place %(place)d."
            )
            return text % {
                "player": names[seat],
                "wagon": wagon,
                "replaced": replaced,
                "place": place,
            }
        case WagonDrawn(seat, wagon, place, replaced):
            # Translators: place is 1 (left) to 7 (right)
            text = t.gettext(
                "%(player)s draws wagon %(wagon)d: it replaces wagon %(replaced)d"
                " at place %(place)d."
            )
            return text % {
                "player": names[seat],
                "wagon": wagon,
                "replaced": replaced,
                "place": place,
            }
        case GapFilled(seat, wagon, place):
            # Translators: after a removal
            text = t.gettext(
                "%(player)s draws wagon %(wagon)d: it fills the gap at place %(place)d."
            )
            return text % {"player": names[seat], "wagon": wagon, "place": place}
        case MarketGrew(wagon, code):
            # Translators: ability is its label, such as “Protect a card”
            text = t.gettext("Wagon %(wagon)d joins the face-up cards: %(ability)s")
            return text % {"wagon": wagon, "ability": ability(t, code)}
        case PairDiscarded(wagon, code, other):
            # Translators: ability is its label; first and second are numbers of wagons
            text = t.gettext(
                "Both cards with the same ability are discarded, %(first)d and %(second)d:"
                " %(ability)s"
            )
            return text % {"first": other, "second": wagon, "ability": ability(t, code)}
        case WagonsSwapped():
            return _swapped(t, happened, names[happened.seat])
        case WagonMoved():
            return _moved(t, happened, names[happened.seat])
        case WagonsRemoved():
            return _removed(t, happened, names)
        case WagonProtected():
            return _protected(t, happened, names[happened.seat])
        case ProtectionLost(seat, place):
            text = t.gettext("%(player)s loses the protection of the wagon at place %(place)d.")
            return text % {"player": names[seat], "place": place}
        case GameWon(seat):
            text = t.gettext("%(player)s wins: the whole row is in ascending order")
            return text % {"player": names[seat]}
        case _:
            assert_never(happened)


def _swapped(t: NullTranslations, happened: WagonsSwapped, player: str) -> str:
    if happened.ability == "swap_adjacent":
        text = t.gettext("%(player)s swaps the adjacent wagons at places %(left)d and %(right)d.")
    else:
        text = t.gettext(
            "%(player)s swaps the wagons at places %(left)d and %(right)d,"
            " with one wagon between them."
        )
    return text % {"player": player, "left": happened.left, "right": happened.right}


def _moved(t: NullTranslations, happened: WagonMoved, player: str) -> str:
    if happened.ability == "move_right":
        text = t.gettext(
            "%(player)s moves a wagon two places right, from place %(start)d to place %(end)d."
        )
    else:
        text = t.gettext(
            "%(player)s moves a wagon two places left, from place %(start)d to place %(end)d."
        )
    return text % {"player": player, "start": happened.start, "end": happened.end}


def _removed(t: NullTranslations, happened: WagonsRemoved, names: Names) -> str:
    wagons = ", ".join(f"{wagon} ({names[seat]})" for seat, wagon in happened.removed)
    if not happened.removed:
        text = t.gettext(
            "%(player)s uses a removal, but every wagon at place %(place)d is protected."
        )
    elif happened.ability == "remove_left":
        # Translators: wagons is a list of numbers, each with whose it was, such as “40 (Anna)”
        text = t.gettext(
            "%(player)s removes the leftmost wagon from every row without a lock there: %(wagons)s"
        )
    elif happened.ability == "remove_middle":
        # Translators: wagons is a list of numbers, each with whose it was, such as “40 (Anna)”
        text = t.gettext(
            "%(player)s removes the middle wagon from every row without a lock there: %(wagons)s"
        )
    else:
        # Translators: wagons is a list of numbers, each with whose it was, such as “40 (Anna)”
        text = t.gettext(
            "%(player)s removes the rightmost wagon from every row without a lock there: %(wagons)s"
        )
    return text % {
        "player": names[happened.seat],
        "place": happened.place,
        "wagons": wagons,
    }


def _protected(t: NullTranslations, happened: WagonProtected, player: str) -> str:
    if happened.place == 1:
        text = t.gettext("%(player)s protects the leftmost wagon.")
    elif happened.place == 4:
        text = t.gettext("%(player)s protects the middle wagon.")
    else:
        text = t.gettext("%(player)s protects the rightmost wagon.")
    return text % {"player": player}


def accepted(t: NullTranslations, verdict: Mapping[str, Any], listing: Listing) -> list[str]:
    """What an accepted line of a record says, as sentences."""
    said = []
    if verdict["market"]:
        abilities = listing(ability(t, code) for code in verdict["market"])
        # Translators: a list of labels, such as “Protect a card”
        said.append(t.gettext("Face-up cards: %(abilities)s") % {"abilities": abilities})
    if verdict["turn"] is not None:
        said.append(t.gettext("Turn: %(player)s") % {"player": verdict["turn"]})
    if "game_over" in verdict:
        text = t.gettext("%(player)s wins: the whole row is in ascending order")
        said.append(text % {"player": verdict["game_over"]["winner"]})
    return said


def reason(
    t: NullTranslations,
    code: str,
    params: Mapping[str, Any] | None = None,
    names: Names = (),
    listing: Listing = ", ".join,
) -> str:
    """Why a play is refused; without parameters, as records give it, in more general words."""
    given = params or {}
    match code:
        case "game_over":
            return t.gettext("The game is over.")
        case "wrong_phase":
            return _wrong_phase(t, given.get("phase"))
        case "unknown_seat":
            return t.gettext("Nobody of that name sits at this table.")
        case "already_dealt":
            return t.gettext("This player’s seven wagons have been dealt already.")
        case "not_your_turn":
            player = _name(given.get("seat"), names)
            if player is not None:
                return t.gettext("It is not your turn. Turn: %(player)s") % {"player": player}
            return t.gettext("It is not your turn.")
        case "not_seven":
            # Translators: num is how many numbers were given instead
            text = t.ngettext(
                "A row has seven wagons, not %(num)d.",
                "A row has seven wagons, not %(num)d.",
                given.get("num", 0),
            )
            return text % {"num": given.get("num", 0)}
        case "unknown_card":
            return t.gettext("Wagons have the numbers 1 to 84.")
        case "card_in_play":
            return _in_play(t, given, names)
        case "not_descending":
            return t.gettext("The row begins in descending order, the highest number on the left.")
        case "ability_missing":
            return t.gettext(
                "The wagon that leaves the row has an ability that is not known yet: say which."
            )
        case "ability_contradicts":
            if "ability" in given:
                # Translators: ability is its label, such as “Protect a card”
                text = t.gettext(
                    "Wagon %(wagon)d turned up before with another ability: %(ability)s"
                )
                return text % {"wagon": given["wagon"], "ability": ability(t, given["ability"])}
            return t.gettext("This wagon turned up before with another ability.")
        case "ability_not_available":
            return t.gettext("No face-up card has this ability.")
        case "out_of_reach":
            return _out_of_reach(t, given.get("ability"))
        case "already_protected":
            return t.gettext("This wagon is protected already.")
    raise KeyError(code)


def _wrong_phase(t: NullTranslations, phase: str | None) -> str:
    match phase:
        case "deal":
            return t.gettext("First every player’s seven wagons must be dealt.")
        case "draft":
            return t.gettext(
                "The opening draft is on: keep one of the wagons drawn and put it in your row."
            )
        case "turn":
            return t.gettext("Turns are being played: draw a card or use an ability.")
        case "refill":
            return t.gettext("First the gaps must be filled: draw a card into each.")
    return t.gettext("That play cannot come now.")


def _in_play(t: NullTranslations, given: Mapping[str, Any], names: Names) -> str:
    where, player = given.get("where"), _name(given.get("seat"), names)
    params = {"wagon": given.get("wagon", 0), "player": player}
    if where == "market":
        return t.gettext("Wagon %(wagon)d lies among the face-up cards.") % params
    if player is None:
        return t.gettext("This wagon lies on the table already.")
    if where == "row":
        return t.gettext("Wagon %(wagon)d is in a row already: %(player)s") % params
    if where == "protection":
        return t.gettext("Wagon %(wagon)d lies under a row as a lock: %(player)s") % params
    return t.gettext("Wagon %(wagon)d has just been removed from a row: %(player)s") % params


def _name(seat: int | None, names: Names) -> str | None:
    """None where the seat is not told, or not who sits there."""
    if seat is None:
        return None
    try:
        return names[seat]
    except LookupError:
        return None


def _out_of_reach(t: NullTranslations, code: str | None) -> str:
    match code:
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
