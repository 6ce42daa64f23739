"""One message of a stream: what makes the page that a phone has the page that it should have.

The common parts of a page are the same objects for all phones that see them, so their line is
written once for all who had the same before, language by language; the own parts follow in
another line.
"""

from __future__ import annotations

from companion.web.view.moments import Moment
from companion.web.view.panels import WHOLE, Changes, Html, Page, Part, changes, written

Message = tuple[bytes, ...]
"""Pieces that are sent one behind the other; those that many phones are sent are equal."""


def data(said: Changes) -> bytes:
    return f"data: {written(said)}\n".encode()


def update(html: Html, moment: Moment, before: Page | None, after: Page, locale: str) -> Message:
    end = f"id: {moment.table.version}\n\n".encode()
    if before is None or before.layout != after.layout:
        return (data({WHOLE: html.whole(after, locale)}), end)
    if not _alike(before.common, after.common) or not _alike(before.own, after.own):
        return (data({WHOLE: html.whole(after, locale)}), end)
    common = moment.once_for(_common, html, before.common, after.common, locale)
    own = changes(html, before.own, after.own, locale)
    lines = [common] if common else []
    if own or not lines:
        lines.append(data(own))
    return (*lines, end)


def _common(html: Html, before: tuple[Part, ...], after: tuple[Part, ...], locale: str) -> bytes:
    said = changes(html, before, after, locale)
    return data(said) if said else b""


def _alike(before: tuple[Part, ...], after: tuple[Part, ...]) -> bool:
    """Whether these are the same parts, whatever they show."""
    return before is after or [(type(each), each.id) for each in before] == [
        (type(each), each.id) for each in after
    ]
