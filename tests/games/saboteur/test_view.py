"""Views of one game, field by field: before, during and after its rounds."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.saboteur import GAME
from companion.games.saboteur.rules.cards import BREAK_KIND, KIND, MAP_KIND, NONE_USED, tools, use
from companion.games.saboteur.rules.model import (
    Break,
    Deal,
    Map,
    Path,
    Result,
    Reveal,
    Rockfall,
    State,
)
from companion.games.saboteur.rules.setup import begun
from companion.games.saboteur.rules.view import Laid, PastRound, Rank, VisibleState
from tests.games.saboteur.players import play

M, S = "miner", "saboteur"
GOLD = (1, 3, 2, 2, 1, 3, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, *[1] * 12)
GOALS = ("north", "middle", "south")
OPENED = begun(4, 1, "lv-2009", GOLD)

PLAYED = NONE_USED
for each in (KIND["ESW"], BREAK_KIND["cart"], BREAK_KIND["pickaxe"], MAP_KIND):
    PLAYED = use(PLAYED, each)

BEFORE = VisibleState(
    seat=2,
    seats=4,
    circle=(0, 1, 2, 3),
    edition="lv-2009",
    phase="deal",
    round=0,
    starter=1,
    turn=None,
    pile=0,
    hands=(),
    passes=0,
    broken=(),
    maze=(),
    used=NONE_USED,
    goals_down=GOALS,
    reveal=(),
    asked=(),
    roles=(),
    past=(),
    gold_cards=(0, 0, 0, 0),
    gold_pile=28,
    totals=(),
    winners=(),
    ranks=(),
    own_role=None,
    own_gold=(),
)
DURING = replace(
    BEFORE,
    seat=1,
    phase="turn",
    round=1,
    turn=1,
    pile=39,
    hands=(6, 6, 6, 6),
    passes=0,
    broken=(("pickaxe", "cart"), (), (), ()),
    maze=(Laid((0, 0), "NESW", "start"), Laid((1, 0), "ESW", "tunnel")),
    used=PLAYED,
    own_role=S,
)
ROUND_1 = PastRound(
    roles=(M, S, M, M),
    spare=M,
    won_by="miners",
    finisher=3,
    last=3,
    last_known=True,
    cause="told",
    followed=True,
    gold_cards=(1, 0, 1, 2),
    gold=(),
)
AFTER = replace(
    DURING,
    seat=3,
    phase="deal",
    starter=0,
    turn=None,
    roles=(M, S, M, M),
    past=(ROUND_1,),
    gold_cards=(1, 0, 1, 2),
    gold_pile=24,
    own_role=None,
    own_gold=(3, 1),
)
ROUND_2 = PastRound(
    roles=(M, M, M, M),
    spare=S,
    won_by="saboteurs",
    finisher=None,
    last=2,
    last_known=True,
    cause="told",
    followed=False,
    gold_cards=(0, 0, 0, 0),
    gold=(),
)
ROUND_3 = PastRound(
    roles=(S, M, M, M),
    spare=M,
    won_by="miners",
    finisher=2,
    last=1,
    last_known=True,
    cause="told",
    followed=False,
    gold_cards=(0, 1, 2, 1),
    gold=((), (1,), (3, 1), (1,)),
)
OVER = replace(
    AFTER,
    seat=None,
    phase="over",
    round=3,
    starter=2,
    pile=43,
    broken=((), (), (), ()),
    maze=(Laid((0, 0), "NESW", "start"),),
    used=NONE_USED,
    roles=(S, M, M, M),
    past=(
        replace(ROUND_1, gold=((2,), (), (2,), (3, 1))),
        replace(ROUND_2, gold=((), (), (), ())),
        ROUND_3,
    ),
    gold_cards=(1, 1, 3, 3),
    gold_pile=20,
    totals=(2, 1, 6, 5),
    winners=(2,),
    ranks=(Rank(1, 2, 6), Rank(2, 3, 5), Rank(3, 0, 2), Rank(4, 1, 1)),
    own_gold=(),
)


def after(state: State, *plays: object) -> State:
    for one in plays:
        state, _ = play(state, one)
    return state


def test_one_game() -> None:
    state = OPENED
    assert GAME.view(state, 2) == BEFORE
    state = after(state, Deal((M, S, M, M)), Path(1, "ESW", (1, 0)), Break(2, "cart", 0))
    state = after(state, Break(3, "pickaxe", 0), Map(0, "north"))
    assert GAME.view(state, 1) == DURING
    assert GAME.view(state, None) == replace(DURING, seat=None, own_role=None)
    state = after(state, Result(0, 3, None))
    assert GAME.view(state, 3) == AFTER
    state = after(state, Deal((M, M, M, M)), Result(0, None, 2))
    assert GAME.view(state, None).past == (ROUND_1, ROUND_2)
    assert GAME.view(state, 0).own_gold == (2,)
    state = after(state, Deal((S, M, M, M)), Result(0, 2, 1))
    assert GAME.view(state, None) == OVER
    assert GAME.view(state, 2) == replace(OVER, seat=2, own_gold=(2, 3, 1))


def test_equals_share_a_rank() -> None:
    state = OPENED
    for _ in range(3):
        state = after(state, Deal((M, M, M, M)), Result(0, None, None))
    view = GAME.view(state, None)
    assert view.winners == (0, 1, 2, 3)
    assert view.ranks == tuple(Rank(1, seat, 0) for seat in range(4))


ROW = [("EW", 1), ("EW", 2), ("EW", 3), ("ESW", 4), ("NEW", 5), ("NEW", 6), ("NEW", 7)]


def test_goals_in_the_maze() -> None:
    state = after(OPENED, Deal((M, M, M, M)))
    for card, x in ROW:
        state = after(state, Path(state.now.turn, card, (x, 0)))
    pending = GAME.view(state, None)
    assert (pending.phase, pending.reveal, pending.turn) == ("reveal", ("middle",), 3)
    stone = GAME.view(after(state, Reveal(3, "middle", "SW")), None)
    assert stone.goals_down == ("north", "south")
    assert stone.maze[-1] == Laid((8, 0), "SW", "stone")
    assert (stone.phase, stone.turn) == ("turn", 0)
    ended = after(state, Reveal(3, "middle", "treasure"))
    assert ended.past[0].final.reveal == ()
    found = GAME.view(ended, None)
    assert found.goals_down == ("north", "south")
    assert found.maze[-1] == Laid((8, 0), "NESW", "treasure")
    assert found.reveal == ()
    assert found.past[0].finisher == 3


def test_tools_in_their_order() -> None:
    assert tools(0) == ()
    assert tools(7) == ("pickaxe", "lantern", "cart")
    assert tools(2) == ("lantern",)


def test_the_path_from_the_start_reaches_dead_ends_and_nothing_beyond() -> None:
    state = after(OPENED, Deal((M, M, M, M)))
    for card, at in (("EW", (1, 0)), ("EW", (2, 0)), ("NEWx", (3, 0)), ("NSx", (0, 1))):
        state = after(state, Path(state.now.turn, card, at))
    assert all(laid.lit for laid in GAME.view(state, None).maze)
    state = after(state, Rockfall(state.now.turn, (1, 0)))
    lit = {laid.at: laid.lit for laid in GAME.view(state, None).maze}
    assert lit == {(0, 0): True, (0, 1): True, (2, 0): False, (3, 0): False}
