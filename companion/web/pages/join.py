"""The ways to a table: the join link, the short code, and the code of a seat that changes
phones."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from typing import TypeVar
from urllib.parse import quote, unquote

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from companion.games.game import Rejection
from companion.tables import commands as ask
from companion.tables import reasons as table_reasons
from companion.tables.log import StorageError
from companion.tables.model import Device, SeatId, Table
from companion.tables.next_table import onward
from companion.tables.offers import OFFER_CODE_LENGTH, LentScreen, tidy_code
from companion.tables.reasons import NAME_EMPTY, NAME_TAKEN, NAME_TOO_LONG
from companion.tables.rejections import bad
from companion.tables.seating import takes_guests
from companion.web.answers import access
from companion.web.answers.counting import run_counted, too_often
from companion.web.answers.errors import Refused, not_saved, refuse
from companion.web.answers.reader_language import locale_for
from companion.web.answers.render import answer, refusal_of
from companion.web.answers.services import current_services
from companion.web.answers.table_page import show
from companion.web.html.panels import View
from companion.web.http import browsers, reasons, security
from companion.web.http.fields import MisfitError, number
from companion.web.http.limits import group
from companion.web.pages import forms
from companion.web.pages.home import home_page
from companion.web.pages.standing import path_of
from companion.web.view import presenter
from companion.web.view.asking import Asking, is_from_screen
from companion.web.view.models import RefusalView, SeatView

blueprint = Blueprint("join", __name__)

Found = TypeVar("Found")

CODE_MAX = 20
"""Characters of what is typed for a code."""

COOKIES_NEEDED = Rejection(reasons.COOKIES_NEEDED)

NAME_COOKIE = "name"
NAME_COOKIE_MAX = 300
"""Characters of the remembered name, encoded; a name has 24 letters."""


OF_NAMES = (NAME_EMPTY, NAME_TAKEN, NAME_TOO_LONG)


class JoinView(View, frozen=True):
    """What a guest sees after scanning."""

    template = "panels/join.html"

    here: str
    key: str  # of the join link: forms post to /j/<key>
    game: str
    edition: str
    seats: tuple[SeatView, ...]
    free: tuple[SeatView, ...]  # may be claimed, in a game too
    min_seats: int
    secrets: bool  # whoever takes a seat sees what only its player may
    name: str  # remembered on this phone, or what was typed and refused, or suggested
    full: bool
    under_way: bool  # a game is on: who sits down plays from the next one on
    returning: bool  # a game has begun, and the name is taken: most likely its player is back
    suggested: bool  # the name is a free one beside the one that was typed
    misnamed: bool  # it was the name that was refused
    address: str  # to be typed in another browser
    code: str
    in_app: bool  # the browser is part of another app, and may forget the phone
    no_cookies: bool  # it has not kept ours
    request: str  # tells these forms from those of another version of the table
    refusal: RefusalView | None


class MoveView(View, frozen=True):
    """The new phone's page for a seat offered by its old one: /m/<key>."""

    template = "panels/move.html"

    here: str
    seat: SeatView
    request: str  # tells this form from the next one


def join_page(
    table: Table,
    key: str,
    name: str,
    refusal: Rejection | None = None,
) -> Response:
    locale = locale_for(table)
    device = security.ensure_device()
    seats = presenter.seat_views(table, device)
    claimable = current_services().arrivals.claimable(table)
    taken = refusal if refusal is not None and refusal.reason is NAME_TAKEN else None
    returning = taken is not None and table.game_state is not None
    if taken is not None and not returning:
        name = taken.params["suggestion"]
    join = JoinView(
        here=f"/j/{key}",
        key=key,
        game=table.game.name,
        edition=table.edition,
        seats=seats,
        free=tuple(seat for seat in seats if seat.id in claimable and not seat.mine),
        min_seats=table.game.seat_counts[0],
        secrets=table.game.deals_secrets,
        name=name,
        full=not table.has_room,
        under_way=table.playing,
        returning=returning,
        suggested=taken is not None and not returning,
        misnamed=refusal is not None and refusal.reason in OF_NAMES,
        address=current_services().network().best.address,
        code=current_services().tables.code(table.id) or "",
        in_app=browsers.in_app(request.user_agent.string),
        no_cookies=refusal is not None and refusal.reason is reasons.COOKIES_NEEDED,
        request=f"v{table.version}",
        refusal=refusal_of(refusal, locale, table) if refusal else None,
    )
    return answer("join", join, locale, refusal.reason.status if refusal else 200)


