"""What a phone does for a deal by itself: which numbers it is to seal, and which to open.

It is a message of its stream, named "deal", so it reaches a phone on whichever page of the table.
"""

from __future__ import annotations

import json
from typing import Any

from companion.tables.model import Device, Table
from companion.web.view.services import House


def deal_message(here: House, table: Table, device: Device | None) -> bytes:
    """Empty where there is nothing to do."""
    if device is None or not table.game.deals or not table.held_in_play(device):
        return b""
    deals = here.tables.deals
    between = table.play is None or table.game.is_between_rounds(table.play)
    to_come = deals.to_come(table) if between else {}
    told: dict[str, Any] = {
        "seal": {f"{game}.{round_}": one for one, (game, round_) in to_come.items()},
        "open": {
            f"{game}.{round_}": seals for (game, round_), (_, seals) in deals.fixed(table).items()
        },
    }
    if not any(told.values()):
        return b""
    told["at"] = f"/t/{table.id}/fair"
    return f"event: deal\ndata: {json.dumps(told, separators=(',', ':'))}\n\n".encode()
