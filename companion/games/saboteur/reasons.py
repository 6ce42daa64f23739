"""Why Saboteur refuses a play: one row a reason, in the order of the checks in a game record."""

from __future__ import annotations

from gettext import NullTranslations
from typing import Final

from companion.games.game import Given, Reasons
from companion.games.saboteur.labels import NAME, tool
from companion.games.words import game_over, no_such_player, whose_turn

REASONS: Final = Reasons(NAME)
_add = REASONS.add


def _tools_broken(t: NullTranslations, given: Given) -> str:
    if "tools" in given.params:
        # Translators: tools is a list, such as “pickaxe and lantern”
        text = t.gettext(
            "First repair what is broken: %(tools)s. Until then you cannot place a path card."
        )
        return text % {"tools": given.listing(tool(t, code) for code in given.params["tools"])}
    return t.gettext("Broken tools must be repaired before you place a path card.")


# Of every play

UNKNOWN_SEAT: Final = _add("unknown_seat", no_such_player, paragraph="players")
GAME_OVER: Final = _add("game_over", game_over, paragraph="standings")

# Between rounds

ROUND_IN_PROGRESS: Final = _add(
    "round_in_progress",
    lambda t, _: t.gettext("This round is not over yet."),
    paragraph="round-end",
)
IMPOSSIBLE_ROLES: Final = _add(
    "impossible_roles",
    lambda t, _: t.gettext("The dwarf cards in play cannot give these roles."),
    paragraph="dwarfs",
)
IMPOSSIBLE_ORDER: Final = _add(
    "impossible_order",
    lambda t, _: t.gettext("Every player must appear in the order exactly once."),
    paragraph="players",
)
NO_ROUND: Final = _add(
    "no_round",
    lambda t, _: t.gettext("The dwarf cards must be dealt first: no round is being played."),
    paragraph="deal",
)

# Who may play what now

REVEAL_PENDING: Final = _add(
    "reveal_pending",
    lambda t, _: t.gettext("A goal card has been reached: it must be turned over first."),
    paragraph="goals",
)
NOTHING_TO_REVEAL: Final = _add(
    "nothing_to_reveal",
    lambda t, _: t.gettext("No path has just reached a goal card: there is none to turn over."),
    paragraph="goals",
)
NOT_YOUR_TURN: Final = _add("not_your_turn", whose_turn, "seat", paragraph="turn")
TOOLS_BROKEN: Final = _add("tools_broken", _tools_broken, "tools", paragraph="broken-tools")

# The card, and where it is laid

UNKNOWN_CARD: Final = _add(
    "unknown_card",
    lambda t, _: t.gettext("There is no such card in the game."),
    paragraph="copies",
)
NO_COPIES_LEFT: Final = _add(
    "no_copies_left",
    lambda t, _: t.gettext("No copies of this card are left."),
    paragraph="copies",
)
CELL_OCCUPIED: Final = _add(
    "cell_occupied",
    # Translators: a place in the maze
    lambda t, _: t.gettext("There is already a card here."),
    paragraph="path-card",
)
NOT_ADJACENT: Final = _add(
    "not_adjacent",
    lambda t, _: t.gettext("A path card must lie beside a path card that is face up."),
    paragraph="path-card",
)
EDGE_MISMATCH: Final = _add(
    "edge_mismatch",
    lambda t, _: t.gettext("The paths on the card do not match the neighbouring cards."),
    "sides",
    recorded=("sides",),
    paragraph="matching",
)
NOT_CONNECTED: Final = _add(
    "not_connected",
    lambda t, _: t.gettext("The card must continue an unbroken path from the start card."),
    paragraph="connected",
)

# Goal cards

GOAL_NOT_REACHED: Final = _add(
    "goal_not_reached",
    lambda t, _: t.gettext("No unbroken path from the start card leads to this goal card."),
    paragraph="goals",
)
GOAL_ORIENTATION: Final = _add(
    "goal_orientation",
    lambda t, _: t.gettext("The stone fits the neighbouring cards the other way up: rotate it."),
    "fits",
    recorded=("fits",),
    paragraph="stones",
)

# Action cards

TOOL_ALREADY_BROKEN: Final = _add(
    "tool_already_broken",
    lambda t, _: t.gettext(
        "This tool is already broken: each tool can be broken only once at a time."
    ),
    paragraph="break",
)
REPAIR_MISMATCH: Final = _add(
    "repair_mismatch",
    lambda t, _: t.gettext("This repair card does not show the tool to be repaired."),
    paragraph="repair",
)
TOOL_NOT_BROKEN: Final = _add(
    "tool_not_broken",
    lambda t, _: t.gettext("This tool is not broken: there is nothing to repair."),
    paragraph="repair",
)
PROTECTED_CARD: Final = _add(
    "protected_card",
    lambda t, _: t.gettext("A rockfall never takes the start card or a goal card."),
    paragraph="rockfall",
)
NOTHING_THERE: Final = _add(
    "nothing_there",
    lambda t, _: t.gettext("There is no path card here to take away."),
    paragraph="rockfall",
)
GOAL_FACE_UP: Final = _add(
    "goal_face_up",
    lambda t, _: t.gettext("This goal card is already face up: there is nothing left to find out."),
    paragraph="map",
)
