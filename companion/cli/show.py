"""`companion show` draws the table of a game in a terminal."""

from __future__ import annotations

from collections.abc import Iterable

import click

from companion.cli.records import without_controls
from companion.games import GAMES


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
