"""A table's pages and its commands: every command is one posted form."""

from __future__ import annotations

from functools import partial
from typing import cast
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, g, redirect, request
from msgspec.structs import replace
from werkzeug.datastructures import MultiDict
from werkzeug.urls import iri_to_uri
from werkzeug.wrappers import Response as BaseResponse

from companion.games.game import Reason, Rejection
from companion.tables import commands as ask
from companion.tables import reasons as table_reasons
from companion.tables.ending import may_stop
from companion.tables.log import StorageError
from companion.tables.model import Device, Table
from companion.tables.offers import Offer
from companion.tables.rejections import bad
from companion.web.answers import access
from companion.web.answers.access import asking
from companion.web.answers.admission import denied
from companion.web.answers.counting import run_counted, too_often
from companion.web.answers.errors import Refused, not_saved, refuse
from companion.web.answers.reader_language import locale_for
from companion.web.answers.render import refusal_of, wants_fragment
from companion.web.answers.services import current_services
from companion.web.answers.table_page import has_stream, parts_refused, parts_whole, show
from companion.web.http import security
from companion.web.http.fields import MisfitError, number
from companion.web.pages import forms
from companion.web.pages.join import NAME_COOKIE, remember_name
from companion.web.pages.origin import Origin, origin_of
from companion.web.view import presenter
from companion.web.view.asking import PAGES, Asking, PageName, is_from_screen
from companion.web.view.models import Typed

blueprint = Blueprint("table", __name__)


def _page(page: PageName, table_id: str) -> BaseResponse:
    asked = request.args
    from_screen = is_from_screen(asked)
    instead = _instead(page, table_id, from_screen)
    if instead is not None:
        return redirect(instead, 303)
    who = asking(
        table_id, page, asked.get("seat"), asked.get("dealt"), from_screen=from_screen, looks=True
    )
    if who.page == "report" and not who.dealt:
        who = replace(who, dealt=presenter.deal_of(who.table))
    return show(who)


def _instead(page: PageName, table_id: str, from_screen: bool) -> str | None:
    """Where a device comes to that hosts no more; None: to the page that it asks for, which was
    opened on the table screen if `from_screen`."""
    tables, device = current_services().tables, security.device()
    if page == "screen" or device is None:
        return None
    table = tables.get(table_id)
    if table is not None and access.is_screen_only(table, device):
        return f"/t/{table_id}/screen"
    table = tables.fresh(table_id) if page == "host" else None
    if table is not None and access.plays_after_hosting(table, device):
        return f"/t/{table_id}/screen" if from_screen else f"/t/{table_id}"
    return None


for _name, _address in PAGES.items():
    blueprint.add_url_rule(f"/t/<table_id>{_address}", _name, partial(_page, _name))


@blueprint.get("/t/<table_id>/do/<name>")
@blueprint.get("/t/<table_id>/go-on")
@blueprint.get("/t/<table_id>/turn")
def not_a_page(table_id: str, name: str = "") -> BaseResponse:
    """Somebody reloaded or typed the address of a form, or came back to its answer: the table is
    what they are after."""
    return redirect(f"/t/{table_id}", 303)


@blueprint.post("/t/<table_id>/do/<name>")
def do(table_id: str, name: str) -> BaseResponse:
    kind = forms.BY_NAME.get(name)
    if kind is None:
        abort(404)
    origin = origin_of(table_id)
    try:
        who = asking(table_id, "table", known=kind.known)
    except Refused as refused:
        where = _where_anyway(table_id, kind, origin, refused.rejection)
        if where is None:
            raise
        return _elsewhere(where)
    table, device = who.table, who.device
    assert device is not None
    may = current_services().limits.may
    if kind.telling and device != table.host and not may("undone", device):
        too_often("undone", device)
    done = _done(table, device, kind)
    if isinstance(done, Rejection):
        if _has_ended(kind, done):
            return _elsewhere(_home_after(kind, origin))
        return _refused(done, table_id, device, origin)
    return _accepted(table, _on(origin, done, device), kind)


def _where_anyway(
    table_id: str, kind: forms.Kind, origin: Origin, refused: Rejection
) -> str | None:
    """Where a form leads whose phone may not see the table: one that has done what it is for, or
    does so now."""
    if _has_ended(kind, refused):
        return _home_after(kind, origin)
    if _was_accepted(table_id, kind):
        return _home_after(kind, origin) if kind.leaves else f"/t/{table_id}"
    if kind.seatless and _stop_without_seat(table_id, kind):
        return f"/t/{table_id}"
    return None


def _done(table: Table, device: Device, kind: forms.Kind) -> Table | Rejection:
    """What the form does. What it undoes counts for whoever had told it: to undo it is never
    refused, but to tell more is, for a while, where that happens over and over."""
    try:
        if kind.as_join and device != table.host:
            done = run_counted("join", partial(_do, table, device, kind), table, device)
        else:
            done = _do(table, device, kind)
    except StorageError as error:
        return not_saved(error)
    if isinstance(done, Rejection):
        return done
    teller = kind.undone(table, done, device)
    if teller is not None:
        current_services().limits.hit("undone", teller)
    return done


def _has_ended(kind: forms.Kind, refused: Rejection) -> bool:
    """Whether a table that is to end is gone: by this very form, sent twice, or by another. Then it
    is as the host wants it."""
    return kind.ends and refused.reason is table_reasons.NO_TABLE


