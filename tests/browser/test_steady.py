"""Pages that stay where they are under a thumb, begin at their top, and save by themselves."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.games.trains.rules.abilities import ABILITIES
from companion.games.trains.rules.model import Draft
from tests.browser.looks import large_print
from tests.browser.phones import Kind, Phone
from tests.browser.referee import Round, close, place, sheet
from tests.browser.tables import dealt_trains, send, sit
from tests.kit.forms import form_of

pytestmark = pytest.mark.browser

NAMES = ("Anna", "Berta", "Carl")
SMALL = Kind("en", 320, 480, "dark")


def scrolled(page: Page) -> int:
    return int(page.evaluate("Math.round(scrollY)"))


def playing(new_phone: Callable[..., Phone]) -> tuple[list[Phone], str]:
    """In a round without reported plays; all on phones as small as they come."""
    phones = [new_phone(SMALL) for _ in NAMES]
    path, _ = sit(phones, NAMES, way="roles")
    send(phones[0], f"{path}/do/start")
    for phone in phones:
        send(phone, f"{path}/role")
    return phones, path


def test_another_stage_begins_at_its_top(new_phone: Callable[..., Phone]) -> None:
    phones, path = playing(new_phone)
    page = phones[1].page
    page.goto(f"{path}#look")
    expect(page.locator("main")).to_have_attribute("data-stage", "playing")
    page.evaluate("scrollTo(0, 10000)")
    assert scrolled(page)
    send(phones[0], f"{path}/do/play", play="result", reached="1", finisher="1")
    expect(page.locator("main")).to_have_attribute("data-stage", "settled")
    assert scrolled(page) == 0
    assert not page.url.endswith("#look")
    send(phones[2], f"{path}/do/rename-seat", seat="3", name="Carlos")
    expect(page.locator("#notices")).to_contain_text("Carlos")
    page.evaluate("scrollTo(0, 10000)")
    down = scrolled(page)
    send(phones[2], f"{path}/do/rename-seat", seat="3", name="Carlo")
    expect(page.locator("#roles")).to_contain_text("Carlo")
    expect(page.locator("#roles")).not_to_contain_text("Carlos")
    assert scrolled(page) == down  # the stage is the same: nothing moves


def test_a_turn_of_trains_begins_at_its_top(new_phone: Callable[..., Phone]) -> None:
    """One's own, wherever the page was; when it is over; and the end of the game."""
    phones = [new_phone(SMALL) for _ in NAMES]
    path = dealt_trains(phones, NAMES)
    page = phones[2].page
    page.goto(path)
    heading = page.locator("h1:visible")
    expect(heading).to_have_text("Turn: Anna")
    for seat, said, moves in ((0, "Turn: Berta", 0), (1, "Your turn", 1), (2, "Turn: Anna", 1)):
        page.evaluate("scrollTo(0, 100)")
        draft = Draft(seat, 81 + seat, 1, ABILITIES[seat])
        send(phones[seat], f"{path}/do/play", **form_of(draft))
        expect(heading).to_have_text(said)
        assert scrolled(page) == (0 if moves else 100)
    page.evaluate("scrollTo(0, 100)")
    send(phones[0], f"{path}/do/finish")
    expect(heading).to_have_text("The game was abandoned.")
    assert scrolled(page) == 0


def test_a_turn_under_the_referee_begins_at_its_top(new_phone: Callable[..., Phone]) -> None:
    """One's own, however far down the log was read; nobody else's moves a page."""
    phones = [new_phone(SMALL) for _ in NAMES]
    path, _ = sit(phones, NAMES, way="referee")
    send(phones[0], f"{path}/do/start")
    for phone in phones:
        send(phone, f"{path}/role")
    page = phones[2].page
    page.goto(path)
    heading = page.locator("h1:visible")
    expect(heading).to_have_text("Turn: Anna")
    for seat, said, stays in ((0, "Turn: Berta", 100), (1, "Your turn", 0)):
        page.evaluate("scrollTo(0, 100)")
        send(phones[seat], f"{path}/do/play", play="pass")
        expect(heading).to_have_text(said)
        assert scrolled(page) == stays


