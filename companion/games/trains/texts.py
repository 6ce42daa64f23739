"""The Game of Trains in words: events and verdicts as whole sentences.

Every function takes the translations to speak in (`t`, as `gettext.NullTranslations`) and gives
back text. Names of players come in ready for where the text goes (a page escapes and wraps them);
a sentence begins with a name or has it after a colon, so that no language must inflect it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from gettext import NullTranslations
from typing import Any, assert_never

from companion.games.game import Listing
from companion.games.trains.labels import ability
from companion.games.trains.rules.model import (
    Event,
    GameGivenUp,
    GameWon,
    GapFilled,
    GapsOpened,
    MarketGrew,
    PairDiscarded,
    ProtectionLost,
    RowDealt,
    RowShown,
    TurnEnded,
    WagonDrafted,
    WagonDrawn,
    WagonMoved,
    WagonProtected,
    WagonsRemoved,
    WagonsSwapped,
)


def event(t: NullTranslations, happened: Event, names: Sequence[str], listing: Listing) -> str:
    """What has happened, for the list of plays. No event of this game has names to list."""
    match happened:
        case RowDealt(seat, row):
            # Translators: row is seven numbers, such as 83 60 59 24 20 9 7
            text = t.gettext("%(player)s is dealt this row: %(row)s")
            return text % {"player": names[seat], "row": " ".join(map(str, row))}
        case WagonDrafted(seat, wagon, place, replaced):
            # Translators: in the opening draft; place is 1 (left) to 7 (right)
            text = t.gettext(
                "%(player)s keeps wagon %(wagon)d: it replaces wagon %(replaced)d at position"
                " %(place)d."
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
                "%(player)s draws wagon %(wagon)d: it replaces wagon %(replaced)d at position"
                " %(place)d."
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
                "%(player)s draws wagon %(wagon)d: it fills the gap at position %(place)d."
            )
            return text % {"player": names[seat], "wagon": wagon, "place": place}
        case MarketGrew(wagon, code):
            # Translators: ability is its label, such as “Protect a card”
            text = t.gettext("Wagon %(wagon)d joins the face-up cards: %(ability)s")
            return text % {"wagon": wagon, "ability": ability(t, code)}
        case PairDiscarded(wagon, code, other):
            # Translators: ability is its label; first and second are numbers of wagons
            text = t.gettext(
                "Wagons %(first)d and %(second)d have the same ability, so both are discarded:"
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
            text = t.gettext("%(player)s loses the protection of the wagon at position %(place)d.")
            return text % {"player": names[seat], "place": place}
        case TurnEnded(seat, True):
            return t.gettext("The gap is filled: %(player)s") % {"player": names[seat]}
        case TurnEnded(seat):
            # Translators: in the way of playing in which no plays are reported
            return t.gettext("%(player)s ends the turn.") % {"player": names[seat]}
        case GapsOpened(seat):
            return t.gettext("%(player)s removes wagons.") % {"player": names[seat]}
        case RowShown(seat, row):
            # Translators: row is seven numbers, such as 83 60 59 24 20 9 7
            text = t.gettext("%(player)s shows this row: %(row)s")
            return text % {"player": names[seat], "row": " ".join(map(str, row))}
        case GameGivenUp():
            return t.gettext("The game was abandoned.")
        case GameWon(seat):
            return _won(t, names[seat])
        case _:
            assert_never(happened)


def _swapped(t: NullTranslations, happened: WagonsSwapped, player: str) -> str:
    if happened.ability == "swap_adjacent":
        text = t.gettext(
            "%(player)s swaps the adjacent wagons at positions %(left)d and %(right)d."
        )
    else:
        text = t.gettext(
            "%(player)s swaps the wagons at positions %(left)d and %(right)d, with one wagon"
            " between them."
        )
    return text % {"player": player, "left": happened.left, "right": happened.right}


def _moved(t: NullTranslations, happened: WagonMoved, player: str) -> str:
    if happened.ability == "move_right":
        text = t.gettext(
            "%(player)s moves a wagon two places right, from position %(start)d to position"
            " %(end)d."
        )
    else:
        text = t.gettext(
            "%(player)s moves a wagon two places left, from position %(start)d to position %(end)d."
        )
    return text % {"player": player, "start": happened.start, "end": happened.end}


def _removed(t: NullTranslations, happened: WagonsRemoved, names: Sequence[str]) -> str:
    wagons = ", ".join(f"{wagon}\u00a0({names[seat]})" for seat, wagon in happened.removed)
    if not happened.removed:
        text = t.gettext(
            "%(player)s uses a removal ability, but every wagon at position %(place)d is protected."
        )
    elif happened.ability == "remove_left":
        # Translators: wagons is a list of numbers, each with whose it was, such as “40 (Anna)”
        text = t.gettext(
            "%(player)s removes the leftmost wagon from every row with no lock there: %(wagons)s"
        )
    elif happened.ability == "remove_middle":
        # Translators: wagons is a list of numbers, each with whose it was, such as “40 (Anna)”
        text = t.gettext(
            "%(player)s removes the middle wagon from every row with no lock there: %(wagons)s"
        )
    else:
        # Translators: wagons is a list of numbers, each with whose it was, such as “40 (Anna)”
        text = t.gettext(
            "%(player)s removes the rightmost wagon from every row with no lock there: %(wagons)s"
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


def _won(t: NullTranslations, player: str) -> str:
    return t.gettext("%(player)s wins: the whole row is in ascending order.") % {"player": player}


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
        said.append(_won(t, verdict["game_over"]["winner"]))
    return said
