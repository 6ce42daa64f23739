"""Who may do what at a table, and when; each accepted command is checked against the log."""

from __future__ import annotations

import pytest

from companion.rules.game import Rejection
from companion.tables import commands as ask
from companion.tables.log import Index, Row
from companion.tables.model import Wifi
from tests.tables.evening import HOST, Evening


@pytest.fixture
def evening() -> Evening:
    evening = Evening()
    evening.open()
    return evening


def names(evening: Evening) -> list[str]:
    return [seat.name for seat in evening.table.seats]


RESULT = ask.Play(None, {"play": "result", "finisher": None, "last": 1})


# Opening


def test_the_device_that_opens_is_the_host(evening: Evening) -> None:
    table = evening.table
    assert (table.host, table.seats, table.play) == (HOST, (), None)
    assert (table.game, table.edition, table.way) == ("saboteur", "lv-2009", "roles")
    assert (table.version, table.changed) == (1, 1)


@pytest.mark.parametrize(
    ("command", "field"),
    [
        (ask.Open("poker", "lv-2009", "roles", "lv"), "game"),
        (ask.Open("saboteur", "xx", "roles", "lv"), "edition"),
        (ask.Open("saboteur", "lv-2009", "blind", "lv"), "way"),
        (ask.Open("trains", "", "roles", "lv"), "edition"),
        (ask.Open("saboteur", "lv-2009", "roles", "Latvian!"), "language"),
    ],
)
def test_what_cannot_be_opened(evening: Evening, command: ask.Open, field: str) -> None:
    answer = evening.tables.open(HOST, command, "key")
    assert answer == Rejection("bad_request", {"field": field})


# Sitting down and leaving


def test_seats_are_taken_in_turn_and_ids_never_again(evening: Evening) -> None:
    evening.seat("Anna", "Berta")
    evening.done("anna", ask.Join("Otto"))  # a shared phone
    evening.done("anna", ask.RemoveSeat(3))
    evening.seat("Carl")
    assert [(seat.id, seat.name, seat.device) for seat in evening.table.seats] == [
        (1, "Anna", "anna"),
        (2, "Berta", "berta"),
        (4, "Carl", "carl"),
    ]


def test_a_name_is_taken_once(evening: Evening) -> None:
    evening.seat("Anna")
    answer = evening.ask("x", ask.Join(" anna "))
    assert answer == Rejection("name_taken", {"name": "anna", "suggestion": "anna 2"})
    assert evening.refused("x", ask.Join(" \u200b")) == "name_empty"
    assert evening.refused("x", ask.Join("x" * 25)) == "name_too_long"
    assert evening.refused("x", ask.Join("x" * 10_000)) == "name_too_long"


def test_joining_does_not_make_pages_stale(evening: Evening) -> None:
    evening.seat("Anna", "Berta")
    seen = evening.table.version
    evening.seat("Carl")
    evening.done(HOST, ask.Start(), version=seen)


def test_a_full_table(evening: Evening) -> None:
    evening.seat(*(f"Player {number}" for number in range(10)))
    assert evening.ask("x", ask.Join("Eleven")) == Rejection("table_full", {"max": 10})
    evening.done(HOST, ask.RemoveSeat(1))
    evening.seat("Eleven")


def test_the_host_seats_somebody_on_its_own_device(evening: Evening) -> None:
    evening.done(HOST, ask.AddSeat("Anna"))
    assert evening.table.seats[0].device == HOST
    assert evening.refused("x", ask.AddSeat("Berta")) == "not_host"


def test_leaving_and_being_taken_out(evening: Evening) -> None:
    evening.seat("Anna", "Berta", "Carl")
    evening.done("anna", ask.RemoveSeat(1))
    assert evening.refused("berta", ask.RemoveSeat(3)) == "not_host"
    evening.done(HOST, ask.RemoveSeat(2))
    assert evening.refused(HOST, ask.RemoveSeat(2)) == "unknown_seat"
    assert names(evening) == ["Carl"]


def test_seats_stay_during_a_game() -> None:
    evening = Evening()
    evening.start()
    assert evening.refused("new", ask.Join("Dora")) == "game_under_way"
    assert evening.refused(HOST, ask.AddSeat("Dora")) == "game_under_way"
    assert evening.refused("anna", ask.RemoveSeat(1)) == "game_under_way"
    assert evening.refused(HOST, ask.RemoveSeat(1)) == "game_under_way"
    assert evening.refused(HOST, ask.OrderSeats((3, 2, 1))) == "game_under_way"


