"""What is on the disk and not yet in memory is nobody's to see.

A commit is on the disk before the table in memory has moved on, and other requests are answered
in between. Here every command of an evening stops just there while everybody asks for everything:
each answer must be, to the byte, the one from before the command.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pytest
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from companion.tables.ending import Countdowns
from companion.tables.log import EventLog, Index, Row
from companion.web.pages.forms import NAMES
from tests.kit.pages import SECRETS
from tests.noninterference.requests import FETCH, Filled, Sight, requests
from tests.web.conftest import Club, Phone

AGAIN = {("POST", address) for address in SECRETS}
"""Asked for by who has looked already, these change nothing either. All other forms wait for the
command that is under way."""


GUESSES = {("GET", "/m/<offer>")}
"""So many wrong ones are refused in the end."""

NOT_OF_A_TABLE = ("/rules", "/explain", "/language", "/static", "/favicon.ico", "/robots.txt")

NO_TABLE = "x" * 22

SHARE = 4
"""Of the ways to ask for a route, every fourth is tried around a command, and others around the
next."""

LOSES_A_TABLE = ("remove-seat", "free-seat")
"""The list of a device's tables is an index on the disk; a link that goes a moment early is no
secret."""

FRESH = re.compile(rb'(name="key" value=")[^"]*')
"""Where a page has a number that nothing else has."""


@dataclass
class SlowLog:
    """A log that stays in the moment after a commit until `meanwhile` has been done."""

    log: EventLog
    meanwhile: Callable[[], None] | None = None

    def append(self, table_id: str, rows: list[Row], index: Index, rewritten: list[Row]) -> bool:
        written = self.log.append(table_id, rows, index, rewritten)
        if self.meanwhile is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            meanwhile()
        return written

    def __getattr__(self, name: str) -> Any:
        return getattr(self.log, name)


def device_of(phone: Phone) -> str:
    cookie = phone.client.get_cookie("device")
    assert cookie is not None
    return hashlib.sha256(cookie.value.encode()).hexdigest()


Answers = dict[tuple[str, str], tuple[int, bytes]]


@dataclass
class Watched:
    """An evening in which everybody asks for everything around each accepted command."""

    club: Club
    host: Phone
    path: str
    phones: list[Phone]
    slow: SlowLog
    done: list[str] = field(default_factory=list)

    @property
    def everybody(self) -> dict[str, Phone]:
        named = {f"phone {number}": phone for number, phone in enumerate(self.phones[:1])}
        return {**self.hosts, "guest": self.guest, **named}

    def __post_init__(self) -> None:
        self.hosts = {"host": self.host}
        self.guest = self.club.phone()

    def command(self, phone: Phone, command: str, path: str = "", **form: Any) -> TestResponse:
        """Sends a form in whose commit everybody asks for everything."""
        before = self._answers()
        meanwhile: list[Answers] = []
        self.slow.meanwhile = lambda: meanwhile.append(self._answers())
        version = self.club.table(self.path).version
        keyed = {"version": version, "key": f"k{version}", **form}
        answer = phone.post(path or f"{self.path}/do/{command}", keyed)
        assert answer.status_code < 400, (command, answer.status_code)
        assert len(meanwhile) == 1, f"{command} has not written anything"
        assert before.keys() == meanwhile[0].keys()
        leaks = [
            (who, asked)
            for who, asked in before
            if before[who, asked] != meanwhile[0][who, asked]
            and not (command in LOSES_A_TABLE and asked.startswith("GET / "))
            # An old link leads nowhere a moment before the new one is shown.
            and not (command == "renew-link" and asked.startswith("GET /j/"))
        ]
        assert not leaks[:3], f"not as before {command}: {len(leaks)} answers"
        self.done.append(command)
        return answer

    def _answers(self) -> Answers:
        with ThreadPoolExecutor(1) as elsewhere:  # not within the request that is being answered
            return elsewhere.submit(self._ask_everything).result()

    def _ask_everything(self) -> Answers:
        return {
            (who, asked): answer
            for who, phone in self.everybody.items()
            for asked, answer in self._asked(phone)
        }

    def _asked(self, phone: Phone) -> Iterator[tuple[str, tuple[int, bytes]]]:
        device_seats = self._seats_of(phone)
        for rule in self.club.app.url_map.iter_rules():
            for method in (rule.methods or set()) & {"GET", "POST"}:
                asked = (method, rule.rule)
                if asked in GUESSES or rule.rule.startswith(NOT_OF_A_TABLE):
                    continue
                if method == "POST" and asked not in AGAIN:
                    continue
                for number, (path, filled) in enumerate(self._ways(method, rule, device_seats)):
                    if method == "POST":
                        for seat in device_seats & self.club.table(self.path).round.looked:
                            form = {"seat": seat}
                            answer = phone.post(path, form, **FETCH)
                            yield f"POST {path} {seat}", (answer.status_code, answer.data)
                        continue
                    with phone.client.get(
                        path, query_string=filled.query, headers={"Accept-Language": "en"}
                    ) as answer:
                        streams = answer.mimetype == "text/event-stream"
                        data = next(iter(answer.response)) if streams else answer.data
                        assert isinstance(data, bytes)
                        yield (
                            f"GET {path} {filled.query}",
                            (answer.status_code, FRESH.sub(rb"\1", data)),
                        )
                    if answer.status_code == 403 and number == 0:
                        break  # however it is asked for, it is not this phone's to see

    def _ways(self, method: str, rule: Rule, own: frozenset[int]) -> list[tuple[str, Filled]]:
        """To ask for a route of this table."""
        ways = [
            (path, filled)
            for path, filled in requests(method, rule, self._sight(own))
            if NO_TABLE not in filled.values.values()
        ]
        share = min(SHARE, len(ways))
        return ways[len(self.done) % share :: share] if ways else []

    def _seats_of(self, phone: Phone) -> frozenset[int]:
        held = self.club.table(self.path).held(device_of(phone))
        return frozenset(seat.id for seat in held)

    def _sight(self, own: frozenset[int]) -> Sight:
        table = self.club.table(self.path)
        return Sight(
            table=table.id,
            key=self.club.tables.join_key(table),
            code=self.club.tables.code(table.id) or "",
            offer="",
            seats=tuple(seat.id for seat in table.seats),
            own=tuple(sorted(own)),
            version=table.version,
            hosts=False,
            place="1,0",
            asset=self.club.app.extensions["companion"].assets.hash,
            here=self.path,
        )


REPORTED = {"correct"}
"""Commands of plays that are reported one by one."""

ELSEWHERE = {"end", "load-deck", "offer-move", "offer-screen"}
"""Commands that append nothing to the table's log."""


