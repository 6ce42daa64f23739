"""The start page: open a table with one tap, join one by its code, go back to one."""

from __future__ import annotations

import secrets

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from companion import i18n
from companion.rules.game import Rejection
from companion.tables import commands as ask
from companion.tables.games import rules
from companion.tables.model import Table
from companion.web import forms, present, security
from companion.web.errors import refuse
from companion.web.house import house
from companion.web.limits import group
from companion.web.present import WAYS
from companion.web.render import answer, locale_for, refusal_of, status_of
from companion.web.views import HomeView

blueprint = Blueprint("home", __name__)

GAMES = ("saboteur",)
"""Games that can be opened from the pages."""

BACK_MAX = 5
"""Tables to go back to that are shown."""

PRESET = {"et": "et-2007", "lt": "lt-2009", "lv": "lv-2009", "fi": "fi", "en": "en"}
"""The edition that is chosen at first for who reads in a language; chosen apart from it after."""


def at(device: str | None) -> list[Table]:
    """The tables this device hosts or sits at, newest used first."""
    if device is None:
        return []
    tables = house().tables
    ids = dict.fromkeys([*tables.hosted_by(device), *tables.seated(device)])
    found = [table for table in map(tables.get, ids) if table is not None]
    return sorted(found, key=lambda table: table.used_at, reverse=True)


def home_page(*, screen: bool, refusal: Rejection | None = None, code: str = "") -> Response:
    locale = locale_for()
    device = security.ensure_device()
    game = GAMES[0]
    known = rules(game)
    view = HomeView(
        game=game,
        games=GAMES,
        edition=PRESET[locale],
        editions=known.editions if known else (),
        way=WAYS[0],
        ways=WAYS,
        language=locale,
        screen=screen,
        tables=tuple(present.link(table, device) for table in at(device)[:BACK_MAX]),
    )
    return answer(
        "home",
        view,
        locale,
        status=status_of(refusal) if refusal else 200,
        at="/?screen=1" if screen else "/",
        refusal=refusal_of(refusal, locale) if refusal else None,
        code=code,
        base=house().base(),
    )


@blueprint.get("/")
def home() -> Response:
    return home_page(screen=request.args.get("screen") == "1")


@blueprint.get("/screen")
def screen() -> BaseResponse:
    """Where the laptop's browser is sent at the start."""
    device = security.device()
    hosted = house().tables.hosted_by(device) if device else []
    return redirect(f"/t/{hosted[0]}/screen" if hosted else "/?screen=1", 303)


@blueprint.post("/open")
def open_table() -> BaseResponse:
    device = security.device()
    if device is None:
        refuse("cookies_needed")
    if not house().limits.hit("open", group(request.remote_addr)):
        refuse("too_many")
    form = request.form
    locale = locale_for()
    wants_screen = form.get("screen") == "1"
    game, way = form.get("game") or GAMES[0], form.get("way") or WAYS[0]
    command = ask.Open(
        game=game,
        edition=form.get("edition") or PRESET[locale],
        way=way,
        language=form.get("language") or locale,
    )
    opened: Table | Rejection
    if game not in GAMES:
        opened = Rejection("bad_request", {"field": "game"})
    elif way not in WAYS:
        opened = Rejection("bad_request", {"field": "way"})
    elif command.language not in i18n.ENDONYMS:
        opened = Rejection("bad_request", {"field": "language"})
    else:
        key = forms.request_key("open", form) if form.get("key") else secrets.token_hex()
        opened = house().tables.open(device, command, key)
    if isinstance(opened, Rejection):
        return home_page(screen=wants_screen, refusal=opened)
    return redirect(f"/t/{opened.id}/screen" if wants_screen else f"/t/{opened.id}", 303)