def test_after_the_game_seats_come_and_go_and_its_players_stay() -> None:
    evening = Evening()
    evening.start()
    evening.finish()
    evening.done("anna", ask.RemoveSeat(1))
    evening.seat("Dora")
    assert names(evening) == ["Berta", "Carl", "Dora"]
    assert [player.name for player in evening.table.players] == ["Anna", "Berta", "Carl"]
    assert evening.table.play.over
    assert evening.refused(HOST, ask.TakeBack()) == "nothing_to_take_back"


def test_the_host_puts_the_seats_in_order(evening: Evening) -> None:
    evening.seat("Anna", "Berta", "Carl")
    evening.done(HOST, ask.OrderSeats((3, 1, 2)))
    assert names(evening) == ["Carl", "Anna", "Berta"]
    version = evening.table.version
    assert evening.done(HOST, ask.OrderSeats((3, 1, 2))).version == version
    assert evening.refused("anna", ask.OrderSeats((1, 2, 3))) == "not_host"


@pytest.mark.parametrize("order", [(1, 2), (1, 2, 2), (1, 2, 3, 4), (1, 2, 9), (), (1,) * 500])
def test_an_order_of_other_seats_is_stale(evening: Evening, order: tuple[int, ...]) -> None:
    evening.seat("Anna", "Berta", "Carl")
    assert evening.refused(HOST, ask.OrderSeats(order)) == "stale"


# Settings


def test_settings_before_and_during_a_game() -> None:
    evening = Evening()
    evening.start()
    assert evening.refused("anna", ask.Configure(language="et")) == "not_host"
    assert evening.done(HOST, ask.Configure(language="et")).language == "et"
    assert evening.refused(HOST, ask.Configure(edition="fi")) == "game_under_way"
    assert evening.refused(HOST, ask.Configure(way="referee")) == "round_under_way"
    evening.report()
    assert evening.done(HOST, ask.Configure(way="referee")).way == "referee"
    assert evening.refused(HOST, ask.Configure(edition="xx")) == "bad_request"
    version = evening.table.version
    assert evening.done(HOST, ask.Configure(edition="lv-2009")).version == version


def test_wifi(evening: Evening) -> None:
    evening.done(HOST, ask.SetWifi("Kelder", "salajane"))
    assert evening.table.wifi == Wifi("Kelder", "salajane")
    version = evening.table.version
    assert evening.done(HOST, ask.SetWifi("Kelder", "salajane")).version == version
    evening.done(HOST, ask.ClearWifi())
    assert evening.table.wifi is None
    assert evening.done(HOST, ask.ClearWifi()).wifi is None
    for name, password in (("", "x"), ("ü" * 17, ""), ("a\nb", ""), ("a", "x" * 64), ("a", "\0")):
        assert evening.refused(HOST, ask.SetWifi(name, password)) == "bad_request"
    for command in (ask.SetWifi("a", ""), ask.ClearWifi()):
        assert evening.refused("x", command) == "not_host"


# The game


def test_starting(evening: Evening) -> None:
    evening.seat("Anna", "Berta")
    answer = evening.ask(HOST, ask.Start())
    assert answer == Rejection("not_enough_players", {"min": 3})
    evening.seat("Carl")
    assert evening.refused("anna", ask.Start()) == "not_host"
    assert evening.refused(HOST, ask.Start(9)) == "unknown_seat"
    table = evening.done(HOST, ask.Start(2))
    assert (table.starter, table.play.starter) == (2, 1)
    assert len(table.play.now.roles) == 3
    assert evening.refused(HOST, ask.Start()) == "game_under_way"


def test_more_than_the_game_is_for(evening: Evening) -> None:
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
    assert evening.ask(HOST, ask.Start()) == Rejection("too_many_players", {"max": 10})


def test_the_first_seat_begins_if_nobody_is_named(evening: Evening) -> None:
    evening.seat("Anna", "Berta", "Carl")
    evening.done(HOST, ask.OrderSeats((2, 3, 1)))
    assert evening.done(HOST, ask.Start()).starter == 2


def test_the_round_begins_when_all_have_looked(evening: Evening) -> None:
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
    assert [player.name for player in evening.table.missing] == ["Carl"]
    assert not evening.table.began
    evening.done("carl", ask.Look(3))
    assert evening.table.began


def test_the_host_goes_on_without_those_who_have_not_looked(evening: Evening) -> None:
    evening.seat("Anna", "Berta", "Carl")
    assert evening.refused(HOST, ask.Begin()) == "no_game_on"
    evening.done(HOST, ask.Start())
    assert evening.refused("anna", ask.Begin()) == "not_host"
    evening.done(HOST, ask.Begin())
    version = evening.table.version
    assert evening.done(HOST, ask.Begin()).version == version
    evening.done("carl", ask.Look(3))
    evening.done("anna", RESULT)


