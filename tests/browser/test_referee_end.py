"""The end of a round under the referee: the maze lies lit for some seconds, then come the roles."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.phones import Phone
from tests.browser.referee import Others, Round

pytestmark = pytest.mark.browser

TO_THE_GOAL = ("NESW", "NESW", "NESW", "NESW", "NESW", "EW", "EW")
PLAYS = [f"path {card} {column},0" for column, card in enumerate(TO_THE_GOAL, 1)]


def open_still(page: Page) -> bool:
    return bool(page.evaluate("!!document.querySelector('#still:popover-open')"))


def test_the_end_is_a_moment(new_phone: Callable[..., Phone]) -> None:
    table = Round(new_phone, "lv-2009", 3)
    others = Others(table)
    others(*PLAYS)
    anna, bert = (phone.page for phone in table.phones[:2])
    for phone in table.phones[:2]:
        phone.stop_clock()
    others("reveal middle treasure")
    still = anna.locator("#still")
    expect(still).to_be_visible()
    expect(still.locator("use[href='#treasure']")).to_be_visible()
    anna.reload()
    expect(still).to_be_visible()
    anna.clock.fast_forward(5000)
    expect(still).to_be_visible()
    anna.clock.fast_forward(2000)
    expect(still).to_be_hidden()
    expect(anna.locator("#roles")).to_be_visible()
    anna.reload()
    expect(anna.locator("#roles")).to_be_visible()
    assert not open_still(anna)
    anna.get_by_role("button", name="Show the maze").click()
    expect(still).to_be_visible()
    still.get_by_role("button", name="Close").click()
    expect(still).to_be_hidden()

    expect(bert.locator("#still")).to_be_visible()  # it has not been reloaded
    bert.keyboard.press("Escape")
    expect(bert.locator("#still")).to_be_hidden()


def test_whoever_comes_later_sees_the_result(new_phone: Callable[..., Phone]) -> None:
    table = Round(new_phone, "lv-2009", 3)
    Others(table)(*PLAYS, "reveal middle treasure")
    fresh = table.phones[2].context.new_page()
    fresh.goto(table.url)
    expect(fresh.locator("#roles")).to_be_visible()
    assert not open_still(fresh)


def test_what_a_goal_card_shows_is_asked_in_sight_also_of_who_comes_back(
    new_phone: Callable[..., Phone],
) -> None:
    table = Round(new_phone, "lv-2009", 3)
    anna = table.phones[0].page
    anna.set_viewport_size({"width": 320, "height": 568})
    Others(table)(*PLAYS)
    for _ in range(2):
        answers = anna.locator("#asked .choices button")
        expect(answers).to_have_count(3)
        for answer in answers.all():
            expect(answer).to_be_in_viewport(ratio=1)
        anna.reload()