@pytest.fixture
def watched(clubs: Callable[..., Club]) -> Watched:
    club = clubs(
        wrap=SlowLog,
        requests_per_minute=10**6,
        forms_per_minute=10**6,
        streams=10**4,
        streams_per_address=10**4,
        streams_per_device=10**4,
    )
    host = club.phone()
    path = club.open(host)
    phones = club.sit(path, ["Anna", "Berta", "Carl", "Dora", "Emil"])
    return Watched(club, host, path, phones, club.log)


@pytest.mark.slow
def test_nobody_sees_what_is_only_on_the_disk(watched: Watched) -> None:
    club, host, path, phones = watched.club, watched.host, watched.path, watched.phones
    do = watched.command

    do(host, "join", name="Host")
    do(host, "add-seat", name="Child")
    do(host, "remove-seat", seat=7)
    do(host, "order-seats", order="2,1,3,4,5,6")
    do(host, "set-wifi", wifi_name="Pub", wifi_password="secret-pub")
    do(host, "clear-wifi")
    do(host, "renew-link")
    do(host, "configure", edition="fi")
    do(host, "explain", step=1)
    do(watched.guest, "sit down", club.join_path(path), name="Late")
    do(host, "remove-seat", seat=8)
    do(host, "start")
    do(phones[1], "look", seat=2)
    do(phones[2], "role", f"{path}/role", seat=3)
    do(host, "begin")
    none_waits, club.tables._due.ends = (
        club.tables._due.ends,
        Countdowns(club.clock, club.clock, 10),
    )
    do(phones[1], "play", play="result", reached="1", finisher="1")
    do(phones[2], "stop-end")
    do(phones[1], "play", play="result", reached="1", finisher="1")
    do(phones[2], "confirm-end")
    club.tables._due.ends = none_waits
    do(phones[2], "rename-seat", seat=3, name="Carla")
    do(host, "take-back")
    do(host, "free-seat", seat=1)
    do(phones[0], "claim-seat", club.join_path(path), claim=1)
    for _ in (2, 3):
        do(phones[1], "play", play="result", reached="0", last="2")
        do(host, "deal")
        do(host, "begin")
    do(phones[1], "play", play="result", reached="0", last="2")
    do(phones[1], "count")
    do(host, "remove-seat", seat=3)
    do(phones[2], "sit down again", club.join_path(path), name="Karl")
    do(host, "new-game")
    do(host, "finish")
    do(host, "join-people", seat=9, same=3)
    do(host, "part-people", seat=3)
    do(phones[1], "take-name-out", seat=2)
    watched.hosts.clear()  # the host has gone home
    club.clock.now += club.settings.host_gone_s + 1
    do(phones[3], "take-hosting")
    do(phones[3], "pass-hosting", seat=2)

    assert set(NAMES) - ELSEWHERE - REPORTED <= set(watched.done)


@pytest.mark.slow
def test_nobody_sees_plays_that_are_only_on_the_disk(watched: Watched) -> None:
    host, path = watched.host, watched.path
    watched.club.done(host, path, "configure", way="referee")
    watched.command(host, "start")
    watched.command(host, "begin")
    watched.command(watched.phones[0], "play", play="path", card="NESW", at="1,0", seat=1)
    watched.command(watched.phones[1], "play", play="break", tool="cart", target="1", seat=2)
    watched.command(host, "correct", play="path", step="0", card="NSW", at="1,0")
    assert set(watched.done) >= REPORTED
    watched.command(host, "take-back")
