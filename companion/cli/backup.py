"""`companion backup` and `companion restore`: all tables into one file, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from companion.cli.setting_options import data, secret_key, secret_key_file
from companion.cli.signals import ended_in_order
from companion.cli.words import fail
from companion.server.journal import tables_in_words
from companion.settings import Settings, SettingsError, read
from companion.storage.backup import Content, back_up
from companion.storage.backup import restore as put_back
from companion.tables.log import StorageError


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@data
@secret_key
@secret_key_file
def backup(file: Path, **options: Any) -> None:
    """Copy all tables to a file, while the server runs or not.

    FILE must be new. The secret key goes into it too, unless it is given as a setting: whoever has
    the file can read every role in it. Keep it as you keep the data folder.
    """
    try:
        settings = _of_a_folder(options)
        with ended_in_order():
            content = back_up(settings.data, file.absolute(), settings.secret_key)
    except (SettingsError, StorageError) as error:
        fail(error)
    click.echo(f"{file}: {_told(content)}.")
    if content.key:
        click.echo("The secret key is in it: whoever has the file can read all of it.")
    else:
        click.echo("The secret key is not in it: keep COMPANION_SECRET_KEY as well.")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@data
@secret_key
@secret_key_file
def restore(file: Path, **options: Any) -> None:
    """Put the tables of a backup back.

    They take the place of those in the data folder, which are kept beside them. The server must
    have ended. FILE is checked before anything is touched.
    """
    try:
        settings = _of_a_folder(options)
        with ended_in_order():
            restored = put_back(settings.data, file.absolute(), settings.secret_key)
    except (SettingsError, StorageError) as error:
        fail(error)
    click.echo(f"{settings.data}: {_told(restored.content)}.")
    if restored.kept is not None:
        click.echo(f"What was there before is in {restored.kept}.")


def _of_a_folder(options: dict[str, Any]) -> Settings:
    settings = read(**options)
    if settings.database:
        raise SettingsError(
            "The tables lie in a shared database: back it up as such (pg_dump), or copy it to a "
            "folder (companion copy)."
        )
    return settings


def _told(content: Content) -> str:
    tables = tables_in_words(content.tables)
    return f"{tables} with {content.events} events, all of them read and found whole"
