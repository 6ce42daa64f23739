"""Which program this is: its version, and by what its files hold which build of it."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from companion import __version__
from companion.paths import PACKAGE, TEMPLATES, TRANSLATIONS

DIGITS: Final = 10


@cache
def build() -> str:
    """As packages call a local build: "0.1.0+3f9a21c40b". The same files have the same name, from a
    wheel and from a checkout; reading them takes some hundredths of a second, once."""
    digest = sha256()
    for name, file in sorted(_files().items()):
        held = file.read_bytes()
        digest.update(f"{name} {len(held)}\n".encode())
        digest.update(held)
    return f"{__version__}+{digest.hexdigest()[:DIGITS]}"


def _files() -> dict[str, Path]:
    """By name; in a wheel templates and translations lie in the package."""
    found = {}
    for top in (PACKAGE, TEMPLATES, TRANSLATIONS):
        for file in top.rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                within = PACKAGE if file.is_relative_to(PACKAGE) else PACKAGE.parent
                found[file.relative_to(within).as_posix()] = file
    return found
