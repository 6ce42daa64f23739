"""Saboteur in words: events and verdicts as whole sentences.

Every function takes the translations to speak in (`t`) and gives back text. Names of players come
in ready for where the text goes (a page escapes and wraps them); a sentence begins with a name or
has it after a colon, so that no language must inflect it. A tool's adjective agrees with it in
some languages: one message a tool.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from gettext import NullTranslations
from typing import Any, assert_never

from companion.games.fields import PlayerIndex
from companion.games.game import Listing
from companion.games.saboteur.labels import goal
from companion.games.saboteur.rules.maze import START_AT
from companion.games.saboteur.rules.model import (
    MINERS_WON,
    NOBODY,
    Dealt,
    Event,
    GameEnded,
    GoalTurned,
    MapRead,
    Passed,
    PathPlaced,
    PileCounted,
    Reseated,
    ResultTold,
    RockFell,
    RoundEnded,
    ToolBroken,
    ToolRepaired,
    WonBy,
)
from companion.values import Value


class RoundTold(Value, frozen=True):
    """The end of a round without who gained what, and without the gold that is left."""

    won_by: WonBy
    paid: bool


class GameTold(Value, frozen=True):
    """The end of the game without anybody's gold."""

    winners: tuple[PlayerIndex, ...]  # nobody where there was no gold


def public_event(happened: Event) -> Event | RoundTold | GameTold:
    """What its sentence says: no roles and no gold, and the same wherever a card lies, and whatever
    is on it."""
    match happened:
        case Dealt():
            return Dealt(())
        case PathPlaced(by):
            return PathPlaced(by, "", START_AT)
        case RockFell(by):
            return RockFell(by, START_AT, "")
        case RoundEnded(won_by):
            return RoundTold(won_by, any(happened.gold))
        case GameEnded(totals, winners):
            return GameTold(winners if any(totals) else ())
    return happened


def event(
    t: NullTranslations,
    happened: Event | RoundTold | GameTold,
    names: Sequence[str],
    listing: Listing,
) -> str:
    """What has happened, for the list of plays; `names` in the order of the seats."""
    match happened:
        case Dealt():
            return t.gettext("The dwarf cards are dealt.")
        case Reseated(circle):
            # Translators: the order in which the players sit has been put right; a list of names
            text = t.gettext("Seats, clockwise: %(players)s")
            return text % {"players": listing(names[seat] for seat in circle)}
        case PathPlaced(by):
            return t.gettext("%(player)s played a path card.") % {"player": names[by]}
        case Passed(by):
            return t.gettext("%(player)s passed.") % {"player": names[by]}
        case MapRead(by):
            # Translators: a picture beside it shows which one
            return t.gettext("%(player)s looked at a goal card.") % {"player": names[by]}
        case RockFell(by):
            text = t.gettext("%(player)s took a path card away with a rockfall.")
            return text % {"player": names[by]}
        case GoalTurned(by, _, "treasure"):
            return t.gettext("%(player)s found the treasure.") % {"player": names[by]}
        case GoalTurned(by):
            return t.gettext("%(player)s found a stone.") % {"player": names[by]}
        case ToolBroken(by, code, seat):
            if by == seat:
                return _broke_own(t, code) % {"player": names[by]}
            return _broke(t, code) % {"player": names[by], "target": names[seat]}
        case ToolRepaired(by, _, code, seat):
            if by == seat:
                return _repaired_own(t, code) % {"player": names[by]}
            return _repaired(t, code) % {"player": names[by], "target": names[seat]}
        case PileCounted(_, pile):
            return t.gettext("The draw pile was counted: %(num)d") % {"num": pile}
        case ResultTold():  # a host without a seat tells it in the first player's name
            return t.gettext("The end of the round was reported.")
        case RoundTold(won_by, paid):
            return round_over(t, won_by, paid=paid)
        case GameTold(winners):
            return game_over(t, [names[seat] for seat in winners], listing)
        case RoundEnded() | GameEnded():
            return event(t, public_event(happened), names, listing)
        case _:
            assert_never(happened)


def _broke(t: NullTranslations, code: str) -> str:
    match code:
        case "pickaxe":
            # Translators: who played the card → whose pickaxe is broken now
            return t.gettext("Broken pickaxe: %(player)s → %(target)s")
        case "lantern":
            # Translators: who played the card → whose lantern is broken now
            return t.gettext("Broken lantern: %(player)s → %(target)s")
        case "cart":
            # Translators: who played the card → whose mine cart is broken now
            return t.gettext("Broken mine cart: %(player)s → %(target)s")
    raise KeyError(code)


