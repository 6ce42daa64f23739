"""The rows of wagons and the face-up cards as text."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.trains.rules.model import State
from companion.games.trains.rules.view import RowView, view


def draw(state: State, names: Sequence[str]) -> str:
    """Every train, with locked wagons in brackets; then the face-up cards."""
    seen = view(state, None)
    lines: list[str] = [seen.phase]
    for row in seen.rows:
        mark = "→" if row.seat == seen.turn else " "
        removed = f" · removed {row.removed}" if row.removed else ""
        lines.append(f"{mark} {names[row.seat]}: {_wagons(row)}{removed}")
    if seen.market:
        market = ", ".join(f"{card.ability} ({card.wagon})" for card in seen.market)
        lines.append(f"face up: {market}")
    if seen.winner is not None:
        lines.append(f"winner: {names[seen.winner]}")
    return "\n".join(lines)


def _wagons(row: RowView) -> str:
    said = (f"[{each.wagon}]" if each.protected else str(each.wagon or "_") for each in row.wagons)
    return " ".join(said) or "not dealt"
