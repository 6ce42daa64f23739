"""The maze under real fingers: taps, drags, two fingers, double taps and quarter turns."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.browser.phones import Phone
from tests.browser.referee import Round, lay, place, sheet

pytestmark = pytest.mark.browser

Point = tuple[float, float]

TWICE_MS = 600
"""Longer than what lies between the taps of a double tap."""

GLANCE_MS = 5000
"""Longer than a glance at what is new."""

NEAR_PX = 3

MOVE_STEPS = 6
"""From where a finger is put down to where it is lifted."""


class Fingers:
    """Touches as the browser gets them from the glass."""

    def __init__(self, phone: Phone) -> None:
        self.page = phone.page
        self.session = phone.context.new_cdp_session(phone.page)
        self._tapped_s = 0.0

    def send(self, what: str, *points: Point, at_s: float = 0) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        when = {"timestamp": at_s} if at_s else {}
        self.session.send(
            "Input.dispatchTouchEvent", {"type": what, "touchPoints": touches, **when}
        )

    def tap(self, at: Point, *, times: int = 1) -> None:
        """Several times: see `again`."""
        self._tap(at, time.time())
        for _ in range(times - 1):
            self.again(at)

    def again(self, at: Point, after_s: float = 0.1) -> None:
        """So soon after the tap before, however busy the machine is."""
        self._tap(at, self._tapped_s + after_s)

    def _tap(self, at: Point, at_s: float) -> None:
        self.send("touchStart", at, at_s=at_s)
        self.send("touchEnd", at_s=at_s + 0.03)
        self._tapped_s = at_s

    def move(self, *ways: tuple[Point, Point]) -> None:
        """Each finger from one point to another, all at once."""
        self.send("touchStart", *(start for start, _ in ways))
        for step in range(1, MOVE_STEPS + 1):
            share = step / MOVE_STEPS
            self.send(
                "touchMove",
                *((a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share) for a, b in ways),
            )
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => done()))")
        self.send("touchEnd")

    def zoom_to(self, at: Point) -> None:
        """As near as it goes."""
        x, y = at
        for _ in range(2):
            self.move(((x - 20, y), (x - 110, y)), ((x + 20, y), (x + 110, y)))
        self.rest()

    def rest(self) -> None:
        """Since the last tap, which a quick machine may have sent before its time."""
        ahead_s = max(0.0, self._tapped_s - time.time())
        self.page.wait_for_timeout(TWICE_MS + 1000 * ahead_s)


def box_of(shown: Locator) -> dict[str, float]:
    box = shown.bounding_box()
    assert box
    return dict(box)


def middle(shown: Locator) -> Point:
    box = box_of(shown)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def near(a: Point, b: Point) -> bool:
    return abs(a[0] - b[0]) < NEAR_PX and abs(a[1] - b[1]) < NEAR_PX


def whole(phone: Phone) -> bool:
    """Every card, goal and place lies within the maze's box."""
    frame = box_of(phone.page.locator(".mazebox .maze"))
    return all(
        frame["x"] - 1 <= box["x"]
        and box["x"] + box["width"] <= frame["x"] + frame["width"] + 1
        and frame["y"] - 1 <= box["y"]
        and box["y"] + box["height"] <= frame["y"] + frame["height"] + 1
        for box in map(box_of, phone.page.locator(".pan [href^='#']:not([href='#q'])").all())
    )


@pytest.fixture
def table(new_phone: Callable[..., Phone]) -> Round:
    return Round(new_phone, "lv-2009", seats=3, touch=True)


@pytest.fixture
def lone(new_phone: Callable[..., Phone]) -> Round:
    """A table of which only the host's page is looked at."""
    return Round(new_phone, "lv-2009", seats=3, touch=True, shown=(0,))


