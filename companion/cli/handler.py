"""How one connection is served: gevent's handler, and what it lacks for a room full of phones.

Small packets leave at once; who stays silent, or sends without end, is let go; the end of the
program closes what is idle; and nothing is logged here, since an address may hold a join key.
"""

from __future__ import annotations

import logging
import socket
from http.client import HTTPException
from types import TracebackType
from typing import Any

import gevent
from gevent.pywsgi import Input, WSGIHandler, WSGIServer

log = logging.getLogger("companion.server")

SILENT_S = 75.0
"""A connection may say nothing, or take nothing, for so long."""

HEAD_S = 20.0
"""The head of a request may take so long to arrive."""

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


class Handler(WSGIHandler):  # type: ignore[misc] # gevent carries no types
    idle = False
    wsgi_input: Any

    def __init__(self, sock: Any, address: Any, server: Server) -> None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
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
            except HTTPException as error:  # too many or too long headers
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

    def __init__(self, listener: Any, application: Any, *, connections_max: int) -> None:
        self.connections: set[Handler] = set()
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

    def end(self, within_s: float) -> None:
        self.ending = True
        for connection in tuple(self.connections):
            connection.hang_up_if_idle()
        self.stop(timeout=within_s)
