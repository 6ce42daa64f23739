"""Over real sockets, too, such games give the same bytes; a leak in the framing would be found."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

RUN = """
from gevent import monkey
monkey.patch_all()
from tests.noninterference.wire import main
main()
"""
ROOT = Path(__file__).resolve().parents[2]


def compared(*options: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", RUN, *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_the_wire_tells_nothing() -> None:
    found = compared()
    assert found["leaks"] == []
    assert found["answers"] > 300
    assert found["secrets_told"]


def test_a_leak_on_the_wire_is_found() -> None:
    assert compared("--plant")["leaks"]
