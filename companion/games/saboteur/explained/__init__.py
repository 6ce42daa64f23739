"""Saboteur in twelve steps. What is tried in each is judged by `decide`, in the edition at hand."""

from __future__ import annotations

from functools import cache

from companion.games.explanation import Step
from companion.games.game import Way
from companion.games.saboteur.explained import ending, playing


@cache
def explanation(edition: str, way: Way) -> tuple[Step, ...]:
    return (
        playing.aim(),
        playing.roles(),
        playing.turn(edition),
        playing.fits(edition),
        playing.unbroken(edition),
        playing.tools(edition),
        playing.rockfall(edition),
        playing.maps(edition),
        ending.goals(edition),
        ending.end(edition),
        ending.gold(),
        ending.phones(way),
    )
