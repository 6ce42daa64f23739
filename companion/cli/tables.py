"""`companion tables`: what there is, without a look into it, and its deletion."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import UTC, datetime
from typing import Any

import click

from companion.cli.setting_options import data, database, secret_key, secret_key_file
from companion.cli.words import fail
from companion.server.journal import tables_in_words
from companion.settings import Settings, SettingsError, read
from companion.storage.backup import taken
from companion.storage.folder import refuse_closed
from companion.storage.inventory import by_day, listed
from companion.storage.open_log import open_log, open_read_only, refuse_missing
from companion.tables.log import StorageError


@click.command()
@click.option("--days", is_flag=True, help="Totals by day instead.")
@click.option("--delete", "gone", metavar="TABLE", multiple=True, help="Delete this table.")
@data
@database
@secret_key
@secret_key_file
def tables(days: bool, gone: tuple[str, ...], **options: Any) -> None:
    """List the tables: counts, sizes, last use, at which tent; no names.

    While the server runs or not; but where tables are deleted from a folder it must have ended.
    What is deleted is wiped from the files, from a shared database when that tidies up; backups
    keep it. Times are in UTC.
    """
    try:
        settings = read(**options)
        if gone:
            _delete(settings, gone)
        elif days:
            _list_days(settings)
        else:
            _list_tables(settings)
    except (SettingsError, StorageError) as error:
        fail(error)


def _delete(settings: Settings, gone: tuple[str, ...]) -> None:
    gone = tuple(dict.fromkeys(gone))
    if not settings.database:
        refuse_closed(settings.data)
        if not settings.data.exists():
            raise StorageError(f"there are no tables in {settings.data}")
    alone = nullcontext() if settings.database else taken(settings.data)
    with alone:
        refuse_missing(settings)
        with open_log(settings, held=True) as log:
            missing = [each for each in gone if not log.delete(each)]
    click.echo(f"{tables_in_words(len(gone) - len(missing))} deleted.")
    if missing:
        raise StorageError(f"there is no table {', '.join(missing)}")


def _list_tables(settings: Settings) -> None:
    with open_read_only(settings) as connection:
        found = listed(connection)
    click.echo(f"{'table':22}  {'opened':16}  {'last used':16}  events  phones      KiB  tent")
    for each in found:
        line = (
            f"{each.id:22}  {_time(each.opened_at)}  {_time(each.used_at)}  "
            f"{each.events:6}  {each.phones:6}  {each.size / 1024:7.1f}"
        )
        click.echo(line if each.standing is None else f"{line}  {each.standing:4}")
    events, size = sum(each.events for each in found), sum(each.size for each in found)
    click.echo(f"{tables_in_words(len(found))}, {events} events, {size / 1024:.1f} KiB")


def _list_days(settings: Settings) -> None:
    with open_read_only(settings) as connection:
        found = by_day(connection)
    click.echo(f"{'day':10}  tables  events      KiB")
    for each in found:
        click.echo(f"{each.day}  {each.opened:6}  {each.events:6}  {each.size / 1024:7.1f}")


def _time(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M}"
