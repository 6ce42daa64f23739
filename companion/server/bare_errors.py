"""Error responses for connections that are refused before Flask sees them: short, in all
languages."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus

from companion import catalogues, i18n, languages
from companion.games.game import Rejection
from companion.web.answers.errors import BY_STATUS, RETRY_S
from companion.web.http.security import HEADERS, OVER_HTTPS

REASONS = {status: BY_STATUS[status] for status in (400, 408, 414, 429, 431, 500)}


@cache
def page(status: int) -> bytes:
    """The body: one sentence in every language, since the reader's language is not known."""
    lines = "".join(
        f'<p lang="{i18n.html_lang(locale)}">{_said(locale, status)}</p>'
        for locale in languages.LOCALES
    )
    return (
        '<!doctype html><html lang="en-GB"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><meta name="color-scheme" '
        f'content="dark light"><title>{status}</title>{lines}<p><a href="/">→ /</a></p></html>\n'
    ).encode()


def _said(locale: str, status: int) -> str:
    return Rejection(REASONS[status]).sentence(catalogues.catalogue(locale))


def headers(status: int) -> list[tuple[str, str]]:
    more = [("Retry-After", str(RETRY_S))] if status == 429 else []
    return [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Length", str(len(page(status)))),
        ("Connection", "close"),
        ("Cache-Control", "no-store"),
        *HEADERS.items(),
        *OVER_HTTPS.items(),  # nobody has looked yet how it came
        *more,
    ]


def status_line(status: int) -> str:
    return f"{status} {HTTPStatus(status).phrase}"


@cache
def answer(status: int) -> bytes:
    """The whole answer, as it goes over the wire."""
    head = "".join(f"{name}: {value}\r\n" for name, value in headers(status))
    return f"HTTP/1.1 {status_line(status)}\r\n{head}\r\n".encode("latin-1") + page(status)


def load() -> None:
    """All of them, ahead of time: the catalogues take a moment to read."""
    for status in REASONS:
        answer(status)
