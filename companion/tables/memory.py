"""What players have told of their cards is remembered: at the table, and for all tables.

A table has one voice a card. Where two disagree, nobody knows, and it is asked again: whoever
answers then settles it.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.tables.log import Telling
from companion.tables.model import Table


def agreed(tellings: Iterable[Telling]) -> dict[str, str]:
    """By card, what most have told; cards with a tie are left out."""
    said: dict[str, list[tuple[int, str]]] = {}
    for one in tellings:
        said.setdefault(one.card, []).append((one.times, one.what))
    known = {}
    for card, voices in said.items():
        (most, what), *others = sorted(voices, reverse=True)
        if most > max((times for times, _ in others), default=0):
            known[card] = what
    return known


def said_of_cards(table: Table) -> tuple[tuple[str, str], ...]:
    """What this table says of its cards: what it told last."""
    memory = table.game.memory
    if memory is None or table.game_state is None:
        return table.said_before
    return tuple(sorted({**dict(table.said_before), **memory.learned(table.game_state)}.items()))


def tellings(before: Table | None, after: Table) -> tuple[Telling, ...]:
    """What a change of the table tells anew, or takes back."""
    if before is None or before.game_state is after.game_state:
        return ()
    was, now = set(said_of_cards(before)), set(said_of_cards(after))
    name = after.game.name
    return (
        *(Telling(name, card, what, -1) for card, what in was - now),
        *(Telling(name, card, what, 1) for card, what in now - was),
    )
