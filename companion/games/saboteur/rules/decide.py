"""Whether a play may be made; if so, the events that follow; if not, the reason.

The order of the checks is that of the reasons in the game record: the first that applies is
given. `legal` gives every legal placement, for the marks on a phone's maze, from the same check.

Rules are cited by the sections of the Estonian booklet of 2007. All booklets have them, and alike,
but where an edition's field is asked.
"""

from __future__ import annotations

from typing import Final, assert_never

from companion.games.fields import PlayerIndex
from companion.games.game import Rejection
from companion.games.saboteur import reasons
from companion.games.saboteur.rules import gold
from companion.games.saboteur.rules.cards import (
    BREAK_KIND,
    CODE,
    COPIES,
    DWARVES,
    KIND,
    MAP_KIND,
    MINER,
    REPAIR_KIND,
    ROCKFALL_KIND,
    ROLES,
    SABOTEUR,
    STONE_KIND,
    STONES,
    TEXT,
    TOOL_BITS,
    TREASURE,
    GoalName,
    Kind,
    copies_left,
    tools,
    used,
)
from companion.games.saboteur.rules.evolve import left_of
from companion.games.saboteur.rules.maze import (
    GOAL_CELL,
    PROTECTED,
    At,
    cell_of,
    flip_goal,
    in_reach,
    lay,
    misplaced,
    placements,
    reached,
    stone_ways,
    unlit,
)
from companion.games.saboteur.rules.model import (
    MINERS_WON,
    NOBODY,
    SABOTEURS_WON,
    Break,
    CopyPlay,
    Count,
    Deal,
    Dealt,
    Event,
    GameEnded,
    GoalTurned,
    Map,
    MapRead,
    Pass,
    Passed,
    Path,
    PathPlaced,
    PileCounted,
    Play,
    Repair,
    Reseated,
    Result,
    ResultTold,
    Reveal,
    Rockfall,
    RockFell,
    Round,
    RoundEnded,
    Seats,
    State,
    ToolBroken,
    ToolRepaired,
    WonBy,
)

Decision = tuple[Event, ...] | Rejection

ROUNDS: Final = 3
_NO_TOOL: Final = 8
"""The bit, beside those of the tools, of one that does not exist."""

_UNKNOWN_SEAT: Final = Rejection(reasons.UNKNOWN_SEAT)
_GAME_OVER: Final = Rejection(reasons.GAME_OVER)
_NO_ROUND: Final = Rejection(reasons.NO_ROUND)
_ROUND_IN_PROGRESS: Final = Rejection(reasons.ROUND_IN_PROGRESS)
_IMPOSSIBLE_ROLES: Final = Rejection(reasons.IMPOSSIBLE_ROLES)
_IMPOSSIBLE_ORDER: Final = Rejection(reasons.IMPOSSIBLE_ORDER)
_REVEAL_PENDING: Final = Rejection(reasons.REVEAL_PENDING)
_NOTHING_TO_REVEAL: Final = Rejection(reasons.NOTHING_TO_REVEAL)
_NOT_YOUR_TURN: Final = tuple(
    Rejection(reasons.NOT_YOUR_TURN, {"seat": seat}) for seat in range(max(DWARVES))
)
"""By the seat whose turn it is."""
_UNKNOWN_CARD: Final = Rejection(reasons.UNKNOWN_CARD)
_NO_COPIES_LEFT: Final = Rejection(reasons.NO_COPIES_LEFT)
_GOAL_NOT_REACHED: Final = Rejection(reasons.GOAL_NOT_REACHED)
_TOOL_ALREADY_BROKEN: Final = Rejection(reasons.TOOL_ALREADY_BROKEN)
_REPAIR_MISMATCH: Final = Rejection(reasons.REPAIR_MISMATCH)
_TOOL_NOT_BROKEN: Final = Rejection(reasons.TOOL_NOT_BROKEN)
_PROTECTED_CARD: Final = Rejection(reasons.PROTECTED_CARD)
_NOTHING_THERE: Final = Rejection(reasons.NOTHING_THERE)
_GOAL_FACE_UP: Final = Rejection(reasons.GOAL_FACE_UP)
_TOOLS_BROKEN: Final = tuple(
    Rejection(reasons.TOOLS_BROKEN, {"tools": tools(bits)}) for bits in range(8)
)


