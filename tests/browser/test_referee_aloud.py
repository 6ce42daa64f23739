"""A round by keyboard and by ear: where the focus goes, and what is announced."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.phones import Kind, Phone, lose_first
from tests.browser.referee import Others, Round, lay
from tests.browser.tables import send, sit

pytestmark = pytest.mark.browser


def announced(phone: Phone, text: str) -> None:
    expect(phone.page.locator("#news")).to_have_text(text)


def test_after_a_play_the_turn_is_read(new_phone: Callable[..., Phone]) -> None:
    table = Round(new_phone, "lv-2009", seats=3)
    anna, bert, _ = table.phones
    lay(anna, "NW", 1, 0)
    table.seen_by_all("Bert")
    expect(anna.page.locator("#seats h1:visible")).to_be_focused()
    told = "Anna played a path card. Row 1, middle column. Open sides: bottom, left."
    announced(anna, f"{told} Turn: Bert.")
    announced(bert, f"{told} Your turn.")
    bert.page.get_by_role("button", name="Pass").press("Enter")
    table.seen_by_all("Carl")
    expect(bert.page.locator("#seats h1:visible")).to_be_focused()


def test_what_others_play_is_read_once(new_phone: Callable[..., Phone]) -> None:
    """As news: the heading that has the focus stays, and is not read anew beside them."""
    table = Round(new_phone, "lv-2009", seats=3, shown=(2,))
    carl = table.phones[2].page
    heading = carl.locator("#seats h1:visible")
    heading.evaluate("each => { each.tabIndex = -1; each.focus(); }")
    carl.evaluate("document.addEventListener('focusin', () => document.body.dataset.moved = 1)")
    Others(table)("EW 1,0")
    expect(heading).to_have_text("Turn: Bert")
    announced(
        table.phones[2],
        "Anna played a path card. Row 1, middle column. Open sides: top, bottom. Turn: Bert.",
    )
    expect(heading).to_be_focused()
    expect(carl.locator("body")).not_to_have_attribute("data-moved", "1")


def test_the_question_gets_the_focus(new_phone: Callable[..., Phone]) -> None:
    table = Round(new_phone, "lv-2009", seats=3)
    for x, card in enumerate(("EW", "EW", "EW", "NESW", "NESW", "NESW", "NESW"), 1):
        on = table.turn
        phone = table.phones[on]
        lay(phone, card, x, 0)
        if x < 7:
            table.seen_by_all(table.names[(on + 1) % 3])
    asked = phone.page.locator("main .sheet[data-kind=goal]")
    expect(asked.locator("h2")).to_be_focused()
    told = "Anna played a path card. Row 7, middle column. Open sides: top, right, bottom, left."
    announced(phone, f"{told} What does the goal card show? middle goal card. Your turn.")
    for other in table.phones[1:]:
        news = f"{told} A goal card has been reached and is being turned over. Turn: Anna."
        announced(other, news)

    asked.locator("button[value=NW]").press("Enter")
    table.seen_by_all("Bert")
    expect(phone.page.locator("#seats h1:visible")).to_be_focused()
    phone.page.get_by_role("button", name="Undo the last play").press("Enter")
    expect(asked.locator("h2")).to_be_focused()
    announced(
        table.phones[1],
        "Taken back: Anna found a stone. A goal card has been reached and is"
        " being turned over. Turn: Anna.",
    )


def test_a_role_that_is_read_aloud_is_heard_to_its_end(new_phone: Callable[..., Phone]) -> None:
    """That this player has looked moves the page on, for whoever waits: here not before the words
    have gone, since another heading in focus and news would cut them off."""
    anna, bert, carl = phones = [new_phone() for _ in range(3)]
    path, _ = sit(phones, ("Anna", "Bert", "Carl"), way="referee", edition="lv-2009")
    send(anna, f"{path}/do/start")
    for seat, phone in ((2, bert), (3, carl)):
        send(phone, f"{path}/role", seat=seat)
    bert.page.goto(path)
    anna.page.goto(path)
    heading = anna.page.locator("main h1:visible").inner_text()
    anna.stop_clock()
    button = anna.page.locator("button[data-aloud]")
    button.press("Enter")
    expect(anna.page.locator("#aloud")).to_have_text(re.compile("."))
    anna.page.clock.run_for(1_000)
    button.press("Enter")
    expect(anna.page.locator("#aloud")).to_contain_text("Your role")
    expect(bert.page.locator(".pan")).to_be_visible()  # the round is on
    expect(anna.page.locator("main h1:visible")).to_have_text(heading)
    expect(button).to_be_focused()
    anna.page.clock.run_for(5000)
    expect(anna.page.locator("#aloud")).to_be_empty()
    expect(anna.page.locator(".pan")).to_be_visible()


MOVES = "() => { window.moves = 0; addEventListener('focusin', () => window.moves++) }"


@pytest.mark.parametrize("on", ["h2", ".inwords a"])
def test_who_reads_a_sheet_is_left_where_they_are(new_phone: Callable[..., Phone], on: str) -> None:
    """While others play: what has changed is there, and the focus does not move."""
    table = Round(new_phone, "lv-2009", seats=3, shown=(0, 1))
    anna, bert, _ = table.phones
    bert.page.locator("#more a[href*=words]").press("Enter")
    words = bert.page.locator(".sheet[data-kind=words]")
    expect(words.locator("h2")).to_be_focused()
    where = words.locator(on).last
    where.focus()
    bert.page.evaluate(MOVES)
    lay(anna, "NW", 1, 0)
    expect(words.get_by_text("Open sides: bottom, left", exact=False).first).to_be_visible()
    expect(where).to_be_focused()
    assert bert.page.evaluate("moves") == 0


def test_to_the_role_once_more_and_back(new_phone: Callable[..., Phone]) -> None:
    table = Round(new_phone, "lv-2009", seats=3, shown=(1,))
    page = table.phones[1].page
    page.locator("#more a[href='#look']").press("Enter")
    expect(page.locator("#look h1")).to_be_focused()
    page.locator("#look a[href='#seats']").press("Enter")
    expect(page.locator("#seats h1:visible")).to_be_focused()


def test_a_round_that_begins_is_heard(new_phone: Callable[..., Phone]) -> None:
    phones = [new_phone() for _ in range(3)]
    path, _ = sit(phones, ("Anna", "Bert", "Carl"))
    phones[1].page.goto(path)
    send(phones[0], f"{path}/do/start")
    announced(phones[1], "Round 1. Waiting for: Anna, Bert and Carl")


def dealt(new_phone: Callable[..., Phone]) -> Phone:
    """A player's, whose role waits; its page's clock is stopped."""
    phones = [new_phone() for _ in range(3)]
    path, _ = sit(phones, ("Anna", "Bert", "Carl"), way="roles")
    send(phones[0], f"{path}/do/start")
    phones[1].page.goto(path)
    phones[1].stop_clock()
    return phones[1]


@pytest.mark.parametrize("late", [False, True])
def test_a_role_that_is_read_aloud_goes_with_the_focus(
    new_phone: Callable[..., Phone], late: bool
) -> None:
    """Nor does it come into a page that has lost it meanwhile."""
    phone = dealt(new_phone)
    page = phone.page
    waiting = phone.hold("**/role") if late else None
    button, voice = page.locator("button[data-aloud]"), page.locator("#aloud")
    page.evaluate("document.addEventListener('table:lost', () => { window.lost = true; })")
    button.press("Enter")
    expect(voice).to_have_text(re.compile("."))
    page.clock.run_for(1_000)
    with page.expect_request("**/role"):
        button.press("Enter")
    if late:
        expect(voice).to_have_text(re.compile("."))
    else:
        expect(voice).to_contain_text("Your role")
    page.evaluate("dispatchEvent(new Event('blur'))")
    if waiting:
        waiting().continue_()
    page.evaluate("fetch('/privacy').then(each => each.text())")  # so long it would have taken
    assert voice.text_content() == ""
    assert not page.evaluate("window.lost"), "it was the focus that was lost, not the line"


def test_what_reads_a_role_aloud_keeps_its_name(new_phone: Callable[..., Phone]) -> None:
    """Also where the page has moved on while it was read."""
    page = dealt(new_phone).page
    button, voice = page.locator("button[data-aloud]").first, page.locator("#aloud")
    name = button.inner_text()
    button.press("Enter")
    expect(voice).to_have_text(re.compile("."))
    page.clock.run_for(1_000)
    button.press("Enter")
    expect(voice).to_contain_text("Your role")
    page.clock.run_for(5_000)
    expect(voice).to_be_empty()
    page.clock.run_for(3_000)
    assert button.text_content() == name


def test_a_role_is_read_aloud_to_nobody_who_has_not_heard_what_that_means(
    new_phone: Callable[..., Phone],
) -> None:
    """Pressed twice, while on a bad network the script was still coming."""
    phone = dealt(new_phone)
    page = phone.page
    coming = phone.hold("**/aloud.*")
    button, voice = page.locator("button[data-aloud]"), page.locator("#aloud")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    button.press("Enter")
    script = coming()
    button.press("Enter")
    script.continue_()
    expect(voice).to_have_text(re.compile("."))
    page.evaluate("fetch('/privacy').then(each => each.text())")  # so long it would have taken
    assert not any(url.endswith("/role") for url in asked)
    page.clock.run_for(1_000)
    button.press("Enter")
    expect(voice).to_contain_text("Your role")


def test_what_a_role_s_reading_asks_can_be_seen_whole(new_phone: Callable[..., Phone]) -> None:
    """In the language in which it takes three lines."""
    phones = [new_phone(Kind("et", 320, 568)), *(new_phone() for _ in range(2))]
    path, _ = sit(phones, ("Anna", "Bert", "Carl"), way="roles")
    send(phones[0], f"{path}/do/start")
    page = phones[0].page
    page.goto(path)
    button = page.locator("button[data-aloud]").first
    button.press("Enter")
    expect(page.locator("#aloud")).not_to_be_empty()
    assert button.evaluate("each => each.scrollHeight <= each.clientHeight")


def test_what_reads_aloud_and_did_not_come_is_asked_for_elsewhere(
    new_phone: Callable[..., Phone],
) -> None:
    """Firefox keeps, while a page is open, that a script did not come from an address."""
    page = dealt(new_phone).page
    asked = lose_first(page, "aloud.js")
    button, voice = page.locator("button[data-aloud]"), page.locator("#aloud")
    with page.expect_event("requestfailed"):
        button.press("Enter")
    button.press("Enter")
    expect(voice).to_have_text(re.compile("."))
    assert len(set(asked)) == 2
