"""Programs of the system that tests call."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest


def needed(name: str, *folders: Path) -> str:
    """The program of this name; without it the test is skipped, or has failed where all must run.

    `folders`: where it may lie besides the path, the last that has it counts.
    """
    found = [str(each / name) for each in folders if (each / name).exists()]
    found = found or [which for which in (shutil.which(name),) if which]
    if not found:
        missing = pytest.fail if os.environ.get("CI") else pytest.skip
        missing(f"{name} is not installed: make debian")
    return found[-1]