def decide(state: State, play: Play, *, ends: bool = True) -> Decision:
    """What happens, as events; or why nothing does. Without `ends` the round does not end by a play
    of somebody's turn: how long its gold takes tells of roles."""
    if not _seated(state, play):
        return _UNKNOWN_SEAT
    if state.over:
        return _GAME_OVER
    now = state.now
    if isinstance(play, Deal):
        return _ROUND_IN_PROGRESS if now else _deal(state, play)
    if isinstance(play, Seats):
        return _seats(state, play)
    if now is None:
        return _NO_ROUND
    if isinstance(play, Reveal):
        return _reveal(state, now, play)
    if now.reveal:
        return _REVEAL_PENDING
    if isinstance(play, Result):
        return _result(state, now, play)
    if isinstance(play, Count):
        return (PileCounted(play.by, play.pile),)
    if play.by != now.turn:
        return _NOT_YOUR_TURN[now.turn]
    done: Event | Rejection
    match play:
        case Path():
            done = _path(state, now, play)
        case Pass():
            done = Passed(play.by)
        case Break():
            done = _break(now, play)
        case Repair():
            done = _repair(now, play)
        case Map():
            done = _map(now, play)
        case Rockfall():
            done = _rockfall(now, play)
        case _:
            assert_never(play)
    if isinstance(done, Rejection):
        return done
    if ends and now.pile == 0 and _ends(state, now, done):
        return done, *_round_end(state, now, None, play.by)
    return (done,)


def _seated(state: State, play: Play) -> bool:
    """Whether everyone whom the play names sits at the table."""
    seats = state.seats
    match play:
        case Path() | Pass():  # most plays
            return 0 <= play.by < seats
        case Break() | Repair():
            return 0 <= play.by < seats and 0 <= play.seat < seats
        case Result():
            named = (play.by, play.finisher, play.last)
            return all(seat is None or 0 <= seat < seats for seat in named)
        case Deal():
            return True
        case Seats():
            return all(0 <= seat < seats for seat in play.order)
        case _:
            return 0 <= play.by < seats


def _deal(state: State, play: Deal) -> Decision:
    """One dwarf card each, out of those for so many players (“Ettevalmistus mänguks”)."""
    saboteurs, miners = DWARVES[state.seats]
    roles = play.roles
    if (
        len(roles) != state.seats
        or roles.count(SABOTEUR) > saboteurs
        or roles.count(MINER) > miners
        or not set(roles) <= set(ROLES)
    ):
        return _IMPOSSIBLE_ROLES
    return (Dealt(roles),)


def _seats(state: State, play: Seats) -> Decision:
    """Between rounds; or in one of which no play was reported, as it is where only its end is."""
    now = state.now
    if now is None and not state.past:
        return _NO_ROUND
    if now is not None and now.last is not None:
        return _ROUND_IN_PROGRESS
    if sorted(play.order) != list(range(state.seats)):
        return _IMPOSSIBLE_ORDER
    return (Reseated(play.order),)


def _path(state: State, now: Round, play: Path) -> PathPlaced | Rejection:
    """Only with all tools whole (“Tegevuskaardi kasutamine”), where the card fits
    (“Tunnelikaardi kasutamine”)."""
    broken = now.broken[play.by]
    if broken:
        return _TOOLS_BROKEN[broken]
    kind = KIND.get(play.card)
    if kind is None:
        return _UNKNOWN_CARD
    uncounted = _uncounted(now, kind, play)
    if uncounted is None:
        return _NO_COPIES_LEFT
    why_not = misplaced(now.maze, play.at, CODE[play.card], state.edition.connected)
    return why_not or PathPlaced(play.by, play.card, play.at, uncounted)


