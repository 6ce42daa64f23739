"""Getting in: a stranger's way to a role, a network that changes, a browser without cookies."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from companion.languages import LOCALES
from tests.browser.phones import FIVE, Device, Kind, Phone, scan, watch_taps
from tests.browser.tables import send, sit
from tests.browser.test_screen_fits import SIZES, hidden
from tests.kit import machine
from tests.kit.server import Server, running

pytestmark = pytest.mark.browser

FIRST, SECOND = "127.0.0.2", "127.0.0.3"
"""Of the machine in the one network, and in the next."""

TAPS_MAX = 5
ROLE_S = 30.0
KEY_S = 0.2
"""Between two letters, by a thumb."""
THINK_S = 1.5
"""Before each tap: to see what there is to do."""
PAGE_S = 2.0
"""A page, on the Wi-Fi of a pub."""


@pytest.fixture
def network(tmp_path: Path) -> Path:
    file = tmp_path / "network.json"
    machine.write(file, ("wlan0", FIRST))
    return file


@pytest.fixture
def laptop_server(tmp_path: Path, network: Path) -> Iterator[Server]:
    """On a machine in a Wi-Fi, as at home: without a public address."""
    command = (sys.executable, "-m", "tests.kit.machine", str(network))
    with running(
        tmp_path / "data", command=command, public_url=None, host=None, local_name="off"
    ) as one:
        yield one


@pytest.fixture
def phone(browser: Browser, laptop_server: Server) -> Iterator[Callable[[Kind], Phone]]:
    phones: list[Phone] = []

    def make(kind: Kind) -> Phone:
        phones.append(Phone(browser, f"http://{FIRST}:{laptop_server.port}", kind))
        return phones[-1]

    yield make
    for each in phones:
        each.close()


@pytest.fixture
def laptop(browser: Browser, laptop_server: Server) -> Iterator[Device]:
    """Its table screen, open."""
    device = Device(browser, laptop_server.url, Kind("en", 1280, 720))
    device.page.goto("/screen")
    device.page.locator("form[action='/open'] button.main").click()
    device.page.wait_for_url(re.compile(r"/t/[^/]+/screen$"))
    yield device
    device.close()


def watch_pages(one: Phone) -> list[str]:
    """The addresses of all pages that it loads from now on."""
    loaded: list[str] = []
    one.page.on("domcontentloaded", lambda page: loaded.append(page.url))
    return loaded


def look(one: Phone) -> str:
    """The role, once it is dealt; the phone may first ask whether one wants to look."""
    opener = one.page.locator('a[href="#look"]:visible')
    expect(one.page.locator("[data-pad]:visible").or_(opener).first).to_be_visible()
    if opener.count():
        opener.first.click()
    return one.role()


def test_from_scan_to_role(
    laptop: Device, phone: Callable[[Kind], Phone], zbarimg: str, laptop_server: Server
) -> None:
    """Five strangers: at most so many taps, one name, and so few pages that people as slow as they
    are have a role in half a minute; only the host, whose tap is the start, waits for the others.
    """
    with machine.door(FIRST, laptop_server.port):
        link = scan(laptop.page.screenshot(), zbarimg)
        assert link.startswith(f"http://{FIRST}:{laptop_server.port}/j/")
        phones, taps, pages = {}, {}, {}
        for name, kind in FIVE:
            one = phones[name] = phone(kind)
            counted = taps[name] = watch_taps(one)
            pages[name] = watch_pages(one)
            one.page.goto(link)
            one.page.locator("#name").click()
            one.page.locator("#name").press_sequentially(name)
            one.page.locator("#join-form button").click()
            one.page.wait_for_url(re.compile(r"/t/[^/]+"))
            assert counted() == 2
        laptop.page.locator('form[action$="/do/start"] button:not([type=button])').last.click()
        for one in phones.values():
            assert look(one) in ("miner", "saboteur")
        found = {name: counted() for name, counted in taps.items()}
    assert max(found.values()) <= TAPS_MAX, found
    for name, number in found.items():
        spent_s = THINK_S * number + KEY_S * len(name) + PAGE_S * len(pages[name])
        assert spent_s <= ROLE_S, (name, number, pages[name])


def test_a_network_that_changes_while_phones_play(
    laptop: Device,
    phone: Callable[[Kind], Phone],
    network: Path,
    laptop_server: Server,
    zbarimg: str,
) -> None:
    port = laptop_server.port
    phones = {}
    with machine.door(FIRST, port):
        link = scan(laptop.page.screenshot(), zbarimg)
        for name, kind in FIVE[:3]:
            phones[name] = phone(kind)
            phones[name].join(link, name)
        laptop.page.locator('form[action$="/do/start"] button:not([type=button])').last.click()
        roles = {}
        for name, one in phones.items():
            roles[name] = look(one)
    machine.write(network, ("wlan0", SECOND))
    with machine.door(SECOND, port):
        table = laptop.page.url.rpartition("/")[0]
        shown = laptop.context.new_page()
        shown.goto(f"{table}/qr")
        expect(shown.locator(".addr").first).to_contain_text(f"{SECOND}:{port}")
        link = scan(shown.locator(".plate").first.screenshot(), zbarimg)
        assert link.startswith(f"http://{SECOND}:{port}/j/")
        for name, one in phones.items():
            one.page.goto(link)
            mine = one.page.locator("button[name=claim]", has_text=name)
            for _ in range(10):  # it is offered when nobody has heard of the old phone for a while
                if mine.count():
                    break
                one.page.wait_for_timeout(1000 * machine.STRANDED_S / 2)
                one.page.reload()
            pages = watch_pages(one)
            mine.click()
            assert look(one) == roles[name]
            assert len(pages) == 1, pages  # back at once


def test_the_open_screen_follows_the_network(
    laptop: Device, network: Path, laptop_server: Server
) -> None:
    expect(laptop.page.locator(".addr")).to_contain_text(FIRST)
    laptop.page.evaluate("window.same = true")
    machine.write(network, ("wlan0", SECOND), ("tun0", "10.8.0.2"), out=("10.8.0.2",))
    expect(laptop.page.locator(".addr")).to_contain_text(f"{SECOND}:{laptop_server.port}")
    laptop.page.locator("#others-1 > summary").click()
    laptop.page.locator("#other-1 > summary").click()
    expect(laptop.page.locator("#other-1 .plate")).to_be_visible()
    assert laptop.page.evaluate("window.same")


@pytest.mark.slow
def test_what_to_try_fits_the_screen(laptop: Device, network: Path, pictures: Path | None) -> None:
    """At its longest: a command of Windows, and two addresses."""
    page = laptop.page
    tried = (
        (("half", "guest", "public"), "guest network"),
        (("half", "firewall"), "firewall"),
        (("half", "inside"), "container"),
    )

    def speaks(locale: str) -> None:
        cookie = {"name": "screen_locale", "value": locale, "url": laptop.url}
        laptop.context.add_cookies([cookie])  # type: ignore[list-item] # as Playwright takes it
        page.reload()

    for number, (signs, said) in enumerate(tried):
        there = ("wlan0", FIRST), ("eth0", f"10.111.222.23{number}"), ("tun0", "10.8.0.2")
        machine.write(network, *there, out=("10.8.0.2",), signs=signs, firewall="netsh")
        speaks("en")
        expect(page.locator("#nobody ol")).to_contain_text(said)
        for locale in LOCALES:
            speaks(locale)
            expect(page.locator("#nobody h2")).to_be_visible()
            for size in SIZES:
                page.set_viewport_size(size)
                where = f"{signs[-1]}, {locale}, {size['width']}"
                laptop.shot(pictures, f"nobody-{where}", whole=False)
                assert not hidden(page, size), where


def test_a_browser_that_keeps_no_cookies(
    laptop: Device, phone: Callable[[Kind], Phone], zbarimg: str, laptop_server: Server
) -> None:
    """As browsers do it where somebody has switched them off: what is set is not kept."""

    def without(route: Route) -> None:
        answer = route.fetch(max_redirects=0)
        headers = {name: value for name, value in answer.headers.items() if name != "set-cookie"}
        route.fulfill(response=answer, headers=headers)

    with machine.door(FIRST, laptop_server.port):
        link = scan(laptop.page.screenshot(), zbarimg)
        one = phone(Kind("lt", 320, 640))
        one.context.route("**/j/*", without)
        one.page.goto(link)
        expect(one.page.locator("#locked-down")).to_be_hidden()  # it has not told so itself
        one.context.clear_cookies()
        one.page.locator("#name").fill("Rūta")
        one.page.locator("#join-form button").click()
        expect(one.page.locator("#locked-down")).to_be_visible()
        expect(one.page.locator("#locked-down")).to_contain_text(f"{FIRST}:{laptop_server.port}")
        expect(one.page.locator("#name")).to_have_value("Rūta")
        other = phone(Kind("lt", 320, 640))
        other.context.add_init_script(
            "Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false })"
        )
        other.page.goto(link)
        expect(other.page.locator("#locked-down")).to_be_visible()


AWAY = [("seat", "leave", "remove-seat", 2), ("host", "end", "end", 1)]
"""Page, what is opened there, the deed that leads away from the table, and whose it is."""


@pytest.mark.parametrize(("page", "opened", "deed", "who"), AWAY)
def test_what_leads_away_is_sent_from_a_page_that_has_followed_its_table(
    new_phone: Callable[..., Phone], page: str, opened: str, deed: str, who: int
) -> None:
    phones = [new_phone(), new_phone()]
    path, _ = sit(phones, ["Anna", "Berta"])
    phone = phones[who - 1]
    phone.page.goto(f"{path}/{page}")
    send(phone, f"{path}/do/rename-seat", seat=who, name="Annika")
    expect(phone.page.get_by_text("Annika").first).to_be_attached()
    phone.page.locator(f"#{opened} summary").click()
    phone.do(deed)
    phone.page.wait_for_url(re.compile(r"/\?done="))
    assert phone.said == []


def test_the_start_page_says_what_was_chosen_below(new_phone: Callable[..., Phone]) -> None:
    """The way also on the button, which is all that a small phone shows of it at first."""
    page = new_phone(Kind("en", 320, 568)).page
    page.goto("/")
    way, edition = (page.locator(f"[data-chosen={each}-saboteur]") for each in ("way", "edition"))
    expect(way).to_have_text(["Roles and gold"] * 2)
    page.locator("#how > summary").click()
    page.locator("label:has([name=way-saboteur][value=referee])").click()
    expect(way).to_have_text(["Full referee"] * 2)
    expect(page.locator("#open-form .dock button")).to_contain_text("Full referee")
    page.locator("#edition-saboteur").select_option("lt-2009")
    expect(edition).to_have_text(page.locator("#edition-saboteur option:checked").inner_text())


def test_the_book_of_the_start_page_is_of_the_game_that_is_chosen(
    new_phone: Callable[..., Phone],
) -> None:
    page = new_phone(Kind("en", 320, 568)).page
    page.goto("/")
    book = page.get_by_role("link", name="Rules", exact=True)
    for game in ("trains", "saboteur"):
        page.locator(f"label:has([name=game][value={game}])").click()
        expect(book).to_have_attribute("href", re.compile(f"^/rules/{game}"))
