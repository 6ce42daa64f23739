"""Sections of the documents that the program knows better: `make docs` writes them.

A section stands between two marks, which name it; what is around it is written by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.docs import record, settings

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"

SECTIONS: Final[dict[str, Callable[[], str]]] = {
    "record.md": record.section,
    "settings.md": settings.section,
}
"""File in docs/ -> its section."""

BEGIN: Final = "<!-- written by `make docs` -->"
END: Final = "<!-- end of what `make docs` writes -->"


def written(name: str) -> str:
    """The document with its section as the program has it now."""
    before, rest = (DOCS / name).read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n\n{SECTIONS[name]()}\n\n{END}{after}"


if __name__ == "__main__":
    for name in SECTIONS:
        (DOCS / name).write_text(written(name), encoding="utf-8")
