"""Three phones and a table screen through a whole Game of Trains, all of it by taps."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.games import GAMES
from companion.games.trains.record import SIDES
from companion.games.trains.rules.abilities import REACH
from companion.games.trains.rules.model import Deal, Refill, State, Use
from companion.record import verdicts
from tests.browser.phones import Device, Kind, Phone, open_table, watch_taps
from tests.browser.tables import send
from tests.games.trains.dealer import Step, game
from tests.kit.forms import form_of
from tests.kit.server import Server, running

pytestmark = pytest.mark.browser

SEED = 1500
"""Of a game with swaps, moves, a lock, pairs, and removals; somebody wins while gaps are filled."""

THREE = (
    ("Anna", Kind("en", 390, 844, "dark")),
    ("Bert", Kind("en", 320, 568, "light")),
    ("Carl", Kind("en", 360, 640, "dark")),
)

MOST_TAPS = {"draw": 2, "swap": 3, "move": 3, "remove": 2, "protect": 3}
"""Beside the digits of a number."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """What wagons can do is remembered for all tables: here nothing was told before."""
    with running(tmp_path / "data") as server:
        yield server


class Table:
    def __init__(self, new_phone: Callable[..., Phone], zbarimg: str) -> None:
        self.names = [name for name, _ in THREE]
        self.phones = [new_phone(kind) for _, kind in THREE]
        self.url, link = open_table(self.phones[0], zbarimg, game="trains")
        self.phones[0].page.locator("#own-name").fill("Anna")
        self.phones[0].do("join")
        for phone, name in zip(self.phones[1:], self.names[1:], strict=True):
            phone.join(link, name)
        self.phones[0].page.locator("#starter").select_option("Anna")
        self.phones[0].do("start")
        self.taps = [watch_taps(phone) for phone in self.phones]
        for phone in self.phones:
            phone.page.goto(self.url)  # from here on taps are counted

    def tell(self, step: Step) -> tuple[str, int]:
        """Somebody taps what they did; its kind, and the taps beside digits."""
        play, seat = step.play, step.play.by
        phone, before = self.phones[seat], self.taps[seat]()
        digits = 0
        if isinstance(play, Deal):
            kind = "deal"
            for number in random.Random(seat).sample(play.row, 7):
                digits += type_number(phone.page, number)
                if number < 9:
                    phone.page.locator("[data-enter]").click()
            phone.page.locator("[data-done]").click()
        elif isinstance(play, Use):
            kind = play.ability.split("_")[0]
            use(phone.page, play, step.before)
        else:
            kind = "refill" if isinstance(play, Refill) else "draw"
            digits = type_number(phone.page, play.wagon)
            gap = isinstance(play, Refill)
            place = step.before.rows[seat].index(0) + 1 if gap else play.place  # type: ignore[union-attr]
            phone.page.locator(f"form.put button[value='{place}']").click()
            leaving = step.before.owed[0][1] if gap else step.before.rows[seat][place - 1]
            if step.before.known[leaving] is None:
                sheet(phone.page, "ability").locator(f"button[value={play.ability}]").click()
        self.seen_by_all(step.after)
        return kind, self.taps[seat]() - before - digits

    def seen_by_all(self, state: State) -> None:
        """Every phone shows every row as it is now, and whose turn it is."""
        for seat, phone in enumerate(self.phones):
            page = phone.page
            if state.winner is not None:
                winner = f"Winner: {self.names[state.winner]}"
                said = "You have won!" if state.winner == seat else winner
                expect(page.locator("h1:visible")).to_have_text(said)
            elif state.turn is not None:
                said = "Your turn" if state.turn == seat else f"Turn: {self.names[state.turn]}"
                expect(page.locator("h1:visible")).to_have_text(said)
            for other, wagons in enumerate(state.rows):
                if wagons and not (other == seat and state.turn == seat):
                    row = page.locator(f"#box-{other + 1}")
                    expect(row).to_have_accessible_name(row_label(state, other))


def row_label(state: State, seat: int) -> re.Pattern[str]:
    said = [
        "gap" if not number else f"{number} with a lock" if lock else str(number)
        for number, lock in zip(state.rows[seat], state.locks[seat], strict=True)
    ]
    return re.compile(f"^Row: {', '.join(said)}$")


def type_number(page: Page, number: int) -> int:
    for digit in str(number):
        page.locator(f"[data-digit='{digit}']").first.click()
    return len(str(number))


def sheet(page: Page, kind: str) -> Locator:
    found = page.locator(f"#sheet .sheet[data-kind={kind}]")
    found.wait_for()
    return found


def use(page: Page, play: Use, before: State) -> None:
    if not REACH[play.ability]:
        page.locator(f"[data-use={play.ability}]").click()
        sheet(page, "remove").locator("button.main").click()
        return
    page.locator(f"[data-use={play.ability}]").click()
    opened = sheet(page, "use")
    lit = page.locator("form.put button.can")
    places = [int(each.get_attribute("value") or 0) for each in lit.all()]
    assert play.place in places
    value = SIDES[play.place] if play.ability == "protect" else str(play.place)
    preview = opened.locator(f".preview[value='{value}']")
    assert preview.locator(".wag").count() == 7
    if before.player % 2:  # a lit wagon that is tapped shows its rows alone
        page.locator(f"form.put button[value='{play.place}']").click()
        expect(opened.get_by_role("link", name="All rows")).to_be_visible()
        assert opened.locator(".preview").count() <= 2
    preview.click()


def verdict(page: Page) -> str:
    opened = sheet(page, "refused")
    expect(opened.locator("a.rule")).to_have_count(1)
    return opened.locator(".verdict p").inner_text()


def _placed(state: State) -> list[str]:
    """The face-up cards that are used at a place, but cannot reach all of them."""
    return [each for each, _ in state.market if REACH[each] and not each.startswith("swap")]


def close(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.locator("#sheet .sheet")).to_have_count(0)


def test_from_opening_to_victory(
    new_phone: Callable[..., Phone], laptop: Device, zbarimg: str
) -> None:
    table = Table(new_phone, zbarimg)
    anna, bert, carl = (phone.page for phone in table.phones)
    steps = list(game(random.Random(SEED), 3))
    assert isinstance(steps[-1].play, Refill)
    laptop.context.add_cookies(table.phones[0].context.cookies())  # type: ignore[arg-type]
    laptop.page.goto(table.url + "/screen?")

    # Numbers are refused at once: doubles, those of others, and those that no wagon has.
    first, second = steps[0], steps[1]
    table.tell(first)
    other = table.phones[second.play.by].page
    type_number(other, 85)
    expect(other.locator("[data-says]")).to_have_text("Wagons are numbered from 1 to 84.")
    mine = max(first.after.rows[first.play.by])
    type_number(other, mine)
    name = table.names[first.play.by]
    expect(other.locator("[data-says]")).to_have_text(f"Wagon {mine} is already in a row: {name}")
    free = next(n for n in range(10, 85) if n not in first.after.rows[first.play.by])
    type_number(other, free)
    type_number(other, free)
    expect(other.locator("[data-says]")).to_have_text(f"You have already typed {free}.")
    other.locator("[data-erase]").click()
    expect(other.locator("form.deal input[name=row]").first).to_have_value("")

    most: dict[str, int] = {}
    undone = False
    for step in steps[1:]:
        kind, taps = table.tell(step)
        most[kind] = max(taps, most.get(kind, 0))
        seat = step.play.by
        if kind in ("swap", "draw") and step.before.phase == "turn" and not undone:
            undone = True
            page = table.phones[seat].page
            page.get_by_role("button", name="Undo the last play").click()
            table.seen_by_all(step.before)
            for phone in table.phones:
                expect(phone.page.locator("#undone")).to_be_visible()
            table.tell(step)
        if any(type(event).__name__ == "PairDiscarded" for event in step.events):
            expect(anna.locator("#calls")).to_contain_text("they have the same ability")
    assert undone
    assert {kind: most[kind] for kind in MOST_TAPS} == {
        kind: min(most[kind], limit) for kind, limit in MOST_TAPS.items()
    }

    winner = table.names[steps[-1].after.winner or 0]
    expect(laptop.page.locator("h1:visible").last).to_contain_text(winner)
    joined = anna.locator(".trainlist.mine .wag.on")
    assert joined.count() == 6
    with anna.expect_download() as download:
        anna.get_by_role("link", name="Save the record of the game").click()
    with open(download.value.path(), "rb") as file:
        said = list(verdicts([file.read()], GAMES))
    assert all(each["ok"] for each in said)
    assert said[-1]["game_over"] == {"winner": winner}
    table.phones[0].do("start")
    for page in (anna, bert, carl):
        expect(page.locator("form.deal input[name=row]")).to_have_count(7)
    for device in (*table.phones, laptop):
        assert device.said == []


def test_why_not_and_the_host_for_another(new_phone: Callable[..., Phone], zbarimg: str) -> None:
    table = Table(new_phone, zbarimg)
    anna, bert, carl = (phone.page for phone in table.phones)
    steps = list(game(random.Random(SEED), 3))
    at = next(
        number
        for number, step in enumerate(steps)
        if step.after.turn == 1 and step.after.phase == "turn" and _placed(step.after)
    )
    for step in steps[: at + 1]:
        phone = table.phones[step.play.by]
        send(phone, f"{table.url}/do/play", **form_of(step.play))
    state = steps[at].after
    table.seen_by_all(state)
    ability = _placed(state)[0]

    carl.locator(f"[data-use={ability}]").click()
    expect(sheet(carl, "read")).to_contain_text("It is not your turn: Bert is to play.")
    close(carl)
    bert.locator(f"[data-use={ability}]").click()
    sheet(bert, "use")
    beyond = next(place for place in range(1, 8) if place not in REACH[ability])
    bert.locator(f"form.put button[value='{beyond}']").click()
    verdict(bert)
    bert.get_by_role("link", name="Choose another").click()
    sheet(bert, "use")

    # The host reports what Bert does; the sheet that Bert has open goes with the turn.
    anna.get_by_role("link", name="Report for: Bert").click()
    opened = sheet(anna, "act")
    wagon = next(n for n in range(10, 85) if all(n not in row for row in state.rows))
    anna.keyboard.type(str(wagon))
    expect(opened.locator("form.put")).to_have_class(re.compile("ready"))
    opened.locator("form.put button[value='7']").click()
    if state.known[state.rows[1][6]] is None:
        sheet(anna, "ability").locator("button[value=protect]").click()
    expect(anna.locator("h1:visible")).to_have_text("Turn: Carl")
    expect(bert.locator("h1:visible")).to_have_text("Turn: Carl")
    expect(bert.locator("#sheet .sheet")).to_have_count(0)
    bert.goto(f"{table.url}/ask?use={ability}")
    expect(bert.locator("#sheet .sheet")).to_contain_text("It is not your turn: Carl is to play.")


def test_without_a_script(new_phone: Callable[..., Phone], zbarimg: str) -> None:
    host = new_phone(Kind("en"))
    url, link = open_table(host, zbarimg, game="trains")
    plain = new_phone(Kind("en", 320, 640, "light", script=False))
    plain.join(link, "Paul")
    host.page.goto(url)
    host.page.locator("#own-name").fill("Anna")
    host.do("join")
    host.page.locator("#starter").select_option("Paul")
    host.do("start")
    expect(host.page.locator("form.deal")).to_be_visible()
    rows = {"Anna": (80, 70, 60, 50, 40, 30, 20), "Paul": (7, 79, 9, 68, 57, 46, 35)}
    page = plain.page
    page.goto(url)
    for field, number in zip(page.locator("input[name=row]").all(), rows["Paul"], strict=True):
        field.fill(str(number))
    page.locator("[data-done]").click()
    expect(page.locator("#box-1")).to_have_accessible_name("Row: 79, 68, 57, 46, 35, 9, 7")
    for number in rows["Anna"]:
        type_number(host.page, number)
    host.page.locator("[data-done]").click()
    expect(host.page.locator("h1:visible")).to_have_text("Turn: Paul")
    page.goto(url)
    expect(page.locator("h1:visible")).to_have_text("Your turn")
    page.locator("[data-entry]").fill("15")
    page.locator("button[name=at][value='2']").click()
    sheet(page, "ability").locator("button[value=protect]").click()
    expect(page.locator("h1:visible")).to_have_text("Turn: Anna")
    type_number(host.page, 16)
    host.page.locator("form.put button[value='3']").click()
    sheet(host.page, "ability").locator("button[value=move_left]").click()
    expect(host.page.locator("h1:visible")).to_have_text("Turn: Paul")
    page.goto(url)
    page.locator("a[data-use=protect]").click()
    sheet(page, "use").locator("button[value=middle]").click()
    row = "Row: 79, 15, 57, 46 with a lock, 35, 9, 7"
    expect(page.locator("#box-1")).to_have_accessible_name(row)
