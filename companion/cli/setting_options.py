"""Settings of the server that other commands take as options, too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Final, TypeVar

import click

from companion.settings import PREFIX, Settings, about

Command = TypeVar("Command", bound=Callable[..., Any])

SETTINGS: Final = {each.name: each for each in fields(Settings)}


def as_in_variable(
    _context: click.Context, _option: click.Parameter, given: str | tuple[str, ...] | None
) -> str | None:
    """Several values are one text, with commas between them."""
    if not isinstance(given, tuple):
        return given
    if any("," in each for each in given):
        raise click.BadParameter("a name with a comma in it cannot be given")
    return ",".join(given)


def setting(name: str, help: str = "As for the server.") -> Callable[[Command], Command]:
    """With the variable that sets it, too."""
    known = about(SETTINGS[name])
    return click.option(
        f"--{name.replace('_', '-')}",
        metavar=known.metavar,
        nargs=known.nargs,
        callback=as_in_variable,
        help=f"{help} [environment: {PREFIX}{name.upper()}]",
    )


data = setting("data", "Folder of the tables, as for the server.")
database = setting("database", "Database that processes share, as for the server.")
secret_key = setting("secret_key", "The secret key, if the server is given one.")
secret_key_file = setting("secret_key_file", "File with that key.")
host = setting("host")
port = setting("port")
public_url = setting("public_url")
tls = setting("tls")
