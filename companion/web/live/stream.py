"""A page's live part over server-sent events: the whole present view first, then each new one.

A message without a name is the part as HTML, its id the table's version. "beat" comes every fifteen
seconds, so that a phone notices a dead line. "gone" ends the stream for good.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass

from flask import Blueprint, Flask, Response, current_app, request

from companion.games.game import Rejection
from companion.live.hub import Listener
from companion.tables.log import StorageError
from companion.web.http.gzip_stream import packed
from companion.web.http.limits import group
from companion.web.live.fragment import fragment
from companion.web.pages.join import table_of
from companion.web.view.access import PAGES, Asking, asking
from companion.web.view.errors import refuse
from companion.web.view.models import ErrorView
from companion.web.view.render import locale_for, render, status_of, text_of
from companion.web.view.services import House, house

log = logging.getLogger("companion.web")

blueprint = Blueprint("stream", __name__)

BEAT = b"event: beat\ndata:\n\n"
GONE = b"event: gone\ndata:\n\n"
GUEST_SCREEN = "guest-screen:"

ON_HANGUP = "companion.on_hangup"
"""A server puts this into a request's environment: called with what is to be done when the
connection ends."""

SETTLE_S = 0.05
"""After the moment when the host counts as gone, so that it surely does."""


def message(text: str, identity: str) -> bytes:
    lines = re.sub(r"[\r\n]\s*", "\ndata: ", text.strip())
    return f"id: {identity}\ndata: {lines}\n\n".encode()


@dataclass
class Stream:
    app: Flask
    house: House
    who: Asking
    live: str
    path: str
    locale: str
    listener: Listener

    def __iter__(self) -> Iterator[bytes]:
        sent: object = None
        try:
            while True:
                table = self.house.tables.get(self.who.table.id)
                if table is None:
                    yield self._farewell("no_table")
                    return
                if self.listener.closed:
                    return
                reason = self.house.denied(table, self.who.device, self.who.page)
                if reason is not None:
                    yield self._farewell(reason)
                    return
                self.who = Asking(table, self.who.device, self.who.page, self.who.seat)
                now = (
                    table.version,
                    self.house.host_gone(table),
                    self.house.base(),
                    self.house.turns.of(self.who.device),
                )
                if now != sent:
                    sent = now
                    part = fragment(self.app, self.who, self.locale, live=self.live, path=self.path)
                    yield message(part, str(table.version))
                elif not self.listener.woken:
                    yield BEAT
                self.listener.wait(self._patience())
        except StorageError as error:
            log.error("a table cannot be read: %s; its phones try again", error)
        finally:
            self.house.hub.leave(self.listener)

    def _patience(self) -> float:
        """Until the next beat, or until the host counts as gone."""
        limit = self.house.settings.host_gone_s
        away = self.house.host_gone_s(self.who.table)
        beat = self.house.heartbeat_s
        return min(beat, limit - away + SETTLE_S) if 0 < away < limit else beat

    def _farewell(self, reason: str) -> bytes:
        rejection = Rejection(reason)
        with self.app.app_context():
            view = ErrorView(
                status=status_of(rejection),
                reason=reason,
                text=text_of(rejection, self.locale),
                back="/",
            )
            part = render(self.app, "error", self.locale, view=view, here="/", fragment=True)
        return message(part, "0") + GONE


def _response(who: Asking, listening_as: str) -> Response:
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    locale = locale_for(who.table, screen=who.page == "screen")
    address = group(request.remote_addr)
    plays = who.device is not None and who.table.play is not None
    listener = house().hub.subscribe(who.table.id, listening_as, address, plays=plays)
    if listener is None:
        refuse("too_many")
    stream = Stream(app, house(), who, who.live, who.path, locale, listener)
    squeezed = request.accept_encodings.quality("gzip") > 0
    body = packed(stream) if squeezed else iter(stream)
    response = Response(body, content_type="text/event-stream; charset=utf-8")
    if squeezed:
        response.content_encoding = "gzip"
    response.vary.add("Accept-Encoding")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(lambda: house_leave(stream))
    on_hangup = request.environ.get(ON_HANGUP)
    if on_hangup is not None:
        on_hangup(listener.close)
    return response


def house_leave(stream: Stream) -> None:
    stream.house.hub.leave(stream.listener)


@blueprint.get("/t/<table_id>/live")
def live(table_id: str) -> Response:
    page = request.args.get("page", "seat")
    if page not in PAGES:
        refuse("bad_request", field="page")
    who = asking(table_id, page, request.args.get("seat"))
    return _response(who, who.device or "")


@blueprint.get("/j/<key>/live")
def guest_live(key: str) -> Response:
    table = table_of(key)
    return _response(Asking(table, None, "screen"), GUEST_SCREEN + (request.remote_addr or ""))