def _uncounted(now: Round, kind: Kind, play: CopyPlay) -> int | None:
    """Whether the card is one more than the counts have; None: it is, and nobody vouches for it."""
    if copies_left(now.used, kind):
        return 0
    return 1 if play.uncounted else None


def _break(now: Round, play: Break) -> ToolBroken | Rejection:
    """Each tool of a player once at a time (“Tegevuskaardi kasutamine”)."""
    kind = BREAK_KIND.get(play.tool)
    if kind is None:
        return _UNKNOWN_CARD
    uncounted = _uncounted(now, kind, play)
    if uncounted is None:
        return _NO_COPIES_LEFT
    if now.broken[play.seat] & TOOL_BITS[play.tool]:
        return _TOOL_ALREADY_BROKEN
    return ToolBroken(play.by, play.tool, play.seat, uncounted)


def _repair(now: Round, play: Repair) -> ToolRepaired | Rejection:
    """A broken tool that the card shows, one where it shows two (“Tegevuskaardi kasutamine”)."""
    bits = sum(TOOL_BITS.get(tool, _NO_TOOL) for tool in set(play.card))
    kind = REPAIR_KIND.get(bits)
    if kind is None or len(set(play.card)) != len(play.card):
        return _UNKNOWN_CARD
    uncounted = _uncounted(now, kind, play)
    if uncounted is None:
        return _NO_COPIES_LEFT
    if play.tool not in play.card:
        return _REPAIR_MISMATCH
    if not now.broken[play.seat] & TOOL_BITS[play.tool]:
        return _TOOL_NOT_BROKEN
    return ToolRepaired(play.by, play.card, play.tool, play.seat, uncounted)


def _rockfall(now: Round, play: Rockfall) -> RockFell | Rejection:
    """Any path card but the start and the goals (“Tegevuskaardi kasutamine”)."""
    uncounted = _uncounted(now, ROCKFALL_KIND, play)
    if uncounted is None:
        return _NO_COPIES_LEFT
    if play.at in PROTECTED:
        return _PROTECTED_CARD
    card = now.maze.cards.get(cell_of(play.at)) if in_reach(play.at) else None
    if card is None:
        return _NOTHING_THERE
    return RockFell(play.by, play.at, TEXT[unlit(card)], uncounted)


def _map(now: Round, play: Map) -> MapRead | Rejection:
    """A look at one goal card that lies face down (“Tegevuskaardi kasutamine”)."""
    uncounted = _uncounted(now, MAP_KIND, play)
    if uncounted is None:
        return _NO_COPIES_LEFT
    if GOAL_CELL.get(play.goal) not in now.maze.down:
        return _GOAL_FACE_UP
    return MapRead(play.by, play.goal, uncounted)


def _reveal(state: State, now: Round, play: Reveal) -> Decision:
    """Whoever laid the card that reaches a goal turns it: treasure ends the round, a stone lies so
    that it fits, or either way (“Vooru lõppemine”)."""
    if not now.reveal:
        return _NOTHING_TO_REVEAL
    if play.by != now.turn:
        return _NOT_YOUR_TURN[now.turn]
    if play.goal not in now.reveal:
        return _GOAL_NOT_REACHED
    done = GoalTurned(play.by, play.goal, play.card)
    if play.card == TREASURE:
        return done, *_round_end(state, now, play.by, play.by)
    kind = STONE_KIND.get(play.card)
    if kind is None:
        return _UNKNOWN_CARD
    if not copies_left(now.used, kind):
        return _NO_COPIES_LEFT
    ways = stone_ways(now.maze, play.goal, CODE[play.card])
    if play.card not in ways:
        return Rejection(reasons.GOAL_ORIENTATION, {"fits": ways})
    if not now.pile and not any(now.hands):
        maze = flip_goal(now.maze, play.goal, play.card)
        if not (state.edition.reveals_all and reached(maze)):
            return done, *_round_end(state, now, None, play.by)
    return (done,)


