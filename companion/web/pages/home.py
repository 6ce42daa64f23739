"""The start page: open a table with one tap, join one by its code, go back to one."""

from __future__ import annotations

import secrets
from contextlib import suppress

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from companion.games.game import AnyGame, Rejection
from companion.tables.log import DamagedError
from companion.tables.model import Device, Table
from companion.values import Value
from companion.web.answers.access import is_screen_only
from companion.web.answers.counting import open_counted
from companion.web.answers.errors import refuse
from companion.web.answers.reader_language import locale_for
from companion.web.answers.render import answer, refusal_of
from companion.web.answers.services import current_services
from companion.web.html.panels import View
from companion.web.http import reasons, security
from companion.web.pages import forms
from companion.web.view import asking
from companion.web.view.games import edition_for
from companion.web.view.models import RefusalView

blueprint = Blueprint("home", __name__)

BACK_MAX = 5
"""Tables to go back to that are shown."""


class TableLink(Value, frozen=True):
    """The way back to a table this device is at."""

    id: str
    game: str
    names: tuple[str, ...]
    plays: bool  # a game is on
    screen: bool  # it may be its screen


class GameChoice(Value, frozen=True):
    """A game that can be opened, and what there is to choose for it."""

    game: str
    low: int  # players
    high: int
    edition: str  # preset by the reader's language
    editions: tuple[str, ...]
    way: str
    ways: tuple[str, ...]
    explained: bool  # it can be gone through step by step


class HomeView(View, frozen=True):
    """Open a table, join one by its code, or go back to one."""

    template = "panels/home.html"

    here: str
    game: str  # chosen at first: the one last played on this device
    games: tuple[GameChoice, ...]
    language: str
    screen: bool  # what opens is the table screen: this is the laptop
    tables: tuple[TableLink, ...]  # newest first
    request: str  # tells this form from the next one
    refusal: RefusalView | None
    code: str  # that was typed and led nowhere
    done: str  # what led here: a table was "left" or "closed"; or nothing


def tables_of(device: Device | None) -> list[Table]:
    """The tables this device hosted, sat at or was the screen of last, newest used first."""
    if device is None:
        return []
    tables = current_services().tables
    found = [
        table
        for table in map(_readable, tables.of(device, BACK_MAX + 1))
        # The index on the disk may be ahead of the table.
        if table is not None
        and (table.host == device or table.held(device) or is_screen_only(table, device))
    ]
    return sorted(found, key=lambda table: table.activity.used_at, reverse=True)


def _readable(table_id: str) -> Table | None:
    with suppress(DamagedError):
        return current_services().tables.get(table_id)
    return None


def choice_of(game: AnyGame, locale: str) -> GameChoice:
    ways = tuple(game.ways)
    return GameChoice(
        game=game.name,
        low=game.seat_counts[0],
        high=game.seat_counts[-1],
        edition=edition_for(game, locale),
        editions=tuple(game.editions),
        way=ways[0],
        ways=ways,
        explained=game.explanation is not None,
    )


def _link(table: Table, device: Device) -> TableLink:
    return TableLink(
        id=table.id,
        game=table.game.name,
        names=tuple(seat.name for seat in table.seats),
        plays=table.playing,
        screen=table.may_be_screen(device),
    )


def home_page(*, screen: bool, refusal: Rejection | None = None, code: str = "") -> Response:
    locale = locale_for()
    device = security.ensure_device()
    tables = tables_of(device)
    games = list(current_services().tables.games.values())
    played = (table.game for table in tables if table.playing or table.games_over)
    view = HomeView(
        here=asking.home(screen),
        game=next(played, games[0]).name,
        games=tuple(choice_of(game, locale) for game in games),
        language=locale,
        screen=screen,
        tables=tuple(_link(table, device) for table in tables[:BACK_MAX]),
        request=secrets.token_urlsafe(9),
        refusal=refusal_of(refusal, locale) if refusal else None,
        code=code,
        done=request.args.get("done", "") if refusal is None else "",
    )
    return answer("home", view, locale, refusal.reason.status if refusal else 200)


@blueprint.get("/")
def home() -> Response:
    return home_page(screen=asking.is_from_screen(request.args))


@blueprint.get("/screen")
def screen() -> BaseResponse:
    """Where the laptop's browser is sent at the start."""
    device = security.device()
    shown = (table for table in tables_of(device) if table.may_be_screen(device))
    table = next(shown, None)
    return redirect(f"/t/{table.id}/screen" if table is not None else asking.home(screen=True), 303)


@blueprint.post("/open")
def open_table() -> BaseResponse:
    device = security.device()
    if device is None:
        refuse(reasons.COOKIES_NEEDED)
    form = request.form
    locale = locale_for()
    wants_screen = asking.is_from_screen(form)
    command = forms.opening(form, current_services().tables.games, locale)
    if isinstance(command, Rejection):
        return home_page(screen=wants_screen, refusal=command)
    key = forms.request_key("open", form) if form.get("key") else secrets.token_hex()
    opened = open_counted(device, command, key)
    if isinstance(opened, Rejection):
        return home_page(screen=wants_screen, refusal=opened)
    return redirect(f"/t/{opened.id}/screen" if wants_screen else f"/t/{opened.id}", 303)
