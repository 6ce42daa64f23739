"""One message of a stream: what makes the page that a phone has the page that it should have.

The common parts of a page are the same objects for all phones that see them, so their line is
written once for all who had the same before, language by language; the own parts follow in
another line.
"""

from __future__ import annotations

from companion.web.html.cache import Html
from companion.web.html.changes import Draft, changes, draft, written
from companion.web.html.panels import BAR, MAIN, WHOLE, Page, Part
from companion.web.view.moments import Moment

Message = tuple[bytes, ...]
"""Pieces that are sent one behind the other; those that many phones are sent are equal."""


def data(said: bytes) -> bytes:
    return b"data: %s\n" % said


def update(
    html: Html, moment: Moment, before: Page | None, after: Page, shows: tuple[str, str]
) -> Message:
    """`shows`: the page, by name and language."""
    locale = shows[1]
    if before is None:
        whole = {WHOLE: html.whole_json(after, locale)}
        return (data(written(whole, html, locale, moment.names)), _end(moment))
    if before.layout != after.layout:
        rest = {**changes(_bar(before), _bar(after)), MAIN: html.main_json(after, locale)}
        return (data(written(rest, html, locale, moment.names)), _end(moment))
    common = moment.once(_common, html, before.common, after.common)
    own = changes(before.own, after.own)
    lines = [] if common is None else [_common_line(moment, common, *shows)]
    if own or common is None:
        lines.append(_line(moment, draft(own, html), locale))
    return (*lines, _end(moment))


def _bar(page: Page) -> tuple[Part, ...]:
    return tuple(part for part in page.parts if part.id == BAR)


def _common(html: Html, before: tuple[Part, ...], after: tuple[Part, ...]) -> Draft | None:
    said = changes(before, after)
    return draft(said, html) if said else None


def _common_line(moment: Moment, common: Draft, page: str, locale: str) -> bytes:
    line = moment.once(_lines, moment, common, page).get(locale)
    return moment.once(_line, moment, common, locale) if line is None else line


def _lines(moment: Moment, common: Draft, page: str) -> dict[str, bytes]:
    """In all languages in which this page follows the table, one after the other: what has just
    been drawn is drawn in another language in half of the time that it takes later."""
    locales = [locale for name, locale in moment.shown if name == page]
    common.draw(locales)
    return {locale: _line(moment, common, locale) for locale in locales}


def _end(moment: Moment) -> bytes:
    return f"id: {moment.table.version}\n\n".encode()


def _line(moment: Moment, said: Draft, locale: str) -> bytes:
    return data(said.line(locale, moment.names))
