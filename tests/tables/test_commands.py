"""Who may do what at a table, and when; each accepted command is checked against the log."""

from __future__ import annotations

import pytest

from companion.games.game import Rejection
from companion.tables import commands as ask
from companion.tables import reasons
from companion.tables.identity import name_of, own_seats
from companion.tables.model import Actor, SeatId, Wifi
from tests.tables.evening import HOST, DirectEvening


def names(evening: DirectEvening) -> list[str]:
    return [seat.name for seat in evening.table.seats]


RESULT = ask.Play(None, {"play": "result", "finisher": None, "last": 1})


# Opening


def test_the_device_that_opens_is_the_host(evening: DirectEvening) -> None:
    table = evening.table
    assert (table.host, table.seats, table.game_state) == (HOST, (), None)
    assert (table.game.name, table.edition, table.way) == ("saboteur", "lv-2009", "roles")
    assert (table.version, table.change.version) == (1, 1)


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
def test_what_cannot_be_opened(evening: DirectEvening, command: ask.Open, field: str) -> None:
    answer = evening.tables.open(HOST, command, "key")
    assert answer == Rejection(reasons.BAD_REQUEST, {"field": field})


# Sitting down and leaving


def test_seats_are_taken_in_turn_and_ids_never_again(evening: DirectEvening) -> None:
    evening.seat("Anna", "Berta")
    evening.done("anna", ask.Join("Otto"))  # a shared phone
    evening.done("anna", ask.RemoveSeat(3))
    evening.seat("Carl")
    assert [(seat.id, seat.name, seat.device) for seat in evening.table.seats] == [
        (1, "Anna", "anna"),
        (2, "Berta", "berta"),
        (4, "Carl", "carl"),
    ]


def test_a_name_is_taken_once(evening: DirectEvening) -> None:
    evening.seat("Anna")
    answer = evening.ask("x", ask.Join(" anna "))
    assert answer == Rejection(reasons.NAME_TAKEN, {"name": "anna", "suggestion": "anna 2"})
    assert evening.refused("x", ask.Join(" \u200b")) == "name_empty"
    assert evening.refused("x", ask.Join("x" * 25)) == "name_too_long"
    assert evening.refused("x", ask.Join("x" * 10_000)) == "name_too_long"


def test_joining_does_not_make_pages_stale(evening: DirectEvening) -> None:
    evening.seat("Anna", "Berta")
    seen = evening.table.version
    evening.seat("Carl")
    evening.done(HOST, ask.Start(), version=seen)


def test_who_only_waits_makes_nobody_s_page_stale(evening: DirectEvening) -> None:
    """Else a guest who comes and goes keeps all others from reporting."""
    evening.start(way="referee")
    play = ask.Play(None, {"play": "path", "card": "EW", "at": [1, 0]})
    seen = evening.table.version
    for number in range(3):
        evening.done("guest", ask.Join(f"Guest {number}"))
        evening.done("guest", ask.RemoveSeat(evening.table.seats[-1].id))
    evening.done("anna", play, version=seen)
    seen = evening.table.version
    evening.done("guest", ask.Join("Guest"))
    evening.done("guest", ask.RemoveSeat(evening.table.seats[-1].id))
    evening.done("anna", ask.TakeBack(), version=seen)


def test_between_two_games_a_seat_that_is_gone_does(evening: DirectEvening) -> None:
    evening.seat("Anna", "Berta", "Carl", "Dora")
    seen = evening.table.version
    evening.done("dora", ask.RemoveSeat(4))
    assert evening.refused(HOST, ask.Start(), version=seen) == "stale"


def test_a_full_table(evening: DirectEvening) -> None:
    evening.seat(*(f"Player {number}" for number in range(10)))
    assert evening.ask("x", ask.Join("Eleven")) == Rejection(reasons.TABLE_FULL, {"max": 10})
    evening.done(HOST, ask.RemoveSeat(1))
    evening.seat("Eleven")


def test_the_host_seats_somebody_on_its_own_device(evening: DirectEvening) -> None:
    evening.done(HOST, ask.AddSeat("Anna"))
    assert evening.table.seats[0].device == HOST
    assert evening.refused("x", ask.AddSeat("Berta")) == "not_host"


def test_leaving_and_being_taken_out(evening: DirectEvening) -> None:
    evening.seat("Anna", "Berta", "Carl")
    evening.done("anna", ask.RemoveSeat(1))
    assert evening.refused("berta", ask.RemoveSeat(3)) == "not_host"
    evening.done(HOST, ask.RemoveSeat(2))
    assert evening.refused(HOST, ask.RemoveSeat(2)) == "unknown_seat"
    assert names(evening) == ["Carl"]


def test_seats_stay_during_a_game() -> None:
    evening = DirectEvening()
    evening.start()
    assert evening.refused("anna", ask.RemoveSeat(1)) == "game_under_way"
    assert evening.refused(HOST, ask.RemoveSeat(1)) == "game_under_way"


