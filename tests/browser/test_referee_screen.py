"""The table screen late in a round of ten: nothing is cut, and it can be read from three metres."""

import random

import pytest
from playwright.sync_api import expect

from companion.games.saboteur import GAME
from companion.games.saboteur.rules.decide import legal
from companion.games.saboteur.rules.model import Dealt, Path, RoundEnded
from tests.browser.gallery import NAMES as LONGEST
from tests.browser.looks import SPILLS
from tests.browser.phones import Device
from tests.browser.tables import send, sit
from tests.kit.phone import Phone as Plain
from tests.kit.server import Server

pytestmark = pytest.mark.browser

NAMES = [
    "Õnne",
    "Jānis",
    "Žygimantė",
    "Väinö",
    "Oliver",
    "Mārtiņš",
    "Wilhelmiina",
    "Li",
    "Rūta",
    "Uldis",
]
CARDS = 38
"""In the maze, beside three goals: of the forty tunnels the last few fit nowhere."""

SIZES = ((1280, 720), (1366, 768), (1920, 1080))

NAME_PX = 24
"""On a laptop of 14 inches and 1366 × 768 its letters are 4 mm high: 5 minutes of arc at 3 m."""

TURN_PX = 48


SMALL = """least => {
    const small = new Set();
    const walker = document.createTreeWalker(document.querySelector("#live"), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const {data, parentElement: parent} = walker.currentNode;
        const near = parent.closest(".vh, .lang, .hosttools, noscript");
        const skipped = near || !parent.checkVisibility();
        if (skipped || !data.trim()) continue;
        const size = parseFloat(getComputedStyle(parent).fontSize);
        if (size < least) small.add(`${data.trim()}: ${size}`);
    }
    return [...small];
}"""
"""All that is to be read from afar; whoever changes the language or acts for the host stands before
the screen."""


def begun(server: Server, laptop: Device, names: list[str], way: str) -> tuple[str, list[Plain]]:
    """A round under way; the table's path."""
    others = [Plain(server.port) for _ in names[1:]]
    path, _ = sit((laptop, *others), names, way=way, edition="lv-2009", language="en")
    for deed in ("start", "begin"):
        send(laptop, f"{path}/do/{deed}")
    return path, others


def test_ten_players_and_a_large_maze(server: Server, laptop: Device) -> None:
    path, _ = begun(server, laptop, NAMES, "referee")

    chance = random.Random(5)
    state = GAME.new(len(NAMES), 0, "lv-2009", chance)
    state = GAME.evolve(state, Dealt(GAME.deal(state, chance).roles))

    def report(**fields: str) -> None:
        """The host reports for whoever's turn it is."""
        assert state.now
        seat = str(state.now.turn + 1)
        key = f"{state.now.turn}{fields}{len(state.now.maze.cards)}"
        form = {"seat": seat, "key": key, **fields}
        assert laptop.plain.post(f"{path}/do/play", form).accepted, fields

    while state.now and len(state.now.maze.cards) < CARDS:
        found = [
            Path(state.now.turn, card, at)
            for at, cards in legal(state).items()
            for card in cards
            if -7 < at[0] < 7
        ]
        chance.shuffle(found)
        play = min(found, key=lambda play: (play.card.endswith("x"), -len(play.card)))
        events = GAME.decide(state, play)
        assert isinstance(events, tuple)
        assert not any(isinstance(each, RoundEnded) for each in events)
        report(play="path", card=play.card, at="{},{}".format(*play.at))
        for event in events:
            state = GAME.evolve(state, event)
    report(play="break", tool="cart", target="3")

    page = laptop.page
    for locale in ("lt", "lv"):  # the longest words
        laptop.context.add_cookies([{"name": "screen_locale", "value": locale, "url": server.url}])
        page.goto(f"{path}/screen")
        expect(page.locator(".tvcrew li")).to_have_count(len(NAMES))
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(SPILLS) == []
            side = page.locator(".tvside")
            spare = side.evaluate("side => side.clientHeight - side.scrollHeight")
            assert spare >= -2, (locale, width, "the side must be scrolled")
            frame = page.locator(".tvmaze").bounding_box()
            assert frame
            shown = page.locator(".pan > g").bounding_box()
            assert shown
            assert shown["height"] <= frame["height"]
            assert shown["width"] <= frame["width"]
            assert max(shown["height"] / frame["height"], shown["width"] / frame["width"]) > 0.9
            assert page.evaluate(SMALL, NAME_PX) == []
            turn = page.locator(".tvturn h1")
            assert turn.evaluate("h1 => parseFloat(getComputedStyle(h1).fontSize)") >= TURN_PX


