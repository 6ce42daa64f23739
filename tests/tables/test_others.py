"""Two processes at one log: who is behind, what they share, who was first."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from msgspec.structs import replace

from companion.games import GAMES
from companion.games.game import Rejection
from companion.record.fair import drawn, seal
from companion.storage.postgres import PostgresLog
from companion.tables import commands as ask
from companion.tables import seals
from companion.tables.evolve import fold
from companion.tables.keys import Keys
from companion.tables.ledger import logged
from companion.tables.log import DamagedError, StandingTable, StorageError
from companion.tables.model import Table
from companion.tables.next_table import go_on
from companion.tables.offers import Offer
from companion.tables.pacing import rest
from companion.tables.service import Tables
from companion.tables.waiting_deals import place_of_shares
from tests.kit.limits import limits
from tests.storage.contract import rows_of
from tests.storage.memory import MemoryLog
from tests.tables.evening import HOST, SECRET

SHARES = {"anna": "a" * 32, "berta": "b" * 32, "carl": "c" * 32}


class Process:
    """What one process has of the tables."""

    def __init__(self, log: Any, deal_wait_s: float = 60.0) -> None:
        self.log = log
        self.now = 1_700_000_000.0
        self.news: list[Table] = []
        self.breathe: Callable[[], None] = rest
        self.tables = Tables(
            log,
            GAMES,
            limits(deal_wait_s=deal_wait_s),
            secret=SECRET,
            clock=lambda: self.now,
            timer=lambda: 0.0,
            draw=drawn,
            shared=log,
            breathe=lambda: self.breathe(),
        )
        self.tables.on_news.append(self.news.append)

    def open(self, key: str = "open") -> str:
        table = self.tables.open(HOST, ask.Open("saboteur", "lv-2009", "roles", "lv"), key)
        assert isinstance(table, Table)
        return table.id

    def ask(
        self,
        table_id: str,
        device: str,
        command: ask.Command,
        key: str | None = None,
        version: int | None = None,
    ) -> Table | Rejection:
        key = key or f"{device} {command}"
        return self.tables.submit(table_id, device, command, version=version, request_key=key)

    def done(self, table_id: str, device: str, command: ask.Command, **more: Any) -> Table:
        answer = self.ask(table_id, device, command, **more)
        assert isinstance(answer, Table), answer
        return answer

    def seal(self, table_id: str, device: str, share: str | None = None) -> list[str]:
        table = self.tables.fresh(table_id)
        assert table is not None
        share = share or SHARES[device]
        sealed = {one: seal(one, share) for one in self.tables.fair_deals.to_come(table)}
        return self.tables.keep_seals(table_id, device, sealed)

    def open_number(self, table_id: str, device: str) -> list[str]:
        table = self.tables.fresh(table_id)
        assert table is not None
        fixed = [one for one, _ in self.tables.fair_deals.to_open(table).values()]
        return self.tables.open_shares(table_id, dict.fromkeys(fixed, SHARES[device]))


@pytest.fixture(params=["memory", "postgres"])
def two(request: pytest.FixtureRequest) -> Iterator[tuple[Process, Process]]:
    """Each with a connection of its own; nobody tells either what the other does."""
    if request.param == "memory":
        log = MemoryLog()
        yield Process(log), Process(log)
        return
    url = request.getfixturevalue("postgres").fresh()
    logs = PostgresLog(url, SECRET), PostgresLog(url, SECRET)
    yield Process(logs[0]), Process(logs[1])
    for each in logs:
        each.close()


Two = tuple[Process, Process]


def seated(two: Two) -> str:
    """Anna by the first process, Berta and Carl by the second."""
    one, other = two
    table_id = one.open()
    for process, name in ((one, "Anna"), (other, "Berta"), (other, "Carl")):
        process.done(table_id, name.lower(), ask.Join(name))
    return table_id


def dealt(two: Two, table_id: str, command: ask.Command, key: str) -> Table:
    """All have looked at their roles."""
    table = two[0].done(table_id, HOST, command, key=key)
    for seat in table.in_play:
        look = ask.Look(seat.id)
        table = two[1].done(table_id, seat.device or HOST, look, key=f"{key} {seat.id}")
    return table


def test_what_one_accepts_the_other_shows(two: Two) -> None:
    one, other = two
    table_id = seated(two)
    table = one.tables.fresh(table_id)
    assert table is not None
    assert [seat.name for seat in table.seats] == ["Anna", "Berta", "Carl"]
    assert table == other.tables.fresh(table_id)
    rows = rows_of(one.log, table_id)
    assert table == fold(table_id, None, [logged(row) for row in rows], GAMES)


def test_a_refusal_counts_only_on_the_newest_state(two: Two) -> None:
    one, other = two
    table_id = seated(two)
    one.tables.fresh(table_id)
    other.done(table_id, HOST, ask.RemoveSeat(1))
    assert isinstance(one.done(table_id, "dora", ask.Join("Anna")), Table)
    other.done(table_id, HOST, ask.RemoveSeat(2))
    assert isinstance(one.ask(table_id, HOST, ask.RemoveSeat(2), "again"), Rejection)


def test_a_page_of_a_newer_version_than_the_process_knows(two: Two) -> None:
    one = two[0]
    table_id = seated(two)
    seen = dealt(two, table_id, ask.Start(), "start")
    assert one.tables.get(table_id) != seen
    report = ask.Play(None, {"play": "result", "finisher": 1})
    assert one.done(table_id, "anna", report, version=seen.version).version == seen.version + 1


def test_a_request_that_comes_to_both_is_done_once(two: Two) -> None:
    one, other = two
    table_id = seated(two)
    one.done(table_id, "dora", ask.Join("Dora"), key="tap")
    again = other.done(table_id, "dora", ask.Join("Dora"), key="tap")
    assert len(again.seats) == 4
    assert other.tables.was_accepted(table_id, "dora", "tap")


def test_a_double_tap_on_both_opens_one_table(two: Two) -> None:
    together = threading.Barrier(8)

    def tap(number: int) -> str:
        together.wait()
        return two[number % 2].open("tap")

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(tap, range(8)))) == 1


def test_of_many_reports_of_one_version_one_is_accepted(two: Two) -> None:
    table_id = seated(two)
    dealt(two, table_id, ask.Start(), "start")
    for round_ in range(3):
        versions = [process.tables.fresh(table_id) for process in two]
        assert versions[0] is not None
        assert versions[0] == versions[1]
        seen, together = versions[0].version, threading.Barrier(6)

        def report(number: int) -> Table | Rejection:
            together.wait()  # noqa: B023
            device = ("anna", "berta", "carl")[number % 3]
            play = ask.Play(None, {"play": "result", "finisher": number % 3 + 1})
            return two[number % 2].ask(table_id, device, play, f"{round_} {number}", seen)  # noqa: B023

        with ThreadPoolExecutor(6) as pool:
            answers = list(pool.map(report, range(6)))
        refused = [each.reason.code for each in answers if isinstance(each, Rejection)]
        assert refused == ["stale"] * 5
        if round_ < 2:
            dealt(two, table_id, ask.Deal(), f"deal {round_}")


# What waits, follows and is told


def test_who_hears_of_a_newer_version_reads_it_and_tells(two: Two) -> None:
    one, other = two
    table_id = seated(two)
    other.tables.fresh(table_id)
    one.tables.fresh(table_id)
    one.news.clear()
    table = other.done(table_id, "dora", ask.Join("Dora"))
    for version in (table.version, 1, table.version, table.version - 1):  # doubled, reordered
        one.tables.heard(table_id, version)
    assert one.news == [table] == [one.tables.get(table_id)]


def test_who_has_heard_nothing_finds_it_by_looking(two: Two) -> None:
    one, other = two
    table_id, still = seated(two), one.open("another")
    one.tables.fresh(table_id)
    one.news.clear()
    one.tables.look_for_news([table_id, still])
    assert one.news == []
    table = other.done(table_id, "dora", ask.Join("Dora"))
    one.tables.look_for_news([table_id, still])
    assert one.news == [table]


def test_who_asks_finds_the_news_and_tells_those_that_follow(two: Two) -> None:
    one, other = two
    table_id = seated(two)
    one.tables.fresh(table_id)
    one.news.clear()
    table = other.done(table_id, "dora", ask.Join("Dora"))
    assert one.tables.get(table_id) != table
    assert one.tables.fresh(table_id) == table
    assert one.news == [table]


def test_who_waits_for_a_reading_that_began_before_sees_what_was_accepted_since(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that has just begun reads a table, slowly; meanwhile a phone is told elsewhere that
    its play is accepted, and asks here."""
    one, other = two
    table_id = other.open()
    read, waits = one.log.read, threading.Event()
    one.breathe = waits.set  # who comes upon a reading lets others in
    asked: list[Future[Table | None]] = []

    def slowly(*what: Any, **more: Any) -> Any:
        if not asked:
            other.done(table_id, "anna", ask.Join("Anna"))
            asked.append(pool.submit(one.tables.fresh, table_id))
            assert waits.wait(10)
        return read(*what, **more)

    monkeypatch.setattr(one.log, "read", slowly)
    with ThreadPoolExecutor() as pool:
        one.tables.get(table_id)
        assert asked[0].result(10) == other.tables.fresh(table_id)


