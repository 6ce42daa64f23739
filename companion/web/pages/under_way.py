"""What a page beside the table asks when the table has changed, and from time to time: whether a
game has begun there; or, from the rules, whether the table waits for who reads them."""

from __future__ import annotations

from flask import Blueprint, Response

from companion.tables.ending import ends_game, may_stop
from companion.web.answers.access import asking_beside, guest_screen
from companion.web.answers.reader_language import locale_for
from companion.web.answers.render import html
from companion.web.answers.services import current_services
from companion.web.html.panels import View
from companion.web.view.asking import Asking
from companion.web.view.common import Wanted, waits_view

blueprint = Blueprint("under_way", __name__)


class UnderWayView(View, frozen=True):
    """That everybody else plays by now, or goes on to another game."""

    template = "panels/under_way.html"

    table: str  # address of where they play
    next_game: str  # that they play at another table; empty: a new one of the same, at this one


class WantedView(View, frozen=True):
    """That the table waits for the player who reads this."""

    template = "panels/wanted.html"

    game: str
    waits: Wanted
    turn: str  # whose it is, on a phone of several players
    table: str  # address of the table's page


@blueprint.get("/t/<table_id>/wanted")
def wanted(table_id: str) -> Response:
    """A part of a page; 204: nobody waits for this phone."""
    who = asking_beside(table_id)
    table, device = who.table, who.device
    if device is None:
        return Response(status=204)
    found = waits_view(table, table.held_in_play(device))
    told = table.round.waiting_end if may_stop(table, device) else None
    waits = found.waits
    if told is not None:
        waits = Wanted.GAME_END if ends_game(table, told) else Wanted.END
    if not waits:
        return Response(status=204)
    locale = locale_for(table, screen=who.on_screen)
    view = WantedView(table.game.name, waits, found.turn, who.path)
    return html(current_services().html.fresh(view, locale), locale)


@blueprint.get("/t/<table_id>/under-way")
def under_way(table_id: str) -> Response:
    """A part of a page, and for a table screen where it goes at once; 204: no game is on."""
    return _of(asking_beside(table_id))


@blueprint.get("/j/<key>/under-way")
def guest_under_way(key: str) -> Response:
    """On a television that came by the join link."""
    return _of(guest_screen(key))


def _of(who: Asking) -> Response:
    table, after = who.table, who.table.next_table if who.device is not None else None
    if not table.playing and after is None:
        return Response(status=204)
    path, locale = who.path, locale_for(table, screen=who.on_screen)
    if not table.playing:
        path = who.address_of("next")
    view = UnderWayView(path, "" if table.playing or after is None else after.game)
    response = html(current_services().html.fresh(view, locale), locale)
    if who.on_screen:
        response.headers["X-Location"] = path
    return response
