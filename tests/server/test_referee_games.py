"""Random legal games reported through HTTP end with the gold that their record is judged to give.

The plays are drawn from what the rules call legal; the server is the program itself, its answers
are the pages that a phone without script gets.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from companion.games import GAMES
from companion.games.saboteur import GAME
from companion.games.saboteur.rules.cards import GOALS, TOOLS
from companion.games.saboteur.rules.decide import legal, legal_reveals
from companion.games.saboteur.rules.maze import at_of
from companion.games.saboteur.rules.model import (
    Break,
    Dealt,
    Map,
    Pass,
    Path,
    Play,
    Repair,
    Reveal,
    Rockfall,
    State,
)
from companion.record import verdicts
from tests.kit.evening import Evening
from tests.kit.forms import form_of
from tests.kit.phone import Phone
from tests.kit.server import Server, running

PLAYERS = ("Anna", "Bert", "Carl", "Dora")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("games") / "data") as server:
        yield server


def options(state: State) -> list[Play]:
    """Every legal play but passing."""
    now = state.now
    assert now is not None
    by = now.turn
    if now.reveal:
        ways = legal_reveals(state)
        return [Reveal(by, goal, card) for goal, cards in ways.items() for card in cards]
    found: list[Play] = [Path(by, card, at) for at, cards in legal(state).items() for card in cards]
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
def test_random_games(server: Server, edition: str, seed: int) -> None:
    chance = random.Random(f"{edition}{seed}")
    evening = Evening(lambda: Phone(server.port))
    evening.open(game="saboteur", edition=edition, way="referee", language="en")
    phones = evening.sit(PLAYERS, host_plays=True)
    evening.start()
    # What is dealt is known to the server alone: the game here follows it with roles of its own.
    state = GAME.new(len(PLAYERS), 0, edition, chance)
    taken_back = 0
    for number in range(3):
        if number:
            evening.do(evening.host, "deal")
        evening.look()
        state = GAME.evolve(state, Dealt(GAME.deal(state, chance).roles))
        while state.now is not None:
            play = draw(state, chance)
            evening.play(play)
            if chance.random() < 0.05:
                evening.do(phones[int(form_of(play)["seat"]) - 1], "take-back")
                taken_back += 1
                continue
            events = GAME.decide(state, play)
            assert isinstance(events, tuple)
            for event in events:
                state = GAME.evolve(state, event)
    record = evening.host.get(f"{evening.path}/record.jsonl").text
    said = list(verdicts([record.encode()], GAMES))
    assert all(each["ok"] for each in said)
    assert taken_back
    totals = said[-1]["game_over"]["totals"]
    evening.do(phones[0], "count")
    page = evening.host.get(evening.path).text
    shown = dict(
        zip(
            re.findall(r'class="nm"[^>]*>.*?<bdi translate="no">(\w+)</bdi>', page, re.S),
            map(int, re.findall(r'class="pts[^>]*>.*?aria-hidden="true">(\d+)<', page, re.S)),
            strict=True,
        )
    )
    assert shown == totals