@blueprint.get("/j/<key>")
def join(key: str) -> BaseResponse:
    table = access.table_of(key)
    device = security.ensure_device()
    if device != table.host:
        current_services().arrivals.greet(table)
    if table.held(device):
        return redirect(f"/t/{table.id}", 303)
    after = onward(current_services().tables, table)
    if after.id != table.id:
        return redirect(f"/j/{current_services().tables.join_key(after)}", 303)
    return join_page(table, key, remembered_name())


@blueprint.post("/j/<key>")
def sit_down(key: str) -> BaseResponse:
    table = access.table_of(key)
    device = security.device()
    if device is None:
        return join_page(table, key, request.form.get("name", ""), COOKIES_NEEDED)
    claims = bool(request.form.get("claim"))
    name = remembered_name() if claims else request.form.get("name", "")
    command = _claim(table) if claims else ask.Join(name)
    done = command if isinstance(command, Rejection) else _submitted(table, device, command)
    if isinstance(done, Rejection):
        return join_page(table, key, name, done)
    if not done.held(device):  # sent again by who has left since: a new form is not that one
        return join_page(done, key, name)
    before = {seat.id for seat in table.held(device)}
    new = [seat for seat in done.held(device) if seat.id not in before]
    where = f"/t/{done.id}?seat={new[0].id}" if new and before else f"/t/{done.id}"
    response = redirect(where, 303)
    if isinstance(command, ask.Join) and new:
        remember_name(response, new[0].name)
    return response


def _claim(table: Table) -> ask.ClaimSeat | Rejection:
    """Of a seat that was freed; or whose phone cannot come by the address that it came by."""
    try:
        seat = SeatId(number(request.form, "claim") or 0)
    except MisfitError as misfit:
        return bad(misfit.field)
    found = table.seat(seat)
    stranded = found is not None and current_services().arrivals.stranded(table, found)
    return ask.ClaimSeat(seat, found.device if found and stranded else None)


def _submitted(
    table: Table, device: Device, command: ask.Join | ask.ClaimSeat
) -> Table | Rejection:
    request_key = forms.request_key("join", request.form)
    try:
        return run_counted(
            "join",
            lambda: current_services().tables.submit(
                table.id, device, command, version=None, request_key=request_key
            ),
            table,
            device,
        )
    except StorageError as error:
        return not_saved(error)


def remembered_name() -> str:
    return unquote(request.cookies.get(NAME_COOKIE, ""))[:100]


def remember_name(response: BaseResponse, name: str) -> None:
    encoded = quote(name)
    if len(encoded) <= NAME_COOKIE_MAX:
        security.keep_cookie(response, NAME_COOKIE, encoded)


@blueprint.get("/j/<key>/screen")
def guest_screen(key: str) -> BaseResponse:
    """The table screen on a device that has no part in the table: a television."""
    table = access.table_of(key)
    if table.may_be_screen(security.device()):
        return redirect(f"/t/{table.id}/screen", 303)
    after = onward(current_services().tables, table)
    if after.id != table.id:
        return redirect(f"/j/{current_services().tables.join_key(after)}/screen", 303)
    current_services().arrivals.greet(table)
    return show(Asking(table, None, "screen", key=key))


# Codes


def _guess(look: Callable[[], Found]) -> Found:
    """What `look` finds by a code; None or a refusal counts as a wrong guess of this address, and
    of nobody else. Ends the request when the address has guessed too often.

    A guess is counted before it is looked at: many at the same time must not pass uncounted.
    """
    who = group(request.remote_addr)
    limits = current_services().limits
    if not limits.hit("code", who):
        too_often("code", who, reasons.TOO_MANY_CODES)
    try:
        found = look()
    except StorageError:  # which tells nothing of the code
        limits.forgive("code", who)
        raise
    if found is not None and not isinstance(found, Rejection):
        limits.forgive("code", who)
    return found


