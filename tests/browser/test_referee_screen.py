"""The table screen late in a round of ten: nothing is cut, and it can be read from three metres."""

import random
import re

import pytest
from playwright.sync_api import Playwright, expect

from companion.rules.saboteur import GAME, Path, RoundEnded
from companion.rules.saboteur.model import Dealt
from tests.browser.phones import Device
from tests.browser.server import Server
from tests.browser.test_looks import SPILLS

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


def test_ten_players_and_a_large_maze(
    playwright: Playwright, server: Server, laptop: Device
) -> None:
    host = laptop.context.request
    others = [playwright.request.new_context(base_url=server.url) for _ in NAMES[1:]]
    laptop.page.goto("/")
    form = {"game": "saboteur", "edition": "lv-2009", "way": "referee", "language": "en"}
    path = host.post("/open", form=form | {"key": "open"}, max_redirects=0).headers["location"]
    code = re.search(r">\s*([2-9A-HJ-NP-Z]{6})\s*<", host.get(f"{path}/qr").text())
    assert code
    host.post(f"{path}/do/join", form={"name": NAMES[0], "key": "join"})
    for phone, name in zip(others, NAMES[1:], strict=True):
        phone.get("/")
        link = phone.post("/code", form={"code": code[1]}, max_redirects=0).headers["location"]
        phone.get(link)
        assert phone.post(link, form={"name": name, "key": "join"}).ok
    for deed in ("start", "begin"):
        assert host.post(f"{path}/do/{deed}", form={"key": deed}).ok

    chance = random.Random(5)
    state = GAME.new(len(NAMES), 0, "lv-2009", chance)
    state = GAME.evolve(state, Dealt(GAME.deal(state, chance).roles))

    def report(**fields: str) -> None:
        """The host reports for whoever's turn it is."""
        assert state.now
        seat = str(state.now.turn + 1)
        key = f"{state.now.turn}{fields}{len(state.now.maze.cards)}"
        assert host.post(f"{path}/do/play", form={"seat": seat, "key": key, **fields}).ok, fields

    while state.now and len(state.now.maze.cards) < CARDS:
        found = [
            Path(state.now.turn, card, at)
            for at, cards in GAME.legal(state).items()
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
            sizes = page.evaluate(
                """() => ["tvcrew bdi", "tvturn h1", "tvlast dd"].map(each =>
                    parseFloat(getComputedStyle(document.querySelector("." + each)).fontSize))"""
            )
            assert sizes[0] >= NAME_PX
            assert sizes[1] >= TURN_PX
            assert sizes[2] >= NAME_PX
    for other in others:
        other.dispose()
