"""Which paragraph of the rules a refusal rests on, so that it can link there.

A refusal that rests on no rule of the game, but on the table or on a file that cannot be read,
has no paragraph.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import quote

SABOTEUR: Final = {
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

TRAINS: Final = {
    "unknown_seat": "players",
    "game_over": "winning",
    "wrong_phase": "turn",
    "already_dealt": "deal",
    "not_your_turn": "turn",
    "not_seven": "deal",
    "not_descending": "deal",
    "unknown_card": "cards",
    "card_in_play": "cards",
    "ability_missing": "market",
    "ability_contradicts": "cards",
    "ability_not_available": "abilities",
    "out_of_reach": "abilities",
    "already_protected": "protect",
}

ANCHORS: Final = MappingProxyType({"saboteur": SABOTEUR, "trains": TRAINS})
"""By game, the paragraph of each reason for which a play is refused."""

REACH: Final = {
    "swap_adjacent": "swap",
    "swap_over_one": "swap",
    "move_right": "move",
    "move_left": "move",
    "protect": "protect",
}
"""Of trains, where `out_of_reach` says which ability was meant."""

PHASES: Final = {"deal": "deal", "draft": "draft", "turn": "turn", "refill": "refill"}
"""Of trains, where `wrong_phase` says what must be done now."""


def rule_of(game: str, reason: str, params: Mapping[str, Any] | None = None) -> str | None:
    """The anchor of the paragraph; None where the refusal rests on no rule of the game."""
    given = params or {}
    if reason == "out_of_reach" and given.get("ability") in REACH:
        return REACH[given["ability"]]
    if reason == "wrong_phase" and given.get("phase") in PHASES:
        return PHASES[given["phase"]]
    return ANCHORS.get(game, {}).get(reason)


def rules_path(
    game: str,
    edition: str | None = None,
    anchor: str | None = None,
    back: str | None = None,
    q: str | None = None,
) -> str:
    """The address of the rules in an edition; `back` is the page that the reader came from, `q`
    the words that are searched."""
    asked = {"edition": edition, "back": back, "q": q}
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in asked.items() if value)
    return f"/rules/{game}" + (f"?{query}" if query else "") + (f"#{anchor}" if anchor else "")
