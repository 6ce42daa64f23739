"""A café's tables: their codes last, and whoever scans one when nobody plays there is the host."""

from __future__ import annotations

import secrets

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from companion.games.game import Rejection
from companion.tables.log import StandingTable
from companion.tables.model import Device, Table
from companion.web.answers.counting import run_counted
from companion.web.answers.errors import refuse
from companion.web.answers.reader_language import locale_for
from companion.web.answers.render import answer, refusal_of
from companion.web.answers.services import current_services
from companion.web.html.panels import View
from companion.web.http import reasons, security
from companion.web.pages import forms
from companion.web.pages.home import GameChoice, choice_of
from companion.web.view.models import RefusalView

blueprint = Blueprint("standing", __name__)

JOIN = "join"
"""Field of an address: to those who have played here, though they may have gone."""


class StandingTableView(View, frozen=True):
    """A café's table where nobody plays, or nobody may any more: whoever has scanned its code can
    open an evening."""

    template = "panels/standing.html"

    here: str
    number: int
    played: bool  # a while ago, by people who may have gone
    names: tuple[str, ...]  # theirs; none where only who has their link may join them
    join: str  # address, to sit down with them; empty: it does not lead there
    game: str  # chosen at first
    games: tuple[GameChoice, ...]
    request: str  # tells this form from the next one
    refusal: RefusalView | None


def path_of(one: StandingTable) -> str:
    return f"/s/{current_services().tables.standing_codes.key(one)}"


@blueprint.get("/s/<key>")
def standing(key: str) -> BaseResponse:
    one, device = _found(key), security.ensure_device()
    evening = current_services().tables.standing.evening_at(one)
    if evening is None or (_may_have_gone(evening, device) and JOIN not in request.args):
        return _page(one, evening)
    return _in(evening, device)


@blueprint.post("/s/<key>")
def begin(key: str) -> BaseResponse:
    one, device = _found(key), security.device()
    if device is None:
        refuse(reasons.COOKIES_NEEDED)
    tables = current_services().tables
    evening = tables.standing.evening_at(one)
    if evening is None or _may_have_gone(evening, device):
        command = forms.opening(request.form, tables.games, locale_for())
        if isinstance(command, Rejection):
            return _page(one, evening, command)
        request_key = forms.request_key("open", request.form)
        opened = run_counted(
            "open", lambda: tables.standing.open(one, device, command, request_key)
        )
        if isinstance(opened, Rejection):
            return _page(one, evening, opened)
        evening = opened
    return _in(evening, device)


def _found(key: str) -> StandingTable:
    one = current_services().tables.standing_codes.by_key(key)
    if one is None:
        refuse(reasons.WRONG_LINK)
    return one


def _may_have_gone(evening: Table, device: Device) -> bool:
    """Whether somebody who is none of them can open another evening where this one is."""
    theirs = device == evening.host or bool(evening.held(device))
    return not theirs and current_services().tables.standing.is_quiet(evening)


def _in(evening: Table, device: Device) -> BaseResponse:
    """To the evening that is on. Once its host has made a new link, only that one leads in."""
    if device == evening.host or evening.held(device):
        return redirect(f"/t/{evening.id}", 303)
    if evening.link_renewals:
        refuse(reasons.LINK_RENEWED)
    return redirect(f"/j/{current_services().tables.join_key(evening)}", 303)


def _page(one: StandingTable, evening: Table | None, refusal: Rejection | None = None) -> Response:
    locale = locale_for()
    games = list(current_services().tables.games.values())
    joins = evening is not None and not evening.link_renewals
    view = StandingTableView(
        here=path_of(one),
        number=one.number,
        played=evening is not None,
        names=tuple(seat.name for seat in evening.seats) if evening and joins else (),
        join=f"{path_of(one)}?{JOIN}=1" if joins else "",
        game=games[0].name,
        games=tuple(choice_of(game, locale) for game in games),
        request=secrets.token_urlsafe(9),
        refusal=refusal_of(refusal, locale) if refusal else None,
    )
    return answer("standing", view, locale, refusal.reason.status if refusal else 200)
