"""A page's parts over server-sent events: the whole page first, unless the phone shows just that;
then what differs.

A message without a name has a line of JSON (see `html.changes.Changes`) or more, its id is the
table's version. "beat" comes every fifteen seconds, so that a phone notices a dead line. "deal"
says which random numbers a phone is to seal or to open. "gone" ends the stream: the page begins
anew.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from sys import intern
from typing import NamedTuple

from flask import Blueprint, Response, g, request

from companion.catalogues import catalogue
from companion.games.game import Reason, Rejection
from companion.i18n import html_lang
from companion.live.listener import Listener
from companion.tables import reasons as table_reasons
from companion.tables.log import StorageError
from companion.tables.model import Table
from companion.web.answers.access import asking, guest_screen
from companion.web.answers.admission import denied_look
from companion.web.answers.errors import refuse
from companion.web.answers.reader_language import has_chosen, locale_by_table
from companion.web.answers.services import Services, current_services
from companion.web.answers.shown_offers import ShownOffer
from companion.web.answers.table_page import Company, company_of, me_of, moment_of, page_of
from companion.web.html.cache import etag
from companion.web.html.changes import written
from companion.web.html.panels import WHOLE, Page
from companion.web.http import reasons
from companion.web.http.gzip_stream import packed, unpacked
from companion.web.http.limits import group
from companion.web.live.deal import deal_message
from companion.web.live.update import Message, data, update
from companion.web.view.asking import STREAMS, Asking, is_from_screen
from companion.web.view.me import Me
from companion.web.view.models import ErrorView
from companion.web.view.moments import Moment

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


class Own(NamedTuple):
    """What this phone alone has made of its page."""

    quarters: int | None
    """As its view is turned; None: its player has not said so."""
    offers: tuple[ShownOffer, ...]


@dataclass
class Stream:
    services: Services
    who: Asking
    locale_of: Callable[[Table], str]
    """The listener's language, which may be that of the table."""
    listener: Listener
    etag: str = ""
    """Of the page that the phone shows, if it has just been loaded."""
    speaks: str = ""
    """The language of that page as HTML has it, if its reader has chosen one."""
    outdated: bool = False
    """The page has been open for a while, with scripts and styles of another version of the
    program."""

    def __post_init__(self) -> None:
        self.me: Me | None = None
        self._made_of: tuple[Company, Own] | None = None
        self.locale = intern(self.locale_of(self.who.table))  # told apart by identity
        self.listener.shows = intern(self.who.page), self.locale

    def __iter__(self) -> Iterator[Message]:
        sent: Page | None = None
        moment: Moment | None = None
        own_before: Own | None = None
        deal = b""
        try:
            while True:
                now = self._look()
                last = self._last(now)
                if now is None or last is not None:
                    if last:
                        yield last
                    return
                self.who = self.who.at(now.table)
                turned = self.services.rotations.chosen_quarters(self.who)
                own = Own(turned, self.services.shown_offers.of(self.who))
                if now is not moment or own != own_before:
                    if moment is None:
                        self.services.arrivals.looked_at(self.who)
                    elif moment.names != now.names:
                        sent = None
                    moment, own_before = now, own
                    page = page_of(moment, self._me(moment, own), self.who.page)
                    if self.etag:
                        sent, self.etag = self._shown(page, moment), ""
                    said = update(self.services.html, moment, sent, page, self.listener.shows)
                    to_do = deal_message(self.services, moment, self.who.device)
                    yield (*said, to_do) if to_do and to_do != deal else said
                    sent, deal = page, to_do
                elif not self.listener.woken:
                    yield (BEAT,)
                self.listener.wait()
        except StorageError as error:
            log.error("a table cannot be read: %s; its phones try again", error)
        finally:
            self.leave()

    def _me(self, moment: Moment, own: Own) -> Me:
        """The same object as long as it is equal: what is made of it is kept under it. On a
        phone's page of the table it changes only with the company, not while others play."""
        company, me = moment.once(company_of, self.services, moment), self.me
        stays = self.who.page == "table" and company.end is None and self._made_of == (company, own)
        if me is None or not me.seats or not stays:
            found = me_of(self.services, moment, self.who)
            me = me if me == found else found
            self.me, self._made_of = me, (company, own)
        return me

    def leave(self) -> None:
        self.services.hub.leave(self.listener)

    def _last(self, now: Moment | None) -> Message | None:
        """What is said last, where the stream ends now; empty: nothing."""
        if now is None:
            return self._farewell(table_reasons.NO_TABLE)
        table = now.table
        renewed = self.who.device is None and table.link_renewals != self.who.table.link_renewals
        if self.listener.closed or renewed:
            return ()
        if self.outdated:
            return (GONE,)
        reason = denied_look(self.services.arrivals, table, self.who.device, self.who.page)
        if reason is not None:
            return self._farewell(reason)
        if self.speaks or table.language != self.who.table.language:
            locale = self.locale_of(table)
            if locale != self.locale or self.speaks not in ("", html_lang(locale)):
                return (GONE,)  # the whole page is in another language now
            self.speaks = ""
        return None

    def _look(self) -> Moment | None:
        """The table as it is now; the streams that one call woke look once."""
        services, call = self.services, self.listener.call
        known = services.moments.newest(self.who.table.id)
        if known is not None and call is not None and known.call is call:
            return known
        table = services.tables.get(self.who.table.id)
        if table is None:
            return None
        moment = moment_of(services, table)
        moment.call, moment.shown = call, services.hub.shown(table.id)
        services.hub.alarms.within(table.id, patience_s(services, table))
        return moment

    def _shown(self, page: Page, moment: Moment) -> Page | None:
        """This page, if the phone shows it already."""
        whole = self.services.html.whole(page, self.locale)
        return page if etag(whole, moment.names) == self.etag else None

    def _farewell(self, reason: Reason) -> Message:
        view = ErrorView(
            here="/",
            status=reason.status,
            reason=reason.code,
            text=Rejection(reason).sentence(catalogue(self.locale)),
            back=self.who.home,
            home=self.who.home,
        )
        part = self.services.html.fresh(view, self.locale)
        return (data(written({WHOLE: part}, self.services.html, self.locale)), b"id: 0\n\n", GONE)


