"""Settings that several commands take as options."""

from __future__ import annotations

import os
from typing import Any

import click


class OutputFile(click.Path):
    """A file to be written, also with the ~ that a shell leaves as it is after `--output=`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(os.path.expanduser(value), param, ctx)


data = click.option(
    "--data",
    metavar="FOLDER",
    help="Folder of the tables, as for the server. [environment: COMPANION_DATA]",
)
database = click.option(
    "--database",
    metavar="URL",
    help="Database that processes share, as for the server. [environment: COMPANION_DATABASE]",
)
secret_key = click.option(
    "--secret-key",
    metavar="TEXT",
    help="The secret key, if the server is given one. [environment: COMPANION_SECRET_KEY]",
)
secret_key_file = click.option(
    "--secret-key-file",
    metavar="FILE",
    help="File with that key. [environment: COMPANION_SECRET_KEY_FILE]",
)
host = click.option(
    "--host", metavar="ADDRESS", help="As for the server. [environment: COMPANION_HOST]"
)
port = click.option(
    "--port", metavar="NUMBER", help="As for the server. [environment: COMPANION_PORT]"
)
public_url = click.option(
    "--public-url", metavar="URL", help="As for the server. [environment: COMPANION_PUBLIC_URL]"
)
