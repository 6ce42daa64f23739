"""The game on the table: starting, looking, reporting, taking back, dealing again, once more."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from companion.games import GAMES
from companion.games.game import Rejection
from companion.games.saboteur.reasons import NOT_YOUR_TURN
from companion.games.trains import GAME as TRAINS
from companion.games.trains.record import play_fields
from companion.tables import commands as ask
from companion.tables import events as on
from companion.tables import reasons
from companion.tables.codec import encode_events
from companion.tables.evolve import evolve, fold
from companion.tables.ledger import logged
from companion.tables.log import Index, Row
from companion.tables.model import Correction, SeatId
from companion.tables.playing import may_take_back
from tests.games.trains.dealer import Dealer
from tests.storage.contract import rows_of
from tests.tables.evening import HOST, DirectEvening

RESULT = ask.Play(None, {"play": "result", "finisher": None, "last": 1})


def test_starting(evening: DirectEvening) -> None:
    evening.seat("Anna", "Berta")
    answer = evening.ask(HOST, ask.Start())
    assert answer == Rejection(reasons.NOT_ENOUGH_PLAYERS, {"min": 3})
    evening.seat("Carl")
    assert evening.refused("anna", ask.Start()) == "not_host"
    assert evening.refused(HOST, ask.Start(9)) == "unknown_seat"
    table = evening.done(HOST, ask.Start(2))
    assert (table.starter, table.game_state.starter) == (2, 1)
    assert len(table.game_state.now.roles) == 3
    assert evening.refused(HOST, ask.Start()) == "game_under_way"


def test_more_than_the_game_is_for(evening: DirectEvening) -> None:
    """Nobody can sit down so; a log of before the limit might hold it."""
    taken = [
        Row(number + 2, "SeatTaken", {"seat": number, "name": f"P{number}", "device": "d"}, None,
            "d", 1.0)
        for number in range(1, 12)
    ]  # fmt: skip
    evening.seat("P0")
    code = evening.tables.code(evening.id) or ""
    evening.log.append(evening.id, taken, Index("j", code, 1.0, None))
    evening.restart()
    assert evening.ask(HOST, ask.Start()) == Rejection(reasons.TOO_MANY_PLAYERS, {"max": 10})


def test_the_first_seat_begins_if_nobody_is_named(evening: DirectEvening) -> None:
    evening.seat("Anna", "Berta", "Carl")
    evening.done(HOST, ask.OrderSeats((2, 3, 1)))
    assert evening.done(HOST, ask.Start()).starter == 2


def test_the_round_begins_when_all_have_looked(evening: DirectEvening) -> None:
    evening.seat("Anna", "Berta", "Carl")
    assert evening.refused("anna", ask.Look(1)) == "no_game_on"
    evening.done(HOST, ask.Start())
    assert evening.refused("anna", RESULT) == "not_begun"
    assert evening.refused("anna", ask.Look(2)) == "not_seated"
    assert evening.refused("anna", ask.Look(7)) == "unknown_seat"
    evening.done("anna", ask.Look(1))
    version = evening.table.version
    assert evening.done("anna", ask.Look(1)).version == version
    evening.done("berta", ask.Look(2))
    assert evening.table.missing == ("Carl",)
    assert not evening.table.round.begun
    evening.done("carl", ask.Look(3))
    assert evening.table.round.begun


def test_the_host_goes_on_without_those_who_have_not_looked(evening: DirectEvening) -> None:
    evening.seat("Anna", "Berta", "Carl")
    assert evening.refused(HOST, ask.BeginWithout()) == "no_game_on"
    evening.done(HOST, ask.Start())
    assert evening.refused("anna", ask.BeginWithout()) == "not_host"
    evening.done(HOST, ask.BeginWithout())
    version = evening.table.version
    assert evening.done(HOST, ask.BeginWithout()).version == version
    evening.done("carl", ask.Look(3))
    evening.done("anna", RESULT)


def test_anyone_seated_reports_and_the_host_too() -> None:
    for device in ("anna", "carl", HOST):
        evening = DirectEvening()
        evening.start()
        assert evening.refused("stranger", RESULT) == "not_seated"
        table = evening.report(device, finisher=2)
        assert table.game_state.now is None
        assert table.round.undo_steps[-1].by == device
        assert table.game_state.past[-1].finisher == 1


def test_a_report_for_another_seat_is_the_hosts_to_make() -> None:
    evening = DirectEvening()
    evening.start()
    report = ask.Play(2, RESULT.play)
    assert evening.refused("anna", report) == "not_seated"
    evening.done(HOST, report)


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        ({}, "bad_request"),
        ({"play": "deal", "roles": ["miner"] * 3}, "bad_request"),
        ({"play": "path", "card": "NS", "at": [1, 0]}, "bad_request"),
        ({"play": ["result"]}, "bad_request"),
        ({"play": "result"}, "bad_request"),
        ({"play": "result", "finisher": 9}, "unknown_seat"),
        ({"play": "result", "finisher": "Anna"}, "bad_request"),
        ({"play": "result", "finisher": True}, "bad_request"),
        ({"play": "result", "finisher": None, "last": None}, "bad_request"),
    ],
)
def test_forged_plays(play: dict[str, object], reason: str) -> None:
    evening = DirectEvening()
    evening.start()
    assert evening.refused("anna", ask.Play(None, play)) == reason


def test_a_seat_that_is_not_in_the_game_plays_nothing() -> None:
    evening = DirectEvening()
    evening.start()
    assert evening.refused(HOST, ask.Play(9, RESULT.play)) == "unknown_seat"
    evening.finish()
    evening.seat("Dora")
    assert evening.refused("dora", RESULT) == "unknown_seat"
    assert evening.refused("dora", ask.Look(4)) == "no_game_on"


def test_who_a_forged_play_says_it_is_by_does_not_matter() -> None:
    evening = DirectEvening()
    evening.start()
    table = evening.done("anna", ask.Play(None, {**RESULT.play, "by": 3}))
    played = table.round.undo_steps[-1]
    assert (played.seat, played.events[0].by) == (1, 0)


def test_a_round_is_settled_once() -> None:
    evening = DirectEvening()
    evening.start()
    seen = evening.table.version
    evening.report("anna", finisher=1)
    answer = evening.ask("berta", RESULT, version=seen)
    assert answer == Rejection(reasons.STALE, {"what": on.Played, "by": "Anna"})
    answer = evening.ask("berta", RESULT)
    assert isinstance(answer, Rejection)
    assert str(answer.reason) == "saboteur/no_round"


def test_the_host_takes_a_report_back() -> None:
    evening = DirectEvening()
    before = evening.start()
    assert evening.refused(HOST, ask.TakeBack()) == "nothing_to_take_back"
    evening.report("anna", finisher=1)
    assert evening.refused("anna", ask.TakeBack()) == "not_host"
    assert evening.refused("stranger", ask.TakeBack()) == "not_seated"
    table = evening.done(HOST, ask.TakeBack())
    assert replace(table.game_state, gold=before.game_state.gold) == before.game_state
    assert table.round.begun
    evening.report("anna", finisher=2)
    evening.done(HOST, ask.Deal())
    assert evening.refused(HOST, ask.TakeBack()) == "nothing_to_take_back"


def test_the_next_deal_is_looked_at_anew() -> None:
    evening = DirectEvening()
    evening.start()
    assert evening.refused(HOST, ask.Deal()) == "round_under_way"
    evening.report()
    assert evening.refused("anna", ask.Deal()) == "not_host"
    table = evening.done(HOST, ask.Deal())
    assert (table.game_state.round, table.round.looked, table.round.begun) == (
        2,
        frozenset(),
        False,
    )


def test_the_end_of_the_game_can_be_taken_back() -> None:
    evening = DirectEvening()
    evening.start()
    assert evening.finish().games_over == 1
    assert evening.refused(HOST, ask.Deal()) == "game_over"
    table = evening.done(HOST, ask.TakeBack())
    assert (table.games_over, table.game_state.over) == (0, False)
    assert evening.report(finisher=3).games_over == 1


def test_another_game_with_the_same_people_is_one_command() -> None:
    evening = DirectEvening()
    evening.start()
    evening.finish()
    left_of_last = evening.table.players[evening.table.game_state.starter].id
    table = evening.done(HOST, ask.Start())
    assert table.starter == left_of_last
    assert (table.game_state.round, table.round.begun, table.games_over) == (1, False, 1)
    assert evening.refused(HOST, ask.Start()) == "game_under_way"


def test_another_game_when_who_would_begin_has_left() -> None:
    evening = DirectEvening()
    evening.start("Anna", "Berta", "Carl", "Dora")
    evening.finish()
    left_of_last = evening.table.players[evening.table.game_state.starter].id
    evening.done(HOST, ask.RemoveSeat(left_of_last))
    assert evening.done(HOST, ask.Start()).starter == evening.table.seats[0].id


def test_who_begins_another_game_can_be_named_or_drawn() -> None:
    evening = DirectEvening()
    evening.start("Anna", "Berta", "Carl", "Dora")
    evening.finish()
    named = evening.table.players[evening.table.game_state.starter].id
    other = next(seat.id for seat in evening.table.seats if seat.id != named)
    assert evening.refused(HOST, ask.Start(SeatId(9))) == "unknown_seat"
    assert evening.done(HOST, ask.Start(other)).starter == other
    evening.look()
    evening.finish()
    seats = [seat.id for seat in evening.table.seats]
    fallen = evening.tables.fair_deals.source().lot(evening.table, len(seats))
    assert evening.done(HOST, ask.Start(lot=True)).starter == seats[fallen]


def test_nothing_of_a_game_in_the_lobby(evening: DirectEvening) -> None:
    evening.seat("Anna", "Berta", "Carl")
    assert evening.refused("anna", RESULT) == "no_game_on"
    assert evening.refused(HOST, ask.Deal()) == "no_game_on"
    assert evening.refused(HOST, ask.TakeBack()) == "nothing_to_take_back"
    assert evening.refused("anna", ask.Start()) == "not_host"
    evening.done(HOST, ask.Start())


def test_in_the_referees_way_plays_are_told_and_taken_back_by_their_makers() -> None:
    evening = DirectEvening()
    evening.start(way="referee")
    assert evening.refused("anna", RESULT) == "not_host"
    path = {"play": "path", "card": "NESW", "at": [1, 0]}
    answer = evening.ask("berta", ask.Play(None, path))
    assert answer == Rejection(NOT_YOUR_TURN, {"seat": 0})
    evening.done("anna", ask.Play(1, path))
    evening.done(HOST, ask.Play(2, {"play": "pass"}))
    assert evening.refused("anna", ask.TakeBack()) == "not_host"
    evening.done("berta", ask.TakeBack())  # hers, though the host reported it
    evening.done(HOST, ask.Play(2, {"play": "pass"}))
    evening.done(HOST, ask.TakeBack())
    evening.done("berta", ask.Play(2, {"play": "break", "tool": "cart", "seat": 3}))
    assert evening.table.game_state.now.broken[2]
    evening.done("berta", ask.TakeBack())
    assert not evening.table.game_state.now.broken[2]
    assert len(evening.table.round.undo_steps) == 1


def test_a_play_that_was_put_right_is_still_its_makers_to_take_back() -> None:
    evening = DirectEvening()
    evening.start(way="referee")
    evening.done("anna", ask.Play(1, {"play": "path", "card": "NESW", "at": [1, 0]}))
    right = {"play": "path", "card": "NEW", "at": [1, 0]}
    evening.done("anna", ask.Correct({"step": 0, **right}))
    evening.done("anna", ask.TakeBack())
    assert not evening.table.round.undo_steps


def test_a_correction_gives_nobody_another_play_to_take_back() -> None:
    evening = DirectEvening()
    evening.start(way="referee")
    evening.done("anna", ask.Play(1, {"play": "path", "card": "NESW", "at": [1, 0]}))
    evening.done("berta", ask.Play(2, {"play": "pass"}))
    undone = evening.done("berta", ask.TakeBack()).round.undone
    right = {"play": "path", "card": "NEW", "at": [1, 0]}
    table = evening.done("anna", ask.Correct({"step": 0, **right}))
    assert undone is not None
    assert table.round.undone == undone  # still told
    assert evening.refused("anna", ask.TakeBack()) == "not_host"
    table = evening.done("berta", ask.Play(2, {"play": "pass"}))
    assert table.round.undone is None


def test_who_hosts_no_more_and_does_not_play_takes_nothing_back() -> None:
    evening = DirectEvening()
    evening.start(way="referee")
    table = evening.done(HOST, ask.Play(1, {"play": "pass"}))
    assert may_take_back(table, HOST)
    table = evening.done("berta", ask.TakeHosting(500.0, HOST))
    assert not may_take_back(table, HOST)
    assert evening.refused(HOST, ask.TakeBack()) == "not_seated"
    assert may_take_back(table, "anna")  # hers, whoever reported it


def test_trains() -> None:
    evening = DirectEvening()
    evening.open("trains", next(iter(TRAINS.editions)), "referee")
    evening.seat("Anna", "Berta")
    table = evening.done(HOST, ask.Start())
    assert table.round.begun
    assert evening.refused(HOST, ask.Deal()) == "round_under_way"
    row = list(range(70, 0, -10))
    evening.done("anna", ask.Play(None, {"play": "deal", "row": row}))
    assert evening.table.game_state.rows[0] == tuple(row)
    version = evening.table.version
    assert evening.done("anna", ask.Look(1)).version == version


# Stale pages


def test_a_version_from_nowhere_is_stale() -> None:
    evening = DirectEvening()
    evening.start()
    for version in (0, -1, 10_000):
        assert evening.refused("anna", RESULT, version=version) == "stale"


def test_only_what_depends_on_the_page_is_checked() -> None:
    evening = DirectEvening()
    evening.start()
    evening.report()
    evening.done(HOST, ask.Deal())
    assert evening.refused(HOST, ask.TakeBack(), version=3) == "stale"
    evening.done("anna", ask.Look(1), version=3)


def test_plays_that_stand_beside_each_other_are_taken_from_pages_of_the_same_moment() -> None:
    evening = DirectEvening()
    evening.open("trains", "et-2015", "referee")
    evening.seat("Anna", "Berta", "Carl")
    seen = evening.done(HOST, ask.Start()).version
    rows = [list(range(70 - start, 0, -10))[:7] for start in range(3)]
    deals = [ask.Play(None, {"play": "deal", "row": row}) for row in rows]
    evening.done("anna", deals[0], version=seen)
    answer = evening.ask("berta", ask.Play(None, {"play": "deal", "row": rows[0]}), version=seen)
    assert isinstance(answer, Rejection)
    assert answer.reason.code == "card_in_play"
    evening.done("berta", deals[1], version=seen)
    assert evening.refused("anna", deals[2], version=seen) == "already_dealt"
    evening.done(HOST, ask.TakeBack())
    evening.done("berta", deals[1], version=seen)
    evening.done("carl", deals[2], version=seen)
    draft = {"play": "draft", "card": 84, "at": 1, "ability": "protect"}
    assert evening.refused("anna", ask.Play(None, draft), version=seen) == "stale"


def test_a_play_of_a_game_before_is_stale_whatever_it_is() -> None:
    evening = DirectEvening()
    evening.open("trains", "et-2015", "referee")
    evening.seat("Anna", "Berta")
    seen = evening.done(HOST, ask.Start()).version
    dealer, names = Dealer(random.Random(1), 2), ("anna", "berta")
    while evening.table.game_state.winner is None:
        said = play_fields(dealer.next_play(evening.table.game_state), names)
        evening.done(str(said.pop("by")), ask.Play(None, said))
    evening.done(HOST, ask.Start())
    deal = ask.Play(None, {"play": "deal", "row": [70, 60, 50, 40, 30, 20, 10]})
    assert evening.refused("anna", deal, version=seen) == "stale"
    evening.done("anna", deal)


@pytest.mark.parametrize("kind", ["GameStarted", "Dealt"])
def test_what_was_corrected_is_told_until_the_next_deal(evening: DirectEvening, kind: str) -> None:
    """A correction may have won the game before: its players may be gone by the next one."""
    evening.seat("Anna", "Berta", "Carl")
    evening.done(HOST, ask.Start())
    evening.look()
    step = evening.report().round.undo_steps[-1]
    rows = [logged(row) for row in rows_of(evening.log, evening.id)]
    at = next(at for at, row in enumerate(rows) if type(row.event).__name__ == kind)
    before = fold(evening.id, None, rows[:at], GAMES)
    assert before is not None
    before = replace(before, round=replace(before.round, corrected=Correction(step, (), None)))
    assert evolve(before, rows[at]).round.corrected is None


def test_a_correction_in_the_log_that_changed_nothing_still_has_its_play(
    evening: DirectEvening,
) -> None:
    """Pages name what was corrected; the log of an older program may have such a one."""
    evening.open("trains", "et-2015", "referee")
    evening.seat("Anna", "Berta")
    evening.done(HOST, ask.Start())
    deal = ask.Play(None, {"play": "deal", "row": [70, 60, 50, 40, 30, 20, 10]})
    table = evening.done("anna", deal)
    (step,) = table.round.undo_steps
    last = logged(rows_of(evening.log, evening.id)[-1])
    same = on.Corrected(0, (encode_events(step.events),))
    right = evolve(table, replace(last, version=last.version + 1, event=same)).round.corrected
    assert right is not None
    assert right.play.events == step.events


def test_a_name_goes_where_its_phone_was_lost_before_its_seat_was_taken_out(
    evening: DirectEvening,
) -> None:
    evening.seat("Anna", "Berta", "Carl", "Dora")
    evening.done(HOST, ask.Start())
    evening.look()
    evening.finish()
    evening.done(HOST, ask.FreeSeat(SeatId(4)))
    evening.done(HOST, ask.RemoveSeat(SeatId(4)))
    assert (4, "dora") in evening.table.people.gone