def _on(origin: Origin, table: Table, device: Device) -> Asking:
    """The page that the form came from, of the table as it is now."""
    return Asking(
        table,
        device,
        origin.page,
        access.seat_of(table, device, origin.page, origin.seat),
        origin.dealt,
        from_screen=origin.from_screen,
    )


def _refused(rejection: Rejection, table_id: str, device: Device, origin: Origin) -> BaseResponse:
    """The page that the form came from, as it is now, with the reason; or what of it the phone may
    still see."""
    now = current_services().tables.get(table_id)
    if now is None:
        refuse(table_reasons.NO_TABLE)
    if _denied(now, device, origin.page) is not None:
        origin = replace(origin, page="table")
    reason = _denied(now, device, origin.page)
    if reason is not None:
        refuse(reason)
    on = _on(origin, now, device)
    locale = locale_for(now, screen=on.on_screen)
    answer = parts_refused if wants_fragment() else show
    return answer(
        on,
        status=rejection.reason.status,
        refusal=refusal_of(rejection, locale, now),
        typed=Typed(tuple(request.form.items(multi=True))),
    )


def _denied(table: Table, device: Device | None, page: PageName) -> Reason | None:
    return denied(current_services().arrivals, table, device, page)


def _was_accepted(table_id: str, kind: forms.Kind) -> bool:
    """Whether this form was, whose phone is not at the table any more, and the answer was lost: it
    has left by it, or lost its seat since."""
    device, key = security.device(), forms.request_key(kind.name, _posted())
    return device is not None and current_services().tables.was_accepted(table_id, device, key)


def _stop_without_seat(table_id: str, kind: forms.Kind) -> bool:
    """Stops an end that waits, for a phone that has lost its seat; whether that was done."""
    device, table = security.device(), current_services().tables.get(table_id)
    if device is None or table is None or not table.round.end_waits or not may_stop(table, device):
        return False
    return not isinstance(_done(table, device, kind), Rejection)


def _elsewhere(where: str) -> BaseResponse:
    if not wants_fragment():
        return redirect(where, 303)
    response = Response(status=200)
    response.headers["X-Location"] = iri_to_uri(where)
    return response


def _do(table: Table, device: Device, kind: forms.Kind) -> Table | Rejection:
    services, form = current_services(), _posted()
    try:
        version = number(form, "version")
        asked = kind.read(form, table)
    except MisfitError as misfit:
        return bad(misfit.field)
    if isinstance(asked, ask.OfferSeat):
        return _kept(table, services.tables.seat_offers.offer(table.id, device, asked.seat))
    if isinstance(asked, ask.OfferScreen):
        return _kept(table, services.tables.seat_offers.offer_screen(table.id, device))
    return services.tables.submit(
        table.id, device, asked, version=version, request_key=forms.request_key(kind.name, form)
    )


def _posted() -> forms.Form:
    """What was posted; the text of a file, which can be read but once, is a field, too."""
    if "posted" not in g:
        fields = list(request.form.items(multi=True))
        for name, file in request.files.items():
            fields.append((name, file.read().decode(errors="replace")))
        g.posted = MultiDict(fields)
    return cast(forms.Form, g.posted)


def _kept(table: Table, offer: Offer | Rejection) -> Table | Rejection:
    if isinstance(offer, Rejection):
        return offer
    current_services().shown_offers.keep(offer)
    return table


def _accepted(before: Table, on: Asking, kind: forms.Kind) -> BaseResponse:
    """On to where the form leads; a script gets the fresh part where that is the page `on` which it
    is."""
    done, device = on.table, on.device
    assert device is not None
    where = _next(on, kind)
    response: BaseResponse
    if not wants_fragment():
        response = redirect(where, 303)
    else:
        same = urlsplit(where).path == urlsplit(on.path).path
        if same and not done.ended and _denied(done, device, on.page) is None:
            response = _in_step(before, on)
        else:
            response = _elsewhere(where)
    if kind.names_phone:
        new = [seat for seat in done.held(device) if before.seat(seat.id) is None]
        if new and not before.held(device):
            remember_name(response, new[-1].name)
    if kind.forgets_name:
        response.delete_cookie(NAME_COOKIE, secure=security.secure(), httponly=True, samesite="Lax")
    return response


def _in_step(before: Table, on: Asking) -> Response:
    """To a script whose form was accepted: its stream brings what is new, or the answer does."""
    if has_stream() and on.table.version != before.version:  # an offer is no news of the table
        response = Response(status=204)
        response.headers["X-Version"] = str(on.table.version)
        return response
    return parts_whole(on)


def _home_after(kind: forms.Kind, on: Origin | Asking) -> str:
    """The home page, for who has no part in the table any more; a table screen's is one still."""
    screen = "screen=1&" if on.page == "screen" or on.from_screen else ""
    return f"/?{screen}done={'closed' if kind.ends else 'left'}"


def _next(on: Asking, kind: forms.Kind) -> str:
    done, device = on.table, on.device
    if done.ended or _denied(done, device, "table") is not None:
        if kind.leaves_screen:
            return f"/t/{done.id}/screen"
        return _home_after(kind, on)
    default = f"/t/{done.id}"
    if kind.opens_seat:
        default = f"/t/{done.id}/seat?seat={number(request.form, 'seat')}"
    where = security.local_path(request.form.get("next") or request.form.get("page"), default)
    path = urlsplit(where).path
    if path != f"/t/{done.id}" and not path.startswith(f"/t/{done.id}/"):
        return default
    if kind.leaves and path == f"/t/{done.id}/seat":
        return default
    if path == f"/t/{done.id}/host" and _denied(done, device, "host") is not None:
        return f"/t/{done.id}"
    return where