def test_after_the_game_seats_come_and_go_and_its_players_stay() -> None:
    evening = DirectEvening()
    evening.start()
    evening.finish()
    evening.done("anna", ask.RemoveSeat(1))
    evening.seat("Dora")
    assert names(evening) == ["Berta", "Carl", "Dora"]
    assert [player.name for player in evening.table.players] == ["Anna", "Berta", "Carl"]
    assert evening.table.game_state.over


def test_who_leaves_does_not_make_the_end_final() -> None:
    """Else whoever has told a false one had only to leave. All are back where they sat; who has
    come since and is called as one of them is called otherwise."""
    evening = DirectEvening()
    evening.start("Anna", "Berta", "Carl", "Dora")
    evening.seat("Emil")
    evening.finish()
    before = evening.table
    for device, seat in (("berta", 2), ("anna", 1), ("dora", 4)):
        evening.done(device, ask.RemoveSeat(SeatId(seat)))
    evening.done("berta", ask.Join("Berta"))
    evening.done("stranger", ask.Join("ANNA"))
    evening.done(HOST, ask.TakeBack())
    table = evening.table
    assert table.playing
    assert table.in_play == before.seats[:4]
    assert table.late == ("Emil", "Berta 2", "ANNA 2")
    assert table.people.gone == ()
    evening.restart()
    assert evening.table == table


def test_there_must_be_room_for_those_who_have_left() -> None:
    evening = DirectEvening()
    evening.start(*(f"Player {number}" for number in range(10)))
    evening.finish()
    evening.done(HOST, ask.RemoveSeat(SeatId(10)))
    evening.seat("Eleven")
    assert evening.ask(HOST, ask.TakeBack()) == Rejection(reasons.TABLE_FULL, {"max": 10})
    evening.done(HOST, ask.RemoveSeat(SeatId(11)))
    evening.done(HOST, ask.TakeBack())
    assert len(evening.table.in_play) == 10


def test_the_host_puts_the_seats_in_order(evening: DirectEvening) -> None:
    evening.seat("Anna", "Berta", "Carl")
    evening.done(HOST, ask.OrderSeats((3, 1, 2)))
    assert names(evening) == ["Carl", "Anna", "Berta"]
    version = evening.table.version
    assert evening.done(HOST, ask.OrderSeats((3, 1, 2))).version == version
    assert evening.refused("anna", ask.OrderSeats((1, 2, 3))) == "not_host"


@pytest.mark.parametrize("order", [(1, 2), (1, 2, 2), (1, 2, 3, 4), (1, 2, 9), (), (1,) * 500])
def test_an_order_of_other_seats_is_stale(evening: DirectEvening, order: tuple[int, ...]) -> None:
    evening.seat("Anna", "Berta", "Carl")
    assert evening.refused(HOST, ask.OrderSeats(order)) == "stale"


# Settings


def test_settings_before_and_during_a_game() -> None:
    evening = DirectEvening()
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


def test_wifi(evening: DirectEvening) -> None:
    evening.done(HOST, ask.SetWifi("Kelder", "salajane"))
    assert evening.table.wifi == Wifi("Kelder", "salajane")
    version = evening.table.version
    assert evening.done(HOST, ask.SetWifi("Kelder", "salajane")).version == version
    evening.done(HOST, ask.ClearWifi())
    assert evening.table.wifi is None
    assert evening.done(HOST, ask.ClearWifi()).wifi is None
    for name, password in (
        ("", "x" * 8),
        ("ü" * 17, ""),
        ("a\nb", ""),
        ("a", "x" * 7),
        ("a", "x" * 64),
        ("a", "\0" * 8),
    ):
        assert evening.refused(HOST, ask.SetWifi(name, password)) == "bad_request"
    for command in (ask.SetWifi("a", ""), ask.ClearWifi()):
        assert evening.refused("x", command) == "not_host"


# Phones


def test_a_freed_seat_is_claimed_once() -> None:
    evening = DirectEvening()
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
    assert (table.seats[0].moves, table.handovers.moved) == (1, (1,))
    assert evening.done("new", ask.ClaimSeat(1)).version == table.version
    assert evening.refused("other", ask.ClaimSeat(1)) == "seat_not_free"
    assert evening.refused("other", ask.ClaimSeat(1, stranded="anna")) == "seat_not_free"
    assert table.handovers.freed == ((1, Actor(HOST, hosted=True)),)