FIVE = [*NAMES[:4], LONGEST[0]]
"""All is smaller beside a name that takes two lines."""

ROWS = """() => [...document.querySelectorAll("#gold-so-far li")].map((row) =>
  [row.querySelector(".num").getBoundingClientRect().top, getComputedStyle(row).borderTopWidth])"""


def test_gold_in_two_columns_stands_in_rows(server: Server, laptop: Device) -> None:
    path, _ = begun(server, laptop, FIVE, "roles")
    send(laptop, f"{path}/do/play", play="result", reached="1", finisher="1", last="1")
    send(laptop, f"{path}/do/deal")
    laptop.page.goto(f"{path}/screen")
    rows = laptop.page.evaluate(ROWS)
    assert len(rows) == len(FIVE)
    assert rows[0] == rows[1]
    assert rows[2] == rows[3]


def test_plays_stand_apart_from_players(server: Server, laptop: Device) -> None:
    path, _ = begun(server, laptop, FIVE, "referee")
    send(laptop, f"{path}/do/play", play="path", card="EW", at="1,0", seat=1)
    laptop.page.goto(f"{path}/screen")
    last, plays = (laptop.page.locator(each).last for each in ("#crew li", "#log"))
    above, below = last.bounding_box(), plays.bounding_box()
    assert above
    assert below
    assert below["y"] - above["y"] - above["height"] >= 8
    assert plays.evaluate("log => getComputedStyle(log).borderTopWidth") == "1px"


BESIDE = """() => {
  const pan = document.querySelector("#pan").getBoundingClientRect();
  const light = document.querySelector("#glow").getBoundingClientRect();
  const seen = document.elementFromPoint(pan.right + 5, (light.top + light.bottom) / 2);
  return seen.getAttribute("class");
}"""
"""What is seen right of the drawing, at the height of the light."""


def test_the_light_round_a_goal_is_not_cut_off(server: Server, laptop: Device) -> None:
    path, _ = begun(server, laptop, NAMES[:3], "referee")
    send(laptop, f"{path}/do/play", seat=1, play="map", goal="middle")
    laptop.page.goto(f"{path}/screen")
    expect(laptop.page.locator("#newest")).to_be_visible()
    assert laptop.page.evaluate(BESIDE) == "glow2"


@pytest.mark.parametrize("players", range(3, 11))
def test_roles_that_are_turned_over_fit(server: Server, laptop: Device, players: int) -> None:
    names = LONGEST[:players]
    path, others = begun(server, laptop, names, "roles")
    told = {"play": "result", "reached": "0", "last": "2", "key": "told"}
    assert others[0].post(f"{path}/do/play", told).accepted
    page = laptop.page
    for locale in ("lt", "fi"):
        laptop.context.add_cookies([{"name": "screen_locale", "value": locale, "url": server.url}])
        page.goto(f"{path}/screen")
        expect(page.locator(".figures li")).to_have_count(players + 1)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            for part in page.locator(".figures li > *").all():
                box = part.bounding_box()
                assert box
                assert box["y"] >= 0
                assert box["y"] + box["height"] <= height, (locale, width, part.inner_text())
            sizes = page.locator(".figures svg").evaluate_all(
                "all => all.map(each => Math.round(each.getBoundingClientRect().height))"
            )
            assert len(set(sizes)) == 1, (locale, width, sizes)
