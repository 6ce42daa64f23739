"""What holds in any game of Saboteur, tried in long random games."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.games.game import Rejection
from companion.games.saboteur import GAME, reasons
from companion.games.saboteur.rules.cards import (
    CODE,
    COPIES,
    DECK,
    DWARVES,
    GOLD_CARDS,
    HANDS,
    KIND,
    MINER,
    SABOTEUR,
    half_turn,
    sides_text,
    used,
)
from companion.games.saboteur.rules.decide import legal, legal_reveals
from companion.games.saboteur.rules.editions import EDITIONS
from companion.games.saboteur.rules.maze import (
    GOAL_AT,
    PROTECTED,
    at_of,
    cell_of,
    initial_maze,
    lay,
    misplaced,
    reached,
    take,
)
from companion.games.saboteur.rules.model import (
    Deal,
    GoalTurned,
    Pass,
    Path,
    PathPlaced,
    Result,
    Reveal,
    Rockfall,
    RockFell,
    RoundEnded,
    Seats,
    State,
)
from tests.games.saboteur import naive
from tests.games.saboteur.players import new_game, next_play, play

seeds = st.integers(0, 2**32).map(Random)


def game(rng: Random, plays: int) -> State:
    """A random game after some plays."""
    state = new_game(rng)
    for _ in range(plays):
        if state.over:
            break
        state, _ = play(state, next_play(state, rng))
    return state


positions = st.tuples(seeds, st.integers(1, 150)).map(lambda drawn: game(*drawn))


@given(seeds)
@settings(max_examples=40)
def test_nothing_is_lost(rng: Random) -> None:
    """67 cards, 11 dwarves and 28 gold cards, after every event; old state + events = new state."""
    state = new_game(rng)
    seats = state.seats
    played = 0
    while not state.over:
        chosen = next_play(state, rng)
        before = state
        state, events = play(state, chosen)
        assert GAME.fold(before, events) == state
        assert hash(GAME.fold(before, events)) == hash(state)
        gained = [card for past in state.past for cards in past.gold for card in cards]
        assert sorted([*state.gold, *gained]) == sorted(GOLD_CARDS)
        costs = not isinstance(chosen, Result | Reveal | Seats)
        played = 0 if isinstance(chosen, Deal) else played + costs
        table = state.now or state.past[-1].final
        assert table.pile + sum(table.hands) + played == DECK
        assert max(table.hands) - min(table.hands) <= 1
        if table.pile:
            assert set(table.hands) == {HANDS[seats]}
        assert all(used(table.used, kind) <= copies for kind, copies in enumerate(COPIES))
        on_table = sum(at not in PROTECTED for at in map(at_of, table.maze.cards))
        fallen = sum(isinstance(event, RockFell) for event in events)
        assert on_table <= sum(used(table.used, kind) for kind in set(KIND.values())) - fallen
        saboteurs, miners = DWARVES[seats]
        assert 0 <= saboteurs - table.roles.count(SABOTEUR) <= 1
        assert 0 <= miners - table.roles.count(MINER) <= 1
        assert state.round == len(state.past) + (state.now is not None)
    assert len(state.past) == GAME.rounds
    assert GAME.decide(state, Pass(0)) == Rejection(reasons.GAME_OVER)


@given(positions)
@settings(max_examples=60)
def test_the_maze_is_what_a_plain_one_is(state: State) -> None:
    """Every cell and shape: `legal`, `decide` and a maze that finds its path anew agree."""
    now = state.now
    if now is None:
        assert legal(state) == {}
        return
    laid = naive.cards(now.maze)
    down = {at for at in GOAL_AT.values() if at not in laid}
    assert {at_of(cell) for cell in now.maze.down} == down
    assert reached(now.maze) == naive.reached(laid, down)
    marks = legal(state)
    if now.reveal or now.broken[now.turn]:
        assert marks == {}
        return
    xs, ys = zip(*laid, strict=True)
    for at in [
        (x, y) for x in range(min(xs) - 2, max(xs) + 3) for y in range(min(ys) - 2, max(ys) + 3)
    ]:
        for card in KIND:
            decision = GAME.decide(state, Path(now.turn, card, at))
            assert (card in marks.get(at, ())) == (not isinstance(decision, Rejection))
            if used(now.used, KIND[card]) == COPIES[KIND[card]]:
                expected = "no_copies_left"
            else:
                expected = naive.why_not(laid, down, at, card, state.edition.connected)
            if isinstance(decision, Rejection):
                assert " ".join([decision.reason.code, *decision.params.values()]) == expected
            else:
                assert expected is None


@given(positions)
@settings(max_examples=60)
def test_a_maze_grown_card_by_card_is_one_built_at_once(state: State) -> None:
    table = state.now or state.past[-1].final
    elsewhere = cell_of((50, 50))
    grown = replace(table.maze, cards={**table.maze.cards, elsewhere: CODE["NESWx"]})
    assert take(grown, elsewhere) == table.maze


@given(st.lists(st.tuples(st.integers(-6, 6), st.integers(-6, 6), st.sampled_from(sorted(KIND)))))
@settings(max_examples=150)
def test_half_a_turn_of_table_and_card_changes_nothing(tries: list[tuple[int, int, str]]) -> None:
    for connected in (True, False):
        maze = turned = initial_maze()
        for x, y, card in tries:
            code = CODE[card]
            why = misplaced(maze, (x, y), code, connected)
            why_turned = misplaced(turned, (-x, -y), half_turn(code), connected)
            if why is None:
                assert why_turned is None
                maze = lay(maze, cell_of((x, y)), code)
                turned = lay(turned, cell_of((-x, -y)), half_turn(code))
                continue
            assert why_turned is not None
            assert why_turned.reason == why.reason
            if "sides" in why.params:
                swap = dict(zip("NESW", "SWNE", strict=True))
                assert {swap[s] for s in why.params["sides"]} == set(why_turned.params["sides"])


def test_half_a_turn_twice_is_none() -> None:
    for card, code in CODE.items():
        assert half_turn(half_turn(code)) == code
        assert KIND[card] == KIND[sides_text(half_turn(code)) + "x" * card.endswith("x")]


def test_cells_and_places() -> None:
    for at in [(0, 0), (99, -99), (-99, 99), (-1, -1), (8, 2), (-99, -99), (99, 99)]:
        assert at_of(cell_of(at)) == at


@pytest.mark.parametrize("at", [(100, 0), (0, 100), (-100, 0), (0, -100), (0, 256), (1, -256)])
def test_cells_out_of_reach_are_empty_and_alone(at: tuple[int, int]) -> None:
    state = replace(new_game(Random(1), 3, "et-2007"), starter=0)
    state, _ = play(state, Deal((MINER,) * 3))
    refused = GAME.decide(state, Path(0, "NESW", at))
    assert refused == Rejection(reasons.NOT_ADJACENT)
    state, _ = play(state, Path(0, "NESW", (1, 0)))
    assert GAME.decide(state, Rockfall(1, at)) == Rejection(reasons.NOTHING_THERE)


def test_the_far_edge_is_in_reach() -> None:
    maze = lay(initial_maze(), cell_of((98, 99)), CODE["NESW"])
    assert misplaced(maze, (99, 99), CODE["NESW"], False) is None
    maze = lay(maze, cell_of((99, 99)), CODE["NESW"])
    for beyond in [(100, 99), (99, 100)]:
        assert misplaced(maze, beyond, CODE["NESW"], False) == Rejection(reasons.NOT_ADJACENT)
    maze = lay(initial_maze(), cell_of((-98, -99)), CODE["NESW"])
    assert misplaced(maze, (-99, -99), CODE["NESW"], False) is None
    maze = lay(maze, cell_of((-99, -99)), CODE["NESW"])
    for beyond in [(-100, -99), (-99, -100)]:
        assert misplaced(maze, beyond, CODE["NESW"], False) == Rejection(reasons.NOT_ADJACENT)


def far_side(edition: str) -> State:
    """A tunnel behind the middle goal that the path does not reach yet, and seven to its front.

    Such a table does not come about where cards must be connected, but the rule is written."""
    state = replace(new_game(Random(1), 3, edition), starter=0)
    state, _ = play(state, Deal((MINER,) * 3))
    laid = [("NS", (8, 1)), *(("EW", (x, 0)) for x in range(1, 7))]
    for by, (card, at) in enumerate(laid):
        state = GAME.evolve(state, PathPlaced(by % 3, card, at))
    return state


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_goal_reached_through_a_stone_is_turned_as_well(edition: str) -> None:
    state = far_side(edition)
    state, _ = play(state, Path(1, "NEW", (7, 0)))
    assert state.now.reveal == ("middle",)
    state, events = play(state, Reveal(1, "middle", "NW"))
    assert events == (GoalTurned(1, "middle", "NW"),)
    assert state.now.reveal == (("north",) if EDITIONS[edition].reveals_all else ())
    assert state.now.turn == (1 if EDITIONS[edition].reveals_all else 2)


@pytest.mark.parametrize("edition", EDITIONS)
def test_with_the_last_card_too(edition: str) -> None:
    state = far_side(edition)
    state = replace(state, now=replace(state.now, pile=0, hands=(0, 1, 0)))
    state, _ = play(state, Path(1, "NEW", (7, 0)))
    assert state.now is not None
    state, events = play(state, Reveal(1, "middle", "NW"))
    ended = [event for event in events if isinstance(event, RoundEnded)]
    assert bool(ended) != EDITIONS[edition].reveals_all


def test_a_path_does_not_cross_a_side_that_is_rock() -> None:
    """Only a stone that fits neither way can lie against a tunnel; it is no way through."""
    maze = lay(initial_maze(), cell_of((0, 1)), CODE["NS"])
    maze = lay(maze, cell_of((0, 2)), CODE["NE"])  # rock to the south
    maze = lay(maze, cell_of((1, 2)), CODE["EW"])
    assert misplaced(maze, (2, 2), CODE["EW"], True) == Rejection(reasons.NOT_CONNECTED)
    assert misplaced(maze, (2, 2), CODE["EW"], False) is None


@given(positions)
@settings(max_examples=30)
def test_what_may_be_turned(state: State) -> None:
    """`legal_reveals` and `decide` agree on every goal and card."""
    options = legal_reveals(state)
    by = state.now.turn if state.now else 0
    for goal in GOAL_AT:
        for card in ["treasure", *KIND]:
            allowed = not isinstance(GAME.decide(state, Reveal(by, goal, card)), Rejection)
            assert allowed == (card in options.get(goal, ()))


@given(seeds)
@settings(max_examples=20)
def test_no_secret_is_seen(rng: Random) -> None:
    """A view stays the same, whatever the secrets are that the seat may not know."""
    state = game(rng, rng.randrange(1, 150))
    for seat in [None, *range(state.seats)]:
        view = GAME.view(state, seat)
        assert GAME.view(shuffled(state, seat, rng), seat) == view
        assert view.own_role == (state.now.roles[seat] if state.now and seat is not None else None)


def shuffled(state: State, seat: int | None, rng: Random) -> State:
    """The same table with other roles and other gold, where this seat must not know them."""
    now = state.now
    if now:
        others = [s for s in range(state.seats) if s != seat]
        roles = list(now.roles)
        swapped = [MINER if roles[s] == SABOTEUR else SABOTEUR for s in others]
        for s, role in zip(others, swapped, strict=True):
            roles[s] = role
        now = replace(now, roles=tuple(roles))
    if state.over:
        return replace(state, gold=tuple(reversed(state.gold)))
    past = tuple(
        replace(
            done,
            gold=tuple(
                cards if s == seat else tuple(4 - card for card in cards)
                for s, cards in enumerate(done.gold)
            ),
        )
        for done in state.past
    )
    return replace(state, now=now, past=past, gold=tuple(4 - card for card in state.gold))


def test_what_is_public_when() -> None:
    rng = Random(5)
    state = GAME.new(4, 1, "lv-2009", rng)
    before = GAME.view(state, 2)
    assert (before.phase, before.round, before.turn, before.maze) == ("deal", 0, None, ())
    assert before.goals_down == ("north", "middle", "south")
    state, _ = play(state, Deal((MINER, SABOTEUR, MINER, MINER)))
    during = GAME.view(state, 1)
    assert (during.phase, during.roles, during.past) == ("turn", (), ())
    assert (during.own_role, during.own_gold, during.turn) == (SABOTEUR, (), 1)
    assert during.maze[0].kind == "start"
    state, _ = play(state, Result(0, 0, None))
    after = GAME.view(state, 0)
    assert (after.phase, after.round, after.own_role) == ("deal", 1, None)
    assert after.roles == (MINER, SABOTEUR, MINER, MINER)
    assert after.past[-1].spare == MINER
    assert after.own_gold == state.past[0].gold[0]
    assert after.gold_cards == (2, 0, 1, 1)
    assert after.past[0].gold_cards == (2, 0, 1, 1)
    assert after.past[0].gold == ()
    assert (after.past[0].won_by, after.past[0].finisher, after.past[0].last) == ("miners", 0, 0)
    assert (after.totals, after.winners, after.ranks, after.gold_pile) == ((), (), (), 24)
    for _ in range(2):
        state, _ = play(state, Deal((MINER,) * 4))
        state, _ = play(state, Result(0, None, 3))
    over = GAME.view(state, None)
    assert (over.phase, over.past[-1].spare, over.own_gold) == ("over", SABOTEUR, ())
    assert over.past[0].gold == state.past[0].gold
    assert over.totals == tuple(map(sum, state.past[0].gold))
    assert [rank.seat for rank in over.ranks] == sorted(range(4), key=lambda s: -over.totals[s])
    assert over.ranks[0].place == 1
    assert over.ranks[0].nuggets == max(over.totals)
    assert {rank.seat for rank in over.ranks if rank.place == 1} == set(over.winners)
