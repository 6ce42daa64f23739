"""What all templates may call."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask
from markupsafe import Markup

from companion import i18n, languages
from companion.games.game import AnyGame
from companion.web.html.drawings import Drawings
from companion.web.http.assets import JOIN, Assets
from companion.web.view import rulebook
from companion.web.view.explained import StepWords, alone_path, words_of
from companion.web.view.games import pages_of
from companion.web.view.models import EXPLANATION, Kit
from companion.web.view.rulebook import rules_path


def install(app: Flask, games: Mapping[str, AnyGame], assets: Assets) -> None:
    """`assets`: what pages load."""

    def game_title(game: str, whole: bool = False) -> str:
        """`whole`: with what it is called in the reader's language, where that is always said."""
        pages = pages_of(games[game])
        return pages.whole_title(i18n.current()) if whole else pages.title

    def rule_title(game: str, edition: str, anchor: str) -> str | None:
        return rulebook.title(i18n.current(), games[game], edition, anchor)

    def kit_of(game: str, page: str, way: str = "", explains: bool = False) -> Kit:
        follows = way != "" and games[game].ways[way].follows
        kit = pages_of(games[game]).kit(page, follows=follows)
        return kit.with_looks_of(explanation_kit(game)) if explains else kit

    def explanation_kit(game: str) -> Kit:
        return EXPLANATION.with_looks_of(pages_of(games[game]).kit("explain"))

    def step_words(game: str, edition: str, way: str, number: int) -> StepWords:
        return words_of(games[game].steps(edition, way)[number - 1], i18n.current())

    drawings = Drawings(assets)

    app.jinja_env.globals |= {
        "all_drawings": drawings.all,
        "asset": assets.url,
        "inlined": lambda *names: Markup(assets.unpacked(JOIN.join(names)).decode()),  # noqa: S704 - our own files
        "drawings": drawings.shown,
        "drawings_address": drawings.address,
        "drawn_once": lambda game: games[game].drawn_once(i18n.current()),
        "edition_name": lambda game, edition: games[game].editions[edition](i18n.current()),
        "way_name": lambda game, way: games[game].ways[way].name(i18n.current()),
        "way_hint": lambda game, way: games[game].ways[way].hint(i18n.current()),
        "edition_differences": lambda game: pages_of(games[game]).differences(i18n.current()),
        "setup_lines": lambda game, players: pages_of(games[game]).setup(i18n.current(), players),
        "goes_with_end": lambda game, by: pages_of(games[game]).goes_with_end(i18n.current(), by),
        "new_order_hint": lambda game: pages_of(games[game]).new_order_hint(i18n.current()),
        "look_words": lambda game: pages_of(games[game]).look_words(i18n.current()),
        "coin_of": lambda game: pages_of(games[game]).coin,
        "role_symbol": lambda game, role: pages_of(games[game]).role_symbols[role],
        "role_label": lambda game, role: games[game].roles[role](i18n.current()),
        "points_label": lambda game: (games[game].points or str)(i18n.current()),
        "game_face": lambda game: pages_of(games[game]).face,
        "game_title": game_title,
        "endonyms": languages.ENDONYMS,
        "lang": i18n.locale,
        "notices_url": "",
        "html_lang": lambda: i18n.html_lang(i18n.locale()),
        "kit_of": kit_of,
        "explanation_kit": explanation_kit,
        "step_words": step_words,
        "explain_path": alone_path,
        "rule_title": rule_title,
        "rules_path": rules_path,
    }
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
