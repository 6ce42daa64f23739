"""The referee's own addresses: sheets, the quarter turns of a phone's view, the saved record."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from companion.record.writing import record_lines
from companion.tables import refusals as table_refusals
from companion.tables.model import Table
from companion.tables.pacing import in_slices
from companion.web.http import refusals, security
from companion.web.view.access import asking, turn_of
from companion.web.view.errors import count_dear, refuse
from companion.web.view.games import UnknownSheetError, pages_of
from companion.web.view.render import locale_for, sheet_answer, wants_fragment
from companion.web.view.services import TURN_COOKIE, house
from companion.web.view.table_page import me_of, moment_of, show

blueprint = Blueprint("sheets", __name__)

ASKED_MAX = 32
"""Characters of what a sheet's address may say of one thing."""


@blueprint.get("/t/<table_id>/ask")
def ask(table_id: str) -> Response:
    """A sheet: alone for a script, else on the page that it belongs to."""
    who = asking(table_id, "seat", request.args.get("seat"))
    here, table = house(), who.table
    asked = {name: value[:ASKED_MAX] for name, value in request.args.items()}
    me = me_of(here, moment_of(here, table), who)
    try:
        sheet = pages_of(table.game).sheet(me, asked)
    except UnknownSheetError:
        refuse(table_refusals.BAD_REQUEST, field="ask")
    if not wants_fragment():
        return show(who, sheet=sheet)
    if sheet is None:
        return Response(status=204)
    locale = locale_for(table)
    return sheet_answer(
        here.html.fresh(sheet, locale), locale, table.id, table.version, who.seat_query
    )


@blueprint.post("/t/<table_id>/turn")
def turn(table_id: str) -> BaseResponse:
    """One more quarter turn of this phone's view; kept on the phone, told to nobody."""
    who = asking(table_id, "seat", request.values.get("seat"))
    assert who.device is not None
    turned = (turn_of(who, house()) + 1) % 4
    house().turns.keep(who.device, turned)
    response: BaseResponse
    response = Response(status=204) if wants_fragment() else redirect(who.path, 303)
    security.keep(response, TURN_COOKIE, str(turned))
    house().hub.publish(table_id)
    return response


@blueprint.get("/t/<table_id>/record.jsonl")
def record(table_id: str) -> Response:
    """The finished game as a record that `companion referee` judges."""
    who = asking(table_id, "seat")
    table = who.table
    if table.phase != "over":
        refuse(refusals.NO_RECORD_YET)
    lines = house().records.get((table.id, table.version), lambda: _record(table))
    response = Response(lines, content_type="application/jsonl; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{table.game.name}.jsonl"'
    response.headers["Cache-Control"] = "no-store"
    return response


def _record(table: Table) -> str:
    """Made once for a version of the table: a long game takes long to read."""
    count_dear()
    game = house().tables.last_game(table)
    if game is None:  # the table has ended meanwhile
        refuse(table_refusals.NO_TABLE)
    names = [player.name for player in table.players]
    proofs = house().tables.deals.proofs(table)
    plays = table.game.plays_of(game.events)
    lines = record_lines(table.game, names, game.began, plays, proofs)
    return "".join(in_slices(lines, house().tables.breathe))
