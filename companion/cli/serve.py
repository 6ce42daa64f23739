"""`companion serve`: runs one process on the local network, from its start to its clean end."""

from __future__ import annotations

import gc
import logging
import os
import sys
from collections.abc import Callable
from dataclasses import fields
from gettext import NullTranslations
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from companion.cli.json_lines import JsonLines
from companion.cli.setting_options import as_in_variable
from companion.cli.words import drop_output, fail
from companion.settings import PREFIX, QR, Settings, SettingsError, about, default, read

if TYPE_CHECKING:
    from companion.server.process import At

BAD_SETTING = 2
NOT_SERVING = 1
PLAIN = "%(asctime)s %(name)s %(message)s"


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    """One option for each setting, with the variable that sets it too."""
    for setting in reversed(fields(Settings)):
        usual = default(setting)
        known = about(setting)
        shown = str(usual).replace(str(Path.home()), "~") if usual != "" else ""
        sources = [f"environment: {PREFIX}{setting.name.upper()}"]
        if shown:
            sources.append(f"default: {shown}{' ' + known.unit if known.unit else ''}")
        command = click.option(
            f"--{setting.name.replace('_', '-')}",
            setting.name,
            default=None,
            metavar=known.metavar,
            nargs=known.nargs,
            callback=as_in_variable,
            help=f"{known.help} [{'; '.join(sources)}]",
        )(command)
    return command


@click.command()
@_options
@click.option(
    "--browser/--no-browser",
    default=True,
    help="Open the table screen in this machine's browser, where there is one.",
)
@click.option("--log/--no-log", default=False, help="Log every request, without any secret.")
def serve(browser: bool, log: bool, **options: str | None) -> None:
    """Serve the tables on the local network."""
    given = options["log_format"] or os.environ.get(f"{PREFIX}LOG_FORMAT", "")
    json = given.strip() == "json"  # also where something else cannot be used
    try:
        settings = read(**options)
    except SettingsError as error:
        _begin_log(log, json)
        _end(error, BAD_SETTING, json)
    gc.disable()  # until it serves (`server.memory`): what is loaded stays
    from gevent import monkey

    monkey.patch_all()
    _begin_log(log, json)
    from companion.server.process import NotServing, run

    try:
        run(settings, on_ready=lambda at: _ready(at, browser, json))
    except SettingsError as error:
        _end(error, BAD_SETTING, json)
    except NotServing as error:
        _end(error, NOT_SERVING, json)


def _begin_log(requests: bool, json: bool) -> None:
    """`requests`: log a line per request. The start and the end of the program are logged if either
    option is set; otherwise the terminal tells of them."""
    said = logging.StreamHandler()
    said.setFormatter(JsonLines() if json else logging.Formatter(PLAIN))
    logging.basicConfig(level=logging.INFO if requests else logging.WARNING, handlers=[said])
    if json:
        logging.getLogger("companion.server").setLevel(logging.INFO)


def _end(error: Exception, status: int, json: bool) -> NoReturn:
    """Says why it cannot serve."""
    if json:
        logging.getLogger("companion.server").error("%s", error)
        sys.exit(status)
    fail(error, status)


def _ready(at: At, browser: bool, json: bool) -> None:
    """Nobody reads the terminal of a program whose log is for programs, nor one that is closed."""
    if not json and sys.stdout is not None:
        try:
            _greet(at)
        except OSError:  # where it goes the disk is full, or nobody listens: it serves all the same
            drop_output()
    if browser:
        _open_browser(f"{at.local}/screen")


def _greet(at: At) -> None:
    """Tells the person who started the program the address, its QR code, and how to end it."""
    from companion.web.html.qr import blocks
    from companion.web.view.advice import label

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
