"""Takes connections, as many as there is room for, and ends in good order."""

from __future__ import annotations

import logging
import socket
from collections import Counter
from contextlib import closing, suppress
from typing import Any

import gevent
from gevent.pywsgi import WSGIServer

from companion.server import bare_errors
from companion.server.addresses import Addresses
from companion.server.connection import Handler
from companion.server.tls import HANDSHAKE, Tls, lead_over
from companion.server.unsent import Unsent
from companion.settings import Settings
from companion.web.http.ip import as_known
from companion.web.http.limits import group
from companion.web.http.proxy import among

log = logging.getLogger("companion.server")

CROWDED = 0.8
"""Of all connections: when more are in use, one goes for each that comes."""

GREEDY_MAX = 20
"""Addresses with the most connections, among which one is found that waits."""


class Handshake:
    """A connection that is not encrypted yet: it waits, and may give way."""

    busy = False

    def __init__(self, sock: Any, who: str, since: float) -> None:
        """`who`: the address group that it comes from. `since`: when it came, by the loop's
        clock."""
        self._sock, self.who, self.since = sock, who, since

    def hang_up(self) -> None:
        with suppress(OSError):  # it has gone by itself
            self._sock.shutdown(socket.SHUT_RDWR)

    hang_up_if_idle = hang_up


Connection = Handler | Handshake


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
        self.connections: set[Connection] = set()
        self.unsent = Unsent()
        self._of: dict[str, set[Connection]] = {}
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
        """Serves one connection to its end; one beyond the limit is turned away at once."""
        address = (as_known(address[0]), *address[1:])
        who = group(address[0])
        if self._by_address[who] >= self._per_address and not among(address[0], self._proxies):
            _turn_away(sock)
            return
        self._by_address[who] += 1
        try:
            if self.tls is not None:
                self._handle_tls(self.tls, sock, address, who)
            else:
                super().handle(sock, address)
        except OSError:
            log.debug("a connection broke off")
        finally:
            self._by_address[who] -= 1
            if not self._by_address[who]:
                del self._by_address[who]

    def _handle_tls(self, tls: Tls, sock: Any, address: Any, who: str) -> None:
        """The handshake has the time of a first request."""
        sock.settimeout(self.settings.unasked_s)
        begun = Handshake(sock, who, self.loop.now())
        self.joined(begun)
        try:
            with gevent.Timeout(self.settings.unasked_s, TimeoutError("no handshake")):
                first = sock.recv(1, socket.MSG_PEEK)
                if first and first != HANDSHAKE:
                    lead_over(sock)
                    return
                wrapped = tls.wrapped(sock)
        finally:
            self.left(begun)
        with closing(wrapped):
            super().handle(wrapped, address)

    def joined(self, connection: Connection) -> None:
        """A new connection. Where few are left, one gives way."""
        self.connections.add(connection)
        self._of.setdefault(connection.who, set()).add(connection)
        if len(self.connections) > self._crowded:
            self._make_room()

    def left(self, connection: Connection) -> None:
        self.connections.discard(connection)
        self._forget(connection)

    def _forget(self, connection: Connection) -> None:
        of = self._of.get(connection.who, set())
        of.discard(connection)
        if not of:
            self._of.pop(connection.who, None)

    def _make_room(self) -> None:
        """The connection that has waited longest goes, of the address that has the most; one waits
        for a request, or that what it was sent is taken."""
        now = self.loop.now()
        for of in sorted(self._of.values(), key=len, reverse=True)[:GREEDY_MAX]:
            waiting = [each for each in of if not each.busy or self.unsent.is_stuck(each, now)]
            if waiting:
                oldest = min(waiting, key=lambda each: each.since)
                self._forget(oldest)
                oldest.hang_up()
                return

    def refuse(self) -> None:
        """Nobody new comes in, and nobody asks once more: behind a proxy they go elsewhere."""
        self.ending = True
        self.close()
        for connection in tuple(self.connections):
            connection.hang_up_if_idle()

    def end(self, within_s: float) -> None:
        """What is being answered has so long."""
        self.refuse()
        self.stop(timeout=within_s)


def _turn_away(sock: Any) -> None:
    """Says that it was too much; waits for nothing."""
    with suppress(OSError):
        sock.setblocking(False)
        sock.send(bare_errors.answer(429))
        sock.shutdown(socket.SHUT_WR)
        sock.recv(16384)  # what is unread would wipe the answer out
