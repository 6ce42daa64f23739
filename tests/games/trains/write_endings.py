"""Writes `records/endings-*.jsonl`: for each number of seats a game for every way to win.

    python -m tests.games.trains.write_endings

Dealers with one seed after another play until every ending has come; the shortest games that a
few thousand seeds give are kept. The verdicts written beside them are for reading through: once
kept, the tests hold the referee to them.
"""

import json
from pathlib import Path
from random import Random

from companion.games import GAMES
from companion.games.trains import GAME
from companion.games.trains.rules.model import Refill, Use
from companion.record.judge import verdicts
from companion.record.writing import record_lines
from tests.games.trains.dealer import Step, game

RECORDS = Path(__file__).with_name("records")
NAMES = ("Aino", "Õnne", "Čarlis", "Živilė")
ENDINGS = (
    "draw",
    "move_left",
    "move_right",
    "swap_adjacent",
    "swap_over_one",
    "refill_early",
    "refill_last",
)
"""A win by the last refill that is owed, and by one before, after which nobody draws."""


def ending(last: Step) -> str:
    if isinstance(last.play, Use):
        return last.play.ability
    if isinstance(last.play, Refill):
        return "refill_early" if last.after.owed else "refill_last"
    return "draw"


def shortest(seats: int, seeds: range) -> dict[str, list[Step]]:
    kept: dict[str, list[Step]] = {}
    for seed in seeds:
        steps = list(game(Random(seed), seats))
        if steps[-1].after.winner is None:
            continue
        how = ending(steps[-1])
        if how not in kept or len(steps) < len(kept[how]):
            kept[how] = steps
    return kept


def main() -> None:
    for seats in (2, 3, 4):
        kept = shortest(seats, range(3000))
        text = ""
        for how in ENDINGS:
            steps = kept[how]
            plays = [step.play for step in steps]
            text += "".join(record_lines(GAME, NAMES[:seats], steps[0].before, plays))
        judged = "".join(
            json.dumps(verdict, ensure_ascii=False) + "\n"
            for verdict in verdicts([text.encode()], GAMES)
        )
        (RECORDS / f"endings-{seats}.jsonl").write_text(text, encoding="utf-8")
        (RECORDS / f"endings-{seats}.verdicts.jsonl").write_text(judged, encoding="utf-8")


if __name__ == "__main__":
    main()
