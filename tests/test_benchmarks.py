"""The benchmarks are run by hand and now and then; they must not be found broken then."""

from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted(
    ".".join(file.relative_to(ROOT).with_suffix("").parts)
    for file in (ROOT / "benchmarks").rglob("*.py")
    if "node_modules" not in file.parts
)


@pytest.mark.parametrize("name", MODULES)
def test_what_a_benchmark_calls_is_there(name: str) -> None:
    assert import_module(name)
