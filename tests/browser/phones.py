"""Phones and table screens as browser contexts, and what people do with them."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from playwright.sync_api import (
    Browser,
    BrowserContext,
    CDPSession,
    Locator,
    Page,
    Response,
    Route,
    expect,
)

from tests.kit.phone import Phone as Plain

PATIENCE_MS = 30_000
"""For whatever comes at once on a computer that has nothing else to do."""

AHEAD_S = 5.0
"""A page's clock is stopped so far ahead: until then a busy computer has done it."""


@dataclass(frozen=True)
class Kind:
    """A phone by what matters for pages: language, size in CSS pixels, colours, script."""

    locale: str
    width: int = 390
    height: int = 844
    colours: str = "dark"
    script: bool = True
    touch: bool = False


FIVE = (
    ("Õnne", Kind("et", 390, 844, "dark")),
    ("Charlotte", Kind("en", 320, 568, "light")),
    ("Jānis", Kind("lv", 412, 915, "dark")),
    ("Rūta", Kind("lt", 360, 640, "light")),
    ("Väinö", Kind("fi", 430, 932, "dark")),
)

HTTP_LOCALE = {"en": "en-GB"}


class Device:
    """One browser with its own storage: a phone or the laptop."""

    def __init__(
        self, browser: Browser, url: str, kind: Kind, storage: dict[str, Any] | None = None
    ) -> None:
        self.kind = kind
        self.url = url
        self.locale = HTTP_LOCALE.get(kind.locale, kind.locale)
        self.context: BrowserContext = browser.new_context(
            base_url=url,
            locale=self.locale,
            viewport={"width": kind.width, "height": kind.height},
            color_scheme=kind.colours,  # type: ignore[arg-type] # one of the two
            java_script_enabled=kind.script,
            has_touch=kind.touch,
            reduced_motion="reduce",
            storage_state=storage,  # type: ignore[arg-type] # as storage_state() gave it
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.said: list[str] = []
        """By the browser's console: errors and warnings; and what no script has caught."""
        self.errors: list[str] = []
        self.taps_watched = False

    @cached_property
    def page(self) -> Page:
        """Opened when it is looked at: some only sit at the table."""
        page = self.context.new_page()
        page.on("console", self._console)
        page.on("pageerror", self._error)
        return page

    @cached_property
    def plain(self) -> Plain:
        """The same phone past its browser, with the cookies that it had when this was first asked
        for: so it asks in half the time."""
        if not self.context.cookies():
            self.context.request.get("/")  # gives the phone its cookie
        cookies = {each["name"]: each["value"] for each in self.context.cookies()}
        return Plain(int(self.url.rpartition(":")[2]), language=self.locale, cookies=cookies)

    def _error(self, error: Any) -> None:
        self.errors.append(str(error))
        self.said.append(str(error))

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.said.append(message.text)

    def close(self) -> None:
        self.context.close()

    @cached_property
    def devtools(self) -> CDPSession:
        return self.context.new_cdp_session(self.page)

    def stop_clock(self) -> None:
        """What its pages show for some seconds stays until `page.clock` goes on or runs ahead."""
        now = time.time()
        self.page.clock.install(time=now)
        self.page.clock.pause_at(now + AHEAD_S)

    def route_once(self, pattern: str | re.Pattern[str], serve: Callable[[Route], Any]) -> None:
        """The next request for such an address is served so.

        The route stays: where one ends, the page's requests that begin meanwhile are not told.
        """
        serves = iter([serve])
        self.context.route(pattern, lambda route: next(serves, Route.continue_)(route))

    def hold(self, pattern: str | re.Pattern[str]) -> Callable[[], Route]:
        """The next request for such an address waits; what is given here waits for it to come."""
        held: list[Route] = []
        self.route_once(pattern, held.append)

        def come() -> Route:
            self.until(lambda: bool(held))
            return held[0]

        return come

    def until(self, there: Callable[[], bool]) -> None:
        """Playwright's own way evaluates a string in the page, which its policy forbids."""
        end = time.monotonic() + PATIENCE_MS / 1000
        while not there():
            assert time.monotonic() < end, "it did not come to that"
            self.page.wait_for_timeout(50)

    def form(self, deed: str) -> Locator:
        """The form of a command, wherever it stands on the page."""
        return self.page.locator(f'form[action$="/do/{deed}"]')

    def do(self, deed: str) -> None:
        self.form(deed).locator("button:not([type=button])").first.click()

    def shot(self, folder: Path | None, name: str, *, whole: bool = True) -> None:
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=folder / f"{name}.png", full_page=whole)


IOS_15 = "delete HTMLFormElement.prototype.requestSubmit"
"""The newest Safari of phones as old as the iPhone 7 lacks this."""

NO_STORAGE = """
for (const name of ["sessionStorage", "localStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("", "SecurityError"); } });
"""
"""A page's first script, where the browser lets it keep nothing but cookies."""


def is_seen(answer: Response) -> bool:
    """Whether it answers the script that says that a card was shown."""
    asked = answer.request
    return asked.url.endswith("/role") and "peek=1" not in (asked.post_data or "")


