"""What a process costs, and on which core it runs."""

from __future__ import annotations

import os
import re
import resource
from pathlib import Path

TICK_S = 1 / os.sysconf("SC_CLK_TCK")


def cores() -> tuple[int, int]:
    """One for the server, and another for its clients where this machine has two."""
    allowed = sorted(os.sched_getaffinity(0))
    return allowed[-1], allowed[0]


def cpu_s(pid: int) -> float:
    """Processor time that the process has used, its threads included."""
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) * TICK_S


def memory_mb(pid: int) -> float:
    """What the process holds in memory now."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found
    return int(found[1]) / 1024


def allow_files() -> None:
    """As many open files as this system lets a process have, connections included."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
