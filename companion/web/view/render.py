"""The one door through which pages and answers to scripts go.

A page `pages/<name>.html` stands around what was drawn from a value; a stream or an answer to a
script is what was drawn, alone. Both are the same function of value and language, request or no
request.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import suppress
from typing import Any
from urllib.parse import SplitResult, parse_qs

from flask import Flask, Response, current_app, g, request
from flask.templating import Environment as FlaskEnvironment
from markupsafe import Markup

from companion import i18n
from companion.games.game import Game, Rejection
from companion.tables.log import StorageError
from companion.tables.model import Table
from companion.web.http import security
from companion.web.http.assets import JOIN, Assets
from companion.web.view import rulebook
from companion.web.view.drawings import Drawings
from companion.web.view.explained import StepWords, alone_path, words_of
from companion.web.view.games import pages_of
from companion.web.view.models import EXPLANATION, Kit, RefusalView
from companion.web.view.panels import View
from companion.web.view.rulebook import rules_path
from companion.web.view.services import current_services

SCREEN_COOKIE = "screen_locale"
"""The table screen's own language, on a laptop whose player has another one."""

SMALLEST_PACKED = 600
"""Bytes; what is smaller fits one packet anyway."""

PAGE_LEVEL = 8
"""Of gzip: a seat page is a sixtieth smaller than by 6, and takes a tenth of a millisecond more."""


class Environment(FlaskEnvironment):
    """All templates have the same globals: the environment's. Jinja would look up each name in a
    chain of maps, for every piece of HTML that is drawn, in case a template had some of its own."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        assert not d
        return self.globals


def render(name: str, locale: str, view: View) -> str:
    """The page `name` around `view`."""
    return framed(current_app, name, locale, view, body=current_services().html.fresh(view, locale))


def framed(
    app: Flask, name: str, locale: str, view: object, body: str, sheet: str = "", etag: str = ""
) -> str:
    """The page `name`, which sees `view`, around what has been drawn already; `etag` of its body,
    where a stream follows."""
    template = app.jinja_env.get_template(f"pages/{name}.html")
    drawn = {"body": Markup(body), "sheet": Markup(sheet)}  # noqa: S704 - drawn by templates
    with i18n.speaking(locale):
        return template.render(view=view, page=name, etag=etag, **drawn)


def locale_for(table: Table | None = None, *, screen: bool = False) -> str:
    """The reader's language."""
    return locale_by_table(screen=screen)(table)


def has_chosen(*, screen: bool) -> bool:
    """Whether the reader has chosen a language, here or elsewhere."""
    return _saved(screen=screen) is not None


def _saved(*, screen: bool) -> str | None:
    saved = request.cookies.get(i18n.COOKIE)
    return request.cookies.get(SCREEN_COOKIE) or saved if screen else saved


def locale_by_table(*, screen: bool = False) -> Callable[[Table | None], str]:
    """The reader's language, whatever the table's will be: known beyond this request."""
    saved = _saved(screen=screen)
    accepted = request.headers.get("Accept-Language")
    return lambda table: i18n.negotiate(saved, accepted, table.language if table else None)


_SCREENS = re.compile(r"/[tj]/[\w-]+/screen|/j/[\w-]+/(replay|story|fair)")
_OPENED = re.compile(r"/t/[\w-]+/(replay|story|fair|take|games|host|report)")
"""On a table screen, where their address says so."""
_BESIDE = re.compile(r"/rules/\w+(/scores)?|/explain/\w+|/privacy")
_AT_TABLE = re.compile(r"/([tj])/([\w-]+)(?:/|\Z)")


def of_screen(address: str) -> bool:
    """Whether a page is shown on a table screen, and has its language: the screen itself, what is
    opened there, and what leads back to one of these."""
    parts = _led_back(address)
    if parts is None:
        return False
    if _OPENED.fullmatch(parts.path):
        return parse_qs(parts.query).get("screen") == ["1"]
    return _SCREENS.fullmatch(parts.path) is not None


def table_at(address: str) -> Table | None:
    """The table of a page, or of one that it leads back to, for its language and edition; a
    stranger learns nothing of it."""
    parts = _led_back(address)
    found = _AT_TABLE.match(parts.path) if parts is not None else None
    if found is None:
        return None
    services, device = current_services(), security.device()
    if found[1] == "j":  # by the join link
        return services.tables.by_join_key(found[2])
    table = services.tables.get(found[2]) if device is not None else None
    if table is None or services.denied(table, device, "screen") is not None:
        return None
    return table


