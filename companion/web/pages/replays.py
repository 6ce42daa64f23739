"""Games watched again: those of a table that are over, and records that somebody has as a file.

Nothing is kept of a file: the page that answers it is all there is.
"""

from __future__ import annotations

import re
from urllib.parse import urlencode

from flask import Blueprint, Response, current_app, request
from werkzeug.exceptions import RequestEntityTooLarge

from companion import i18n
from companion.games.game import Rejection
from companion.tables.model import Result, Table
from companion.web.http import refusals
from companion.web.pages.records import has_record, lines_of
from companion.web.view.access import Asking, asking, table_of
from companion.web.view.errors import count_dear, refuse
from companion.web.view.models import OpenReplayView
from companion.web.view.render import answer, html, locale_for, refusal_of, render
from companion.web.view.replay import Replay, Where, replay_of, replay_view, verdict_of
from companion.web.view.services import house

blueprint = Blueprint("replays", __name__)

FILE = "/replay"


@blueprint.get("/t/<table_id>/replay")
def replay(table_id: str) -> Response:
    wide = request.args.get("screen") == "1"
    return _of_table(asking(table_id, "screen" if wide else "seat"), wide=wide)


@blueprint.get("/j/<key>/replay")
def guest_replay(key: str) -> Response:
    """On a television that came by the join link."""
    return _of_table(Asking(table_of(key), None, "screen", key=key), wide=True)


@blueprint.get(FILE)
def choose() -> Response:
    return answer("replay_open", _opener(), locale_for())


@blueprint.post(FILE)
def opened() -> Response:
    """The record that was sent, as a page; or why it is none."""
    count_dear()
    locale = locale_for()
    found = _sent()
    if isinstance(found, Rejection):
        return answer("replay_open", _opener(found), locale, found.reason.status)
    return html(_page(found, 1, Where(here=FILE), locale), locale)


def _opener(refusal: Rejection | None = None) -> OpenReplayView:
    bytes_max, locale = house().settings.body_kib * 1024, locale_for()
    if refusal is None:
        return OpenReplayView(FILE, bytes_max, None, "")
    games, t, listing = house().tables.games, i18n.catalogue(locale), i18n.listing(locale)
    said = verdict_of(refusal, games, t, listing)
    return OpenReplayView(FILE, bytes_max, refusal_of(refusal, locale), said)


def _sent() -> Replay | Rejection:
    try:
        file = request.files.get("record")
    except RequestEntityTooLarge:
        return Rejection(refusals.FILE_TOO_LARGE)
    if file is None or not file.filename:
        return Rejection(refusals.NO_PLAYS)
    return replay_of([file.read()], house().tables.games, house().tables.breathe)


def _of_table(who: Asking, *, wide: bool) -> Response:
    table = who.table
    number, result = _finished(table, request.args.get("game", ""))
    asked = re.fullmatch(r"\d{1,4}", request.args.get("at", ""), re.ASCII)
    at = int(asked[0]) if asked else 1
    locale = locale_for(table, screen=wide)

    def made() -> str:
        count_dear()
        record = lines_of(table.game, result.players, house().tables.finished_game(table, result))
        found = replay_of([record.encode()], house().tables.games, house().tables.breathe)
        if isinstance(found, Rejection):  # it was given up before anything was played
            refuse(found.reason)
        return _page(found, at, _where(who, number, wide=wide), locale)

    path = who.path if who.device is None else ""
    kept = (table.id, table.nameless, result.version, len(table.results), locale, at, wide, path)
    return html(house().replays.get(kept, made), locale)


def _finished(table: Table, number: str) -> tuple[int, Result]:
    """The game that is asked for by its number at the table: without one, that which is over."""
    results = dict(enumerate(table.results, 1))
    wanted = number or (str(len(results)) if table.phase == "over" else "")
    found = next((each for each in results.items() if str(each[0]) == wanted), None)
    if found is None or not has_record(table.game, found[1].way):
        refuse(refusals.NO_REPLAY_YET)
    return found


def _where(who: Asking, number: int, *, wide: bool) -> Where:
    table, guest = who.table, who.device is None
    here = f"/j/{who.key}/replay" if guest else f"/t/{table.id}/replay"
    screen = (("screen", "1"),) if wide and not guest else ()

    def fields(of: int) -> tuple[tuple[str, str], ...]:
        return (*screen, ("game", str(of)))

    return Where(
        here=f"{here}?{urlencode(fields(number))}",
        fields=fields(number),
        back=who.path,
        games=tuple(
            (of, f"?{urlencode(fields(of))}")
            for of, result in enumerate(table.results, 1)
            if has_record(table.game, result.way)
        ),
        number=number,
        wide=wide,
    )


def _page(found: Replay, at: int, where: Where, locale: str) -> str:
    view = replay_view(found, at, where, house().html, locale, house().tables.breathe)
    return render(current_app, "replay", locale, view)
