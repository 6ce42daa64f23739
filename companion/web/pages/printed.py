"""Pages to be printed; the rules print as they are."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request

from companion.web.answers.access import asking
from companion.web.answers.reader_language import locale_at, locale_for
from companion.web.answers.render import answer, here
from companion.web.answers.services import current_services
from companion.web.answers.table_page import moment_of, reach_of
from companion.web.http import security
from companion.web.view import printed
from companion.web.view.rulebook import rules_path

blueprint = Blueprint("printed", __name__)


@blueprint.get("/t/<table_id>/tent")
def tent(table_id: str) -> Response:
    """The table's code, to stand on the table."""
    table = asking(table_id, "qr").table
    reach = reach_of(current_services(), moment_of(current_services(), table))
    return answer("tent", printed.tent(here(), f"/t/{table_id}/qr", reach), locale_for(table))


@blueprint.get("/rules/<game>/scores")
def scores(game: str) -> Response:
    """For who writes down what everybody has."""
    manifest = current_services().tables.games.get(game)
    if manifest is None:
        abort(404)
    back = security.local_path(request.args.get("back"), rules_path(game))
    return answer("scores", printed.scores(here(), back, manifest), locale_at(back))
