"""Who comes late, leaves early, or has another name; and a game that ends before its time."""

from __future__ import annotations

import pytest

from companion.games import GAMES
from companion.record import verdicts
from companion.record.writing import record_lines
from companion.tables import commands as ask
from companion.tables.model import Actor
from tests.tables.evening import HOST, DirectEvening


def started() -> DirectEvening:
    evening = DirectEvening()
    evening.start()
    return evening


def test_who_comes_late_waits_for_the_next_game() -> None:
    evening = started()
    evening.seat("Dora")
    table = evening.table
    assert [seat.name for seat in table.in_play] == ["Anna", "Berta", "Carl"]
    assert not table.plays(4)
    assert evening.refused("dora", ask.Look(4)) == "no_game_on"
    assert evening.refused("dora", ask.Play(4, {"play": "result", "finisher": 1})) == "not_seated"
    assert evening.refused("dora", ask.Play(None, {"play": "result", "finisher": 1})) == (
        "not_seated"
    )
    assert evening.refused("dora", ask.TakeHosting(500.0, HOST)) == "not_seated"
    assert evening.refused("dora", ask.TakeBack()) == "not_seated"
    evening.finish()
    evening.done(HOST, ask.Start())
    assert [player.name for player in evening.table.players] == ["Anna", "Berta", "Carl", "Dora"]
    assert len(evening.table.game_state.now.roles) == 4


def test_who_waits_can_go_again_and_nothing_else_changes() -> None:
    evening = started()
    evening.report()
    evening.seat("Dora")
    evening.done("dora", ask.RemoveSeat(4))
    assert [seat.name for seat in evening.table.seats] == ["Anna", "Berta", "Carl"]
    evening.done(HOST, ask.TakeBack())  # the report before can still be taken back


def test_a_phone_takes_another_seat() -> None:
    evening = started()
    evening.done("anna", ask.Join("Otto"))
    assert len(evening.table.held("anna")) == 2
    assert [seat.name for seat in evening.table.held_in_play("anna")] == ["Anna"]


def test_a_round_that_is_broken_off_counts_for_nothing() -> None:
    evening = started()
    evening.report(finisher=1)
    before = evening.table.game_state
    evening.done(HOST, ask.Deal())
    assert evening.refused("anna", ask.Finish()) == "not_host"
    evening.done(HOST, ask.Finish())
    state = evening.table.game_state
    assert state.over
    assert not evening.table.counted  # first everybody sees who was what
    assert [past.won_by for past in state.past] == ["miners", "nobody"]
    assert state.past[0].gold == before.past[0].gold
    assert state.past[1].gold == ((), (), ())
    assert state.gold == before.gold
    evening.done(HOST, ask.TakeBack())
    assert evening.table.phase == "looking"


def test_between_rounds_the_game_is_finished_with_what_it_has() -> None:
    evening = started()
    evening.report()
    evening.done(HOST, ask.Finish())
    table = evening.table
    assert (len(table.game_state.past), table.games_over, table.counted) == (1, 1, True)
    evening.done(HOST, ask.TakeBack())
    assert evening.table.phase == "settled"
    assert not evening.table.round.ends_undone  # no role was turned over by it
    assert evening.table.finishes_undone == (Actor(HOST, hosted=True),)
    evening.done(HOST, ask.Deal())
    evening.done(HOST, ask.Finish())
    evening.done(HOST, ask.TakeBack())
    assert evening.table.finishes_undone == (Actor(HOST, hosted=True),)
    assert evening.table.round.ends_undone  # this one broke a round off
    evening.done(HOST, ask.Finish())
    evening.done(HOST, ask.Start())
    assert not evening.table.finishes_undone


def test_nothing_is_finished_where_no_game_is_on() -> None:
    evening = DirectEvening()
    evening.open()
    assert evening.refused(HOST, ask.Finish()) == "no_game_on"
    assert evening.refused(HOST, ask.Count()) == "no_game_on"
    evening.open("trains", "et-2015", "referee")
    evening.seat("Anna", "Berta")
    evening.done(HOST, ask.Start())
    assert evening.refused(HOST, ask.Count()) == "game_under_way"


def test_a_record_of_a_finished_game_ends_with_its_last_whole_round() -> None:
    evening = started()
    evening.report(finisher=2)
    evening.done(HOST, ask.Finish())
    game = evening.tables.last_game(evening.table)
    assert game is not None
    names = [player.recorded for player in evening.table.players]
    plays = evening.table.game.plays_of(game.events)
    lines = [
        line.encode() for line in record_lines(evening.table.game, names, game.initial_state, plays)
    ]
    assert [each["ok"] for each in verdicts(lines, GAMES)] == [True, True]


def test_all_see_the_last_round_before_anybody_sees_who_has_won() -> None:
    evening = started()
    evening.finish()
    assert not evening.table.counted
    assert evening.refused("stranger", ask.Count()) == "not_seated"
    evening.done("anna", ask.Count())
    assert evening.table.counted
    evening.done(HOST, ask.TakeBack())
    assert not evening.table.counted


def test_a_seat_has_another_name_and_the_deals_keep_the_old_one() -> None:
    evening = started()
    assert evening.refused("berta", ask.RenameSeat(1, "Anne")) == "not_host"
    assert evening.refused("anna", ask.RenameSeat(1, "BERTA")) == "name_taken"
    assert evening.refused("anna", ask.RenameSeat(9, "Anne")) == "unknown_seat"
    evening.done("anna", ask.RenameSeat(1, "Anne"))
    evening.done(HOST, ask.RenameSeat(1, "Anni"))
    player = evening.table.players[0]
    assert (evening.table.seats[0].name, player.name, player.recorded) == ("Anni", "Anni", "Anna")
    evening.finish()
    evening.done(HOST, ask.Start())
    assert evening.table.players[0].recorded == "Anni"


def test_a_name_whose_player_has_left_after_a_game_is_free_but_to_who_played_with_them() -> None:
    evening = started()
    evening.finish()
    evening.done("berta", ask.RemoveSeat(2))
    evening.done("berta", ask.Join("Bertaa"))
    (seat,) = evening.table.held("berta")
    evening.done("berta", ask.RenameSeat(seat.id, "Berta"))
    evening.done("berta", ask.RenameSeat(seat.id, "Berta"))
    assert evening.refused("anna", ask.RenameSeat(1, "Berta")) == "name_taken"
    evening.done(HOST, ask.RemoveSeat(seat.id))
    assert evening.refused("anna", ask.RenameSeat(1, "BERTA")) == "name_taken"
    names = [player.name for player in evening.table.results[-1].players]
    assert len(set(names)) == len(names)


def test_of_very_many_games_the_newest_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else every page of a table that somebody plays at for the sake of it gets dearer."""
    monkeypatch.setattr("companion.tables.evolve_play.SHOWN_MAX", 3)
    evening = DirectEvening()
    evening.open("trains", "et-2015", "referee")
    evening.seat("Anna", "Berta")
    for _ in range(5):
        evening.done(HOST, ask.Start())
        evening.done(HOST, ask.Finish())
    assert [number for number, _ in evening.table.numbered_results] == [3, 4, 5]
    evening.done(HOST, ask.TakeBack())
    assert [number for number, _ in evening.table.numbered_results] == [3, 4]


def test_of_very_many_ends_that_were_taken_back_the_newest_are_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("companion.tables.evolve_play.SHOWN_MAX", 3)
    evening = started()
    for _ in range(5):
        version = evening.report().version
        evening.done(HOST, ask.TakeBack())
    assert len(evening.table.round.ends_undone) == 3
    assert evening.table.round.ends_undone[-1].version == version
