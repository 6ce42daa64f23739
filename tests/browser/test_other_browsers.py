"""What is said to browsers that the tests do not have: to Safari and Firefox on phones."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.phones import IOS_15, Kind, Phone
from tests.browser.tables import dealt_trains, send, sit

pytestmark = pytest.mark.browser


def styles(page: Page, selector: str, name: str) -> set[str]:
    """The values of a property that all these elements have."""
    values = "(all, name) => all.map(each => getComputedStyle(each)[name])"
    return set(page.locator(selector).evaluate_all(values, name))


@pytest.fixture
def dealt(new_phone: Callable[..., Phone]) -> Phone:
    phones = [new_phone() for _ in range(3)]
    path, _ = sit(phones, ("Anna", "Bert", "Carl"))
    send(phones[0], f"{path}/do/start")
    phones[0].page.goto(path)
    return phones[0]


def test_no_words_are_selected_beside_a_card_that_is_held(dealt: Phone) -> None:
    page = dealt.page
    assert styles(page, "html", "userSelect") == {"auto"}
    with dealt.holding():
        expect(page.locator("[data-pad].shown")).to_be_visible()
        assert styles(page, "html", "userSelect") == {"none"}
    expect(page.locator("[data-pad].shown")).to_have_count(0)
    assert styles(page, "html", "userSelect") == {"auto"}


def test_two_quick_taps_zoom_nothing(dealt: Phone) -> None:
    page = dealt.page
    tapped = "button:not([data-pad]), summary, label.choice, a.btn"
    assert styles(page, tapped, "touchAction") == {"manipulation"}
    assert styles(page, "[data-pad]", "touchAction") == {"none"}
    page.goto("/")
    assert styles(page, tapped, "touchAction") == {"manipulation"}


@pytest.mark.parametrize(("width", "divided"), [(390, "manual"), (320, "manual"), (230, "auto")])
def test_headings_are_divided_only_where_a_word_may_not_fit(
    new_phone: Callable[..., Phone], width: int, divided: str
) -> None:
    phone = new_phone(Kind("fi", width, 640))
    path, _ = sit([phone], ["Väinö"])
    phone.page.goto(path)
    assert styles(phone.page, "h1, h2:not(.label)", "hyphens") == {divided}
    assert styles(phone.page, "bdi", "hyphens") == {"manual"}


def test_numbers_on_wagons_stay_light_where_colours_are_forced(
    new_phone: Callable[..., Phone],
) -> None:
    """Wagons stay dark; Firefox lays nothing behind what is written on them."""
    phones = [new_phone(Kind("en", colours="light")) for _ in range(2)]
    page, names = phones[0].page, ("Anna", "Bert")
    playing = dealt_trains(phones, names)
    dealing, _ = sit(phones, names, game="trains")
    send(phones[0], f"{dealing}/do/start")
    page.emulate_media(forced_colors="active")
    for path, written in ((playing, "b"), (dealing, "input")):
        page.goto(path)
        expect(page.locator(f".wag {written}").first).to_be_visible()
        assert styles(page, f".wag {written}", "color") == {"rgb(246, 237, 221)"}
        assert styles(page, f".wag {written}", "forcedColorAdjust") == {"none"}


def test_ios_15_saves_what_the_host_has_changed(new_phone: Callable[..., Phone]) -> None:
    phone = new_phone()
    page = phone.page
    phone.context.add_init_script(IOS_15)
    path, _ = sit([phone], ["Anna"], edition="en")
    page.goto(f"{path}/host")
    page.locator("#edition").select_option("fi")
    expect(page.locator("#host-rules .saved").first).to_have_text("Saved")
    page.reload()
    expect(page.locator("#edition")).to_have_value("fi")