def locale_at(address: str) -> str:
    """The reader's language on a page, or on what leads back to it; also while no table can be
    read."""
    table = None
    with suppress(StorageError):
        table = table_at(address)
    return locale_for(table, screen=of_screen(address))


def _led_back(address: str) -> SplitResult | None:
    """The page itself, or the one that is led back to from beside it."""
    parts = security.address_parts(address)
    while parts is not None and _BESIDE.fullmatch(parts.path):
        parts = security.address_parts(parse_qs(parts.query).get("back", ["/"])[0])
    return parts


def wants_fragment() -> bool:
    """A script asks for a part of the page."""
    return request.headers.get("X-Requested-With") == "fetch"


def here() -> str:
    """This page, for the language form to come back to."""
    return request.full_path.rstrip("?") if request.method == "GET" else request.path


def answer(name: str, view: View, locale: str, status: int = 200) -> Response:
    """A view as an answer to this request: alone for a script, else as the page `name`."""
    text = (
        current_services().html.fresh(view, locale)
        if wants_fragment()
        else render(name, locale, view)
    )
    return html(text, locale, status)


HTML = "text/html; charset=utf-8"


def html(text: str, locale: str, status: int = 200) -> Response:
    """What was rendered in a language as an answer. A record may have half a letter in a name."""
    return _spoken(Response(text.encode(errors="replace"), status, content_type=HTML), locale)


def _spoken(response: Response, locale: str) -> Response:
    response.headers["Content-Language"] = i18n.html_lang(locale)
    response.headers["Vary"] = "Cookie, Accept-Language, X-Requested-With"
    return response


def part_answer(body: str, locale: str, status: int, version: int) -> Response:
    """What changes on a page, for a script: as in a stream's message."""
    response = Response(body, status=status, content_type="application/json")
    response.headers["X-Version"] = str(version)
    return _spoken(response, locale)


def text_of(rejection: Rejection, locale: str, table: Table | None = None) -> str:
    """The refusal as a sentence in `locale`. Who counts refusals finds the reason in `g`."""
    g.refused = rejection.reason
    names = table.names if table else ()
    return rejection.sentence(i18n.catalogue(locale), names, i18n.listing(locale))


def refusal_of(rejection: Rejection, locale: str, table: Table | None = None) -> RefusalView:
    rule = rejection.paragraph if table else ""
    game, edition = (table.game.name, table.edition) if table else ("", "")
    text = text_of(rejection, locale, table)
    return RefusalView(rejection.reason.code, text, rule, game, edition)


def install_templates(app: Flask, games: Mapping[str, Game], assets: Assets) -> None:
    """What templates may call. `assets`: what pages load."""

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
        "inlined": lambda *names: Markup(assets.plain(JOIN.join(names)).decode()),  # noqa: S704 - our own files
        "drawings": drawings.shown,
        "drawings_of": drawings.rest,
        "drawn_once": lambda game: games[game].drawn_once(i18n.current()),
        "edition_name": lambda game, edition: games[game].editions[edition](i18n.current()),
        "way_name": lambda game, way: games[game].ways[way].name(i18n.current()),
        "way_hint": lambda game, way: games[game].ways[way].hint(i18n.current()),
        "edition_differences": lambda game: pages_of(games[game]).differences(i18n.current()),
        "setup_lines": lambda game, players: pages_of(games[game]).setup(i18n.current(), players),
        "coin_of": lambda game: pages_of(games[game]).coin,
        "role_symbol": lambda game, role: pages_of(games[game]).role_symbols[role],
        "role_label": lambda game, role: games[game].roles[role](i18n.current()),
        "points_label": lambda game: (games[game].points or str)(i18n.current()),
        "game_face": lambda game: pages_of(games[game]).face,
        "game_title": game_title,
        "endonyms": i18n.ENDONYMS,
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


def install_packing(app: Flask) -> None:
    @app.after_request
    def packed(response: Response) -> Response:
        """Pages are compressed; streams and the answers that carry secrets are not."""
        if response.mimetype != "text/html" or response.is_streamed or g.get("secret_answer"):
            return response
        response.vary.add("Accept-Encoding")
        if request.accept_encodings.quality("gzip") <= 0:
            return response
        body = response.get_data()
        if len(body) >= SMALLEST_PACKED:
            response.set_data(gzip.compress(body, PAGE_LEVEL, mtime=0))
            response.content_encoding = "gzip"
        return response
