"""Limits of tables that are made without a process."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.server.assembly import limits_of
from companion.settings import Settings
from companion.tables.limits import TableLimits
from companion.tables.waiting_deals import DEAL_WAIT_S


def limits(**changed: Any) -> TableLimits:
    """As the settings have them when nothing is set; but no end of a round waits."""
    usual = limits_of(Settings(end_wait_s=0), DEAL_WAIT_S)
    return replace(usual, **changed)
