"""Where a posted form stands."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

from flask import request
from werkzeug.datastructures import MultiDict

from companion.values import Value
from companion.web.answers.access import DEAL
from companion.web.http import security
from companion.web.http.fields import digits
from companion.web.view.asking import PAGES, PageName, is_from_screen

_BY_PATH = {path: name for name, path in PAGES.items()}


class Origin(Value, frozen=True):
    """Where a form says that it stands."""

    page: PageName = "table"
    seat: str | None = None
    dealt: str = ""
    from_screen: bool = False


def origin_of(table_id: str) -> Origin:
    """The page of this table on which a form stands; else that of the table itself."""
    parts = security.url_parts(request.form.get("page", ""))
    if parts is None:
        return Origin()
    before, _, path = parts.path.partition(f"/t/{table_id}")
    page: PageName = "table" if before else _BY_PATH.get(path, "table")
    query = MultiDict(parse_qsl(parts.query))
    seat, dealt = query.get("seat", ""), query.get("dealt", "")
    return Origin(
        page,
        seat=seat if digits(seat) is not None else None,
        dealt=dealt if re.fullmatch(DEAL, dealt, re.ASCII) else "",
        from_screen=is_from_screen(query),
    )