def test_a_moved_seat_is_told_until_the_next_round() -> None:
    """Whoever holds a seat can see its role: nothing done after the move hides that it moved. What
    has moved after the round stays told in the next one: its own gold and role are still secret."""
    evening = DirectEvening()
    evening.start()
    for seat in (2, 1):
        evening.done(HOST, ask.FreeSeat(seat))
        evening.done(HOST, ask.ClaimSeat(seat))
    evening.done("carl", ask.TakeHosting(120.0, HOST))
    evening.done("carl", ask.Configure(language="lt"))
    evening.done("carl", ask.BeginWithout())
    assert (evening.table.handovers.moved, evening.table.handovers.host_moves) == ((2, 1), 1)
    evening.done("carl", RESULT)
    assert (evening.table.handovers.moved, evening.table.handovers.host_moves) == ((), 0)
    told = evening.table.handovers_shown
    assert (told.moved, told.host_moves) == ((2, 1), 1)
    evening.done("carl", ask.FreeSeat(1))
    evening.done("carl", ask.ClaimSeat(1))
    assert evening.table.handovers_shown.moved == (2, 1, 1)
    evening.done("carl", ask.Deal())
    assert evening.table.handovers == evening.table.handovers_shown
    assert evening.table.handovers.moved == (2, 1, 1), "nobody has given them back"
    evening.done("carl", ask.FreeSeat(SeatId(1)))
    evening.done("anna", ask.ClaimSeat(SeatId(1)))
    evening.done("carl", ask.BeginWithout())
    evening.done("carl", RESULT)
    evening.done("carl", ask.Deal())
    assert evening.table.handovers.moved == (2,)


def test_taking_over_the_hosting() -> None:
    evening = DirectEvening()
    evening.start()
    assert evening.refused("anna", ask.TakeHosting(119.9, HOST)) == "host_present"
    assert evening.refused("anna", ask.TakeHosting(float("nan"), HOST)) == "host_present"
    assert evening.refused("stranger", ask.TakeHosting(1e9, HOST)) == "not_seated"
    assert evening.done(HOST, ask.TakeHosting(0.0, HOST)).handovers.host_moves == 0
    table = evening.done("anna", ask.TakeHosting(120.0, HOST))
    assert (table.host, table.handovers.host_moves) == ("anna", 1)
    assert evening.refused("carl", ask.TakeHosting(120.0, HOST)) == "stale"  # both have tapped
    assert evening.refused("carl", ask.TakeHosting(119.9, "anna")) == "host_present"
    assert evening.refused(HOST, ask.BeginWithout()) == "not_host"
    evening.done("anna", ask.BeginWithout())


def test_who_waits_and_takes_a_seat_in_the_game_is_called_by_the_own_one() -> None:
    """Whose name it is went home; who plays for them reports in that name all the same."""
    evening = DirectEvening()
    evening.start()
    evening.done("emma", ask.Join("Emma"))
    evening.done(HOST, ask.FreeSeat(SeatId(2)))
    evening.done("emma", ask.ClaimSeat(SeatId(2)))
    for _ in range(2):
        evening.done(HOST, ask.BeginWithout())
        told = evening.done("emma", RESULT)
        assert told.round.undo_steps[0].teller == 2
        evening.done(HOST, ask.Deal())
        assert name_of(evening.table, "emma") == "Emma"
    assert evening.table.handovers_shown.moved == (2,), "whose roles somebody else sees"
    evening.done("anna", ask.TakeHosting(120.0, HOST))
    evening.done("anna", ask.FreeSeat(SeatId(3)))
    evening.done("anna", ask.ClaimSeat(SeatId(3)))
    assert [seat.id for seat in own_seats(evening.table, "anna")] == [1]


def test_passing_the_hosting_on_and_back() -> None:
    evening = DirectEvening()
    evening.start()
    anna, carl = (evening.table.held(each)[0].id for each in ("anna", "carl"))
    assert evening.refused("anna", ask.PassHosting(anna)) == "not_host"
    assert evening.refused(HOST, ask.PassHosting(99)) == "unknown_seat"
    evening.done(HOST, ask.FreeSeat(carl))
    assert evening.refused(HOST, ask.PassHosting(carl)) == "bad_request"
    table = evening.done(HOST, ask.PassHosting(anna))
    assert (table.host, table.handovers.host_moves) == ("anna", 1)
    assert evening.refused(HOST, ask.PassHosting(anna)) == "not_host"
    assert evening.done("anna", ask.PassHosting(anna)).version == table.version
    evening.done("carl", ask.ClaimSeat(carl))
    assert evening.done("anna", ask.PassHosting(carl)).host == "carl"
    assert evening.done("carl", ask.PassHosting(anna)).host == "anna"


# The end


def test_the_host_ends_the_table(evening: DirectEvening) -> None:
    evening.seat("Anna")
    key, code = evening.tables.join_key(evening.table), evening.tables.code(evening.id)
    assert code is not None
    assert evening.refused("anna", ask.End()) == "not_host"
    assert evening.done(HOST, ask.End()).ended
    assert evening.told[-1].ended
    assert evening.tables.get(evening.id) is None
    assert evening.tables.by_join_key(key) is evening.tables.by_code(code) is None
    assert evening.tables.hosted_by(HOST) == evening.tables.of("anna") == []
    assert evening.refused("anna", ask.Join("Berta")) == "no_table"
    assert evening.refused(HOST, ask.End()) == "no_table"
