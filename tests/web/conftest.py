"""A club without a network: the application over a log in a temporary folder, and its phones."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.games import GAMES
from companion.games.game import Chance, Game
from companion.record.fair import Lot
from companion.server.assembly import hub_of, tables_of
from companion.settings import Settings
from companion.storage.sqlite_log import SqliteLog
from companion.tables.model import Table
from companion.web import create_app
from companion.web.answers.table_page import me_of
from companion.web.html import cache as html_cache
from companion.web.html.cache import Html
from companion.web.html.panels import Page
from companion.web.live.stream import Stream
from companion.web.view.me import Me
from companion.web.view.moments import Moment
from companion.web.view.network import fixed
from tests.kit.clock import Clock
from tests.kit.forms import opening
from tests.kit.phone import FETCH
from tests.kit.threads import Threads

BASE = "http://192.168.1.20:8000"


class Dealer:
    """Chance with a seed for each number of things: roles can differ while the gold does not."""

    def __init__(self, **seeds: int) -> None:
        self._chances = {size: random.Random(seed) for size, seed in seeds.items()}
        self._other = random.Random(1)

    def shuffle(self, x: list[Any], /) -> None:
        self._chances.get(f"of{len(x)}", self._other).shuffle(x)


_MARK = re.compile(rb"\xc2[\x80-\x9f]|%C2%[89]")
"""What stands in kept HTML for what differs from page to page; also within an address."""


def _whole(answer: TestResponse) -> TestResponse:
    """Checked to have no mark: only streams and what scripts ask of a page's parts have them, and
    a record that somebody has opened, where it has such letters in a name."""
    opened = answer.request.path == "/replay"
    if answer.mimetype == "text/html" and not answer.content_encoding and not opened:
        found = _MARK.search(answer.data)
        assert found is None, answer.data[max(0, found.start() - 200) : found.end() + 50]
    return answer


@pytest.fixture(autouse=True)
def whom_streams_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checked wherever a stream is listened to: whoever is not worked out anew is as they were."""
    kept = Stream._me

    def checked(self: Stream, moment: Moment, own: object) -> Me:
        me = kept(self, moment, own)
        assert me == me_of(self.services, moment, self.who)
        return me

    monkeypatch.setattr(Stream, "_me", checked)


@dataclass
class Phone:
    """One browser. `Club.phone` gives it a cookie that is known, so that two clubs can be compared
    byte by byte."""

    client: FlaskClient
    language: str

    def get(self, path: str, **headers: str) -> TestResponse:
        answer = self.client.get(path, headers={"Accept-Language": self.language, **headers})
        return _whole(answer)

    def post(self, path: str, form: dict[str, Any] | None = None, **headers: str) -> TestResponse:
        answer = self.client.post(
            path, data=form or {}, headers={"Accept-Language": self.language, **headers}
        )
        return _whole(answer)

    def fetch(self, path: str, form: dict[str, Any] | None = None, on: str = "") -> TestResponse:
        return self.post(path, {"page": on, **(form or {})}, **FETCH)


