"""The state after an event. Total: events are facts, and nothing is checked here again.

Whose turn it is follows from the events too: clockwise from the starter in the opening draft and
in the turns (“Mängu käik”), and from the player who used a removal in the refills.
"""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from companion.games.fields import PlayerIndex
from companion.games.trains.rules.abilities import GAP, Ability, Row, moved, placed, swapped
from companion.games.trains.rules.model import (
    DEAL,
    DRAFT,
    OVER,
    REFILL,
    TURN,
    Event,
    GameGivenUp,
    GameWon,
    GapFilled,
    GapsOpened,
    MarketGrew,
    PairDiscarded,
    ProtectionLost,
    RowDealt,
    RowShown,
    State,
    TurnEnded,
    WagonDrafted,
    WagonDrawn,
    WagonMoved,
    WagonProtected,
    WagonsRemoved,
    WagonsSwapped,
)
from companion.values import with_one

Rows = tuple[Row, ...]
Market = tuple[tuple[Ability, int], ...]


def evolve(state: State, event: Event) -> State:
    match event:
        case WagonDrawn():
            rows = _with_wagon(state.rows, event.seat, event.place, event.wagon)
            return _turn_over(state, rows, state.market)
        case MarketGrew():
            market = tuple(sorted((*state.market, (event.ability, event.wagon))))
            return _told(state, market, event.wagon, event.ability)
        case PairDiscarded():
            market = _market_without(state, event.ability)
            return _told(state, market, event.wagon, event.ability)
        case WagonsSwapped():
            row = swapped(state.rows[event.seat], event.left, event.right)
            rows = with_one(state.rows, event.seat, row)
            return _turn_over(state, rows, _market_without(state, event.ability))
        case WagonMoved():
            row = moved(state.rows[event.seat], event.start, event.end)
            rows = with_one(state.rows, event.seat, row)
            return _turn_over(state, rows, _market_without(state, event.ability))
        case WagonsRemoved():
            return _removed(state, event)
        case GapFilled():
            return _filled(state, event)
        case WagonProtected():
            locks = _with_wagon(state.locks, event.seat, event.place, event.card)
            market = _market_without(state, event.ability)
            return replace(state, locks=locks, market=market, player=state.next_player)
        case ProtectionLost():
            return replace(state, locks=_with_wagon(state.locks, event.seat, event.place, 0))
        case RowDealt():
            rows = with_one(state.rows, event.seat, event.row)
            return replace(state, rows=rows, phase=DRAFT if all(rows) else state.phase)
        case WagonDrafted():
            rows = _with_wagon(state.rows, event.seat, event.place, event.wagon)
            player = state.next_player
            phase = TURN if player == state.starter else DRAFT
            return replace(state, rows=rows, phase=phase, player=player)
        case TurnEnded():
            return _turn_ended(state)
        case GapsOpened():
            owed = tuple((seat, GAP) for seat in event.lost)
            return replace(state, phase=REFILL, owed=owed)
        case RowShown():
            return replace(state, rows=with_one(state.rows, event.seat, event.row), light=True)
        case GameGivenUp():
            return replace(state, phase=OVER)
        case GameWon():
            return replace(state, phase=OVER, winner=event.seat)
        case _:
            assert_never(event)


def _turn_ended(state: State) -> State:
    """Of the light way: of the opening draft, a turn, or a gap."""
    state = replace(state, light=True, owed=state.owed[1:])
    if state.owed:
        return state
    player = state.next_player
    drafts = state.phase in (DEAL, DRAFT) and player != state.starter
    return replace(state, phase=DRAFT if drafts else TURN, player=player)


def _filled(state: State, event: GapFilled) -> State:
    rows = _with_wagon(state.rows, event.seat, event.place, event.wagon)
    owed = state.owed[1:]
    if owed:
        return replace(state, rows=rows, owed=owed)
    return replace(state, rows=rows, owed=owed, phase=TURN, player=state.next_player)


def _removed(state: State, event: WagonsRemoved) -> State:
    market = _market_without(state, event.ability)
    if not event.removed:
        return _turn_over(state, state.rows, market)
    rows = state.rows
    for seat, _ in event.removed:
        rows = _with_wagon(rows, seat, event.place, GAP)
    return replace(state, phase=REFILL, rows=rows, market=market, owed=event.removed)


def _with_wagon(rows: Rows, seat: PlayerIndex, place: int, wagon: int) -> Rows:
    return with_one(rows, seat, placed(rows[seat], place, wagon))


def _market_without(state: State, ability: Ability) -> Market:
    return tuple([lying for lying in state.market if lying[0] != ability])


# The two most common steps name every field: `replace` takes longer.


def _turn_over(state: State, rows: Rows, market: Market) -> State:
    return State(
        phase=state.phase,
        starter=state.starter,
        player=state.next_player,
        rows=rows,
        locks=state.locks,
        market=market,
        known=state.known,
        given=state.given,
        owed=state.owed,
        winner=state.winner,
        light=state.light,
    )


def _told(state: State, market: Market, wagon: int, ability: Ability) -> State:
    known = state.known
    if known[wagon] is None:
        known = with_one(known, wagon, ability)
    return State(
        phase=state.phase,
        starter=state.starter,
        player=state.player,
        rows=state.rows,
        locks=state.locks,
        market=market,
        known=known,
        given=state.given,
        owed=state.owed,
        winner=state.winner,
        light=state.light,
    )
