"""CONTRIBUTING.md: what it names is there, and its walks are short."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
WALKS = dict(re.findall(r"^## (Add .*?)\n(.*?)(?=^## |\Z)", TEXT, flags=re.M | re.S))
PROSE = re.sub(r"^```.*?^```", "", TEXT, flags=re.M | re.S)
NAMED = sorted({" ".join(name.split()) for name in re.findall(r"`([^`]+)`", PROSE)})
NAMED += sorted({f"make {name}" for name in re.findall(r"\bmake (\w+)", TEXT)} - {*NAMED})
LINES_MAX = 25

WORDS = {"<name>", "state.edition"}
"""What is set as code and is no name of anything that could be missing."""


def test_the_walks() -> None:
    assert "Five walkthroughs follow" in TEXT
    walks = ("ruling", "game", "command", "language", "page")
    assert list(WALKS) == [f"Add a {new}" for new in walks]


@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_is_short(walk: str) -> None:
    assert len(WALKS[walk].strip().splitlines()) <= LINES_MAX
    assert max(map(len, TEXT.splitlines())) <= 100


@pytest.mark.parametrize("named", [name for name in NAMED if name not in WORDS])
def test_what_is_named_is_there(named: str) -> None:
    if named.startswith("make "):
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        assert re.search(rf"^{named[5:]}:", makefile, re.M)
        return
    path, _, name = named.partition("::")
    files = list(ROOT.glob(path.replace("<name>", "*").rstrip("/")))
    assert files
    assert not path.endswith("/") or all(file.is_dir() for file in files)
    for file in files if name else []:
        source = file.read_text(encoding="utf-8")
        assert re.search(rf"^(class |def )?{name}\b", source, re.M), file


def test_links() -> None:
    for link in re.findall(r"\]\(([^)#]+)", TEXT):
        assert (ROOT / link).exists()
