"""What takes long is made once, in slices, and is bounded: one phone must not hold everybody up."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from sys import getsizeof
from types import SimpleNamespace
from typing import Any, cast

import pytest
from flask import Flask
from jinja2 import DictLoader, Environment
from werkzeug.test import TestResponse

from companion.games import GAMES
from companion.games.game import Rejection
from companion.tables import commands as ask
from companion.tables import pacing
from companion.tables.evolve_play import UNDO_STEPS_MAX
from companion.tables.log import StorageError
from companion.tables.quota import EVENT_BYTES, MOVES_EACH
from companion.tables.reasons import HOST_USED_UP, TABLE_USED_UP
from companion.tables.service import Tables
from companion.web.html.bounded_cache import BoundedCache
from companion.web.html.cache import Html
from companion.web.html.panels import View
from companion.web.pages import rules, rules_search
from tests.kit.limits import limits
from tests.kit.phone import moving_code
from tests.storage.memory import MemoryLog
from tests.web.conftest import Phone

LONG = 3000
"""Events of a long log."""


class Counted:
    """A function that counts its calls."""

    def __init__(self, of: Any) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self._of = of

    def __call__(self, *args: Any, **more: Any) -> Any:
        self.calls.append(args)
        return self._of(*args, **more)


# A table's log


def tables_over(
    log: MemoryLog, breathe: Callable[[], None] = pacing.rest, **changed: Any
) -> Tables:
    secret = b"s" * 32
    return Tables(
        log, GAMES, limits(**changed), secret=secret, clock=lambda: 1000.0, breathe=breathe
    )


def configured(tables: Tables, table: Any, number: int) -> Any:
    language = ("et", "lt")[number % 2]
    return tables.submit(
        table.id, "host", ask.Configure(language=language), version=None, request_key=f"{number}"
    )


@pytest.fixture
def long() -> tuple[MemoryLog, Any]:
    log = MemoryLog()
    tables = tables_over(log)
    table = tables.open("host", ask.Open("saboteur", "lv-2009", "roles", "en"), "open")
    for number in range(LONG):
        configured(tables, table, number)
    return log, table


def test_a_table_s_log_is_bounded() -> None:
    tables = tables_over(MemoryLog(), events_max=10)
    table = tables.open("host", ask.Open("saboteur", "lv-2009", "roles", "en"), "open")
    for number in range(9):
        assert not isinstance(configured(tables, table, number), Rejection)
    assert configured(tables, table, 9) == Rejection(TABLE_USED_UP)
    assert not isinstance(configured(tables, table, 8), Rejection)  # sent again
    ended = tables.submit(table.id, "host", ask.End(), version=None, request_key="end")
    assert not isinstance(ended, Rejection)


def test_large_events_count_for_several(long) -> None:
    log, table = long
    head = log.head(table.id)
    tables = tables_over(log, events_max=head.version + 100)
    assert not isinstance(configured(tables, table, LONG), Rejection)
    log._tables[table.id].size = (head.version + 200) * EVENT_BYTES
    tables = tables_over(log, events_max=head.version + 100)
    assert configured(tables, table, LONG + 1) == Rejection(TABLE_USED_UP)


def test_what_one_host_s_tables_take_is_bounded() -> None:
    """However many they are, and after a restart, too."""
    log = MemoryLog()
    opened = ask.Open("saboteur", "lv-2009", "roles", "en")
    bound = {"host_bytes": 4000}
    tables = tables_over(log, **bound)
    answers = [tables.open("host", opened, f"open {number}") for number in range(20)]
    assert answers[-1] == Rejection(HOST_USED_UP)
    assert 4000 <= log.hosted_size("host") < 4600
    first, tables = answers[0], tables_over(log, **bound)
    assert configured(tables, first, 0) == Rejection(HOST_USED_UP)
    assert tables.open("host", opened, "again") == Rejection(HOST_USED_UP)
    assert not isinstance(tables.open("other", opened, "open"), Rejection)
    tables.submit(first.id, "host", ask.End(), version=None, request_key="end")
    assert not isinstance(tables.open("host", opened, "again"), Rejection)


def test_what_all_tables_take_is_bounded_and_who_is_there_goes_on_longest() -> None:
    log = MemoryLog()
    tables = tables_over(log, bytes_max=10_000)
    opened = ask.Open("saboteur", "lv-2009", "roles", "en")

    def fails(does: Callable[[], Any]) -> bool:
        try:
            does()
        except StorageError:
            return True
        return False

    mine = tables.open("host", opened, "open")
    strangers = [partial(tables.open, f"stranger {number}", opened, "open") for number in range(99)]
    assert any(map(fails, strangers))
    assert 9000 <= log.used() < 9600
    configured(tables, mine, 0)
    assert any(fails(partial(configured, tables, mine, number)) for number in range(1, 99))
    assert 10_000 <= log.used() < 10_600
    tables.submit(mine.id, "host", ask.End(), version=None, request_key="end")
    assert not fails(strangers[-1])


class Filled(MemoryLog):
    """That takes as much as it is told."""

    taken = 0

    def used(self) -> int:
        return self.taken


def test_whoever_runs_the_program_is_told_before_it_is_reached(caplog) -> None:
    log = Filled()
    tables = tables_over(log, bytes_max=100 << 20)
    mine = tables.open("host", ask.Open("saboteur", "lv-2009", "roles", "en"), "open")
    told = []
    for number, percent in enumerate((79, 80, 85, 94, 79, 96, 99, 81, 69, 82)):
        caplog.clear()
        log.taken = percent << 20
        configured(tables, mine, number)
        told += [(percent, each.levelname) for each in caplog.records]
        assert all(f"take {percent}% of the 100 MiB" in each.message for each in caplog.records)
    assert told == [(80, "WARNING"), (96, "WARNING"), (82, "WARNING")]


def test_the_less_room_is_left_the_less_one_table_may_take() -> None:
    """An evening goes on meanwhile."""
    log = Filled()
    tables = tables_over(log, bytes_max=4096 << 20)
    evening, greedy = (
        tables.open(host, ask.Open("saboteur", "lv-2009", "roles", "en"), "open")
        for host in ("host", "stranger")
    )
    for table, mib in ((evening, 1), (greedy, 3)):
        tables._ledger.get(table.id).size = mib << 20
    told = []
    for number, used_mib in enumerate((0, 3072, 3400, 4000, 4095)):
        log.taken = used_mib << 20
        answers = [
            tables.submit(
                table.id,
                host,
                ask.Configure(language=("et", "lt", "lv", "fi", "et")[number]),
                version=None,
                request_key=f"{number}",
            )
            for table, host in ((evening, "host"), (greedy, "stranger"))
        ]
        told.append([isinstance(answer, Rejection) for answer in answers])
        for table, mib in ((evening, 1), (greedy, 3)):
            tables._ledger.get(table.id).size = mib << 20
    assert told == [[False, False], [False, False], *[[False, True]] * 3]


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("et", "Laudade jaoks mõeldud kettaruum on otsas"),
        ("lt", "Stalams skirta vieta diske baigėsi"),
        ("lv", "Galdiem atvēlētā vieta diskā ir beigusies"),
        ("fi", "Pöydille varattu levytila on täynnä"),
        ("en", "The disk space for tables is used up"),
    ],
)
def test_that_nobody_s_table_gets_more_room_is_said_as_that(
    clubs, monkeypatch, caplog, lang: str, said: str
) -> None:
    club = clubs(mib_in_all=10)
    host = club.phone(lang)
    path = club.open(host)
    monkeypatch.setattr(club.log, "used", lambda: 10 << 20)
    for _ in range(2):
        refused = club.do(host, path, "configure", language="fi" if lang == "lv" else "lv")
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "10")
        assert said in refused.text
    form = {"game": "saboteur", "edition": "lv-2009", "play": "roles", "key": "new"}
    opened = host.post("/open", form)
    assert opened.status_code == 503
    assert said in opened.text
    assert caplog.text.count("nothing more is saved: the tables take all the room") == 1
    assert "nothing can be saved" not in caplog.text


def test_the_bound_is_said_in_words(clubs) -> None:
    club = clubs(events_per_table=3)
    host = club.phone("fi")
    path = club.open(host)
    for number in range(2):
        club.done(host, path, "configure", language=("et", "lt")[number])
    refused = club.do(host, path, "configure", language="lv")
    assert refused.status_code == 409
    assert "Avaa uusi pöytä etusivulta." in refused.text


def test_a_long_log_is_read_in_slices(long, monkeypatch) -> None:
    log, table = long
    monkeypatch.setattr(pacing, "SLICE_S", 0.0002)  # as if there were far more to read
    rests: list[None] = []
    tables = tables_over(log, breathe=lambda: rests.append(None))
    found = tables.get(table.id)
    assert found is not None
    assert found.version == LONG + 1
    assert len(rests) > 5


def test_of_many_who_ask_for_it_one_reads(long, monkeypatch) -> None:
    log, table = long
    reads = Counted(log.head)
    monkeypatch.setattr(log, "head", reads)
    tables = tables_over(log)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(tables.get, [table.id] * 8))
    assert len({id(each) for each in found}) == 1
    assert len(reads.calls) == 1


def test_long_logs_do_not_take_all_the_memory() -> None:
    log = MemoryLog()
    tables = tables_over(log, in_memory=4)
    ids = []
    for name in range(4):
        table = tables.open(f"{name}", ask.Open("saboteur", "lv-2009", "roles", "en"), "open")
        ids.append(table.id)
        for number in range(600):
            language = ("et", "lt")[number % 2]
            command = ask.Configure(language=language)
            tables.submit(table.id, f"{name}", command, version=None, request_key=f"{number}")
    assert [each for each in ids if tables.in_memory(each) is not None] == ids[-1:]
    assert tables._ledger.cache._weight == log.head(ids[-1]).size
    for each in ids:
        found = tables.get(each)
        assert found is not None
        assert found.version == 601


# What was reported wrongly


def test_a_correction_is_bounded_however_long_a_game_was_made() -> None:
    """It is written down with all plays since the one that was wrong: else one phone, with a game
    that it never lets end, could have the disk full in minutes."""
    log = MemoryLog()
    tables = tables_over(log)
    table = tables.open("host", ask.Open("trains", "et-2015", "referee", "en"), "open")

    def done(command: ask.Command) -> Any:
        answer = tables.submit(
            table.id, "host", command, version=None, request_key=f"{len(log.rows(table.id))}"
        )
        assert not isinstance(answer, Rejection), answer
        return answer

    for name in ("Anna", "Bert"):
        done(ask.Join(name))
    done(ask.Start())
    done(ask.Play(1, {"play": "deal", "row": [83, 82, 81, 80, 79, 78, 60]}))
    done(ask.Play(2, {"play": "deal", "row": [77, 76, 75, 74, 73, 72, 71]}))
    for number in range(2 * UNDO_STEPS_MAX):
        early = number == UNDO_STEPS_MAX + 20  # it stays in the row from now on
        wagon, at = (70, 6) if early else (1 + number % 50, 7)
        play = {"play": "draft" if number < 2 else "draw", "card": wagon, "at": at}
        now = done(ask.Play(1 + number % 2, {**play, "ability": "swap_adjacent"}))
    assert len(now.round.undo_steps) == UNDO_STEPS_MAX
    now = done(ask.Correct({"card": 70, "number": 69}))
    assert now.game_state.rows[0][:6] == (83, 82, 81, 80, 79, 69)
    assert max(len(json.dumps(row.data)) for row in log.rows(table.id)) < 50_000


# The record


def over(club, host: Phone, path: str, phones: list[Phone]) -> None:
    club.done(host, path, "start")
    for _ in range(3):
        club.done(host, path, "begin")
        club.done(phones[0], path, "play", play="result", reached="0", last="1")
        if club.table(path).game_state.round < 3:
            club.done(host, path, "deal")


def test_a_record_is_made_once(seated, monkeypatch) -> None:
    club, host, path, phones = seated
    over(club, host, path, phones)
    made = Counted(club.tables.finished_game)
    monkeypatch.setattr(club.tables, "finished_game", made)
    texts = {phone.get(f"{path}/record.jsonl").text for phone in phones for _ in range(2)}
    assert len(texts) == 1
    assert len(made.calls) == 1
    club.done(host, path, "take-back")
    club.done(phones[0], path, "play", play="result", reached="0", last="2")
    assert phones[0].get(f"{path}/record.jsonl").text not in texts
    assert len(made.calls) == 2


def test_who_asks_for_many_dear_pages_is_refused(clubs) -> None:
    club = clubs(dear_per_minute=3)
    phone = club.phone()
    asked = [phone.get(f"/rules/saboteur?q=card{n}").status_code for n in range(5)]
    assert asked == [200, 200, 200, 429, 429]
    assert phone.get("/rules/saboteur?q=card1").status_code == 200
    assert phone.get("/rules/saboteur").status_code == 200


# The rules


def test_a_search_is_drawn_once(club, monkeypatch) -> None:
    drawn = Counted(rules.render)
    monkeypatch.setattr(rules, "render", drawn)
    texts = {club.phone().get("/rules/saboteur?q=gold").text for _ in range(5)}
    assert len(texts) == 1
    assert len(drawn.calls) == 1
    assert club.phone("lt").get("/rules/saboteur?q=gold").text not in texts
    assert "<mark>" in texts.pop()


def test_sixteen_words_at_most() -> None:
    assert rules_search.words(" ".join("abcdefghijklmnopqr")) == tuple("abcdefghijklmnop")


# What is kept


def test_what_is_kept_is_bounded() -> None:
    kept = BoundedCache[str](400)
    made = Counted(lambda: "x" * 30)
    for key in "abcdabcd":
        assert kept.get(key, made) == "x" * 30
    assert len(made.calls) == 8
    assert kept.get("d", made) == "x" * 30
    assert len(made.calls) == 8
    assert kept.get("long", lambda: "y" * 151) == "y" * 151
    assert kept.get("long", made) == "x" * 30


def test_what_is_kept_is_counted_in_bytes_with_its_keys() -> None:
    """One letter that takes four bytes makes all others of a page take four."""
    kept = BoundedCache[str](1_000_000)
    for number in range(100):
        kept.get(("page", f"{number}" + "k" * 10_000), lambda: "x" * 10_000 + "\N{GRINNING FACE}")
    held = sum(getsizeof(key[1]) + getsizeof(text) for key, text in kept._of.items())
    assert 500_000 < held < 1_000_000
    kept.forget("page")
    assert (kept._size, kept._of) == (0, {})


@pytest.mark.parametrize("asks_meanwhile", [False, True])
def test_what_one_could_not_make_the_next_one_makes_for_all(asks_meanwhile: bool) -> None:
    """As where the first one has asked for too much."""
    kept, given_up, begun = BoundedCache[str](1_000_000), threading.Event(), threading.Event()
    made: list[str] = []

    def fails() -> str:
        begun.set()
        given_up.wait()
        raise ValueError("too much")

    def works() -> str:
        made.append("page")
        time.sleep(0.05)
        return "page"

    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(kept.get, "page", fails)
        begun.wait()
        waiting = [pool.submit(kept.get, "page", works)]
        time.sleep(0.05)
        given_up.set()
        if asks_meanwhile:
            waiting.append(pool.submit(kept.get, "page", works))
        with pytest.raises(ValueError, match="too much"):
            first.result()
        assert [each.result() for each in waiting] == ["page"] * len(waiting)
    assert kept.get("page", works) == "page"
    assert made == ["page"]


class Named(View, frozen=True):
    template = "named.html"

    name: str
    more: tuple[str, ...]


def test_of_html_what_it_is_kept_under_counts() -> None:
    app = SimpleNamespace(jinja_env=Environment(loader=DictLoader({"named.html": "x"})))
    html = Html(cast(Flask, app), 100_000)
    for number in range(1000):
        assert html.of(Named(f"{number}" + "k" * 1000, ("m" * 1000, "n")), "en") == "x"
    assert 30 < len(html._kept) < 50
    assert html._bytes <= 100_000


def test_of_many_who_ask_at_once_one_makes_it() -> None:
    kept = BoundedCache[str](1000)

    def slowly() -> str:
        time.sleep(0.05)
        return "x"

    made = Counted(slowly)
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: kept.get("a", made), range(8))) == {"x"}
    assert len(made.calls) == 1


def test_a_failure_is_not_kept() -> None:
    kept = BoundedCache[str](1000)

    def fails() -> str:
        raise ZeroDivisionError

    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            kept.get("a", fails)
    assert kept.get("a", lambda: "x") == "x"
    assert not kept._making  # nor does anybody wait for it


# The start page


def test_the_start_page_looks_at_few_tables(clubs, monkeypatch) -> None:
    club = clubs(tables_per_hour=1000)
    host = club.phone()
    paths = [club.open(host, key=f"{number}") for number in range(12)]
    looked = Counted(club.tables.get)
    monkeypatch.setattr(club.tables, "get", looked)
    text = host.get("/").text
    assert len(looked.calls) == 6
    assert sum(path in text for path in paths) == 5


# Guests


def test_whoever_has_the_link_leaves_a_game_its_room(clubs) -> None:
    """A guest is called otherwise over and over while a round is on: half of the table's room is
    for the round, and for the host."""
    club = clubs(events_per_table=100, joins_per_minute=1000)
    host, guest = club.phone(), club.phone()
    path = club.open(host)
    anna, berta, carl = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.done(anna, path, "look", seat="1")
    assert guest.post(club.join_path(path), {"name": "Zed"}).status_code == 303
    refused = [
        club.do(guest, path, "rename-seat", seat="4", name=f"Zed {number}").status_code == 409
        for number in range(60)
    ]
    assert refused[-1]
    assert club.table(path).version == 50
    for phone, seat in ((berta, "2"), (carl, "3")):
        assert phone.post(f"{path}/role", {"seat": seat}).status_code == 200
    assert club.table(path).round.looked == {1, 2, 3}
    club.done(host, path, "remove-seat", seat="4")
    club.done(host, path, "renew-link")
    club.done(anna, path, "play", play="result", seat="1", reached="1", finisher="1")


def passed_on(club: Any, phone: Any, path: str, seat: int) -> tuple[Any, TestResponse]:
    """The seat goes from this phone to a new one; that, and what it was answered."""
    club.done(phone, path, "offer-move", seat=seat)
    page, new = phone.get(f"{path}/seat?seat={seat}").text, club.phone()
    return new, new.post(f"/m/{moving_code(page)}", {"key": "k"})


@pytest.mark.parametrize("way", ["offered", "claimed"])
def test_a_seat_that_goes_round_leaves_a_game_its_room(clubs, way: str) -> None:
    """From phone to phone without end, while a round is on; whoever changes phones a few times is
    not refused, however full the table is."""
    club = clubs(events_per_table=100, joins_per_minute=1000, tables_per_hour=1000)
    host = club.phone()
    path = club.open(host)
    anna, berta, carl = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.look(path, [anna, berta, carl])
    phone, statuses = carl, []
    for number in range(60):
        if way == "offered":
            new, answer = passed_on(club, phone, path, 3)
        else:
            club.done(host, path, "free-seat", seat=3)
            new = club.phone()
            answer = new.post(club.join_path(path), {"claim": 3, "key": f"{number}"})
        statuses.append(answer.status_code)
        if answer.status_code != 303:
            break
        phone = new
    assert statuses[-1] == 409
    assert 50 <= club.table(path).version <= 51
    for _ in range(MOVES_EACH):
        anna, answer = passed_on(club, anna, path, 1)
        assert answer.status_code == 303
    club.done(anna, path, "play", play="result", seat="1", reached="1", finisher="1")


def test_seats_taken_over_are_counted_as_those_to_sit_down(clubs) -> None:
    club = clubs(joins_per_minute=10)
    host = club.phone()
    path = club.open(host)
    (phone,) = club.sit(path, ["Anna"])
    statuses = []
    for _ in range(12):
        new, answer = passed_on(club, phone, path, 1)
        statuses.append(answer.status_code)
        phone = new if answer.status_code == 303 else phone
    assert statuses == [303] * 9 + [429] * 3


def test_what_a_player_tells_and_stops_fills_no_table_in_an_evening(clubs) -> None:
    """And so with plays that are taken back or corrected. To stop an end is refused to nobody, and
    nothing to the host."""
    club = clubs(end_wait_s=600, forms_per_minute=60)
    host = club.phone()
    path = club.open(host)
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.look(path, phones)

    def told(teller: Phone, seat: str, stopper: Phone) -> int:
        answer = club.do(teller, path, "play", play="result", seat=seat, reached="1", finisher="1")
        if answer.status_code == 303:
            club.done(stopper, path, "stop-end")
        return answer.status_code

    anna, berta, _ = phones
    assert [told(anna, "1", berta if n % 2 else anna) for n in range(11)] == [303] * 10 + [429]
    assert told(berta, "2", anna) == 303
    assert [told(host, "", berta) for _ in range(12)] == [303] * 12


def test_what_a_phone_stops_that_has_lost_its_seat_counts_for_who_had_told_it(clubs) -> None:
    """One person with two phones could else tell and stop without end."""
    club = clubs(end_wait_s=600, forms_per_minute=60)
    host = club.phone()
    path = club.open(host)
    phones = club.sit(path, ["Anna", "Berta", "Carl", "Dora"])
    club.done(host, path, "start")
    club.look(path, phones)
    anna, berta, *_ = phones
    club.done(host, path, "free-seat", seat="2")

    def told() -> int:
        answer = club.do(anna, path, "play", play="result", seat="1", reached="1", finisher="1")
        if answer.status_code == 303:
            club.done(berta, path, "stop-end")
        return answer.status_code

    assert [told() for _ in range(11)] == [303] * 10 + [429]


def test_a_stop_that_is_sent_again_keeps_nobody_from_reporting(clubs) -> None:
    """It has stopped another end: the one that waits goes on to do so."""
    club = clubs(end_wait_s=600, forms_per_minute=60)
    host = club.phone()
    path = club.open(host)
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.look(path, phones)
    _, berta, carl = phones

    def told() -> int:
        report = {"play": "result", "seat": "3", "reached": "1", "finisher": "1"}
        return club.do(carl, path, "play", **report).status_code

    assert told() == 303
    stop = {"version": club.table(path).version, "key": "stop"}
    assert berta.post(f"{path}/do/stop-end", stop).status_code == 303
    assert told() == 303
    end = club.table(path).round.waiting_end
    assert {berta.post(f"{path}/do/stop-end", stop).status_code for _ in range(20)} == {303}
    assert club.table(path).round.waiting_end == end
    club.done(berta, path, "stop-end")
    assert told() == 303


def test_a_play_is_taken_back_once_however_often_that_is_sent(clubs) -> None:
    club = clubs(forms_per_minute=60)
    host = club.phone()
    path = club.open(host, way="referee")
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.look(path, phones)
    anna = phones[0]

    def passed() -> int:
        return club.do(anna, path, "play", play="pass", seat="1").status_code

    assert passed() == 303
    back = {"version": club.table(path).version, "key": "back"}
    assert {anna.post(f"{path}/do/take-back", back).status_code for _ in range(20)} == {303}
    assert passed() == 303


def test_where_a_table_has_no_room_a_role_can_be_seen(clubs, monkeypatch) -> None:
    club = clubs()
    host = club.phone()
    path = club.open(host)
    (anna, *_) = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    tables = club.app.extensions["companion"].tables
    monkeypatch.setattr(tables._quota, "refusal_to_add", lambda *_: Rejection(TABLE_USED_UP))
    assert anna.post(f"{path}/role", {"seat": "1"}).status_code == 200
    assert not club.table(path).round.looked


def test_names_for_a_seat_are_counted_as_those_to_sit_down(clubs) -> None:
    """For whoever gives them: others behind the same address come to their seats meanwhile."""
    club = clubs(joins_per_minute=10)
    host = club.phone()
    path = club.open(host)
    anna, berta, carl = club.sit(path, ["Anna", "Berta", "Carl"])
    statuses = [
        club.do(anna, path, "rename-seat", seat="1", name=f"Anna {number}").status_code
        for number in range(12)
    ]
    assert statuses == [303] * 10 + [429] * 2
    club.done(host, path, "rename-seat", seat="1", name="Anna")  # a host is not counted
    club.done(host, path, "free-seat", seat="2")
    assert berta.post(club.join_path(path), {"claim": "2", "key": "k"}).status_code == 303
    club.sit(path, ["Dora"])
    _, answer = passed_on(club, carl, path, 3)
    assert answer.status_code == 303


def test_what_is_forgotten_while_it_is_made_is_not_kept() -> None:
    """A name may have been taken out of the table meanwhile."""
    kept = BoundedCache[str](1_000_000)

    def make() -> str:
        kept.forget("table")
        return "Anna digs"

    assert kept.get(("table", 1), make) == "Anna digs"
    assert kept.get(("table", 1), lambda: "Somebody digs") == "Somebody digs"
    assert kept.get(("table", 1), lambda: "not made again") == "Somebody digs"