@pytest.mark.parametrize("how", ["told", "looked", "asked", "reported"])
def test_a_table_that_another_ended_is_gone(two: Two, how: str) -> None:
    one, other = two
    table_id = seated(two)
    one.tables.fresh(table_id)
    other.done(table_id, HOST, ask.End())
    ways: dict[str, Callable[[], object]] = {
        "told": lambda: one.tables.heard(table_id, None),
        "looked": lambda: one.tables.look_for_news([table_id]),
        "asked": lambda: one.tables.fresh(table_id),
        "reported": lambda: one.ask(table_id, "dora", ask.Join("Dora")),
    }
    ways[how]()
    assert one.news[-1].ended
    assert one.tables.get(table_id) is None


def test_who_hosts_no_more_ends_no_table(two: Two) -> None:
    one, other = two
    table_id = seated(two)
    one.tables.fresh(table_id)

    class Busy:
        """Somebody else takes over while the host waits."""

        def __enter__(self) -> None:
            other.done(table_id, "berta", ask.TakeHosting(500.0, HOST))

        def __exit__(self, *_: object) -> None:
            pass

    one.tables._ledger.cache.peek(table_id).lock = Busy()
    answer = one.ask(table_id, HOST, ask.End())
    assert isinstance(answer, Rejection)
    assert answer.reason.code == "not_host"
    assert other.tables.fresh(table_id) is not None


