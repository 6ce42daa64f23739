"""A player's name is taken out of a table: it is nowhere any more, on the disk neither."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.games import GAMES
from companion.games.game import Rejection
from companion.storage.sqlite_log import FILE, SqliteLog
from companion.tables import commands as ask
from companion.tables import names
from companion.tables.log import NoRoomError, Row
from companion.tables.model import SeatId, Table
from companion.tables.offers import Offer
from companion.tables.service import Tables
from tests.kit.limits import limits
from tests.storage.contract import rows_of
from tests.tables.evening import HOST, SECRET, DirectEvening

OUT = ask.TakeNameOut(1, "Player")


@pytest.fixture
def evening() -> DirectEvening:
    return DirectEvening()


@pytest.fixture
def over(evening: DirectEvening) -> DirectEvening:
    """Anna, Berta and Carl have played a game."""
    evening.start()
    evening.finish()
    return evening


def names_in(evening: DirectEvening) -> str:
    """All that the table's log says, and the table."""
    return repr([row.data for row in rows_of(evening.log, evening.id)]) + repr(evening.table)


def test_it_is_in_no_event_and_no_result(over: DirectEvening) -> None:
    over.done("anna", ask.RenameSeat(1, "Annika"))
    assert "Annika" in names_in(over)
    table = over.done("anna", OUT)
    assert [seat.name for seat in table.seats] == ["Player 1", "Berta", "Carl"]
    assert [one.recorded for one in table.results[0].players] == ["Player 1", "Berta", "Carl"]
    assert "Ann" not in names_in(over)
    over.restart()
    assert over.table.names == ("Player 1", "Berta", "Carl")


def test_what_has_been_played_stays(over: DirectEvening) -> None:
    before = over.table
    after = over.done("anna", OUT)
    assert (after.game_state, after.games_over, after.screens) == (
        before.game_state,
        before.games_over,
        before.screens,
    )
    assert over.done(HOST, ask.Start()).playing


def test_the_older_content_is_gone_from_the_files(tmp_path: Path) -> None:
    evening = DirectEvening(SqliteLog(tmp_path, SECRET))
    evening.start()
    evening.done(HOST, ask.Finish())

    def sealed() -> bytes:
        with closing(sqlite3.connect(tmp_path / FILE)) as database:
            asked = "SELECT data FROM events WHERE kind = 'SeatTaken' ORDER BY version"
            found: bytes = database.execute(asked).fetchone()[0]
        return found

    def files() -> bytes:
        return b"".join(file.read_bytes() for file in tmp_path.iterdir())

    old = sealed()
    assert old in files()
    evening.done("anna", OUT)
    assert sealed() != old
    assert old not in files()
    evening.log.close()


@pytest.mark.parametrize(
    "full", [{"events_max": 10}, {"host_bytes": 10}, {"bytes_max": 10}], ids=str
)
def test_also_where_there_is_no_room_for_anything_else(
    over: DirectEvening, full: dict[str, int]
) -> None:
    over.tables = Tables(
        over.log, GAMES, limits(**full), secret=SECRET, clock=lambda: over.now, draw=over.draw
    )
    with suppress(NoRoomError):
        assert isinstance(over.ask("anna", ask.RenameSeat(1, "Annika")), Rejection)
    assert over.done("anna", OUT).seats[0].name == "Player 1"
    assert "Anna" not in names_in(over)
    version = over.table.version
    assert over.done("anna", OUT).version == version


def test_its_deals_are_not_proved_any_more_but_the_next_ones_are(over: DirectEvening) -> None:
    assert any(over.table.deals.shares)
    over.done("anna", OUT)
    assert not any(proof.proves for proof in over.tables.fair_deals.proofs(over.table))
    over.done(HOST, ask.Start())
    over.look()
    over.finish()
    assert all(proof.proves for proof in over.tables.fair_deals.proofs(over.table))


def test_deals_without_the_player_stay_proved(over: DirectEvening) -> None:
    over.done("dora", ask.Join("Dora"))
    over.done("dora", ask.TakeNameOut(4, "Player"))
    assert all(proof.proves for proof in over.tables.fair_deals.proofs(over.table))


