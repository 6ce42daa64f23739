"""What the README shows is run, and what it names is there."""

import doctest
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"


def test_its_examples_run() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert (failed, tried > 3) == (0, True)


def test_what_it_names_is_there() -> None:
    text = README.read_text(encoding="utf-8")
    paths = re.findall(
        r"`((?:companion|templates|translations|tests|benchmarks)(?:/[\w/]+)?)`", text
    )
    paths += re.findall(r"\]\((?!https?:)([^)]+)\)", text)
    assert len(paths) > 8
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_its_make_targets_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"\bmake (\w+)", README.read_text(encoding="utf-8")))
    assert {"run", "test", "messages"} <= targets
    assert [name for name in sorted(targets) if not re.search(rf"^{name}:", makefile, re.M)] == []
