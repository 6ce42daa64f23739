"""What one seat, or the table screen, may know. An allow-list: only what is put in is shown.

Roles are shown to all when the round is over, the left-over dwarf too; until then each seat knows
its own. Gold stays secret until the game is over: each seat knows its own cards, and everybody
how many cards lie before each player (all booklets).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from companion.games.fields import PlayerIndex, players
from companion.games.saboteur.rules.cards import (
    DEAD_END,
    DWARVES,
    MINER,
    NONE_USED,
    SABOTEUR,
    TEXT,
    Card,
    Counts,
    GoalName,
    Role,
    Tool,
    tools,
)
from companion.games.saboteur.rules.gold import Shares, richest
from companion.games.saboteur.rules.maze import (
    GOAL_AT,
    LIT,
    START_AT,
    STEPS,
    At,
    Cell,
    Maze,
    at_of,
    cell_of,
    unlit,
)
from companion.games.saboteur.rules.model import NOBODY, Past, State, WonBy
from companion.values import Value

LaidKind = Literal["start", "tunnel", "stone", "treasure"]

Cause = Literal["treasure", "cards", "passes", "told"]
"""Why a round ended: by the treasure, since nobody had a card left or all in turn had passed, or by
word alone."""


class Laid(Value, frozen=True):
    """A face-up path card, as it lies."""

    at: At
    card: str
    kind: LaidKind
    lit: bool = True
    """The path from the start reaches it."""


class PastRound(Value, frozen=True):
    """A round that is over, as anybody may know it."""

    roles: tuple[Role, ...]
    spare: Role
    """The dwarf that was left over."""
    won_by: WonBy
    finisher: PlayerIndex | None
    last: PlayerIndex
    last_known: bool
    """Else nobody knew who had the last turn, and `last` counts as the one."""
    cause: Cause
    followed: bool
    """The referee saw a play in it."""
    gold_cards: tuple[int, ...]
    """How many gold cards each seat gained."""
    gold: Shares
    """The cards themselves, as they were taken; empty until the game is over."""


class Rank(Value, frozen=True):
    place: int
    """From 1; equals share a place."""
    seat: PlayerIndex
    nuggets: int


Phase = Literal["deal", "turn", "reveal", "over"]
"""What comes next: the roles are to be dealt, a turn, goals are to be turned, or nothing."""


class VisibleState(Value, frozen=True):
    seat: PlayerIndex | None
    seats: int
    circle: tuple[PlayerIndex, ...]
    """Clockwise, as they sit now."""
    edition: str
    phase: Phase
    round: int
    starter: PlayerIndex
    """The seat that starts the present round, or the next one."""
    turn: PlayerIndex | None
    pile: int
    hands: tuple[int, ...]
    passes: int
    """One after another, with the draw pile empty."""
    broken: tuple[tuple[Tool, ...], ...]
    maze: tuple[Laid, ...]
    used: Counts
    """How many of each kind of card have been played in this round, all of them face up."""
    goals_down: tuple[GoalName, ...]
    reveal: tuple[GoalName, ...]
    """The goals that are to be turned."""
    asked: tuple[GoalName, ...]
    """Those of them that are asked about now: the first where all are turned, else all, of which
    one is chosen."""
    roles: tuple[Role, ...]
    """Of the round just ended; empty while a round is on."""
    past: tuple[PastRound, ...]
    gold_cards: tuple[int, ...]
    """How many gold cards lie before each seat."""
    gold_pile: int
    """Cards left in the gold pile."""
    totals: tuple[int, ...]
    """Nuggets by seat; empty until the game is over."""
    winners: tuple[PlayerIndex, ...]
    ranks: tuple[Rank, ...]
    own_role: Role | None
    """This seat's own secret, while a round is on."""
    own_gold: tuple[int, ...]
    """This seat's own gold cards, in the order in which they came."""