class Phone(Device):
    """A phone with one seat."""

    def join(self, link: str, name: str) -> None:
        """Scan, type the name, one tap."""
        self.page.goto(link)
        self.page.locator("input[name=name]").fill(name)
        self.form_of_join().locator("button:not([type=button])").first.click()
        self.page.wait_for_url(re.compile(r"/t/[^/]+"))

    def form_of_join(self) -> Locator:
        return self.page.locator("form:has(input[name=name])").first

    @contextmanager
    def holding(self) -> Iterator[Locator]:
        """Presses the pad and keeps it pressed; gives the card."""
        pad = self.page.locator("[data-pad]").first
        pad.scroll_into_view_if_needed()
        box = pad.bounding_box()
        assert box
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.mouse.down()
        try:
            yield self.page.locator("[data-slot]").first
        finally:
            self.page.mouse.up()

    def role(self) -> str:
        """Holds until the role was seen, lets go; "miner" or "saboteur"."""
        assert self.secrets() == set()
        with self.page.expect_response(is_seen) as seen, self.holding() as card:
            shown = card.locator('use[href="#role-sab"], use[href="#role-dig"]')
            role = "saboteur" if shown.get_attribute("href") == "#role-sab" else "miner"
            assert seen.value.ok  # while it is held
        expect(shown).to_have_count(0)
        assert self.secrets() == set()
        return role

    def gold(self) -> tuple[int, ...]:
        """Holds to see the own gold, lets go; the values of all cards held."""
        shown = self.page.locator("[data-slot]").first.locator("use:not([href='#gold-back'])")
        with self.holding() as card:
            expect(card.locator("use[href='#gold-back']")).to_have_count(0)
            cards = shown.evaluate_all("all => all.map(each => each.getAttribute('href'))")
        expect(shown).to_have_count(0)
        return tuple(int(each.removeprefix("#gold-")) for each in cards)

    def secrets(self) -> set[str]:
        """Traces of a role or of gold that the page holds though nobody asks for them."""
        live = self.page.locator("#live").inner_html()
        return set(re.findall(r"#role-(?:sab|dig)|#gold-[123]", live))


def lose_first(page: Page, script: str) -> list[str]:
    """The first request for this script fails; the addresses at which it is asked for."""
    asked: list[str] = []

    def serve(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.abort()
        else:
            route.continue_()

    page.route(f"**/{script}", serve)
    return asked


def scan(picture: Path | bytes, zbarimg: str) -> str:
    """What an independent decoder reads from a screenshot."""
    given = picture if isinstance(picture, bytes) else picture.read_bytes()
    done = subprocess.run(
        [zbarimg, "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", "-"],
        input=given,
        capture_output=True,
        check=False,
    )
    lines = done.stdout.decode().split()
    assert lines, f"no QR code in the picture: {done.stderr.decode()}"
    return lines[0]


def cards_gained(page: Page) -> dict[str, int]:
    """What everyone sees after a round: name -> number of gold cards gained."""
    gained = {}
    for line in page.locator("[aria-labelledby=gains-h] li").all():
        number = line.locator(".num")
        count = number.inner_text() if number.count() else "0"
        gained[line.locator("bdi").inner_text()] = int(re.sub(r"\D", "", count) or "0")
    return gained


def seats(page: Page) -> dict[str, str]:
    """The ring of seats as a page shows it: name -> seat."""
    return {
        item.locator("bdi").inner_text(): (item.get_attribute("id") or "").removeprefix("seat-")
        for item in page.locator("li.seat[id]").all()
    }


def report(phone: Device, finisher: str | None, last: str | None = None) -> None:
    """From the table page: the round is over, how, and by whom. Names as the page shows them."""
    phone.page.locator('a[href$="/report"]').first.click()
    if finisher:
        phone.page.locator("label[for=end-yes]").click()
        choice = phone.page.locator("button[name=finisher]", has_text=finisher)
    else:
        phone.page.locator("label[for=end-no]").click()
        choice = phone.page.locator("button[name=last]")
        choice = choice.filter(has_text=last) if last else choice.last
    choice.click()


def open_table(phone: Device, zbarimg: str, game: str | None = None) -> tuple[str, str]:
    """Opens a table from the home page: its address, and the link that others scan."""
    phone.page.goto("/")
    if game:
        phone.page.locator(f"label:has(input[name=game][value={game}])").click()
    phone.page.locator("form[action='/open'] button.main").click()
    phone.page.wait_for_url(re.compile(r"/t/[\w-]+$"))
    address = phone.page.url
    phone.page.goto(address + "/qr")
    link = scan(phone.page.locator(".plate").first.screenshot(), zbarimg)
    phone.page.goto(address)
    return address, link


COUNT_TAPS = """
window.addEventListener("pointerdown", () => {
  sessionStorage.setItem("taps", 1 + Number(sessionStorage.getItem("taps") ?? 0));
}, true);
"""


def watch_taps(phone: Device) -> Callable[[], int]:
    """Counts every finger put on the glass, over all pages of this phone from its next page on."""
    if not phone.taps_watched:
        phone.context.add_init_script(COUNT_TAPS)
        phone.taps_watched = True
    return lambda: int(phone.page.evaluate("Number(sessionStorage.getItem('taps') ?? 0)"))
