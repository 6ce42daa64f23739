"""Which paragraph of the rules a refusal rests on, so that it can link there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

PARAGRAPHS: Final = {
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

REACH: Final = {
    "swap_adjacent": "swap",
    "swap_over_one": "swap",
    "move_right": "move",
    "move_left": "move",
    "protect": "protect",
}
"""Where `out_of_reach` says which ability was meant."""

PHASES: Final = {"deal": "deal", "draft": "draft", "turn": "turn", "refill": "refill"}
"""Where `wrong_phase` says what must be done now."""


def paragraph_of(reason: str, params: Mapping[str, Any]) -> str | None:
    if reason == "out_of_reach" and params.get("ability") in REACH:
        return REACH[params["ability"]]
    if reason == "wrong_phase" and params.get("phase") in PHASES:
        return PHASES[params["phase"]]
    return PARAGRAPHS.get(reason)
