"""One connection: gevent's handler, with what it lacks for a room full of phones.

Small packets leave at once. A connection that stays silent, or sends without end, is closed.
Nothing is logged here, since an address may hold a join key.
"""

from __future__ import annotations

import logging
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any

import gevent
from gevent.pywsgi import OldMessage, WSGIHandler

from companion.server import bare_errors
from companion.server.request import REQUEST, BadHeadError, RequestBody, read_fields
from companion.web.http.limits import group
from companion.web.live.stream import ON_HANGUP

log = logging.getLogger("companion.server")


def notice_death(sock: Any, dead_s: int) -> None:
    """A phone out of reach says nothing; its stream must end before long, for presence hangs on it.

    Linux gives up what is not acknowledged in time; elsewhere it is asked whether it is there.
    """
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (
        ("TCP_USER_TIMEOUT", dead_s * 1000),
        ("TCP_KEEPIDLE", max(1, dead_s // 2)),
        ("TCP_KEEPALIVE", max(1, dead_s // 2)),  # as macOS calls it
        ("TCP_KEEPINTVL", max(1, dead_s // 6)),
        ("TCP_KEEPCNT", 3),
    ):
        if hasattr(socket, name):
            with suppress(OSError):  # Python knows it, this kernel does not
                sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


READ_AHEAD = 1024
"""Bytes of what a phone has sent: its requests are seldom longer, and there are a thousand."""


class QuietHandler(WSGIHandler):  # type: ignore[misc]  # gevent has no types
    def log_error(self, msg: str, *args: object) -> None:
        """What is not HTTP is the sender's affair; it may also hold a key."""


class Handler(QuietHandler):
    idle = False
    busy = False
    """A request is being answered; else this one waits for what is sent, and may give way."""
    coded = False
    """The body comes in a transfer coding."""
    since = 0.0
    """When it last had something to answer, by the loop's clock."""
    refused = 0
    """The status of an answer to what is no request."""
    asked = False
    """A request has come."""
    lasting = False
    """What is answered is a stream."""
    body_until = 0.0
    """When the body of the request must have come, by the loop's clock."""
    watcher: Any = None
    """Of the socket, while a stream is answered."""
    wsgi_input: Any
    environ: Any
    headers: Any
    response_headers: Any
    server: Any  # that has taken the connection, a `wsgi.Server`

    def __init__(self, sock: Any, address: Any, server: Any) -> None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, server.settings.unread_kib * 1024)
        notice_death(sock, server.settings.dead_s)
        sock.settimeout(min(server.settings.unasked_s, server.settings.silent_s))
        self.who = group(address[0])
        super().__init__(sock, address, server, sock.makefile("rb", READ_AHEAD))

    def now(self) -> float:
        """Seconds, by the loop's clock."""
        return float(self.server.loop.now())

    def handle(self) -> None:
        self.since = self.now()
        self.server.joined(self)
        try:
            super().handle()
        finally:
            self.environ = None  # which holds this handler, too
            self.server.left(self)
            if not self.asked and not self.server.ending:
                self.server.addresses.knocked(self.client_address[0])

    def handle_one_request(self) -> Any:
        """As gevent's, but the head as a whole has its time, and refusals are pages."""
        if not self._wait() or self.server.ending:
            return None
        self.refused, self.lasting = 0, False
        self.head_timer = gevent.Timeout(self.server.settings.head_s, BadHeadError(408))
        self.head_timer.start()
        try:
            done = super().handle_one_request()
        finally:
            self.head_timer.close()
            self._stop_watching()
            self.busy, self.since = False, self.now()
        if isinstance(done, tuple):
            done = (done[0], bare_errors.answer(self.refused or int(done[0])))
        return done

    def _wait(self) -> bool:
        """Until something comes; False when nothing will."""
        self.idle = True
        try:
            return not self.server.ending and bool(self.rfile.peek(1))
        except (OSError, ValueError):
            return False
        finally:
            self.idle = False

    def read_requestline(self) -> str:
        try:
            line: str = super().read_requestline()
        except BadHeadError:  # gevent looks for it only in what follows
            line = "-"
            self.refused = 408
        return line

    def read_request(self, raw_requestline: str) -> bool:
        if self.refused:
            raise BadHeadError(self.refused)
        try:
            super().read_request(raw_requestline)
        except OSError as error:  # cut off
            raise BadHeadError(400) from error
        if not REQUEST.fullmatch(raw_requestline.encode("latin-1")):
            raise BadHeadError(400)
        return True

    def MessageClass(self, *args: Any) -> Any:  # noqa: N802 - gevent's name
        """The headers. A proxy in front must not see another end, or another host, of this request
        than is seen here."""
        headers = OldMessage()
        for name, value in read_fields(self.rfile, self.server.settings.head_kib * 1024):
            headers.set_raw(name, value)
        lengths = headers.get_all("Content-Length", [])
        coded = headers.get_all("Transfer-Encoding", [])
        hosts = headers.get_all("Host", [])
        digits = all(each.isascii() and each.isdigit() for each in lengths)
        if not digits or len(lengths) + len(coded) > 1 or len(hosts) > 1:
            raise BadHeadError(400)
        if not hosts and self.request_version != "HTTP/1.0":
            raise BadHeadError(400)
        self.coded = bool(coded)
        return headers

    def _handle_client_error(self, ex: BaseException) -> tuple[str, bytes]:
        self.refused = ex.status if isinstance(ex, BadHeadError) else 400
        return (str(self.refused), b"")

    def get_environ(self) -> dict[str, Any]:
        self.head_timer.close()
        self.busy = True
        self.socket.settimeout(self.server.settings.silent_s)
        if not self.asked:
            self.asked = True
            self.server.addresses.came(self.socket.getsockname()[0], self.client_address[0])
        environ: dict[str, Any] = super().get_environ()
        given = self.wsgi_input
        body = RequestBody(given.rfile, given.content_length, given.socket, given.chunked_input)
        body.handler = self
        self.body_until = self.now() + self.server.settings.body_s
        self.wsgi_input = environ["wsgi.input"] = body
        environ[ON_HANGUP] = self.on_hangup
        if self.server.ending or self.coded:  # where a coded body ends, others may see otherwise
            self.close_connection = True
        return environ

    def on_hangup(self, then: Callable[[], None]) -> None:
        """`then` is called when the other side closes the connection while it is answered: a phone
        that has left is not waited for until the next beat fails."""

        def looked() -> None:
            try:
                gone = self._gone()
            except BlockingIOError:
                return
            except OSError:
                gone = True
            self._stop_watching()
            if gone:
                self.close_connection = True
                then()

        self.lasting = True
        if self.socket is not None and hasattr(socket, "MSG_DONTWAIT"):
            self.watcher = self.server.loop.io(self.socket.fileno(), 1)
            self.watcher.start(looked)

    def _gone(self) -> bool:
        """Under TLS only who opens what was said knows whether it was a farewell. A request that
        begins there is lost, so the connection ends with this answer: browsers send none yet."""
        if self.server.tls is None:
            return not self.socket.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        patience = self.socket.gettimeout()
        self.socket.settimeout(0)
        try:
            said = self.socket.recv(1)
        except ssl.SSLWantReadError as error:
            raise BlockingIOError from error
        finally:
            self.socket.settimeout(patience)
        self.close_connection = True
        return not said

    def _stop_watching(self) -> None:
        if self.watcher is not None:
            self.watcher.stop()
            self.watcher.close()
            self.watcher = None

    def hang_up_if_idle(self) -> None:
        if self.idle:
            self.hang_up()

    def hang_up(self) -> None:
        if self.socket is not None:
            with suppress(OSError):  # it has gone by itself
                self.socket.shutdown(socket.SHUT_RDWR)

    def _sendall(self, data: bytes | bytearray) -> None:
        """As gevent's, which asks the kernel each time how much it takes: mostly it takes all."""
        sent = 0
        if self.server.tls is None:
            with suppress(OSError):  # what is wrong, gevent's finds too
                sent = self.socket.send(data, timeout=0.0)
        if sent < len(data):
            self.server.unsent.begin(self, len(data) - sent, self.now())
            try:
                super()._sendall(memoryview(data)[sent:])
            finally:
                self.server.unsent.end(self)
        self.response_length += sent

    def _write_with_headers(self, data: bytes) -> None:
        """After the head of a stream, which lasts for hours, drops the heads of request and
        response: some kB for each phone at a table."""
        super()._write_with_headers(data)
        if self.command == "HEAD":
            self.response_use_chunked = False  # gevent would send the end of a body that is none
        if self.lasting:
            self.environ, self.headers, self.response_headers = {}, None, []

    def log_request(self) -> None:
        """The application logs, by the pattern of the address."""

    def handle_error(
        self, t: type[BaseException], v: BaseException, tb: TracebackType | None
    ) -> None:
        """An answer for which the ending program does not wait is none: the sender asks again."""
        if issubclass(t, gevent.GreenletExit):
            self.close_connection = True
            return
        if not issubclass(t, OSError):
            log.error("an answer broke off", exc_info=(t, v, tb))
        self._send_error_response_if_possible(500)

    def _send_error_response_if_possible(self, error_code: int) -> None:
        self.close_connection = True
        if not self.response_length:
            with suppress(OSError):
                status = bare_errors.status_line(error_code)
                self.start_response(status, bare_errors.headers(error_code))
                self.write(bare_errors.page(error_code))