def test_anyone_seated_reports_and_the_host_too() -> None:
    for device in ("anna", "carl", HOST):
        evening = Evening()
        evening.start()
        assert evening.refused("stranger", RESULT) == "not_seated"
        table = evening.report(device, finisher=2)
        assert table.play.now is None
        assert table.steps[-1].by == device
        assert table.play.past[-1].finisher == 1


def test_a_report_for_another_seat_is_the_hosts_to_make() -> None:
    evening = Evening()
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
        ({"play": "result", "finisher": 9, "last": None}, "unknown_seat"),
        ({"play": "result", "finisher": "Anna", "last": None}, "unknown_seat"),
        ({"play": "result", "finisher": True, "last": None}, "unknown_seat"),
        ({"play": "result", "finisher": None, "last": 1, "gold": [3]}, "bad_request"),
    ],
)
def test_forged_plays(play: dict[str, object], reason: str) -> None:
    evening = Evening()
    evening.start()
    assert evening.refused("anna", ask.Play(None, play)) == reason


def test_a_seat_that_is_not_in_the_game_plays_nothing() -> None:
    evening = Evening()
    evening.start()
    assert evening.refused(HOST, ask.Play(9, RESULT.play)) == "unknown_seat"
    evening.finish()
    evening.seat("Dora")
    assert evening.refused("dora", RESULT) == "unknown_seat"
    assert evening.refused("dora", ask.Look(4)) == "no_game_on"


def test_who_a_forged_play_says_it_is_by_does_not_matter() -> None:
    evening = Evening()
    evening.start()
    evening.done("anna", ask.Play(None, {**RESULT.play, "by": 3}))


def test_a_round_is_settled_once() -> None:
    evening = Evening()
    evening.start()
    seen = evening.table.version
    evening.report("anna", finisher=1)
    answer = evening.ask("berta", RESULT, version=seen)
    assert answer == Rejection("stale", {"what": "Played", "by": "Anna"})
    answer = evening.ask("berta", RESULT)
    assert isinstance(answer, Rejection)
    assert answer.params["game"] == "saboteur"


def test_the_host_takes_a_report_back() -> None:
    evening = Evening()
    before = evening.start()
    assert evening.refused(HOST, ask.TakeBack()) == "nothing_to_take_back"
    evening.report("anna", finisher=1)
    assert evening.refused("anna", ask.TakeBack()) == "not_host"
    assert evening.refused("stranger", ask.TakeBack()) == "not_seated"
    table = evening.done(HOST, ask.TakeBack())
    assert table.play == before.play
    assert table.began
    evening.report("anna", finisher=2)
    evening.done(HOST, ask.Deal())
    assert evening.refused(HOST, ask.TakeBack()) == "nothing_to_take_back"


def test_the_next_deal_is_looked_at_anew() -> None:
    evening = Evening()
    evening.start()
    assert evening.refused(HOST, ask.Deal()) == "round_under_way"
    evening.report()
    assert evening.refused("anna", ask.Deal()) == "not_host"
    table = evening.done(HOST, ask.Deal())
    assert (table.play.round, table.looked, table.began) == (2, frozenset(), False)


def test_the_end_of_the_game_can_be_taken_back() -> None:
    evening = Evening()
    evening.start()
    assert evening.finish().games == 1
    assert evening.refused(HOST, ask.Deal()) == "game_over"
    table = evening.done(HOST, ask.TakeBack())
    assert (table.games, table.play.over) == (0, False)
    assert evening.report(finisher=3).games == 1


def test_another_game_with_the_same_people_is_one_command() -> None:
    evening = Evening()
    evening.start()
    evening.finish()
    left_of_last = evening.table.players[evening.table.play.starter].id
    table = evening.done(HOST, ask.NewGame())
    assert table.starter == left_of_last
    assert (table.play.round, table.began, table.games) == (1, False, 1)
    assert evening.refused(HOST, ask.NewGame()) == "game_under_way"


def test_another_game_when_who_would_begin_has_left() -> None:
    evening = Evening()
    evening.start("Anna", "Berta", "Carl", "Dora")
    evening.finish()
    left_of_last = evening.table.players[evening.table.play.starter].id
    evening.done(HOST, ask.RemoveSeat(left_of_last))
    assert evening.done(HOST, ask.NewGame()).starter == evening.table.seats[0].id


def test_nothing_of_a_game_in_the_lobby(evening: Evening) -> None:
    evening.seat("Anna", "Berta", "Carl")
    assert evening.refused("anna", RESULT) == "no_game_on"
    assert evening.refused(HOST, ask.Deal()) == "no_game_on"
    assert evening.refused(HOST, ask.TakeBack()) == "nothing_to_take_back"
    assert evening.refused("anna", ask.NewGame()) == "not_host"
    evening.done(HOST, ask.NewGame())