def test_the_view_follows_the_fingers(table: Round) -> None:
    phone = table.phones[1]  # 320 × 568
    fingers = Fingers(phone)
    start = phone.page.locator(".pan [href='#start']")
    frame = box_of(phone.page.locator(".mazebox .maze"))
    empty = frame["x"] + 30, frame["y"] + frame["height"] / 2
    assert whole(phone)

    before, wide = middle(start), box_of(start)["width"]
    apart = (
        ((before[0] - 30, before[1]), (before[0] - 75, before[1])),
        ((before[0] + 30, before[1]), (before[0] + 75, before[1])),
    )
    fingers.move(*apart)
    assert near(middle(start), before)  # what lies between the fingers stays there
    assert box_of(start)["width"] > 1.8 * wide
    assert not whole(phone)
    before = middle(start)
    fingers.move((empty, (empty[0] + 40, empty[1] - 30)))
    assert near(middle(start), (before[0] + 40, before[1] - 30))
    expect(phone.page.locator("#sheet .sheet")).to_have_count(0)

    fingers.rest()
    fingers.tap(empty, times=2)
    assert whole(phone)
    assert near((box_of(start)["width"], 0), (wide, 0))

    goals = phone.page.locator(".pan [href='#goal-b']")
    turn = middle(phone.page.locator(".mazetools form button"))
    for quarter, side in enumerate(("left", "below", "right"), 2):
        fingers.rest()
        fingers.tap(turn)
        expect(phone.page.locator(".pan")).to_have_attribute("data-quarters", str(quarter % 4))
        assert whole(phone)
        (x, y), (goal_x, goal_y) = middle(start), middle(goals.nth(1))
        there = "left" if goal_x < x - 50 else "right" if goal_x > x + 50 else ""
        assert side == (there or ("below" if goal_y > y else "above"))
    phone.page.reload()
    expect(phone.page.locator("html.js .pan")).to_have_attribute("data-quarters", "0")
    expect(table.phones[0].page.locator(".pan")).to_have_attribute("data-quarters", "1")


def test_a_finger_need_not_be_small(table: Round) -> None:
    anna, bert, _ = table.phones
    lay(anna, "NESW", 1, 0)
    table.seen_by_all("Bert")
    fingers = Fingers(bert)
    for _ in range(2):  # beside a place whose own cell is smaller than a finger, from both sides
        for side in (-1, 1):
            hop = place(bert, 2, 0).locator(".hop")
            box, at = box_of(hop), middle(hop)
            assert box["height"] < 44
            assert box["height"] / 2 < 20
            fingers.tap((at[0], at[1] + side * 20 if side < 0 else at[1]))
            expect(sheet(bert, "place").locator("[name=at]")).to_have_value("2,0")
            fingers.rest()
            bert.page.locator("#sheet [data-close]").first.tap()
            expect(bert.page.locator("#sheet .sheet")).to_have_count(0)
            fingers.rest()

    fingers.tap(middle(bert.page.locator(".pan [href='#t-NESW']")))
    sheet(bert, "fall")
    bert.page.locator("#sheet [data-close]").first.tap()
    fingers.rest()
    fingers.move(((20, 300), (60, 340)))
    fingers.tap(middle(bert.page.locator(".pan [href='#t-NESW']")), times=2)
    assert whole(bert)
    fingers.rest()
    expect(bert.page.locator("#sheet .sheet")).to_have_count(0)

    # With the action card's sheet open: a place is a place, a card is a rockfall, a goal is a map.
    for target, kind in (
        (place(bert, 2, 0).locator(".hop"), "place"),
        (bert.page.locator(".pan [href='#t-NESW']"), "fall"),
        (bert.page.locator(".pan [href='#goal-b']").nth(1), "map"),
    ):
        bert.page.get_by_role("link", name="Action card").tap()
        sheet(bert, "action")
        fingers.rest()
        if kind == "map":
            frame = box_of(bert.page.locator(".mazebox .maze"))
            while middle(target)[1] < frame["y"] + 30:
                fingers.move(((100, frame["y"] + 20), (100, frame["y"] + 180)))
                fingers.rest()
        fingers.tap(middle(target))
        sheet(bert, kind)
        fingers.rest()
        bert.page.locator("#sheet [data-close]").first.tap()
        expect(bert.page.locator("#sheet .sheet")).to_have_count(0)
        fingers.rest()


def test_a_later_tap_on_the_place_that_is_chosen_asks_the_same(lone: Round) -> None:
    """The mark that shows which place it is is no card that a rockfall could take."""
    phone = lone.on()
    fingers = Fingers(phone)
    fingers.zoom_to(middle(place(phone, 1, 0)))
    fingers.tap(middle(place(phone, 1, 0)))
    sheet(phone, "place")
    expect(phone.page.locator(".pan .mark")).to_have_count(1)
    fingers.rest()
    with phone.page.expect_response("**/ask?*") as asked:
        fingers.tap(middle(phone.page.locator(".pan .mark use").first))
    assert "fall=" not in asked.value.url
    fingers.rest()
    sheet(phone, "place")


