"""The one door through which pages and answers to scripts go.

A page `pages/<name>.html` stands around what was drawn from a value; a stream or an answer to a
script is what was drawn, alone. Both are the same function of value and language, request or no
request.
"""

from __future__ import annotations

import gzip
from collections.abc import MutableMapping
from http.client import NO_CONTENT
from typing import Any

import jinja2
from flask import Flask, Response, current_app, g, request
from flask.templating import Environment as FlaskEnvironment
from markupsafe import Markup

from companion import catalogues, i18n
from companion.games.game import Rejection
from companion.tables.model import Table
from companion.web.answers.services import current_services
from companion.web.html.panels import View
from companion.web.view.models import RefusalView

SMALLEST_PACKED = 600
"""Bytes; what is smaller fits one packet anyway."""

PAGE_LEVEL = 9
"""Of gzip: a page is a sixtieth smaller than by 6, and takes a tenth of a millisecond more."""


class Context(jinja2.runtime.Context):
    """Jinja would compare the names of all globals, for every template that one imports."""

    def __init__(
        self,
        environment: jinja2.Environment,
        parent: dict[str, Any],
        name: str | None,
        blocks: dict[str, Any],
        globals: MutableMapping[str, Any] | None = None,
    ) -> None:
        super().__init__(environment, parent, name, blocks)


class Environment(FlaskEnvironment):
    """All templates have the same globals: the environment's. Jinja would look up each name in a
    chain of maps, for every piece of HTML that is drawn, in case a template had some of its own."""

    context_class = Context

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


def html(text: str | bytes, locale: str, status: int = 200) -> Response:
    """What was rendered in a language as an answer."""
    body = text if isinstance(text, bytes) else encoded(text)
    return _spoken(Response(body, status, content_type=HTML), locale)


def encoded(text: str) -> bytes:
    """As it is sent; a record may have half a letter in a name."""
    return text.encode(errors="replace")


def _spoken(response: Response, locale: str) -> Response:
    response.headers["Content-Language"] = i18n.html_lang(locale)
    response.headers["Vary"] = "Cookie, Accept-Language, X-Requested-With"
    return response


def part_answer(body: bytes, locale: str, status: int, version: int) -> Response:
    """What changes on a page, for a script: as in a stream's message."""
    response = Response(body, status=status, content_type="application/json")
    response.headers["X-Version"] = str(version)
    return _spoken(response, locale)


def text_of(rejection: Rejection, locale: str, table: Table | None = None) -> str:
    """The refusal as a sentence in `locale`. Who counts refusals finds the reason in `g`."""
    g.refused = rejection.reason
    names = table.names if table else ()
    return rejection.sentence(catalogues.catalogue(locale), names, catalogues.listing(locale))


def refusal_of(rejection: Rejection, locale: str, table: Table | None = None) -> RefusalView:
    rule = rejection.paragraph if table else ""
    game, edition = (table.game.name, table.edition) if table else ("", "")
    text = text_of(rejection, locale, table)
    return RefusalView(rejection.reason, text, rule, game, edition)


def install_packing(app: Flask) -> None:
    @app.after_request
    def packed(response: Response) -> Response:
        """Pages are compressed; streams and the answers that carry secrets are not."""
        if response.content_type != HTML or response.is_streamed or g.get("secret_answer"):
            return response
        if response.status_code == NO_CONTENT:
            return response
        response.vary.add("Accept-Encoding")
        if request.accept_encodings.quality("gzip") <= 0:
            return response
        body = response.get_data()
        if len(body) >= SMALLEST_PACKED:
            response.set_data(gzip.compress(body, PAGE_LEVEL, mtime=0))
            response.content_encoding = "gzip"
        return response
