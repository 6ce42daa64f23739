"""The codes for which a play or a command is refused, as the source gives them."""

from __future__ import annotations

import re

from tests.kit.server import ROOT


def reasons_in(folder: str) -> set[str]:
    """Wherever a Rejection is made."""
    found: set[str] = set()
    for file in sorted((ROOT / folder).rglob("*.py")):
        found |= set(re.findall(r'Rejection\(\s*"(\w+)"', file.read_text(encoding="utf-8")))
    assert found
    return found


def reasons_of(game: str) -> set[str]:
    """`unknown_seat` is given where the names of a record are read."""
    return reasons_in(f"companion/games/{game}/rules") | {"unknown_seat"}
