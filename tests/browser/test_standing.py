"""A café's table: its tent is scanned, an evening is played, and those who come next see nothing
of it."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.games import GAMES
from companion.settings import Settings
from companion.storage.secret_key import secret_key
from companion.storage.sqlite_log import SqliteLog
from companion.tables import commands as ask
from companion.tables.model import Device, Table
from companion.tables.service import Tables
from companion.tables.standing import QUIET_AFTER_S
from tests.browser.gallery import NAMES, Visit
from tests.browser.looks import Looks
from tests.browser.phones import FIVE, Kind, Phone, scan
from tests.browser.test_printed import MM, sheets
from tests.kit.limits import limits
from tests.kit.server import ROOT, Server

pytestmark = pytest.mark.browser

TABLES = 3
PLAYERS = FIVE[:3]
SEATED = re.compile("|".join(name for name, _ in PLAYERS))


@pytest.fixture(scope="module")
def tents(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page to print, of tables that were made while the server runs."""
    page = tmp_path_factory.mktemp("printed") / "tents.html"
    given = ("standing", str(TABLES), "-o", str(page), "--data", str(server.data))
    command = [sys.executable, "-m", "companion", *given, "--public-url", server.url]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return page


@pytest.fixture
def paper(browser: Browser, tents: Path) -> Iterator[Page]:
    page = browser.new_page()
    page.goto(tents.as_uri())
    yield page
    page.close()


def link_of(paper: Page, table: int, zbarimg: str) -> str:
    face = paper.locator(".tent").nth(table - 1).locator(".face").first
    return scan(face.locator(".plate").screenshot(), zbarimg)


def test_on_paper(paper: Page, zbarimg: str, server: Server) -> None:
    links = [link_of(paper, table, zbarimg) for table in range(1, TABLES + 1)]
    assert len({*links}) == TABLES
    assert all(re.fullmatch(re.escape(server.url) + r"/s/[\w-]{22}", link) for link in links)
    assert sheets(paper) == 2
    paper.emulate_media(media="print")
    paper.set_viewport_size({"width": int(297 * MM), "height": int(210 * MM)})
    faces = paper.locator(".face")
    assert faces.count() == 2 * TABLES
    for face in faces.all():
        box = face.bounding_box()
        assert box is not None
        assert box["width"] == pytest.approx(148.5 * MM, abs=2)
        assert box["height"] == pytest.approx(104 * MM, abs=2)
        assert face.evaluate("face => face.scrollHeight <= face.clientHeight")


def test_an_evening_and_the_next_one(
    paper: Page, new_phone: Callable[..., Phone], zbarimg: str, pictures: Path | None
) -> None:
    link = link_of(paper, 2, zbarimg)
    (name, kind), *others = PLAYERS
    host = new_phone(kind)
    host.page.goto(link)
    host.shot(pictures, "standing-free")
    host.page.locator("#open-form button.main").click()
    host.page.wait_for_url(re.compile(r"/t/[\w-]+$"))
    evening = host.page.url
    host.page.locator("input[name=name]").fill(name)
    host.form("join").locator("button").first.click()
    expect(host.page.locator("li.seat[id]")).to_have_count(1)
    guests = []
    for guest_name, guest_kind in others:
        guest = new_phone(guest_kind)
        guest.join(link, guest_name)
        assert guest.page.url.partition("?")[0] == evening
        guests.append(guest)
    expect(host.page.locator("li.seat[id]")).to_have_count(3)
    host.do("start")
    for phone in (host, *guests):
        phone.role()
    host.page.goto(f"{evening}/host")
    host.page.locator("#finish summary").click()
    host.do("finish")
    guests[0].do("count")
    for phone in guests:
        expect(phone.page.locator("a[href*='/record.jsonl?game=']").first).to_be_attached()
    host.page.goto(f"{evening}/host")
    host.page.locator("#end summary").click()
    host.do("end")
    host.page.wait_for_url(re.compile(r"/\?done=closed$"))
    for phone in guests:
        expect(phone.page.locator("main a[href='/']").first).to_be_visible()

    second = new_phone(Kind("fi", 320, 568, "light"))
    second.page.goto(link)
    assert not SEATED.search(second.page.content())
    second.page.locator("#open-form button.main").click()
    second.page.wait_for_url(re.compile(r"/t/[\w-]+$"))
    fresh = second.page.url
    assert fresh != evening
    for page in ("", "/qr", "/host", "/screen"):
        second.page.goto(fresh + page)
        assert not SEATED.search(second.page.content()), page
    answer = second.page.goto(evening)
    assert answer is not None
    assert answer.status == 404
    assert not SEATED.search(second.page.content())


def left_behind(data: Path, table: int) -> None:
    """An evening whose players have gone."""
    secret = secret_key(Settings(data=data))
    with closing(SqliteLog(data, secret)) as log:
        tables = Tables(
            log, GAMES, limits(), secret=secret, clock=lambda: time.time() - QUIET_AFTER_S
        )
        one, host = tables.standing_codes.make(table), Device("d" * 64)
        opened = tables.standing.open(
            one, host, ask.Open("trains", "et-2015", "light", "et"), "one"
        )
        assert isinstance(opened, Table)
        for name in NAMES[:4]:
            joined = tables.submit(opened.id, host, ask.Join(name), version=None, request_key=name)
            assert isinstance(joined, Table)


@pytest.fixture(scope="module")
def visits(browser: Browser, server: Server, tents: Path, zbarimg: str) -> Iterator[list[Visit]]:
    left_behind(server.data, 1)
    phone = Phone(browser, server.url, Kind("en", 320, 640))
    found = []
    for name, table in (("standing", 3), ("standing-left", 1)):
        phone.page.goto(tents.as_uri())
        link = link_of(phone.page, table, zbarimg)
        found.append(Visit(name, phone, link.removeprefix(server.url)))
    yield found
    phone.close()


class TestFree(Looks):
    """The page of a table where nobody plays, and of one whose players may have gone."""
