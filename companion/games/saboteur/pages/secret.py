"""The two answers that carry a secret: a seat's own role, and its own gold.

Neither is compressed, by us or by a proxy on the way, and each has the same length whatever the
secret is: role answers are as long as the longer of the two, gold answers as the number of cards
makes them, which all may know.
"""

from __future__ import annotations

from flask import Blueprint, Response, current_app, g, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from companion import i18n
from companion.games.game import Rejection
from companion.games.saboteur.pages import present
from companion.games.saboteur.pages.views import GoldView, RoleView
from companion.tables import commands as ask
from companion.tables import refusals as table_refusals
from companion.tables.model import Device, Seat, Table
from companion.web.http import refusals
from companion.web.pages import forms
from companion.web.view.access import Asking, asking
from companion.web.view.errors import Refused, refuse
from companion.web.view.render import locale_for, render, wants_fragment
from companion.web.view.services import house

blueprint = Blueprint("secret", __name__)

ROLES = ("miner", "saboteur")

SLACK = 64
"""Bytes by which numbers in words may make one hand of gold longer than any of equal cards."""


def _seat() -> tuple[Asking, Seat]:
    """Who asks, and the seat of theirs that they ask for."""
    table_id = str((request.view_args or {})["table_id"])
    who = asking(table_id, "seat")
    try:
        wanted = forms.number(request.form, "seat")
    except forms.MisfitError as misfit:
        raise Refused(forms.misfit_of(misfit)) from misfit
    held = who.table.held(who.device or "")
    seat = next((each for each in held if each.id == wanted), None)
    if wanted is None and len(held) == 1:
        seat = held[0]
    if seat is None:
        refuse(table_refusals.NOT_SEATED)
    return who, seat


@blueprint.get("/t/<table_id>/role")
@blueprint.get("/t/<table_id>/gold")
def not_a_page(table_id: str) -> BaseResponse:
    """After a reload of the page without script: a secret is never had by an address."""
    return redirect(f"/t/{table_id}", 303)


@blueprint.post("/t/<table_id>/role")
def role(table_id: str) -> Response:
    who, seat = _seat()
    back = f"/t/{table_id}?seat={seat.id}"
    found = present.role_of(who.table, seat, back)
    if found is None:
        refuse(refusals.NO_ROLE_NOW)
    _looked(who.table, seat, who.device or "")
    texts = {
        each: _render("role", RoleView(found.seat, found.name, each, back), who.table)
        for each in ROLES
    }
    longest = max(len(text) for text in texts.values())
    return _answer(texts[found.role], longest, who.table)


def _looked(table: Table, seat: Seat, device: Device) -> None:
    if seat.id in table.looked:
        return
    done = house().tables.submit(
        table.id,
        device,
        ask.Look(seat.id),
        version=None,
        request_key=f"look-{seat.id}-{table.change.version}",
    )
    if isinstance(done, Rejection):
        raise Refused(done)


@blueprint.post("/t/<table_id>/gold")
def gold(table_id: str) -> Response:
    who, seat = _seat()
    back = f"/t/{table_id}?seat={seat.id}"
    found = present.gold_of(who.table, seat, back)
    if found is None:
        refuse(refusals.NO_ROLE_NOW)
    longest = 0
    for value in (1, 2, 3):
        held = (value,) * len(found.held)
        like = present.gold_view(seat, held, len(found.gained), back)
        longest = max(longest, len(_render("gold", like, who.table)))
    return _answer(_render("gold", found, who.table), longest + SLACK, who.table)


FOLDER = "games/saboteur"
PARTS = {"role": f"{FOLDER}/role_card", "gold": f"{FOLDER}/gold_cards"}
PAGES = {"role": f"{FOLDER}/role_shown", "gold": f"{FOLDER}/gold_shown"}


def _render(kind: str, view: RoleView | GoldView, table: Table) -> bytes:
    fragment = wants_fragment()
    return render(
        current_app,
        (PARTS if fragment else PAGES)[kind],
        locale_for(table),
        view=view,
        here=view.back,
        fragment=fragment,
        key="-",
    ).encode()


def _answer(body: bytes, length: int, table: Table) -> Response:
    """`body`, padded to `length` by a comment that every such answer has."""
    g.secret_answer = True
    padding = b"<!--" + b" " * max(0, length - len(body)) + b"-->"
    response = Response(body + padding, content_type="text/html; charset=utf-8")
    response.headers["Content-Language"] = i18n.html_lang(locale_for(table))
    response.headers["Cache-Control"] = "no-store, no-transform"
    return response
