"""How one connection is served: gevent's handler, and what it lacks for a room full of phones.

Small packets leave at once; who stays silent, or sends without end, is let go; the end of the
program closes what is idle; and nothing is logged here, since an address may hold a join key.
"""

from __future__ import annotations

import logging
import socket
from collections import Counter
from contextlib import suppress
from http.client import HTTPException
from types import TracebackType
from typing import Any

import gevent
from gevent.pywsgi import Input, WSGIHandler, WSGIServer

from companion.web.limits import group

log = logging.getLogger("companion.server")

SILENT_S = 75.0
"""A connection may say nothing, or take nothing, for so long."""

HEAD_S = 20.0
"""The head of a request may take so long to arrive."""

DEAD_S = 30
"""Who has not answered what was sent for so long has gone without a goodbye."""

DISCARDED_MAX = 256 * 1024
"""Bytes of a body nobody wanted that are read so as to keep the connection."""


class Body(Input):  # type: ignore[misc] # gevent carries no types
    """What was sent with a request. A long rest that nobody reads costs the connection."""

    __slots__ = ("handler",)

    def _discard(self) -> None:
        self.socket = None  # type: ignore[misc] # nobody is told to go on sending
        left = DISCARDED_MAX
        unread = self.chunked_input or self.position < (self.content_length or 0)
        while unread and not self._chunked_input_error:
            piece = self.read(16384)
            left -= len(piece)
            if not piece:
                break
            if left < 0:
                self.handler.close_connection = True
                break


def notice_death(sock: Any) -> None:
    """A phone out of reach says nothing; its stream must end before long, for presence hangs on it.

    Linux gives up what is not acknowledged in time; elsewhere it is asked whether it is there.
    """
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (
        ("TCP_USER_TIMEOUT", DEAD_S * 1000),
        ("TCP_KEEPIDLE", DEAD_S // 2),
        ("TCP_KEEPALIVE", DEAD_S // 2),  # as macOS calls it
        ("TCP_KEEPINTVL", DEAD_S // 6),
        ("TCP_KEEPCNT", 3),
    ):
        if hasattr(socket, name):
            with suppress(OSError):  # Python knows it, this kernel does not
                sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


class Handler(WSGIHandler):  # type: ignore[misc] # gevent carries no types
    idle = False
    wsgi_input: Any

    def __init__(self, sock: Any, address: Any, server: Server) -> None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        notice_death(sock)
        sock.settimeout(SILENT_S)
        super().__init__(sock, address, server)

    def handle(self) -> None:
        self.server.connections.add(self)
        try:
            super().handle()
        finally:
            self.server.connections.discard(self)

    def read_requestline(self) -> str:
        self.idle = True
        try:
            line: str = "" if self.server.ending else super().read_requestline()
        finally:
            self.idle = False
        return line

    def read_request(self, raw_requestline: str) -> bool:
        with gevent.Timeout(HEAD_S, TimeoutError("the head of the request took too long")):
            try:
                return bool(super().read_request(raw_requestline))
            except (HTTPException, OSError) as error:  # too many, too long, too slow, cut off
                raise ValueError("the head of the request is not HTTP") from error

    def get_environ(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environ()
        plain = self.wsgi_input
        body = Body(plain.rfile, plain.content_length, plain.socket, plain.chunked_input)
        body.handler = self
        self.wsgi_input = environ["wsgi.input"] = body
        if self.server.ending:
            self.close_connection = True
        return environ

    def hang_up_if_idle(self) -> None:
        if self.idle and self.socket is not None:
            try:
                self.socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                return  # it has gone by itself

    def log_request(self) -> None:
        """The application logs, by the pattern of the address."""

    def log_error(self, msg: str, *args: object) -> None:
        """What is not HTTP is the sender's affair; it may also hold a key."""

    def handle_error(
        self, t: type[BaseException], v: BaseException, tb: TracebackType | None
    ) -> None:
        if not issubclass(t, (gevent.GreenletExit, OSError)):
            log.error("an answer broke off", exc_info=(t, v, tb))
        self._send_error_response_if_possible(500)


class Server(WSGIServer):  # type: ignore[misc] # gevent carries no types
    """Ends in good order: new connections are refused, idle ones closed, answers finished."""

    handler_class = Handler

    def __init__(
        self,
        listener: Any,
        application: Any,
        *,
        connections_max: int,
        connections_per_address: int,
    ) -> None:
        self.connections: set[Handler] = set()
        self._by_address: Counter[str] = Counter()
        self._per_address = connections_per_address
        self.ending = False
        name = listener.getsockname()[0]
        super().__init__(
            listener,
            application,
            log=None,
            error_log=None,
            spawn=connections_max,
            environ={"SERVER_NAME": name},  # else looked up in DNS, which may take seconds
        )

    def handle(self, sock: Any, address: Any) -> None:
        """One connection, from its beginning to its end; one too many is closed at once."""
        who = group(address[0])
        if self._by_address[who] >= self._per_address:
            return
        self._by_address[who] += 1
        try:
            super().handle(sock, address)
        except OSError:
            log.debug("a connection broke off")
        finally:
            self._by_address[who] -= 1
            if not self._by_address[who]:
                del self._by_address[who]

    def end(self, within_s: float) -> None:
        self.ending = True
        for connection in tuple(self.connections):
            connection.hang_up_if_idle()
        self.stop(timeout=within_s)
