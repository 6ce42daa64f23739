"""What a phone loads: the first visit and an update, with thirty cards in the maze.

Counted as browsers load pages over plain HTTP: packed with gzip, headers included.
"""

from __future__ import annotations

import random
import re
from statistics import median

import pytest
from werkzeug.test import TestResponse

from companion.games.saboteur import GAME
from companion.games.saboteur.rules.decide import legal
from companion.games.saboteur.rules.model import Path, RoundEnded

CARDS = 30
PLAYS = 10
FIRST_VISIT_BYTES = 24_576
UPDATE_BYTES = 2_300
USUAL_UPDATE_BYTES = 700

NAMES = ("Anna", "Berta", "Carl", "Dora", "Emil", "Fritz", "Gerda", "Hilde", "Ida", "Jaan")


@pytest.fixture
def filled(club) -> tuple:
    """A table of ten phones with so many cards in its maze, and whose turn it is."""
    host = club.phone()
    path = club.open(host, way="referee", edition="lv-2009")
    phones = club.sit(path, list(NAMES))
    club.done(host, path, "start")
    club.look(path, phones)
    chance = random.Random(5)
    state = club.table(path).game_state
    while len(state.now.maze.cards) < CARDS:
        found = [
            Path(state.now.turn, card, at)
            for at, cards in legal(state).items()
            for card in cards
            if at[0] < 7 and not card.endswith("x")
        ]
        play = chance.choice(found)
        assert not any(isinstance(each, RoundEnded) for each in GAME.decide(state, play))
        at = "{},{}".format(*play.at)
        club.done(phones[play.by], path, "play", play="path", card=play.card, at=at)
        state = club.table(path).game_state
    return club, path, phones, state.now.turn


def weight(answer: TestResponse) -> int:
    head = sum(len(name) + len(value) + 4 for name, value in answer.headers)
    return len("HTTP/1.1 200 OK\r\n\r\n") + head + len(answer.data)


def test_a_first_visit(filled) -> None:
    _, path, phones, _ = filled
    page = phones[3].get(path)
    loaded = re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', page.text)
    assert len(loaded) == 2  # and what they are joined of imports nothing
    assert not any(re.search(r"\bfrom ?['\"]", phones[3].get(each).text) for each in loaded)
    packed = {"Accept-Encoding": "gzip, deflate"}
    each = {address: weight(phones[3].get(address, **packed)) for address in loaded}
    each["page"] = weight(phones[3].get(path, **packed))
    assert sum(each.values()) <= FIRST_VISIT_BYTES, each


def test_updates(filled) -> None:
    """Of streams as browsers ask for them, while the next ten cards are laid."""
    club, path, phones, _ = filled
    headers = {"Accept-Encoding": "gzip, deflate", "Accept-Language": "lt"}
    streams = [phone.client.get(f"{path}/live", headers=headers) for phone in phones[:3]]
    pieces = [iter(stream.response) for stream in streams]
    for each in pieces:
        next(each), next(each)  # the head of the packed file, and the page as it is
    sizes = []
    chance = random.Random(6)
    for _ in range(PLAYS):
        state = club.table(path).game_state
        at, cards = chance.choice([each for each in legal(state).items() if each[0][0] < 7])
        form = {"play": "path", "card": chance.choice(cards), "at": "{},{}".format(*at)}
        club.done(phones[state.now.turn], path, "play", **form)
        sizes += [len(next(each)) for each in pieces]
    for stream in streams:
        stream.close()
    assert median(sizes) <= USUAL_UPDATE_BYTES, sizes
    assert max(sizes) <= UPDATE_BYTES, sizes
