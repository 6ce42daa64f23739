"""Which paragraph of the rules a refusal rests on, so that it can link there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

PARAGRAPHS: Final = {
    "unknown_seat": "players",
    "game_over": "standings",
    "round_in_progress": "round-end",
    "impossible_roles": "dwarfs",
    "no_round": "deal",
    "reveal_pending": "goals",
    "nothing_to_reveal": "goals",
    "not_your_turn": "turn",
    "tools_broken": "broken-tools",
    "unknown_card": "copies",
    "no_copies_left": "copies",
    "cell_occupied": "path-card",
    "not_adjacent": "path-card",
    "edge_mismatch": "matching",
    "not_connected": "connected",
    "goal_not_reached": "goals",
    "goal_orientation": "stones",
    "tool_already_broken": "break",
    "repair_mismatch": "repair",
    "tool_not_broken": "repair",
    "protected_card": "rockfall",
    "nothing_there": "rockfall",
    "goal_face_up": "map",
}


def paragraph_of(reason: str, params: Mapping[str, Any]) -> str | None:
    return PARAGRAPHS.get(reason)
