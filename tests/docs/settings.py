"""All settings of the program, as a table for docs/settings.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

from companion.settings import PREFIX, Settings, about, default


def section() -> str:
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield "| option | variable | default | from – to | |"
    yield "|---|---|---|---|---|"
    for setting in fields(Settings):
        option = f"`--{setting.name.replace('_', '-')}`"
        variable = f"`{PREFIX}{setting.name.upper()}`"
        text = about(setting).help
        yield f"| {option} | {variable} | {_default(setting)} | {_range(setting)} | {text} |"


def _default(setting: Field[Any]) -> str:
    usual = default(setting)
    if isinstance(usual, Path):
        return "[in the user's folder for data](../README.md#at-a-club)"
    unit = about(setting).unit
    return f"`{usual}`{' ' + unit if unit else ''}" if usual != "" else ""


def _range(setting: Field[Any]) -> str:
    if not isinstance(default(setting), int):
        return ""
    return f"{about(setting).low} – {about(setting).high}"