def _by_offer(offer: str, look: Callable[[], Found]) -> Found:
    """What `look` finds by an offer's code, or by its key, which is too long to be guessed."""
    return _guess(look) if len(tidy_code(offer)) == OFFER_CODE_LENGTH else look()


def _behind(code: str, *, screen: bool) -> str | None:
    """The page that a code leads to; where nobody could sit down now, the code tells nothing."""
    tables = current_services().tables
    offered = None
    if len(code) == OFFER_CODE_LENGTH:
        offered = tables.seat_offers.offered(code, security.device())
    if offered is not None:
        if not isinstance(offered.what, LentScreen):
            return f"/m/{code}"
        lent = tables.get(offered.table_id)
        return f"/j/{tables.join_key(lent)}/screen" if lent is not None else None
    one = tables.standing_codes.by_code(code)
    if one is not None:
        table = tables.standing.evening_at(one)
        if table is None or table.link_renewals or (not screen and _lets_in(table)):
            return path_of(one)  # which leads nobody past a new link
    else:
        table = tables.by_code(code)
    table = onward(tables, table) if table is not None else None
    if table is None or not _lets_in(table):
        return None
    key = tables.join_key(table)
    return f"/j/{key}/screen" if screen else f"/j/{key}"


def _lets_in(table: Table) -> bool:
    return takes_guests(table) or bool(current_services().arrivals.claimable(table))


@blueprint.post("/code")
def code() -> BaseResponse:
    typed = request.form.get("code", "")[:CODE_MAX]
    screen = is_from_screen(request.form)
    where = _guess(lambda: _behind(tidy_code(typed), screen=screen))
    if where is None:
        return home_page(screen=screen, refusal=Rejection(table_reasons.WRONG_CODE), code=typed)
    return redirect(where, 303)


@blueprint.get("/m/<offer>")
def move(offer: str) -> BaseResponse:
    """Which seat it is, and whether to take it."""
    offers = current_services().tables.seat_offers
    offered = _by_offer(offer, lambda: offers.offered(offer, security.device()))
    table = current_services().tables.fresh(offered.table_id) if offered else None
    if offered is None or table is None:
        refuse(table_reasons.OFFER_EXPIRED)
    device = security.ensure_device()
    seats = presenter.seat_views(table, device)
    seat = next((each for each in seats if each.id == offered.what), None)
    if seat is None:
        refuse(table_reasons.OFFER_EXPIRED)
    if seat.mine:  # nothing would move
        return redirect(f"/t/{table.id}?seat={seat.id}", 303)
    locale = locale_for(table)
    request_key = secrets.token_urlsafe(9)
    return answer("move", MoveView(f"/m/{offer}", seat, request_key), locale)


@blueprint.post("/m/<offer>")
def take_seat(offer: str) -> BaseResponse:
    device = security.device()
    if device is None:
        refuse(reasons.COOKIES_NEEDED)
    where = _by_offer(offer, lambda: _taken(device, offer))
    if isinstance(where, Rejection):
        raise Refused(where)
    return redirect(where, 303)


def _taken(device: Device, offer: str) -> str | Rejection:
    """Where the phone has the seat then. It counts as sitting down at that table; but not what
    moves no seat, such as the same form sent again."""
    tables, request_key = current_services().tables, forms.request_key("take-seat", request.form)
    take = partial(tables.seat_offers.take, device, ask.TakeSeat(offer), request_key)
    offered = tables.seat_offers.offered(offer, device)
    table = tables.fresh(offered.table_id) if offered is not None else None
    if offered is None or table is None:
        done, seat = take(), ""
    else:
        done = run_counted("join", take, table)
        seat = "" if isinstance(offered.what, LentScreen) else f"?seat={offered.what}"
    return done if isinstance(done, Rejection) else f"/t/{done.id}{seat}"
