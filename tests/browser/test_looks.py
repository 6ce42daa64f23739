"""Every page in every language: usable by everyone, nothing cut, nothing sticking out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, ViewportSize

from companion.i18n import LOCALES
from tests.browser import gallery_referee, gallery_trains
from tests.browser.gallery import Visit, go, hang
from tests.browser.looks import BREAKS, SPILLS, complaints
from tests.browser.phones import Device, Kind
from tests.kit.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NARROW: ViewportSize = {"width": 320, "height": 640}
WIDE: ViewportSize = {"width": 1366, "height": 768}


@pytest.fixture(scope="module")
def visits(playwright: Playwright, browser: Browser, server: Server) -> Iterator[list[Visit]]:
    devices = [Device(browser, server.url, Kind("en", 320, 640)) for _ in range(5)]
    others = [playwright.request.new_context(base_url=server.url) for _ in range(8)]
    shown = hang(devices[0], devices[1], devices[2], others)
    shown += gallery_referee.hang(devices[0], devices[1], others)
    # A phone may send only so many forms in a minute.
    shown += gallery_referee.hang_six(devices[3], devices[4], others)
    yield shown + gallery_trains.hang(devices[0], devices[1], others)
    for device in devices:
        device.close()
    for other in others:
        other.dispose()


class Findings:
    """All that is wrong in one language, found in one walk over all pages."""

    def __init__(self, visits: list[Visit], locale: str, pictures: Path | None) -> None:
        self.barriers: list[str] = []
        self.daylight: list[str] = []
        self.cut: list[str] = []
        self.broken: list[str] = []
        self.cut_when_large: list[str] = []
        for visit in visits:
            page = go(visit, locale, WIDE if visit.wide else NARROW)
            once = () if locale == "en" else ("color-contrast",)  # the same in all languages
            self.barriers += said_of(visit, complaints(page, but=(*visit.excused, *once)))
            if locale == "en":
                page.emulate_media(color_scheme="light")
                self.daylight += said_of(visit, complaints(page, only=("color-contrast",)))
                page.emulate_media(color_scheme="dark")
            for size in (WIDE, NARROW) if visit.wide else (NARROW,):
                page.set_viewport_size(size)
                self.cut += said_of(visit, page.evaluate(SPILLS))
                visit.device.shot(pictures, f"gallery-{visit.name}-{size['width']}-{locale}")
            if visit.wide:
                page.set_viewport_size(WIDE)
            else:
                self.broken += said_of(visit, page.evaluate(BREAKS))
            with large_print(page):
                self.cut_when_large += said_of(visit, page.evaluate(SPILLS))
                name = f"gallery-{visit.name}-large-{locale}"
                visit.device.shot(pictures, name, whole=False)  # a whole one resets the size


def said_of(visit: Visit, what: list[str]) -> list[str]:
    return [f"{visit.name}: {each}" for each in what]


@contextmanager
def large_print(page: Page) -> Iterator[None]:
    """A reader who has set the browser's text to twice its size."""
    session = page.context.new_cdp_session(page)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    yield
    session.detach()


@pytest.fixture(scope="module")
def findings(visits: list[Visit], pictures: Path | None) -> Callable[[str], Findings]:
    return cache(lambda locale: Findings(visits, locale, pictures))


@pytest.mark.parametrize("locale", LOCALES)
def test_no_page_shuts_anybody_out(findings: Callable[[str], Findings], locale: str) -> None:
    wrong = findings(locale).barriers
    assert not wrong, "\n".join(wrong)


def test_colours_can_be_told_apart_in_daylight_too(findings: Callable[[str], Findings]) -> None:
    wrong = findings("en").daylight
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("locale", LOCALES)
def test_no_text_is_cut_at_320_pixels(findings: Callable[[str], Findings], locale: str) -> None:
    wrong = findings(locale).cut
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("locale", LOCALES)
def test_no_word_is_broken_at_320_pixels(findings: Callable[[str], Findings], locale: str) -> None:
    wrong = findings(locale).broken
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("locale", LOCALES)
def test_no_text_is_cut_at_twice_its_size(findings: Callable[[str], Findings], locale: str) -> None:
    wrong = findings(locale).cut_when_large
    assert not wrong, "\n".join(wrong)
