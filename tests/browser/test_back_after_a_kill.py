"""The server is killed and started again; every phone comes back by itself and shows the table."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.browser.phones import Phone
from tests.browser.referee import Round, lay, place
from tests.kit.server import Server

pytestmark = pytest.mark.browser

NewPhone = Callable[..., Phone]

OUTAGE_MS = 4_000  # long enough for the tries to be as rare as they get

SHOWN = "html[data-shown]"
WATCH = """() => document.getElementById("live").addEventListener(
  "table:shown", () => (document.documentElement.dataset.shown = "yes"))"""


def seen(phone: Phone) -> tuple[str, list[str]]:
    """Whose turn it is and what lies in the maze, as this phone shows it."""
    turn = phone.page.locator(".crew a[aria-current] bdi").inner_text()
    cards = phone.page.locator(".mazebox use[href^='#t-']").evaluate_all(
        "uses => uses.map(use => use.getAttribute('href'))"
    )
    return turn, sorted(cards)


def test_all_phones_come_back_by_themselves(new_phone: NewPhone, server: Server) -> None:
    table = Round(new_phone, "lv-2009")
    lay(table.on(), "NESW", 1, 0)
    table.seen_by_all("Bert")
    before = [seen(phone) for phone in table.phones]
    assert len({turn for turn, _ in before}) == 1
    for phone in table.phones:
        phone.page.evaluate(WATCH)
    server.kill()
    banner = "#offline:not([hidden])"
    for phone in table.phones:
        expect(phone.page.locator(banner)).to_be_visible(timeout=15_000)
    table.phones[0].page.wait_for_timeout(OUTAGE_MS)
    server.start()
    for phone in table.phones:
        expect(phone.page.locator(SHOWN)).to_have_count(1)
        expect(phone.page.locator(banner)).to_have_count(0)
    assert [seen(phone) for phone in table.phones] == before
    lay(table.on(), "EW", 2, 0)  # and the round goes on
    table.seen_by_all("Carl")


def test_a_play_that_met_the_kill_can_be_sent_again(new_phone: NewPhone, server: Server) -> None:
    """The answer is lost on its way, the play is not: sent again it counts once."""
    table = Round(new_phone, "lv-2009", seats=3)
    page = table.phones[0].page
    sent: list[str] = []

    def deliver_and_die(route: Route) -> None:
        sent.append(route.request.post_data or "")
        assert route.fetch().ok
        server.kill()
        route.abort()

    page.route("**/do/play", deliver_and_die)
    place(table.phones[0], 1, 0).press("Enter")
    page.locator('#sheet button[name=card][value="NESW"]').press("Enter")
    expect(page.locator("#offline")).to_be_visible(timeout=15_000)
    page.unroute_all()
    server.start()
    table.seen_by_all("Bert")
    form = dict(part.split("=", 1) for part in sent[0].split("&"))
    assert "version" in form
    again = page.evaluate(
        """async ([path, body]) => (await fetch(path, {
            method: "POST", body, headers: {"Content-Type": "application/x-www-form-urlencoded"},
            redirect: "manual",
        })).type""",
        [f"{table.path}/do/play", sent[0]],
    )
    assert again == "opaqueredirect"  # accepted, as the first time
    table.seen_by_all("Bert")
    assert len(re.findall(r"#t-NESW", json.dumps(seen(table.phones[1])))) == 1


def test_a_server_that_sleeps_and_one_that_a_proxy_answers_for(
    new_phone: NewPhone, server: Server
) -> None:
    """Connections hang instead of being refused; or somebody else's page comes as the answer."""
    table = Round(new_phone, "lv-2009", seats=3)
    for phone in table.phones:
        phone.page.evaluate(WATCH)
    server.pause()
    # Where the line is dead the silence is noticed by itself after two heartbeats; here at once.
    for phone in table.phones:
        phone.page.evaluate("dispatchEvent(new Event('online'))")
    for phone in table.phones:
        expect(phone.page.locator("#offline")).to_be_visible(timeout=15_000)
    server.resume()
    for phone in table.phones:
        expect(phone.page.locator(SHOWN)).to_have_count(1)
        expect(phone.page.locator("#offline")).to_be_hidden()

    page = table.phones[0].page
    page.route("**/do/play", lambda route: route.fulfill(status=502, body="<h1>Bad Gateway</h1>"))
    page.get_by_role("button", name="Pass").click()
    expect(page.locator("form[data-busy]")).to_have_count(0)
    expect(page.locator("#seats h1:visible")).to_have_text("Your turn")
    page.unroute_all()
    page.get_by_role("button", name="Pass").click()
    table.seen_by_all("Bert")
