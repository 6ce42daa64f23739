"""A table's pages and its commands: every command is one posted form."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, redirect, request
from msgspec.structs import replace
from werkzeug.datastructures import MultiDict
from werkzeug.urls import iri_to_uri
from werkzeug.wrappers import Response as BaseResponse

from companion.games.game import Rejection
from companion.tables import commands as ask
from companion.tables import refusals as table_refusals
from companion.tables.ending import may_stop
from companion.tables.log import StorageError
from companion.tables.model import Device, SeatId, Table
from companion.tables.offers import Offer
from companion.web.http import security
from companion.web.http.fields import MisfitError, misfit_of, number
from companion.web.pages import forms
from companion.web.pages.join import NAME_COOKIE, remember_name
from companion.web.pages.origin import Origin, origin_of
from companion.web.view import access, presenter
from companion.web.view.access import asking
from companion.web.view.asking import PAGES, Asking, is_from_screen
from companion.web.view.counting import run_counted, too_often
from companion.web.view.errors import Refused, not_saved, refuse, say_when
from companion.web.view.models import Typed
from companion.web.view.reader_language import locale_for
from companion.web.view.render import refusal_of, wants_fragment
from companion.web.view.services import current_services
from companion.web.view.table_page import has_stream, parts_refused, parts_whole, show

blueprint = Blueprint("table", __name__)


def _page(page: str, table_id: str) -> BaseResponse:
    asked = request.args
    beside = is_from_screen(asked)
    instead = _instead(page, table_id, beside)
    if instead is not None:
        return redirect(instead, 303)
    who = asking(
        table_id, page, asked.get("seat"), asked.get("dealt"), from_screen=beside, looks=True
    )
    if who.page == "report" and not who.dealt:
        who = replace(who, dealt=presenter.deal_of(who.table))
    return show(who)


def _instead(page: str, table_id: str, beside: bool) -> str | None:
    """Where a device comes to that hosts no more; None: to the page that it asks for. `beside`: it
    was opened on the table screen."""
    tables, device = current_services().tables, security.device()
    if page == "screen" or device is None:
        return None
    table = tables.get(table_id)
    if table is not None and access.is_screen_only(table, device):
        return f"/t/{table_id}/screen"
    table = tables.fresh(table_id) if page == "host" else None
    if table is not None and access.plays_after_hosting(table, device):
        return f"/t/{table_id}/screen" if beside else f"/t/{table_id}"
    return None


for _name, _address in PAGES.items():
    blueprint.add_url_rule(f"/t/<table_id>{_address}", _name, partial(_page, _name))


@blueprint.get("/t/<table_id>/do/<name>")
def not_a_page(table_id: str, name: str) -> BaseResponse:
    """Somebody reloaded or typed the address of a form: the table is what they are after."""
    return redirect(f"/t/{table_id}", 303)


@blueprint.post("/t/<table_id>/do/<name>")
def do(table_id: str, name: str) -> BaseResponse:
    if name not in forms.NAMES:
        abort(404)
    origin = origin_of(table_id)
    try:
        who = asking(table_id, "seat", known=name == "play")
    except Refused as refused:
        where = _where_anyway(table_id, name, origin, refused.rejection)
        if where is None:
            raise
        return _elsewhere(where)
    table, device = who.table, who.device
    assert device is not None
    may = current_services().limits.may
    if name in forms.TELLING and device != table.host and not may("undone", device):
        too_often("undone", device)
    done = _done(table, device, name)
    if isinstance(done, Rejection):
        if _has_ended(name, done):
            return _elsewhere(_home_after(name, origin))
        return _refused(done, table_id, device, origin)
    return _accepted(table, _on(origin, done, device), name)


def _where_anyway(table_id: str, name: str, origin: Origin, refused: Rejection) -> str | None:
    """Where a form leads whose phone may not see the table: one that has done what it is for, or
    does so now."""
    if _has_ended(name, refused):
        return _home_after(name, origin)
    if _was_accepted(table_id, name):
        return _home_after(name, origin) if name == "remove-seat" else f"/t/{table_id}"
    if name == "stop-end" and _stop_without_seat(table_id):
        return f"/t/{table_id}"
    return None


def _done(table: Table, device: Device, name: str) -> Table | Rejection:
    """What the form does; what it undoes counts for whoever had told it."""
    try:
        if name in forms.AS_JOINS and device != table.host:
            done = run_counted("join", partial(_do, table, device, name), table, device)
        else:
            done = _do(table, device, name)
    except StorageError as error:
        return not_saved(error)
    if isinstance(done, Rejection):
        return done
    teller = _undone(table, done, device, name)
    if teller is not None:
        current_services().limits.hit("undone", teller)
    return done


def _undone(before: Table, done: Table, device: Device, name: str) -> Device | None:
    """Who has told what this form has undone; nobody, where it was sent again. To undo it is never
    refused, but to tell more is, for a while, where that happens over and over."""
    if name == "stop-end":
        stopped = done.stopped
        return stopped.told.by if stopped is not None and stopped != before.stopped else None
    undid = name in ("take-back", "correct") and done.version != before.version
    return device if undid else None


def _has_ended(name: str, refused: Rejection) -> bool:
    """Whether a table that is to end is gone: by this very form, sent twice, or by another. Then it
    is as the host wants it."""
    return name == "end" and refused.reason is table_refusals.NO_TABLE


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
        refuse(table_refusals.NO_TABLE)
    if current_services().denied(now, device, origin.page) is not None:
        origin = replace(origin, page="seat")
    reason = current_services().denied(now, device, origin.page)
    if reason is not None:
        refuse(reason)
    on = _on(origin, now, device)
    locale = locale_for(now, screen=on.on_screen)
    answer = parts_refused if wants_fragment() else show
    response = answer(
        on,
        status=rejection.reason.status,
        refusal=refusal_of(rejection, locale, now),
        typed=Typed(tuple(request.form.items(multi=True))),
    )
    say_when(response)
    return response


def _was_accepted(table_id: str, name: str) -> bool:
    """Whether this form was, whose phone is not at the table any more, and the answer was lost: it
    has left by it, or lost its seat since."""
    device, key = security.device(), forms.request_key(name, request.form)
    return device is not None and current_services().tables.was_accepted(table_id, device, key)


def _stop_without_seat(table_id: str) -> bool:
    """Stops an end that waits, for a phone that has lost its seat; whether that was done."""
    device, table = security.device(), current_services().tables.get(table_id)
    if device is None or table is None or table.waiting_end is None or not may_stop(table, device):
        return False
    return not isinstance(_done(table, device, "stop-end"), Rejection)


def _elsewhere(where: str) -> BaseResponse:
    if not wants_fragment():
        return redirect(where, 303)
    response = Response(status=200)
    response.headers["X-Location"] = iri_to_uri(where)
    return response


def _do(table: Table, device: Device, name: str) -> Table | Rejection:
    services, form = current_services(), _form()
    command: ask.Command
    try:
        version = number(form, "version")
        if name == "offer-move":
            seat = SeatId(number(form, "seat") or 0)
            return _kept(table, services.tables.seat_offers.offer(table.id, device, seat))
        if name == "offer-screen":
            return _kept(table, services.tables.seat_offers.offer_screen(table.id, device))
        if name == "take-hosting":
            command = ask.TakeHosting(services.arrivals.host_gone_s(table), table.host)
        else:
            command = forms.command(name, form, table)
    except MisfitError as misfit:
        return misfit_of(misfit)
    return services.tables.submit(
        table.id, device, command, version=version, request_key=forms.request_key(name, form)
    )


def _form() -> forms.Form:
    """What was posted; the text of a file is a field, too."""
    fields = list(request.form.items(multi=True))
    for name, file in request.files.items():
        fields.append((name, file.read().decode(errors="replace")))
    return MultiDict(fields)


def _kept(table: Table, offer: Offer | Rejection) -> Table | Rejection:
    if isinstance(offer, Rejection):
        return offer
    current_services().shown_offers.keep(offer)
    return table


def _accepted(before: Table, on: Asking, name: str) -> BaseResponse:
    """On to where the form leads; a script gets the fresh part where that is the page `on` which it
    is."""
    done, device = on.table, on.device
    assert device is not None
    where = _next(on, name)
    response: BaseResponse
    if not wants_fragment():
        response = redirect(where, 303)
    else:
        same = urlsplit(where).path == urlsplit(on.path).path
        if same and not done.ended and current_services().denied(done, device, on.page) is None:
            response = _in_step(before, on)
        else:
            response = _elsewhere(where)
    if name == "join":
        new = [seat for seat in done.held(device) if before.seat(seat.id) is None]
        if new and not before.held(device):
            remember_name(response, new[-1].name)
    if name == "take-name-out":
        response.delete_cookie(NAME_COOKIE, secure=security.secure(), httponly=True, samesite="Lax")
    return response


def _in_step(before: Table, on: Asking) -> Response:
    """To a script whose form was accepted: its stream brings what is new, or the answer does."""
    if has_stream() and on.table.version != before.version:  # an offer is no news of the table
        response = Response(status=204)
        response.headers["X-Version"] = str(on.table.version)
        return response
    return parts_whole(on)


def _home_after(name: str, on: Origin | Asking) -> str:
    """The home page, for who has no part in the table any more; a table screen's is one still."""
    screen = "screen=1&" if on.page == "screen" or on.from_screen else ""
    return f"/?{screen}done={'closed' if name == 'end' else 'left'}"


def _next(on: Asking, name: str) -> str:
    done, device = on.table, on.device
    if done.ended or current_services().denied(done, device, "seat") is not None:
        if name == "pass-hosting":  # a laptop that only hosted stays the table's screen
            return f"/t/{done.id}/screen"
        return _home_after(name, on)
    default = f"/t/{done.id}"
    if name == "offer-move":
        default = f"/t/{done.id}/seat?seat={number(request.form, 'seat')}"
    where = security.local_path(request.form.get("next") or request.form.get("page"), default)
    path = urlsplit(where).path
    if path != f"/t/{done.id}" and not path.startswith(f"/t/{done.id}/"):
        return default
    if name == "remove-seat" and path == f"/t/{done.id}/seat":
        return default
    if path == f"/t/{done.id}/host" and current_services().denied(done, device, "host") is not None:
        return f"/t/{done.id}"
    return where
