"""Which paragraph of the rules a refusal is from: anchors on the page with the rules."""

from __future__ import annotations

from typing import Final

ANCHORS: Final = (
    "turn",
    "path-card",
    "matching",
    "connected",
    "dead-end",
    "broken-tools",
    "break",
    "repair",
    "rockfall",
    "map",
    "pass",
    "goals",
    "stones",
    "copies",
    "round-end",
    "gold",
    "next-round",
    "standings",
)

_RULES: Final = {
    "not_your_turn": "turn",
    "reveal_pending": "goals",
    "nothing_to_reveal": "goals",
    "goal_not_reached": "goals",
    "goal_orientation": "stones",
    "goal_face_up": "map",
    "tools_broken": "broken-tools",
    "tool_already_broken": "break",
    "tool_not_broken": "repair",
    "repair_mismatch": "repair",
    "unknown_card": "copies",
    "no_copies_left": "copies",
    "cell_occupied": "path-card",
    "not_adjacent": "path-card",
    "edge_mismatch": "matching",
    "not_connected": "connected",
    "protected_card": "rockfall",
    "nothing_there": "rockfall",
    "no_round": "next-round",
    "round_in_progress": "round-end",
    "impossible_roles": "next-round",
    "game_over": "standings",
}


def rule_of(reason: str) -> str | None:
    """The anchor of the rule behind a refusal; None where no rule of the game stands behind it.

    >>> rule_of("edge_mismatch")
    'matching'
    """
    return _RULES.get(reason)
