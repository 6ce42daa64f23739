"""A game explained step by step, for one reader, at a table or not."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request

from companion.web.answers.reader_language import locale_for, shown_on_screen, table_at, table_path
from companion.web.answers.render import html, render
from companion.web.answers.services import current_services
from companion.web.http import security
from companion.web.http.fields import digits
from companion.web.view.explained import AloneView, alone_path, step_view
from companion.web.view.games import edition_and_way

blueprint = Blueprint("explained", __name__)


@blueprint.get("/explain/<game>")
def explained(game: str) -> Response:
    games = current_services().tables.games
    manifest = games.get(game)
    if manifest is None or manifest.explanation is None:
        abort(404)
    back = security.local_path(request.args.get("back"), "/")
    table = table_at(back)
    locale = locale_for(table, screen=shown_on_screen(back))
    asked = request.args
    edition, way = edition_and_way(
        manifest, table, locale, asked.get("edition", ""), asked.get("way", "")
    )
    step = step_view(manifest, edition, way, digits(asked.get("step", ""), 2) or 1)
    view = AloneView(
        here=alone_path(game, edition, way, step.number, back),
        games=tuple(name for name, each in games.items() if each.explanation),
        editions=tuple(manifest.editions),
        ways=tuple(manifest.ways),
        step=step,
        back=back,
        table=table_path(table, back),
    )
    text = current_services().rule_pages.get(
        ("explained", game, edition, way, str(step.number), locale, back, view.table),
        lambda: render("explain", locale, view),
    )
    return html(text, locale)
