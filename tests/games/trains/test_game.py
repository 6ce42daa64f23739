"""The game as the rest of the program meets it, and what only typed plays can get wrong."""

from random import Random

import pytest

from companion.games import GAMES
from companion.games.game import Game, Rejection
from companion.games.trains import GAME, reasons
from companion.games.trains.record import plays_of
from companion.games.trains.rules.abilities import ABILITIES, REACH, ascends, disturbed, rearranged
from companion.games.trains.rules.decide import Whereabouts, decide, legal, whereabouts
from companion.games.trains.rules.model import Deal, Draw, Event, Play, Refill, State, Use
from companion.games.trains.rules.view import view
from companion.record.judge import verdicts
from companion.record.writing import record_lines
from tests.games.trains.dealer import game
from tests.games.trains.words import state_of

CHANCE = Random(1)


def test_it_is_a_game() -> None:
    trains: Game[State, Play, Event] = GAME
    assert trains.name == "trains"
    assert list(trains.seat_counts) == [2, 3, 4]
    assert tuple(trains.editions) == ("et-2015",)


@pytest.mark.parametrize(("seats", "starter"), [(1, 0), (5, 0), (2, 2), (2, -1)])
def test_no_table_of_another_size(seats: int, starter: int) -> None:
    with pytest.raises(ValueError, match="seats"):
        GAME.new(seats, starter, "et-2015", CHANCE)


def test_no_other_edition() -> None:
    with pytest.raises(ValueError, match="edition"):
        GAME.new(2, 0, "en-2015", CHANCE)


def test_states_are_immutable_and_hashable() -> None:
    for step in game(Random(4), 3):
        assert hash(step.after) is not None
        assert not hasattr(step.after, "__dict__")


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        (Deal(2, (70, 60, 50, 40, 30, 20, 10)), "unknown_seat"),
        (Deal(-1, (70, 60, 50, 40, 30, 20, 10)), "unknown_seat"),
    ],
)
def test_deals_that_no_record_can_hold(play: Deal, reason: str) -> None:
    refused = decide(GAME.new(2, 0, "et-2015", CHANCE), play)
    assert isinstance(refused, Rejection)
    assert refused.reason.code == reason


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        (Draw(0, 5, 0, "protect"), "out_of_reach"),
        (Draw(0, 5, 8, "protect"), "out_of_reach"),
        (Draw(0, 5, 1, "fly"), "ability_missing"),
        (Use(0, "protect", 2), "out_of_reach"),
        (Use(0, "protect"), "out_of_reach"),
        (Use(0, "fly", 2), "ability_not_available"),
    ],
)
def test_turns_that_no_record_can_hold(play: Play, reason: str) -> None:
    refused = decide(state_of({"market": {"protect": 33}}), play)
    assert isinstance(refused, Rejection)
    assert refused.reason.code == reason


@pytest.mark.parametrize(
    ("wagon", "where"),
    [
        (70, Whereabouts("row", 0)),
        (75, Whereabouts("row", 1)),
        (33, Whereabouts("market", None)),
        (34, Whereabouts("protection", 1)),
        (80, Whereabouts("removed", 0)),
        (1, None),
    ],
)
def test_a_refused_number_says_where_it_lies(wagon: int, where: Whereabouts | None) -> None:
    at = state_of({"market": {"protect": 33}, "locks": [{}, {"1": 34}], "owed": [[0, 80]]})
    assert whereabouts(at, wagon) == where


def test_a_double_in_a_row_says_whose_it_is() -> None:
    at = GAME.new(2, 0, "et-2015", CHANCE)
    refused = decide(at, Deal(1, (70, 60, 60, 40, 30, 20, 10)))
    assert isinstance(refused, Rejection)
    assert refused.params == {"wagon": 60, "where": "row", "seat": 1}


def test_the_draft_asks_for_one_to_four_wagons() -> None:
    """From the starter on, clockwise (“Ettevalmistus mänguks”)."""
    seen = []
    for step in game(Random(7), 4):
        draws = view(step.before, None).draws
        if draws is not None:
            seen.append((step.before.turn, draws))
    starter = seen[0][0]
    assert starter is not None
    assert seen == [((starter + i) % 4, i + 1) for i in range(4)]


def test_a_view_shows_locks_gaps_and_how_far_a_row_is() -> None:
    at = state_of(
        {
            "phase": "refill",
            "rows": [[0, 60, 50, 40, 30, 20, 10], [75, 76, 77, 78, 79, 80, 15]],
            "owed": [[0, 70]],
            "locks": [{}, {"1": 33}],
            "known": {"protect": [33, 75]},
        }
    )
    mine, other = view(at, 0).rows
    assert mine.wagons[0].wagon is None
    assert (mine.removed, mine.out_of_order) == (70, 6)
    assert (other.removed, other.out_of_order) == (None, 1)
    assert [wagon.protected for wagon in other.wagons] == [True] + [False] * 6
    assert other.wagons[0].ability == "protect"
    assert not isinstance(decide(at, Refill(0, 84, "protect")), Rejection)
    assert decide(at, Refill(1, 84, "protect")) == Rejection(reasons.NOT_YOUR_TURN, {"seat": 0})
    assert [option.places for option in legal(at)] == [(1,)]


def test_in_the_deal_whoever_has_no_row_may_deal() -> None:
    at = state_of({"phase": "deal", "rows": [[], [75, 65, 55, 45, 35, 25, 15]]})
    assert [option.play for option in legal(at)] == ["deal"]
    assert not isinstance(decide(at, Deal(0, (70, 60, 50, 40, 30, 20, 10))), Rejection)
    assert isinstance(decide(at, Deal(1, (70, 60, 50, 40, 30, 20, 10))), Rejection)
    assert view(at, 0).rows[0].out_of_order is None


def test_nothing_is_legal_after_the_game() -> None:
    last = list(game(Random(3), 2))[-1].after
    assert last.winner is not None
    assert ascends(last.rows[last.winner])
    assert legal(last) == ()


@pytest.mark.parametrize("ability", ABILITIES)
def test_a_preview_keeps_every_wagon_and_moves_only_what_it_says(ability: str) -> None:
    row = (70, 60, 50, 40, 30, 20, 10)
    if ability == "protect" or not REACH[ability]:
        with pytest.raises(KeyError, match=ability):
            disturbed(ability, 1)
        return
    for place in REACH[ability]:
        after = rearranged(row, ability, place)
        assert sorted(after) == sorted(row)
        changed = {i for i in range(1, 8) if row[i - 1] != after[i - 1]}
        assert changed == set(disturbed(ability, place))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_written_from_its_events_is_judged_the_same(seats: int) -> None:
    steps = list(game(Random(seats), seats))
    names = ("Aino", "Õnne", "\ud83d", '"\\')[:seats]
    events = [event for step in steps for event in step.events]
    lines = list(record_lines(GAME, names, steps[0].before, plays_of(events)))
    found = list(verdicts([line.encode() for line in lines], GAMES))
    assert len(found) == len(steps)
    assert all(verdict["ok"] for verdict in found)
    assert found[-1]["game_over"] == {"winner": names[steps[-1].play.by]}
    assert GAME.fold(steps[0].before, events) == steps[-1].after


def test_the_game_answers_as_its_parts_do() -> None:
    at = state_of({})
    play = Draw(0, 5, 1, "protect")
    assert GAME.decide(at, play) == decide(at, play)
    assert GAME.view(at, 0) == view(at, 0)
