"""What several commands say alike."""

from __future__ import annotations

import sys
from typing import NoReturn

import click


def counted(tables: int) -> str:
    """
    >>> counted(1), counted(2)
    ('1 table', '2 tables')
    """
    return "1 table" if tables == 1 else f"{tables} tables"


def fail(error: Exception) -> NoReturn:
    click.echo(f"companion: {error}.".replace("..", "."), err=True)
    sys.exit(1)
