"""A table screen is read from three metres, and nobody scrolls it: all of it is in sight.

A story is read by whoever has opened it there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from companion.games.saboteur.pages.ended import (
    LEADERS,
    FiguresView,
    GainsView,
    ResultView,
    TallyView,
    WinnerView,
)
from companion.games.saboteur.pages.views import EveningLine, RoundResult
from companion.games.saboteur.rules.cards import DWARVES
from companion.languages import LOCALES
from companion.web.html.panels import View
from tests.browser import gallery, gallery_ending, gallery_referee, gallery_trains
from tests.browser.gallery import Visit, go, hang, people, resize
from tests.browser.looks import LONGEST
from tests.browser.spoken import learns, speak
from tests.browser.test_replay import drawer
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

SEATS = (3, 6, 10)

SHORT = ("Bart", "Ida", "Uldis", "Rita", "Anna", "Li", "Bo")

DEALS = 5
"""Of what luck decides, on a tight screen; on others one. What an end can look like besides, is
drawn below."""

LUCK = ".figures, .tvgains .tvcrew, .tvscore .score"
"""Lists in an order that the deal of roles and gold decides, and so it does who has what there."""

HIDDEN = """([luck, deals]) => {
  const code = document.querySelector(".tvbar .where span:last-child");
  if (code) code.textContent = code.textContent.replace(/[A-Z2-9]{8}$/, "WWWWWWWW");
  const lists = [...document.querySelectorAll(luck)], below = new Set();
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
    document.getElementById("live").dispatchEvent(new CustomEvent("table:shown"));
    for (const each of document.querySelectorAll("html, main section"))
      if (each.scrollHeight > each.clientHeight + 3) // letters may be higher than their line
        below.add(`${each.className}: ${each.scrollHeight} px in ${each.clientHeight}`);
  }
  for (const play of document.querySelectorAll(".ev > li")) {
    const box = play.parentElement.getBoundingClientRect(), own = play.getBoundingClientRect();
    if (own.left < box.right && own.top < box.bottom && own.bottom > box.bottom + 1)
      below.add(`cut through: ${play.textContent}`);
    const drawn = play.querySelector(".pic use")?.getBoundingClientRect();
    if (drawn && (drawn.top < own.top || drawn.bottom > own.bottom))
      below.add(`drawn over the next play: ${play.textContent}`);
  }
  const link = document.querySelector(".tvbar .where + a")?.getBoundingClientRect().left;
  for (const said of document.querySelectorAll(".tvbar .where span"))
    if (said.getBoundingClientRect().right > link + 1)
      below.add(`written over: ${said.textContent}`);
  for (const drawn of document.querySelectorAll(".prize svg")) {
    const { height } = drawn.getBoundingClientRect();
    if (height && height < 100) below.add(`a picture ${height} px high`);
  }
  return [...below];
}"""


def hidden(page: Page, deals: int) -> list[str]:
    """What is below the screen's edge, with what luck decides in several ways, and with a table's
    code that is as wide as can be."""
    found: list[str] = page.evaluate(HIDDEN, [LUCK, deals])
    return found


@pytest.fixture(scope="module", params=SEATS)
def seats(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture(scope="module")
def screens(
    seats: int,
    browser: Browser,
    server: Server,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[list[Visit]]:
    folder = tmp_path_factory.mktemp("ending")
    with (
        people(browser, server, 3, seats - 2) as (devices, others),
        gallery_ending.waiting(browser, folder, seats) as told,
    ):
        host, guest, _ = devices
        visits = told + hang(*devices, others)
        visits += gallery_referee.hang(host, guest, others)
        if seats >= gallery_trains.SEATS:
            visits += gallery_trains.hang(host, guest, others)
        screens = [each for each in visits if each.wide and each.path.startswith("/t/")]
        yield [each for each in screens if "/story" not in each.path]


BELOW = """ends => ends.filter(panels => {
  for (const html of panels) {
    const drawn = new DOMParser().parseFromString(html, "text/html").body.firstElementChild;
    document.getElementById(drawn.id).replaceWith(drawn);
  }
  const below = () => document.documentElement.scrollHeight > innerHeight + 1;
  if (below()) document.getElementById("live").dispatchEvent(new CustomEvent("table:shown"));
  return below();
}).map(panels => panels.map(html => html.replace(/<[^>]*>/g, "")))"""
"""Those that do not fit. What fits as small as the one before it was set would become no smaller:
it is not set anew."""

WHO = "[...document.querySelectorAll('.figures bdi, .tvscore bdi')].map(each => each.innerText)"

ORDERS = 4
"""Of names, which decide where a line ends."""

Ends = Callable[[list[str]], Iterator[tuple[View, ...]]]
"""What an end can look like, by the names of those who have played."""


class Below:
    """All that is below the edge, found in one walk over the screens: those of a full table in all
    languages, smaller ones in the longest."""

    def __init__(self, screens: list[Visit], seats: int, pictures: Path | None) -> None:
        locales = LOCALES if seats == SEATS[-1] else (LONGEST,)
        self.shown: list[str] = []
        self.ends: list[str] = []
        for visit in screens:
            drawn: dict[str, list[tuple[str, ...]]] = {}
            for page, locale, size in _spoken(visit, locales):
                where = f"{visit.name}, {locale}, {size['width']} × {size['height']}"
                deals = DEALS if size in TIGHT else 1
                self.shown += [f"{where}: {each}" for each in hidden(page, deals)]
                visit.device.shot(pictures, f"fits-{seats}-{where}", whole=False)
                if visit.name in ENDS and size in TIGHT:
                    ends = drawn.get(locale) or _drawn(page, ENDS[visit.name], locale)
                    drawn[locale] = ends
                    self.ends += [f"{where}: {each}" for each in page.evaluate(BELOW, ends)]


def _spoken(visit: Visit, locales: tuple[str, ...]) -> Iterator[tuple[Page, str, ViewportSize]]:
    """In these languages at every size."""
    page = go(visit, locales[0], SIZES[0])
    alone = len(locales) == 1
    if not alone and not learns(visit, page):
        for locale in locales:
            page = go(visit, locale, SIZES[0])
            for size in SIZES:
                resize(page, size)
                yield page, locale, size
        return
    for size in SIZES:
        resize(page, size)
        for locale in locales if size in TIGHT else (LONGEST,):
            if not alone:
                speak(visit, page, locale)
            yield page, locale, size


def _drawn(page: Page, ends: Ends, locale: str) -> list[tuple[str, ...]]:
    names = sorted(set(page.evaluate(WHO)))
    drawn = (
        tuple(drawer()[1].of(panel, locale) for panel in panels)
        for order in range(ORDERS)
        for panels in ends(Random(order).sample(names, len(names)))
    )
    return [*dict.fromkeys(drawn)]


@pytest.fixture(scope="module")
def below(screens: list[Visit], seats: int, pictures: Path | None) -> Below:
    return Below(screens, seats, pictures)


def test_nothing_on_a_table_screen_is_below_its_edge(below: Below) -> None:
    assert not below.shown, "\n".join(below.shown)


def test_an_end_is_in_sight_whoever_has_won(below: Below) -> None:
    """However the round went, however many share the most gold, and however many the screen names
    who have won a game."""
    assert not below.ends, "\n".join(below.ends)


def test_seven_who_have_short_names_are_in_sight(
    browser: Browser,
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Seven are the most who have one list beside the maze and what the host does below it; short
    names stand there as large as can be."""
    monkeypatch.setattr(gallery, "NAMES", SHORT)
    found = []
    with (
        people(browser, server, 2, len(SHORT) - 2) as ((host, guest), others),
        gallery_ending.waiting(browser, tmp_path, len(SHORT)) as told,
    ):
        for visit in told + gallery_referee.hang(host, guest, others):
            if visit.wide:
                page = go(visit, LONGEST, SIZES[0])
                for size in SIZES:
                    page.set_viewport_size(size)
                    found += [(visit.name, size, each) for each in hidden(page, 1)]
    assert not found, "\n".join(map(str, found))


