"""The answers that carry a secret: what a game shows to a seat's own phone alone, when it asks.

None is compressed, by us or by a proxy on the way, and each is as long as the longest that it could
be as far as all may know, whatever the secret is.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from flask import Blueprint, Response, g, redirect, request
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from companion import catalogues, i18n
from companion.games.game import AnyGame, Rejection
from companion.tables import commands as ask
from companion.tables import reasons as table_reasons
from companion.tables.log import StorageError
from companion.tables.model import Device, Seat, Table
from companion.tables.rejections import bad
from companion.web.answers.access import asking
from companion.web.answers.errors import Refused, not_saved, refuse
from companion.web.answers.reader_language import locale_for
from companion.web.answers.render import render, wants_fragment
from companion.web.answers.services import current_services
from companion.web.html.panels import View
from companion.web.http import reasons
from companion.web.http.fields import MisfitError, number
from companion.web.view.asking import Asking
from companion.web.view.games import Secret, pages_of
from companion.web.view.models import Kit

USED_UP = (table_reasons.TABLE_USED_UP, table_reasons.HOST_USED_UP)

PEEK = "peek"
"""A field that a page's script adds: the card is pressed, and may be let go before it is seen.
Without it, the player of the seat counts as having looked."""


class SecretPage(View, frozen=True):
    """A secret that a seat's own phone has asked for, where no script shows it."""

    template = "panels/secret.html"

    here: str
    name: str  # of the seat
    title: str
    kit: Kit
    shown: Markup
    back: str  # where the page goes after five seconds


def blueprint(games: Iterable[AnyGame]) -> Blueprint:
    """An address for each secret that some game has."""
    made = Blueprint("secrets", __name__)
    for name in sorted({name for game in games for name in pages_of(game).secrets}):
        path = f"/t/<table_id>/{name}"
        made.add_url_rule(path, name, partial(_shown, name), methods=["POST"])
        made.add_url_rule(path, f"no_{name}", _not_a_page, methods=["GET"])
    return made


def _not_a_page(table_id: str) -> BaseResponse:
    """After a reload of the page without script: a secret is never had by an address."""
    return redirect(f"/t/{table_id}", 303)


def _shown(name: str, table_id: str) -> Response:
    who, seat = _seat(table_id)
    table = who.table
    secret = pages_of(table.game).secrets.get(name)
    views = secret.views(table, seat) if secret is not None else ()
    if secret is None or not views:
        refuse(reasons.NOTHING_TO_SEE)
    if secret.dealt and PEEK not in request.form and who.device is not None:
        _looked(table, seat, who.device)
    own, *alike = (_drawn(secret, view, table, seat) for view in views)
    g.secret_answer = True
    length = max(map(len, alike)) + secret.slack
    padding = b"<!--" + b" " * (length - len(own)) + b"-->"
    response = Response(own + padding, content_type="text/html; charset=utf-8")
    response.headers["Content-Language"] = i18n.html_lang(locale_for(table))
    response.headers["Cache-Control"] = "no-store, no-transform"
    return response


def _seat(table_id: str) -> tuple[Asking, Seat]:
    """Who asks, and the seat of theirs that they ask for."""
    who = asking(table_id, "table")
    try:
        wanted = number(request.form, "seat")
    except MisfitError as misfit:
        raise Refused(bad(misfit.field)) from misfit
    held = who.table.held_in_play(who.device) if who.device is not None else ()
    seat = next((each for each in held if each.id == wanted), None)
    if wanted is None and len(held) == 1:
        seat = held[0]
    if seat is None:
        refuse(table_reasons.NOT_SEATED)
    return who, seat


def _looked(table: Table, seat: Seat, device: Device) -> None:
    """Everybody learns it. On a full disk, or where the table's room is used up, they do not, but
    whoever was dealt something can see it."""
    if seat.id in table.round.looked:
        return
    try:
        done = current_services().tables.submit(
            table.id,
            device,
            ask.Look(seat.id),
            version=None,
            request_key=f"look-{seat.id}-{table.change.version}",
        )
    except StorageError as error:
        not_saved(error)
        return
    if isinstance(done, Rejection) and done.reason not in USED_UP:
        raise Refused(done)


def _drawn(secret: Secret, view: View, table: Table, seat: Seat) -> bytes:
    """Alone for a script, else as a page of its own; never kept."""
    locale = locale_for(table)
    text = current_services().html.fresh(view, locale)
    if not wants_fragment():
        title = secret.title(catalogues.catalogue(locale))
        back = f"/t/{table.id}?seat={seat.id}"
        shown = Markup(text)  # noqa: S704 - drawn by a template
        page = SecretPage(back, seat.name, title, secret.kit, shown, back)
        text = render("secret", locale, page)
    return text.encode()
