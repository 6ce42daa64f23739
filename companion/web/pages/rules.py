"""The rules at hand: a game's rules in one edition, for everybody, at a table or not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, abort, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from companion import catalogues
from companion.games.book import Section
from companion.games.game import AnyGame
from companion.web.answers.counting import count
from companion.web.answers.reader_language import locale_for, shown_on_screen, table_at, table_path
from companion.web.answers.render import html, render
from companion.web.answers.services import current_services
from companion.web.html.panels import View
from companion.web.http import security
from companion.web.pages.rules_search import QUERY_MAX, marked, search, words
from companion.web.view.explained import alone_path, beyond
from companion.web.view.games import edition_and_way, pages_of
from companion.web.view.rulebook import rules_path

blueprint = Blueprint("rules", __name__)
blueprint.add_app_template_filter(marked, "marked")


class RulesView(View, frozen=True):
    """The rules of a game in one of its editions, to read and to search."""

    template = "panels/rules.html"

    here: str
    game: str
    games: tuple[str, ...]  # that have rules
    edition: str
    editions: tuple[str, ...]
    sections: tuple[Section, ...]
    query: str
    found: frozenset[str] | None  # anchors of the paragraphs that match; None: nothing is asked
    wanted: tuple[str, ...]  # what was found of the words of the query, to be marked
    figures: Mapping[str, Any]  # what the game's drawings need
    steps: str  # address of the same, step by step; empty: it cannot be gone through so
    back: str  # the page to go back to
    table: str  # address of the reader's, which may want them meanwhile; empty: none


@blueprint.get("/rules")
def some_rules() -> BaseResponse:
    """Of the game at the reader's table, or else of the first; those of the others are a tap
    away."""
    back = security.local_path(request.args.get("back"), "")
    table, games = table_at(back), current_services().tables.games
    return redirect(rules_path(table.game.name if table else next(iter(games)), back=back), 303)


@blueprint.get("/rules/<game>")
def rules(game: str) -> Response:
    manifest = current_services().tables.games.get(game)
    if manifest is None:
        abort(404)
    back = security.local_path(request.args.get("back"), "/")
    table = table_at(back)
    locale = locale_for(table, screen=shown_on_screen(back))
    edition, _ = edition_and_way(manifest, table, locale, request.args.get("edition", ""))
    query = request.args.get("q", "").strip()[:QUERY_MAX]
    at = table_path(table, back)
    text = current_services().rule_pages.get(
        (game, edition, locale, query, back, at),
        lambda: _drawn(manifest, edition, locale, query, back, at),
    )
    return html(text, locale)


def _drawn(manifest: AnyGame, edition: str, locale: str, query: str, back: str, at: str) -> str:
    """The page is the same for all who ask so, and is drawn once."""
    if query:
        count("dear")
    translations, explained = catalogues.catalogue(locale), manifest.explanation is not None
    sections = manifest.book(translations, edition)
    found, wanted = None, words(query)
    if wanted:
        found, wanted = search([rule for section in sections for rule in section.rules], wanted)
    view = RulesView(
        here=rules_path(manifest.name, edition, back=back, q=query),
        game=manifest.name,
        games=tuple(current_services().tables.games),
        edition=edition,
        editions=tuple(manifest.editions),
        sections=sections,
        query=query,
        found=found,
        wanted=wanted,
        figures=pages_of(manifest).figures(translations, catalogues.listing(locale)),
        steps=alone_path(manifest.name, edition, "", 1, beyond(back)) if explained else "",
        back=back,
        table=at,
    )
    return render("rules", locale, view)
