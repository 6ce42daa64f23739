"""Lines a second that the referee judges of joined Game of Trains records.

    python -m benchmarks.trains

Joins whole games of two to four seats, and times `companion referee` on them with everything that
it does: starting, reading, judging and writing; the best of a few runs. By the processor's time,
too, which is what counts when the machine has other things to do.
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from companion.games import GAMES
from companion.games.trains import GAME
from companion.record.judge import verdicts
from companion.record.writing import record_lines
from tests.games.trains.dealer import game

DISTINCT = 300
TIMES = 20
RUNS = 3
PROGRAM = "from companion.cli import main; main()"
NAMES = ("Aino", "Õnne", "Čarlis", "Živilė")


def joined() -> bytes:
    """Games that only a few times are the same."""
    text = ""
    for seed in range(DISTINCT):
        seats = 2 + seed % 3
        steps = list(game(Random(seed), seats))
        plays = [step.play for step in steps]
        text += "".join(record_lines(GAME, NAMES[:seats], steps[0].before, plays))
    return text.encode() * TIMES


def main() -> None:
    record = joined()
    lines = record.count(b"\n")

    assert all(verdict["ok"] for verdict in verdicts([record], GAMES))

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "joined.jsonl")
        path.write_bytes(record)
        runs = [referee(path) for _ in range(RUNS)]

    print(f"joined records: {lines:,} lines")
    print(f"companion referee: {lines / min(run[0] for run in runs):,.0f} lines/s (80,000 wanted)")
    print(f"by processor time: {lines / min(run[1] for run in runs):,.0f} lines/s")


def referee(path: Path) -> tuple[float, float]:
    """Seconds by the clock and by the processor that one run takes."""
    command = [sys.executable, "-c", PROGRAM, "referee", str(path)]
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    clock_s = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return clock_s, after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime


if __name__ == "__main__":
    main()
