"""The log of a round: a play in it lies lit in the maze, and is put right there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.phones import Phone
from tests.browser.referee import Others, Round, close, lay, place, sheet, verdict

pytestmark = pytest.mark.browser

SHOWN = """addEventListener("table:shown", () => {
  document.documentElement.dataset.shown = "yes";
}, true)"""
"""Notes when the stream has brought the page anew, as it does once after it is loaded."""


@pytest.fixture
def table(new_phone: Callable[..., Phone]) -> Round:
    table = Round(new_phone, "lv-2009", 3)
    Others(table)("EW 1,0", "NESW 2,0", "pass")
    table.shown_to_all()
    return table


def middle(part: dict[str, float] | None) -> tuple[float, float]:
    assert part
    return part["x"] + part["width"] / 2, part["y"] + part["height"] / 2


def test_a_play_of_the_log_lies_lit_in_the_maze(table: Round) -> None:
    _, bert, _ = table.phones
    page = bert.page
    page.locator("#log-fold summary").click()
    lines = page.locator("#log li")
    expect(lines).to_have_count(3)
    lines.nth(2).locator("a").click()
    expect(sheet(bert, "entry")).to_contain_text("Anna played a path card.")
    mark = page.locator(".pan .mark use")
    card = page.locator('.pan #cells use[href="#t-EW"]')
    expect(mark).to_be_in_viewport()
    assert middle(mark.bounding_box()) == pytest.approx(middle(card.bounding_box()), abs=1)
    expect(page.locator("#sheet .pair")).to_have_count(0)  # it is not Bert's


def test_back_to_the_maze_is_where_the_maze_is(table: Round) -> None:
    """Who only closes the sheet reads on in the log."""
    bert, page = table.phones[1], table.phones[1].page
    page.set_viewport_size({"width": 360, "height": 640})
    page.locator("#log-fold summary").click()
    page.evaluate("scrollTo(0, 10000)")
    maze, line = page.locator(".mazebox"), page.locator("#log li").nth(2)
    for name, seen, unseen in (("Close", line, maze), ("Back to the maze", maze, line)):
        expect(maze).not_to_be_in_viewport(ratio=0.99)
        line.locator("a").click()
        sheet(bert, "entry").get_by_role("link", name=name).click()
        expect(page.locator("#sheet .sheet")).to_have_count(0)
        expect(seen).to_be_in_viewport(ratio=0.99)
        expect(unseen).not_to_be_in_viewport(ratio=0.99)
    expect(maze.locator(".maze")).to_be_focused()


def test_one_frame_at_a_time(table: Round) -> None:
    """That of what a sheet is about, else that of the last play."""
    anna = table.phones[0]
    lay(anna, "EW", 3, 0)
    last = anna.page.locator("#newest")
    expect(last).to_be_visible()
    anna.page.locator("#log-fold summary").click()
    anna.page.locator("#log li").last.locator("a").click()
    sheet(anna, "entry")
    expect(anna.page.locator(".pan .mark use")).to_be_visible()
    expect(last).not_to_be_visible()
    close(anna)
    expect(last).to_be_visible()


def test_a_card_is_moved_where_it_lies(table: Round) -> None:
    anna = table.phones[0]
    page = anna.page
    page.locator("#log-fold summary").click()
    page.locator("#log li").nth(1).locator("a").click()
    sheet(anna, "entry").get_by_role("link", name="Another place").click()
    sheet(anna, "move")
    page.mouse.click(*middle(place(anna, 0, 1).locator("rect").bounding_box()))
    sheet(anna, "moved").get_by_role("button", name="Here").click()
    expect(page.locator("#sheet .sheet")).to_have_count(0)
    for phone in table.phones:
        expect(phone.page.locator('[id="c0.1"]')).to_have_attribute("href", "#t-NESW")
        expect(phone.page.locator("#corrected")).to_be_attached()


PICTURE = """(pic) => {
  const said = pic.parentElement, box = said.getBoundingClientRect();
  const at = pic.getBoundingClientRect(), words = document.createRange(), lines = [];
  const texts = document.createTreeWalker(said, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    if (!texts.currentNode.data.trim()) continue;
    words.selectNodeContents(texts.currentNode);
    lines.push(...words.getClientRects());
  }
  const beside = (line) => line.width > 9 && line.top < at.bottom && at.top < line.bottom;
  return lines.some(beside) && box.left <= at.left && at.right <= box.right + 1;
}"""
"""Whether the small drawing of what was played stands in a line with words, and in their box."""


def test_what_was_played_is_drawn_in_the_line_that_tells_it(table: Round) -> None:
    anna, page = table.phones[0], table.phones[2].page

    def is_in_line(said: str) -> None:
        expect(page.locator(said)).to_be_visible()
        for width in range(320, 432, 2):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.locator(said).evaluate(PICTURE), (said, width)

    for deed in range(2):  # the pass, and the card
        table.post(anna, "do/take-back", key=f"back{deed}")
    is_in_line("#undone .pic")
    table.post(anna, "do/play", play="map", goal="middle", seat="2")
    is_in_line("#last .pic")
    page.goto(f"{table.path}/ask?seat=3&place=1,0")
    is_in_line("#sheet .pic")


def test_a_place_that_does_not_fit_says_why(table: Round) -> None:
    anna = table.phones[0]
    page = anna.page
    page.locator("#log-fold summary").click()
    page.locator("#log li").nth(2).locator("a").click()
    sheet(anna, "entry").get_by_role("link", name="Another place").click()
    sheet(anna, "move")
    page.mouse.click(*middle(place(anna, 0, 1).locator("rect").bounding_box()))
    assert verdict(anna)[1] == "matching"


def test_a_correction_by_which_a_later_play_would_fall_says_so_in_its_sheet(table: Round) -> None:
    """There another place or card can be chosen at once."""
    anna = table.phones[0]
    page = anna.page

    def refused() -> None:
        why = sheet(anna, "refused").locator("#why")
        expect(why).to_contain_text("by Bert would no longer be legal")
        expect(page.locator("#refusal")).to_have_count(0)
        sheet(anna, "refused").get_by_role("link", name="Choose another").click()

    page.locator("#log-fold summary").click()
    page.locator("#log li").nth(2).locator("a").click()
    sheet(anna, "entry").get_by_role("link", name="Another place").click()
    sheet(anna, "move")
    page.mouse.click(*middle(place(anna, -1, 0).locator("rect").bounding_box()))
    refused()
    sheet(anna, "move").get_by_role("link", name="Back").click()
    sheet(anna, "entry").get_by_role("link", name="Another card").click()
    sheet(anna, "place").locator("a[href*='card=EWx']").click()
    refused()
    sheet(anna, "place").locator("button[value=NESW]").click()
    expect(page.locator("#sheet .sheet")).to_have_count(0)
    expect(page.locator("#corrected")).to_be_attached()


def test_on_the_table_screen(table: Round) -> None:
    anna = table.phones[0]
    anna.page.set_viewport_size({"width": 1280, "height": 720})
    anna.page.add_init_script(SHOWN)
    anna.page.goto(f"{table.url}/screen")
    expect(anna.page.locator("html[data-shown]")).to_be_attached()
    anna.stop_clock()
    anna.page.locator("#log li").nth(2).locator("button").click()
    mark = anna.page.locator(".pan use.mark")
    card = anna.page.locator('.pan #cells use[href="#t-EW"]')
    expect(mark).to_be_visible()
    assert middle(mark.bounding_box()) == pytest.approx(middle(card.bounding_box()), abs=1)
    anna.page.clock.fast_forward(6000)
    expect(mark).to_have_count(0)
