"""How often a request may come, whatever it is for: counted by device for who plays, and by address
for all others. Who only asks whether the process is alive is not counted: a refusal costs more."""

from __future__ import annotations

from flask import Flask, request

from companion.tables.model import Device
from companion.web.answers.counting import too_often
from companion.web.answers.services import Services
from companion.web.http import security
from companion.web.http.limits import Limited, group
from companion.web.pages import fair_deal, health


def install(app: Flask, services: Services) -> None:
    @app.before_request
    def not_too_often() -> None:
        if request.blueprint == "assets" or request.endpoint == health.ALIVE_ENDPOINT:
            return
        device = security.device()
        kind: Limited = "request"
        who = group(request.remote_addr)
        if device is not None and _plays(services, device):
            kind, who = "playing", device
        if device is not None and _opens_number(services, device):
            return
        if not services.limits.hit(kind, who):
            too_often(kind, who)
        if device is None or request.method != "POST":
            return
        if not services.limits.hit("device", device):
            too_often("device", device)


def _plays(services: Services, device: Device) -> bool:
    """It is counted by itself: no stranger behind the same router keeps it from its table."""
    table_id = (request.view_args or {}).get("table_id", "")
    return services.arrivals.plays(device) or services.arrivals.plays_at(table_id, device)


def _opens_number(services: Services, device: Device) -> bool:
    """Whether this request opens a number that a deal waits for. It is never refused as too
    frequent: else strangers behind the same router could make this player appear as the one who
    withholds it."""
    if request.endpoint != fair_deal.SHARE_ENDPOINT:
        return False
    table = services.tables.in_memory((request.view_args or {})["table_id"])
    return table is not None and table.deals.sealed is not None and bool(table.held_in_play(device))
