"""What is counted in a game of Saboteur, against games that were counted by hand."""

from __future__ import annotations

import json

from companion.games import GAMES
from companion.games.saboteur.rules import figures
from companion.record import RecordStep, read

ANNA, BERT, CARL = range(3)
NAMES = ("Anna", "Bert", "Carl")
GOLD = [3, 1, 2, 2, 1] + [1] * 14 + [2] * 6 + [3] * 3
DIGGERS = ["miner", "miner", "miner"]


def path(by: str, card: str, x: int, y: int = 0) -> dict:
    return {"by": by, "play": "path", "card": card, "at": [x, y]}


FOUGHT = (
    {"play": "deal", "roles": ["miner", "saboteur", "miner"]},
    path("Anna", "EW", 1),
    path("Bert", "EWx", 2),  # now only round by the row above or below: one row and eight columns
    {"by": "Carl", "play": "rockfall", "at": [2, 0]},
    {"by": "Anna", "play": "break", "tool": "lantern", "seat": "Bert"},
    {"by": "Bert", "play": "repair", "card": ["lantern"], "tool": "lantern", "seat": "Bert"},
    {"by": "Carl", "play": "map", "goal": "north"},
    {"by": "Anna", "play": "pass"},
    {"by": "Bert", "play": "break", "tool": "pickaxe", "seat": "Anna"},
    {
        "by": "Carl",
        "play": "repair",
        "card": ["cart", "pickaxe"],
        "tool": "pickaxe",
        "seat": "Anna",
    },
    path("Anna", "EW", 2),
    {"by": "Bert", "play": "pass"},
    path("Carl", "EW", 3),
    {"by": "Anna", "play": "result", "finisher": None, "last": "Carl"},  # Bert: 3 and 1
    {"play": "deal", "roles": DIGGERS},
    {
        "by": "Anna",
        "play": "result",
        "finisher": "Carl",
        "last": "Carl",
    },  # Carl, Bert, Anna: 2, 2, 1
    {"play": "deal", "roles": DIGGERS},
    {"by": "Anna", "play": "result", "finisher": None},  # nobody
)
DUG = (
    {"play": "deal", "roles": ["miner", "miner", "saboteur"]},
    *(path(NAMES[(x - 1) % 3], "NESW" if x < 6 else "NEW", x) for x in range(1, 8)),
    {"by": "Anna", "play": "reveal", "goal": "middle", "card": "NW"},
    path("Bert", "NS", 8, 1),
    {"by": "Bert", "play": "reveal", "goal": "north", "card": "treasure"},
)


def played(lines: tuple[dict, ...]) -> list[RecordStep]:
    header = {"game": "saboteur", "edition": "lv-2009", "seats": NAMES, "starter": "Anna"}
    text = "".join(json.dumps(each) + "\n" for each in (header | {"gold": GOLD}, *lines))
    _, *steps = read([text.encode()], GAMES)
    for step in steps:
        assert step.verdict is not None
        assert step.verdict.ok, step
    return steps


def plays(lines: tuple[dict, ...]) -> list[figures.AfterPlay]:
    return [(step.state, step.events) for step in played(lines)]


def test_how_far_the_treasure_was() -> None:
    points = list(figures.course(plays(FOUGHT)))
    assert [point.cards for point in points] == [7, 6, 9, *[6] * 7, 5, 5, 4]
    assert [point.play for point in points] == list(range(1, 14))  # rounds told by word have none
    assert [point.by for point in points] == [None, *[ANNA, BERT, CARL] * 4]
    assert [(each.play, each.was, each.cards) for each in figures.highlights(points, 3)] == [
        (3, 6, 9),
        (4, 9, 6),
    ]


def test_a_goal_that_is_turned() -> None:
    points = list(figures.course(plays(DUG)))
    assert [point.cards for point in points] == [7, 6, 5, 4, 3, 2, 1, 0, 1, 0, 0]
    assert [point.turned for point in points].count(True) == 2
    assert figures.highlights(points, 3) == []  # no step is of two cards
    assert figures.pathfinders(points) == {ANNA: 3, BERT: 3}  # Carl is no gold digger


def test_only_so_many_moments_count() -> None:
    points = list(figures.course(plays(FOUGHT)))
    assert [each.play for each in figures.highlights(points * 4, 2)] == [3, 3, 4, 4]


def test_gold() -> None:
    assert figures.gold(plays(FOUGHT)[-1][0]) == [[0, 1, 0], [4, 2, 0], [0, 2, 0]]


def test_what_turns_were_used_for() -> None:
    assert [kind.__name__ for kind in figures.KINDS] == [
        "PathPlaced",
        "ToolBroken",
        "ToolRepaired",
        "RockFell",
        "MapRead",
        "Passed",
    ]
    assert figures.turns(plays(FOUGHT), 3) == [
        [2, 1, 0, 0, 0, 1],
        [1, 1, 1, 0, 0, 1],
        [1, 0, 1, 1, 1, 0],
    ]


def test_whose_tools() -> None:
    found = figures.tools(plays(FOUGHT))
    assert found == [
        figures.Tools(ANNA, BERT, ("lantern",), ()),
        figures.Tools(BERT, ANNA, ("pickaxe",), ()),
        figures.Tools(BERT, BERT, (), ("lantern",)),
        figures.Tools(CARL, ANNA, (), ("pickaxe",)),
    ]
    assert figures.helpers(found) == {CARL: 1}  # who repairs their own is no help to others


def test_who_brought_it_nearer_and_led_it_astray() -> None:
    points = list(figures.course(plays(FOUGHT)))
    assert figures.pathfinders(points) == {ANNA: 2, CARL: 2}
    assert figures.misleaders(points) == {BERT: 1}