def test_a_double_tap_does_no_more_than_a_tap(table: Round) -> None:
    anna, bert, _ = table.phones
    fingers = Fingers(anna)
    hop = place(anna, 0, -1).locator(".hop")
    anna.page.set_viewport_size({"width": 390, "height": 600})  # the sheet comes up over the place
    fingers.rest()
    at = middle(hop)
    fingers.tap(at)
    sheet(anna, "place")
    assert anna.page.evaluate("at => !!document.elementFromPoint(...at).closest('.sheet')", at)
    fingers.again(at)
    fingers.rest()
    sheet(anna, "place")
    table.seen_by_all("Anna")
    anna.page.locator("#sheet [data-close]").first.tap()
    fingers.rest()

    fingers.tap(middle(anna.page.get_by_role("button", name="Pass")))
    table.seen_by_all("Bert")  # now the host's button there reports for Bert
    report = anna.page.get_by_role("link", name="Report for: Bert")
    fingers.rest()
    fingers.tap(middle(report), times=2)
    sheet(anna, "action")
    fingers.rest()
    sheet(anna, "action")
    anna.page.locator("#sheet [data-close]").first.tap()
    fingers.rest()

    fingers = Fingers(bert)
    fingers.tap(middle(bert.page.get_by_role("button", name="Pass")), times=2)
    table.seen_by_all("Carl")
    fingers.rest()
    table.seen_by_all("Carl")  # it was not taken back at once by the button that came there


def test_a_card_that_may_yet_be_tapped_twice_takes_no_later_tap(lone: Round) -> None:
    page = lone.phones[0].page
    fingers = Fingers(lone.phones[0])
    fingers.rest()
    fingers.tap(middle(page.locator(".pan [href='#goal-b']").first))
    with page.expect_response("**/ask?*"):
        fingers.tap(middle(page.locator("#dock a[data-sheet]")))
    sheet(lone.phones[0], "action")
    fingers.rest()
    sheet(lone.phones[0], "action")


def test_a_tap_that_was_too_impatient_is_not_meant_for_what_came_there(table: Round) -> None:
    """Half a second after "Undo", "Pass" lies there: nobody has read it yet."""
    anna = table.phones[0]
    anna.page.set_viewport_size({"width": 320, "height": 568})
    fingers = Fingers(anna)
    passes = anna.page.get_by_role("button", name="Pass")
    undo = anna.page.get_by_role("button", name="Undo the last play")

    def undone(at: Callable[[dict[str, float]], Point]) -> Point:
        fingers.tap(middle(passes))
        table.seen_by_all("Bert")
        fingers.rest()
        there = at(box_of(undo))
        fingers.tap(there)
        table.seen_by_all("Anna")
        return there

    undone(lambda box: (box["x"] + 20, box["y"] + 20))
    fingers.rest()
    comes = box_of(passes)  # beneath what is said of it
    under = undone(lambda box: (comes["x"] + 40, (box["y"] + comes["y"] + comes["height"]) / 2))
    found = "(each, at) => each.contains(document.elementFromPoint(...at))"
    assert passes.evaluate(found, under), "it does not lie there: nothing is tested"
    fingers.again(under, after_s=0.5)
    for _ in range(2):
        fingers.rest()
    table.seen_by_all("Anna")
    fingers.tap(under)
    table.seen_by_all("Bert")


HIDDEN = """() => {
    const rect = each => each.getBoundingClientRect();
    const box = rect(document.querySelector(".mazebox .maze"));
    const buttons = [...document.querySelectorAll(".mazetools button")].map(rect);
    const over = (a, b) => a.left < b.right && b.left < a.right
        && a.top < b.bottom && b.top < a.bottom;
    const cards = [...document.querySelectorAll(".pan [href^='#']:not([href='#q'])")];
    return cards.map(rect).filter(card =>
        card.left < box.left - 1 || card.right > box.right + 1 || card.top < box.top - 1
        || card.bottom > box.bottom + 1 || buttons.some(button => over(card, button))).length;
}"""
"""Cards and places that stick out of the maze's box or lie under its buttons."""


def below(shown: Locator) -> float:
    box = box_of(shown)
    return box["y"] + box["height"]


def test_from_where_the_cards_are_seen_is_asked_in_sight(table: Round) -> None:
    """At the edge of the maze, which stays where it is when that is answered."""
    for phone in table.phones:
        page = phone.page
        asked, maze = page.locator("#sit"), page.locator("#maze")
        expect(asked.locator("h2")).to_be_in_viewport(ratio=1)
        before = box_of(maze)
        asked.locator("button").nth(1).click()
        expect(asked.locator("button")).to_have_count(0)
        expect(page.locator(".pan")).to_have_attribute("data-quarters", "0")
        assert box_of(maze) == before


