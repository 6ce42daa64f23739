"""From a table whose game is over to one of another game, with the same people."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, g, redirect, request
from werkzeug.wrappers import Response

from companion.games.game import Rejection
from companion.tables.next_table import go_on
from companion.web.answers.access import asking, asking_beside
from companion.web.answers.counting import open_counted
from companion.web.answers.errors import Refused, refuse
from companion.web.answers.services import current_services
from companion.web.http import reasons
from companion.web.pages import forms
from companion.web.view.asking import is_from_screen

blueprint = Blueprint("next_table", __name__)


@blueprint.post("/t/<table_id>/go-on")
def open_next(table_id: str) -> Response:
    """Host: opens the other table, and goes there."""
    form, tables = request.form, current_services().tables
    wide = is_from_screen(form)
    who = asking(table_id, "screen" if wide else "table")
    table, device = who.table, who.device
    g.form_on = who.path
    if device is None:
        refuse(reasons.NOT_AT_TABLE)
    command = forms.opening(form, tables.games, table.language)
    if isinstance(command, Rejection):
        raise Refused(command)
    key = forms.request_key(f"go-on {table.id}", form)
    opening = partial(open_counted, device, command, key)
    opened = go_on(tables, table, device, command.game, key, opening)
    if isinstance(opened, Rejection):
        raise Refused(opened)
    return redirect(f"/t/{opened.id}/screen" if wide else f"/t/{opened.id}", 303)


@blueprint.get("/t/<table_id>/next")
def next_table(table_id: str) -> Response:
    """Where they play now: to the own seat there, or to one that is free. Whoever has no seat there
    comes past no link that was made anew there."""
    who = asking_beside(table_id)
    tables, after, device = current_services().tables, who.table.next_table, who.device
    if after is None:  # they are back
        return redirect(who.path, 303)
    found = tables.fresh(after.id)
    if found is None:
        refuse(reasons.NEXT_TABLE_GONE)
    if who.on_screen and found.may_be_screen(device):
        return redirect(f"/t/{found.id}/screen", 303)
    if device is not None and (found.held(device) or device == found.host):
        return redirect(f"/t/{found.id}", 303)
    if found.link_renewals > who.table.link_renewals:
        refuse(reasons.LINK_RENEWED)
    key = tables.join_key(found)
    return redirect(f"/j/{key}/screen" if who.on_screen else f"/j/{key}", 303)
