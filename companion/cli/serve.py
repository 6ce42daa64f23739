"""`companion serve`: runs one process on the local network, from its start to its clean end."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from dataclasses import fields
from gettext import NullTranslations
from pathlib import Path
from typing import Any

import click

from companion.cli.json_lines import JsonLines
from companion.settings import PREFIX, QR, Settings, SettingsError, default, read

BAD_SETTING = 2
PLAIN = "%(asctime)s %(name)s %(message)s"


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    """One option for each setting, with the variable that sets it too."""
    for setting in reversed(fields(Settings)):
        usual = default(setting)
        unit = setting.metadata["unit"]
        shown = str(usual).replace(str(Path.home()), "~") if usual != "" else ""
        about = [f"environment: {PREFIX}{setting.name.upper()}"]
        if shown:
            about.append(f"default: {shown}{' ' + unit if unit else ''}")
        command = click.option(
            f"--{setting.name.replace('_', '-')}",
            setting.name,
            default=None,
            metavar=_metavar(setting.name, usual),
            nargs=2 if setting.name == "tls" else 1,
            help=f"{setting.metadata['help']} [{'; '.join(about)}]",
        )(command)
    return command


def _metavar(name: str, usual: object) -> str:
    if isinstance(usual, int):
        return "NUMBER"
    named = {
        "data": "FOLDER",
        "public_url": "URL",
        "host": "ADDRESS",
        "metrics_host": "ADDRESS",
        "tls": "CERTIFICATE KEY",
    }
    return named.get(name, "TEXT")


@click.command()
@_options
@click.option(
    "--browser/--no-browser",
    default=True,
    help="Open the table screen in this machine's browser, where there is one.",
)
@click.option("--log/--no-log", default=False, help="Log every request, without any secret.")
def serve(browser: bool, log: bool, tls: tuple[str, str] | None, **options: str | None) -> None:
    """Serve the tables on the local network."""
    options["tls"] = ",".join(tls) if tls else None
    try:
        settings = read(**options)
    except SettingsError as error:
        click.echo(f"companion: {error}", err=True)
        sys.exit(BAD_SETTING)
    from gevent import monkey

    monkey.patch_all()
    said = logging.StreamHandler()
    said.setFormatter(JsonLines() if settings.log_format == "json" else logging.Formatter(PLAIN))
    logging.basicConfig(level=logging.INFO if log else logging.WARNING, handlers=[said])
    from companion.server.process import NotServing, run

    try:
        run(settings, on_ready=lambda at: _greet(at, browser))
    except (NotServing, SettingsError) as error:
        click.echo(f"companion: {error}", err=True)
        sys.exit(BAD_SETTING if isinstance(error, SettingsError) else 1)


def _greet(at: Any, browser: bool) -> None:
    """Tells the person who started the program the address, its QR code, and how to end it."""
    from companion.web.view.advice import label
    from companion.web.view.qr import blocks

    if at.wanted_port not in (0, at.port):
        click.echo(f"Port {at.wanted_port} is taken, so this uses port {at.port}.")
    best, *others = at.network.ways
    click.echo(f"Phones open {best.url}")
    if sys.stdout.isatty() or os.environ.get(QR):
        click.echo(blocks(best.url))
    for way in others:
        click.echo(
            f"or, if they do not get there, {way.url} ({label(NullTranslations(), way.kind)})"
        )
    click.echo(f"Table screen on this machine: {at.local}/screen")
    click.echo("Ctrl-C ends it.")
    sys.stdout.flush()
    if browser:
        _open_browser(f"{at.local}/screen")


def _open_browser(url: str) -> None:
    """In a native thread: a browser that starts slowly must not keep the phones waiting."""
    displays = ("DISPLAY", "WAYLAND_DISPLAY")
    if sys.platform.startswith("linux") and not any(os.environ.get(each) for each in displays):
        return
    import webbrowser

    import gevent

    def opened() -> None:
        try:
            webbrowser.get()
        except webbrowser.Error:
            return
        webbrowser.open(url)

    gevent.get_hub().threadpool.spawn(opened)
