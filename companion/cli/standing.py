"""`companion standing`: a café's tables, and the tents that stand on them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.cli.options import OutputFile, lang
from companion.cli.setting_options import (
    data,
    database,
    host,
    port,
    public_url,
    secret_key,
    secret_key_file,
    tls,
)
from companion.cli.words import fail
from companion.server.journal import tables_in_words
from companion.settings import Settings, SettingsError, read
from companion.storage.open_log import open_log, refuse_missing
from companion.tables.log import StandingTable, StorageError

if TYPE_CHECKING:
    from companion.tables.standing_codes import StandingCodes

TABLES_MAX = 1000


@click.command()
@click.argument("number", type=click.IntRange(1, TABLES_MAX), required=False)
@click.option(
    "-o",
    "--output",
    type=OutputFile(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The page to print; an older FILE is replaced.",
)
@lang("Language of the page; the tents are in all languages.")
@click.option(
    "--free",
    "freed",
    type=click.IntRange(1, TABLES_MAX),
    metavar="TABLE",
    multiple=True,
    help="Make none, but free this one: whoever scans its tent next opens a new evening there.",
)
@click.option(
    "--renew",
    "renewed",
    type=click.IntRange(1, TABLES_MAX),
    metavar="TABLE",
    multiple=True,
    help="Make none, but free this one and give it a new code: its tent is printed anew.",
)
@data
@database
@secret_key
@secret_key_file
@host
@port
@public_url
@tls
def standing(
    number: int | None,
    output: Path | None,
    lang: str,
    freed: tuple[int, ...],
    renewed: tuple[int, ...],
    **options: Any,
) -> None:
    """Make tables for a café, with codes that last, and tents to print.

    NUMBER says how many there are to be. Those that exist already stay as they are, so that a
    tent can be printed again. Whoever scans a tent where nobody plays opens a new evening there
    and is its host.

    With --free, tables are free at once: their codes no longer lead to an evening that is on
    there. Nothing of it is deleted, and whoever takes part in it goes on by its own address.

    With --renew, tables are freed and get new codes: the old tents open nothing any more. FILE has
    the new ones.

    All work whether the server is running or not.
    """
    if freed:
        if number is not None or output is not None or renewed:
            raise click.UsageError("--free goes without NUMBER, --output and --renew.")
        _free(options, freed)
    elif output is None or (number is None) == (not renewed):
        raise click.UsageError("--free is needed, or --output with NUMBER or --renew.")
    else:
        _print(options, number or 0, renewed, output, lang)


def _free(options: dict[str, Any], numbers: tuple[int, ...]) -> None:
    try:
        settings = read(**options)
        refuse_missing(settings)
        with _codes(settings) as codes:
            missing = []
            for each in numbers:
                if codes.free(each):
                    click.echo(f"Table {each} is free.")
                else:
                    missing.append(str(each))
        if missing:
            raise StorageError(f"there is no table {', '.join(missing)}")
    except (SettingsError, StorageError) as error:
        fail(error)


def _print(
    options: dict[str, Any], number: int, renewed: tuple[int, ...], output: Path, lang: str
) -> None:
    try:
        _try(output)
    except OSError as error:
        raise click.ClickException(f"{output}: {error.strerror}") from error
    try:
        settings = read(**options)
        if _is_of(settings.data, output):
            raise click.UsageError(f"{output} is a file of the tables themselves.")
        if renewed:
            refuse_missing(settings)
        base = _base(settings)
        with _codes(settings) as codes:
            made = [codes.make(each) for each in range(1, number + 1)]
            made += _renewed(codes, renewed)
            found = [(one.number, codes.key(one), one.code) for one in made]
    except (SettingsError, StorageError) as error:
        fail(error)
    try:
        output.write_text(_page(base, found, lang), encoding="utf-8")
    except OSError as error:
        said = f"{output}: {error.strerror}"
        if renewed:
            said += ". The codes are new already: to print the tents, give NUMBER, not --renew."
        raise click.ClickException(said) from error
    click.echo(f"{output}: tents for {tables_in_words(len(found))} at {base}")
    if not settings.public_url:
        click.echo("The address of this machine may change: give one that stays with --public-url.")


def _try(output: Path) -> None:
    """Raises `OSError` if the file cannot be written, before anything is changed. Leaves it as it
    was."""
    new = not output.exists()
    if new or output.is_file():
        output.open("ab").close()
    if new:
        output.resolve().unlink()


def _is_of(folder: Path, output: Path) -> bool:
    """Whether it is one of the data folder's own files."""
    from companion.storage.backup import MEMBERS, SIDE_FILES
    from companion.storage.folder import LOCK

    own = (folder / name for name in (*MEMBERS, *SIDE_FILES, LOCK))
    try:
        return output.exists() and any(each.exists() and output.samefile(each) for each in own)
    except OSError:  # this user may not look into the folder, and has no file in it
        return False


def _renewed(codes: StandingCodes, numbers: tuple[int, ...]) -> list[StandingTable]:
    """All of them or none."""
    known = {each: codes.find(each) for each in numbers}
    found = [one for one in known.values() if one is not None]
    if len(found) < len(known):
        missing = ", ".join(str(each) for each, one in known.items() if one is None)
        raise StorageError(f"there is no table {missing}")
    return [codes.renew(one) for one in found]


@contextmanager
def _codes(settings: Settings) -> Iterator[StandingCodes]:
    """The codes that the server has, also while it runs: it asks the database each time."""
    from companion.server.assembly import code_length_of
    from companion.storage.secret_key import secret_key as key_of
    from companion.tables.keys import Keys
    from companion.tables.standing_codes import StandingCodes

    with open_log(settings) as log:
        yield StandingCodes(log, Keys(key_of(settings)), code_length_of(settings))


def _base(settings: Settings) -> str:
    """The address that phones reach. `SettingsError` where a certificate cannot be used."""
    from companion.server.assembly import addresses_of, tls_of

    if settings.public_url:
        return settings.public_url
    return addresses_of(settings, tls_of(settings)).network.best.url


def _page(base: str, tables: list[tuple[int, str, str]], lang: str) -> str:
    from companion.games import GAMES
    from companion.web.answers.render import framed
    from companion.web.app import drawing
    from companion.web.html.cache import Html
    from companion.web.http.assets import Assets
    from companion.web.view.printed import standing_sheet

    app = drawing(GAMES, Assets())
    view = standing_sheet(base, tables)
    return framed(app, "standing_file", lang, view, Html(app).fresh(view, lang))
