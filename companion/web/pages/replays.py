"""Games watched again, and what could be counted in them: those of a table that are over, and
records that somebody has as a file.

Nothing is kept of a file here: the page that answers it is all there is.
"""

from __future__ import annotations

from urllib.parse import urlencode

from flask import Blueprint, Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from companion import catalogues
from companion.games.game import Rejection
from companion.tables.model import Result, Table
from companion.web.answers.access import asking_beside, guest_screen
from companion.web.answers.counting import count, in_line
from companion.web.answers.errors import Refused, refuse
from companion.web.answers.reader_language import locale_for, shown_on_screen
from companion.web.answers.render import answer, encoded, here, html, refusal_of, render
from companion.web.answers.services import current_services
from companion.web.html.panels import View
from companion.web.http import reasons
from companion.web.http.fields import digits
from companion.web.pages.records import lines_of
from companion.web.view.asking import Asking
from companion.web.view.games import can_be_watched, pages_of
from companion.web.view.models import RefusalView
from companion.web.view.recorded_game import recorded_game_of, verdict_of
from companion.web.view.replay import replay_of, replay_view
from companion.web.view.story import Where, story_view

blueprint = Blueprint("replays", __name__)

FILE = "/replay"

FILE_AGAIN = "/replay?again"
"""Where whoever has opened a file comes back to; a script sends it once more."""


class OpenReplayView(View, frozen=True):
    """A record that somebody has, to be watched."""

    template = "panels/replay_open.html"

    here: str
    bytes_max: int  # a larger file is refused
    refusal: RefusalView | None
    verdict: str  # on the first line of a file in which there is no game


@blueprint.get("/t/<table_id>/<any(replay, story):name>")
def replay(table_id: str, name: str) -> Response:
    """The game play by play, or what could be counted in it."""
    return _of_table(name, asking_beside(table_id))


@blueprint.get("/j/<key>/<any(replay, story):name>")
def guest_replay(key: str, name: str) -> Response:
    """On a television that came by the join link."""
    return _of_table(name, guest_screen(key))


@blueprint.get(FILE)
def choose() -> Response:
    return answer("replay_open", _opener(), locale_for())


@blueprint.post(FILE)
def opened() -> Response:
    """The record that was sent, as a page; or why it is none."""
    count("dear")
    locale = locale_for()
    with in_line(current_services().file_line):
        record = _sent()
        where = Where(here=FILE_AGAIN)
        page = record if isinstance(record, Rejection) else _replay(record, 1, where, locale)
    if isinstance(page, Rejection):
        return answer("replay_open", _opener(page), locale, page.reason.status)
    return html(page, locale)


def _opener(refusal: Rejection | None = None) -> OpenReplayView:
    bytes_max, locale = current_services().settings.body_kib * 1024, locale_for()
    if refusal is None:
        return OpenReplayView(FILE, bytes_max, None, "")
    t, listing = catalogues.catalogue(locale), catalogues.listing(locale)
    said = verdict_of(refusal, t, listing)
    return OpenReplayView(FILE, bytes_max, refusal_of(refusal, locale), said)


def _sent() -> bytes | Rejection:
    try:
        file = request.files.get("record")
    except RequestEntityTooLarge:
        return Rejection(reasons.FILE_TOO_LARGE)
    if file is None or not file.filename:
        return Rejection(reasons.NO_PLAYS)
    record: bytes = file.read()
    return record


def _of_table(name: str, who: Asking) -> Response:
    table = who.table
    number, result = _watchable(table, request.args.get("game", ""))
    if name == "story" and pages_of(table.game).story is None:
        refuse(reasons.NO_REPLAY_YET)
    at = digits(request.args.get("at", ""), 4) or 1
    locale = locale_for(table, screen=shown_on_screen(here()))
    names = tuple(player.name for player in result.players)  # as they are called now

    def made() -> bytes:
        count("dear")
        history = current_services().tables.finished_game(table, result)
        record = lines_of(table.game, names, history)
        where = _where(name, who, number, at)
        replayed = name == "replay"
        page = _replay(record, at, where, locale) if replayed else _story(record, where, locale)
        if isinstance(page, Rejection):  # given up before anything was played, or far too long
            raise Refused(page)
        return encoded(page)

    path = who.path if who.device is None else ""  # a television's links hold its key
    kept = (
        table.id,
        table.people.nameless_version,
        result.version,
        names,
        _numbers(table),
        locale,
        name,
        at,
        who.on_screen,
        path,
    )
    services = current_services()
    page = services.replays.find(kept)
    if page is None:
        with in_line(services.game_line):  # who wants the same page waits in it, too
            page = services.replays.get(kept, made)
    return html(page, locale)


def _watchable(table: Table, number: str) -> tuple[int, Result]:
    found = table.finished(number)
    if found is None or not can_be_watched(table.game, found[1]):
        refuse(reasons.NO_REPLAY_YET)
    return found


def _numbers(table: Table) -> tuple[int, ...]:
    """Of the games that can be watched."""
    return tuple(of for of, result in table.numbered_results if can_be_watched(table.game, result))


def _where(name: str, who: Asking, number: int, at: int) -> Where:
    table, play = who.table, {"at": at} if at > 1 else {}
    screen = (("screen", "1"),) if who.opens_from_screen else ()

    def fields(of: int) -> tuple[tuple[str, str], ...]:
        return (*screen, ("game", str(of)))

    return Where(
        here=who.address_of(name, game=number, **play),
        home=who.home,
        fields=fields(number),
        back=who.path,
        games=tuple((of, f"?{urlencode(fields(of))}") for of in _numbers(table)),
        number=number,
        wide=who.on_screen,
    )


def _replay(record: bytes, at: int, where: Where, locale: str) -> str | Rejection:
    services = current_services()
    breathe = services.tables.breathe
    found = replay_of([record], services.tables.games, breathe)
    if isinstance(found, Rejection):
        return found
    view = replay_view(found, at, where, services.html, locale, breathe)
    return render("replay", locale, view)


def _story(record: bytes, where: Where, locale: str) -> str | Rejection:
    services = current_services()
    breathe = services.tables.breathe
    found = recorded_game_of([record], services.tables.games, breathe)
    if isinstance(found, Rejection):
        return found
    return render("story", locale, story_view(found, where, services.html, locale, breathe))
