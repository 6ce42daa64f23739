"""How many lines a second `companion referee` judges: `python -m benchmarks.referee [GAMES]`.

A joined record of full games by random players is written into memory and judged, on one core;
processor time, median of five runs, and the memory of the process before and after.
"""

from __future__ import annotations

import io
import resource
import sys
from random import Random
from statistics import median
from time import process_time

from companion.cli.referee import _json, judge_stream
from companion.games.saboteur import GAME
from companion.record.writing import record_lines
from tests.games.saboteur.players import new_game, next_play, play

GOAL = 80_000
"""Lines a second."""


class Nowhere:
    def write(self, data: bytes, /) -> None: ...

    def flush(self) -> None: ...


def joined(games: int) -> bytes:
    """A joined record of that many full games."""
    lines = []
    for seed in range(games):
        rng = Random(seed)
        state = start = new_game(rng)
        plays = []
        while not state.over:
            plays.append(next_play(state, rng))
            state, _ = play(state, plays[-1])
        names = [f"Player {seat}" for seat in range(start.seats)]
        lines += record_lines(GAME, names, start, plays)
    return "".join(lines).encode()


def main() -> None:
    record = joined(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
    lines = record.count(b"\n")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    rates = []
    for _ in range(5):
        start = process_time()
        judge_stream(io.BufferedReader(io.BytesIO(record)), Nowhere(), _json)
        rates.append(lines / (process_time() - start))
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{lines} lines: {median(rates):,.0f} lines a second  ({GOAL:,})")
    print(f"memory: {before / 1024:.1f} MiB before, {after / 1024:.1f} MiB after")


if __name__ == "__main__":
    main()
