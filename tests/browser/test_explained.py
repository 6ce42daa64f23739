"""The rules explained together: five phones in five languages and the table screen, in step."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.phones import FIVE, Device, Kind, Phone
from tests.browser.tables import sit

pytestmark = pytest.mark.browser

TITLES = {
    6: {
        "et": "Katkised tööriistad",
        "en": "Broken tools",
        "lv": "Salauzti darbarīki",
        "lt": "Sulaužyti įrankiai",
        "fi": "Rikkinäiset työkalut",
    },
    7: {
        "et": "Varing",
        "en": "Rockfall",
        "lv": "Akmeņu nogruvums",
        "lt": "Akmenų griūtis",
        "fi": "Sortuma",
    },
}
SILENT = "lv"
"""The language of the phone without a script."""

SLACK = 3
"""Pixels by which letters may be higher than their line: so far a part may scroll."""


def kind_of(kind: Kind) -> Kind:
    return Kind(kind.locale, kind.width, kind.height, kind.colours, kind.locale != SILENT)


@pytest.fixture
def table(new_phone: Callable[..., Phone]) -> tuple[list[Phone], str]:
    phones = [new_phone(kind_of(kind)) for _, kind in FIVE]
    path, _ = sit(phones, [name for name, _ in FIVE])
    for phone in phones:
        phone.page.goto(path)
    return phones, path


def are_at(phones: list[Phone], step: int) -> None:
    for phone in phones:
        if not phone.kind.script:
            phone.page.reload()
        expect(phone.page.locator("h1")).to_have_text(TITLES[step][phone.kind.locale])


def test_five_languages_in_step(table: tuple[list[Phone], str]) -> None:
    phones, path = table
    host = phones[0]
    screen = host.context.new_page()
    screen.goto(f"{path}/screen")
    host.form("explain").locator("button").click()
    for step in range(2, 7):
        host.form("explain").locator(f"button[value='{step}']").click()
    are_at(phones, 6)
    expect(screen.locator("h1")).to_have_text(TITLES[6]["et"])
    phones[3].page.reload()
    are_at(phones, 6)

    screen.locator("form[action$='/do/explain'] .main").click()  # it has the host's right
    expect(screen.locator("h1")).to_have_text(TITLES[7]["et"])
    are_at(phones, 7)
    host.form("explain").locator("button[value='6']").click()
    are_at(phones, 6)
    host.form("explain").locator("button[value='']").click()
    for phone in phones[1:]:
        if not phone.kind.script:
            phone.page.reload()
        expect(phone.page.locator(".step")).to_have_count(0)
        assert not phone.said
    host.do("start")
    expect(phones[1].page.locator("[data-pad]").first).to_be_visible()
    assert not host.said


@pytest.mark.parametrize("locale", ["en", SILENT])
def test_what_one_tries_is_ones_own(table: tuple[list[Phone], str], locale: str) -> None:
    phones, _ = table
    host = phones[0]
    mine = next(phone for phone in phones if phone.kind.locale == locale)
    other = next(phone for phone in phones[1:] if phone is not mine and phone.kind.script)
    host.form("explain").locator("button").click()
    host.form("explain").locator("button[value='2']").click()
    expect(host.page.locator("#try-2-1")).to_be_attached()
    if not mine.kind.script:
        mine.page.reload()
    for choice, right in ((1, False), (2, True), (3, False)):
        mine.page.locator(f"label[for=try-2-{choice}]").click()
        reply = mine.page.locator(".reply:visible")
        expect(reply).to_have_count(1)
        assert ("right" in (reply.get_attribute("class") or "")) is right
    expect(other.page.locator("#try-2-1")).to_be_attached()
    expect(other.page.locator(".reply:visible")).to_have_count(0)
    host.form("explain").locator("button[value='3']").click()
    if not mine.kind.script:
        mine.page.reload()
    expect(mine.page.locator("#try-3-1")).to_be_attached()
    expect(mine.page.locator(".try:checked")).to_have_count(0)
    expect(mine.page.locator(".reply:visible")).to_have_count(0)


def test_by_keys(new_phone: Callable[..., Phone]) -> None:
    page = new_phone(Kind("fi", 320, 640)).page
    page.goto("/explain/saboteur?step=4")
    page.locator("#try-4-1").focus()
    page.keyboard.press("Space")
    expect(page.locator(".reply.right:visible")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(page.locator(".reply.right:visible")).to_have_count(0)
    expect(page.locator(".is2")).to_be_in_viewport()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#try-5-1")).to_be_attached()


@pytest.mark.parametrize(("game", "steps"), [("saboteur", 12), ("trains", 10)])
def test_every_step_fits_the_table_screen(laptop: Device, game: str, steps: int) -> None:
    """At 1280 × 720, in the language with the longest words: nothing of it is below the edge, and
    so it is with what answers a try; the rest stays where it is when that is shown."""
    page = laptop.page
    path, _ = sit([laptop], ["Õnne"], game=game)
    laptop.context.add_cookies([{"name": "screen_locale", "value": "lt", "url": laptop.url}])
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{path}/screen")
    for step in range(1, steps + 1):
        page.locator(f"form[action$='/do/explain'] button[value='{step}']").click()
        expect(page.locator(f"#try-{step}-1")).to_be_attached()
        for part in (".drawn", ".asked", "label.on3"):
            box = page.locator(part).bounding_box()
            lead = page.locator(".tvlead").bounding_box()
            assert box
            assert lead
            assert box["y"] + box["height"] <= lead["y"], (step, part)
        asked = page.locator(".asked").bounding_box()
        assert asked
        for choice in range(1, page.locator(".try").count() + 1):
            page.locator(f"label.on{choice}").click()
            box = page.locator(".reply:visible").bounding_box()
            assert box
            assert box["y"] + box["height"] <= lead["y"], (step, choice)
        still = page.locator(".asked").bounding_box()
        assert still
        assert abs(still["y"] - asked["y"]) <= SLACK


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_what_can_be_tapped_in_a_drawing_is_seen_on_any_ground(
    new_phone: Callable[..., Phone], colours: str
) -> None:
    """On a pale path as on rock: its dashes are pale, and lie between dark lines."""
    page = new_phone(Kind("en", 320, 568, colours)).page
    page.goto("/explain/saboteur?step=7")
    page.locator(".plan .over").first.wait_for()
    lines, wall = page.evaluate(
        """() => {
          const spot = document.querySelector(".plan .over");
          const probe = document.body.appendChild(document.createElement("i"));
          probe.style.color = "var(--k-wall)";
          return [getComputedStyle(spot, "::before").boxShadow, getComputedStyle(probe).color];
        }"""
    )
    assert lines.count(wall) == 2
