"""Random legal games reported through HTTP end with the gold that their record is judged to give.

The plays are drawn from what the rules call legal; the server is the program itself, its answers
are the pages that a phone without script gets.
"""

from __future__ import annotations

import random
import re
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar

import pytest

from companion.games.saboteur.rules import (
    GAME,
    Break,
    Map,
    Pass,
    Path,
    Play,
    Repair,
    Reveal,
    Rockfall,
)
from companion.games.saboteur.rules.cards import GOALS, TOOLS
from companion.games.saboteur.rules.maze import at_of
from companion.games.saboteur.rules.model import Dealt, State
from companion.record import verdicts
from tests.browser.server import Server

PLAYERS = ("Anna", "Bert", "Carl", "Dora")


class Straight(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


class Caller:
    """A phone as far as forms go."""

    def __init__(self, url: str) -> None:
        self.url = url
        cookies = urllib.request.HTTPCookieProcessor(CookieJar())
        self._open = urllib.request.build_opener(cookies, Straight()).open
        self._sent = 0

    def ask(self, path: str, **form: object) -> tuple[int, str, str]:
        """Status, where it leads, and the page."""
        data = None
        if form:
            self._sent += 1
            data = urllib.parse.urlencode({"key": f"k{self._sent}", **form}).encode()
        request = urllib.request.Request(self.url + path, data, {"Origin": self.url})
        try:
            with self._open(request, timeout=10) as answer:
                return answer.status, "", answer.read().decode()
        except urllib.error.HTTPError as answer:
            with answer:
                return answer.code, answer.headers.get("Location", ""), answer.read().decode()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("games"))
    yield server
    server.stop()


def form_of(play: Play) -> dict[str, object]:
    fields: dict[str, object] = {"play": type(play).__name__.lower(), "seat": play_by(play) + 1}
    match play:
        case Path(_, card, at):
            fields |= {"card": card, "at": f"{at[0]},{at[1]}"}
        case Reveal(_, goal, card):
            fields |= {"goal": goal, "card": card}
        case Break(_, tool, seat):
            fields |= {"tool": tool, "target": seat + 1}
        case Repair(_, cards, tool, seat):
            fields |= {"card": ",".join(cards), "tool": tool, "target": seat + 1}
        case Rockfall(_, at):
            fields |= {"at": f"{at[0]},{at[1]}"}
        case Map(_, goal):
            fields |= {"goal": goal}
    return fields


def play_by(play: Play) -> int:
    by: int = play.by  # type: ignore[union-attr] # nobody deals here
    return by


def options(state: State) -> list[Play]:
    """Every legal play but passing."""
    now = state.now
    assert now is not None
    by = now.turn
    if now.reveal:
        ways = GAME.legal_reveals(state)
        return [Reveal(by, goal, card) for goal, cards in ways.items() for card in cards]
    found: list[Play] = [
        Path(by, card, at) for at, cards in GAME.legal(state).items() for card in cards
    ]
    seats = range(state.seats)
    found += [Break(by, tool, seat) for tool in TOOLS for seat in seats]
    pairs = [(one, other) for one in TOOLS for other in TOOLS if one < other]
    found += [
        Repair(by, card, tool, seat)
        for card in [*((tool,) for tool in TOOLS), *pairs]
        for tool in card
        for seat in seats
    ]
    found += [Map(by, goal) for goal in GOALS]
    found += [Rockfall(by, at_of(cell)) for cell in now.maze.cards]
    return [play for play in found if isinstance(GAME.decide(state, play), tuple)]


def draw(state: State, chance: random.Random) -> Play:
    assert state.now is not None
    found = options(state)
    if state.now.reveal:
        return chance.choice(found)
    if not found or chance.random() < 0.1:
        return Pass(state.now.turn)
    paths = [play for play in found if isinstance(play, Path)]
    towards = [play for play in paths if play.at[0] >= max(each.at[0] for each in paths)]
    others = [play for play in found if not isinstance(play, Path)]
    drawn = chance.random()
    if towards and drawn < 0.6:
        return chance.choice(towards)
    return chance.choice(paths if paths and drawn < 0.75 else others or found)


@pytest.mark.parametrize("edition", ["et-2007", "fi"])
@pytest.mark.parametrize("seed", [1, 2])
def test_random_games(running: Server, edition: str, seed: int) -> None:
    chance = random.Random(f"{edition}{seed}")
    phones = [Caller(running.url) for _ in PLAYERS]
    host = phones[0]
    host.ask("/")
    _, path, _ = host.ask("/open", game="saboteur", edition=edition, way="referee", language="en")
    host.ask(f"{path}/do/join", name=PLAYERS[0])
    found = re.search(r">\s*([2-9A-HJ-NP-Z]{6})\s*<", host.ask(f"{path}/qr")[2])
    assert found
    for phone, name in zip(phones[1:], PLAYERS[1:], strict=True):
        phone.ask("/")
        _, link, _ = phone.ask("/code", code=found[1])
        phone.ask(link)
        assert phone.ask(link, name=name)[0] == 303
    assert host.ask(f"{path}/do/start", starter=1)[0] == 303
    # What is dealt is known to the server alone: the game here follows it with roles of its own.
    state = GAME.new(len(PLAYERS), 0, edition, chance)
    taken_back = 0
    for number in range(3):
        if number:
            assert host.ask(f"{path}/do/deal", seat=1)[0] == 303
        for seat, phone in enumerate(phones, 1):
            phone.ask(f"{path}/role", seat=seat)
        state = GAME.evolve(state, Dealt(GAME.deal(state, chance).roles))
        while state.now is not None:
            play = draw(state, chance)
            phone = phones[play_by(play)]
            status, _, page = phone.ask(f"{path}/do/play", **form_of(play))
            assert status == 303, (play, page)
            if chance.random() < 0.05:
                assert phone.ask(f"{path}/do/take-back", seat=1)[0] == 303
                taken_back += 1
                continue
            events = GAME.decide(state, play)
            assert isinstance(events, tuple)
            for event in events:
                state = GAME.evolve(state, event)
    status, _, record = host.ask(f"{path}/record.jsonl")
    assert status == 200
    said = list(verdicts([record.encode()]))
    assert all(each["ok"] for each in said)
    assert taken_back
    totals = said[-1]["game_over"]["totals"]
    page = host.ask(path)[2]
    shown = dict(
        zip(
            re.findall(r'class="nm"[^>]*>.*?<bdi translate="no">(\w+)</bdi>', page, re.S),
            map(int, re.findall(r'class="pts[^>]*>.*?aria-hidden="true">(\d+)<', page, re.S)),
            strict=True,
        )
    )
    assert shown == totals
