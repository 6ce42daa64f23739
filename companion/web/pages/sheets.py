"""The referee's own addresses: sheets, and the quarter turns of a phone's view."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from companion.tables import reasons as table_reasons
from companion.web.answers.access import asking
from companion.web.answers.errors import refuse
from companion.web.answers.reader_language import locale_for
from companion.web.answers.render import html, wants_fragment
from companion.web.answers.rotations import TURN_COOKIE, quarters_in
from companion.web.answers.services import current_services
from companion.web.answers.table_page import me_of, moment_of, ready, show
from companion.web.http import security
from companion.web.view.asking import Asking, is_from_screen
from companion.web.view.games import UnknownSheetError, pages_of

blueprint = Blueprint("sheets", __name__)

ASKED_MAX = 32
"""Characters of what a sheet's address may say of one thing."""


def _asking(table_id: str) -> Asking:
    """For the page that this belongs to."""
    asked = request.values
    from_screen = is_from_screen(asked)
    return asking(table_id, "table", asked.get("seat"), from_screen=from_screen)


@blueprint.get("/t/<table_id>/ask")
def ask(table_id: str) -> Response:
    """A sheet: alone for a script, else on the page that it belongs to."""
    who = _asking(table_id)
    services, table = current_services(), who.table
    asked = {name: value[:ASKED_MAX] for name, value in request.args.items()}
    me = me_of(services, moment_of(services, table), who)
    try:
        sheet = pages_of(table.game).sheet(table, me, asked)
    except UnknownSheetError:
        refuse(table_reasons.BAD_REQUEST, field="ask")
    if not wants_fragment():
        return show(who, sheet=sheet)
    if sheet is None:
        return Response(status=204)
    locale = locale_for(table)
    return html(ready(services.html.fresh(sheet, locale), who), locale)


@blueprint.post("/t/<table_id>/turn")
def turn(table_id: str) -> BaseResponse:
    """One more quarter turn of this phone's view, or as its player sits; kept on the phone, told
    to nobody."""
    who = _asking(table_id)
    assert who.device is not None
    services, turned = current_services(), quarters_in(request.form.get("to"))
    if turned is None:
        turned = (services.rotations.quarters(who) + 1) % 4
    services.rotations.keep(who.device, turned)
    for notify in services.on_turned:
        notify(table_id, who.device, turned)
    response: BaseResponse
    response = Response(status=204) if wants_fragment() else redirect(who.path, 303)
    security.keep_cookie(response, TURN_COOKIE, str(turned))
    services.hub.publish(table_id, who.device)
    return response
