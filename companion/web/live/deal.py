"""What a phone does for a deal by itself: which numbers it is to seal, and which to open.

It is a message of its stream, named "deal", so it reaches a phone on whichever page of the table.
"""

from __future__ import annotations

import json
from typing import Any

from companion.tables.model import Device, Table
from companion.web.answers.services import Services
from companion.web.view.moments import Moment


def deal_message(services: Services, moment: Moment, device: Device | None) -> bytes:
    """Empty where there is nothing to do."""
    message = moment.once(_message, services, moment.table)
    return message if message and device and moment.table.held_in_play(device) else b""


def _message(services: Services, table: Table) -> bytes:
    """The same for all phones of players."""
    if not table.game.deals_secrets:
        return b""
    deals = services.tables.fair_deals
    told: dict[str, Any] = {
        "seal": {f"{game}.{round_}": one for one, (game, round_) in deals.to_seal(table).items()},
        "open": {
            f"{game}.{round_}": seals for (game, round_), (_, seals) in deals.to_open(table).items()
        },
    }
    if not any(told.values()):
        return b""
    told["at"] = f"/t/{table.id}/fair"
    return f"event: deal\ndata: {json.dumps(told, separators=(',', ':'))}\n\n".encode()
