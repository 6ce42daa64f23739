"""Writes a whole game for each way a round or a game can end, in every edition.

`python -m tests.games.saboteur.write_endings` writes them into `records/endings/`, with the
verdicts of today: look at the difference before you keep it. Some plays in them are not allowed,
and refused. The games beside that folder are written by hand; `companion referee <file>` tells
their verdicts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from companion.games import GAMES
from companion.games.game import Rejection
from companion.games.saboteur import GAME
from companion.games.saboteur.rules.cards import GOALS
from companion.games.saboteur.rules.editions import EDITIONS
from companion.games.saboteur.rules.model import Play, Result, State
from companion.record import verdicts
from companion.record.writing import record_lines
from tests.games.saboteur.players import any_play, digger_play, guesses, new_game, play

FOLDER = Path(__file__).parent / "records" / "endings"
ENDINGS = (
    "treasure",
    "cards-out",
    "ring",
    "told-miners",
    "told-saboteurs",
    "one-winner",
    "shared-first",
)
NAMES = ("Õnne", "Bērtulis", "Žygimantas", "Aino", "Eve", "Jüri 🂠", "Līga", "Ülo", "Ona", "Ii")


def required() -> Iterator[tuple[str, str]]:
    """Every edition with every ending that it has."""
    for edition in EDITIONS.values():
        for ending in ENDINGS:
            if ending != "ring" or edition.ring_ends:
                yield edition.name, ending


def endings(lines: list[dict[str, Any]], said: list[dict[str, Any]]) -> set[str]:
    """How the rounds and the game of a record ended; `lines` from the one after the header."""
    found = set()
    passes = 0
    pile = None
    for line, verdict in zip(lines, said, strict=True):
        if not verdict["ok"]:
            continue
        passes = passes + 1 if line["play"] == "pass" and pile == 0 else 0
        if "round_over" in verdict:
            found.add(_ending(line, verdict, passes))
        if "game_over" in verdict:
            one = len(verdict["game_over"]["winners"]) == 1
            found.add("one-winner" if one else "shared-first")
        pile = verdict["pile"]
    return found


def _ending(line: dict[str, Any], verdict: dict[str, Any], passes: int) -> str:
    if line["play"] == "result":
        return "told-" + verdict["round_over"]["won_by"]
    if line["play"] == "reveal" and line["card"] == "treasure":
        return "treasure"
    return "ring" if passes >= len(verdict["round_over"]["gold"]) else "cards-out"


def plays(state: State, ending: str, rng: Random) -> Iterator[Play]:
    """A game whose first round is played out, and whose others are told."""
    while not state.over:
        chosen = _choose(state, ending, rng)
        if state.now and rng.random() < 0.1:
            guess = rng.choice(guesses(state, rng))
            if isinstance(GAME.decide(state, guess), Rejection):
                yield guess
        yield chosen
        state, _ = play(state, chosen)


def _choose(state: State, ending: str, rng: Random) -> Play:
    now = state.now
    if now is None:
        return GAME.deal(state, rng)
    if not now.reveal and (state.round > 1 or ending.startswith("told")) and rng.random() < 0.2:
        won = ending != "told-saboteurs" and rng.random() < 0.5
        return Result(now.turn, now.turn if won else None, rng.choice([None, now.turn]))
    if ending == "treasure":
        return digger_play(state, rng, GOALS[state.gold[0] - 1])
    return any_play(state, rng)


def written(edition: str, ending: str) -> tuple[list[str], list[dict[str, Any]]]:
    """The first game, seed by seed, that ends this way."""
    for seed in count():
        rng = Random(seed)
        state = new_game(rng, 3 + seed % 8, edition)
        names = NAMES[: state.seats]
        chosen = list(plays(state, ending, rng))
        lines = list(record_lines(GAME, names, state, chosen))
        said = list(verdicts((line.encode() for line in lines), GAMES))
        if ending in endings([json.loads(line) for line in lines[1:]], said):
            return lines, said
    raise AssertionError


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for edition, ending in required():
        lines, said = written(edition, ending)
        record = FOLDER / f"{edition}-{ending}.jsonl"
        record.write_text("".join(lines), encoding="utf-8")
        text = "".join(json.dumps(verdict, ensure_ascii=False) + "\n" for verdict in said)
        record.with_suffix(".verdicts.jsonl").write_text(text, encoding="utf-8")
        print(record.name, len(lines))


if __name__ == "__main__":
    main()