def test_however_many_seats_somebody_has_left_only_names_that_are_shown_are_compared(
    evening: DirectEvening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a host who adds and removes seats for half an hour could keep all tables waiting."""
    evening.open("trains", "et-2015", "light")
    evening.done(HOST, ask.Join("Anna"))
    for number in range(50):
        evening.done(HOST, ask.AddSeat("Child"))
        evening.done(HOST, ask.RemoveSeat(SeatId(2 + number)))
    evening.done(HOST, ask.AddSeat("Player 1"))
    compared: list[str] = []
    whole = names.skeleton
    monkeypatch.setattr(names, "skeleton", lambda name: compared.append(name) or whole(name))
    table = evening.done(HOST, OUT)
    assert [seat.name for seat in table.seats] == ["Player 1 2", "Player 1"]
    assert len(table.people.nameless) == 51
    assert len(compared) < 10
    assert "Child" not in names_in(evening)


def test_of_a_long_log_no_more_is_held_than_is_looked_at(
    over: DirectEvening, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, held = over.tables._ledger, []

    def rows(table_id: str, after: int, up_to: int) -> Iterator[Row]:
        before = None
        for row in over.log.read(table_id, after=after, up_to=up_to):
            fresh = replace(row)
            yield fresh
            held.append(sys.getrefcount(before) > 2 and before is not None)
            before = fresh

    monkeypatch.setattr(ledger, "rows", rows)
    over.done("anna", OUT)
    assert len(held) == 2 * over.table.version - 2
    assert sum(held) <= 3  # those with the name in them


def test_only_the_own_name_and_when_no_game_is_on(over: DirectEvening) -> None:
    assert over.refused("berta", OUT) == "not_seated"
    assert over.refused(HOST, OUT) == "not_seated"
    assert over.refused("anna", ask.TakeNameOut(9, "Player")) == "unknown_seat"
    over.done(HOST, ask.Start())
    assert over.refused("anna", OUT) == "game_under_way"


def test_whoever_has_left_sits_down_again_for_it(over: DirectEvening) -> None:
    over.done("anna", ask.RemoveSeat(1))
    over.done("berta", ask.RemoveSeat(2))
    over.done("anna", ask.Join("Aino"))
    table = over.done("anna", ask.TakeNameOut(4, "Player"))
    assert [seat.name for seat in table.seats] == ["Carl", "Player 4"]
    assert table.names == ("Player 1", "Berta", "Carl")
    assert "Anna" not in names_in(over)
    assert "Aino" not in names_in(over)


@pytest.mark.parametrize("last", [None, HOST, "dora"], ids=["nobody", "host", "another"])
def test_who_lost_a_seat_in_an_earlier_round_takes_the_name_out_where_it_has_gone(
    evening: DirectEvening, last: str | None
) -> None:
    evening.start()
    evening.done(HOST, ask.FreeSeat(2))
    if last is not None:
        evening.done(last, ask.ClaimSeat(2))
    evening.report()
    evening.done(HOST, ask.Deal())
    evening.done(HOST, ask.Finish())
    evening.done(HOST, ask.RemoveSeat(2))
    evening.done("berta", ask.Join("Bee"))
    table = evening.done("berta", ask.TakeNameOut(4, "Player"))
    assert table.names == ("Anna", "Player 2", "Carl")
    assert "Berta" not in names_in(evening)


def test_who_had_a_seat_for_a_while_does_not_take_out_its_players_name(
    evening: DirectEvening,
) -> None:
    evening.start()
    for phone in ("dora", "emil", "berta"):
        evening.done(HOST, ask.FreeSeat(2))
        evening.done(phone, ask.ClaimSeat(2))
    evening.finish()
    evening.done("berta", ask.RemoveSeat(2))
    evening.done("dora", ask.Join("Dora"))
    table = evening.done("dora", ask.TakeNameOut(4, "Player"))
    assert table.names == ("Anna", "Berta", "Carl")


def test_a_host_who_has_got_hold_of_a_seat_does_not_take_out_its_players_name(
    over: DirectEvening,
) -> None:
    over.done(HOST, ask.FreeSeat(2))
    over.done(HOST, ask.ClaimSeat(2))
    assert over.refused(HOST, ask.TakeNameOut(2, "Player")) == "not_seated"


def gives_on(evening: DirectEvening, to: str) -> None:
    offers = evening.tables.seat_offers
    offer = offers.offer(evening.id, "anna", SeatId(4))
    assert isinstance(offer, Offer)
    assert isinstance(offers.take(to, ask.TakeSeat(offer.key), f"to {to}"), Table)


def test_whose_phone_a_seat_was_given_by_does_not_take_out_its_players_name(
    evening: DirectEvening,
) -> None:
    """Berta sat at Anna's, until her own phone was there; then Anna had hers for a while."""
    evening.open()
    evening.seat("Anna", "Berta", "Carl")
    evening.done("anna", ask.Join("Dora"))
    gives_on(evening, to="dora")
    evening.done(HOST, ask.Start())
    evening.done(HOST, ask.FreeSeat(4))
    evening.done("anna", ask.ClaimSeat(4))
    gives_on(evening, to="new phone")
    evening.look()
    evening.finish()
    evening.done("new phone", ask.RemoveSeat(4))
    table = evening.done("anna", OUT)
    assert table.names == ("Player 1", "Berta", "Carl", "Dora")
    evening.done("new phone", ask.Join("Dodo"))
    table = evening.done("new phone", ask.TakeNameOut(5, "Player"))
    assert table.names == ("Player 1", "Berta", "Carl", "Player 4")


def test_whose_phone_a_seat_was_freed_from_that_it_had_for_another(evening: DirectEvening) -> None:
    evening.open()
    evening.seat("Anna", "Berta", "Carl")
    evening.done("anna", ask.Join("Dora"))
    evening.done(HOST, ask.FreeSeat(4))
    evening.done("dora", ask.ClaimSeat(4))
    evening.done(HOST, ask.Start())
    evening.look()
    evening.finish()
    evening.done("dora", ask.RemoveSeat(4))
    assert evening.done("anna", OUT).names == ("Player 1", "Berta", "Carl", "Dora")


def test_who_has_come_with_another_phone_takes_it_out_where_the_host_has_joined_both(
    over: DirectEvening,
) -> None:
    over.done(HOST, ask.RemoveSeat(1))
    over.done("new phone", ask.Join("Annika"))
    over.done("new phone", ask.TakeNameOut(4, "Player"))
    assert over.table.results[0].players[0].name == "Anna"
    over.done(HOST, ask.JoinPeople(1, 4))
    over.done("new phone", ask.TakeNameOut(4, "Player"))
    assert over.table.results[0].players[0].name == "Player 1"
    assert "Ann" not in names_in(over)


def test_a_name_that_somebody_had_who_has_left_is_not_given(over: DirectEvening) -> None:
    """It would stand twice in the game that both have played."""
    over.done("anna", ask.RenameSeat(1, "Player 3"))
    over.done("anna", ask.RemoveSeat(1))
    names = over.done("carl", ask.TakeNameOut(3, "Player")).names
    assert len({*names}) == 3


def test_a_name_that_somebody_has_is_not_given(over: DirectEvening) -> None:
    over.done("carl", ask.RenameSeat(3, "Player 1"))
    assert over.done("anna", OUT).names == ("Player 1 2", "Berta", "Player 1")


def test_each_name_is_looked_at_twice_however_many_seats_have_gone(
    over: DirectEvening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else one who has come and gone hundreds of times would keep all tables waiting."""
    for _ in range(20):
        seat = over.done("anna", ask.Join("Aino")).seats[-1].id
        over.done("anna", ask.RemoveSeat(seat))
    looked_at: list[str] = []
    skeleton = names.skeleton
    monkeypatch.setattr(names, "skeleton", lambda name: (looked_at.append(name), skeleton(name))[1])
    over.done("anna", OUT)
    others = [seat.name for seat in over.table.seats[1:]]
    assert len(looked_at) <= 2 * (20 + 1) + 3 * len(others)
    assert "Aino" not in names_in(over)


def test_what_is_out_is_not_taken_out_again(over: DirectEvening) -> None:
    """All that was written would be read and written anew, as often as somebody asks."""
    over.done("anna", OUT)
    version = over.table.version
    for _ in range(2):
        assert over.done("anna", OUT).version == version
        assert over.done("anna", ask.TakeNameOut(1, "Mängija")).version == version
        over.restart()
    over.done(HOST, ask.RenameSeat(1, "Aino"))
    over.done("anna", OUT)
    assert "Aino" not in names_in(over)
    over.done("anna", ask.Join("Annika"))
    over.done("anna", ask.RemoveSeat(4))
    over.done("anna", OUT)
    assert "Annika" not in names_in(over)


def test_a_double_tap_does_it_once(over: DirectEvening) -> None:
    over.done("anna", OUT, key="twice")
    version = over.table.version
    again = over.tables.submit(over.id, "anna", OUT, version=None, request_key="twice")
    assert isinstance(again, Table)
    assert again.version == version


def test_a_name_given_instead_of_one_that_is_gone_is_no_notice(evening: DirectEvening) -> None:
    """In the log it has been called so all the time."""
    evening.start()
    evening.done("anna", ask.RenameSeat(SeatId(1), "Annika"))
    evening.done(HOST, ask.Finish())
    evening.done("anna", OUT)
    assert evening.table.handovers_shown.renamed == ()
