"""The commands; `companion` alone is `companion serve`. A command's code is loaded when it runs."""

from __future__ import annotations

from typing import Any, Final

import click

from companion.cli.words import output_is_full


def _serve() -> click.Command:
    from companion.cli.serve import serve

    return serve


def _doctor() -> click.Command:
    from companion.cli.doctor import doctor

    return doctor


def _referee() -> click.Command:
    from companion.cli.referee import referee

    return referee


def _verify() -> click.Command:
    from companion.cli.verify import verify

    return verify


def _show() -> click.Command:
    from companion.cli.show import show

    return show


def _replay() -> click.Command:
    from companion.cli.replay import replay

    return replay


def _backup() -> click.Command:
    from companion.cli.backup import backup

    return backup


def _restore() -> click.Command:
    from companion.cli.backup import restore

    return restore


def _tables() -> click.Command:
    from companion.cli.tables import tables

    return tables


def _standing() -> click.Command:
    from companion.cli.standing import standing

    return standing


def _copy() -> click.Command:
    from companion.cli.copy import copy

    return copy


COMMANDS: Final = {
    "serve": (_serve, "Serve the tables on the local network. The default."),
    "doctor": (_doctor, "Say what may keep phones away, and how to set it right."),
    "referee": (_referee, "Judge game records, one verdict a line."),
    "verify": (_verify, "Check the deals of saved records: draw each again."),
    "show": (_show, "Draw the table of a game as text."),
    "replay": (_replay, "Write a game as a page that shows it play by play."),
    "backup": (_backup, "Copy all tables to a file, while the server runs or not."),
    "restore": (_restore, "Put the tables of a backup back."),
    "standing": (_standing, "Make tables for a café, with codes that last, and tents; free one."),
    "tables": (_tables, "List the tables: counts, sizes, last use; delete some."),
    "copy": (_copy, "Copy all tables between a data folder and a database that processes share."),
}
DEFAULT = "serve"


class Lazy(click.Group):
    """Commands by name; options before any command are the default command's."""

    def main(self, *args: Any, **more: Any) -> Any:
        with output_is_full():
            return super().main(*args, **more)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        load, _ = COMMANDS[cmd_name]
        return load()

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The default command's options, since they can be given here."""
        command = self.get_command(ctx, DEFAULT)
        assert command is not None
        command.format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {*ctx.help_option_names, "--version"}
        if not args or args[0].startswith("-"):
            asked = [each for each in args if each in own]
            args = asked or [DEFAULT, *args]
        return super().parse_args(ctx, args)


def _tell_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        from companion.build import build

        click.echo(f"companion {build()}")
        ctx.exit()


@click.group(
    cls=Lazy,
    no_args_is_help=False,
    subcommand_metavar="| COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_tell_version,
    help="Say which version and build this is, and end.",
)
def main(**_: Any) -> None:
    """A companion and rules referee for card games played with real cards.

    Without a command it serves: it prints the address for the phones with a QR code, and opens the
    table screen in this machine's browser.
    """
