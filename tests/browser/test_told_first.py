"""What a script knows outlives what the table says meanwhile; what is lost goes again."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import APIResponse, Request, Route, expect

from tests.browser.phones import Phone
from tests.browser.referee import Round, place, sheet
from tests.browser.tables import send, sit
from tests.browser.test_coming_back import Three

pytestmark = pytest.mark.browser

NewPhone = Callable[..., Phone]
NAMES = ("Anna", "Berta", "Carl")


@pytest.fixture
def light(new_phone: NewPhone) -> tuple[Phone, str]:
    """One phone with all seats of a game of trains, in which turns alone are told."""
    phone = new_phone()
    path, _ = sit([phone], NAMES[:1], game="trains", way="light")
    for name in NAMES[1:]:
        send(phone, f"{path}/do/add-seat", name=name)
    send(phone, f"{path}/do/start", starter=1)
    phone.page.goto(path)
    return phone, path


class Held:
    """The next form of this kind arrives, and its answer waits."""

    def __init__(self, phone: Phone, deed: str) -> None:
        self._phone = phone
        self._answers: list[tuple[Route, APIResponse]] = []
        phone.route_once(f"**/do/{deed}", self._hold)

    def _hold(self, route: Route) -> None:
        self._answers.append((route, route.fetch()))

    def comes(self) -> None:
        self._phone.until(lambda: bool(self._answers))  # the stream may have told first
        ((route, answer),) = self._answers
        route.fulfill(response=answer)


def comes_back(phone: Phone) -> None:
    """The line is opened anew, and all of the page comes."""
    with phone.page.expect_request("**/live?*"):
        phone.page.evaluate("dispatchEvent(new Event('online'))")


def test_a_form_waits_for_its_answer_also_where_the_table_has_told_first(
    new_phone: NewPhone,
) -> None:
    """Else what is typed meanwhile would be sent, and not go."""
    host = new_phone()
    path, _ = sit([host], NAMES[:1])
    page = host.page
    page.goto(f"{path}/host")
    field, button = page.locator("#add-name"), page.locator("form[action$=add-seat] button")
    answer = Held(host, "add-seat")
    field.fill("Berta")
    button.click()
    expect(page.locator("ol.order > li")).to_have_count(2)
    form = page.locator("form[data-busy]")
    expect(form).to_have_count(1)
    expect(form.locator("[aria-busy=true]")).to_have_count(1)
    field.fill("Carl")
    answer.comes()
    expect(form).to_have_count(0)
    expect(button).not_to_have_attribute("aria-busy", "true")
    field.press("Enter")
    expect(page.locator("ol.order > li")).to_have_count(3)


def test_what_is_changed_again_is_saved_also_where_the_table_has_told_first(
    new_phone: NewPhone,
) -> None:
    host = new_phone()
    path, _ = sit([host], NAMES[:1])
    page = host.page
    page.goto(f"{path}/host")
    name = page.locator("#wifi-name")
    answer = Held(host, "set-wifi")
    name.fill("Kelder")
    name.press("Enter")
    expect(name).to_have_js_property("defaultValue", "Kelder")
    name.fill("Keldrid")
    name.press("Enter")
    answer.comes()
    expect(name).to_have_js_property("defaultValue", "Keldrid")
    page.reload()
    expect(name).to_have_value("Keldrid")


def test_the_next_turn_is_told_while_the_answer_to_the_last_one_waits(
    light: tuple[Phone, str],
) -> None:
    """It is the same form, which says other things by now."""
    phone, path = light
    for seat in (1, 2, 3):
        send(phone, f"{path}/do/play", play="next", seat=seat)
    turn = phone.page.locator("h1:visible").first
    expect(turn).to_have_text("Turn: Anna")
    answer = Held(phone, "play")
    over = phone.page.get_by_role("button", name="The turn is over")
    over.click()
    expect(turn).to_have_text("Turn: Berta")
    over.click(delay=700)  # read, and meant
    expect(turn).to_have_text("Turn: Carl")
    answer.comes()
    over.click(delay=700)
    expect(turn).to_have_text("Turn: Anna")
    expect(phone.page.locator("form[data-busy], [aria-busy]")).to_have_count(0)


def test_the_round_begins_while_the_answer_to_the_start_waits(new_phone: NewPhone) -> None:
    host, *others = [new_phone() for _ in NAMES]
    path, _ = sit([host, *others], NAMES, way="roles")
    host.page.goto(f"{path}/screen")
    answer = Held(host, "start")
    host.do("start")
    expect(host.form("begin").first).to_be_attached()
    with host.page.expect_request("**/do/begin"):
        host.do("begin")
    answer.comes()
    expect(host.form("begin")).to_have_count(0)


def test_what_was_not_sent_stays_marked_when_the_page_comes_whole(
    light: tuple[Phone, str],
) -> None:
    phone, path = light
    page = phone.page
    phone.route_once("**/do/play", lambda route: route.abort())
    over = page.get_by_role("button", name="The turn is over")
    with page.expect_request("**/live?*"):
        over.click()
    expect(page.locator(".unsaid")).to_be_visible()
    comes_back(phone)
    send(phone, f"{path}/do/renew-link")
    expect(page.locator("button[data-unsent]")).to_have_count(1)
    over.click()
    expect(page.locator(".unsaid, [data-unsent]")).to_have_count(0)


def test_a_refusal_that_was_scrolled_past_does_not_pull_the_page_back(new_phone: NewPhone) -> None:
    table = Round(new_phone, "en", 6, shown=(0,))
    turn = table.turn
    phone = table.on()
    page = phone.page
    page.set_viewport_size({"width": 320, "height": 480})

    def outdated(route: Route) -> None:
        sent = route.request.post_data or ""
        route.continue_(post_data=re.sub(r"version=\d+", "version=1", sent))

    phone.route_once("**/do/play", outdated)
    page.locator("#dock form[action$=play] button").first.press("Enter")
    expect(page.locator("#refusal")).to_be_visible()
    expect(page.locator("form[data-busy]")).to_have_count(0)
    page.evaluate("scrollTo(0, 700)")
    before = page.evaluate("scrollY")
    send(phone, f"{table.path}/do/play", play="pass", seat=turn + 1)
    expect(page.locator("h1:visible").first).not_to_have_text("Your turn")
    assert before > 100
    assert abs(page.evaluate("scrollY") - before) < 60


def test_it_asks_again_before_it_reads_aloud_where_the_page_was_drawn_anew(
    new_phone: NewPhone,
) -> None:
    """Its button says once more what it does: else the second press would speak at once."""
    three = Three(new_phone)
    three.start()
    page = three.host.page
    button = page.locator("[data-aloud]").first
    label = button.inner_text()
    button.press("Enter")
    expect(button).not_to_have_text(label)
    comes_back(three.host)
    expect(button).to_have_text(label)
    asked: list[str] = []

    def seen(request: Request) -> None:
        if request.url.endswith("/role"):
            asked.append(request.url)

    page.on("request", seen)
    button.press("Enter")
    expect(button).not_to_have_text(label)
    assert asked == []


def test_a_hold_that_was_too_short_is_told_though_the_page_comes_whole(
    new_phone: NewPhone,
) -> None:
    three = Three(new_phone)
    three.start()
    phone = three.guests[0]
    phone.route_once("**/role", lambda _: None)
    with phone.holding():
        comes_back(phone)
        phone.page.wait_for_timeout(700)  # it has come, and waits until the card is let go
    expect(phone.page.locator(".pad .wait").first).to_be_visible()


def test_a_sheet_that_a_proxy_refuses_leaves_the_table_in_sight(new_phone: NewPhone) -> None:
    """While the server is started again. It is asked for once more."""
    table = Round(new_phone, "en", 3, shown=(0,))
    phone = table.on()

    refused: list[str] = []

    def bad_gateway(route: Route) -> None:
        route.fulfill(status=502, body="<h1>502 Bad Gateway</h1>", content_type="text/html")
        refused.append(route.request.url)

    phone.context.route("**/ask?*", bad_gateway, times=2)
    place(phone, 1, 0).press("Enter")
    phone.until(lambda: len(refused) == 2)
    phone.page.wait_for_timeout(300)
    expect(phone.page.locator(".pan")).to_be_visible()
    expect(phone.page.locator("#sheet .sheet")).to_have_count(0)
    phone.route_once("**/ask?*", bad_gateway)
    place(phone, 1, 0).press("Enter")
    sheet(phone, "place")
    assert len(refused) == 3


def test_a_sheet_that_is_lost_on_its_way_is_asked_for_once_more(new_phone: NewPhone) -> None:
    table = Round(new_phone, "en", 3, shown=(0,))
    phone = table.on()
    phone.route_once("**/ask?*", lambda route: route.abort())
    place(phone, 1, 0).press("Enter")
    sheet(phone, "place")


def test_who_reads_the_rules_hears_the_table_again_after_a_bad_gateway(
    new_phone: NewPhone,
) -> None:
    phone = new_phone()
    path, _ = sit([phone], NAMES[:1])
    page = phone.page
    page.goto(path)
    streams: list[str] = []

    def seen(request: Request) -> None:
        if "/live?" in request.url:
            streams.append(request.url)

    page.on("request", seen)
    phone.route_once("**/live?*", lambda route: route.fulfill(status=502, body="bad"))
    page.goto(f"/rules/saboteur?back={path}")
    phone.until(lambda: len(streams) == 2)
