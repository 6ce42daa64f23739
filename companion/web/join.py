"""Ways in: the join link, the short code, and the code of a seat that changes phones."""

from __future__ import annotations

from urllib.parse import quote, unquote

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from companion.rules.game import Rejection
from companion.tables import commands as ask
from companion.tables.model import Table
from companion.tables.offers import OFFER_CODE_LENGTH, tidy_code
from companion.tables.service import CODE_LENGTH
from companion.web import at_table, forms, present, security
from companion.web.errors import refuse
from companion.web.home import home_page
from companion.web.house import house
from companion.web.limits import group
from companion.web.render import answer, locale_for, refusal_of, status_of
from companion.web.views import JoinView, MoveView

blueprint = Blueprint("join", __name__)

NAME_COOKIE = "name"
NAME_COOKIE_MAX = 300
"""Characters of the remembered name, encoded; a name has 24 letters."""


def table_of(key: str) -> Table:
    table = house().tables.by_join_key(key)
    if table is None:
        refuse("wrong_link")
    return table


def join_page(
    table: Table,
    key: str,
    name: str,
    refusal: Rejection | None = None,
) -> Response:
    locale = locale_for(table)
    device = security.ensure_device()
    view = present.table_view(
        table, present.Viewer(device), present.reach(table, house().base(), key, "")
    )
    under_way = view.phase in ("looking", "playing", "settled")
    join = JoinView(
        key=key,
        table=table.id,
        game=table.game,
        edition=table.edition,
        seats=view.seats,
        free=tuple(seat for seat in view.seats if seat.free),
        name=name,
        full=len(view.seats) >= view.max_seats,
        under_way=under_way,
    )
    return answer(
        "join",
        join,
        locale,
        status=status_of(refusal) if refusal else 200,
        at=f"/j/{key}",
        refusal=refusal_of(refusal, locale, table) if refusal else None,
        key=at_table.key_of(table),
    )


@blueprint.get("/j/<key>")
def join(key: str) -> BaseResponse:
    table = table_of(key)
    device = security.ensure_device()
    if table.held(device) and request.args.get("more") != "1":
        return redirect(f"/t/{table.id}", 303)
    return join_page(table, key, unquote(request.cookies.get(NAME_COOKIE, ""))[:100])


@blueprint.post("/j/<key>")
def sit_down(key: str) -> BaseResponse:
    table = table_of(key)
    device = security.device()
    if device is None:
        refuse("cookies_needed")
    if not house().limits.hit("join", group(request.remote_addr)):
        refuse("too_many")
    form = request.form
    name = form.get("name", "")
    command: ask.Command | Rejection
    if form.get("claim"):
        try:
            seat = forms.number(form, "claim")
        except forms.MisfitError as misfit:
            command = forms.misfit_of(misfit)
        else:
            command = ask.ClaimSeat(seat or 0)
    else:
        command = ask.Join(name)
    if isinstance(command, Rejection):
        return join_page(table, key, name, command)
    before = {seat.id for seat in table.held(device)}
    done = house().tables.submit(
        table.id,
        device,
        command,
        version=None,
        request_key=forms.request_key("join", form),
    )
    if isinstance(done, Rejection):
        return join_page(table, key, name, done)
    new = [seat for seat in done.held(device) if seat.id not in before]
    where = f"/t/{done.id}?seat={new[0].id}" if new and before else f"/t/{done.id}"
    response = redirect(where, 303)
    if isinstance(command, ask.Join) and new:
        remember_name(response, new[0].name)
    return response


def remember_name(response: BaseResponse, name: str) -> None:
    encoded = quote(name)
    if len(encoded) <= NAME_COOKIE_MAX:
        response.set_cookie(
            NAME_COOKIE,
            encoded,
            max_age=security.COOKIE_MAX_AGE_S,
            secure=security.secure(),
            httponly=True,
            samesite="Lax",
        )


@blueprint.get("/j/<key>/screen")
def guest_screen(key: str) -> Response:
    """The table screen on a device that has no part in the table: a television."""
    return at_table.show(at_table.Asking(table_of(key), None, "screen"))


# Codes


def _guess_allowed() -> str:
    """The address that guesses; ends the request when it, or everybody, has guessed too often."""
    who = group(request.remote_addr)
    limits = house().limits
    if not (limits.may("code", who) and limits.may("code-all", "")):
        refuse("too_many_codes")
    return who


def _count_wrong(who: str) -> None:
    house().limits.hit("code", who)
    house().limits.hit("code-all", "")


@blueprint.post("/code")
def code() -> BaseResponse:
    who = _guess_allowed()
    typed = request.form.get("code", "")[:100]
    tidy = tidy_code(typed)
    screen = request.form.get("screen") == "1"
    tables = house().tables
    if len(tidy) == OFFER_CODE_LENGTH:
        if tables.offered(tidy) is not None:
            return redirect(f"/m/{tidy}", 303)
    elif len(tidy) == CODE_LENGTH:
        table = tables.by_code(tidy)
        if table is not None:
            key = tables.join_key(table.id)
            return redirect(f"/j/{key}/screen" if screen else f"/j/{key}", 303)
    _count_wrong(who)
    return home_page(screen=screen, refusal=Rejection("wrong_code"), code=typed)


@blueprint.get("/m/<offer>")
def move(offer: str) -> Response:
    """Which seat it is, and whether to take it."""
    who = _guess_allowed()
    offered = house().tables.offered(offer)
    table = house().tables.get(offered.table_id) if offered else None
    if offered is None or table is None:
        _count_wrong(who)
        refuse("offer_expired")
    device = security.ensure_device()
    seats = present.seat_views(table, device, None)
    seat = next((each for each in seats if each.id == offered.seat), None)
    if seat is None:
        refuse("offer_expired")
    locale = locale_for(table)
    return answer(
        "move",
        MoveView(key=offer, seat=seat),
        locale,
        at=f"/m/{offer}",
    )


@blueprint.post("/m/<offer>")
def take_seat(offer: str) -> BaseResponse:
    who = _guess_allowed()
    device = security.device()
    if device is None:
        refuse("cookies_needed")
    found = house().tables.offered(offer)
    taken = house().tables.take_seat(
        device, ask.TakeSeat(offer), forms.request_key("take-seat", request.form)
    )
    if isinstance(taken, Rejection):
        _count_wrong(who)
        refuse(taken.reason, **taken.params)
    seat = f"?seat={found.seat}" if found else ""
    return redirect(f"/t/{taken.id}{seat}", 303)