def test_in_the_referees_way_plays_are_told_and_taken_back_by_their_makers() -> None:
    evening = Evening()
    evening.start(way="referee")
    assert evening.refused("anna", RESULT) == "bad_request"
    path = {"play": "path", "card": "NESW", "at": [1, 0]}
    answer = evening.ask("berta", ask.Play(None, path))
    assert answer == Rejection("not_your_turn", {"seat": 1, "game": "saboteur"})
    evening.done("anna", ask.Play(1, path))
    evening.done(HOST, ask.Play(2, {"play": "pass"}))
    assert evening.refused("anna", ask.TakeBack()) == "not_host"
    evening.done(HOST, ask.TakeBack())
    evening.done("berta", ask.Play(2, {"play": "break", "tool": "cart", "seat": 3}))
    assert evening.table.play.now.broken[2]
    evening.done("berta", ask.TakeBack())
    assert not evening.table.play.now.broken[2]
    assert len(evening.table.steps) == 1


def test_trains() -> None:
    evening = Evening()
    game = "trains"
    evening.open(game, editions_of(game)[0], "referee")
    evening.seat("Anna", "Berta")
    table = evening.done(HOST, ask.Start())
    assert table.began
    assert evening.refused(HOST, ask.Deal()) == "round_under_way"
    row = list(range(70, 0, -10))
    evening.done("anna", ask.Play(None, {"play": "deal", "row": row}))
    assert evening.table.play.rows[0] == tuple(row)
    version = evening.table.version
    assert evening.done("anna", ask.Look(1)).version == version


def editions_of(game: str) -> tuple[str, ...]:
    from companion.tables.games import rules

    found = rules(game)
    assert found is not None
    return found.editions


# Stale pages


def test_a_version_from_nowhere_is_stale() -> None:
    evening = Evening()
    evening.start()
    for version in (0, -1, 10_000):
        assert evening.refused("anna", RESULT, version=version) == "stale"


def test_only_what_depends_on_the_page_is_checked() -> None:
    evening = Evening()
    evening.start()
    evening.report()
    evening.done(HOST, ask.Deal())
    assert evening.refused(HOST, ask.TakeBack(), version=3) == "stale"
    evening.done("anna", ask.Look(1), version=3)


# Phones


def test_a_freed_seat_is_claimed_once() -> None:
    evening = Evening()
    evening.start()
    assert evening.refused("new", ask.ClaimSeat(1)) == "seat_not_free"
    assert evening.refused("berta", ask.FreeSeat(1)) == "not_host"
    assert evening.refused(HOST, ask.FreeSeat(9)) == "unknown_seat"
    assert evening.refused("new", ask.ClaimSeat(9)) == "unknown_seat"
    evening.done(HOST, ask.FreeSeat(1))
    version = evening.table.version
    assert evening.done(HOST, ask.FreeSeat(1)).version == version
    assert evening.refused("anna", RESULT) == "not_seated"
    table = evening.done("new", ask.ClaimSeat(1))
    assert table.seats[0].device == "new"
    assert (table.seats[0].moves, table.moved) == (1, (1, table.version))
    assert evening.done("new", ask.ClaimSeat(1)).version == table.version
    assert evening.refused("other", ask.ClaimSeat(1)) == "seat_not_free"


def test_taking_over_the_hosting() -> None:
    evening = Evening()
    evening.start()
    assert evening.refused("anna", ask.TakeHosting(119.9)) == "host_present"
    assert evening.refused("anna", ask.TakeHosting(float("nan"))) == "host_present"
    assert evening.refused("stranger", ask.TakeHosting(1e9)) == "not_seated"
    assert evening.done(HOST, ask.TakeHosting(0.0)).host_moved == 0
    table = evening.done("anna", ask.TakeHosting(120.0))
    assert (table.host, table.host_moved) == ("anna", table.version)
    assert evening.refused(HOST, ask.Begin()) == "not_host"
    evening.done("anna", ask.Begin())


# The end


def test_the_host_ends_the_table(evening: Evening) -> None:
    evening.seat("Anna")
    key, code = evening.tables.join_key(evening.id), evening.tables.code(evening.id)
    assert code is not None
    assert evening.refused("anna", ask.End()) == "not_host"
    assert evening.done(HOST, ask.End()).ended
    assert evening.told[-1].ended
    assert evening.tables.get(evening.id) is None
    assert evening.tables.by_join_key(key) is evening.tables.by_code(code) is None
    assert evening.tables.hosted_by(HOST) == evening.tables.seated("anna") == []
    assert evening.refused("anna", ask.Join("Berta")) == "no_table"
    assert evening.refused(HOST, ask.End()) == "no_table"
