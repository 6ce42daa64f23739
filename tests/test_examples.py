"""The examples in docstrings are true, in whatever module they stand."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import companion

PACKAGE = Path(companion.__file__).parent
MODULES = sorted(
    ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    for file in PACKAGE.rglob("*.py")
    if ">>> " in file.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_the_source_are_true(module: str) -> None:
    found = doctest.testmod(import_module(module))
    assert found.attempted
    assert not found.failed
