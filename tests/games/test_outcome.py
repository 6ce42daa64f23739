"""What is counted of a game that is over, beside what the referee says of its record."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games import GAMES
from companion.games.game import Outcome, Score
from companion.record import RecordStep, read

RECORDS = sorted(
    path
    for path in Path(__file__).parent.rglob("records/**/*.jsonl")
    if "verdicts" not in path.name
)


def ends_of(path: Path) -> list[RecordStep]:
    """The last play of each game that is played to its end."""
    steps = read([path.read_bytes()], GAMES)
    return [step for step in steps if step.verdict and "game_over" in step.verdict.accepted]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parents[1].name}-{path.stem}")
def test_it_agrees_with_the_verdict(path: Path) -> None:
    for end in ends_of(path):
        assert end.game is not None
        assert end.verdict is not None
        outcome, said = end.game.outcome(end.state), end.verdict.accepted["game_over"]
        winners = [end.names[player] for player in outcome.winners]
        if end.game.name == "trains":
            assert winners == [said["winner"]]
            continue
        totals = {name: outcome.points(at) for at, name in enumerate(end.names)}
        assert totals == said["totals"]
        assert winners == (said["winners"] if any(totals.values()) else [])
        rounds = [score.round for score in outcome.scores]
        assert rounds == [number for number in (1, 2, 3) for _ in end.names]
        for score in outcome.scores:
            past = end.state.past[score.round - 1]
            assert score.role == past.final.roles[score.player]
            assert score.won == (past.won_by == f"{score.role}s")


def test_such_games_are_among_them() -> None:
    games = [end.game.name for path in RECORDS for end in ends_of(path) if end.game]
    assert games.count("saboteur") > 10
    assert games.count("trains") > 3


def test_equals_share_a_place() -> None:
    scores = tuple(
        Score(number, player, False, points=points)
        for number in (1, 2)
        for player, points in enumerate((1, 3, 1, 3))
    )
    outcome = Outcome(0, (1, 3), scores)
    assert [outcome.place(player) for player in range(4)] == [3, 1, 3, 1]


def test_without_points_all_but_the_winner_share_one() -> None:
    outcome = Outcome(0, (2,), tuple(Score(0, player, player == 2) for player in range(3)))
    assert [outcome.place(player) for player in range(3)] == [2, 2, 1]
