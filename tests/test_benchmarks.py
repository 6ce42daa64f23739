"""The benchmarks are run by hand and now and then; they must not be found broken then."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted(
    ".".join(file.relative_to(ROOT).with_suffix("").parts)
    for file in (ROOT / "benchmarks").rglob("*.py")
    if "node_modules" not in file.parts
)


def test_what_the_benchmarks_call_is_there() -> None:
    """In a process of its own: some of them change Python's own modules."""
    assert len(MODULES) > 10
    loaded = "\n".join(f"import {name}" for name in MODULES)
    done = subprocess.run(
        [sys.executable, "-c", loaded], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
