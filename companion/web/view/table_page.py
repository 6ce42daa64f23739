"""A page of a table as it is now: its parts for streams and scripts, or the whole of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, request
from markupsafe import Markup

from companion.tables.model import Table
from companion.web.view.access import Asking, offer_of, turn_of, view_of
from companion.web.view.games import Me, pages_of
from companion.web.view.models import NOTHING_TYPED, RefusalView, TablePage, Typed
from companion.web.view.moments import Moment
from companion.web.view.panels import WHOLE, Page, changes, written
from companion.web.view.render import locale_for, page_answer, part_answer
from companion.web.view.services import House, house


def moment_of(here: House, table: Table) -> Moment:
    return here.moments.of(table, here.host_gone(table), here.base())


def page_of(
    here: House,
    moment: Moment,
    who: Asking,
    *,
    refusal: RefusalView | None = None,
    typed: Typed = NOTHING_TYPED,
    sheet: Any = None,
) -> Page:
    """The parts of a page, where the game has drawn it so; else the page as one."""
    table = moment.table
    if who.page in ("seat", "screen") and table.play is not None:
        code = here.tables.code(table.id) or ""
        me = Me(who.device, who.seat, who.path, turn_of(who, here), code, refusal, sheet)
        page = pages_of(table.game).page(who.page, moment, me)
        if page is not None:
            return page
    view = view_of(who, here, live=who.live, gone=moment.host_gone)
    return Page(TablePage(who.page, view, who.path, refusal, typed, offer_of(here, who)))


def show(
    who: Asking,
    *,
    status: int = 200,
    refusal: RefusalView | None = None,
    typed: Typed = NOTHING_TYPED,
    sheet: Any = None,
) -> Response:
    """The whole page as the answer to this request."""
    here = house()
    moment = moment_of(here, who.table)
    page = page_of(here, moment, who, refusal=refusal, typed=typed, sheet=sheet)
    locale = locale_for(who.table, screen=who.page == "screen")
    return page_answer(
        who.page,
        view_of(who, here, live=who.live, gone=moment.host_gone),
        locale,
        Markup(here.html.whole(page, locale)),  # noqa: S704 - drawn by templates
        status=status,
        at=who.path,
        version=who.table.version,
        seat_query=who.seat_query,
        sheet=sheet,
    )


def parts_whole(who: Asking) -> Response:
    """All of its page, for a script."""
    here = house()
    page = page_of(here, moment_of(here, who.table), who)
    locale = locale_for(who.table, screen=who.page == "screen")
    said = written({WHOLE: here.html.whole(page, locale)}, here.html, locale)
    return part_answer(said, locale, 200, who.table.version)


def follows() -> bool:
    """Whether the page whose script asks has its stream, which brings what is new."""
    return request.headers.get("X-Stream") == "open"


def parts_refused(who: Asking, *, status: int, refusal: RefusalView, typed: Typed) -> Response:
    """What differs on its page because something was refused, for a script; all of the page where
    it may have missed what has happened meanwhile."""
    here = house()
    moment = moment_of(here, who.table)
    locale = locale_for(who.table, screen=who.page == "screen")
    before = page_of(here, moment, who)
    after = page_of(here, moment, who, refusal=refusal, typed=typed)
    said: Mapping[str, Any]
    if follows() and after.own and before.layout == after.layout:
        said = changes(before.own, after.own)
    else:
        said = {WHOLE: here.html.whole(after, locale)}
    return part_answer(written(said, here.html, locale), locale, status, who.table.version)