@pytest.mark.parametrize(
    ("width", "height"), [(320, 568), (360, 640), (360, 720), (390, 844), (568, 320)]
)
def test_how_a_card_is_held_is_in_sight_under_a_name(
    new_phone: Callable[..., Phone], width: int, height: int
) -> None:
    """Of two who share a phone; and so is the way back from the other one's."""
    phone, other = new_phone(Kind("lt", width, height)), new_phone()
    path, _ = sit((phone, other), ("Gediminas", "Anna"), way="roles")
    send(phone, f"{path}/do/add-seat", name="Maksimilianas")
    send(phone, f"{path}/do/start")
    for name in ("Gediminas", "Maksimilianas"):
        phone.page.goto(path)
        phone.page.locator("#hand-on a", has_text=name).click()
        expect(phone.page.locator("h1", has_text=name)).to_be_visible()
        expect(phone.page.locator(".pad .say")).to_be_in_viewport(ratio=1)
        expect(phone.page.locator(".rolecard")).to_be_in_viewport(ratio=1)
        if height > width:
            expect(phone.page.locator("main > .btn")).to_be_in_viewport(ratio=1)


TAP_ABOVE_THE_DOCK = """button => {
  const dock = document.querySelector(".dock");
  scrollBy(0, button.getBoundingClientRect().bottom - dock.getBoundingClientRect().top);
  button.click();
}"""


@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844)])
def test_a_code_that_was_asked_for_lies_above_the_dock(
    new_phone: Callable[..., Phone], width: int, height: int
) -> None:
    """Half of it can be read as another one."""
    phone = new_phone(Kind("lt", width, height))
    path, _ = sit([phone], ["Rūta"])
    page = phone.page
    for beside, deed in (("qr", "offer-screen"), ("seat", "offer-move")):
        page.goto(f"{path}/{beside}")
        page.locator("html.js").wait_for()
        phone.form(deed).locator("button").evaluate(TAP_ABOVE_THE_DOCK)
        code, dock = page.locator("#lend .code, #my-seat .code"), page.locator(".dock")
        expect(code).to_be_in_viewport(ratio=1)
        box, over = code.bounding_box(), dock.bounding_box()
        assert box
        assert over
        assert box["y"] + box["height"] <= over["y"]


@pytest.mark.parametrize(
    ("width", "height"), [(320, 568), (360, 640), (390, 844), (568, 320), (1366, 768)]
)
def test_what_somebody_unfolds_is_in_sight_above_the_dock(
    new_phone: Callable[..., Phone], width: int, height: int
) -> None:
    phone = new_phone(Kind("lv", width, height))
    path, _ = sit([phone], ["Rūta"])
    page = phone.page
    for at, fold in ((f"{path}/seat", "#leave"), (f"{path}/host", "#end"), ("/", "#how")):
        page.goto(at)
        page.locator("html.js").wait_for()
        summary = page.locator(f"{fold} > summary")
        summary.evaluate(TAP_ABOVE_THE_DOCK)
        expect(page.locator(f"{fold}[open]")).to_be_visible()
        page.evaluate("() => new Promise((done) => setTimeout(done))")
        expect(summary).to_be_in_viewport(ratio=0.98)  # windows scroll by whole pixels
        box, over = page.locator(fold).bounding_box(), page.locator(".dock").bounding_box()
        assert box
        assert over
        room = min(height, over["y"])
        assert box["y"] + box["height"] <= room + 1 or abs(box["y"]) < 1


def test_what_is_unfolded_without_a_script_is_not_behind_the_dock(
    new_phone: Callable[..., Phone],
) -> None:
    phone = new_phone(Kind("lv", 390, 844, script=False))
    path, _ = sit([phone], ["Rūta"])
    page = phone.page
    for at, fold in ((f"{path}/seat", "#leave"), (f"{path}/host", "#end"), ("/", "#how")):
        page.goto(at)
        expect(page.locator(".dock")).to_have_css("position", "sticky")
        page.locator(f"{fold} > summary").click()
        expect(page.locator(".dock")).to_have_css("position", "static")


def test_what_is_open_moves_nothing_by_itself(new_phone: Callable[..., Phone]) -> None:
    """When the table changes, or when it is closed."""
    phones = [new_phone(SMALL), new_phone()]
    path, _ = sit(phones, NAMES[:2])
    page = phones[0].page
    page.goto(f"{path}/host")
    page.locator("html.js").wait_for()
    page.locator("#end > summary").click()
    expect(page.locator("#end .danger")).to_be_in_viewport(ratio=1)
    page.evaluate("scrollTo(0, 50)")
    send(phones[1], f"{path}/do/rename-seat", seat="2", name="Berit")
    expect(page.locator("ol.order")).to_contain_text("Berit")
    assert scrolled(page) == 50
    page.locator("#end > summary").evaluate("summary => summary.click()")
    expect(page.locator("#end:not([open])")).to_be_visible()
    assert scrolled(page) == 50


