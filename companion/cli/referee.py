"""`companion referee` judges game records.

Verdicts are written as they come: every line that has been read is answered before the next read.
Exit status 0: every line accepted; 1: at least one refused; 2: a file cannot be read, or the
verdicts cannot be written.
"""

from __future__ import annotations

from collections.abc import Callable

import click

from companion.cli.options import lang
from companion.cli.records import (
    CONTROLS,
    Sink,
    Source,
    chunks,
    flush,
    over_files,
    translations,
    without_controls,
)
from companion.games import GAMES
from companion.games.game import AnyGame
from companion.record.jsonl import in_one_line, lines_of, parse
from companion.record.judge import Judge, Verdict

Writer = Callable[[AnyGame | None, int, Verdict], str]
"""Makes the line of a verdict, given the game that is on and the number of the record's line."""


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
    write = _sentences(lang) if text else _json
    over_files(files, lambda source, out: judge_stream(source, out, write))


def judge_stream(source: Source, out: Sink, write: Writer) -> int:
    """Write the verdicts on a record; 1 if a line was refused."""
    status = 0
    written: list[str] = []
    judge = Judge(GAMES)
    for number, line in lines_of(chunks(source, out, written)):
        verdict = judge.line(parse(line))
        if verdict is not None:
            status |= not verdict.ok
            written.append(write(judge.game, number, verdict))
    flush(out, written)
    return status


def _json(_: AnyGame | None, number: int, verdict: Verdict) -> str:
    """A terminal may show it, too: what would move its cursor is escaped."""
    line = in_one_line({"line": number, **verdict.fields})
    if line.isascii() and "\x7f" not in line:  # nearly always
        return line
    return CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def _sentences(lang: str) -> Writer:
    from companion.catalogues import listing
    from companion.record.texts import verdict_text

    t, joined = translations(lang), listing(lang)
    return lambda game, number, verdict: without_controls(
        verdict_text(t, game, number, verdict, joined)
    )
