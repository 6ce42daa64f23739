"""`companion replay` writes a game as one page that needs nothing else, to be sent to a friend."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import BinaryIO

import click

from companion.cli.options import OutputFile, lang
from companion.cli.records import CHUNK_BYTES


@click.command()
@click.argument("record", type=click.File("rb"))
@click.option(
    "-o",
    "--output",
    type=OutputFile(dir_okay=False, path_type=Path),
    required=True,
    metavar="FILE",
    help="The page; an older FILE is replaced.",
)
@lang("The language of the page.")
@click.option(
    "--game",
    "number",
    type=click.IntRange(min=1),
    metavar="N",
    help="Of several games in RECORD, the one to write.",
)
def replay(record: BinaryIO, output: Path, lang: str, number: int | None) -> None:
    """Write a game as a page that shows it play by play, in any browser.

    RECORD is a game record; - is standard input. Lines that the referee refuses are left out. The
    page has all that it needs in it, and no link to anywhere.
    """
    if _is_one(record, output):
        raise click.UsageError(f"{output} is the record itself.")
    from companion import catalogues
    from companion.games import GAMES
    from companion.games.game import Rejection
    from companion.web.answers.render import framed
    from companion.web.app import drawing
    from companion.web.html.cache import Html
    from companion.web.http.assets import Assets
    from companion.web.view.recorded_game import verdict_of
    from companion.web.view.replay import replay_of, replay_view
    from companion.web.view.story import Where

    chunks = iter(partial(record.read, CHUNK_BYTES), b"")
    found = replay_of(chunks, GAMES, number=number)
    if isinstance(found, Rejection):
        t, listing = catalogues.catalogue(lang), catalogues.listing(lang)
        said = (found.sentence(t), verdict_of(found, t, listing))
        raise click.ClickException(" ".join(filter(None, said)))
    app = drawing(GAMES, Assets())
    html = Html(app)
    view = replay_view(found, 1, Where(here="", alone=True), html, lang)
    text = framed(app, "replay_file", lang, view, html.fresh(view, lang))
    try:
        output.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise click.ClickException(f"{output}: {error.strerror}") from error


def _is_one(record: BinaryIO, output: Path) -> bool:
    try:
        return output.is_file() and os.path.samestat(os.fstat(record.fileno()), output.stat())
    except OSError:  # standard input that is no file
        return False
