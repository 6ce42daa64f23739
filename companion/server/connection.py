"""One connection: gevent's handler, with what it lacks for a room full of phones.

Small packets leave at once. A connection that stays silent, or sends without end, is closed; idle
ones are closed when the program ends. Nothing is logged here, since an address may hold a join key.
"""

from __future__ import annotations

import logging
import re
import socket
import ssl
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from http.client import HTTPException, LineTooLong
from types import TracebackType
from typing import Any

import gevent
from gevent.pywsgi import Input, WSGIHandler, WSGIServer

from companion.server import bare_errors
from companion.server.addresses import Addresses, plain
from companion.server.tls import HANDSHAKE, Tls, lead_over
from companion.settings import Settings
from companion.web.http.limits import group
from companion.web.http.proxy import among
from companion.web.live.stream import ON_HANGUP
from companion.web.view.errors import TOO_SLOW

log = logging.getLogger("companion.server")

DISCARDED_MAX = 256 * 1024
"""Bytes of a body nobody wanted that are read so as to keep the connection."""


CROWDED = 0.8
"""Of all connections: when more are in use, one goes for each that comes."""

GREEDY_MAX = 20
"""Addresses with the most connections, among which one is found that waits."""


REQUEST = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+ [^\0\r\n ]+ HTTP/1\.[01]\r?\n")
FIELD = re.compile(rb"(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\0\r\n]*)?\r?\n")
"""What RFC 9112 allows in a head, line by line; the last one is empty."""


class BadHeadError(ValueError):
    """The head of a request cannot be taken; `status` says why."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the head of a request is refused with {status}")
        self.status = status


class Head:
    """What the lines of a head are read from: so many bytes of it, and no more."""

    def __init__(self, rfile: Any, most: int) -> None:
        self._rfile = rfile
        self._left = most

    def readline(self, limit: int) -> bytes:
        line: bytes = self._rfile.readline(min(limit, self._left + 1))
        self._left -= len(line)
        if self._left < 0:
            raise BadHeadError(431)
        if len(line) < limit and not FIELD.fullmatch(line):
            raise BadHeadError(400)  # else what stands behind it would be overlooked
        return line


class Body(Input):  # type: ignore[misc] # gevent carries no types
    """The body of a request. It must arrive within `body_s` seconds; if more than `DISCARDED_MAX`
    bytes of it stay unread, the connection is closed."""

    __slots__ = ("handler",)

    def _do_read(self, length: int | None = None, use_readline: bool = False) -> bytes:
        return self._in_time(super()._do_read, length, use_readline)

    def _chunked_read(self, length: int | None = None, use_readline: bool = False) -> bytes:
        return self._in_time(super()._chunked_read, length, use_readline)

    def _in_time(self, read: Callable[..., bytes], length: int | None, line: bool) -> bytes:
        handler = self.handler
        handler.busy = False
        left_s = handler.body_until - handler.now()
        with gevent.Timeout(max(0.0, left_s), TimeoutError("the body took too long")) as timer:
            try:
                return read(length, line)
            except TimeoutError as error:
                if error is timer.exception:
                    handler.environ[TOO_SLOW] = True
                handler.close_connection = True
                raise
            finally:
                handler.busy = True

    def _discard(self) -> None:
        self.socket = None  # type: ignore[misc] # nobody is told to go on sending
        left = DISCARDED_MAX
        unread = self.chunked_input or self.position < (self.content_length or 0)
        while unread and not self._chunked_input_error and not self.handler.environ.get(TOO_SLOW):
            piece = self.read(16384)
            left -= len(piece)
            if not piece:
                break
            if left < 0:
                self.handler.close_connection = True
                break


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


class Handler(WSGIHandler):  # type: ignore[misc] # gevent carries no types
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

    body_until = 0.0
    watcher: Any = None
    wsgi_input: Any

    def __init__(self, sock: Any, address: Any, server: Server) -> None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, server.settings.unread_kib * 1024)
        notice_death(sock, server.settings.dead_s)
        sock.settimeout(min(server.settings.unasked_s, server.settings.silent_s))
        self.who = group(address[0])
        super().__init__(sock, address, server)

    def now(self) -> float:
        """Seconds, by the loop's clock."""
        return float(self.server.loop.now())

    def handle(self) -> None:
        self.since = self.now()
        self.server.joined(self)
        try:
            super().handle()
        finally:
            self.server.left(self)
            if not self.asked and not self.server.ending:
                self.server.addresses.knocked(self.client_address[0])

    def handle_one_request(self) -> Any:
        """As gevent's, but the head as a whole has its time, and refusals are pages."""
        if not self._wait() or self.server.ending:
            return None
        self.refused = 0
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
        except LineTooLong as error:
            raise BadHeadError(431) from error
        except HTTPException as error:
            raise BadHeadError(431 if "headers" in str(error) else 400) from error
        except OSError as error:  # cut off
            raise BadHeadError(400) from error
        if not REQUEST.fullmatch(raw_requestline.encode("latin-1")):
            raise BadHeadError(400)
        return True

    def MessageClass(self, *args: Any) -> Any:  # noqa: N802 - gevent's name
        """The headers. A proxy in front must not see another end, or another host, of this request
        than is seen here."""
        headers = super().MessageClass(Head(self.rfile, self.server.settings.head_kib * 1024))
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
        body = Body(given.rfile, given.content_length, given.socket, given.chunked_input)
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


