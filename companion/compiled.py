"""Cache for compiled catalogues, styles and the like, kept in `__pycache__`; only the first start
compiles."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

FOLDER: Final = Path(__spec__.cached or __file__).parent

_MARK: Final = sha256().digest_size


def compiled(text: bytes, name: str, compile: Callable[[bytes], bytes]) -> bytes:
    """`compile(text)`, from the cache if the text is unchanged. `name` must be unique."""
    kept = FOLDER / f"{name}.compiled"
    with suppress(OSError):
        found = kept.read_bytes()
        if found[:_MARK] == _mark(text, found[_MARK:]):
            return found[_MARK:]
    made = compile(text)
    if not sys.dont_write_bytecode:
        with suppress(OSError):
            _write(kept, _mark(text, made) + made)
    return made


def _mark(text: bytes, made: bytes) -> bytes:
    """So that neither another text nor half a file is taken for it."""
    return sha256(sha256(text).digest() + made).digest()


def _write(file: Path, data: bytes) -> None:
    """At once, for other processes that read it."""
    FOLDER.mkdir(exist_ok=True)
    new = NamedTemporaryFile(dir=FOLDER, prefix=file.name, delete=False)  # noqa: SIM115 - moved
    try:
        with new:
            new.write(data)
        os.replace(new.name, file)
    finally:
        Path(new.name).unlink(missing_ok=True)
