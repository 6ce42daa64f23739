"""What is printed, as a real browser lays it out on paper: how many sheets, and nothing cut."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.games import GAMES
from companion.languages import LOCALES
from tests.browser.phones import Kind, Phone
from tests.browser.tables import send, sit

pytestmark = pytest.mark.browser

MM = 96 / 25.4

CUT = """[...document.querySelectorAll("article :not(.vh)")]
    .filter(each => each.clientWidth && each.scrollWidth > each.clientWidth + 1)
    .map(each => each.outerHTML)"""
"""What is wider than its column."""


def sheets(page: Page) -> int:
    """Sides of paper, of the size that the page asks for."""
    paper = page.pdf(prefer_css_page_size=True)
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", paper))


@pytest.mark.parametrize("locale", LOCALES)
def test_the_rules_of_a_game_fit_on_both_sides_of_a_sheet(
    new_phone: Callable[..., Phone], locale: str
) -> None:
    page = new_phone(Kind(locale)).page
    for game, manifest in GAMES.items():
        for edition in manifest.editions:
            page.goto(f"/rules/{game}?edition={edition}")
            assert sheets(page) <= 2, (game, edition)
            page.emulate_media(media="print")
            page.set_viewport_size({"width": int(190 * MM), "height": int(277 * MM)})
            assert page.evaluate(CUT) == [], (game, edition)
            expect(page.locator(".btn:visible")).to_have_count(0)  # no finger taps paper
            page.emulate_media(media="null")


@pytest.mark.parametrize("game", GAMES)
def test_a_score_sheet_is_one_sheet_full_of_rows(
    new_phone: Callable[..., Phone], game: str
) -> None:
    page = new_phone().page
    page.goto(f"/rules/{game}")
    page.get_by_role("link", name="Score sheet").click()
    page.locator(".points").first.wait_for()
    assert sheets(page) == 1
    rows = page.locator(".points").first.locator("tbody tr")
    assert rows.count() == GAMES[game].seat_counts[-1]
    page.emulate_media(media="print")
    table = page.locator(".points").last.bounding_box()
    assert table is not None
    assert table["y"] + table["height"] > 200 * MM  # the paper is used


def test_a_tent_stands_on_one_sheet_and_says_it_in_every_language(
    new_phone: Callable[..., Phone],
) -> None:
    phone = new_phone(Kind("lt"))
    path, _ = sit([phone], ["Ona"])
    page = phone.page
    page.goto(path + "/qr")
    page.locator(f"a[href='{path}/tent']").click()
    page.locator(".tent").first.wait_for()
    assert sheets(page) == 1
    page.emulate_media(media="print")
    page.set_viewport_size({"width": int(297 * MM), "height": int(210 * MM)})
    faces = page.locator(".face")
    assert faces.count() == 4
    for face in faces.all():
        box = face.bounding_box()
        assert box is not None
        assert box["width"] == pytest.approx(148.5 * MM, abs=2)
        assert box["height"] == pytest.approx(104 * MM, abs=2)
        assert face.locator("[lang]").count() == len(LOCALES)
        inside = face.evaluate("face => face.scrollHeight <= face.clientHeight")
        assert inside
    page.emulate_media(media="null")
    page.wait_for_load_state()  # its scripts have run
    page.evaluate("window.print = () => { window.printed = true; }")
    page.locator("[data-print]").click()
    assert page.evaluate("window.printed")
    assert phone.said == []


def test_the_page_with_the_code_is_one_sheet_of_codes(new_phone: Callable[..., Phone]) -> None:
    """Also where a Wi-Fi network has one, and everybody has sat down."""
    phones = [new_phone(Kind("lt")) for _ in range(10)]
    path, _ = sit(phones, [f"Wilhelmiina-Žygimantė {number}" for number in range(10)])
    page = phones[0].page
    send(phones[0], f"{path}/do/set-wifi", wifi_name="Adit", wifi_password="pickaxes")
    page.goto(path + "/qr")
    assert sheets(page) == 1
    page.emulate_media(media="print")
    expect(page.locator(".plate:visible")).to_have_count(2)
    for seen in ("a:visible", "button:visible", "summary:visible"):
        expect(page.locator(seen)).to_have_count(0)
    dark = page.locator("#way-in").evaluate("each => getComputedStyle(each).color")
    assert dark == "rgb(0, 0, 0)"


def test_no_sheet_is_as_high_as_a_window(new_phone: Callable[..., Phone]) -> None:
    """Firefox takes a window's height on paper for more than what lies within the margins."""
    phone = new_phone()
    table, _ = sit([phone], ["Anna"])
    page = phone.page
    page.emulate_media(media="print")
    for path in ("/rules/saboteur", "/rules/trains", f"{table}/qr"):
        page.goto(path)
        for part in ("body", ".page"):
            height = "each => getComputedStyle(each).minHeight"
            assert page.locator(part).first.evaluate(height) == "0px"