class StreamBody:
    """What is sent of a stream. At its end nobody listens any more, even if it never began."""

    def __init__(self, stream: Stream, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self.close = stream.leave

    def __iter__(self) -> Iterator[bytes]:
        return self._pieces


def patience_s(services: Services, table: Table) -> float:
    """Until the next beat, until the host counts as away or gone, or until something that waits at
    the table happens by itself."""
    beat = services.heartbeat_s
    gone = services.arrivals.host_stage_s(table) + SETTLE_S
    lonely = services.arrivals.lonely_s(table)
    lonely = lonely + SETTLE_S if lonely > 0 else beat
    return min(beat, gone, lonely, services.tables.due_s(table))


def _response(who: Asking, listening_as: str) -> Response:
    address = group(request.remote_addr)
    belongs = who.device is not None  # else it is a television, and gives way
    listener = current_services().hub.subscribe(
        who.table.id, listening_as, address, belongs=belongs
    )
    if listener is None:
        g.limit_hit = "stream"
        refuse(reasons.TOO_MANY)
    stream = Stream(
        services=current_services(),
        who=who,
        locale_of=locale_by_table(screen=who.on_screen),
        listener=listener,
        etag=request.args.get("etag", ""),
        speaks=request.args.get("lang", "") if has_chosen(screen=who.on_screen) else "",
        outdated=request.args.get("made", "") not in ("", current_services().assets.hash),
    )
    squeezed = request.accept_encodings.quality("gzip") > 0
    pack = packed if squeezed else unpacked
    response = Response(
        StreamBody(stream, pack(stream)),
        content_type="text/event-stream; charset=utf-8",
        direct_passthrough=True,
    )
    if squeezed:
        response.content_encoding = "gzip"
    response.vary.add("Accept-Encoding")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    on_hangup = request.environ.get(ON_HANGUP)
    if on_hangup is not None:
        on_hangup(listener.close)
    return response


@blueprint.get("/t/<table_id>/live")
def live(table_id: str) -> Response:
    page = STREAMS.get(request.args.get("page", "seat"))
    if page is None:
        refuse(table_reasons.BAD_REQUEST, field="page")
    asked = request.args
    who = asking(
        table_id,
        page,
        asked.get("seat"),
        asked.get("dealt"),
        from_screen=is_from_screen(asked),
        looks=True,
    )
    return _response(who, who.device or "")


@blueprint.get("/j/<key>/live")
def guest_live(key: str) -> Response:
    who = guest_screen(key)
    return _response(who, GUEST_SCREEN + group(request.remote_addr))
