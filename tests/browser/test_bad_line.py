"""What is lost on a bad line: neither does the page claim it for ever, nor does the table wait."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.phones import Device, Phone
from tests.browser.referee import Round, place, sheet
from tests.browser.tables import send, sit
from tests.browser.test_coming_back import Three
from tests.browser.test_fair import until
from tests.browser.test_told_first import comes_back

pytestmark = pytest.mark.browser

NewPhone = Callable[..., Phone]

NAMES = ("Anna", "Berta", "Carl")

NO_NETWORK = 'Object.defineProperty(Navigator.prototype, "onLine", { get: () => false });'
"""The machine that serves, without any network but its own hotspot."""


def heading(page: Page) -> Locator:
    return page.locator("#seats h1:visible").first


def test_links_lead_on_where_the_browser_knows_no_network(new_phone: NewPhone) -> None:
    """But is in touch with the table, on the same machine."""
    phone = new_phone()
    path, _ = sit([phone], NAMES[:1])
    phone.context.add_init_script(NO_NETWORK)
    phone.page.goto(path)
    expect(phone.page.locator("#offline")).to_be_hidden()
    phone.page.locator("a[href*='/rules']").first.click()
    phone.page.wait_for_url(re.compile("/rules/"))


def test_a_page_stays_where_a_proxy_knows_nobody_behind_it(new_phone: NewPhone) -> None:
    """While the program starts: the answer is not the program's, and no page of its follows."""
    phone = new_phone()
    path, _ = sit([phone], NAMES[:1])
    page = phone.page
    page.goto(f"{path}/screen")
    page.evaluate("window.stays = true")
    asked: list[str] = []

    def away(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=404, body="404 page not found", content_type="text/plain")

    phone.context.route("**/t/**", away)
    page.evaluate("dispatchEvent(new Event('online'))")
    until(phone, lambda: len(asked) > 2)
    phone.context.unroute("**/t/**")
    comes_back(phone)
    expect(page.locator("#offline")).to_be_hidden()
    assert page.evaluate("window.stays")
    phone.said.clear()


def test_not_sent_is_not_said_of_what_has_arrived(new_phone: NewPhone) -> None:
    """The answer is lost, and whoever sent it has closed the sheet by then."""
    phone = Round(new_phone, "en", 3).on()
    page = phone.page
    lost: list[Route] = []
    phone.context.route("**/do/play", lambda route: lost.append(route), times=1)
    place(phone, 1, 0).press("Enter")
    button = sheet(phone, "place").locator("button[name=card]").first
    phone.context.route("**/live?*", lambda route: route.abort())  # the table is not heard of
    page.evaluate("dispatchEvent(new Event('online'))")
    button.press("Enter")
    until(phone, lambda: bool(lost))
    page.keyboard.press("Escape")
    expect(page.locator("#sheet .sheet")).to_have_count(0)
    lost[0].fetch()
    lost[0].abort()
    expect(page.locator(".unsaid")).to_be_visible()
    phone.context.unroute("**/live?*")
    comes_back(phone)
    expect(heading(page)).not_to_have_text("Your turn")
    expect(page.locator(".unsaid")).to_have_count(0)
    phone.said.clear()


def test_the_answer_to_a_sheet_closes_no_other(new_phone: NewPhone) -> None:
    phone = Round(new_phone, "en", 3).on()
    page = phone.page
    held: list[Route] = []
    phone.context.route("**/do/play", lambda route: held.append(route), times=1)
    place(phone, 1, 0).press("Enter")
    sheet(phone, "place").locator("button[name=card]").first.press("Enter")
    until(phone, lambda: bool(held))
    page.keyboard.press("Escape")
    expect(page.locator("#sheet .sheet")).to_have_count(0)
    page.locator("a[data-sheet][href*=count]").first.press("Enter")
    expect(page.locator("#sheet .sheet")).to_be_visible()
    with page.expect_response("**/do/play"):
        held[0].continue_()
    expect(heading(page)).not_to_have_text("Your turn")
    expect(page.locator("#sheet .sheet")).to_be_visible()


def test_a_turn_of_the_view_that_was_lost_is_not_told_for_ever(new_phone: NewPhone) -> None:
    table = Round(new_phone, "en", 3)
    phone = table.on()
    page = phone.page
    phone.context.route("**/turn?*", lambda route: route.abort(), times=1)
    page.locator("form[action*='/turn'] button").first.press("Enter")
    expect(page.locator(".unsaid")).to_be_visible()
    for number in range(3):
        now = table.turn
        form = {"play": "pass", "seat": str(now + 1), "key": f"k{number}"}
        assert table.post(table.phones[now], "do/play", **form) == 303
        table.seen_by_all(table.names[(now + 1) % 3])
    expect(page.locator(".unsaid")).to_have_count(0)
    phone.said.clear()


def test_that_a_card_was_seen_is_told_again_where_it_was_lost(new_phone: NewPhone) -> None:
    """Else all wait for somebody who has looked."""
    three = Three(new_phone)
    three.start()
    phone = three.guests[0]
    lost: list[str] = []

    def lose(route: Route) -> None:
        if "peek" in (route.request.post_data or ""):
            return route.continue_()
        lost.append(route.request.url)
        return route.abort()

    phone.context.route("**/role", lose)
    with phone.holding() as card:
        expect(card.locator("use[href='#role-sab'], use[href='#role-dig']")).to_have_count(1)
        until(phone, lambda: bool(lost))
    with phone.page.expect_response("**/role"):
        phone.context.unroute("**/role")
    phone.said.clear()


@pytest.mark.parametrize("opened", [False, True], ids=["closed", "open"])
def test_a_laptop_goes_to_its_screen_whatever_sheet_is_open(
    laptop: Device, new_phone: NewPhone, opened: bool
) -> None:
    """At the end of a round: what closes the sheet must not stop the way there."""
    phones = [new_phone() for _ in NAMES]
    path, _ = sit([laptop, *phones], ("Host", *NAMES), way="referee", edition="en")
    send(laptop, f"{path}/do/start", starter=1)
    for seat, device in enumerate((laptop, *phones), 1):
        send(device, f"{path}/role", seat=seat)
    page = laptop.page
    page.goto(f"{path}/screen")
    page.locator(f"a[href='{path}?screen=1']").click()
    page.locator('.pan a[href*="place=1,0"]').press("Enter")
    expect(page.locator("#sheet .sheet")).to_be_visible()
    if not opened:
        page.keyboard.press("Escape")
        expect(page.locator("#sheet .sheet")).to_have_count(0)
    send(laptop, f"{path}/do/play", play="result", reached="0", last="3")
    page.wait_for_url(re.compile(r"/screen$"))
