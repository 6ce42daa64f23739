"""Every status as a page, or as a part of one, in the reader's language; never a stack trace."""

from __future__ import annotations

import logging
from types import TracebackType
from typing import Any, Final, NoReturn

from flask import Flask, Response, g, request
from werkzeug.exceptions import ClientDisconnected, HTTPException, RequestTimeout

from companion.games.game import Reason, Rejection
from companion.tables import reasons as table_reasons
from companion.tables.log import DamagedError, NoRoomError, StorageError
from companion.web.answers.reader_language import locale_at, locale_for, shown_on_screen
from companion.web.answers.render import answer, here, text_of, wants_fragment
from companion.web.answers.services import current_services
from companion.web.http import reasons, security
from companion.web.view.asking import home
from companion.web.view.models import ErrorView

log = logging.getLogger("companion.web")

BY_STATUS = {
    400: table_reasons.BAD_REQUEST,
    403: reasons.CROSS_SITE,
    404: reasons.NOT_FOUND,
    405: reasons.BAD_METHOD,
    408: reasons.TOO_SLOW,
    413: reasons.TOO_LARGE,
    414: reasons.TOO_LARGE,
    421: reasons.WRONG_HOST,
    429: reasons.TOO_MANY,
    431: reasons.TOO_LARGE,
    500: reasons.SERVER_ERROR,
}

TOO_SLOW = "companion.too_slow"
"""A server puts this into a request's environment when the body took too long."""

TOO_OFTEN_PAGES_MAX = 50

STORE_RETRY_S = 10

LOGGED_EVERY_S = 10.0
"""Lines of the log about the disk: a phone that goes on trying must not fill it."""

RETRY_S = 60
"""Where too many follow tables at once, and nobody knows when one of them leaves."""


class Refused(HTTPException):
    """A refusal that ends the request; the reader gets its sentence."""

    def __init__(self, rejection: Rejection) -> None:
        super().__init__(str(rejection.reason))
        self.rejection = rejection
        self.code = rejection.reason.status


def refuse(reason: Reason, **params: Any) -> NoReturn:
    raise Refused(Rejection(reason, params))


def page_for(rejection: Rejection, status: int | None = None) -> Response:
    code = status or rejection.reason.status
    locale = _locale(code)
    asked = request.method == "GET" and code != 429  # not back to a form
    start = home(asked and _opened_on_screen())
    view = ErrorView(
        here=here() if asked else "/",
        status=code,
        reason=rejection.reason.code,
        text=text_of(rejection, locale),
        back=_back(code) or start,
        home=start,
        again_s=_wait_s(rejection) if code == 429 and request.method == "GET" else 0,
    )
    if code != 429:
        return answer("error", view, locale, status=code)
    return _cheaply(view, locale)


def _locale(status: int) -> str:
    """As on the page that was asked for. No table is looked for in a flood of requests, nor where
    something is broken."""
    if status == 429 or status >= 500:
        return locale_for(screen=shown_on_screen(_asked_for()))
    return locale_at(_asked_for())


def _opened_on_screen() -> bool:
    """Whether a page of a table was asked for from its screen, or that itself; no route is thereby
    one that looks for a field."""
    from_screen = b"screen=1" in request.query_string.split(b"&")
    return request.path.startswith("/t/") and (from_screen or request.path.endswith("/screen"))


def _asked_for() -> str:
    """The page that was asked for; of a form that says so, the one on which it stands."""
    return security.local_path(g.get("form_on") or here(), "/")


def _cheaply(view: ErrorView, locale: str) -> Response:
    """429 pages are cached by language and waiting time, so that a flood of requests costs
    little."""
    drawn = current_services().too_often_pages
    like = locale, view.text, wants_fragment(), view.again_s
    response = drawn.get(like)
    if response is None:
        if len(drawn) >= TOO_OFTEN_PAGES_MAX:
            drawn.clear()
        drawn[like] = response = answer("error", view, locale, status=view.status)
    return Response(response.get_data(), view.status, response.headers.copy())


def _wait_s(rejection: Rejection) -> int:
    return int(rejection.params.get("wait_s", RETRY_S))


def _back(status: int) -> str:
    """A device at the table goes back to it, a table screen to the screen; empty: others go to the
    start page."""
    found, screen = request.view_args or {}, "/screen" if shown_on_screen(_asked_for()) else ""
    if status in (409, 503) and "table_id" in found:
        return f"/t/{found['table_id']}{screen}"
    if status in (409, 503) and "key" in found and screen:
        return f"/j/{found['key']}{screen}"
    return ""


def _handle(error: HTTPException) -> Response:
    if isinstance(error, ClientDisconnected) and request.environ.get(TOO_SLOW):
        error = RequestTimeout()
    if isinstance(error, Refused):
        response = page_for(error.rejection, error.code)
        if error.code == 429:
            response.headers["Retry-After"] = str(_wait_s(error.rejection))
    else:
        code = error.code or 500
        otherwise = table_reasons.BAD_REQUEST if code < 500 else reasons.SERVER_ERROR
        reason = BY_STATUS.get(code, otherwise)
        response = page_for(Rejection(reason), code)
        for name, value in error.get_headers():
            if name in ("Allow", "Retry-After"):
                response.headers[name] = value
    return response


class Quiet(Flask):
    """Logs what went wrong by the route's pattern: the address may hold a join key."""

    def log_exception(
        self,
        exc_info: tuple[type, BaseException, TracebackType] | tuple[None, None, None],
    ) -> None:
        rule = request.url_rule.rule if request.url_rule else "an unknown address"
        log.error("%s %s failed", request.method, rule, exc_info=exc_info)


STORE_REASONS: Final = {
    NoRoomError: reasons.ALL_USED_UP,
    DamagedError: reasons.TABLE_DAMAGED,
}
"""Where not the whole store is broken."""


def not_saved(error: StorageError) -> Rejection:
    """The disk is full or broken, the database is away, there is no room for more tables, or this
    one cannot be read: the log tells the program's owner. What was sent to a database that fell
    silent may still be done: who sends it again is told so, by its request key."""
    services = current_services()
    reason = STORE_REASONS.get(type(error), reasons.STORE_BROKEN)
    services.unsaved += 1
    services.out_of_reach |= reason is reasons.STORE_BROKEN
    if services.clock() >= services.unsaved_logged_at + LOGGED_EVERY_S:
        log.error(
            "%s%s; phones are told to try again (requests refused: %d)",
            "nothing can be saved: " if reason is reasons.STORE_BROKEN else "",
            error,
            services.unsaved,
        )
        services.unsaved, services.unsaved_logged_at = 0, services.clock()
    return Rejection(reason)


def _say_when(response: Response) -> Response:
    """When to try again, where nothing can be saved."""
    if response.status_code == 503:
        response.headers.setdefault("Retry-After", str(STORE_RETRY_S))
    return response


def _say_that_it_is_over(response: Response) -> Response:
    services = current_services()
    if services.out_of_reach and request.method == "POST" and response.status_code < 400:
        services.out_of_reach = False
        log.warning("what is sent is saved again")
    return response


def _store_broken(error: StorageError) -> Response:
    return page_for(not_saved(error))


def install(app: Flask) -> None:
    app.register_error_handler(HTTPException, _handle)
    app.register_error_handler(StorageError, _store_broken)
    app.after_request(_say_when)
    app.after_request(_say_that_it_is_over)
