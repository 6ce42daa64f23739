"""`companion referee` judges game records; `companion show` draws a table in a terminal.

Verdicts are written as they come: every line that has been read is answered before the next read.
Exit status 0: every line accepted; 1: at least one refused; 2: a file cannot be read, or the
verdicts cannot be written.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from gettext import NullTranslations
from typing import Any, Final, NoReturn, Protocol, cast

import click

from companion.cli.options import lang
from companion.games import GAMES
from companion.games.game import AnyGame
from companion.languages import regional
from companion.record.jsonl import in_one_line, lines_of, parse
from companion.record.judge import Judge

CHUNK_BYTES: Final = 64 * 1024
UNABLE: Final = 2

_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


class Source(Protocol):
    """A file, or standard input."""

    def read1(self, size: int, /) -> bytes: ...


class Sink(Protocol):
    def write(self, data: bytes, /) -> object: ...

    def flush(self) -> object: ...


class _SinkError(Exception):
    """The verdicts cannot be written: `__cause__` says why."""


Sentence = Callable[[AnyGame | None, dict[str, Any]], str]
"""Makes the text of a verdict, given the game that is on."""


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--text", is_flag=True, help="Write sentences instead of JSON Lines.")
@lang("The language of the sentences.")
def referee(files: tuple[str, ...], text: bool, lang: str) -> None:
    """Judge game records, one verdict a line.

    Without a FILE, or where FILE is -, read standard input. The exit status is 0 if every line is
    accepted, 1 if at least one is refused, and 2 if a file cannot be read or the verdicts cannot be
    written.
    """
    sentence = _sentences(lang) if text else _json
    over_files(files, lambda source, out: judge_stream(source, out, sentence))


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
        if not isinstance(error.__cause__, BrokenPipeError):  # then somebody has seen enough
            click.echo(f"The verdicts cannot be written: {_why(error.__cause__)}", err=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # not even at exit
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


def judge_stream(source: Source, out: Sink, sentence: Sentence) -> int:
    """Write the verdicts on a record; 1 if a line was refused."""
    status = 0
    written: list[str] = []
    judge = Judge(GAMES)
    for number, line in lines_of(chunks(source, out, written)):
        verdict = judge.line(parse(line))
        if verdict is not None:
            status |= not verdict["ok"]
            written.append(sentence(judge.game, {"line": number, **verdict}))
    flush(out, written)
    return status


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
            raise _SinkError from error
        written.clear()


def _json(game: AnyGame | None, verdict: dict[str, Any]) -> str:
    """A terminal may show it, too: what would move its cursor is escaped."""
    line = in_one_line(verdict)
    if line.isascii() and "\x7f" not in line:  # nearly always
        return line
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def _sentences(lang: str) -> Sentence:
    from babel.lists import format_list

    from companion.record.texts import verdict as verdict_text

    t = translations(lang)
    locale = regional(lang)

    def listing(texts: Iterable[str]) -> str:
        return format_list(list(texts), locale=locale)

    return lambda game, verdict: without_controls(verdict_text(t, game, verdict, listing))


def without_controls(text: str) -> str:
    """Text without characters that would move a terminal's cursor or turn its writing around."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def translations(lang: str) -> NullTranslations:
    """The catalogue of a language; the sentences in the source are English."""
    if lang == "en":
        return NullTranslations()
    from companion.i18n import catalogue

    return catalogue(lang)


@click.command()
@click.argument("record", type=click.File("rb"))
@click.option(
    "--at",
    "at_line",
    type=click.IntRange(min=1),
    metavar="N",
    help="Show the table after line N instead of after the last line.",
)
def show(record: Iterable[bytes], at_line: int | None) -> None:
    """Draw the table of a game as text.

    RECORD is a game record; - is standard input.
    """
    from companion.record import read

    shown = None
    for step in read(record, GAMES):
        if at_line is not None and step.line > at_line:
            break
        shown = step
    if shown is None or shown.game is None:
        raise click.ClickException("No game is on there.")
    text = shown.game.draw(shown.state, [without_controls(name) for name in shown.names])
    click.echo(text.encode("utf-8", "backslashreplace"))
