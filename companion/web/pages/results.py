"""What is taken along from a game that is over: a picture of its result, and its results for other
programs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from flask import Blueprint, Response, abort, request

from companion.tables.model import Table
from companion.tables.next_table import neighbours
from companion.web.answers.access import asking_beside
from companion.web.answers.admission import denied
from companion.web.answers.counting import count
from companion.web.answers.errors import refuse
from companion.web.answers.reader_language import locale_for
from companion.web.answers.render import answer, here
from companion.web.answers.services import current_services
from companion.web.html.panels import View
from companion.web.http import reasons
from companion.web.pages.records import file_answer
from companion.web.view.asking import Asking
from companion.web.view.evening import evenings_view
from companion.web.view.games import has_record, pages_of
from companion.web.view.picture import SIZES, picture_of
from companion.web.view.results import Finished, bg_stats_link, csv_of, finished_of

blueprint = Blueprint("results", __name__)


class TakeView(View, frozen=True):
    template = "panels/take.html"

    here: str
    home: str  # address
    back: str
    game: str
    edition: str
    date: str
    pictures: tuple[tuple[str, str, int, int], ...]  # shape, address, width and height
    file: str  # name of what is saved, without its ending
    csv: str  # address
    record: str  # address; empty: its plays were not reported
    bg_stats: str  # address


@blueprint.get("/t/<table_id>/take")
def take(table_id: str) -> Response:
    """All that can be taken along."""
    who = asking_beside(table_id)
    table, locale = who.table, locale_for(who.table, screen=who.on_screen)
    found = _finished(table)
    address = partial(who.address_of, game=found.number)
    view = TakeView(
        here=address("take"),
        home=who.home,
        back=who.path,
        game=table.game.name,
        edition=found.result.edition,
        date=found.date(locale),
        pictures=tuple(
            (shape, address("result.png", shape=shape), *size) for shape, size in SIZES.items()
        ),
        file=f"{table.game.name}-{found.day}",
        csv=address("results.csv"),
        record=address("record.jsonl") if has_record(table, found.result) else "",
        bg_stats=bg_stats_link(found, pages_of(table.game).title, locale),
    )
    return answer("take", view, locale)


@blueprint.get("/t/<table_id>/games")
def games(table_id: str) -> Response:
    """All games of the table that are over."""
    who = asking_beside(table_id)
    locale = locale_for(who.table, screen=who.on_screen)
    days = current_services().settings.unused_days
    view = evenings_view(who, here(), locale, days, list(_elsewhere(who)))
    return answer("evenings", view, locale)


def _elsewhere(who: Asking) -> Iterator[Table]:
    """Where the same people have finished a game, too, as far as this device may look."""
    services = current_services()
    for each in neighbours(services.tables, who.table):
        if each.results and denied(services.arrivals, each, who.device, who.page) is None:
            yield each


@blueprint.get("/t/<table_id>/results.csv")
def results(table_id: str) -> Response:
    who = asking_beside(table_id)
    table = who.table
    found = _finished(table)
    text = csv_of(found, locale_for(table, screen=who.on_screen))
    name = f"{table.game.name}-{found.day}.csv"
    return file_answer(name, "text/csv; charset=utf-8", text, "inline")


@blueprint.get("/t/<table_id>/result.png")
def picture(table_id: str) -> Response:
    who = asking_beside(table_id)
    table, locale = who.table, locale_for(who.table, screen=who.on_screen)
    found = _finished(table)
    shape = request.args.get("shape", "wide")
    if shape not in SIZES:
        abort(404)

    def made() -> bytes:
        count("dear")
        return picture_of(found, shape, locale, current_services().html, current_services().assets)

    kept = (table.id, found.result.version, found.names, shape, locale)
    png = current_services().pictures.get(kept, made)
    name = f"{table.game.name}-{found.day}-{shape}.png"
    return file_answer(name, "image/png", png, "inline")


def _finished(table: Table) -> Finished:
    found = table.finished(request.args.get("game", ""))
    if found is None:
        refuse(reasons.NO_RESULT_YET)
    return finished_of(table, *found)