def test_who_hosts_no_more_when_the_table_would_go_ends_none(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hosting goes to another phone while the end is on its way to the log."""
    one, other = two
    table_id = seated(two)
    one.tables.fresh(table_id)
    delete = one.log.delete

    def late(*what: Any) -> bool:
        monkeypatch.undo()
        other.done(table_id, "berta", ask.TakeHosting(500.0, HOST))
        return bool(delete(*what))

    monkeypatch.setattr(one.log, "delete", late)
    answer = one.ask(table_id, HOST, ask.End())
    assert isinstance(answer, Rejection)
    assert answer.reason.code == "not_host"
    assert other.tables.fresh(table_id) is not None


# Deals


def test_numbers_are_sealed_and_opened_at_either(two: Two) -> None:
    one, other = two
    table_id = seated(two)
    assert len(one.seal(table_id, "anna")) == len(other.seal(table_id, "berta")) == 4
    with ThreadPoolExecutor() as pool:
        start = pool.submit(one.done, table_id, HOST, ask.Start())
        while not (table := other.tables.fresh(table_id)) or table.deals.sealed is None:
            assert not start.done()
        assert [bool(each) for each in table.deals.sealed.seals[0]] == [True, True, False]
        assert len(other.open_number(table_id, "anna")) == 2
        assert len(one.open_number(table_id, "berta")) == 2
        table = start.result(10)
    assert table.deals.shares == ((SHARES["anna"], SHARES["berta"], None),) * 2


def test_who_waits_for_a_deal_hears_that_another_has_dealt(two: Two) -> None:
    one, other = two
    table_id = seated(two)
    one.seal(table_id, "anna")
    with ThreadPoolExecutor() as pool:
        start = pool.submit(one.done, table_id, HOST, ask.Start())
        while not (table := other.tables.fresh(table_id)) or table.deals.sealed is None:
            assert not start.done()
        other.open_number(table_id, "anna")
        table = other.tables.fresh(table_id)
        assert table is not None
        one.tables.heard(table_id, table.version)
        assert start.result(10) == table


def test_a_seal_that_counts_is_on_the_list(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it comes while another process is fixing the list: this decides anew."""
    one, other = two
    table_id = seated(two)
    one.seal(table_id, "anna")
    append, counted = one.log.append, []

    def late(*what: Any) -> bool:
        if not counted:
            counted.extend(other.seal(table_id, "berta"))
        return bool(append(*what))

    with ThreadPoolExecutor() as pool, monkeypatch.context() as patched:
        patched.setattr(one.log, "append", late)
        start = pool.submit(one.done, table_id, HOST, ask.Start())
        while not (table := other.tables.fresh(table_id)) or table.deals.sealed is None:
            assert not start.done(), start.result()
        assert len(counted) == 4
        assert [bool(each) for each in table.deals.sealed.seals[0]] == [True, True, False]
        one.open_number(table_id, "anna")
        other.open_number(table_id, "berta")
        one.tables.look_for_news([table_id])
        start.result(10)


def test_a_deal_begins_however_many_seals_come_meanwhile(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One after the other, each between the decision and its being written down."""
    one, other = two
    table_id = seated(two)
    to_come = other.tables.fair_deals.to_come(other.tables.fresh(table_id))  # type: ignore[arg-type]
    dealt_now = [one for one, (_, round_) in to_come.items() if round_ < 2]
    coming = [(device, each) for device in SHARES for each in dealt_now]
    append = one.log.append

    def late(*what: Any) -> bool:
        if coming:
            device, each = coming.pop()
            sealed = {each: seal(each, SHARES[device])}
            assert other.tables.keep_seals(table_id, device, sealed) == [each]
        return bool(append(*what))

    with ThreadPoolExecutor() as pool:
        monkeypatch.setattr(one.log, "append", late)
        start = pool.submit(one.done, table_id, HOST, ask.Start())
        while not (table := other.tables.fresh(table_id)) or table.deals.sealed is None:
            assert not start.done(), start.result()
        assert all(all(each) for each in table.deals.sealed.seals)
        for device in SHARES:
            other.open_number(table_id, device)
        one.tables.look_for_news([table_id])
        start.result(10)


def test_a_seal_that_is_too_late_does_not_count(two: Two) -> None:
    one, other = two
    table_id = seated(two)
    other.tables.fresh(table_id)
    to_come = other.tables.fair_deals.to_come(other.tables.get(table_id))  # type: ignore[arg-type]
    one.done(table_id, HOST, ask.Start())
    sealed = {commitment: seal(commitment, SHARES["berta"]) for commitment in to_come}
    counted = other.tables.keep_seals(table_id, "berta", sealed)
    assert counted == list(to_come)[2:]


def test_a_phone_seals_once(two: Two) -> None:
    one, other = two
    table_id = seated(two)
    assert one.seal(table_id, "anna")
    assert other.seal(table_id, "anna")
    to_come = other.tables.fair_deals.to_come(other.tables.get(table_id))  # type: ignore[arg-type]
    others = {commitment: seal(commitment, "f" * 32) for commitment in to_come}
    assert other.tables.keep_seals(table_id, "anna", others) == []


def test_seals_of_phones_that_have_left_keep_no_other_from_counting(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seat can go from phone to phone without end."""
    monkeypatch.setattr(seals, "DEVICES_MAX", 9)
    one, other = two
    table_id = seated(two)
    assert one.seal(table_id, "anna")
    for number in range(20):
        seat = one.done(table_id, f"d{number}", ask.Join("Guest")).seats[-1].id
        assert len(one.seal(table_id, f"d{number}", "d" * 32)) == 4
        one.done(table_id, f"d{number}", ask.RemoveSeat(seat))
    assert len(other.seal(table_id, "berta")) == 4
    noted = one.log.notes(table_id)
    assert [len(noted[f"1.{round_}"]) <= 9 for round_ in range(4)] == [True] * 4
    assert all(noted[f"1.{round_}"].keys() >= {"anna", "berta"} for round_ in range(4))


def test_a_number_counts_where_others_find_it_too(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever process then deals."""
    one, other = two
    table_id = seated(two)
    one.seal(table_id, "anna")
    with ThreadPoolExecutor() as pool:
        start = pool.submit(one.done, table_id, HOST, ask.Start())
        while not (table := other.tables.fresh(table_id)) or table.deals.sealed is None:
            assert not start.done(), start.result()
        with monkeypatch.context() as patched:
            patched.setattr(other.log, "note", lambda *what: {place_of_shares(table): {}})
            assert other.open_number(table_id, "anna") == []
        table = other.tables.fresh(table_id)
        assert table is not None
        assert table.deals.sealed is not None
        assert len(other.open_number(table_id, "anna")) == 2
        one.tables.look_for_news([table_id])
        assert start.result(10).deals.shares == ((SHARES["anna"], None, None),) * 2


# Offers


def test_a_seat_offered_at_one_is_taken_at_the_other(two: Two) -> None:
    one, other = two
    table_id = seated(two)
    offer = one.tables.seat_offers.offer(table_id, "anna", 1)
    assert isinstance(offer, Offer)
    found = other.tables.seat_offers.offered(offer.code.lower())
    assert found is not None
    assert (found.table_id, found.what, found.device) == (table_id, 1, "anna")
    for _ in range(2):
        taken = other.tables.seat_offers.take("new", ask.TakeSeat(offer.key), "tap")
        assert isinstance(taken, Table)
    late = one.tables.seat_offers.take("late", ask.TakeSeat(offer.code), "tap")
    assert isinstance(late, Rejection)
    assert one.tables.seat_offers.offered(offer.key) is None


def test_an_offer_ends(two: Two) -> None:
    one, other = two
    table_id = seated(two)
    offer = one.tables.seat_offers.offer(table_id, "anna", 1)
    assert isinstance(offer, Offer)
    other.now += 300
    assert other.tables.seat_offers.offered(offer.key) is None


def test_with_a_renewed_link_all_offers_end(two: Two) -> None:
    one, other = two
    table_id = seated(two)
    offers = [one.tables.seat_offers.offer(table_id, "anna", 1)]
    offers.append(other.tables.seat_offers.offer_screen(table_id, "berta"))
    told: list[Table] = []
    other.tables.on_change.append(told.append)
    renewed = other.done(table_id, HOST, ask.RenewLink(), key="renew")
    assert told == [renewed]
    for offer, process in itertools.product(offers, two):
        assert isinstance(offer, Offer)
        assert process.tables.seat_offers.offered(offer.key) is None


# A café's tables


def test_a_standing_table_is_as_free_at_one_as_at_the_other(two: Two) -> None:
    one, other = two
    table_id = seated(two)
    standing = one.tables.standing_codes.make(3)
    assert other.tables.standing_codes.make(3) == standing
    assert one.log.move_standing(3, None, table_id)
    standing = other.tables.standing_codes.make(3)
    evening = other.tables.standing.evening_at(standing)
    assert evening is not None
    assert evening.id == table_id
    one.done(table_id, HOST, ask.End())
    assert other.tables.standing.evening_at(standing) is None


# Names


def test_who_hears_that_a_name_was_taken_out_has_it_no_more(two: Two) -> None:
    """The events that gave it were written anew."""
    one, other = two
    table_id = seated(two)
    one.tables.fresh(table_id)
    table = other.done(table_id, "anna", ask.TakeNameOut(1, "Player"))
    one.tables.heard(table_id, table.version)
    now = one.tables.get(table_id)
    assert now == table
    assert "Anna" not in repr(now)
    rows = rows_of(one.log, table_id)
    assert now == fold(table_id, None, [logged(row) for row in rows], GAMES)


# The database is away


def test_who_follows_sees_what_was_known_and_nothing_is_shown_anew_or_decided(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = two
    table_id = seated(two)
    table = one.tables.fresh(table_id)
    assert table is not None

    def away(*_: Any, **__: Any) -> Any:
        raise StorageError("away")

    for name in ("head", "read", "append"):
        monkeypatch.setattr(one.log, name, away)
    assert one.tables.get(table_id) == table
    with pytest.raises(StorageError):
        one.tables.fresh(table_id)
    for command in (ask.Join("Dora"), ask.Join("Anna")):
        with pytest.raises(StorageError):
            one.ask(table_id, "dora", command)


def test_races_lose_and_double_nothing(two: Two) -> None:
    """Twelve phones sit down and leave again and again, at whichever process."""
    table_id = two[0].open()
    accepted: list[str] = []

    def sits(number: int) -> None:
        device = f"d{number}"
        for turn in range(6):
            process = two[(number + turn) % 2]
            key = f"{device} {turn}"
            answer = process.ask(table_id, device, ask.Join(f"P{number}-{turn}"), key)
            if isinstance(answer, Table):
                accepted.append(Keys(SECRET).request(device, key))
            again = two[turn % 2].ask(table_id, device, ask.Join(f"P{number}-{turn}"), key)
            assert isinstance(again, Table) or not isinstance(answer, Table)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(sits, range(6)))
    rows = rows_of(two[0].log, table_id)
    assert [row.version for row in rows] == list(range(1, len(rows) + 1))
    written = [row.request for row in rows if row.request]
    assert len(set(written)) == len(written)
    assert set(accepted) <= set(written)
    assert two[0].tables.fresh(table_id) == two[1].tables.fresh(table_id)


def test_two_that_make_a_standing_table_at_once_make_one(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    add = one.log.add_standing
    made: list[StandingTable] = []

    def late(standing: StandingTable) -> bool:
        monkeypatch.setattr(one.log, "add_standing", add)
        made.append(other.tables.standing_codes.make(3))
        return add(standing)

    monkeypatch.setattr(one.log, "add_standing", late)
    assert [one.tables.standing_codes.make(3)] == made


def test_what_was_accepted_is_forgotten_with_a_name_that_was_taken_out_elsewhere(two: Two) -> None:
    one, other = two
    table_id = one.open()
    one.done(table_id, "anna", ask.Join("Anna"), key="join")
    other.done(table_id, "anna", ask.TakeNameOut(1, "Player"))
    again = one.done(table_id, "anna", ask.Join("Anna"), key="join")  # as if it came first
    assert [seat.name for seat in again.seats] == ["Player 1", "Anna"]


def test_what_was_accepted_at_a_table_that_has_ended_elsewhere(two: Two) -> None:
    one, other = two
    table_id = one.open()
    one.done(table_id, "anna", ask.Join("Anna"), key="join")
    other.done(table_id, HOST, ask.End())
    answer = one.ask(table_id, "anna", ask.Join("Anna"), key="join")
    assert isinstance(answer, Rejection)
    assert answer.reason.code == "no_table"


# What one of them cannot read


def unreadable(process: Process, table_id: str, patched: pytest.MonkeyPatch) -> None:
    read = process.log.read

    def reading(asked: str, **more: Any) -> Any:
        if asked == table_id:
            raise DamagedError("events are missing")
        return read(asked, **more)

    patched.setattr(process.log, "read", reading)


def test_a_table_that_cannot_be_read_keeps_no_news_from_others(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    damaged, sound = one.open("damaged"), one.open("sound")
    for table_id in (damaged, sound):
        other.done(table_id, "dora", ask.Join("Dora"))
    unreadable(one, damaged, monkeypatch)
    one.news.clear()
    one.tables.look_for_news([damaged, sound])
    assert [table.id for table in one.news] == [sound]


def test_a_state_that_is_known_to_be_old_is_shown_no_more(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newer version of the program has written what this one does not know."""
    one, other = two
    table_id = one.open()
    other.done(table_id, "dora", ask.Join("Dora"))
    read = one.log.read
    newer = lambda *at, **more: [replace(row, kind="Newer") for row in read(*at, **more)]  # noqa: E731
    monkeypatch.setattr(one.log, "read", newer)
    one.tables.look_for_news([table_id])
    with pytest.raises(DamagedError):
        one.tables.get(table_id)


def test_where_an_evening_cannot_be_read_a_standing_table_is_free(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    table_id = other.open()
    standing = one.tables.standing_codes.make(3)
    assert one.log.move_standing(3, None, table_id)
    unreadable(one, table_id, monkeypatch)
    assert one.tables.standing.evening_at(replace(standing, table_id=table_id)) is None


def test_the_form_of_an_evening_that_is_over_opens_another(two: Two) -> None:
    """A browser has kept it, and sends it once more when the table has long been free again."""
    tents, codes = two[0].tables.standing, two[0].tables.standing_codes
    command = ask.Open("saboteur", "lv-2009", "roles", "lv")
    tent = codes.make(3)
    first, twice = (tents.open(tent, HOST, command, "key") for _ in range(2))
    assert isinstance(first, Table)
    assert isinstance(twice, Table)
    assert twice.id == first.id
    two[0].now += 86400
    again = tents.open(codes.make(3), HOST, command, "key")
    assert isinstance(again, Table)
    assert again.id != first.id
    evening = tents.evening_at(codes.make(3))
    assert evening is not None
    assert evening.id == again.id


# A deal that is not to be overlooked, nor hurried


def test_a_seal_that_takes_the_place_of_older_ones_counts(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many numbers are noted after it as before, and others: the list is made again."""
    one, other = two = Process(two[0].log, deal_wait_s=0.0), Process(two[1].log, deal_wait_s=0.0)
    table_id = seated(two)
    one.seal(table_id, "anna")
    one.done(table_id, HOST, ask.Start())
    one.done(table_id, HOST, ask.BeginWithout())
    one.done(table_id, HOST, ask.Play(None, {"play": "result", "finisher": 1}))
    notes, counted = one.log.notes, []

    def late(asked: str) -> Any:
        found = notes(asked)
        if not counted:
            counted.extend(other.seal(table_id, "berta"))
        return found

    monkeypatch.setattr(one.log, "notes", late)
    table = one.done(table_id, HOST, ask.Deal())
    assert counted
    assert table.deals.seals[2][1] is not None


def test_who_looks_hurries_no_deal(two: Two) -> None:
    """What was due when somebody looked has been done, and the next deal has begun."""
    one, _ = two
    table_id = seated(two)
    for device in SHARES:
        one.seal(table_id, device)
    with ThreadPoolExecutor() as pool:
        start = pool.submit(one.done, table_id, HOST, ask.Start())
        while (
            entry := one.tables._ledger.get(table_id)
        ) is None or entry.table.deals.sealed is None:
            assert not start.done(), start.result()
        assert one.tables._due.carry_out(entry) is entry
        assert entry.table.deals.sealed is not None
        for device in SHARES:
            one.open_number(table_id, device)
        assert all(all(shares) for shares in start.result(10).deals.shares)


# Another table


def gone_on(process: Process) -> tuple[str, str]:
    """A table, and the one to which its three players have gone on."""
    first = process.open()
    for device in ("anna", "berta", "carl"):
        process.done(first, device, ask.Join(device.title()))
    trains = ask.Open("trains", "et-2015", "referee", "lv")
    before = process.tables.get(first)
    assert before is not None
    opened = go_on(
        process.tables,
        before,
        HOST,
        "trains",
        "on",
        lambda: process.tables.open(HOST, trains, "on"),
    )
    assert isinstance(opened, Table)
    return first, opened.id


def test_a_table_that_is_gone_though_the_connection_was_cut_has_ended() -> None:
    """The log says that nothing was deleted, since its first try was carried out."""
    log = MemoryLog()
    process = Process(log)
    first, second = gone_on(process)
    delete = log.delete

    def cut(*what: Any) -> bool:
        delete(*what)
        return False

    log.delete = cut  # type: ignore[method-assign]
    ended = process.ask(second, HOST, ask.End())
    assert isinstance(ended, Table)
    assert ended.ended
    before = process.tables.fresh(first)
    assert before is not None
    assert before.next_table is None


def test_a_host_whose_table_others_come_back_to_has_done_nothing() -> None:
    """Else it would count as there, and nobody could take its part."""
    process = Process(MemoryLog())
    first, second = gone_on(process)
    there = process.tables.get(second)
    assert there is not None
    process.done(second, HOST, ask.PassHosting(there.seats[1].id))
    assert isinstance(process.ask(second, "berta", ask.End()), Table)
    back = process.tables.fresh(first)
    assert back is not None
    assert back.next_table is None
    assert back.activity.last_by == HOST
    assert back.activity.seen_by is None


def test_a_past_host_takes_no_tent_from_those_who_play() -> None:
    process = Process(MemoryLog())
    tables = process.tables
    tables.standing_codes.make(1)
    first, second = gone_on(process)
    process.log.move_standing(1, None, second)
    there = tables.get(second)
    assert there is not None
    process.done(second, HOST, ask.PassHosting(there.seats[0].id))
    process.done(second, "anna", ask.Start())
    process.done(first, HOST, ask.Start())
    one = tables.standing_codes.find(1)
    assert one is not None
    assert one.table_id == second
