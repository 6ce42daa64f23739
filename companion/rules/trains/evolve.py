"""What an event makes of a state.  Total: events are facts, and nothing is checked here again.

Whose turn it is follows from the events too: clockwise from the starter in the opening draft and
in the turns (“Mängu käik”), and from who used a removal on in the refills.
"""

from dataclasses import replace
from typing import assert_never

from companion.rules.trains.abilities import GAP, Row, moved, placed, swapped
from companion.rules.trains.model import (
    DRAFT,
    OVER,
    REFILL,
    TURN,
    Event,
    GameWon,
    GapFilled,
    MarketGrew,
    PairDiscarded,
    ProtectionLost,
    RowDealt,
    State,
    WagonDrafted,
    WagonDrawn,
    WagonMoved,
    WagonProtected,
    WagonsRemoved,
    WagonsSwapped,
)

Rows = tuple[Row, ...]
Market = tuple[tuple[str, int], ...]


def evolve(state: State, event: Event) -> State:
    match event:
        case WagonDrawn(seat, wagon, place):
            return _turn_over(state, _with_wagon(state.rows, seat, place, wagon), state.market)
        case MarketGrew(wagon, ability):
            market = tuple(sorted((*state.market, (ability, wagon))))
            return _told(state, market, wagon, ability)
        case PairDiscarded(wagon, ability):
            return _told(state, _market_without(state, ability), wagon, ability)
        case WagonsSwapped(seat, ability, _, left, right):
            rows = _with_row(state.rows, seat, swapped(state.rows[seat], left, right))
            return _turn_over(state, rows, _market_without(state, ability))
        case WagonMoved(seat, ability, _, start, end):
            rows = _with_row(state.rows, seat, moved(state.rows[seat], start, end))
            return _turn_over(state, rows, _market_without(state, ability))
        case WagonsRemoved():
            return _removed(state, event)
        case GapFilled(seat, wagon, place):
            rows, owed = _with_wagon(state.rows, seat, place, wagon), state.owed[1:]
            if owed:
                return replace(state, rows=rows, owed=owed)
            return replace(state, rows=rows, owed=owed, phase=TURN, player=_next_player(state))
        case WagonProtected(seat, ability, card, place):
            locks = _with_wagon(state.locks, seat, place, card)
            market = _market_without(state, ability)
            return replace(state, locks=locks, market=market, player=_next_player(state))
        case ProtectionLost(seat, place):
            return replace(state, locks=_with_wagon(state.locks, seat, place, 0))
        case RowDealt(seat, row):
            rows = _with_row(state.rows, seat, row)
            return replace(state, rows=rows, phase=DRAFT if all(rows) else state.phase)
        case WagonDrafted(seat, wagon, place):
            rows, player = _with_wagon(state.rows, seat, place, wagon), _next_player(state)
            phase = TURN if player == state.starter else DRAFT
            return replace(state, rows=rows, phase=phase, player=player)
        case GameWon(seat):
            return replace(state, phase=OVER, winner=seat)
        case _:
            assert_never(event)


def _removed(state: State, event: WagonsRemoved) -> State:
    market = _market_without(state, event.ability)
    if not event.removed:
        return _turn_over(state, state.rows, market)
    rows = state.rows
    for seat, _ in event.removed:
        rows = _with_wagon(rows, seat, event.place, GAP)
    return replace(state, phase=REFILL, rows=rows, market=market, owed=event.removed)


def _next_player(state: State) -> int:
    return (state.player + 1) % len(state.rows)


def _with_row(rows: Rows, seat: int, row: Row) -> Rows:
    return (*rows[:seat], row, *rows[seat + 1 :])


def _with_wagon(rows: Rows, seat: int, place: int, wagon: int) -> Rows:
    return (*rows[:seat], placed(rows[seat], place, wagon), *rows[seat + 1 :])


def _market_without(state: State, ability: str) -> Market:
    return tuple(lying for lying in state.market if lying[0] != ability)


# The two most common steps name every field: `replace` takes three times as long.


def _turn_over(state: State, rows: Rows, market: Market) -> State:
    return State(
        state.phase,
        state.starter,
        _next_player(state),
        rows,
        state.locks,
        market,
        state.known,
        state.owed,
        state.winner,
    )


def _told(state: State, market: Market, wagon: int, ability: str) -> State:
    known = state.known
    if known[wagon] is None:
        known = (*known[:wagon], ability, *known[wagon + 1 :])
    return State(
        state.phase,
        state.starter,
        state.player,
        state.rows,
        state.locks,
        market,
        known,
        state.owed,
        state.winner,
    )