def view(state: State, seat: PlayerIndex | None) -> VisibleState:
    """What this seat may know; None for the table screen, or anybody."""
    now = state.now
    latest = now or (state.past[-1].final if state.past else None)
    last = state.past[-1] if state.past and now is None else None
    reveal = now.reveal if now else ()
    totals = state.totals if state.over else ()
    return VisibleState(
        seat=seat,
        seats=state.seats,
        circle=state.circle,
        edition=state.edition.name,
        phase=_phase(state),
        round=state.round,
        starter=state.starter,
        turn=now.turn if now else None,
        pile=latest.pile if latest else 0,
        hands=latest.hands if latest else (),
        passes=latest.passes if latest else 0,
        broken=tuple(tools(bits) for bits in latest.broken) if latest else (),
        maze=face_up(latest.maze) if latest else (),
        used=latest.used if latest else NONE_USED,
        goals_down=tuple(
            goal for goal, at in GOAL_AT.items() if not latest or cell_of(at) in latest.maze.down
        ),
        reveal=reveal,
        asked=reveal[:1] if state.edition.reveals_all else reveal,
        roles=last.final.roles if last else (),
        past=tuple(_past(state, past) for past in state.past),
        gold_cards=tuple(sum(len(past.gold[s]) for past in state.past) for s in range(state.seats)),
        gold_pile=len(state.gold),
        totals=totals,
        winners=richest(totals) if state.over else (),
        ranks=_ranks(totals),
        own_role=now.roles[seat] if now and seat is not None else None,
        own_gold=(
            tuple(card for past in state.past for card in past.gold[seat])
            if seat is not None
            else ()
        ),
    )


def face_up(maze: Maze) -> tuple[Laid, ...]:
    """The path cards that lie so, from west to east and from south to north."""
    cards = maze.cards
    return tuple(
        _laid(cell, _run_into(cards, cell, card) if card & DEAD_END else card)
        for cell, card in sorted(cards.items())
    )


def _run_into(cards: Mapping[Cell, Card], cell: Cell, dead_end: Card) -> Card:
    """With `LIT` where the path from the start runs into it."""
    for side, step, facing in STEPS:
        beside = cards.get(Cell(cell + step), 0)
        if dead_end & side and beside & facing and beside & LIT:
            return Card(dead_end | LIT)
    return dead_end


@lru_cache(4096)  # the same values in all games
def _laid(cell: Cell, coded: Card) -> Laid:
    at, card = at_of(cell), TEXT[unlit(coded)]
    return Laid(at, card, _kind(at, card), bool(coded & LIT))


def _kind(at: At, card: str) -> LaidKind:
    if at == START_AT:
        return "start"
    if at in GOAL_AT.values():
        return "treasure" if card == "NESW" else "stone"
    return "tunnel"


def _phase(state: State) -> Phase:
    if state.over:
        return "over"
    if state.now is None:
        return "deal"
    return "reveal" if state.now.reveal else "turn"


def _spare(roles: tuple[Role, ...]) -> Role:
    saboteurs, _ = DWARVES[len(roles)]
    return SABOTEUR if roles.count(SABOTEUR) < saboteurs else MINER


def _past(state: State, past: Past) -> PastRound:
    return PastRound(
        roles=past.final.roles,
        spare=_spare(past.final.roles),
        won_by=past.won_by,
        finisher=past.finisher,
        last=past.last,
        last_known=past.last_known,
        cause=_cause(state, past),
        followed=past.final.last is not None,
        gold_cards=tuple(len(cards) for cards in past.gold),
        gold=past.gold if state.over else (),
    )


def _cause(state: State, past: Past) -> Cause:
    """As `decide` ends rounds."""
    final = past.final
    if past.won_by == NOBODY:
        return "told"
    if past.finisher is not None:
        found = any(card.kind == "treasure" for card in face_up(final.maze))
        return "treasure" if found else "told"
    if final.pile == 0 and not any(final.hands):
        return "cards"
    ring = state.edition.ring_ends and final.passes >= state.seats
    return "passes" if ring else "told"


def _ranks(totals: tuple[int, ...]) -> tuple[Rank, ...]:
    """Best first; seats of one rank in the order of the seats."""
    order = sorted(players(len(totals)), key=lambda seat: -totals[seat])
    return tuple(
        Rank(1 + sum(other > totals[seat] for other in totals), seat, totals[seat])
        for seat in order
    )
