"""Finding tables, doing things once, two at once, restarts, offers of seats, and the purge."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import pytest

from companion.games import GAMES
from companion.games.game import Rejection
from companion.storage.sqlite_log import SqliteLog
from companion.tables import commands as ask
from companion.tables import events as on
from companion.tables import reasons
from companion.tables.cache import CachedTable
from companion.tables.keys import Keys
from companion.tables.log import Row, StorageError
from companion.tables.model import Table
from companion.tables.offers import LETTERS, Offer
from companion.tables.service import CODE_LENGTH, PURGES_APART_S, Tables
from tests.kit.limits import limits
from tests.storage.contract import index, rows_of
from tests.storage.memory import MemoryLog
from tests.tables.evening import HOST, SECRET, DirectEvening

YEAR_S = 365 * 86400.0
NOW = 1_795_132_800.0
"""In November 2026: since this program was written."""


# Finding


def test_the_keys_of_a_table(evening: DirectEvening) -> None:
    key, code = evening.tables.join_key(evening.table), evening.tables.code(evening.id)
    assert len(key) == 22
    assert code is not None
    assert len(code) == CODE_LENGTH
    assert set(code) <= set(LETTERS)
    assert evening.tables.by_join_key(key) == evening.table
    assert evening.tables.by_code(f" {code[:3].lower()}-{code[3:]} ") == evening.table
    assert evening.id not in key


@pytest.mark.parametrize("wrong", ["", "x", "ABCDEF", "\ud800", "x" * 10_000, "\0"])
def test_wrong_keys_find_nothing(evening: DirectEvening, wrong: str) -> None:
    assert evening.tables.by_join_key(wrong) is None
    assert evening.tables.by_code(wrong) is None
    assert evening.tables.get(wrong) is None


def test_the_join_key_is_not_stored(tmp_path: Path) -> None:
    evening = DirectEvening(SqliteLog(tmp_path, SECRET))
    evening.open()
    key = evening.tables.join_key(evening.table).encode()
    assert key not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
    evening.log.close()


def test_another_secret_makes_other_keys(evening: DirectEvening) -> None:
    other = Tables(evening.log, GAMES, limits(), secret=b"x" * 32, clock=lambda: 0.0)
    key = other.join_key(evening.table)
    assert key != evening.tables.join_key(evening.table)
    assert other.by_join_key(key) is None


def test_back_to_your_tables(evening: DirectEvening) -> None:
    first = evening.id
    evening.seat("Anna")
    evening.now += 60
    second = evening.open(device="anna").id
    assert evening.tables.hosted_by("anna") == [second]
    assert evening.tables.of("anna") == [second, first]
    assert evening.tables.hosted_by("nobody") == []


def test_more_tables_than_fit_in_memory(evening: DirectEvening) -> None:
    """The house of the tests keeps three."""
    tables = [evening.open() for _ in range(10)]
    assert [evening.tables.get(table.id) for table in tables] == tables
    assert sum(evening.tables.in_memory(table.id) is not None for table in tables) == 3


# Once


def test_what_is_forgotten_and_kept_again_takes_its_room(evening: DirectEvening) -> None:
    cache = evening.tables._ledger.cache
    entry = cache.get(evening.id)
    assert entry is not None
    assert cache._weight == entry.size > 0
    cache.forget(evening.id)
    assert cache._weight == 0
    cache.keep(entry)  # by who has held it meanwhile
    assert cache._weight == entry.size


def test_nobody_can_try_out_what_a_request_said(evening: DirectEvening) -> None:
    """Whoever has the log has the device and the id of each request: of a name or of a Wi-Fi's
    password there are not so many."""
    evening.ask(HOST, ask.SetWifi("Kelder", "31415926"), key="form")
    row = rows_of(evening.log, evening.id)[-1]
    assert row.request == Keys(SECRET).request(HOST, "form")
    assert row.request != sha256(f"{HOST}|form".encode()).hexdigest()
    assert row.request != Keys(b"another").request(HOST, "form")


def test_a_double_tap_does_once(evening: DirectEvening) -> None:
    first = evening.done("anna", ask.Join("Anna"), key="tap")
    assert evening.done("anna", ask.Join("Anna"), key="tap") == first
    evening.restart()
    assert evening.done("anna", ask.Join("Anna"), key="tap") == first


def test_keys_are_each_devices_own(evening: DirectEvening) -> None:
    evening.done("anna", ask.Join("Anna"), key="tap")
    evening.done("berta", ask.Join("Berta"), key="tap")
    assert len(evening.table.seats) == 2


def test_a_refused_request_may_be_sent_again(evening: DirectEvening) -> None:
    evening.seat("Anna", "Berta")
    assert evening.refused(HOST, ask.Start(), key="start") == "not_enough_players"
    evening.seat("Carl")
    evening.done(HOST, ask.Start(), key="start")


def test_an_old_key_answers_with_the_present_table(evening: DirectEvening) -> None:
    evening.done("anna", ask.Join("Anna"), key="tap")
    evening.done("berta", ask.Join("Berta"))
    assert evening.done("anna", ask.Join("Anna"), key="tap") == evening.table


def test_an_old_key_hears_that_what_it_did_was_taken_back(evening: DirectEvening) -> None:
    """A form that is sent again must not be told that it is accepted when it counts no more."""
    evening.seat("Anna", "Bert", "Carl")
    evening.done(HOST, ask.Start())
    evening.look()
    evening.report("anna", key="told")
    evening.done(HOST, ask.TakeBack(), key="back")
    for _ in range(2):
        before = evening.table
        play = ask.Play(None, {"play": "result", "finisher": None, "last": 3})
        answer = evening.ask("anna", play, key="told")
        assert answer == Rejection(reasons.STALE, {"what": on.TakenBack, "by": None})
        assert evening.done(HOST, ask.TakeBack(), key="back") == before == evening.table
        evening.restart()
    evening.report("anna", key="again")
    assert evening.refused("anna", play, key="told") == "stale"
    assert evening.done("anna", play, key="again") == evening.table


def test_a_stale_page_sent_twice_is_answered_twice() -> None:
    evening = DirectEvening()
    evening.start()
    seen = evening.table.version
    report = ask.Play(None, {"play": "result", "finisher": 1})
    done = evening.done("anna", report, version=seen, key="tap")
    assert evening.done("anna", report, version=seen, key="tap") == done


def test_opening_twice_with_one_key_opens_one_table(evening: DirectEvening) -> None:
    first = evening.open(key="open")
    assert evening.open(key="open") == first
    evening.restart()
    assert evening.open(key="open") == first
    assert evening.open(device="other", key="open").id != first.id


# Two at once


@pytest.fixture(params=["memory", "sql"])
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[DirectEvening]:
    log = MemoryLog() if request.param == "memory" else SqliteLog(tmp_path, SECRET)
    yield DirectEvening(log)
    log.close()


def test_of_two_reports_at_once_one_is_told_that_it_was_late(shared: DirectEvening) -> None:
    shared.start(*"ABCDEFGH")
    seen = shared.table.version
    together = threading.Barrier(8)

    def report(device: str) -> Table | Rejection:
        play = ask.Play(None, {"play": "result", "finisher": 1})
        together.wait()
        return shared.tables.submit(shared.id, device, play, version=seen, request_key="tap")

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(report, "abcdefgh"))
    refused = [answer for answer in answers if isinstance(answer, Rejection)]
    assert len(refused) == 7
    assert {answer.reason.code for answer in refused} == {"stale"}
    assert shared.table.version == seen + 1


def test_all_sit_down_at_once(shared: DirectEvening) -> None:
    shared.open()
    together = threading.Barrier(12)

    def join(number: int) -> Table | Rejection:
        together.wait()
        return shared.tables.submit(
            shared.id, f"d{number}", ask.Join(f"P{number}"), version=None, request_key="tap"
        )

    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(join, range(12)))
    refused = [answer.reason.code for answer in answers if isinstance(answer, Rejection)]
    assert refused == ["table_full"] * 2
    assert sorted(seat.id for seat in shared.table.seats) == list(range(1, 11))


def test_two_processes_share_a_log(tmp_path: Path) -> None:
    """Who is behind reads the log again and decides anew."""
    one, two = (
        DirectEvening(SqliteLog(tmp_path, SECRET)),
        DirectEvening(SqliteLog(tmp_path, SECRET), seed=1),
    )
    two.id = one.open().id
    assert two.table == one.table
    for number in range(5):
        one.done("anna", ask.Join(f"A{number}"))
        two.done("berta", ask.Join(f"B{number}"))
    assert len(two.table.seats) == 10
    assert two.refused("x", ask.Join("Eleven")) == "table_full"
    seen = one.table.version
    two.done(HOST, ask.RemoveSeat(1))
    assert one.refused(HOST, ask.Start(), version=seen) == "stale"
    assert one.table == two.table
    two.done(HOST, ask.End())
    assert one.refused("anna", ask.Join("Late")) == "no_table"
    one.log.close()
    two.log.close()


def test_a_restart_in_the_middle_of_a_game(tmp_path: Path) -> None:
    evening = DirectEvening(SqliteLog(tmp_path, SECRET))
    evening.start()
    evening.report("anna", finisher=2)
    before = evening.table
    evening.log.close()
    evening.log = SqliteLog(tmp_path, SECRET)
    evening.restart()
    assert evening.table == before
    evening.done(HOST, ask.TakeBack())
    evening.finish()
    evening.log.close()


# What a broken store does


class Broken:
    """A log whose next append reaches the disk, and nobody is told."""

    def __init__(self, evening: DirectEvening, *, written: bool) -> None:
        self.real = evening.log.append
        self.written = written
        self.evening = evening

    def __call__(self, *args: object) -> bool:
        self.evening.log.append = self.real  # type: ignore[method-assign]
        if self.written:
            self.real(*args)  # type: ignore[arg-type]
        raise StorageError("disk full")


@pytest.mark.parametrize("written", [True, False])
def test_after_an_error_of_the_disk_the_log_decides(evening: DirectEvening, written: bool) -> None:
    evening.log.append = Broken(evening, written=written)  # type: ignore[method-assign]
    with pytest.raises(StorageError):
        evening.ask("anna", ask.Join("Anna"), key="tap")
    assert len(evening.table.seats) == written
    evening.done("anna", ask.Join("Anna"), key="tap")
    assert len(evening.table.seats) == 1


@pytest.mark.parametrize(
    "row",
    [
        Row(1, "Vanished", {}, "r", "d", 1.0),
        Row(1, "SeatTaken", {"seat": 1, "name": "A", "device": "d"}, "r", "d", 1.0),
        Row(1, "Opened", {"game": "saboteur"}, "r", "d", 1.0),
        Row(1, "Opened", {"game": 1, "edition": "", "way": "", "language": ""}, "r", "d", 1.0),
    ],
)
def test_a_log_that_cannot_be_read_is_an_error_of_its_own(evening: DirectEvening, row: Row) -> None:
    evening.log.append("broken", [row], index("broken"))
    with pytest.raises(StorageError, match="cannot be read"):
        evening.tables.get("broken")
    evening.seat("Anna")


# Listeners


def test_listeners_hear_of_every_change_after_it_is_made(evening: DirectEvening) -> None:
    evening.told.clear()
    evening.seat("Anna", "Berta", "Carl")
    evening.refused("x", ask.Join("Anna"))
    table = evening.done(HOST, ask.Start())
    assert [told.version for told in evening.told] == [2, 3, 4, 6]
    assert evening.told[-1] == table


# Offers


def offer(evening: DirectEvening, device: str = "anna", seat: int = 1) -> Offer:
    made = evening.tables.seat_offers.offer(evening.id, device, seat)
    assert isinstance(made, Offer), made
    return made


def take(evening: DirectEvening, device: str, key: str, request: str = "") -> str:
    answer = evening.tables.seat_offers.take(device, ask.TakeSeat(key), request or evening.key())
    return answer.reason.code if isinstance(answer, Rejection) else "taken"


def test_a_seat_moves_to_another_phone(evening: DirectEvening) -> None:
    evening.seat("Anna")
    for wanted in ("key", "code"):
        made = offer(evening, evening.table.seats[0].device or "")
        offered = evening.tables.seat_offers.offered(getattr(made, wanted))
        assert offered is not None
        assert (offered.table_id, offered.what) == (evening.id, 1)
        assert take(evening, f"new {wanted}", getattr(made, wanted).lower()) == (
            "taken" if wanted == "code" else "offer_expired"
        )
        if wanted == "key":
            assert take(evening, "new key", made.key) == "taken"
        assert evening.table.seats[0].device == f"new {wanted}"
        assert evening.tables.seat_offers.offered(made.key) is None
        assert evening.tables.seat_offers.offered(made.code) is None
    assert evening.table.seats[0].moves == 2
    assert evening.table.handovers.moved == (1, 1)
    assert evening.tables.of("anna") == []


def test_an_offer_is_taken_once(evening: DirectEvening) -> None:
    evening.seat("Anna")
    made = offer(evening)
    assert take(evening, "new", made.key, "tap") == "taken"
    version = evening.table.version
    assert take(evening, "new", made.key, "tap") == "taken"
    assert take(evening, "new", made.code) == "taken"
    assert take(evening, "other", made.code) == "offer_expired"
    assert evening.table.version == version


def test_an_offer_is_good_for_minutes(evening: DirectEvening) -> None:
    evening.seat("Anna")
    made = offer(evening)
    evening.now += 299
    assert evening.tables.seat_offers.offered(made.code) is not None
    evening.now += 1
    assert evening.tables.seat_offers.offered(made.code) is None
    assert take(evening, "new", made.code) == "offer_expired"


def test_a_newer_offer_takes_the_place_of_the_older(evening: DirectEvening) -> None:
    evening.seat("Anna")
    older, newer = offer(evening), offer(evening)
    assert take(evening, "new", older.key) == "offer_expired"
    assert take(evening, "new", newer.key) == "taken"


@pytest.mark.parametrize("command", [ask.FreeSeat(1), ask.RemoveSeat(1)])
def test_an_offer_dies_with_the_hold_on_the_seat(
    evening: DirectEvening, command: ask.Command
) -> None:
    evening.seat("Anna")
    made = offer(evening)
    evening.done(HOST, command)
    assert take(evening, "new", made.key) == "offer_expired"


def test_only_the_phone_that_holds_a_seat_offers_it(evening: DirectEvening) -> None:
    evening.seat("Anna")
    for device, seat, reason in (
        ("x", 1, reasons.NOT_SEATED),
        (HOST, 1, reasons.NOT_SEATED),
        ("anna", 2, reasons.UNKNOWN_SEAT),
    ):
        assert evening.tables.seat_offers.offer(evening.id, device, seat) == Rejection(reason)
    assert evening.tables.seat_offers.offer("nowhere", "anna", 1) == Rejection(reasons.NO_TABLE)


def test_the_old_phone_may_take_its_own_offer(evening: DirectEvening) -> None:
    evening.seat("Anna")
    version = evening.table.version
    assert take(evening, "anna", offer(evening).key) == "taken"
    assert evening.table.version == version


def test_an_offer_of_a_table_that_has_ended(evening: DirectEvening) -> None:
    evening.seat("Anna")
    made = offer(evening)
    evening.done(HOST, ask.End())
    assert take(evening, "new", made.key) == "no_table"


def test_forgotten_offers_do_not_fill_the_memory(evening: DirectEvening) -> None:
    evening.seat("Anna", "Berta")
    offer(evening)
    evening.now += 1000
    offer(evening, "berta", 2)
    assert len(evening.tables.seat_offers._offers._by_hash) == 2


def test_an_offer_lasts_its_time_whatever_the_clock_does(evening: DirectEvening) -> None:
    passed = 0.0
    tables = Tables(
        evening.log,
        GAMES,
        limits(offer_s=300),
        secret=SECRET,
        clock=lambda: evening.now,
        timer=lambda: passed,
    )
    evening.seat("Anna")
    offered = tables.seat_offers.offer(evening.id, evening.table.seats[0].device, 1)
    assert isinstance(offered, Offer)
    for jump in (-10 * YEAR_S, 20 * YEAR_S):
        evening.now += jump
        assert tables.seat_offers.offered(offered.key) is not None
    passed = 301.0
    assert tables.seat_offers.offered(offered.key) is None


# The purge


def test_tables_that_nobody_uses_are_deleted(evening: DirectEvening) -> None:
    old = evening.id
    evening.now += 1000
    kept = evening.open().id
    assert evening.tables.purge(999) == []  # what is found unused once may be the clock's fault
    evening.now += PURGES_APART_S
    assert evening.tables.purge(1000) == []
    evening.now += PURGES_APART_S
    assert evening.tables.purge(1000 + PURGES_APART_S - 1, {old}) == []
    evening.now += PURGES_APART_S
    assert evening.tables.purge(1000 + 2 * PURGES_APART_S - 1) == [old]
    assert evening.tables.get(old) is None
    assert evening.tables.get(kept) is not None
    evening.id = old
    assert evening.refused(HOST, ask.Join("Late")) == "no_table"


def test_using_a_table_keeps_it(evening: DirectEvening) -> None:
    evening.tables.purge(500)
    evening.now += PURGES_APART_S
    evening.seat("Anna")
    assert evening.tables.purge(500) == []
    evening.now += PURGES_APART_S
    assert evening.tables.purge(PURGES_APART_S + 500) == []


def test_a_table_used_under_a_clock_of_the_future_goes_in_the_end(evening: DirectEvening) -> None:
    evening.now = NOW + 10 * YEAR_S
    evening.seat("Anna")
    evening.now = NOW
    for _ in range(3):
        assert evening.tables.purge(1000) == []
        evening.seat(f"Guest {evening.now}")  # as long as somebody uses it
        evening.now += PURGES_APART_S
    gone = []
    for _ in range(4):
        gone += evening.tables.purge(1000)
        evening.now += PURGES_APART_S
    assert gone == [evening.id]


@pytest.mark.parametrize("begins", [0.0, NOW - 2.9 * YEAR_S], ids=["epoch", "of the laptop"])
def test_a_clock_of_the_past_makes_no_table_old(evening: DirectEvening, begins: float) -> None:
    """A laptop whose clock begins anew at each start, used so on several days."""
    now = evening.now = NOW
    evening.seat("Anna")
    evening.tables.purge(1000)
    for evening.now in (begins + 86400.0 * day for day in range(1, 9)):
        assert evening.tables.purge(1000) == []
    for evening.now in (now + 100, now + 200):
        assert evening.tables.purge(10 * PURGES_APART_S) == []
    evening.now = now + 3 * PURGES_APART_S
    assert evening.tables.purge(10 * PURGES_APART_S) == []


def test_an_evening_under_a_clock_of_the_past_is_none_of_long_ago(evening: DirectEvening) -> None:
    """An empty battery, and no network that tells the time."""
    evening.tables.purge(30 * PURGES_APART_S)
    evening.now = NOW - 12 * YEAR_S
    table = evening.open()
    assert evening.tables.purge(30 * PURGES_APART_S) == []
    gone = {}
    for day in range(1, 40):
        evening.now = NOW + day * PURGES_APART_S
        gone |= dict.fromkeys(evening.tables.purge(30 * PURGES_APART_S), day)
    assert gone[table.id] >= 30


def test_a_clock_that_jumps_forward_for_an_evening_deletes_nothing(evening: DirectEvening) -> None:
    evening.tables.purge(1000)
    evening.now += 10 * YEAR_S
    for _ in range(3):  # every six hours, and after every start
        assert evening.tables.purge(1000 + PURGES_APART_S) == []
        evening.now += 6 * 3600
    evening.seat("Anna")
    evening.now -= 10 * YEAR_S
    for _ in range(3):
        assert evening.tables.purge(1000 + PURGES_APART_S) == []
        evening.now += 6 * 3600
    assert evening.tables.get(evening.id) is not None


def test_a_clock_that_was_wrong_when_the_table_was_opened(evening: DirectEvening) -> None:
    """Set right in the middle of the evening: who plays is spared however old the table seems."""
    evening.tables.purge(1000)
    evening.now += 20 * YEAR_S
    assert evening.tables.purge(1000) == []
    evening.now += PURGES_APART_S
    assert evening.tables.purge(1000, {evening.id}) == []
    assert evening.tables.get(evening.id) is not None


def test_a_clock_that_jumps_back_changes_no_game(evening: DirectEvening) -> None:
    used = evening.table.activity.used_at
    evening.now -= 10 * YEAR_S
    evening.seat("Anna")
    assert evening.table.activity.used_at == used
    evening.restart()
    assert [seat.name for seat in evening.table.seats] == ["Anna"]


def test_no_free_code_is_an_error(evening: DirectEvening, monkeypatch: pytest.MonkeyPatch) -> None:
    code = evening.tables.code(evening.id)
    monkeypatch.setattr("companion.tables.ledger.short_code", lambda length: code)
    with pytest.raises(StorageError, match="short code"):
        evening.open()
    assert SECRET not in (code or "").encode()


def test_what_was_offered_at_a_table_that_has_ended_leads_nowhere(evening: DirectEvening) -> None:
    evening.seat("Anna")
    table = evening.table
    offers = [
        evening.tables.seat_offers.offer_screen(table.id, HOST),
        evening.tables.seat_offers.offer(table.id, "anna", table.seats[0].id),
    ]
    codes = [offer.code for offer in offers if isinstance(offer, Offer)]
    assert all(evening.tables.seat_offers.offered(code) for code in codes)
    assert evening.done(HOST, ask.End()).ended
    assert [evening.tables.seat_offers.offered(code) for code in codes] == [None, None]


def test_of_those_who_ask_for_a_table_one_at_a_time_reads_its_log(
    evening: DirectEvening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the first one cannot read it: then one of those who wait does, and all others wait
    for that one."""
    ledger = evening.tables._ledger
    ledger.cache.forget(evening.id)
    read, reading, most, reads = ledger._read, 0, 0, 0
    asked = [threading.Event() for _ in range(4)]

    def slowly(table_id: str) -> CachedTable | None:
        nonlocal reading, most, reads
        reading, reads = reading + 1, reads + 1
        most = max(most, reading)
        asked[reads].set()  # one more comes now
        time.sleep(0.2)
        reading -= 1
        if reads == 1:
            raise StorageError("not now")
        return read(table_id)

    def ask_at(number: int) -> CachedTable | None:
        asked[number].wait(5)
        with suppress(StorageError):
            return ledger.get(evening.id)
        return None

    monkeypatch.setattr(ledger, "_read", slowly)
    with ThreadPoolExecutor(4) as pool:
        found = [pool.submit(ask_at, number) for number in (0, 1, 1, 2)]
        asked[0].set()
    assert sum(each.result() is not None for each in found) == 3
    assert (most, reads) == (1, 2)
