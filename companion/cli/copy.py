"""`companion copy`: all tables from a data folder into a shared database, or back."""

from __future__ import annotations

import os
from typing import Any, Final

import click

from companion.cli.setting_options import setting
from companion.cli.words import fail
from companion.server.journal import tables_in_words
from companion.settings import PREFIX, SettingsError, needs_shared, read
from companion.tables.log import StorageError

OF_SERVERS: Final = (f"{PREFIX}DATABASE", f"{PREFIX}BUS")
"""Where servers begun in this shell would serve from, whatever is copied."""


@click.command()
@click.option(
    "--from", "source", metavar="PLACE", required=True, help="Data folder, or postgresql://…"
)
@click.option("--to", "target", metavar="PLACE", required=True, help="The same, with no tables.")
@setting(
    "secret_key_file",
    "File with the secret key, as for the server; else it is the folder's own.",
)
def copy(source: str, target: str, **options: Any) -> None:
    """Copy all tables between a data folder and a database that processes share.

    The servers of both must have ended. What is encrypted stays so: serve the copy with the same
    secret key. Every event is read again where it lies now; what is copied stays where it was.
    """
    try:
        environ = {name: value for name, value in os.environ.items() if name not in OF_SERVERS}
        settings = read({} if options["secret_key_file"] else environ, **options)
        from companion.storage.copying import copy_all

        done = copy_all(source, target, settings.secret_key)
    except (SettingsError, StorageError) as error:
        fail(error)
    except ImportError as error:
        fail(needs_shared(error))
    said = f"{tables_in_words(done.tables)} with {done.events} events copied"
    click.echo(f"{said}, all of them read and found whole.")
