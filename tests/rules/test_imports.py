"""The rules import nothing but the standard library and each other, and little of the former."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import companion

PACKAGE = Path(companion.__file__).parent
KEPT_OUT = {"gettext", "json", "random", "time", "datetime", "os", "sys", "logging", "locale"}
FILES = sorted((PACKAGE / "rules").rglob("*.py"))


def imported(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_rules_know_only_rules(file: Path) -> None:
    for module in imported(file):
        top = module.split(".")[0]
        if top == "companion":
            assert module.startswith("companion.rules")
        else:
            assert top in sys.stdlib_module_names
            assert top not in KEPT_OUT


@pytest.mark.parametrize(
    "file", sorted((PACKAGE / "record").rglob("*.py")), ids=lambda file: file.name
)
def test_records_know_only_rules(file: Path) -> None:
    for module in imported(file):
        if module.startswith("companion"):
            assert module.startswith(("companion.rules", "companion.record"))
        else:
            assert module.split(".")[0] in sys.stdlib_module_names
