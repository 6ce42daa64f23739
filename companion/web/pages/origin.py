"""Where a posted form stands."""

from __future__ import annotations

import re
from urllib.parse import parse_qs

from flask import request

from companion.values import Value
from companion.web.answers.access import DEAL
from companion.web.http import security
from companion.web.view.asking import PAGES, PageName

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
    query = parse_qs(parts.query)

    def asked(name: str, pattern: str) -> str:
        found = re.fullmatch(pattern, query.get(name, [""])[0], re.ASCII)
        return found[0] if found else ""

    return Origin(
        page, asked("seat", r"\d{1,9}") or None, asked("dealt", DEAL), bool(asked("screen", "1"))
    )
