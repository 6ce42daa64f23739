"""The language of whoever reads a page: chosen, or asked for by the browser, or the table's."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import SplitResult, parse_qs

from flask import request

from companion import i18n
from companion.tables.log import StorageError
from companion.tables.model import Table
from companion.web.answers.admission import denied
from companion.web.answers.services import current_services
from companion.web.http import security
from companion.web.view.asking import OPENED

SCREEN_COOKIE = "screen_locale"
"""The table screen's own language, on a laptop whose player has another one."""


def locale_for(table: Table | None = None, *, screen: bool = False) -> str:
    """The reader's language."""
    return locale_by_table(screen=screen)(table)


def has_chosen(*, screen: bool) -> bool:
    """Whether the reader has chosen a language, here or elsewhere."""
    return _saved(screen=screen) is not None


def _saved(*, screen: bool) -> str | None:
    saved = request.cookies.get(i18n.COOKIE)
    return request.cookies.get(SCREEN_COOKIE) or saved if screen else saved


def locale_by_table(*, screen: bool) -> Callable[[Table | None], str]:
    """The reader's language, whatever the table's will be: known beyond this request."""
    saved = _saved(screen=screen)
    accepted = request.headers.get("Accept-Language")
    return lambda table: i18n.negotiate(saved, accepted, table.language if table else None)


_SCREENS = re.compile(r"/[tj]/[\w-]+/screen|/j/[\w-]+/(replay|story|fair)")
_OPENED = re.compile(rf"/t/[\w-]+({'|'.join(OPENED)})")
_BESIDE = re.compile(r"/rules/\w+(/scores)?|/explain/\w+|/privacy")
_AT_TABLE = re.compile(r"/([tj])/([\w-]+)(?:/|\Z)")


def shown_on_screen(address: str) -> bool:
    """Whether a page is shown on a table screen, and has its language: the screen itself, what is
    opened there, and what leads back to one of these."""
    parts = _led_back(address)
    if parts is None:
        return False
    if _OPENED.fullmatch(parts.path):
        return parse_qs(parts.query).get("screen") == ["1"]
    return _SCREENS.fullmatch(parts.path) is not None


def table_path(table: Table | None, back: str) -> str:
    """The address of the reader's table, where `back` leads to a page of it; empty: elsewhere."""
    return f"/t/{table.id}" if table is not None and back.startswith("/t/") else ""


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
    if table is None or denied(services.arrivals, table, device, "screen") is not None:
        return None
    return table


def locale_at(address: str) -> str:
    """The reader's language on a page, or on what leads back to it; also while no table can be
    read."""
    table = None
    with suppress(StorageError):
        table = table_at(address)
    return locale_for(table, screen=shown_on_screen(address))


def _led_back(address: str) -> SplitResult | None:
    """The page itself, or the one that is led back to from beside it."""
    parts = security.url_parts(address)
    while parts is not None and _BESIDE.fullmatch(parts.path):
        parts = security.url_parts(parse_qs(parts.query).get("back", ["/"])[0])
    return parts
