"""`companion doctor`: what may keep phones away, tried from this machine."""

from __future__ import annotations

import sys

import click

from companion.cli.setting_options import (
    database,
    host,
    port,
    public_url,
    secret_key,
    secret_key_file,
    setting,
    tls,
)
from companion.cli.words import fail
from companion.settings import SettingsError, read

FAULT = 1
BAD_SETTING = 2


@click.command()
@host
@port
@setting("data")
@public_url
@tls
@database
@setting("bus")
@secret_key
@secret_key_file
def doctor(**options: str | None) -> None:
    """Say what may keep phones away, and how to set it right.

    Tries the port on each address, names, the clock, the data folder and its disk, who can read
    the secret key, and looks for a VPN and a firewall. Where processes share a database it tries
    this and the bus in the place of the folder: versions, tables, the secret key, the clock, and
    whether all that serve hear the bus. Ends with 0 when nothing is in the way, with 1 when
    something is, and with 2 when a setting cannot be used. Tables and the network stay as they are.
    """
    try:
        settings = read(**options)
    except SettingsError as error:
        fail(error, BAD_SETTING)
    from companion.server import checks, surroundings
    from companion.server.assembly import addresses_of, tls_of
    from companion.server.findings import Level
    from companion.web.view.network import fixed

    if settings.public_url:
        network = fixed(settings.public_url)
    else:
        try:
            here = addresses_of(settings, tls_of(settings))
        except SettingsError as error:
            fail(error, BAD_SETTING)
        here.seen = surroundings.look()
        here.look()
        network = here.network
    faults = 0
    for finding in checks.all_of(settings, network):
        faults += finding.level is Level.BAD
        click.echo(f"{finding.level:<5} {finding.text}")
    if faults:
        sys.exit(FAULT)
