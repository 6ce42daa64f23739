"""A phone's processor draws anew what an update has changed, and not the whole page: one selector
that any element might match (as `:root:has(…) :focus-visible`) makes every change cost that."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.games.trains.rules.abilities import ABILITIES
from companion.games.trains.rules.model import Draft
from tests.browser.phones import Kind, Phone
from tests.browser.referee import Others, Round
from tests.browser.tables import dealt_trains, send
from tests.kit.forms import form_of

pytestmark = pytest.mark.browser

DRAWN = "() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))"


def restyled(
    browser: Browser, page: Page, trace: Path, change: Callable[[str], None], *turns: str
) -> list[int]:
    """How many elements were styled anew, each time that any were, until the last change is drawn.

    What comes before it shows that the page follows: until then it is not all there.
    """
    *before, last = turns
    for turn in before:
        change(turn)
    page.evaluate(DRAWN)
    browser.start_tracing(page=page, path=trace, categories=["devtools.timeline"])
    change(last)
    page.evaluate(DRAWN)
    browser.stop_tracing()
    frame = page.context.new_cdp_session(page).send("Page.getFrameTree")["frameTree"]["frame"]
    return [
        each["args"]["elementCount"]
        for each in json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
        if each["name"] == "UpdateLayoutTree"
        and each["args"].get("beginData", {}).get("frame") == frame["id"]
    ]


@pytest.mark.parametrize("shown", ["seat", "screen"])
def test_a_play_of_saboteur(
    browser: Browser, new_phone: Callable[..., Phone], tmp_path: Path, shown: str
) -> None:
    table = Round(new_phone, "en", seats=3, shown=(2,))
    page = table.phones[2].page
    play = Others(table)
    play("EW 1,0", "EW 2,0")
    if shown == "screen":
        page.goto(f"{table.url}/screen")
        page.set_viewport_size({"width": 1366, "height": 768})
    heading = page.locator("#mine h1, #turn h1").first
    expect(heading).to_have_text("Your turn" if shown == "seat" else "Carl")

    def pass_on(turn: str) -> None:
        play("pass")
        expect(heading).to_have_text(f"Turn: {turn}" if shown == "seat" else turn)

    _is_small(restyled(browser, page, tmp_path / "trace.json", pass_on, "Anna", "Bert"), page)


def test_a_turn_of_trains(
    browser: Browser, new_phone: Callable[..., Phone], tmp_path: Path
) -> None:
    phones = [new_phone(Kind("en")) for _ in range(3)]
    path = dealt_trains(phones, ("Anna", "Bert", "Carl"))
    page = phones[2].page
    page.goto(path)
    heading = page.locator("h1:visible")
    expect(heading).to_have_text("Turn: Anna")
    drawn = iter((Draft(0, 81, 1, ABILITIES[0]), Draft(1, 82, 1, ABILITIES[0])))
    by = iter(phones)

    def draw(turn: str) -> None:
        send(next(by), f"{path}/do/play", **form_of(next(drawn)))
        expect(heading).to_have_text(turn)

    _is_small(
        restyled(browser, page, tmp_path / "trace.json", draw, "Turn: Bert", "Your turn"), page
    )


def _is_small(counts: list[int], page: Page) -> None:
    """A fifth of the page at most, whatever is styled several times."""
    every = page.evaluate("() => document.querySelectorAll('*').length")
    assert counts
    assert sum(counts) < every / 5, (counts, every)
