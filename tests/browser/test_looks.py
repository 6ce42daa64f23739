"""Every page in every language: usable by everyone, nothing cut, nothing sticking out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Page, Playwright

from companion.i18n import LOCALES
from tests.browser.gallery import Visit, hang
from tests.browser.phones import Device, Kind
from tests.browser.server import Server

pytestmark = pytest.mark.browser

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")

SPILLS = (Path(__file__).parent / "spills.js").read_text(encoding="utf-8")

NARROW, WIDE = {"width": 320, "height": 640}, {"width": 1366, "height": 768}


@pytest.fixture(scope="module")
def visits(
    playwright: Playwright, browser: Browser, server: Server, zbarimg: str
) -> Iterator[list[Visit]]:
    devices = [Device(browser, server.url, Kind("en", 320, 640)) for _ in range(3)]
    others = [playwright.request.new_context(base_url=server.url) for _ in range(8)]
    yield hang(devices[0], devices[1], devices[2], others, zbarimg)
    for device in devices:
        device.close()
    for other in others:
        other.dispose()


@pytest.fixture(scope="module")
def large_print(open_browser: Callable[..., Browser], visits: list[Visit]) -> Iterator[list[Visit]]:
    """The same pages on phones whose owners have set the text to twice its size."""
    browser = open_browser("--blink-settings=defaultFontSize=32,defaultFixedFontSize=26")
    twins: dict[int, Device] = {}
    for visit in visits:
        if id(visit.device) not in twins:
            kept = visit.device.context.storage_state()
            twins[id(visit.device)] = Device(
                browser, visit.device.url, Kind("en", 320, 640), storage=dict(kept)
            )
    yield [
        Visit(visit.name, twins[id(visit.device)], visit.path, visit.then, visit.wide)
        for visit in visits
    ]
    for device in twins.values():
        device.close()


def go(visit: Visit, locale: str, size: dict[str, int]) -> Page:
    """Goes to the page as a reader of `locale` and does what belongs to the visit."""
    page = visit.device.page
    page.set_viewport_size(size)  # type: ignore[arg-type] # width and height
    visit.device.context.add_cookies(
        [
            {"name": name, "value": locale, "url": visit.device.url}
            for name in ("locale", "screen_locale")
        ]
    )
    page.goto(visit.path)
    if visit.then:
        visit.then(page)
    lang = page.locator("html").get_attribute("lang")
    assert lang == ("en-GB" if locale == "en" else locale), (visit.name, lang)
    return page


def complaints(page: Page, *rules: str) -> list[str]:
    """What axe-core finds wrong; all its rules, or those named."""
    page.evaluate(AXE)
    found = page.evaluate(
        "rules => axe.run(document, rules.length ? {runOnly: {type: 'rule', values: rules}} : {})",
        list(rules),
    )
    return [
        f"{wrong['id']}: {node['target']}: {node['failureSummary']}"
        for wrong in found["violations"]
        for node in wrong["nodes"]
    ]


@pytest.mark.parametrize("locale", LOCALES)
def test_no_page_shuts_anybody_out(visits: list[Visit], locale: str) -> None:
    wrong = []
    for visit in visits:
        page = go(visit, locale, WIDE if visit.wide else NARROW)
        wrong += [f"{visit.name}: {each}" for each in complaints(page)]
    assert wrong == []


def test_colours_can_be_told_apart_in_daylight_too(visits: list[Visit]) -> None:
    wrong = []
    for visit in visits:
        visit.device.page.emulate_media(color_scheme="light")
        page = go(visit, "en", WIDE if visit.wide else NARROW)
        wrong += [f"{visit.name}: {each}" for each in complaints(page, "color-contrast")]
        page.emulate_media(color_scheme="dark")
    assert wrong == []


@pytest.mark.parametrize("locale", LOCALES)
def test_no_text_is_cut_at_320_pixels(
    visits: list[Visit], locale: str, pictures: Path | None
) -> None:
    wrong = []
    for visit in visits:
        for size in (NARROW, WIDE) if visit.wide else (NARROW,):
            page = go(visit, locale, size)
            wrong += [f"{visit.name}: {each}" for each in page.evaluate(SPILLS)]
            visit.device.shot(pictures, f"gallery-{visit.name}-{size['width']}-{locale}")
    assert wrong == []


@pytest.mark.parametrize("locale", LOCALES)
def test_no_text_is_cut_at_twice_its_size(
    large_print: list[Visit], locale: str, pictures: Path | None
) -> None:
    wrong = []
    for visit in large_print:
        page = go(visit, locale, WIDE if visit.wide else NARROW)
        wrong += [f"{visit.name}: {each}" for each in page.evaluate(SPILLS)]
        visit.device.shot(pictures, f"large-{visit.name}-{locale}")
    assert wrong == []
