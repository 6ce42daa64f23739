"""How a command says why it ends."""

from __future__ import annotations

import sys
from typing import NoReturn

import click


def fail(error: object, status: int = 1) -> NoReturn:
    text = str(error)
    click.echo(f"companion: {text}{'' if text.endswith('.') else '.'}", err=True)
    sys.exit(status)