def _repaired(t: NullTranslations, code: str) -> str:
    match code:
        case "pickaxe":
            # Translators: who played the card → whose pickaxe is whole again
            return t.gettext("Repaired pickaxe: %(player)s → %(target)s")
        case "lantern":
            # Translators: who played the card → whose lantern is whole again
            return t.gettext("Repaired lantern: %(player)s → %(target)s")
        case "cart":
            # Translators: who played the card → whose mine cart is whole again
            return t.gettext("Repaired mine cart: %(player)s → %(target)s")
    raise KeyError(code)


def _broke_own(t: NullTranslations, code: str) -> str:
    match code:
        case "pickaxe":
            # Translators: who played the card on his own pickaxe
            return t.gettext("Broken pickaxe: %(player)s")
        case "lantern":
            # Translators: who played the card on his own lantern
            return t.gettext("Broken lantern: %(player)s")
        case "cart":
            # Translators: who played the card on his own mine cart
            return t.gettext("Broken mine cart: %(player)s")
    raise KeyError(code)


def _repaired_own(t: NullTranslations, code: str) -> str:
    match code:
        case "pickaxe":
            # Translators: who played the card on his own pickaxe
            return t.gettext("Repaired pickaxe: %(player)s")
        case "lantern":
            # Translators: who played the card on his own lantern
            return t.gettext("Repaired lantern: %(player)s")
        case "cart":
            # Translators: who played the card on his own mine cart
            return t.gettext("Repaired mine cart: %(player)s")
    raise KeyError(code)


def round_over(t: NullTranslations, won_by: WonBy, *, paid: bool) -> str:
    """`paid`: anybody gains gold; where the treasure stays hidden and no saboteur was dealt, nobody
    does."""
    if won_by == MINERS_WON:
        return t.gettext("The gold diggers win the round")
    if won_by == NOBODY:
        return t.gettext("The round was cut short")
    if not paid:
        return t.gettext("No gold is handed out this round")
    return t.gettext("The saboteurs win the round")


def game_over(t: NullTranslations, winners: Sequence[str], listing: Listing) -> str:
    """`winners`: nobody where there was no gold."""
    if not winners:
        return t.gettext("Nobody has any gold")
    if len(winners) == 1:
        return t.gettext("Winner: %(player)s") % {"player": winners[0]}
    return t.gettext("Shared first place: %(players)s") % {"players": listing(winners)}


def nuggets(t: NullTranslations, player: str, num: int) -> str:
    """A player's gold, counted in nuggets."""
    # Translators: a player's gold; num is a number of nuggets
    text = t.ngettext("%(player)s: %(num)d gold nugget", "%(player)s: %(num)d gold nuggets", num)
    return text % {"player": player, "num": num}


def accepted(t: NullTranslations, verdict: Mapping[str, Any], listing: Listing) -> list[str]:
    """What an accepted line of a record says, as sentences."""
    # Translators: the number of the round that is being played, of three
    said = [t.gettext("Round %(n)d/3") % {"n": verdict["round"]}]
    if "round_over" in verdict:
        ended = verdict["round_over"]
        gained = ended["gold"].items()
        paid = any(cards for _, cards in gained)
        said.append(round_over(t, ended["won_by"], paid=paid))
        said += [nuggets(t, name, sum(cards)) for name, cards in gained if cards]
    elif verdict["turn"] is not None:
        # Translators: num cards are left to draw
        left = t.ngettext("Draw pile: %(num)d card", "Draw pile: %(num)d cards", verdict["pile"])
        said.append(left % {"num": verdict["pile"]})
        said.append(t.gettext("Turn: %(player)s") % {"player": verdict["turn"]})
    if "reveal" in verdict:
        goals = listing(goal(t, code) for code in verdict["reveal"])
        # Translators: a list of labels, such as “upper goal card”
        said.append(
            t.gettext("Goal cards reached, to be turned over now: %(goals)s") % {"goals": goals}
        )
    if "game_over" in verdict:
        totals, winners = verdict["game_over"]["totals"], verdict["game_over"]["winners"]
        said.append(game_over(t, winners if any(totals.values()) else (), listing))
        said += [nuggets(t, name, total) for name, total in totals.items()]
    return said
