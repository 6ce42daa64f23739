"""What anybody may know: an allow-list, though the game has no secrets."""

from __future__ import annotations

from companion.games.fields import PlayerIndex, players
from companion.games.trains.rules.abilities import Ability, astray, out_of_order
from companion.games.trains.rules.model import DRAFT, Phase, State
from companion.values import Value


class WagonView(Value, frozen=True):
    place: int
    wagon: int | None
    """None for a gap."""
    ability: Ability | None
    """None while the referee has not been told it, and for a gap."""
    protected: bool


class RowView(Value, frozen=True):
    seat: PlayerIndex
    wagons: tuple[WagonView, ...]
    """Empty before the deal."""
    out_of_order: int | None
    """How many wagons keep the row from ascending; None before the deal."""
    astray: int | None
    """The wagon that it is, where there is one alone."""
    locks: tuple[int, ...]
    """The numbers of the cards that lie under it to protect a wagon."""
    removed: int | None
    """The wagon that was taken out, while its gap is open."""
    removed_known: bool
    """What that one can do need not be asked."""


class MarketCard(Value, frozen=True):
    ability: Ability
    wagon: int


class VisibleState(Value, frozen=True):
    phase: Phase
    starter: PlayerIndex
    turn: PlayerIndex | None
    """The seat that acts next."""
    draws: int | None
    """How many wagons the seat that acts next draws in the opening draft; it keeps one."""
    rows: tuple[RowView, ...]
    market: tuple[MarketCard, ...]
    winner: PlayerIndex | None


def view(state: State, _: PlayerIndex | None) -> VisibleState:
    return VisibleState(
        phase=state.phase,
        starter=state.starter,
        turn=state.turn,
        draws=draft_draws(state) if state.phase == DRAFT else None,
        rows=tuple(_row(state, other) for other in players(len(state.rows))),
        market=tuple(MarketCard(ability, wagon) for ability, wagon in state.market),
        winner=state.winner,
    )


def draft_draws(state: State) -> int:
    """1, 2, 3 and 4 wagons from the starter on, clockwise (“Ettevalmistus mänguks”)."""
    return (state.player - state.starter) % len(state.rows) + 1


def _row(state: State, seat: PlayerIndex) -> RowView:
    row, locks = state.rows[seat], state.locks[seat]
    wagons = tuple(
        WagonView(place, wagon or None, state.ability(wagon), locks[place - 1] > 0)
        for place, wagon in enumerate(row, start=1)
    )
    removed = next((wagon for other, wagon in state.owed if other == seat), None)
    return RowView(
        seat=seat,
        wagons=wagons,
        out_of_order=out_of_order(row) if row else None,
        astray=astray(row) if row else None,
        locks=tuple(card for card in locks if card),
        removed=removed,
        removed_known=removed is not None and state.ability(removed) is not None,
    )
