"""The one door through which pages, answers to scripts and streams are rendered.

A page `pages/<name>.html` includes its live part `parts/<name>.html`; a stream or an answer
to a script is that part alone. Both are the same function of the view and the language, request or
no request.
"""

from __future__ import annotations

import gzip
import secrets
from collections.abc import Mapping
from typing import Any

from flask import Flask, Response, current_app, g, request

from companion import i18n
from companion.games.game import Rejection
from companion.tables import refusals as table_messages
from companion.tables.model import Table
from companion.web.http import refusals as web_messages
from companion.web.view import rulebook
from companion.web.view.games import pages_of
from companion.web.view.rule_anchors import rule_of, rules_path

SCREEN_COOKIE = "screen_locale"
"""The table screen's own language, on a laptop whose player has another one."""

SMALLEST_PACKED = 600
"""Bytes; what is smaller fits one packet anyway."""


def render(
    app: Flask,
    name: str,
    locale: str,
    *,
    view: object,
    here: str,
    fragment: bool = False,
    refusal: Mapping[str, str] | None = None,
    key: str | None = None,
    **more: Any,
) -> str:
    """The page `name` in `locale`, or only its live part."""
    template = app.jinja_env.get_template(f"{'parts' if fragment else 'pages'}/{name}.html")
    with i18n.speaking(app, locale):
        return template.render(
            view=view,
            page=name,
            here=here,
            refusal=refusal,
            key=key or secrets.token_urlsafe(9),
            lang=locale,
            html_lang=i18n.html_lang(locale),
            endonyms=i18n.ENDONYMS,
            **more,
        )


def locale_for(table: Table | None = None, *, screen: bool = False) -> str:
    """The language of whoever asks."""
    saved = request.cookies.get(i18n.COOKIE)
    if screen:
        saved = request.cookies.get(SCREEN_COOKIE) or saved
    return i18n.negotiate(
        saved, request.headers.get("Accept-Language"), table.language if table else None
    )


def wants_fragment() -> bool:
    """A script asks for a part of the page."""
    return request.headers.get("X-Requested-With") == "fetch"


def here() -> str:
    """This page, for the language form to come back to."""
    return request.full_path.rstrip("?") if request.method == "GET" else request.path


def answer(
    name: str,
    view: object,
    locale: str,
    *,
    status: int = 200,
    fragment: bool | None = None,
    at: str | None = None,
    **more: Any,
) -> Response:
    """The rendered page or part as an answer to this request."""
    text = render(
        current_app,
        name,
        locale,
        view=view,
        here=at or here(),
        fragment=wants_fragment() if fragment is None else fragment,
        **more,
    )
    return html(text, locale, status)


def html(text: str, locale: str, status: int = 200) -> Response:
    """What was rendered in a language as an answer."""
    response = Response(text, status=status, content_type="text/html; charset=utf-8")
    response.headers["Content-Language"] = i18n.html_lang(locale)
    response.headers["Vary"] = "Cookie, Accept-Language, X-Requested-With"
    return response


def status_of(rejection: Rejection) -> int:
    if rejection.reason in web_messages.STATUS:
        return web_messages.STATUS[rejection.reason]
    return table_messages.status(rejection.reason)


def text_of(rejection: Rejection, locale: str, table: Table | None = None) -> str:
    """The refusal as a sentence in `locale`."""
    translations = i18n.catalogue(locale)
    if rejection.reason in web_messages.STATUS:
        return web_messages.sentence(
            translations, rejection.reason, rejection.params.get("wait_s", 60)
        )
    names = {seat.id: seat.name for seat in table.seats} if table else {}
    return table_messages.sentence(translations, rejection, names, i18n.listing(locale))


def refusal_of(rejection: Rejection, locale: str, table: Table | None = None) -> dict[str, str]:
    refusal = {"reason": rejection.reason, "text": text_of(rejection, locale, table)}
    game = rejection.params.get("game")  # the game itself refused, not the table
    rule = rule_of(game, rejection.reason, rejection.params) if game else None
    return refusal | ({"rule": rule} if rule else {})


def install(app: Flask) -> None:
    app.jinja_env.globals |= {
        "asset": house_asset(app),
        "edition_differences": lambda game: pages_of(game).differences(i18n.current()),
        "game_face": lambda game: pages_of(game).face,
        "game_title": game_title,
        "kit_of": lambda game, page, way="": pages_of(game).kit(page, way),
        "rule_of": rule_of,
        "rule_title": lambda *rule: rulebook.title(i18n.current(), *rule),
        "rules_path": rules_path,
    }
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True

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
            response.set_data(gzip.compress(body, 6, mtime=0))
            response.content_encoding = "gzip"
        return response


def game_title(game: str, whole: bool = False) -> str:
    pages = pages_of(game)
    return pages.whole_title(i18n.current()) if whole else pages.title


def house_asset(app: Flask) -> Any:
    def asset(name: str) -> str:
        url: str = app.extensions["companion"].assets.url(name)
        return url

    return asset
