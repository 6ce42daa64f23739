"""Options of several commands."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from companion.languages import LOCALES

Command = TypeVar("Command", bound=Callable[..., Any])


class OutputFile(click.Path):
    """A file to be written. Expands the ~ that a shell leaves as it is after `--output=`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(os.path.expanduser(value), param, ctx)


def lang(help: str) -> Callable[[Command], Command]:
    return click.option(
        "--lang", type=click.Choice(LOCALES), default="en", show_default=True, help=help
    )