class Server(WSGIServer):  # type: ignore[misc] # gevent carries no types
    """Ends in good order: new connections are refused, idle ones closed, answers finished."""

    handler_class = Handler

    def __init__(
        self,
        listener: Any,
        application: Any,
        settings: Settings,
        *,
        connections_max: int,
        addresses: Addresses | None = None,
        tls: Tls | None = None,
    ) -> None:
        """`connections_max`: as many as there may be files for. `addresses` are told who comes."""
        self.settings = settings
        self.tls = tls
        self.addresses = addresses or Addresses(*listener.getsockname()[:2])
        self.connections: set[Handler] = set()
        self._of: dict[str, set[Handler]] = {}
        """The connections of each address that have not been told to go."""
        self._crowded = int(CROWDED * connections_max)
        self._by_address: Counter[str] = Counter()
        self._per_address = settings.streams_per_address + settings.connections_per_address
        self._proxies = settings.proxies if settings.public_url else ()
        self.ending = False
        name = listener.getsockname()[0]
        super().__init__(
            listener,
            application,
            log=None,
            error_log=None,
            spawn=connections_max,
            environ={
                "SERVER_NAME": name,  # else looked up in DNS, which may take seconds
                "wsgi.url_scheme": "https" if tls is not None else "http",
            },
        )

    def handle(self, sock: Any, address: Any) -> None:
        """One connection, from its beginning to its end; one too many is told so at once."""
        address = (plain(address[0]), *address[1:])
        who = group(address[0])
        if self._by_address[who] >= self._per_address and not among(address[0], self._proxies):
            _turn_away(sock)
            return
        self._by_address[who] += 1
        try:
            if self.tls is not None:
                self._handle_tls(self.tls, sock, address)
            else:
                super().handle(sock, address)
        except OSError:
            log.debug("a connection broke off")
        finally:
            self._by_address[who] -= 1
            if not self._by_address[who]:
                del self._by_address[who]

    def _handle_tls(self, tls: Tls, sock: Any, address: Any) -> None:
        """The handshake has the time of a first request."""
        sock.settimeout(self.settings.unasked_s)
        with gevent.Timeout(self.settings.unasked_s, TimeoutError("no handshake")):
            first = sock.recv(1, socket.MSG_PEEK)
            if first and first != HANDSHAKE:
                lead_over(sock)
                return
            wrapped = tls.wrapped(sock)
        with closing(wrapped):
            super().handle(wrapped, address)

    def joined(self, connection: Handler) -> None:
        """A new connection. Where few are left, one gives way."""
        self.connections.add(connection)
        self._of.setdefault(connection.who, set()).add(connection)
        if len(self.connections) > self._crowded:
            self._make_room()

    def left(self, connection: Handler) -> None:
        self.connections.discard(connection)
        self._forget(connection)

    def _forget(self, connection: Handler) -> None:
        of = self._of.get(connection.who, set())
        of.discard(connection)
        if not of:
            self._of.pop(connection.who, None)

    def _make_room(self) -> None:
        """The connection that has waited longest goes, of the address that has the most."""
        for of in sorted(self._of.values(), key=len, reverse=True)[:GREEDY_MAX]:
            waiting = [each for each in of if not each.busy]
            if waiting:
                oldest = min(waiting, key=lambda each: each.since)
                self._forget(oldest)
                oldest.hang_up()
                return

    def end(self, within_s: float) -> None:
        self.ending = True
        for connection in tuple(self.connections):
            connection.hang_up_if_idle()
        self.stop(timeout=within_s)


def _turn_away(sock: Any) -> None:
    """Says that it was too much; waits for nothing."""
    with suppress(OSError):
        sock.setblocking(False)
        sock.send(bare_errors.answer(429))
        sock.shutdown(socket.SHUT_WR)
        sock.recv(16384)  # what is unread would wipe the answer out