class Club:
    def __init__(
        self,
        folder: Path,
        dealer: Dealer | None = None,
        draw: Callable[[Lot], Chance] | None = None,
        deal_wait_s: float = 0.05,
        games: Mapping[str, Game] = GAMES,
        wrap: Callable[[SqliteLog], Any] = lambda log: log,
        **settings: Any,
    ) -> None:
        """`wrap`: puts another log around that of the club."""
        self.clock = Clock()
        self.settings = Settings(data=folder, **{"end_wait_s": 0, **settings})
        self.log = wrap(SqliteLog(folder, b"s" * 32, synchronous="OFF"))
        dealt = dealer or Dealer()
        self.tables = tables_of(
            self.settings,
            self.log,
            games,
            secret=b"s" * 32,
            clock=self.clock,
            draw=draw or (lambda lot: dealt),
            deal_wait_s=deal_wait_s,
        )
        self.hub = hub_of(self.settings, self.clock)
        self.app: Flask = create_app(
            self.settings,
            self.tables,
            self.hub,
            Threads(),
            network=lambda: fixed(BASE),
            heartbeat_s=0.05,
            clock=self.clock,
        )
        self._phones = 0

    def phone(self, language: str = "en") -> Phone:
        phone = Phone(self.app.test_client(), language)
        self._phones += 1
        phone.client.set_cookie("device", f"phone{self._phones:02}".ljust(22, "x"))
        return phone

    def open(self, host: Phone, **form: str) -> str:
        """Opens a table; its path."""
        answer = host.post("/open", {"key": "open", **opening(**form)})
        assert answer.status_code == 303, answer.text
        return answer.location

    def sit(self, path: str, names: list[str], languages: tuple[str, ...] = ("en",)) -> list[Phone]:
        phones = [self.phone(languages[place % len(languages)]) for place in range(len(names))]
        for phone, name in zip(phones, names, strict=True):
            answer = phone.post(self.join_path(path), {"name": name, "key": "join"})
            assert answer.status_code == 303, answer.text
        return phones

    def table(self, path: str) -> Table:
        found = self.tables.get(path.split("/")[2])
        assert found is not None
        return found

    def join_path(self, path: str) -> str:
        return f"/j/{self.tables.join_key(self.tables.get(path.split('/')[2]))}"

    def do(self, phone: Phone, path: str, command: str, **form: Any) -> TestResponse:
        version = self.table(path).version
        return phone.post(
            f"{path}/do/{command}", {"version": version, "key": f"k{version}", **form}
        )

    def done(self, phone: Phone, path: str, command: str, **form: Any) -> None:
        answer = self.do(phone, path, command, **form)
        assert answer.status_code == 303, re.sub(r"\s+", " ", answer.text)[-800:]

    def odd(
        self, phone: Phone, path: str, command: str, form: dict[str, Any], values: Sequence[Any]
    ) -> None:
        """The form with one thing at a time that is odd: there is an answer to each. What counts
        is taken back."""
        steps = len(self.table(path).round.undo_steps)
        for name, value in product(form, values):
            answer = self.do(phone, path, command, **form | {name: value})
            assert answer.status_code in (303, 400, 403, 404, 409), (name, value)
            while len(self.table(path).round.undo_steps) > steps:
                self.done(phone, path, "take-back")

    def look(self, path: str, phones: list[Phone]) -> None:
        """Everybody looks at their role, in the order of the seats; the round begins."""
        for seat, phone in enumerate(phones, 1):
            assert phone.post(f"{path}/role", {"seat": seat}).status_code == 200

    def close(self) -> None:
        self.hub.close()
        self.log.close()


@pytest.fixture(autouse=True)
def whole_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every page that is drawn, all parts stand in its layout: a stream may tell of any."""
    whole = Html.whole

    def checked(html: Html, page: Page, locale: str) -> str:
        drawn = whole(html, page, locale)
        stand = html.of(page.layout, locale).split(html_cache._PART)[1::2]
        assert {part.id for part in page.parts} == set(stand), page.layout
        return drawn

    monkeypatch.setattr(Html, "whole", checked)


@pytest.fixture
def clubs(tmp_path: Path) -> Iterator[Callable[..., Club]]:
    made: list[Club] = []

    def make(dealer: Dealer | None = None, *, after: Club | None = None, **settings: Any) -> Club:
        """`after`: a club that ends, and whose data this one has."""
        if after is not None:
            after.close()
        folder = tmp_path / f"club{len(made)}" if after is None else after.settings.data
        club = Club(folder, dealer, **settings)
        made.append(club)
        return club

    yield make
    for club in made:
        club.close()


@pytest.fixture
def club(clubs: Callable[..., Club]) -> Club:
    return clubs()


@pytest.fixture
def dealers() -> type[Dealer]:
    return Dealer


@pytest.fixture
def seated(club: Club) -> tuple[Club, Phone, str, list[Phone]]:
    """Five at a table in five languages, and the laptop that opened it."""
    host = club.phone()
    path = club.open(host)
    names = ["Anna", "Berta", "Carl", "Dora", "Emil"]
    return club, host, path, club.sit(path, names, ("et", "lt", "lv", "fi", "en"))