def test_the_view_turns_at_every_tap_however_slow_the_line(lone: Round) -> None:
    phone = lone.phones[0]
    turn = phone.page.locator(".mazetools form button")
    pan = phone.page.locator(".pan")
    expect(pan).to_have_attribute("data-quarters", "1")
    come = phone.hold("**/turn?*")
    turn.click()
    first = come()
    turn.click()
    expect(pan).to_have_attribute("data-quarters", "2")
    first.continue_()
    expect(pan).to_have_attribute("data-quarters", "3")


def test_nothing_lies_over_the_maze_or_the_players_of_a_small_phone(table: Round) -> None:
    anna, bert, carl = table.phones  # Bert's: 320 × 568
    page = bert.page

    def all_is_seen() -> None:
        for quarter in (1, 2, 3, 0):
            expect(page.locator(".pan")).to_have_attribute("data-quarters", str(quarter))
            assert page.evaluate(HIDDEN) == 0
            dock = box_of(page.locator("main .dock"))
            for mate in page.locator(".crew li").all():
                over = below(page.locator("main .dock")) <= box_of(mate)["y"]
                assert over or below(mate) <= dock["y"]
            assert below(page.locator("main .dock")) <= 568
            page.locator(".mazetools form button").click()

    lay(anna, "NESW", 1, 0)
    table.seen_by_all("Bert")
    all_is_seen()
    for quarter in range(4):
        expect(page.locator(".pan")).to_have_attribute("data-quarters", str((quarter + 1) % 4))
        place(bert, 2, 0).press("Enter")
        shapes = sheet(bert, "place").locator("button[name=card]")
        assert sum(below(each) <= 568 for each in shapes.all()) >= 9
        page.locator("#sheet [data-close]").first.click()
        page.locator(".mazetools form button").click()
    page.get_by_role("button", name="Pass").click()
    table.seen_by_all("Carl")
    for number, (phone, tool) in enumerate(((carl, "lantern"), (anna, "cart"))):
        post = {"play": "break", "tool": tool, "target": "2", "key": f"break{number}"}
        assert table.post(phone, "do/play", **post, seat=str((number + 2) % 3 + 1)) == 303
    table.seen_by_all("Bert")
    expect(page.locator("#mate-2 .broken svg")).to_have_count(2)
    all_is_seen()


def test_which_goal_a_map_shows_is_asked_in_sight(lone: Round) -> None:
    """However the maze lies, which the three goals are drawn like."""
    page = lone.phones[0].page
    for _ in range(4):
        page.get_by_role("link", name="Action card").press("Enter")
        for choice in sheet(lone.phones[0], "action").locator(".choices.three .choice").all():
            assert box_of(choice)["height"] < 180
        page.locator("#sheet [data-close]").first.press("Enter")
        expect(page.locator("#sheet .sheet")).to_have_count(0)
        before = page.locator(".pan").get_attribute("data-quarters")
        page.locator(".mazetools form button").press("Enter")
        expect(page.locator(".pan")).not_to_have_attribute("data-quarters", before or "")


def test_whose_turn_begins_while_the_role_is_looked_at_finds_the_maze_in_sight(
    table: Round,
) -> None:
    anna, bert, _ = table.phones
    page = bert.page
    page.locator("a[href='#look']").click()
    expect(page.locator("[data-pad]").first).to_be_visible()
    assert page.evaluate("scrollY") == 0
    expect(page.locator(".mazebox")).to_be_hidden()
    lay(anna, "NESW", 1, 0)
    expect(page.locator("#mine h1")).to_have_text("Your turn")
    page.locator("#look a[href='#seats']").click()
    expect(page.locator(".mazebox")).to_be_visible()
    assert whole(bert)


def test_a_glance_at_what_is_new_gives_the_view_back(table: Round) -> None:
    anna, bert, carl = table.phones
    phone = carl
    fingers = Fingers(phone)
    pan = phone.page.locator(".pan")

    def goal_filled() -> str:
        """Zooms to the goals; the view."""
        fingers.zoom_to(middle(phone.page.locator(".pan [href='#goal-b']").nth(1)))
        return view()

    def view() -> str:
        return str(pan.evaluate("pan => pan.style.transform"))

    before = goal_filled()
    phone.stop_clock()
    lay(anna, "NESW", 1, 0)
    table.seen_by_all("Bert")
    assert view() != before
    phone.page.clock.fast_forward(GLANCE_MS)
    assert view() == before
    phone.page.clock.resume()

    lay(bert, "NESW", 2, 0)
    table.seen_by_all("Carl")
    frame = box_of(phone.page.locator(".mazebox .maze"))
    corner = frame["x"] + 20, frame["y"] + 20
    fingers.move((corner, (corner[0] + 40, corner[1] + 30)))
    touched = view()
    assert touched != before
    phone.page.clock.fast_forward(GLANCE_MS)
    assert view() == touched


