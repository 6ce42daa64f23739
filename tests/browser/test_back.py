"""The browser's history tells no secret: neither Back nor Forward nor a page that is restored."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Error, Page, expect

from tests.browser.phones import Kind, Phone, report
from tests.browser.referee import Round, place, sheet
from tests.browser.tables import sit

pytestmark = pytest.mark.browser

NewPhone = Callable[..., Phone]
ROLE = 'use[href="#role-sab"], use[href="#role-dig"]'
GOLD = 'use[href="#gold-1"], use[href="#gold-2"], use[href="#gold-3"]'


class Three:
    """A phone that hosts and plays, one without script, and one more; the roles are dealt."""

    def __init__(self, new_phone: NewPhone) -> None:
        self.host = new_phone(Kind("en"))
        self.plain = new_phone(Kind("lv", script=False))
        self.other = new_phone(Kind("fi"))
        phones = (self.host, self.plain, self.other)
        path, _ = sit(phones, ("Berta", "Ilze", "Jukka"))
        self.url = self.host.url + path
        for phone in phones:
            phone.page.goto(path)
        self.host.do("start")
        expect(self.host.page.locator("[data-pad]").first).to_be_visible()

    def miners_win(self) -> None:
        """By word of the phone that has looked last; whoever dug has gold then."""
        report(self.other, "Berta")
        expect(self.host.page.locator("[aria-labelledby=roles-h]").first).to_be_attached()


@pytest.fixture
def three(new_phone: NewPhone) -> Three:
    return Three(new_phone)


def goes(page: Page, to: str) -> None:
    """Back or forward, to whatever the browser still has."""
    try:
        page.go_back() if to == "back" else page.go_forward()
    except Error as error:  # it keeps nothing, and asks before it would send the form again
        assert "ERR_CACHE_MISS" in str(error), error  # noqa: PT017 - it may well have it


def nothing_is_told(page: Page, what: str = ROLE) -> None:
    expect(page.locator("#live").locator(what)).to_have_count(0)


def test_a_role_that_was_held_is_gone_after_back_and_forward(three: Three) -> None:
    page = three.host.page
    with three.host.holding() as card:
        expect(card.locator(ROLE)).to_have_count(1)
        page.goto("/rules/saboteur")  # with the finger on the glass
    for _ in range(2):
        goes(page, "back")
        expect(page.locator("#live")).to_be_visible()
        nothing_is_told(page)
        assert three.host.secrets() == set()
        goes(page, "forward")


def test_without_script_back_shows_no_role(three: Three) -> None:
    page = three.plain.page
    page.goto(three.url)
    page.locator("[data-pad]").first.click()
    expect(page.locator(ROLE)).to_have_count(1)
    page.locator("main a.btn.main").click()  # hide it
    page.wait_for_url(f"{three.url}?seat=*")
    nothing_is_told(page)
    goes(page, "back")
    nothing_is_told(page)
    goes(page, "back")
    nothing_is_told(page)


def test_gold_that_was_held_is_gone_after_back(three: Three) -> None:
    for phone in (three.host, three.other):
        phone.role()
    page = three.plain.page
    page.goto(three.url)
    page.locator("[data-pad]").first.click()
    three.miners_win()
    shown = 0
    for phone in (three.host, three.other):
        expect(phone.page.locator("[aria-labelledby=roles-h]").first).to_be_attached()
        if not phone.page.locator("[data-slot] .goldcard").count():
            continue
        with phone.holding() as card:
            expect(card.locator("use[href='#gold-back']")).to_have_count(0)
            phone.page.goto("/rules/saboteur")
        goes(phone.page, "back")
        expect(phone.page.locator("[data-slot] use[href='#gold-back']").first).to_be_attached()
        nothing_is_told(phone.page, GOLD)
        shown += 1
    assert shown, "nobody has any gold"


def test_after_a_reload_with_an_open_sheet_back_leads_back(new_phone: NewPhone) -> None:
    table = Round(new_phone, "en", 3, shown=(0,))
    page = table.on().page
    page.goto(f"{table.path}/seat")
    page.goto(table.path)
    place(table.on(), 1, 0).press("Enter")
    sheet(table.on(), "place")
    page.reload()
    expect(page.locator(".pan")).to_be_visible()
    table.on().until(lambda: not page.evaluate("history.state?.sheet"))
    goes(page, "back")
    page.wait_for_url("**/seat")
