"""One message of a stream: what makes the page that a phone has the page that it should have.

The common parts of a page are the same objects for all phones that see them, so their line is
written once for all who had the same before, language by language; the own parts follow in
another line.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.web.view.moments import Moment
from companion.web.view.panels import (
    WHOLE,
    Draft,
    Html,
    Page,
    Part,
    changes,
    draft,
    written,
)

Message = tuple[bytes, ...]
"""Pieces that are sent one behind the other; those that many phones are sent are equal."""


def data(said: str) -> bytes:
    return f"data: {said}\n".encode()


def update(html: Html, moment: Moment, before: Page | None, after: Page, locale: str) -> Message:
    end = f"id: {moment.table.version}\n\n".encode()
    if before is not None and before.layout == after.layout:
        return (*_changed(html, moment, before, after, locale), end)
    whole = {WHOLE: html.whole(after, locale)}
    return (data(written(whole, html, locale, moment.names)), end)


def _changed(html: Html, moment: Moment, before: Page, after: Page, locale: str) -> Iterator[bytes]:
    common = moment.once(_common, html, before.common, after.common)
    if common is not None:
        yield moment.once(_line, moment, common, locale)
    own = changes(before.own, after.own)
    if own or common is None:
        yield _line(moment, draft(own, html), locale)


def _common(html: Html, before: tuple[Part, ...], after: tuple[Part, ...]) -> Draft | None:
    said = changes(before, after)
    return draft(said, html) if said else None


def _line(moment: Moment, said: Draft, locale: str) -> bytes:
    return data(said.line(locale, moment.names))