def test_a_code_to_scan_fits_a_phone_on_its_side(new_phone: Callable[..., Phone]) -> None:
    phone = new_phone(Kind("lt", 568, 320))
    path, _ = sit([phone], ["Rūta"])
    for beside, deed in (("qr", "offer-screen"), ("seat", "offer-move")):
        phone.page.goto(f"{path}/{beside}")
        phone.form(deed).locator("button").click()
        for code in phone.page.locator(".plate svg:visible").all():
            box = code.bounding_box()
            assert box
            assert box["height"] < 300


def test_choosing_how_a_round_ended_moves_nothing(new_phone: Callable[..., Phone]) -> None:
    phones, path = playing(new_phone)
    page = phones[1].page
    page.goto(f"{path}/report")
    page.locator("label[for=end-no]").click()
    question = page.locator("#last-h")
    expect(question).to_be_visible()
    assert scrolled(page) == 0
    box = question.bounding_box()
    assert box
    assert box["y"] + box["height"] < SMALL.height


def test_what_is_asked_next_of_an_end_is_in_sight_in_large_text(
    new_phone: Callable[..., Phone],
) -> None:
    """Else a tap on how it ended seems to do nothing."""
    phones, path = playing(new_phone)
    phone = phones[1]
    page = phone.page
    page.set_viewport_size({"width": 390, "height": 844})
    with large_print(phone.devtools):
        page.goto(f"{path}/report")
        for end in ("yes", "no"):
            page.locator(f"label[for=end-{end}]").click()
            expect(page.locator(f".if-{end} h2")).to_be_in_viewport(ratio=1)


def arranging(new_phone: Callable[..., Phone]) -> Phone:
    """On the host's page, with five seats to be put in order."""
    phone = new_phone(SMALL)
    path, _ = sit([phone], ["Anna"], way="roles")
    for name in ("Bert", "Carl", "Dora", "Erik"):
        send(phone, f"{path}/do/add-seat", name=name)
    phone.page.goto(f"{path}/host")
    phone.page.locator("html.js").wait_for()
    return phone


def test_a_seat_that_moves_stays_under_the_finger(new_phone: Callable[..., Phone]) -> None:
    page = arranging(new_phone).page
    rows = page.locator(".order b")
    for arrow, orders in (
        ("#up-5", ("ABCED", "ABECD", "AEBCD", "EABCD")),
        ("#down-1", ("EBACD", "EBCAD", "EBCDA", "EBCDA")),
    ):
        page.locator(arrow).evaluate("arrow => arrow.scrollIntoView({block: 'center'})")
        box = page.locator(arrow).bounding_box()
        assert box
        for order in orders:  # every tap at the same place; there is no arrow where it cannot go on
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            expect(rows).to_have_text([re.compile(f"^{first}") for first in order])


def test_a_seat_moves_at_every_click_however_quick(new_phone: Callable[..., Phone]) -> None:
    page = arranging(new_phone).page
    arrow = page.locator("#up-5")
    arrow.evaluate("arrow => arrow.scrollIntoView({block: 'center'})")
    box = arrow.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for count, order in enumerate(("ABCED", "ABECD", "AEBCD"), 1):
        page.mouse.down(click_count=count)
        page.mouse.up(click_count=count)
        expect(page.locator(".order b")).to_have_text([re.compile(f"^{each}") for each in order])


ANSWERED = """addEventListener("form:answered", () => {
  document.documentElement.dataset.answered = "yes";
}, true)"""


def test_a_seat_that_moves_again_before_the_first_answer_stays_there_too(
    new_phone: Callable[..., Phone],
) -> None:
    """The stream is faster than the answer, and a finger may be faster than both."""
    phone = arranging(new_phone)
    page = phone.page
    page.evaluate(ANSWERED)
    arrow, rows = page.locator("#up-5"), page.locator(".order b")
    arrow.evaluate("arrow => arrow.scrollIntoView({block: 'center'})")
    box = arrow.bounding_box()
    assert box

    def tap() -> None:
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def stand(order: str) -> None:
        expect(rows).to_have_text([re.compile(f"^{first}") for first in order])

    held = phone.hold("**/do/order-seats")
    tap()
    first = held()
    answer = first.fetch()
    stand("ABCED")
    held = phone.hold("**/do/order-seats")
    tap()
    second = held()
    first.fulfill(response=answer)
    page.locator("html[data-answered]").wait_for()
    second.continue_()
    stand("ABECD")
    tap()
    stand("AEBCD")


def test_the_host_page_saves_what_is_changed_and_says_so(new_phone: Callable[..., Phone]) -> None:
    phone = new_phone(SMALL)
    path, _ = sit([phone], ["Anna"], way="roles")
    page = phone.page
    page.goto(f"{path}/host")
    page.locator("#edition").select_option("fi")
    expect(page.locator("#host-rules .saved").first).to_have_text("Saved")
    page.locator("#wifi-name").fill("Kelder")
    page.locator("#wifi-password").fill("salasõna1")
    page.locator(".dock a.main").click()
    page.wait_for_url(f"**{path}")
    page.goto(f"{path}/host")
    expect(page.locator("#edition")).to_have_value("fi")
    expect(page.locator("#wifi-name")).to_have_value("Kelder")


