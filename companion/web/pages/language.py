"""The language switch: one tap, kept for a year, and back to the same page."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from companion import i18n, languages
from companion.tables import reasons as table_reasons
from companion.web.answers.errors import refuse
from companion.web.answers.reader_language import SCREEN_COOKIE, locale_at, shown_on_screen
from companion.web.answers.render import answer
from companion.web.html.panels import View
from companion.web.http import security

blueprint = Blueprint("language", __name__)


class LanguageView(View, frozen=True):
    """The languages to choose from."""

    template = "panels/language.html"

    here: str


@blueprint.get("/language")
def choose() -> Response:
    where = security.local_path(request.args.get("next"), "/")
    return answer("language", LanguageView(where), locale_at(where))


@blueprint.post("/language")
def chosen() -> BaseResponse:
    wanted = request.form.get("locale", "")
    if wanted not in languages.ENDONYMS:
        refuse(table_reasons.BAD_REQUEST, field="locale")
    where = security.local_path(request.form.get("next"), "/")
    response = redirect(where, 303)
    security.keep_cookie(response, SCREEN_COOKIE if shown_on_screen(where) else i18n.COOKIE, wanted)
    return response
