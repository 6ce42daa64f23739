"""Players who sit in another order than the table has, and notice in the middle of a game."""

from __future__ import annotations

from typing import Any

from companion.games import GAMES
from companion.record import verdicts
from companion.record.writing import record_lines
from companion.tables import commands as ask
from tests.tables.evening import HOST, DirectEvening


def started(seed: int = 0) -> DirectEvening:
    evening = DirectEvening(seed=seed)
    evening.start()
    return evening


def order(evening: DirectEvening, *seats: int) -> None:
    evening.done(HOST, ask.OrderSeats(seats))


def judged(evening: DirectEvening) -> list[dict[str, Any]]:
    """The record of the game as far as it went, judged."""
    table = evening.table
    game = evening.tables.last_game(table)
    assert game is not None
    names = [player.recorded for player in table.players]
    lines = record_lines(table.game, names, game.initial_state, table.game.plays_of(game.events))
    found = list(verdicts([line.encode() for line in lines], GAMES))
    assert all(each["ok"] for each in found), found
    return found


def test_between_rounds_the_order_is_put_right_and_counts_from_then_on() -> None:
    evening = started()
    evening.report(finisher=2)
    gained = evening.table.game_state.past
    assert evening.table.players[evening.table.game_state.starter].name == "Carl"
    order(evening, 2, 1, 3)
    table = evening.table
    assert [seat.name for seat in table.seats] == ["Berta", "Anna", "Carl"]
    assert [player.name for player in table.players] == ["Anna", "Berta", "Carl"]
    assert table.players[table.game_state.starter].name == "Anna"  # left of Berta now
    assert (table.game_state.past, table.handovers.reordered) == (gained, 1)
    evening.done(HOST, ask.Deal())
    evening.look()
    evening.report(finisher=1)
    assert not evening.table.handovers.reordered
    assert evening.table.game_state.past[1].final.circle == (1, 0, 2)
    assert evening.table.players[evening.table.game_state.starter].name == "Carl"
    evening.done(HOST, ask.Deal())
    evening.look()
    evening.report(finisher=1)
    assert judged(evening)[-1]["game_over"]


def test_the_last_gold_is_shared_out_anew_in_the_right_order() -> None:
    """In a round of which only the end is told: it is taken back and told again."""
    evening = started(seed=1)  # all dig, and the left one gets a better card than the right one
    evening.report(finisher=1)
    before = evening.table.game_state.past[0].gold
    order(evening, 1, 3, 2)
    evening.done(HOST, ask.TakeBack())
    assert evening.table.game_state.now.circle == (0, 2, 1)
    evening.report(finisher=1)
    after = evening.table.game_state.past[0].gold
    assert after == (before[0], before[2], before[1]) != before
    found = judged(evening)
    assert found[-1]["round_over"]["gold"]["Berta"] == list(after[1])


def test_in_a_round_the_order_is_put_right_until_a_play_is_reported() -> None:
    evening = started()
    order(evening, 3, 2, 1)
    assert evening.table.game_state.now.circle == (2, 1, 0)
    evening = DirectEvening()
    evening.start(way="referee")
    order(evening, 3, 2, 1)
    turn = evening.table.game_state.now.turn
    assert evening.table.players[turn].name == "Anna"
    evening.done("anna", ask.Play(1, {"play": "pass"}))
    assert evening.table.players[evening.table.game_state.now.turn].name == "Carl"
    assert evening.refused(HOST, ask.OrderSeats((1, 2, 3))) == "round_in_progress"
    evening.done("carl", ask.Play(3, {"play": "pass"}))
    evening.report()
    order(evening, 1, 2, 3)
    assert evening.refused(HOST, ask.TakeBack()) == "nothing_to_take_back"
    assert [each.get("turn") for each in judged(evening)] == [
        "Anna",
        "Anna",
        "Carl",
        "Berta",
        None,
        None,
    ]


def test_who_waits_for_the_next_game_may_sit_anywhere() -> None:
    evening = DirectEvening()
    evening.start(way="referee")
    evening.done("anna", ask.Play(1, {"play": "pass"}))
    evening.seat("Dora")
    state = evening.table.game_state
    order(evening, 1, 4, 2, 3)
    table = evening.table
    assert [seat.name for seat in table.seats] == ["Anna", "Dora", "Berta", "Carl"]
    assert (table.game_state, len(table.round.undo_steps), table.handovers.reordered) == (
        state,
        1,
        0,
    )
    assert evening.refused(HOST, ask.OrderSeats((1, 2, 3))) == "game_under_way"


def test_the_order_stays_where_it_only_says_whose_turn_it_is() -> None:
    evening = DirectEvening()
    evening.open("trains", "et-2015", "referee")
    evening.seat("Anna", "Berta")
    evening.done(HOST, ask.Start())
    assert evening.refused(HOST, ask.OrderSeats((2, 1))) == "game_under_way"
