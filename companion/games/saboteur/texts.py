"""Saboteur in words: roles, tools, goals, events and refusals as whole sentences.

Every function takes the translations to speak in (`t`) and gives back text. Names of players come
in ready for where the text goes (a page escapes and wraps them); a sentence begins with a name or
has it after a colon, so that no language must inflect it. A tool's adjective agrees with it in
some languages: one message a tool.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from gettext import NullTranslations
from typing import Any, assert_never

from companion.games.saboteur.rules.model import (
    Dealt,
    Event,
    GameEnded,
    GoalTurned,
    MapRead,
    Opened,
    Passed,
    PathPlaced,
    ResultTold,
    RockFell,
    RoundEnded,
    ToolBroken,
    ToolRepaired,
)

Listing = Callable[[Iterable[str]], str]
"""Joins names or tools as the reader's language does."""


def role(t: NullTranslations, code: str) -> str:
    """A role as a label."""
    match code:
        case "miner":
            return t.pgettext("label", "gold digger")
        case "saboteur":
            return t.pgettext("label", "saboteur")
    raise KeyError(code)


def tool(t: NullTranslations, code: str) -> str:
    """A tool, as one of a list."""
    match code:
        case "pickaxe":
            return t.pgettext("tool", "pickaxe")
        case "lantern":
            return t.pgettext("tool", "lantern")
        case "cart":
            return t.pgettext("tool", "mine cart")
    raise KeyError(code)


def goal(t: NullTranslations, code: str) -> str:
    """Which of the three goal cards, as a label; north is the upper one, seen with the start card
    on the left."""
    match code:
        case "north":
            # Translators: one of the three goal cards, after a colon
            return t.pgettext("card", "upper goal card")
        case "middle":
            # Translators: one of the three goal cards, after a colon
            return t.pgettext("card", "middle goal card")
        case "south":
            # Translators: one of the three goal cards, after a colon
            return t.pgettext("card", "lower goal card")
    raise KeyError(code)


def event(t: NullTranslations, happened: Event, names: Sequence[str], listing: Listing) -> str:
    """What has happened, for the list of plays; `names` in the order of the seats."""
    match happened:
        case Opened():
            return t.gettext("The game begins.")
        case Dealt():
            return t.gettext("The dwarf cards are dealt.")
        case PathPlaced(by):
            return t.gettext("%(player)s played a path card.") % {"player": names[by]}
        case Passed(by):
            return t.gettext("%(player)s passed.") % {"player": names[by]}
        case MapRead(by, where):
            # Translators: goal is a label, such as “upper goal card”
            text = t.gettext("%(player)s looked at a goal card: %(goal)s")
            return text % {"player": names[by], "goal": goal(t, where)}
        case RockFell(by):
            text = t.gettext("%(player)s took a path card away with a rockfall.")
            return text % {"player": names[by]}
        case GoalTurned(by, where, card):
            return _turned(t, card) % {"player": names[by], "goal": goal(t, where)}
        case ToolBroken(by, code, seat):
            return _broke(t, code) % {"player": names[by], "target": names[seat]}
        case ToolRepaired(by, _, code, seat):
            return _repaired(t, code) % {"player": names[by], "target": names[seat]}
        case ResultTold(by):
            return t.gettext("%(player)s told how the round ended.") % {"player": names[by]}
        case RoundEnded():
            return round_over(t, happened.won_by)
        case GameEnded():
            return game_over(t, [names[seat] for seat in happened.winners], listing)
        case _:
            assert_never(happened)


def _turned(t: NullTranslations, card: str) -> str:
    if card == "treasure":
        # Translators: goal is a label, such as “upper goal card”
        return t.gettext("%(player)s found the treasure: %(goal)s")
    # Translators: goal is a label, such as “upper goal card”
    return t.gettext("%(player)s found a stone: %(goal)s")


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


def round_over(t: NullTranslations, won_by: str) -> str:
    if won_by == "miners":
        return t.gettext("The gold diggers win the round")
    return t.gettext("The saboteurs win the round")


