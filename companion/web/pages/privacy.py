"""What is kept of whoever plays, said in plain words; every page's foot leads here."""

from __future__ import annotations

import re
from urllib.parse import urlencode

from flask import Blueprint, Response, request

from companion.web.answers.reader_language import locale_at
from companion.web.answers.render import answer
from companion.web.answers.services import current_services
from companion.web.html.panels import View
from companion.web.http import security

blueprint = Blueprint("privacy", __name__)

HERE = "/privacy"

NO_WAY_BACK = (HERE, "/language", "/code", "/open")
"""From here, or for an answer to a form and no page."""


class PrivacyView(View, frozen=True):
    """What is kept of whoever plays, and how it is deleted."""

    template = "panels/privacy.html"

    here: str
    back: str
    operator: str  # empty: whoever opened the table
    contact: str
    contact_link: str  # empty where it is none
    unused_days: int


@blueprint.get(HERE)
def privacy() -> Response:
    settings, back = current_services().settings, _back()
    view = PrivacyView(
        here=f"{HERE}?{urlencode({'back': back})}",
        back=back,
        operator=settings.operator,
        contact=settings.contact,
        contact_link=_link(settings.contact),
        unused_days=settings.unused_days,
    )
    return answer("privacy", view, locale_at(back))


def _back() -> str:
    """The page that the reader has come from, as the language form or the browser says it."""
    asked = request.args.get("back")
    if asked is None:
        came_from = security.url_parts(request.headers.get("Referer", ""))
        ours = came_from if security.is_our_address(came_from) else None
        asked = ours._replace(scheme="", netloc="").geturl() if ours else "/"
    return "/" if asked.startswith(NO_WAY_BACK) else security.local_path(asked, "/")


def _link(contact: str) -> str:
    if re.fullmatch(r"[^\s@/:]+@[^\s@/:]+", contact):
        return f"mailto:{contact}"
    return contact if contact.startswith(("https://", "http://")) else ""