def _result(state: State, now: Round, play: Result) -> Decision:
    """Who had the last turn: as it is told, else the finisher, else who made the last play, else
    who started."""
    last = play.last
    for known in (play.finisher, now.last):
        last = known if last is None else last
    told = ResultTold(play.by, play.finisher, play.last)
    return told, *_round_end(state, now, play.finisher, now.starter if last is None else last)


def _ends(state: State, now: Round, done: Event) -> bool:
    """Whether a play made with the pile empty leaves the round to the saboteurs: no card is left,
    or by edition all have passed in turn (“Vooru lõppemine”)."""
    if isinstance(done, Passed) and state.edition.ring_ends and now.passes + 1 >= state.seats:
        return True
    if sum(now.hands) > 1:
        return False
    if isinstance(done, PathPlaced):
        return not reached(lay(now.maze, cell_of(done.at), CODE[done.card]))
    return True


def _round_end(
    state: State, now: Round, finisher: PlayerIndex | None, last: PlayerIndex
) -> tuple[RoundEnded] | tuple[RoundEnded, GameEnded]:
    """The gold shared out (“Kullasaagi jaotamine”), and after the last round the nuggets counted
    (“Mängu lõpp”); who starts the next one is an edition's field (“Uue vooru alustamine”)."""
    if finisher is None:
        won_by: WonBy = SABOTEURS_WON
        shares, pile = gold.pay_saboteurs(state.gold, now.roles, last, now.circle)
    else:
        won_by = MINERS_WON
        shares, pile = gold.pay_miners(state.gold, now.roles, finisher, now.circle)
    before = last if state.edition.last_starts_next else now.starter
    ended = RoundEnded(won_by, finisher, last, shares, pile, left_of(now.circle, before))
    if len(state.past) + 1 < ROUNDS:
        return (ended,)
    gained = zip(state.totals, shares, strict=True)
    return ended, _game_end(tuple(total + sum(cards) for total, cards in gained))


def finished(state: State) -> tuple[Event, ...]:
    """What follows when the game is ended before its last round: a round that is on counts for
    nothing, and the nuggets gained before it are counted."""
    now = state.now
    if now is None:
        return (_game_end(state.totals),)
    nothing: gold.Shares = ((),) * state.seats
    last = now.starter if now.last is None else now.last
    broken_off = RoundEnded(NOBODY, None, last, nothing, state.gold, state.starter)
    return broken_off, _game_end(state.totals)


def _game_end(totals: tuple[int, ...]) -> GameEnded:
    return GameEnded(totals, gold.richest(totals))


def legal(state: State) -> dict[At, tuple[str, ...]]:
    """Where the player whose turn it is may lay which tunnel cards, of all that may still be in
    play, each as it lies; empty while no tunnel card may be laid at all."""
    now = state.now
    return {} if now is None or now.reveal or now.broken[now.turn] else free(state)


def free(state: State) -> dict[At, tuple[str, ...]]:
    """The same for a player who has no broken tool, even while a goal is being turned."""
    now = state.now
    if now is None:
        return {}
    gone = {card for card, kind in KIND.items() if used(now.used, kind) == COPIES[kind]}
    marks = placements(now.maze, state.edition.connected)
    if not gone:
        return marks
    left = {at: tuple(c for c in cards if c not in gone) for at, cards in marks.items()}
    return {at: cards for at, cards in left.items() if cards}


def legal_reveals(state: State) -> dict[GoalName, tuple[str, ...]]:
    """The goals that may be turned now, and how each may turn out to lie."""
    now = state.now
    if now is None:
        return {}
    stones = [stone for stone in STONES if copies_left(now.used, STONE_KIND[stone])]
    return {
        goal: (
            TREASURE,
            *(way for stone in stones for way in stone_ways(now.maze, goal, CODE[stone])),
        )
        for goal in now.reveal
    }
