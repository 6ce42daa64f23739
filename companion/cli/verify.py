"""`companion verify`: checks that the deals of saved records follow from their numbers.

Exit status 0: every deal agrees; 1: at least one does not, or cannot be checked; 2: a file cannot
be read, or nothing can be written.
"""

from __future__ import annotations

import click

from companion.cli.options import lang
from companion.cli.records import (
    Sink,
    Source,
    chunks,
    flush,
    over_files,
    translations,
    without_controls,
)
from companion.games import GAMES


@click.command()
@click.argument("files", nargs=-1, metavar="[RECORD]...")
@lang("The language of the sentences.")
def verify(files: tuple[str, ...], lang: str) -> None:
    """Check the deals of saved records: draw each again.

    Without a RECORD, or where RECORD is -, read standard input. The exit status is 0 if every deal
    agrees with its numbers, 1 if one does not or cannot be checked, and 2 if a file cannot be read
    or the findings cannot be written.

    The fingerprints are what the table showed before the deals: compare them with a phone's page.
    """
    over_files(files, lambda source, out: check_stream(source, out, lang))


def check_stream(source: Source, out: Sink, lang: str) -> int:
    """Write what there is to say of a record; 1 if not every deal agrees."""
    from companion.record.verify import findings
    from companion.record.verify_texts import sentence

    status = 0
    written: list[str] = []
    t = translations(lang)
    for finding in findings(chunks(source, out, written), GAMES):
        status |= not finding.good
        written.append(without_controls(sentence(t, finding)))
    flush(out, written)
    return status
