"""`companion standing`: a café's tables, and the tents that stand on them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from companion.cli.backup import data, database, secret_key, secret_key_file
from companion.cli.words import counted, fail
from companion.languages import LOCALES
from companion.settings import Settings, SettingsError, read
from companion.tables.log import StorageError

TABLES_MAX = 1000


@click.command()
@click.argument("number", type=click.IntRange(1, TABLES_MAX))
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    metavar="FILE",
    help="The page to print; an older FILE is replaced.",
)
@click.option(
    "--lang",
    type=click.Choice(LOCALES),
    default="en",
    show_default=True,
    help="The language of the page; the tents have all.",
)
@data
@database
@secret_key
@secret_key_file
@click.option("--host", metavar="ADDRESS", help="As for the server. [environment: COMPANION_HOST]")
@click.option("--port", metavar="NUMBER", help="As for the server. [environment: COMPANION_PORT]")
@click.option(
    "--public-url", metavar="URL", help="As for the server. [environment: COMPANION_PUBLIC_URL]"
)
def standing(number: int, output: Path, lang: str, **options: Any) -> None:
    """Make tables for a café, with codes that last, and tents to print.

    NUMBER says how many there are to be. Those that there are stay as they are, so that a tent
    can be printed again. While the server runs or not. Whoever scans a tent where nobody plays
    is the host of a new evening there.
    """
    try:
        settings = read(**options)
        found = _tables(settings, number)
    except (SettingsError, StorageError) as error:
        fail(error)
    base = _base(settings)
    try:
        output.write_text(_page(base, found, lang), encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{output}: {error.strerror}") from error
    click.echo(f"{output}: tents for {counted(number)} at {base}")
    if not settings.public_url:
        click.echo("The address of this machine may change: give one that stays with --public-url.")


def _tables(settings: Settings, number: int) -> list[tuple[int, str, str]]:
    """Number, key and code of each."""
    from companion.games import GAMES
    from companion.server.assembly import tables_of
    from companion.storage.opened import opened
    from companion.storage.secret_key import secret_key as key_of
    from companion.tables.opening import OPEN_S

    with opened(settings) as log:
        secret = key_of(settings)
        tables = tables_of(settings, log, GAMES, secret=secret, open_s=OPEN_S)
        made = [tables.standing.make(each) for each in range(1, number + 1)]
        return [(one.number, tables.standing.key(one), one.code) for one in made]


def _base(settings: Settings) -> str:
    """The address that phones reach."""
    from companion.server.addresses import Addresses

    if settings.public_url:
        return settings.public_url
    here = Addresses(settings.host, settings.port)
    here.look()
    return here.network.best.url


def _page(base: str, tables: list[tuple[int, str, str]], lang: str) -> str:
    from companion.games import GAMES
    from companion.web.app import drawing
    from companion.web.http.assets import Assets
    from companion.web.view.html_cache import Html
    from companion.web.view.printed import standing_sheet
    from companion.web.view.render import framed

    app = drawing(GAMES, Assets())
    view = standing_sheet(base, tables)
    return framed(app, "standing_file", lang, view, Html(app).fresh(view, lang))
