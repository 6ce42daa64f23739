"""Plays of the Game of Trains as the pages' forms send them."""

from __future__ import annotations

from typing import Any

from companion.games.trains.record import play_fields
from companion.games.trains.rules.model import Deal, Play, Refill


def form_of(play: Play) -> dict[str, Any]:
    """What a form of ours sends, seats by id; a row in the order in which it was typed."""
    fields = play_fields(play, ["1", "2", "3", "4"])
    fields["seat"] = fields.pop("by")
    if isinstance(play, Deal):
        fields["row"] = list(reversed(play.row))
    if isinstance(play, Refill):
        fields["at"] = 4  # the gap that was tapped; where it lies is known
    return fields