def game_over(t: NullTranslations, winners: Sequence[str], listing: Listing) -> str:
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
        said.append(round_over(t, ended["won_by"]))
        gained = ended["gold"].items()
        said += [nuggets(t, name, sum(cards)) for name, cards in gained if cards]
        if not any(cards for _, cards in gained):
            said.append(t.gettext("No gold is handed out this round"))
    else:
        # Translators: num cards are left to draw
        left = t.ngettext("Draw pile: %(num)d card", "Draw pile: %(num)d cards", verdict["pile"])
        said.append(left % {"num": verdict["pile"]})
        said.append(t.gettext("Turn: %(player)s") % {"player": verdict["turn"]})
    if "reveal" in verdict:
        goals = listing(goal(t, code) for code in verdict["reveal"])
        # Translators: a list of labels, such as “upper goal card”
        said.append(t.gettext("Reached goal cards, to be turned now: %(goals)s") % {"goals": goals})
    if "game_over" in verdict:
        said.append(game_over(t, verdict["game_over"]["winners"], listing))
        totals = verdict["game_over"]["totals"].items()
        said += [nuggets(t, name, total) for name, total in totals]
    return said


def reason(
    t: NullTranslations,
    code: str,
    params: Mapping[str, Any] | None = None,
    names: Sequence[str] = (),
    listing: Listing = ", ".join,
) -> str:
    """Why a play is refused; without parameters, as records give it, in more general words."""
    given = params or {}
    match code:
        case "not_your_turn" if names and "seat" in given:
            text = t.gettext("It is not your turn. Turn: %(player)s")
            return text % {"player": names[given["seat"]]}
        case "tools_broken" if "tools" in given:
            # Translators: tools is a list, such as “pickaxe and lantern”
            text = t.gettext("Broken tools: %(tools)s. Repair them before playing a path card.")
            return text % {"tools": listing(tool(t, broken) for broken in given["tools"])}
        case "unknown_seat" | "game_over" | "no_round" | "round_in_progress" | "impossible_roles":
            return _round_reason(t, code)
        case "not_your_turn" | "reveal_pending" | "nothing_to_reveal":
            return _turn_reason(t, code)
        case "goal_not_reached" | "goal_orientation" | "goal_face_up":
            return _goal_reason(t, code)
        case "tools_broken" | "tool_already_broken" | "tool_not_broken" | "repair_mismatch":
            return _tool_reason(t, code)
    return _card_reason(t, code)


def _round_reason(t: NullTranslations, code: str) -> str:
    match code:
        case "unknown_seat":
            return t.gettext("Nobody of that name sits at this table.")
        case "game_over":
            return t.gettext("The game is over.")
        case "no_round":
            return t.gettext("The dwarf cards must be dealt first: no round is being played.")
        case "round_in_progress":
            return t.gettext("This round is not over yet.")
        case "impossible_roles":
            return t.gettext("The dwarf cards in play cannot give these roles.")
    raise KeyError(code)


def _turn_reason(t: NullTranslations, code: str) -> str:
    match code:
        case "not_your_turn":
            return t.gettext("It is not your turn.")
        case "reveal_pending":
            return t.gettext("A goal card has been reached: it must be turned first.")
        case "nothing_to_reveal":
            return t.gettext("No path has just reached a goal card: there is none to turn.")
    raise KeyError(code)


def _goal_reason(t: NullTranslations, code: str) -> str:
    match code:
        case "goal_not_reached":
            return t.gettext("No unbroken path from the start card leads to this goal card.")
        case "goal_orientation":
            return t.gettext("The stone fits the neighbouring cards the other way up: rotate it.")
        case "goal_face_up":
            return t.gettext("This goal card lies face up already: there is nothing to look for.")
    raise KeyError(code)


def _tool_reason(t: NullTranslations, code: str) -> str:
    match code:
        case "tools_broken":
            return t.gettext("Broken tools must be repaired before playing a path card.")
        case "tool_already_broken":
            return t.gettext("This tool is broken already: one of each kind is the most.")
        case "tool_not_broken":
            return t.gettext("This tool is not broken: there is nothing to repair.")
        case "repair_mismatch":
            return t.gettext("This repair card does not show the tool to be repaired.")
    raise KeyError(code)


def _card_reason(t: NullTranslations, code: str) -> str:
    match code:
        case "unknown_card":
            return t.gettext("There is no such card in the game.")
        case "no_copies_left":
            return t.gettext("No copies of this card are left")
        case "cell_occupied":
            # Translators: a place in the maze
            return t.gettext("There is a card here already")
        case "not_adjacent":
            return t.gettext("A path card must lie beside a path card that is face up.")
        case "edge_mismatch":
            return t.gettext("The paths on the card do not match the neighbouring cards.")
        case "not_connected":
            return t.gettext("The card must continue an unbroken path from the start card.")
        case "protected_card":
            return t.gettext("A rockfall never takes the start card or a goal card.")
        case "nothing_there":
            return t.gettext("There is no path card here to take away.")
    raise KeyError(code)
