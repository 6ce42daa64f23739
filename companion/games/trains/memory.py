"""What wagons can do, as far as it was told: a wagon has the same ability in every game."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from companion.games.game import Known, Memory
from companion.games.trains.labels import NAME
from companion.games.trains.rules.abilities import REACH, WAGONS, Ability
from companion.games.trains.rules.model import State

Abilities = Sequence[Ability | None]


def _known(abilities: Abilities) -> Known:
    return {str(wagon): ability for wagon in WAGONS if (ability := abilities[wagon]) is not None}


def learned(state: State) -> Known:
    return {
        wagon: ability
        for wagon, ability in _known(state.known).items()
        if ability != state.given[int(wagon)]
    }


def known(state: State) -> Known:
    return {**_known(state.given), **_known(state.known)}


def given(state: State, others: Known) -> State:
    return replace(state, given=(None, *(others.get(str(wagon)) for wagon in WAGONS)))


def read(text: str) -> Known | None:
    try:
        deck = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(deck, dict) or deck.get("game") != NAME:
        return None
    wagons = deck.get("wagons")
    if not isinstance(wagons, dict):
        return None
    numbers = {str(wagon) for wagon in WAGONS}
    ours = all(
        wagon in numbers and type(ability) is str and ability in REACH
        for wagon, ability in wagons.items()
    )
    return wagons if ours else None


def written(others: Known) -> str:
    wagons = {wagon: others[wagon] for wagon in sorted(others, key=int)}
    return json.dumps({"game": NAME, "wagons": wagons}, indent=1) + "\n"


MEMORY: Final = Memory(learned=learned, known=known, given=given, read=read, written=written)
