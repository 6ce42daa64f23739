"""A table screen is read from three metres, and nobody scrolls it: all of it is in sight.

A story is read by whoever has opened it there.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, ViewportSize

from companion.i18n import LOCALES
from tests.browser import gallery_referee, gallery_trains
from tests.browser.gallery import Visit, go, hang, people
from tests.kit.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SIZES: tuple[ViewportSize, ...] = (
    {"width": 1280, "height": 720},
    {"width": 1366, "height": 625},
    {"width": 1366, "height": 768},
    {"width": 1920, "height": 1080},
)

TIGHT = SIZES[:2]
"""Whatever does not fit a larger screen does not fit one of these."""

DEALS = 50
"""Of which luck decides, on a tight screen; on others a few."""

LUCK = ".figures, .tvgains .tvcrew, .tvscore .score"
"""Lists in an order that the deal of roles and gold decides, and so it does who has what there."""

NAMED = ".tvscore bdi"
"""The names of all."""

LEADING = ".tally bdi"
"""Where those who have won stand, whoever they are."""

LISTS = [LUCK, NAMED, LEADING]

HIDDEN = """([luck, named, leading, deals]) => {
  const lists = [...document.querySelectorAll(luck)], below = new Set();
  const everybody = [...document.querySelectorAll(named)].map(each => each.textContent);
  const leaders = [...document.querySelectorAll(leading)];
  let seed = 1;
  const under = n => (seed = seed * 48271 % 2147483647) % n;
  const mix = (each, swap) => {
    for (let left = each.length; left; left--) swap(left - 1, under(left));
  };
  for (let deal = 0; deal < (lists.length ? deals : 1); deal++) {
    for (const list of deal ? lists : []) {
      mix(list.children, (_, from) => list.append(list.children[from]));
      const names = [...list.querySelectorAll("bdi")];
      mix(names, (a, b) => {
        [names[a].textContent, names[b].textContent] = [names[b].textContent, names[a].textContent];
      });
    }
    if (deal && leaders.length) {
      mix(everybody, (a, b) => [everybody[a], everybody[b]] = [everybody[b], everybody[a]]);
      leaders.forEach((each, place) => { each.textContent = everybody[place]; });
    }
    for (const each of document.querySelectorAll("html, main > section"))
      if (each.scrollHeight > each.clientHeight + 1)
        below.add(`${each.className}: ${each.scrollHeight} px in ${each.clientHeight}`);
  }
  for (const play of document.querySelectorAll(".tvtrains .ev > li")) {
    const box = play.parentElement.getBoundingClientRect(), own = play.getBoundingClientRect();
    if (own.left < box.right && own.bottom > box.bottom + 1)
      below.add(`cut through: ${play.textContent}`);
  }
  return [...below];
}"""


def hidden(page: Page, size: ViewportSize) -> list[str]:
    """What is below the edge of a screen of this size."""
    deals = DEALS if size in TIGHT else DEALS // 10
    found: list[str] = page.evaluate(HIDDEN, [*LISTS, deals])
    return found


@pytest.fixture(scope="module", params=(3, 6, 10))
def screens(
    request: pytest.FixtureRequest,
    playwright: Playwright,
    browser: Browser,
    server: Server,
) -> Iterator[list[Visit]]:
    seats: int = request.param
    with people(playwright, browser, server, 3, seats - 2) as (devices, others):
        host, guest, _ = devices
        visits = hang(*devices, others)
        visits += gallery_referee.hang(host, guest, others)
        if seats >= gallery_trains.SEATS:
            visits += gallery_trains.hang(host, guest, others)
        screens = [each for each in visits if each.wide and each.path.startswith("/t/")]
        yield [each for each in screens if "/story" not in each.path]


def test_nothing_on_a_table_screen_is_below_its_edge(
    screens: list[Visit], pictures: Path | None, request: pytest.FixtureRequest
) -> None:
    below = []
    for visit in screens:
        for locale in LOCALES:
            page = go(visit, locale, SIZES[0])
            for size in SIZES:
                page.set_viewport_size(size)
                where = f"{visit.name}, {locale}, {size['width']} × {size['height']}"
                below += [f"{where}: {each}" for each in hidden(page, size)]
                visit.device.shot(pictures, f"fits-{len(screens)}-{where}", whole=False)
    assert not below, "\n".join(below)