def test_within_a_turn_the_view_stays(lone: Round) -> None:
    """Also that of who has moved it before the page follows its table."""
    anna = lone.phones[0]
    assert lone.post(anna, "do/rename-seat", seat="3", name="Carlos") == 303  # which all are told
    late: list[Route] = []
    anna.page.route("**/idiomorph.min.js", lambda route: late.append(route))
    anna.page.reload(wait_until="domcontentloaded")
    Fingers(anna).zoom_to(middle(anna.page.locator(".pan [href='#goal-b']").nth(1)))
    pan = anna.page.locator(".pan")
    before = pan.evaluate("pan => pan.style.transform")
    for each in late:
        each.continue_()
    assert lone.post(anna, "do/rename-seat", seat="3", name="Carlo") == 303
    expect(anna.page.locator("#mate-3 bdi")).to_have_text("Carlo")
    assert pan.evaluate("pan => pan.style.transform") == before


def test_nothing_moves_under_a_finger(table: Round) -> None:
    anna, _, carl = table.phones
    fingers, pan = Fingers(carl), carl.page.locator(".pan")
    at = middle(carl.page.locator(".pan [href='#goal-b']").nth(1))
    fingers.zoom_to(at)
    before = pan.evaluate("pan => pan.style.transform")
    fingers.send("touchStart", at)
    lay(anna, "NESW", 1, 0)
    table.seen_by_all("Bert")
    assert pan.evaluate("pan => pan.style.transform") == before
    fingers.send("touchEnd")


def test_after_a_drag_a_key_leads_on_at_once(lone: Round) -> None:
    anna = lone.phones[0]
    frame = box_of(anna.page.locator(".mazebox .maze"))
    corner = frame["x"] + 60, frame["y"] + 60
    fingers = Fingers(anna)
    fingers.move((corner, (corner[0] + 40, corner[1] + 30)))
    fingers.rest()
    place(anna, 1, 0).press("Enter")
    sheet(anna, "place")


def test_a_sheet_goes_by_a_swipe_down_and_by_a_tap_beside_it(lone: Round) -> None:
    phone = lone.phones[0]
    fingers = Fingers(phone)
    player = phone.page.locator("#crew a").first
    player.click()
    frame = box_of(sheet(phone, "player"))
    top = frame["x"] + frame["width"] / 2, frame["y"] + 30
    fingers.move((top, (top[0], top[1] + 20)))
    expect(sheet(phone, "player")).to_be_visible()  # too short a way
    fingers.move((top, (top[0], top[1] + 120)))
    expect(phone.page.locator("#sheet .sheet")).to_have_count(0)
    player.click()
    expect(sheet(phone, "player")).to_be_visible()
    fingers.rest()
    phone.page.locator("#bar .where").click()
    expect(phone.page.locator("#sheet .sheet")).to_have_count(0)


def test_who_has_enlarged_the_page_moves_it_over_a_sheet(lone: Round) -> None:
    phone = lone.phones[0]
    page = phone.page
    page.locator("#dock a[data-sheet]").tap()
    opened = sheet(phone, "action")
    phone.devtools.send("Emulation.setPageScaleFactor", {"pageScaleFactor": 2})
    opened.locator(".end").evaluate("end => end.scrollIntoView({block: 'end'})")
    page.evaluate("addEventListener('touchend', () => document.body.dataset.lifted = 'yes')")
    swipe = {"x": 20, "y": 250, "yDistance": 120, "speed": 600, "gestureSourceType": "touch"}
    phone.devtools.send("Input.synthesizeScrollGesture", swipe)
    page.locator("[data-lifted]").wait_for()
    expect(opened).to_be_visible()


def test_two_fingers_that_rest_on_a_sheet_leave_it_open(lone: Round) -> None:
    """One of them is lifted far below the other."""
    phone = lone.on()
    place(phone, 1, 0).press("Enter")
    box = box_of(sheet(phone, "place"))
    x = box["x"] + box["width"] / 2
    upper, lower = (x, box["y"] + 15), (x + 5, box["y"] + box["height"] - 15)
    assert lower[1] - upper[1] > 100
    fingers = Fingers(phone)
    fingers.send("touchStart", upper)
    fingers.send("touchStart", upper, lower)
    fingers.send("touchEnd", upper)
    fingers.send("touchEnd")
    fingers.rest()
    expect(phone.page.locator("#sheet .sheet")).to_have_count(1)
