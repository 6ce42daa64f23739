"""The end of a round under the referee: the maze lies lit for some seconds, then come the roles."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.phones import Phone, lose_first
from tests.browser.referee import Others, Round, lay, seen_the_end, sheet

pytestmark = pytest.mark.browser

TO_THE_GOAL = ("NESW", "NESW", "NESW", "NESW", "NESW", "EW", "EW")
PLAYS = [f"{card} {column},0" for column, card in enumerate(TO_THE_GOAL, 1)]


def open_still(page: Page) -> bool:
    return bool(page.evaluate("!!document.querySelector('#still:popover-open')"))


def test_the_end_is_a_moment(new_phone: Callable[..., Phone]) -> None:
    table = Round(new_phone, "lv-2009", 3, shown=(0, 1))
    others = Others(table)
    others(*PLAYS)
    anna, bert = (phone.page for phone in table.phones[:2])
    for phone in table.phones[:2]:
        phone.stop_clock()
    others("turn middle treasure")
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


LIT = """() => {
  const [said, light] = [".lead", ".beam"].map(each => {
    return document.querySelector(`.still ${each}`).getBoundingClientRect();
  });
  const x = (light.left + light.right) / 2, y = (Math.max(said.top, light.top) + said.bottom) / 2;
  return [light.top < said.bottom, document.elementFromPoint(x, y).getAttribute("class")];
}"""
"""Whether the light reaches what is said above the maze; and which of both is seen there."""


def test_the_light_lies_under_who_reached_the_goal(new_phone: Callable[..., Phone]) -> None:
    table = Round(new_phone, "lv-2009", 3, shown=())
    Others(table)(*PLAYS, "turn middle treasure")
    fresh = table.phones[2].context.new_page()
    fresh.set_viewport_size({"width": 640, "height": 360})
    fresh.goto(table.url)
    fresh.get_by_role("button", name="Show the maze").click()
    expect(fresh.locator("#still")).to_be_visible()
    assert fresh.evaluate(LIT) == [True, "lead"]


def test_whoever_comes_later_sees_the_result(new_phone: Callable[..., Phone]) -> None:
    table = Round(new_phone, "lv-2009", 3, shown=())
    Others(table)(*PLAYS, "turn middle treasure")
    fresh = table.phones[2].context.new_page()
    fresh.goto(table.url)
    expect(fresh.locator("#roles")).to_be_visible()
    assert not open_still(fresh)


def test_what_a_goal_card_shows_is_asked_in_sight_also_of_who_comes_back(
    new_phone: Callable[..., Phone],
) -> None:
    table = Round(new_phone, "lv-2009", 3, shown=(0,))
    anna = table.phones[0].page
    anna.set_viewport_size({"width": 320, "height": 568})
    Others(table)(*PLAYS)
    for _ in range(2):
        answers = anna.locator("#asked .choices button")
        expect(answers).to_have_count(3)
        for answer in answers.all():
            expect(answer).to_be_in_viewport(ratio=1)
        anna.reload()


def test_what_a_goal_card_shows_is_asked_in_sight_of_who_reached_it(
    new_phone: Callable[..., Phone],
) -> None:
    """Whose sheet has just gone, on a page that was scrolled."""
    table = Round(new_phone, "lv-2009", 3)
    anna = table.phones[0]
    anna.page.set_viewport_size({"width": 320, "height": 568})
    Others(table)(*PLAYS[:-1])
    table.seen_by_all("Anna")
    anna.page.evaluate("scrollTo(0, 60)")
    lay(anna, TO_THE_GOAL[-1], len(TO_THE_GOAL), 0)
    asked = anna.page.locator("#asked")
    expect(asked.locator(".choices button")).to_have_count(3)
    for button in asked.locator("button").all():
        expect(button).to_be_in_viewport(ratio=1)
    asked.locator(".choices button").first.click()
    expect(anna.page.locator("#roles")).to_be_attached()
    assert anna.page.evaluate("scrollY") == 0


def test_whoever_has_a_sheet_open_when_the_round_ends_reads_from_its_top(
    new_phone: Callable[..., Phone],
) -> None:
    table = Round(new_phone, "lv-2009", 3)
    others, bert = Others(table), table.phones[1]
    others(*PLAYS)
    table.shown_to_all()
    bert.page.set_viewport_size({"width": 320, "height": 568})
    bert.page.locator("#more a[href*=copies]").click()
    sheet(bert, "copies")
    assert bert.page.evaluate("scrollY") > 100
    others("turn middle treasure")
    expect(bert.page.locator("#roles")).to_be_attached()
    expect(bert.page.locator("main h1").first).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("closes", [True, False])
def test_a_notice_is_one_line_when_a_round_ends(
    new_phone: Callable[..., Phone], closes: bool
) -> None:
    """Whether it was closed before or not: roles and gold are what all look at then."""
    table = Round(new_phone, "lv-2009", 3)
    others = Others(table)
    others(*PLAYS[:-1])
    anna, bert, carl = (phone.page for phone in table.phones)
    carl.goto(f"{table.path}/seat")
    table.phones[2].do("offer-move")
    new = new_phone().page
    new.goto("/")
    new.locator("#code").fill(carl.locator(".addr .code").inner_text())
    new.locator("form[action='/code'] button").click()
    new.locator("main form button.main").click()
    expect(anna.locator("p.notice")).to_be_visible()  # a short one cannot be folded
    assert table.post(table.phones[0], "do/pass-hosting", seat="2") == 303
    for page in (anna, bert):
        expect(page.locator("details.notice[open]")).to_be_visible()
        if closes:
            page.locator("details.notice > summary").click()
    others(PLAYS[-1])
    expect(anna.locator("#asked .choices button")).to_have_count(3)
    expect(anna.locator("details.notice:not([open])")).to_be_visible()
    others("turn middle treasure")
    for page in (anna, bert):
        expect(page.locator("#roles")).to_be_attached()
        notice = page.locator("details.notice")
        expect(notice).to_have_count(1)
        expect(notice.locator("summary")).to_be_visible()
        expect(page.locator("details.notice[open]")).to_have_count(0)
    bert.locator("details.notice > summary").click()
    expect(bert.locator("details.notice[open]")).to_contain_text("Carl")


def test_gold_that_is_held_lies_above_its_button(new_phone: Callable[..., Phone]) -> None:
    """The finger on it cannot scroll."""
    table = Round(new_phone, "lv-2009", 3)
    Others(table)(*PLAYS, "turn middle treasure")
    held = 0
    for phone in table.phones:
        page, dock = phone.page, phone.page.locator(".dock")
        page.set_viewport_size({"width": 320, "height": 490})
        seen_the_end(phone)
        if not page.locator(".goldcard").count():
            continue
        with phone.holding() as gold:
            expect(gold.locator("use[href='#gold-back']")).to_have_count(0)
            card, button = gold.locator(".goldcard").last.bounding_box(), dock.bounding_box()
            assert card
            assert button
            assert card["y"] + card["height"] <= button["y"] + 1
            expect(gold).to_be_in_viewport(ratio=0.99)
        held += 1
    assert held, "nobody has any gold"


def test_an_end_that_is_reported_once_more_is_a_moment_too(
    new_phone: Callable[..., Phone],
) -> None:
    table = Round(new_phone, "lv-2009", 3)
    others, anna = Others(table), table.phones[0].page
    others(*PLAYS)
    table.shown_to_all()
    for phone in table.phones:
        phone.stop_clock()
    others("turn middle treasure")
    expect(anna.locator("#still")).to_be_visible()
    table.post(table.phones[0], "do/take-back")
    expect(anna.locator("#pan")).to_be_visible()
    others("turn middle treasure")
    expect(anna.locator("#still")).to_be_visible()


def test_a_moment_whose_script_did_not_come_follows(new_phone: Callable[..., Phone]) -> None:
    table = Round(new_phone, "lv-2009", 3, shown=(1,))
    others = Others(table)
    others(*PLAYS)
    phone = table.phones[1]
    asked = lose_first(phone.page, "saboteur/moment.js")
    with phone.page.expect_event("requestfailed"):
        others("turn middle treasure")
    expect(phone.page.locator("#roles")).to_be_visible()
    assert not open_still(phone.page)
    phone.page.evaluate("dispatchEvent(new Event('online'))")
    expect(phone.page.locator("#still")).to_be_visible()
    assert len(set(asked)) == 2
    assert not any("dynamically" in each for each in phone.said)
