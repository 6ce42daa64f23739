"""Which language a phone gets, and its texts inside a request and in templates.

Nothing falls back to English silently: asking for a text outside an application context is an
error, and so is a catalogue that cannot be read.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar
from functools import lru_cache
from gettext import NullTranslations

import flask_babel
from flask import Flask, has_request_context, request
from markupsafe import Markup, escape
from werkzeug.http import parse_accept_header

from companion import catalogues
from companion.languages import ENDONYMS, regional

COOKIE = "locale"
"""Where a phone keeps its choice."""


def html_lang(locale: str) -> str:
    """The value of the ``lang`` attribute and of Content-Language."""
    return regional(locale).replace("_", "-")


def negotiate(
    saved: str | None, accept_language: str | None, table_language: str | None = None
) -> str:
    """The saved choice, else the browser's first language that is spoken here, else the table's.

    The table comes before English: its people and its booklet speak that language. There is no
    guessing from one language to a neighbour's.
    """
    if saved in ENDONYMS:
        return str(saved)
    for language in _by_quality((accept_language or "")[:1000]):
        if language in ENDONYMS:
            return language
    return str(table_language) if table_language in ENDONYMS else "en"


@lru_cache(256)
def _by_quality(header: str) -> list[str]:
    """Primary tags of an Accept-Language header, best first; ``*`` and q=0 left out."""
    return [
        tag.lower().replace("_", "-").partition("-")[0]
        for tag, quality in parse_accept_header(header)
        if quality > 0 and tag != "*"
    ]


_spoken: ContextVar[str] = ContextVar("spoken")
"""The one of `LOCALES` inside `speaking`: a page asks for a hundred texts, and Flask-Babel would
look up the reader's language for each of them again."""


class _Catalogues(flask_babel.Domain):  # type: ignore[misc] # it carries no types
    """Serves the catalogues to gettext and to the templates."""

    def get_translations(self) -> NullTranslations:
        return current()


def locale() -> str:
    """The one of `LOCALES` that is being spoken; an error outside `speaking` and requests."""
    spoken = _spoken.get(None)
    if spoken is not None:
        return spoken
    chosen = flask_babel.get_locale()
    if chosen is None:
        raise RuntimeError("text was asked for outside an application context")
    return str(chosen.language)


def current() -> NullTranslations:
    """The catalogue of the language that is being spoken."""
    return catalogues.catalogue(locale())


def _chosen() -> str:
    """Flask-Babel's question, for its filters and for what is said in a request before its page
    knows a language."""
    spoken = _spoken.get(None)
    if spoken is not None:
        return str(catalogues.babel_locale(spoken))
    if not has_request_context():
        raise RuntimeError("text was asked for outside a request, and nobody says for whom")
    chosen = negotiate(request.cookies.get(COOKIE), request.headers.get("Accept-Language"))
    return str(catalogues.babel_locale(chosen))


@lru_cache(1024)
def shielded(name: str) -> str:
    """A name as HTML, set apart from the sentence around it: its letters may run the other way."""
    return f'<bdi translate="no">{escape(name)}</bdi>'


def names_list(names: Iterable[str]) -> Markup:
    """Names as a list of the language spoken ("A, B ja C"), each one set apart as a name."""
    listed = catalogues.listing(locale())(map(shielded, names))
    return Markup(listed)  # noqa: S704 - each name is escaped


def install(app: Flask) -> None:
    """Teaches `app` and its templates the five languages."""
    app.jinja_env.policies["ext.i18n.trimmed"] = True
    babel = flask_babel.Babel(app, locale_selector=_chosen)
    babel.domain_instance = _Catalogues()
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined] # of its extension
        gettext=lambda text: current().gettext(text),
        ngettext=lambda one, many, n: current().ngettext(one, many, n),
        pgettext=lambda context, text: current().pgettext(context, text),
        npgettext=lambda context, one, many, n: current().npgettext(context, one, many, n),
        newstyle=True,
    )
    # Jinja's own looks "gettext" up for each text.
    app.jinja_env.globals["_"] = app.jinja_env.globals["gettext"]
    app.jinja_env.filters["names_list"] = names_list


class speaking:  # noqa: N801 - it reads as what it does
    """Everything rendered inside is in this locale: for streams and whatever else has no
    request."""

    __slots__ = "_before", "_locale"

    def __init__(self, locale: str) -> None:
        self._locale = locale

    def __enter__(self) -> None:
        self._before = _spoken.set(self._locale)

    def __exit__(self, *_: object) -> None:
        _spoken.reset(self._before)
