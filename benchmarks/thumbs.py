"""How often a thumb hits the meant place of the maze, on a small phone.

    python benchmarks/thumbs.py [--sigma 9] [--width 320] [--cards 30] [--taps 40]

Simulated taps fall around the middle of a place that is open, as far off as thumbs do (normally
distributed, `sigma` CSS pixels each way). Prints how many opened the sheet of the place that was
meant, and what the others hit: another place, a card to be taken away, or nothing.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from urllib.parse import unquote

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.sync_api import Page, TimeoutError

from benchmarks.kit.browser import chromium, page_of
from benchmarks.kit.tables import Table, table_of
from companion.games.saboteur import GAME
from companion.games.saboteur.rules.decide import legal
from companion.games.saboteur.rules.model import Path as Lay
from tests.games.saboteur.players import play
from tests.kit.server import running

PHONES = 3
MAZES = 4
HEIGHTS = {320: 568, 360: 640, 390: 844, 412: 915}
SETTLED_MS = 700
"""A page after it has come."""
OPENED_MS = 2500
"""A sheet after a tap, or else there is none."""


def maze(cards: int, rng: Random) -> list[Lay]:
    """Plays that lead so far and reach no goal card."""
    state = GAME.new(PHONES, 0, "lv-2009", rng)
    state, _ = play(state, GAME.deal(state, rng))
    laid: list[Lay] = []
    while len(laid) < cards:
        now = state.now
        assert now is not None
        found = [
            Lay(now.turn, card, at)
            for at, fitting in legal(state).items()
            for card in fitting
            if -1 < at[0] < 7 and abs(at[1]) < 3 and not card.endswith("x")
        ]
        if not found:
            return maze(cards, rng)
        laid.append(rng.choice(found))
        state, _ = play(state, laid[-1])
    return laid


def opened(port: int, laid: list[Lay]) -> Table:
    table = table_of(port, PHONES)
    table.do(table.host, "configure", way="referee", edition="lv-2009")
    table.do(table.host, "start", starter="1")
    for seat, phone in enumerate(table.phones, 1):
        table.do(phone, "look", seat=str(seat))
    for each in laid:
        table.phones[each.by].post(
            f"{table.path}/do/play",
            key=str(time.perf_counter()),
            seat=str(each.by + 1),
            play="path",
            card=each.card,
            at=f"{each.at[0]},{each.at[1]}",
        )
    return table


PLACES = """() => Object.fromEntries(
  [...document.querySelectorAll(".pan a[href*='place=']")].map(link => {
    const {x, y, width, height} = link.querySelector("rect,use").getBoundingClientRect();
    const at = new URL(link.getAttribute("href"), location).searchParams.get("place");
    const middle = [x + width / 2, y + height / 2];
    const seen = document.elementFromPoint(...middle)?.closest(".mazebox .maze");
    return [at, seen ? middle : null];
  })
)"""


def places(page: Page) -> dict[str, tuple[float, float]]:
    """The middle of each open place in sight, by its cell."""
    found: dict[str, tuple[float, float] | None] = page.evaluate(PLACES)
    return {place: at for place, at in found.items() if at}


def hit(page: Page, meant: str, sigma: float, rng: Random) -> tuple[str | None, int]:
    """The place whose sheet opens, and after how many taps: where places touch each other, the
    first one may only bring them nearer."""
    sheet = page.locator("#sheet .sheet")
    for tap in (1, 2):  # noqa: B007
        x, y = places(page)[meant]
        page.touchscreen.tap(x + rng.gauss(0, sigma), y + rng.gauss(0, sigma))
        with suppress(TimeoutError):
            sheet.wait_for(timeout=OPENED_MS)
        if sheet.count():
            break
    path = sheet.get_attribute("data-path") if sheet.count() else ""
    found = re.search(r"[?&](?:place|fall)=([^&]+)", path or "")
    return unquote(found[1]) if found else None, tap


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sigma", type=float, default=9, help="CSS pixels")
    parser.add_argument("--width", type=int, default=320, choices=HEIGHTS)
    parser.add_argument("--cards", type=int, default=30)
    parser.add_argument("--taps", type=int, default=40)
    parser.add_argument("--pictures", type=Path)
    given = parser.parse_args()
    rng, wrong, nearer = Random(30), [], 0
    with (
        tempfile.TemporaryDirectory() as data,
        running(Path(data, "data"), public_url=None) as server,
        chromium() as browser,
    ):
        for number in range(MAZES):
            table = opened(server.port, maze(given.cards, rng))
            phone = table.phones[given.cards % PHONES]
            page = page_of(browser, table, phone, (given.width, HEIGHTS[given.width]))
            for _ in range(given.taps // MAZES):
                page.reload()
                page.locator("html.js .pan a").first.wait_for(state="attached")
                page.wait_for_timeout(SETTLED_MS)
                if given.pictures:
                    page.screenshot(path=given.pictures / f"maze-{number}.png")
                meant = rng.choice(sorted(places(page)))
                found, tap = hit(page, meant, given.sigma, rng)
                nearer += tap - 1
                if found != meant:
                    wrong.append((meant, found))
            page.context.close()
    right = given.taps - len(wrong)
    print(f"{right} of {given.taps} thumbs hit the place that was meant; else: {wrong}")
    print(f"{nearer} of them with a second tap, when the places had come nearer")


if __name__ == "__main__":
    main()
