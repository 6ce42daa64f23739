"""The state after an event. It has happened: nothing is refused here, and one that cannot have
happened is a ValueError.

Every play costs its player one card; then one is drawn while the pile lasts, before any goal is
turned (all booklets).
"""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from companion.games.fields import PlayerIndex
from companion.games.saboteur.rules.cards import (
    BREAK_KIND,
    CODE,
    DECK,
    HANDS,
    KIND,
    MAP_KIND,
    NONE_USED,
    REPAIR_KIND,
    ROCKFALL_KIND,
    STONE_KIND,
    TOOL_BITS,
    TREASURE,
    Counts,
    GoalName,
    Kind,
    Tool,
    use,
)
from companion.games.saboteur.rules.maze import (
    Maze,
    cell_of,
    flip_goal,
    initial_maze,
    lay,
    reached,
    take,
)
from companion.games.saboteur.rules.model import (
    Dealt,
    Event,
    GameEnded,
    GoalTurned,
    MapRead,
    Passed,
    Past,
    PathPlaced,
    PileCounted,
    Reseated,
    ResultTold,
    RockFell,
    Round,
    RoundEnded,
    State,
    ToolBroken,
    ToolRepaired,
)
from companion.values import with_one


def evolve(state: State, event: Event) -> State:
    """The state after the event."""
    now = state.now
    if now is None:
        return _between(state, event)
    match event:
        case PathPlaced():
            maze = lay(now.maze, cell_of(event.at), CODE[event.card])
            used = _used(now, event, KIND[event.card])
            return _with(state, _spent(now, used, maze, now.broken, reached(maze)))
        case Passed():
            ring = now.passes + 1 if now.pile == 0 else 0
            return _with(state, _spent(now, now.used, now.maze, now.broken, (), ring))
        case ToolBroken():
            used = _used(now, event, BREAK_KIND[event.tool])
            broken = _flipped(now.broken, event.seat, event.tool)
            return _with(state, _spent(now, used, now.maze, broken))
        case ToolRepaired():
            bits = sum(TOOL_BITS[tool] for tool in event.card)
            broken = _flipped(now.broken, event.seat, event.tool)
            used = _used(now, event, REPAIR_KIND[bits])
            return _with(state, _spent(now, used, now.maze, broken))
        case MapRead():
            return _with(state, _spent(now, _used(now, event, MAP_KIND), now.maze, now.broken))
        case RockFell():
            maze = take(now.maze, cell_of(event.at))
            return _with(state, _spent(now, _used(now, event, ROCKFALL_KIND), maze, now.broken))
        case PileCounted(_, pile):
            # Who plays while there are cards draws one: all hands are full.
            hands = (HANDS[state.seats],) * state.seats if pile else now.hands
            passes = 0 if pile else now.passes
            return _with(state, replace(now, pile=pile, passes=passes, hands=hands))
        case Reseated(circle):
            return replace(state, circle=circle, now=replace(now, circle=circle))
        case GoalTurned():
            return _with(state, _turned(state, now, event))
        case ResultTold(_, finisher, last):
            told = finisher if last is None else last
            return state if told is None else _with(state, replace(now, told_last=told))
        case RoundEnded():
            return _round_ended(state, now, event)
        case Dealt() | GameEnded():
            return _between(state, event)
        case _:
            assert_never(event)


def _between(state: State, event: Event) -> State:
    """What happens between rounds, or moves nothing on the table."""
    match event:
        case Dealt():
            return _with(state, _dealt(state, event))
        case GameEnded():
            return replace(state, over=True)
        case Reseated(circle):
            past = state.past[-1]
            before = past.last if state.edition.last_starts_next else past.final.starter
            return replace(state, circle=circle, starter=left_of(circle, before))
        case (
            PathPlaced()
            | GoalTurned()
            | ToolBroken()
            | ToolRepaired()
            | RockFell()
            | MapRead()
            | Passed()
            | PileCounted()
            | ResultTold()
            | RoundEnded()
        ):
            raise ValueError(f"no round is on: {event}")
        case _:
            assert_never(event)


def left_of(circle: tuple[PlayerIndex, ...], seat: PlayerIndex) -> PlayerIndex:
    """The next seat clockwise.

    >>> left_of((0, 2, 1), 1)
    0
    """
    return circle[(circle.index(seat) + 1) % len(circle)]


def _with(state: State, now: Round) -> State:
    return State(
        seats=state.seats,
        circle=state.circle,
        edition=state.edition,
        starter=state.starter,
        gold=state.gold,
        now=now,
        past=state.past,
        over=state.over,
    )


def _dealt(state: State, event: Dealt) -> Round:
    seats = state.seats
    hand = HANDS[seats]
    return Round(
        roles=event.roles,
        circle=state.circle,
        starter=state.starter,
        turn=state.starter,
        pile=DECK - seats * hand,
        hands=(hand,) * seats,
        broken=(0,) * seats,
        maze=initial_maze(),
        used=NONE_USED,
        last=None,
        passes=0,
        reveal=(),
    )


def _used(
    now: Round, event: PathPlaced | ToolBroken | ToolRepaired | MapRead | RockFell, kind: Kind
) -> Counts:
    return now.used if event.uncounted else use(now.used, kind)


def _spent(
    now: Round,
    used: Counts,
    maze: Maze,
    broken: tuple[int, ...],
    reveal: tuple[GoalName, ...] = (),
    passes: int = 0,
) -> Round:
    """One card played by the player whose turn it was, and one drawn while the pile lasts."""
    by = now.turn
    hands = now.hands
    if now.pile == 0:
        hands = with_one(hands, by, hands[by] - 1)
    return Round(  # by name, not with `replace`, which takes twice as long
        roles=now.roles,
        circle=now.circle,
        starter=now.starter,
        turn=by if reveal else left_of(now.circle, by),
        pile=now.pile - 1 if now.pile else 0,
        hands=hands,
        broken=broken,
        maze=maze,
        used=used,
        last=by,
        passes=passes,
        reveal=reveal,
    )


def _flipped(broken: tuple[int, ...], seat: PlayerIndex, tool: Tool) -> tuple[int, ...]:
    return with_one(broken, seat, broken[seat] ^ TOOL_BITS[tool])


def _turned(state: State, now: Round, event: GoalTurned) -> Round:
    """The goal face up; in the editions that turn all, what is reached through it comes next."""
    maze = flip_goal(now.maze, event.goal, event.card)
    if event.card == TREASURE:
        return replace(now, maze=maze, reveal=())
    reveal = reached(maze) if state.edition.reveals_all else ()
    return replace(
        now,
        maze=maze,
        used=use(now.used, STONE_KIND[event.card]),
        reveal=reveal,
        turn=now.turn if reveal else left_of(now.circle, now.turn),
    )


def _round_ended(state: State, now: Round, event: RoundEnded) -> State:
    past = Past(now, event.won_by, event.finisher, event.last, event.gold)
    return replace(
        state,
        starter=event.starter,
        gold=event.pile,
        now=None,
        past=(*state.past, past),
    )
