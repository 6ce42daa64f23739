"""How a command says why it ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from traceback import walk_tb
from typing import NoReturn

import click


def fail(error: object, status: int = 1) -> NoReturn:
    text = str(error)
    click.echo(f"companion: {text}{'' if text.endswith('.') else '.'}", err=True)
    sys.exit(status)


@contextmanager
def output_is_full() -> Iterator[None]:
    """Inside, what cannot be written to standard output is said as anything else that fails."""
    try:
        yield
    except OSError as error:
        *_, (innermost, _) = walk_tb(error.__traceback__)
        if innermost.f_code is not click.echo.__code__:
            raise
        drop_output()
        fail(unwritten(error))


def unwritten(error: OSError) -> str:
    return f"Standard output cannot be written: {error.strerror}"


def drop_output() -> None:
    """What standard output has not taken is not tried again, not even at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
