"""For whoever watches over the process: whether it is alive, and whether it can serve."""

from __future__ import annotations

from flask import Blueprint, Response

from companion.tables.log import StorageError
from companion.web.answers.services import current_services

blueprint = Blueprint("health", __name__)

ALIVE_ENDPOINT = "health.alive"

TEXT = "text/plain; charset=utf-8"


@blueprint.get("/healthz")
def alive() -> Response:
    """It answers: that is all."""
    return Response("alive\n", content_type=TEXT)


@blueprint.get("/readyz")
def ready() -> Response:
    """Whether the database answers, and the bus where there is one."""
    away = []
    try:
        current_services().tables.ask_store()
    except StorageError:
        away.append("the database does not answer\n")
    if current_services().hub.is_deaf():
        away.append("the bus does not answer\n")
    return Response("".join(away) or "ready\n", 503 if away else 200, content_type=TEXT)
