"""What the commands that read records have in common: files and standard input, read and answered
bit by bit, and what a terminal is shown.

Exit status of those that judge: that of the worst file, or 2 where one cannot be read, or nothing
can be written.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from gettext import NullTranslations
from typing import Final, NoReturn, Protocol, cast

import click

from companion.cli.words import drop_output, unwritten

CHUNK_BYTES: Final = 64 * 1024
UNABLE: Final = 2

CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""What would move a terminal's cursor, or turn its writing around."""


class Source(Protocol):
    """A file, or standard input."""

    def read1(self, size: int, /) -> bytes: ...


class Sink(Protocol):
    def write(self, data: bytes, /) -> object: ...

    def flush(self) -> object: ...


class _SinkError(Exception):
    """Nothing can be written: `cause` says why."""

    def __init__(self, cause: OSError) -> None:
        self.cause = cause


def over_files(files: Sequence[str], judged: Callable[[Source, Sink], int]) -> NoReturn:
    """Ends the program with the highest status that `judged` gives; `UNABLE` where a file cannot
    be read, or nothing can be written."""
    if sys.stdout is None:  # closed by the shell
        sys.exit(UNABLE)
    out = sys.stdout.buffer
    status = 0
    try:
        for name in files or ("-",):
            status = max(status, _judge_file(name, out, judged))
    except _SinkError as error:
        if not isinstance(error.cause, BrokenPipeError):  # then somebody has seen enough
            click.echo(unwritten(error.cause), err=True)
        drop_output()
        status = UNABLE
    sys.exit(status)


def _judge_file(name: str, out: Sink, judged: Callable[[Source, Sink], int]) -> int:
    try:
        if name == "-":
            if sys.stdin is None:
                raise OSError(errno.EBADF, os.strerror(errno.EBADF))
            return judged(cast(Source, sys.stdin.buffer), out)
        with open(name, "rb") as source:
            return judged(source, out)
    except OSError as error:
        click.echo(f"{name}: {_why(error)}", err=True)
        return UNABLE


def _why(error: BaseException | None) -> str:
    return str(getattr(error, "strerror", None) or error)


def chunks(source: Source, out: Sink, written: list[str]) -> Iterator[bytes]:
    """What is read; the lines that each part of it has brought are written before the next."""
    while data := source.read1(CHUNK_BYTES):
        yield data
        flush(out, written)


def flush(out: Sink, written: list[str]) -> None:
    """Writes the lines that have gathered."""
    if written:
        # Half a surrogate pair, which JSON can hold and UTF-8 cannot, is escaped as in JSON.
        written.append("")
        try:
            out.write("\n".join(written).encode("utf-8", "backslashreplace"))
            out.flush()
        except OSError as error:
            raise _SinkError(error) from error
        written.clear()


def without_controls(text: str) -> str:
    """Text without `CONTROLS`."""
    return CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def translations(lang: str) -> NullTranslations:
    """The catalogue of a language; the sentences in the source are English."""
    if lang == "en":
        return NullTranslations()
    from companion.catalogues import catalogue

    return catalogue(lang)
