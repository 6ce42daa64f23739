"""`docs/evidence.md`: long runs are one command each, and their last results are not old."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion import __version__

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
RUN = re.compile(r"^\| `(make [^`]+)` \| ([\d-]+) \| `(\w+)` \| ([\d.]+) \| (.+) \|$", re.MULTILINE)
RUNS = RUN.findall(TEXT)


def too_old(version: str, now: str, changelog: str) -> bool:
    """Whether a version is two releases old, or older, or was never released."""
    released = re.findall(r"^## \[(\d[\w.]*)\]", changelog, re.MULTILINE)
    newest = list(dict.fromkeys([now, *released]))
    return version not in newest[:2]


def test_every_long_run_is_there() -> None:
    names = dict.fromkeys(command.split()[1] for command, *_ in RUNS)
    assert list(names) == [
        "kills",
        "rolling",
        "together",
        "fuzz",
        "gap",
        "noninterference",
        "timing",
        "strangers",
        "leaks",
        "webkit",
        "firefox",
    ]
    assert len(RUNS) == len(re.findall(r"^\| `make", TEXT, re.MULTILINE))


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run[0])
def test_each_is_one_command_and_has_its_figures(run: tuple[str, ...]) -> None:
    command, date, commit, version, figures = run
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^[\w ]*\b{command.split()[1]}\b[\w ]*:", makefile, re.MULTILINE)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", date)
    assert re.fullmatch(r"[0-9a-f]{7,40}", commit)
    assert re.search(r"\d", figures)
    assert not too_old(version, __version__, CHANGELOG), f"run {command} again"


def test_what_is_two_releases_old() -> None:
    changelog = "## [Unreleased]\n\n## [1.2.0]\n\n## [1.1.0] - 2026-01-02\n\n## [1.0.0]\n"
    assert not too_old("1.2.0", "1.2.0", changelog)
    assert not too_old("1.1.0", "1.2.0", changelog)
    assert too_old("1.0.0", "1.2.0", changelog)
    assert not too_old("1.2.0", "1.3.0", changelog)
    assert too_old("1.1.0", "1.3.0", changelog)
    assert too_old("7.0.0", "1.2.0", changelog)
