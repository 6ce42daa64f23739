"""What docs/asvs.md points to is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "docs" / "asvs.md").read_text(encoding="utf-8")
NAMED = sorted(
    set(re.findall(r"`((?:companion|tests|benchmarks|requirements)/[\w./-]+(?:::\w+)?)`", TEXT))
)


def test_every_chapter_is_there() -> None:
    headings = " ".join(re.findall(r"^## (.*)$", TEXT, flags=re.MULTILINE))
    assert re.findall(r"V(\d+)", headings) == [str(number) for number in range(1, 18)]


@pytest.mark.parametrize("named", NAMED)
def test_what_is_named_exists(named: str) -> None:
    path, _, test = named.partition("::")
    assert (ROOT / path).exists()
    if test:
        assert f"def {test}(" in (ROOT / path).read_text(encoding="utf-8")


def test_a_number_stands_once() -> None:
    numbers = [
        number
        for line in re.findall(r"^\| ([\d., to]+) \|", TEXT, flags=re.MULTILINE)
        for number in re.findall(r"\d+\.\d+(?:\.\d+)?", line)
    ]
    assert len(numbers) > 100
    assert sorted(numbers) == sorted(set(numbers))