def test_what_is_asked_too_often_keeps_the_table_in_sight(new_phone: Callable[..., Phone]) -> None:
    phones, path = playing(new_phone)
    page = phones[0].page
    page.goto(path)
    said = "<main><h1>Too fast</h1><p>Wait a little.</p></main>"
    headers = {"Retry-After": "7", "Content-Language": "en", "Content-Type": "text/html"}
    page.route("**/do/play", lambda route: route.fulfill(status=429, headers=headers, body=said))
    page.goto(f"{path}/report")
    phones[0].stop_clock()
    page.locator("label[for=end-yes]").click()
    page.locator("button[name=finisher]").first.click()
    expect(page.locator(".unsaid")).to_contain_text("Wait a little.")
    expect(page.locator("#report")).to_be_visible()
    page.clock.fast_forward(8000)
    expect(page.locator(".unsaid")).to_have_count(0)


def test_a_laptop_in_the_lobby_sees_the_way_to_the_table_screen(
    new_phone: Callable[..., Phone],
) -> None:
    laptop = new_phone(Kind("en", 1280, 720))
    path, _ = sit([laptop], ["Anna"])
    laptop.page.goto(path)
    link, dock = (
        laptop.page.locator(f"main {each}").bounding_box()
        for each in ("a[href$='/screen']", ".dock")
    )
    assert link
    assert dock
    assert link["y"] + link["height"] <= dock["y"]


@pytest.mark.parametrize("closes", [False, True])
def test_of_two_taps_the_last_one_counts(new_phone: Callable[..., Phone], closes: bool) -> None:
    """On a slow network the answer to the first one comes last: a sheet of another place would
    stand there, and be taken for the one that was tapped."""
    anna = Round(new_phone, "lv-2009", 3, shown=(0,)).phones[0]
    page, slow = anna.page, re.compile(r"place=1,0")
    held = anna.hold(slow)
    place(anna, 1, 0).press("Enter")
    held()
    place(anna, 0, 1).press("Enter")
    opened = sheet(anna, "place")
    expect(opened).to_have_attribute("data-path", re.compile("place=0(,|%2C)1"))
    if closes:
        close(anna)
    with page.expect_response(slow):
        held().continue_()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    if closes:
        expect(page.locator("#sheet .sheet")).to_have_count(0)
    else:
        expect(opened).to_have_attribute("data-path", re.compile("place=0(,|%2C)1"))


def test_a_sheet_whose_play_was_sent_too_often_stays_open(new_phone: Callable[..., Phone]) -> None:
    """Whatever others report meanwhile."""
    table = Round(new_phone, "lv-2009", 3, shown=(0,))
    anna, bert, _ = table.phones
    headers = {"Retry-After": "30", "Content-Type": "text/html", "Content-Language": "en"}
    said = "<main><p>Wait for 30 seconds.</p></main>"
    anna.page.route(
        "**/do/play", lambda route: route.fulfill(status=429, headers=headers, body=said)
    )
    place(anna, 1, 0).press("Enter")
    sheet(anna, "place").locator("button[name=card]").first.press("Enter")
    expect(anna.page.locator(".unsaid")).to_contain_text("Wait for 30 seconds.")
    version = anna.page.locator("#live").get_attribute("data-version")
    table.post(bert, "do/join", name="Zelda")
    expect(anna.page.locator("#live")).not_to_have_attribute("data-version", version or "")
    sheet(anna, "place")


@pytest.mark.parametrize("status", [429, 502])
def test_an_open_sheet_stays_where_its_newest_state_is_refused(
    new_phone: Callable[..., Phone], status: int
) -> None:
    """Nobody has tapped anything: the table moved on."""
    table = Round(new_phone, "lv-2009", 3, shown=(0,))
    anna, bert, _ = table.phones
    place(anna, 1, 0).press("Enter")
    address = sheet(anna, "place").get_attribute("data-path")
    anna.page.route(re.compile("place=1"), lambda route: route.fulfill(status=status, body="no"))
    with anna.page.expect_response(re.compile("place=1")):
        table.post(bert, "do/join", name="Zelda")
    anna.page.evaluate("fetch('/privacy').then(each => each.text())")  # so long it would have taken
    expect(anna.page).to_have_url(table.url)
    expect(sheet(anna, "place")).to_have_attribute("data-path", address or "")
