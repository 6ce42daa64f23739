"""Numbers typed for trains: what is refused at once, what is kept, and what stays in sight."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from companion.games.trains.rules.abilities import ABILITIES, PLACES, WAGONS
from companion.games.trains.rules.decide import whereabouts
from companion.games.trains.rules.model import Deal, Draft, Draw, Play, State
from tests.browser.phones import IOS_15, NO_STORAGE, Kind, Phone
from tests.browser.tables import dealt_trains, send, sit
from tests.durability.server import QuickServer
from tests.games.trains.dealer import until
from tests.kit.forms import form_of
from tests.kit.server import Server

pytestmark = pytest.mark.browser

SMALL = Kind("lt", 320, 568, "light")

ROWS = {"Anna": (60, 50, 41, 31, 21, 12, 11), "Rūta": (80, 70, 60, 40, 30, 20, 10)}


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QuickServer]:
    """The program, loaded once for all tests."""
    server = QuickServer(tmp_path_factory.mktemp("typed") / "data", sys.maxsize, end_wait_s="0")
    yield server
    server.stop()


@pytest.fixture
def server(quick: QuickServer) -> Iterator[Server]:
    """What wagons can do is remembered for all tables: here nothing was told before."""
    shutil.rmtree(quick.data, ignore_errors=True)
    quick.start()
    yield quick
    quick.kill()


class Pair:
    """A host and a guest with the smallest phone, in the deal."""

    def __init__(self, new_phone: Callable[..., Phone], kind: Kind = SMALL) -> None:
        self.host, self.guest = new_phone(Kind("en")), new_phone(kind)
        path, _ = sit((self.host, self.guest), ("Anna", "Rūta"), game="trains")
        self.url = self.host.url + path
        send(self.host, f"{path}/do/start")
        for phone in (self.host, self.guest):
            phone.page.goto(self.url)

    def play(self, *plays: Play) -> None:
        for play in plays:
            phone = (self.host, self.guest)[play.by]
            send(phone, f"{self.url}/do/play", **form_of(play))


def type_all(page: Page, *numbers: int) -> None:
    page.locator("html.js").wait_for()
    for digit in "".join(map(str, numbers)):
        page.locator(f"[data-digit='{digit}']").first.click()


def typed(page: Page) -> list[str]:
    return [each.input_value() for each in page.locator("form.deal input[name=row]").all()]


def says(page: Page, words: str) -> None:
    """As it is read: the space before a name is there."""
    expect(page.locator("[data-says]").first).to_have_text(words, use_inner_text=True)


def test_another_number_takes_the_place_of_one_that_somebody_else_has(
    new_phone: Callable[..., Phone],
) -> None:
    pair = Pair(new_phone)
    host, guest = pair.host.page, pair.guest.page
    type_all(guest, *ROWS["Rūta"])
    type_all(host, *ROWS["Anna"])
    host.locator("[data-done]").click()
    expect(guest.locator(".wag.lost input")).to_have_value("60")
    type_all(guest, 59)
    says(guest, "")
    assert typed(guest) == [str(59 if number == 60 else number) for number in ROWS["Rūta"]]
    guest.locator("[data-done]").click()
    expect(guest.locator("#train-2 .train, .mytrain .train")).to_be_visible()


def test_a_row_that_somebody_else_overtakes(new_phone: Callable[..., Phone]) -> None:
    pair = Pair(new_phone)
    host, guest = pair.host.page, pair.guest.page
    type_all(guest, *ROWS["Rūta"])
    expect(guest.locator("[data-done]")).to_be_enabled()
    expect(guest.locator(".entrybig")).to_be_hidden()
    guest.reload()
    guest.locator("html.js").wait_for()
    expect(guest.locator("[data-done]")).to_be_enabled()
    assert typed(guest) == [str(number) for number in ROWS["Rūta"]]

    type_all(host, *ROWS["Anna"])
    host.locator("[data-done]").click()
    expect(guest.locator("#train-1")).to_be_visible()
    says(guest, "Vagonas 60 jau stovi eilėje: Anna")
    expect(guest.locator("[data-done]")).to_be_hidden()
    expect(guest.locator(".wag.lost input")).to_have_value("60")
    guest.locator(".wag.lost input").click()
    says(guest, "")
    guest.locator("[data-erase]").click()
    guest.locator("[data-erase]").click()
    type_all(guest, 59)
    guest.locator("[data-done]").click()
    expect(guest.locator("#train-2 .train, .mytrain .train")).to_be_visible()

    # What was typed is there again when the host takes it back, step by step.
    host.get_by_role("button", name="Undo the last play").click()
    expect(guest.locator("[data-done]")).to_be_enabled()
    assert typed(guest)[2] == "59"
    expect(host.locator("form.deal")).to_have_count(0)
    host.get_by_role("button", name="Undo the last play").click()
    expect(host.locator("[data-done]")).to_be_enabled()
    assert typed(host) == [str(number) for number in ROWS["Anna"]]


def test_why_a_number_cannot_be_stays_until_something_is_typed(
    new_phone: Callable[..., Phone],
) -> None:
    """Whatever happens at the table."""
    pair = Pair(new_phone, Kind("en", 320, 568))
    host, guest = pair.host.page, pair.guest.page
    type_all(guest, 80, 70)
    guest.locator("[data-digit='7']").click()
    guest.locator("[data-digit='0']").click()
    said = "70"
    expect(guest.locator("[data-says]").first).to_contain_text(said)
    type_all(host, *ROWS["Anna"])
    host.locator("[data-done]").click()
    expect(guest.locator("#train-1")).to_be_visible()
    expect(guest.locator("[data-says]").first).to_contain_text(said)
    guest.locator("[data-erase]").click()
    says(guest, "")
    type_all(guest, 60)
    says(guest, "Wagon 60 is already in a row: Anna")
    pair.play(Deal(1, (80, 70, 59, 40, 30, 20, 10)))
    expect(guest.locator("[data-says]")).to_have_count(0)


def test_where_nothing_is_stored_rows_are_typed_all_the_same(
    new_phone: Callable[..., Phone],
) -> None:
    """As in a browser inside another app that reads codes."""
    pair = Pair(new_phone, Kind("en", 320, 568))
    page = pair.guest.page
    page.add_init_script(NO_STORAGE)
    page.reload()
    type_all(page, *ROWS["Rūta"])
    assert typed(page) == [str(number) for number in ROWS["Rūta"]]
    page.locator("[data-done]").click()
    expect(page.locator("#train-2 .train, .mytrain .train")).to_be_visible()
    assert pair.guest.said == []


def test_rows_typed_at_the_same_moment(new_phone: Callable[..., Phone]) -> None:
    """The second one is sent before its phone has heard of the first."""
    pair = Pair(new_phone, Kind("en", 390, 844, "dark", script=False))
    host, guest = pair.host.page, pair.guest.page
    fields = guest.locator("form.deal input[name=row]").all()
    for field, number in zip(fields, ROWS["Rūta"], strict=True):
        field.fill(str(number))
    type_all(host, *ROWS["Anna"])
    host.locator("[data-done]").click()
    expect(host.locator("form.deal")).to_have_count(0)
    guest.locator("[data-done]").click()
    expect(guest.locator("#refusal")).to_contain_text("Wagon 60 is already in a row: Anna")
    assert typed(guest) == [str(number) for number in ROWS["Rūta"]]
    guest.locator("form.deal input[name=row]").nth(2).fill("59")
    guest.locator("[data-done]").click()
    expect(host.locator("h1:visible")).to_have_text("Your turn")


def test_a_refusal_is_said_once(new_phone: Callable[..., Phone]) -> None:
    """A row that is sent while another one comes in, too: at the keys, where it is set right."""
    pair = Pair(new_phone, Kind("en", 320, 568))
    page = pair.guest.page
    type_all(page, *ROWS["Rūta"])

    def overtaken(route: Route) -> None:
        send(pair.host, f"{pair.url}/do/play", play="deal", seat=1, row=list(ROWS["Anna"]))
        route.continue_()

    pair.guest.route_once("**/do/play", overtaken)
    with page.expect_response("**/do/play") as answer:
        page.locator("[data-done]").click()
    assert answer.value.status == 409
    expect(page.locator("form[data-busy]")).to_have_count(0)
    why = page.get_by_text("Wagon 60 is already in a row: Anna")
    expect(why.filter(visible=True)).to_have_count(1)
    expect(page.locator("[data-says]")).to_be_in_viewport()
    says(page, "Wagon 60 is already in a row: Anna")
    type_all(page, 59)
    page.locator("[data-done]").click()
    expect(page.locator("form.deal")).to_have_count(0)
    expect(why).to_have_count(0)


def test_the_keys_of_the_deal_are_all_in_sight(new_phone: Callable[..., Phone]) -> None:
    page = Pair(new_phone).guest.page
    type_all(page, 80, 70)
    assert page.evaluate("scrollY") == 0
    for key in page.locator(".keys button").all():
        box = key.bounding_box()
        assert box
        assert box["y"] + box["height"] <= SMALL.height
        assert min(box["width"], box["height"]) >= 44


def seen(page: Page, part: Locator) -> bool:
    box, height = part.bounding_box(), page.viewport_size and page.viewport_size["height"]
    assert box
    assert height
    return box["y"] >= 0 and box["y"] + box["height"] <= height


@pytest.mark.parametrize(("width", "height"), [(568, 320), (740, 360)])
def test_on_its_side_a_phone_shows_keys_and_row_at_once(
    new_phone: Callable[..., Phone], width: int, height: int
) -> None:
    """In the deal all keys at once; the row shows what they type."""
    pair = Pair(new_phone, Kind("lt", width, height))
    page = pair.guest.page
    type_all(page, 80)
    assert all(seen(page, key) for key in page.locator("main .keys button").all())
    plays, _ = until(2, lambda state: state.phase == "turn" and state.turn == 1)
    pair.play(*plays)
    page.goto(pair.url)
    keys, row = page.locator("main .keys > *"), page.locator("form.put .train")
    page.locator("html.js").wait_for()
    row.evaluate("row => scrollTo(0, row.getBoundingClientRect().top - 8)")
    assert all(seen(page, part) for part in (row, *keys.all()))
    for key in keys.all():
        box = key.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44


def test_on_a_low_phone_row_and_face_up_cards_lie_above_the_keys(
    new_phone: Callable[..., Phone],
) -> None:
    """As many as there ever are when it is the guest's turn; however the phone is held."""
    pair = Pair(new_phone, Kind("lt", 320, 568))
    pair.play(*(Deal(seat, tuple(range(80 - seat, 19 - seat, -10))) for seat in (0, 1)))
    pair.play(Draft(0, 51, 1, ABILITIES[0]), Draft(1, 52, 1, ABILITIES[1]))
    for at, ability in enumerate(ABILITIES[2:7]):
        pair.play(Draw(at % 2, 53 + at, 7 - at // 2, ability))
    page = pair.guest.page
    keys, cards = page.locator(".dock .keys"), page.locator("#cards .mk")
    for width, height in ((320, 568), (360, 560), (568, 320), (740, 360)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(pair.url)
        expect(cards).to_have_count(7)
        expect(keys).to_be_in_viewport(ratio=1)
        page.locator("html.js").wait_for()
        bound = page.locator("#dock").bounding_box()
        assert bound
        for part in (page.locator("form.put .train"), *cards.all()):
            assert seen(page, part), (width, height)
            box = part.bounding_box()
            assert box
            assert box["y"] + box["height"] <= bound["y"] + 1, (width, height)
            assert min(box["width"], box["height"]) >= 44
    expect(cards.first).to_have_accessible_name(re.compile(r"\D{9}.*\d"))  # what it does, too


def test_a_phone_that_is_turned_on_its_side_shows_the_row(new_phone: Callable[..., Phone]) -> None:
    """Whose turn it is taps a wagon there."""
    pair = Pair(new_phone)
    page = pair.guest.page
    plays, _ = until(2, lambda state: state.phase == "turn" and state.turn == 1)
    pair.play(*plays)
    row = page.locator("form.put .train")
    expect(row).to_be_visible()
    page.set_viewport_size({"width": 320, "height": 568})
    page.evaluate("scrollTo(0, document.body.scrollHeight)")  # at the others' rows
    assert not seen(page, row)
    page.set_viewport_size({"width": 568, "height": 320})
    expect(row).to_be_in_viewport(ratio=0.9)
    assert seen(page, row)


def test_another_game_is_in_sight_of_who_can_begin_it(new_phone: Callable[..., Phone]) -> None:
    pair = Pair(new_phone)
    plays, _ = until(2, lambda state: state.phase == "over")
    pair.play(*plays)
    pair.host.page.set_viewport_size({"width": 320, "height": 568})
    again = pair.host.form("start").locator("button").last
    expect(again).to_be_in_viewport()
    assert pair.host.page.evaluate("scrollY") == 0


def test_every_number_that_lies_on_the_table_is_refused_at_once(
    new_phone: Callable[..., Phone],
) -> None:
    """Under a lock, or just removed, from whosever row."""
    pair = Pair(new_phone, Kind("en", 320, 568, "dark"))

    def gaps(state: State) -> bool:
        return len(state.owed) == 2 and state.turn == 1 and any(map(any, state.locks))

    plays, state = until(2, gaps)
    pair.play(*plays)
    page = pair.guest.page
    expect(page.locator("h1:visible")).to_have_text("Your turn")
    lies = {
        next(card for lock in state.locks for card in lock if card): "lies under a row as a lock",
        state.owed[0][1]: "has just been removed from a row",
        state.owed[1][1]: "has just been removed from a row",
    }
    for number, words in lies.items():
        for _ in range(2):
            page.locator("[data-erase]").click()
        type_all(page, number)
        found = whereabouts(state, number)
        assert found is not None
        assert found.seat is not None
        if number < 9:
            page.locator("form.put button").first.click()
        says(page, f"Wagon {number} {words}: {list(ROWS)[found.seat]}")
        expect(page.locator("form.put")).not_to_have_class(re.compile("ready"))


def test_the_places_that_an_ability_reaches_lie_above_its_sheet(
    new_phone: Callable[..., Phone],
) -> None:
    pair = Pair(new_phone)

    def swaps(state: State) -> bool:
        return state.turn == 1 and state.phase == "turn" and "swap_adjacent" in dict(state.market)

    plays, state = until(2, swaps)
    pair.play(*plays)
    page = pair.guest.page
    link = page.locator("[data-use=swap_adjacent]")
    link.wait_for()
    type_all(page, next(n for n in range(10, WAGONS.stop) if whereabouts(state, n) is None))
    expect(page.locator("form.put")).to_have_class(re.compile("ready"))
    entry = page.locator("[data-entry]")
    number = entry.input_value()
    link.click()
    sheet = page.locator("#sheet .sheet[data-kind=use]")
    sheet.wait_for()
    page.keyboard.type("12")  # the keys lie hidden
    expect(entry).to_have_value(number)
    expect(page.locator("form.put")).not_to_have_class(re.compile("ready"))
    top = sheet.bounding_box()
    assert top
    lit = page.locator("form.put button.can")
    assert lit.count() == len(PLACES)
    for place in lit.all():
        box = place.bounding_box()
        assert box
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= top["y"]
    page.keyboard.press("Escape")
    expect(page.locator("form.put")).to_have_class(re.compile("ready"))


def test_numbers_that_share_a_digit_are_typed_fast(new_phone: Callable[..., Phone]) -> None:
    """The second number begins with the key on which the first one ended."""
    page = Pair(new_phone, Kind("lt", 320, 568, "light", touch=True)).guest.page
    page.locator("html.js").wait_for()
    keys = {digit: page.locator(f"[data-digit='{digit}']").bounding_box() for digit in "12469"}
    for digit in "2449466612":
        box = keys[digit]
        assert box
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert typed(page) == ["66", "49", "46", "24", "12", "", ""]


def test_a_deal_sheet_closes_when_its_row_is_typed_elsewhere(
    new_phone: Callable[..., Phone],
) -> None:
    """Also the last one, of who is to play then."""
    pair = Pair(new_phone)
    page = pair.host.page
    pair.play(Deal(0, ROWS["Anna"]))
    report = page.get_by_role("link", name="Report for: Rūta")
    report.click()
    sheet = page.locator("#sheet .sheet")
    expect(sheet).to_have_attribute("data-kind", "deal")
    address = sheet.get_attribute("data-path")
    pair.play(Deal(1, (80, 70, 59, 40, 30, 20, 10)))
    expect(page.locator("h1:visible")).to_have_text(re.compile("turn|Turn"))
    expect(sheet).to_have_count(0)
    page.goto(f"{pair.host.url}{address}")
    expect(sheet).to_contain_text("This player’s seven wagons have already been dealt.")


def test_half_a_number_survives_what_others_report(new_phone: Callable[..., Phone]) -> None:
    pair = Pair(new_phone)
    host, guest = pair.host.page, pair.guest.page
    type_all(host, *ROWS["Anna"])
    type_all(guest, 80, 4)
    host.locator("[data-done]").click()
    expect(guest.locator("#train-1")).to_be_visible()
    guest.reload()
    type_all(guest, 9)
    assert typed(guest) == ["80", "49", "", "", "", "", ""]


def test_what_was_typed_last_is_deleted_first(new_phone: Callable[..., Phone]) -> None:
    page = Pair(new_phone, Kind("en", 320, 568)).guest.page
    type_all(page, 12, 40, 78)
    assert typed(page) == ["78", "40", "12", "", "", "", ""]
    page.locator("[data-erase]").click()
    assert typed(page) == ["40", "12", "", "", "", "", ""]
    page.reload()
    type_all(page, 7)
    page.locator("[data-erase]").click()
    page.locator("[data-erase]").click()
    assert typed(page) == ["12", "", "", "", "", "", ""]


def test_a_last_look_at_the_row(new_phone: Callable[..., Phone]) -> None:
    page = Pair(new_phone, Kind("en", 320, 568)).guest.page
    look = page.get_by_text("Tap a wagon to change its number.")
    expect(look).to_be_hidden()
    type_all(page, *ROWS["Rūta"])
    expect(look).to_be_visible()
    page.locator("form.deal input[name=row]").nth(2).click()
    expect(look).to_be_hidden()
    type_all(page, 59)
    expect(look).to_be_visible()
    assert typed(page)[2] == "59"


def test_on_a_low_phone_what_is_empty_has_its_name(new_phone: Callable[..., Phone]) -> None:
    """Cards that lie face up need none there: the keys take its place."""
    pair = Pair(new_phone)
    plays, _ = until(2, lambda state: state.phase == "draft" and bool(state.market))
    before = [play for play in plays if type(play).__name__ == "Deal"]
    heading = pair.guest.page.locator("#market-h")
    pair.play(*before)
    expect(heading).to_be_in_viewport()
    expect(heading).to_have_css("position", "static")
    pair.play(*plays[len(before) :])
    expect(heading).to_have_css("position", "absolute")


def test_a_wagon_tapped_by_mistake_goes_back_at_a_tap_on_another(
    new_phone: Callable[..., Phone],
) -> None:
    page = Pair(new_phone, Kind("en", 320, 568)).guest.page
    type_all(page, *ROWS["Rūta"])
    wagons = page.locator("form.deal input[name=row]")
    wagons.nth(2).click()
    expect(page.locator("[data-entry]")).to_have_text("60")
    wagons.nth(2).click()
    expect(page.locator("[data-entry]")).to_have_text("40")
    assert typed(page) == ["80", "70", "60", "30", "20", "10", ""]
    type_all(page, 41)
    assert typed(page) == ["80", "70", "60", "41", "30", "20", "10"]
    expect(page.locator("[data-done]")).to_be_enabled()


def test_what_is_typed_after_a_tap_on_a_wagon_is_its_number(
    new_phone: Callable[..., Phone],
) -> None:
    """However many digits the wrong one has; and no other wagon is marked meanwhile."""
    page = Pair(new_phone, Kind("en", 320, 568)).guest.page
    type_all(page, 80, 9, 70, 60, 50, 40, 30)
    page.locator("form.deal input[name=row]").nth(6).click()
    expect(page.locator("[data-entry]")).to_have_text("9")
    expect(page.locator("form.deal input:focus")).to_have_count(0)
    type_all(page, 71)
    assert typed(page) == ["80", "71", "70", "60", "50", "40", "30"]


def test_the_wagon_is_tapped_before_the_number_is_typed(new_phone: Callable[..., Phone]) -> None:
    pair = Pair(new_phone, Kind("en", 390, 844))

    def turn(state: State) -> bool:
        return state.turn == 1 and state.phase == "turn"

    plays, state = until(2, turn)
    pair.play(*plays)
    page = pair.guest.page
    wagon = page.locator("form.put button[value='4']")
    number = next(n for n in range(10, WAGONS.stop) if whereabouts(state, n) is None)
    page.locator("html.js").wait_for()
    page.keyboard.type(f"{number}\n")  # a number alone says no wagon
    expect(page.locator("#sheet .sheet")).to_have_count(0)
    for _ in range(2):
        page.locator("[data-erase]").click()
    wagon.click()
    expect(wagon).to_have_class(re.compile("chosen"))
    wagon.click()
    expect(wagon).not_to_have_class(re.compile("chosen"))
    wagon.click()
    type_all(page, number)
    expect(page.locator(f"#sheet [name=card][value='{number}']")).to_have_count(1)
    expect(page.locator("#sheet [name=at]").first).to_have_value("4")


def test_a_wagon_that_was_tapped_is_for_one_number(new_phone: Callable[..., Phone]) -> None:
    """Not for the same turn when the play was taken back."""
    pair = Pair(new_phone, Kind("en", 390, 844))
    plays, state = until(2, lambda state: state.turn == 1 and state.phase == "turn")
    pair.play(*plays)
    page = pair.guest.page
    wagon, marked = page.locator("form.put button[value='4']"), page.locator("form.put .chosen")
    number = next(n for n in range(10, WAGONS.stop) if whereabouts(state, n) is None)
    ready = page.locator("form.put.ready")

    def play_and_undo() -> None:
        page.locator("#sheet button.mk, #sheet button.main").first.click()
        expect(page.locator("h1:visible")).to_have_text("Turn: Anna")
        page.get_by_role("button", name="Undo the last play").click()
        expect(page.locator("h1:visible")).to_have_text("Your turn")
        expect(marked).to_have_count(0)
        type_all(page, number)
        expect(ready).to_have_count(1)
        expect(page.locator("#sheet .sheet")).to_have_count(0)

    page.locator("html.js").wait_for()
    wagon.click()
    type_all(page, number)
    play_and_undo()
    wagon.click()
    play_and_undo()
    wagon.click()
    page.locator("#sheet [data-close]").first.click()
    expect(marked).to_have_count(0)

    for _ in range(2):
        page.locator("[data-erase]").click()
    wagon.click()
    expect(marked).to_have_count(1)
    send(pair.host, f"{pair.url}/do/play", **form_of(Draw(1, number, 1, "protect")))
    expect(page.locator("h1:visible")).to_have_text("Turn: Anna")
    send(pair.host, f"{pair.url}/do/take-back")
    expect(page.locator("h1:visible")).to_have_text("Your turn")
    expect(marked).to_have_count(0)


def test_what_fills_a_gap_is_for_no_turn(new_phone: Callable[..., Phone]) -> None:
    """The same player's, when the removal is taken back."""
    pair = Pair(new_phone, Kind("en", 390, 844))

    def fills(state: State) -> bool:
        return state.turn == 1 and len(state.owed) == 2

    plays, state = until(2, fills)
    pair.play(*plays)
    page = pair.guest.page
    page.goto(pair.url)
    type_all(page, next(n for n in range(10, WAGONS.stop) if whereabouts(state, n) is None))
    page.locator("form.put button[name=at]").click()
    sheet = page.locator("#sheet .sheet")
    expect(sheet.locator("[name=play]")).to_have_value("refill")
    address = sheet.get_attribute("data-path")
    send(pair.host, f"{pair.url}/do/take-back")
    expect(page.locator("form.put button[name=at]")).to_have_count(len(PLACES))
    expect(sheet).to_have_count(0)
    page.goto(f"{pair.guest.url}{address}")
    expect(sheet).to_contain_text("draw a card or use an ability")


def test_a_turn_begins_with_the_row_in_sight(new_phone: Callable[..., Phone]) -> None:
    """However much is said above it: by whose hands cards go where, with the longest names."""
    phones = [new_phone(SMALL) for _ in range(4)]
    names = ("Anna", "Wilhelmiina-Žygimantė-Õõ", "M" * 24, "Rūta")
    path, _ = sit(phones, names, game="trains")
    send(phones[0], f"{path}/do/start")
    plays, _ = until(4, lambda state: state.turn == 2 and state.phase == "draft")
    page = phones[2].page
    page.goto(path)
    for play in plays:
        send(phones[play.by], f"{path}/do/play", **form_of(play))
    row, keys = page.locator("form.put .train"), page.locator(".dock:has(.typing)")
    expect(row).to_be_visible()
    expect(page.locator("#calls")).to_be_visible()
    rows_end, keys_begin = (
        each.evaluate(f"each => each.getBoundingClientRect().{edge}")
        for each, edge in ((row, "bottom"), (keys, "top"))
    )
    assert rows_end <= keys_begin


def test_a_wagon_shows_that_it_was_tapped_while_the_network_is_slow(
    new_phone: Callable[..., Phone],
) -> None:
    pair = Pair(new_phone)
    plays, state = until(2, lambda state: state.turn == 1 and state.phase == "turn")
    pair.play(*plays)
    page = pair.guest.page
    number = next(n for n in range(10, WAGONS.stop) if whereabouts(state, n) is None)
    type_all(page, number)
    asked = pair.guest.hold("**/ask?*")
    wagon = page.locator("form.put button[value='4']")
    wagon.click()
    expect(wagon).to_have_class(re.compile("chosen"))
    expect(page.locator("#sheet .sheet")).to_have_count(0)
    asked().continue_()
    expect(page.locator(f"#sheet [name=card][value='{number}']")).to_have_count(1)
    page.locator("#sheet [data-close]").first.click()
    page.locator("[data-erase]").click()
    expect(wagon).not_to_have_class(re.compile("chosen"))


def test_a_digit_that_was_clicked_is_typed_once(new_phone: Callable[..., Phone]) -> None:
    """By the mouse of a laptop, where Enter follows."""
    pair = Pair(new_phone, Kind("en", 1280, 720))
    plays, state = until(2, lambda state: state.turn == 1 and state.phase == "turn")
    pair.play(*plays)
    page = pair.guest.page
    page.locator("form.put button[value='4']").click()
    number = next(n for n in range(1, 9) if whereabouts(state, n) is None)
    type_all(page, number)
    page.keyboard.press("Enter")
    expect(page.locator(f"#sheet [name=card][value='{number}']")).to_have_count(1)


def test_what_can_be_used_is_in_sight_on_a_low_phone(new_phone: Callable[..., Phone]) -> None:
    """Face-up cards above the keys; and the button that uses a removal."""
    pair = Pair(new_phone)

    def removes(state: State) -> bool:
        return state.turn == 1 and state.phase == "turn" and "remove_left" in dict(state.market)

    plays, _ = until(2, removes)
    pair.play(*plays)
    page = pair.guest.page
    page.goto(pair.url)
    expect(page.locator("#calls li").first).to_be_visible()
    keys, picture = (
        page.locator("#dock").bounding_box(),
        page.locator(".mk .ab").first.bounding_box(),
    )
    assert keys
    assert picture
    assert picture["y"] + picture["height"] <= keys["y"]
    page.locator("[data-use=remove_left]").click()
    button = page.locator("#sheet .sheet[data-kind=remove] button.main")
    button.wait_for()
    box = button.bounding_box()
    assert box
    assert box["y"] + box["height"] <= SMALL.height


def test_a_row_that_has_not_risen_need_not_be_typed_again(new_phone: Callable[..., Phone]) -> None:
    phones = [new_phone(Kind("en")), new_phone(SMALL)]
    path, _ = sit(phones, ("Anna", "Rūta"), game="trains", way="light")
    send(phones[0], f"{path}/do/start")
    page = phones[0].page
    page.goto(path)
    claim, fields = page.locator("a[href*='claim=1']"), page.locator("form.claim [name=row]")
    claim.click()
    page.locator("#claimer").select_option("2")
    typed = ["3", "12", "36", "30", "55", "60", "77"]
    for field, number in zip(fields.all(), typed, strict=True):
        field.fill(number)
    page.locator("form.claim button.main").click()
    expect(page.locator("#sheet form.claim #refusal")).to_be_visible()  # beside what is set right
    page.locator("#sheet [data-kind=claim]").wait_for()
    assert [field.input_value() for field in fields.all()] == typed
    expect(page.locator("#claimer")).to_have_value("2")
    expect(fields.nth(3)).to_have_class(re.compile(r"\bnow\b"))  # it is said to be too low
    fields.nth(3).fill("37")
    expect(page.locator("#refusal[role=alert]")).to_be_visible()
    send(phones[0], f"{path}/do/play", play="next", seat=1)  # the table goes on
    expect(page.locator("form.claim #refusal:not([role])")).to_be_visible()  # it was read out
    assert fields.nth(3).input_value() == "37"
    fields.nth(2).fill("36")
    page.locator("form.claim button.main").click()
    expect(page.locator("#turn h1")).to_have_text("Winner: Rūta")
    expect(page.locator("#sheet .sheet")).to_have_count(0)


def test_a_row_that_has_risen_is_typed_on_keys_of_our_own(new_phone: Callable[..., Phone]) -> None:
    """As a deal is under the referee; the phone's own keys stay away, and others still type."""
    phone = new_phone(SMALL)
    path, _ = sit([phone, new_phone(Kind("en"))], ("Anna", "Rūta"), game="trains", way="light")
    send(phone, f"{path}/do/start")
    page = phone.page
    page.goto(path)
    page.locator("a[href*='claim=1']").click()
    fields, keys = page.locator("form.claim [name=row]"), page.locator("form.claim .keys")
    expect(fields.first).to_have_attribute("inputmode", "none")

    def typed() -> list[str]:
        return [field.input_value() for field in fields.all()]

    def tap(*digits: str) -> None:
        for digit in digits:
            keys.locator(f"[data-digit='{digit}']").click()

    tap("0", "3")
    keys.locator("[data-next]").click()
    tap(*"124")
    assert typed()[:3] == ["3", "12", "4"]
    keys.locator("[data-erase]").click()
    keys.locator("[data-erase]").click()
    assert typed()[:3] == ["3", "1", ""]
    tap(*"5")
    page.keyboard.type("36")
    fields.nth(3).click()
    tap(*"40")
    page.keyboard.type("55")  # the focus has gone along
    tap(*"6077")
    assert typed() == ["3", "15", "36", "40", "55", "60", "77"]
    fields.nth(1).focus()
    tap(*"18")
    assert typed() == ["3", "18", "36", "40", "55", "60", "77"]
    page.locator("#sheet h2").focus()
    fields.last.fill("")
    page.locator("#sheet h2").focus()
    tap(*"77")
    expect(keys).to_be_hidden()  # the row is whole, and what checks it in sight
    button = page.locator("form.claim button.main")
    box = button.bounding_box()
    assert box
    assert box["y"] + box["height"] <= SMALL.height
    fields.first.click()
    expect(keys).to_be_visible()
    button.click()
    expect(page.locator("#mine h1")).to_have_text("Jūs laimėjote!")


def test_what_was_typed_of_a_row_is_for_no_later_turn(new_phone: Callable[..., Phone]) -> None:
    """On one device for all: neither what was not sent nor what was refused."""
    phone = new_phone(Kind("en", 390, 844))
    path, _ = sit([phone], ["Anna"], game="trains", way="light")
    send(phone, f"{path}/do/add-seat", name="Rūta")
    send(phone, f"{path}/do/start", starter=1)
    page = phone.page
    page.goto(path)
    claim, fields = page.locator("a[href*='claim=1']"), page.locator("form.claim [name=row]")

    def claims() -> list[str]:
        claim.click()
        expect(fields).to_have_count(7)
        return [field.input_value() for field in fields.all()]

    def end_turn(then: str) -> None:
        page.get_by_role("button", name="The turn is over").click()
        expect(page.locator("h1:visible")).to_have_text(f"Turn: {then}")

    claims()
    fields.first.fill("3")
    page.locator("#sheet [data-close]").first.click()
    assert claims() == [""] * 7
    page.locator("#sheet [data-close]").first.click()
    claims()
    for field, number in zip(fields.all(), (3, 12, 36, 30, 55, 60, 77), strict=True):
        field.fill(str(number))
    page.locator("form.claim button.main").click()
    expect(page.locator("#sheet #refusal")).to_be_visible()
    assert fields.last.input_value() == "77"
    expect(page.locator("#claimer option:checked")).to_have_text("Anna")
    fields.nth(3).fill("38")

    # While it is typed, it stays what it is, whatever is told of the turn.
    send(phone, f"{path}/do/play", play="next", seat=1)
    expect(page.locator("#turn h1")).to_have_text("Turn: Rūta")
    expect(page.locator("#claimer option").last).to_have_attribute("selected", "")
    expect(page.locator("#claimer option:checked")).to_have_text("Anna")
    assert [field.input_value() for field in fields.all()][3] == "38"
    fields.nth(3).fill("30")
    page.locator("form.claim button.main").click()
    expect(page.locator("#sheet #refusal")).to_be_visible()
    page.locator("#sheet [data-close]").first.click()
    end_turn("Anna")
    end_turn("Rūta")
    assert claims() == [""] * 7
    expect(page.locator("#claimer option:checked")).to_have_text("Rūta")


def test_a_row_by_keys_alone(new_phone: Callable[..., Phone]) -> None:
    """What was put in is said; a wrong wagon is set right where it stands."""
    page = Pair(new_phone, Kind("en", 320, 568)).guest.page
    said, wagons = page.locator("form.deal [data-said]"), page.locator("form.deal input[name=row]")
    page.locator("html.js").wait_for()
    page.keyboard.type("70")
    expect(said).to_have_text("70 · 1/7")
    page.keyboard.type("960")  # no wagon has a number from 90 to 99
    expect(said).to_have_text("60 · 3/7")
    wagons.nth(2).press("Delete")
    expect(said).to_have_text("−9 · 2/7")
    assert typed(page) == ["70", "60", "", "", "", "", ""]
    wagons.nth(0).press("Enter")
    expect(page.locator("form.deal [data-entry]")).to_have_text("70")
    page.keyboard.type("80")
    expect(said).to_have_text("80 · 2/7")
    page.locator("header a, .bar a").first.focus()
    page.keyboard.type("44")
    assert typed(page) == ["80", "60", "", "", "", "", ""]
    page.locator("[data-digit='4']").focus()
    page.keyboard.type("4030201110")
    expect(page.locator("form.deal [data-done]")).to_be_focused()
    expect(said).to_have_text("10 · 7/7")
    wagons.nth(0).focus()
    page.keyboard.type("84")
    expect(page.locator("form.deal [data-entry]")).to_have_text("")
    assert typed(page)[0] == "80"
    expect(said).to_have_text("10 · 7/7")


@pytest.mark.parametrize("on", ["a wagon", "the page"])
def test_a_row_by_a_keyboard_with_enter_after_each_number(
    new_phone: Callable[..., Phone], on: str
) -> None:
    """Two digits are a number by themselves; who types Enter after them means no more."""
    pair = Pair(new_phone)
    page = pair.host.page
    page.locator("html.js").wait_for()
    if on == "a wagon":
        page.locator("input[name=row]").first.focus()
    for number in (80, 7, 75, 52, 9, 41, 33):
        page.keyboard.type(f"{number}")
        page.keyboard.press("Enter")
    assert typed(page) == ["80", "75", "52", "41", "33", "9", "7"]
    expect(page.locator("[data-done]")).to_be_enabled()  # nothing has been sent


def test_what_a_turn_is_told_of_can_be_heard(new_phone: Callable[..., Phone]) -> None:
    pair = Pair(new_phone, Kind("en"))
    plays, state = until(2, lambda state: state.phase == "turn" and state.turn == 1)
    pair.play(*plays)
    page = pair.guest.page
    said, wagon = page.locator(".typing [data-said]"), page.locator("form.put button[name=at]")
    expect(said).to_have_attribute("aria-live", "polite")
    expect(wagon.nth(3)).not_to_have_attribute("aria-pressed", "true")
    wagon.nth(3).press("Enter")
    expect(wagon.nth(3)).to_have_attribute("aria-pressed", "true")
    wagon.nth(3).press("Enter")
    expect(wagon.nth(3)).not_to_have_attribute("aria-pressed", "true")
    page.keyboard.type(str(state.rows[0][1]))
    expect(said).to_have_text(str(state.rows[0][1]))
    refused = page.locator("[data-says]")
    expect(refused).to_contain_text("Anna")
    before = refused.evaluate_handle("each => each.firstChild")
    wagon.nth(3).press("Enter")
    expect(refused).to_contain_text("Anna")  # in words of their own, which are read out again
    assert refused.evaluate("(each, before) => each.firstChild !== before", before)


def test_what_was_corrected_is_in_sight_of_who_has_done_it(
    new_phone: Callable[..., Phone],
) -> None:
    """The way there stands at the end of the page."""
    host = new_phone(Kind("en", 320, 568))
    path, _ = sit([host], ("Anna",), game="trains")
    send(host, f"{path}/do/add-seat", name="Ruta")
    send(host, f"{path}/do/start")
    plays, state = until(2, lambda state: state.turn == 0 and state.phase == "turn")
    for play in plays:
        send(host, f"{path}/do/play", **form_of(play))
    page = host.page
    page.goto(path)
    page.get_by_role("link", name="Correct a mistake").click()
    wagon = next(each for each in reversed(state.rows[0]) if each >= 10)
    page.locator(f"#sheet a[href*='wagon={wagon}']").first.click()
    right = next(number for number in range(10, WAGONS.stop) if whereabouts(state, number) is None)
    page.locator("#right-number").fill(str(right))
    page.get_by_role("button", name="Correct it").click()
    expect(page.locator("#corrected")).to_contain_text(f"{wagon} → {right}")
    expect(page.locator("#corrected")).to_be_in_viewport(ratio=1)


def test_ios_15_puts_a_wagon_in_place_of_one_that_is_known(
    new_phone: Callable[..., Phone],
) -> None:
    phones = [new_phone() for _ in range(2)]
    page, names = phones[0].page, ("Anna", "Bert")
    phones[0].context.add_init_script(IOS_15)
    known = dealt_trains(phones, names)
    send(phones[0], f"{known}/do/play", **form_of(Draft(0, 15, 7, "protect")))
    page.goto(dealt_trains(phones, names))
    type_all(page, 15)
    page.locator("button[data-known][value='7']").click()
    expect(page.locator("h1:visible")).to_have_text("Turn: Bert")
    expect(page.locator("#box-1")).to_have_accessible_name(re.compile(r"\b15$"))


def test_a_row_that_is_claimed_is_typed_and_sent_from_one_sheet(
    new_phone: Callable[..., Phone],
) -> None:
    """On the smallest phone nothing of it is scrolled, also when it has been refused."""
    host = new_phone(Kind("lv", 320, 568))
    path, _ = sit((host, new_phone()), ("Anna", "Ruta"), game="trains", way="light")
    send(host, f"{path}/do/start")
    page = host.page
    page.goto(path)
    page.locator("#deeds a[href*=claim]").click()
    sheet = page.locator("#sheet .sheet")
    check = sheet.locator("button.main")
    expect(check).to_be_in_viewport(ratio=1)
    type_all(page, 12, 40, 33, 50, 60, 70, 80)
    check.click()
    expect(sheet).to_contain_text("33")
    expect(sheet.locator("#refusal")).to_be_visible()
    expect(check).to_be_in_viewport(ratio=1)


def test_who_cannot_use_a_card_sees_what_to_do(new_phone: Callable[..., Phone]) -> None:
    """In the opening draft the head of the page stays, whatever lies face up."""
    pair = Pair(new_phone, Kind("lv", 320, 568))
    pair.play(*(Deal(seat, tuple(range(80 - seat, 19 - seat, -10))) for seat in (0, 1)))
    pair.play(Draft(0, 51, 1, ABILITIES[0]))
    page = pair.guest.page
    expect(page.locator("h1:visible")).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0
    assert seen(page, page.locator("form.put .train"))


def test_a_key_under_the_mouse_is_not_pressed_again_by_enter(
    new_phone: Callable[..., Phone],
) -> None:
    page = Pair(new_phone, Kind("en", 1280, 720)).guest.page
    page.locator("html.js").wait_for()
    page.keyboard.type("7")
    page.locator("[data-erase]").click()
    page.keyboard.type("8")
    page.keyboard.press("Enter")
    expect(page.locator("form.deal input[name=row]").first).to_have_value("8")


def test_the_tab_of_the_deal_says_what_the_page_says(new_phone: Callable[..., Phone]) -> None:
    pair = Pair(new_phone)
    page = pair.host.page
    pair.play(Deal(1, ROWS["Rūta"]))
    expect(page.locator("#line-2 [id^=words]")).to_be_attached()
    expect(page).to_have_title(re.compile("^Which wagons were you dealt"))


def test_after_a_sheet_the_focus_is_where_it_was(new_phone: Callable[..., Phone]) -> None:
    """And what is asked for is not said again while nothing of it changes."""
    pair = Pair(new_phone)
    pair.play(Deal(0, ROWS["Anna"]), Deal(1, (80, 70, 61, 40, 30, 20, 10)))
    page = pair.host.page
    label = page.locator(".typing label")
    expect(label).to_be_visible()
    page.keyboard.type("5")
    label.evaluate("label => { label.firstChild.said = true }")
    page.keyboard.type("1")
    assert label.evaluate("label => label.firstChild.said")
    wagon = page.locator("form.put button[name=at]").nth(2)
    wagon.focus()
    page.keyboard.press("Enter")
    page.locator("#sheet .sheet[data-kind=ability]").wait_for()
    page.keyboard.press("Escape")
    expect(page.locator("#sheet .sheet")).to_have_count(0)
    expect(wagon).to_be_focused()


def test_of_whom_a_removal_spares_the_screen_remembers(new_phone: Callable[..., Phone]) -> None:
    """In another language, too."""
    phones = [new_phone(Kind("en", 1280, 720)), new_phone()]
    path, _ = sit(phones, ("Anna", "Rūta"), game="trains", way="light")
    send(phones[0], f"{path}/do/start")
    for seat in (1, 2):
        send(phones[seat - 1], f"{path}/do/play", play="next", seat=seat)
    page = phones[0].page
    page.goto(f"{path}/screen")
    page.locator("details:has([name=lost]) summary").click()
    lost = page.locator("[name=lost]")
    with page.expect_response(re.compile("kept")):
        lost.first.uncheck()
    page.locator("a.lang").click()
    page.locator("button[value=fi]").click()
    expect(page.locator("html[lang=fi] [name=lost]").first).not_to_be_checked()
    expect(lost.last).to_be_checked()
