"""One message of a stream: what makes the page that a phone has the page that it should have.

The common parts of a page are the same objects for all phones that see them, so their line is
written once for all who had the same before, language by language; the own parts follow in
another line.
"""

from __future__ import annotations

from companion.web.view.changes import Draft, changes, draft, written
from companion.web.view.html_cache import Html
from companion.web.view.moments import Moment
from companion.web.view.panels import BAR, MAIN, WHOLE, Page, Part

Message = tuple[bytes, ...]
"""Pieces that are sent one behind the other; those that many phones are sent are equal."""


def data(said: str) -> bytes:
    return f"data: {said}\n".encode()


def update(html: Html, moment: Moment, before: Page | None, after: Page, locale: str) -> Message:
    if before is None:
        whole = {WHOLE: html.whole(after, locale)}
        return (data(written(whole, html, locale, moment.names)), _end(moment))
    if before.layout != after.layout:
        rest = {**changes(_bar(before), _bar(after)), MAIN: html.main(after, locale)}
        return (data(written(rest, html, locale, moment.names)), _end(moment))
    common = moment.once(_common, html, before.common, after.common)
    own = changes(before.own, after.own)
    if common is not None and not own:
        return moment.once(_alone, moment, common, locale)
    line = _line(moment, draft(own, html), locale)
    if common is None:
        return (line, _end(moment))
    return (moment.once(_line, moment, common, locale), line, _end(moment))


def _bar(page: Page) -> tuple[Part, ...]:
    return tuple(part for part in page.parts if part.id == BAR)


def _common(html: Html, before: tuple[Part, ...], after: tuple[Part, ...]) -> Draft | None:
    said = changes(before, after)
    return draft(said, html) if said else None


def _alone(moment: Moment, common: Draft, locale: str) -> Message:
    """For all phones whose own parts stay."""
    return (moment.once(_line, moment, common, locale), _end(moment))


def _end(moment: Moment) -> bytes:
    return f"id: {moment.table.version}\n\n".encode()


def _line(moment: Moment, said: Draft, locale: str) -> bytes:
    return data(said.line(locale, moment.names))