def test_plays_are_in_sight_below_a_long_one(screens: list[Visit]) -> None:
    """On the screen where a game is watched again that all have won."""
    page = go(next(each for each in screens if each.name == "over-replay-screen"), "fi", SIZES[0])
    names = page.locator("#stage bdi").all_inner_texts()
    view = WinnerView(tuple(names), yours=False, wide=True)
    page.evaluate(
        """html => {
          const drawn = new DOMParser().parseFromString(html, "text/html").body;
          const current = document.querySelector(".plays [aria-current]");
          current.textContent += drawn.innerText;
          current.dataset.long = "";
          document.getElementById("seek").dispatchEvent(new Event("input"));
        }""",
        drawer()[1].of(view, "fi"),
    )
    for size in TIGHT:
        page.set_viewport_size(size)
        assert all(name in page.locator("#said").inner_text() for name in names)
        height = page.locator(".plays").evaluate("each => each.clientHeight")
        assert height > 60, (size, height)


def _rounds(names: list[str]) -> Iterator[tuple[View, ...]]:
    """Ended by those with the longest names, by play or by word; some names are of the winners."""
    dwarfs = DWARVES[len(names)][0]
    longest = max(names, key=len)
    for saboteurs in (names[: dwarfs - 1], names[:dwarfs]):
        miners = [name for name in names if name not in saboteurs]
        for won_by, last_known, cause in (
            ("miners", True, ""),
            *(("saboteurs", True, cause) for cause in ("", "cards", "passes")),
            ("saboteurs", False, ""),
        ):
            reached = won_by == "miners"
            result = RoundResult(
                won_by=won_by,
                finisher=longest if reached else None,
                last=None if reached else longest,
                last_known=last_known,
                cause=cause,
                miners=tuple(miners),
                saboteurs=tuple(saboteurs),
                spare="miner",
            )
            winners = miners if reached else saboteurs
            gains = sorted(((name, 3 * (name in winners)) for name in names), key=lambda g: -g[1])
            yield (
                ResultView("et-2007", result, starts_next=True, wide=True),
                FiguresView(result),
                GainsView(tuple(gains), wide=True),
            )


def _games(names: list[str]) -> Iterator[tuple[View, ...]]:
    for winners in range(len(names) + 1):
        yield (WinnerView(tuple(names[:winners]), yours=False, wide=True),)


def _evenings(names: list[str]) -> Iterator[tuple[View, ...]]:
    for (winner,), leaders in product(_games(names), range(1, LEADERS + 1)):
        longest = sorted(names, key=len, reverse=True)[:leaders]
        lines = tuple(EveningLine(name, wins=11, nuggets=22) for name in longest)
        yield winner, TallyView(22, lines)


ENDS = {
    "settled-screen": _rounds,
    "placed-screen": _rounds,
    "last-round-screen": _rounds,
    "over-screen": _games,
    "evening-screen": _evenings,
}
"""What luck and skill decide, by screen."""
