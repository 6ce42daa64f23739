"""`companion tables`: what there is, without a look into it, and its deletion."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from companion.cli.backup import data, secret_key, secret_key_file
from companion.settings import Settings, SettingsError, read
from companion.storage.folder import exclusive
from companion.storage.inventory import by_day, listed, looking
from companion.storage.log import SqlLog, refuse_keyless
from companion.storage.secret_key import secret_key as key_of
from companion.tables.log import StorageError


@click.command()
@click.option("--days", is_flag=True, help="Totals by day instead.")
@click.option("--delete", "gone", metavar="TABLE", multiple=True, help="Delete this table.")
@data
@secret_key
@secret_key_file
def tables(days: bool, gone: tuple[str, ...], **options: Any) -> None:
    """List the tables: counts, sizes, last use; no names.

    While the server runs or not; but it must have ended where tables are deleted. What is deleted
    is wiped from the files; backups keep it. Times are in UTC.
    """
    try:
        settings = read(**options)
        if gone:
            _delete(settings, gone)
        elif days:
            _list_days(settings.data)
        else:
            _list_tables(settings.data)
    except (SettingsError, StorageError) as error:
        click.echo(f"companion: {error}.".replace("..", "."), err=True)
        sys.exit(1)


def _delete(settings: Settings, gone: tuple[str, ...]) -> None:
    with exclusive(settings.data):
        if not settings.secret_key:
            refuse_keyless(settings.data)
        log = SqlLog(settings.data, key_of(settings))
        try:
            missing = [each for each in gone if not log.delete(each)]
        finally:
            log.close()
    click.echo(f"{_counted(len(gone) - len(missing))} deleted.")
    if missing:
        raise StorageError(f"there is no table {', '.join(missing)}")


def _list_tables(folder: Path) -> None:
    with looking(folder) as connection:
        found = listed(connection)
    click.echo(f"{'table':22}  {'opened':16}  {'last used':16}  events  phones      KiB")
    for each in found:
        click.echo(
            f"{each.id:22}  {_time(each.opened_at)}  {_time(each.used_at)}  "
            f"{each.events:6}  {each.phones:6}  {each.size / 1024:7.1f}"
        )
    events, size = sum(each.events for each in found), sum(each.size for each in found)
    click.echo(f"{_counted(len(found))}, {events} events, {size / 1024:.1f} KiB")


def _list_days(folder: Path) -> None:
    with looking(folder) as connection:
        found = by_day(connection)
    click.echo(f"{'day':10}  tables  events      KiB")
    for each in found:
        click.echo(f"{each.day}  {each.opened:6}  {each.events:6}  {each.size / 1024:7.1f}")


def _time(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M}"


def _counted(number: int) -> str:
    return "1 table" if number == 1 else f"{number} tables"
