"""Lines a second that the referee judges of joined Game of Trains records.

    python -m benchmarks.trains

Joins whole games of two to four seats, and times `companion referee` on them with everything that
it does: reading, judging and writing. Beside it, judging alone, without starting Python.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from companion.record.judge import verdicts
from companion.record.trains import trains_record
from tests.trains.dealer import game

GAMES = 300
TIMES = 20
NAMES = ("Aino", "Õnne", "Čarlis", "Živilė")


def joined() -> bytes:
    """Games that only a few times are the same."""
    text = ""
    for seed in range(GAMES):
        seats = 2 + seed % 3
        steps = list(game(Random(seed), seats))
        starter = NAMES[steps[0].before.starter]
        text += "".join(trains_record(NAMES[:seats], starter, [step.play for step in steps]))
    return text.encode() * TIMES


def main() -> None:
    record = joined()
    lines = record.count(b"\n")

    start = time.perf_counter()
    accepted = sum(verdict["ok"] for verdict in verdicts([record]))
    judging_s = time.perf_counter() - start
    assert accepted == lines - GAMES * TIMES

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "joined.jsonl")
        path.write_bytes(record)
        command = [sys.executable, "-m", "companion.cli", "referee", str(path)]
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        referee_s = time.perf_counter() - start

    print(f"joined records: {lines:,} lines")
    print(f"judging alone: {lines / judging_s:,.0f} lines/s")
    print(f"companion referee: {lines / referee_s:,.0f} lines/s (at least 50,000 wanted)")


if __name__ == "__main__":
    main()
