"""Where phones reach this machine now, and a free port to listen on."""

from __future__ import annotations

import errno
import os
import socket
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from companion.server import interfaces
from companion.server.interfaces import Interface
from companion.server.surroundings import Seen
from companion.settings import EVERYWHERE
from companion.web.http.ip import as_known
from companion.web.view.network import LAN, Kind, Network, Sign, WayIn

PORTS_TRIED = 50

ALL: Final = (EVERYWHERE, "0.0.0.0", "")  # noqa: S104 - compared, not bound

CALLERS_KEPT: Final = 1000


def url_of(scheme: str, host: str, port: int) -> str:
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


class Addresses:
    """What of this machine's network phones can use. `look` finds out whether it has changed."""

    def __init__(
        self,
        host: str,
        port: int,
        scheme: str = "http",
        *,
        present: Callable[[], tuple[Interface, ...]] | None = None,
        ways_out: Callable[[], tuple[str, ...]] | None = None,
    ) -> None:
        """`present`, `ways_out`: the interfaces and the ways out of another machine than this."""
        self._host = host
        self.port = port
        self._scheme = scheme
        self._present = present or interfaces.present
        self._ways_out = ways_out or interfaces.ways_out
        self._proved: list[str] = []
        """Addresses by which phones have come, the first one first."""
        self._heard: dict[str, str] = {}
        """By phone: the address by which it came last."""
        self._knocked: dict[str, None] = {}
        """Who has opened a connection and sent nothing, ever, since a phone has come."""
        self.names: tuple[str, ...] = ()
        """What this machine can be called, besides its addresses."""
        self._certified: tuple[str, ...] = ()
        self.seen = Seen()
        self._own: frozenset[str] = frozenset()
        self.network = self._look()

    def listening(self, port: int) -> None:
        """The one that was wanted, or another where it was taken."""
        self.port = port
        self.look()

    def look(self) -> bool:
        """Whether something is otherwise than it was."""
        before, self.network = self.network, self._look()
        return before != self.network

    def certify(self, names: Iterable[str]) -> None:
        """A certificate is for these names; those that lead here come first from now on."""
        self._certified = tuple(each for each in names if self._own & _resolved(each))
        self.look()

    @property
    def local(self) -> str:
        """For a browser on this machine."""
        host = self._certified[0] if self._certified else self._host
        return self._url("127.0.0.1" if host in ALL else host)

    def came(self, local: str, remote: str) -> None:
        """A request has come to the address `local` from `remote`. The browser of this machine
        proves nothing."""
        here, there = as_known(local), as_known(remote)
        if there == here or there in self._own:
            return
        self._knocked.clear()  # it is no firewall: what has knocked may never come back
        self._heard[there] = here
        while len(self._heard) > CALLERS_KEPT:
            del self._heard[next(iter(self._heard))]
        if here not in self._proved:
            self._proved.append(here)

    def knocked(self, remote: str) -> None:
        """A connection from `remote` has ended without a request."""
        there = as_known(remote)
        if there in self._own or there in self._heard or len(self._knocked) >= CALLERS_KEPT:
            return
        self._knocked[there] = None

    def _look(self) -> Network:
        seen = self.seen
        signs = set(seen.signs)
        if self._host in ALL:
            ways, more = self._everywhere()
            signs |= more
        else:
            ways = (WayIn(self._url(self._host), Kind.OTHER),)
            self._own = frozenset({self._host})
            if self._host == "localhost" or self._host.startswith("127.") or self._host == "::1":
                ways = (WayIn(ways[0].url, Kind.LOOPBACK),)
                signs.add(Sign.ONLY_HERE)
        if self._knocked:
            signs.add(Sign.HALF)
        certified = tuple(WayIn(self._url(name), Kind.NAME) for name in self._certified)
        return Network(certified + ways, frozenset(signs), seen.firewall)

    def _everywhere(self) -> tuple[tuple[WayIn, ...], set[Sign]]:
        way_out = self._ways_out()
        found = self._present() or tuple(Interface("", each) for each in way_out)
        self._own = frozenset(each.address for each in found) | {"127.0.0.1", "::1"}
        callers = Counter(self._heard.values())
        proved = sorted(self._proved, key=lambda each: -callers[each])
        order = interfaces.ranked(found, way_out, tuple(proved))
        ways = [
            WayIn(self._url(each.address), kind, each.address in self._proved)
            for each, kind in order
        ]
        signs = _signs(order, way_out)
        if not ways:
            return (WayIn(self._url("127.0.0.1"), Kind.LOOPBACK),), signs
        names = [WayIn(self._url(name), Kind.NAME) for name in self.names]
        return tuple(ways[:1] + names + ways[1:]), signs

    def _url(self, host: str) -> str:
        return url_of(self._scheme, host, self.port)


def _resolved(name: str) -> set[str]:
    try:
        return {str(each[4][0]) for each in socket.getaddrinfo(name, None)}
    except (OSError, UnicodeError):  # no name at all, as a certificate may have it
        return set()


def _signs(order: Iterable[tuple[Interface, Kind]], way_out: tuple[str, ...]) -> set[Sign]:
    found = list(order)
    signs = set()
    if any(kind is Kind.VPN and each.address in way_out[:1] for each, kind in found):
        signs.add(Sign.VPN)
    if not any(kind in LAN for _, kind in found):
        signs.add(Sign.NO_NETWORK)
    elif found[0][0].ip.version == 4 and found[0][0].ip.is_global:
        signs.add(Sign.PUBLIC)
    return signs


def listen(host: str, port: int, backlog: int = 4096, *, last: int | None = None) -> socket.socket:
    """A listening socket on the port, or on the next free one, up to `last`. `OSError` where none
    can be had."""
    both = host == EVERYWHERE and socket.has_dualstack_ipv6()
    if host == EVERYWHERE and not both:
        host = "0.0.0.0"  # noqa: S104 - the phones are on the network
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    if last is None:
        last = port if port == 0 else min(65535, port + PORTS_TRIED)
    for candidate in range(port, last + 1):
        listener = socket.socket(family, socket.SOCK_STREAM)
        try:
            _alone(listener)
            if both:
                listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            listener.bind((host, candidate))
            listener.listen(backlog)
        except OSError as error:
            listener.close()
            taken = error.errno in (errno.EADDRINUSE, errno.EACCES) and candidate < last
            if not taken:
                raise
        else:
            return listener
    raise OSError(errno.EADDRINUSE, "no free port was found")


def _alone(listener: socket.socket) -> None:
    """Nobody else listens on its port; a program that has just ended does not count. What Windows
    calls SO_REUSEADDR would let two programs share it."""
    if os.name == "nt":
        listener.setsockopt(socket.SOL_SOCKET, getattr(socket, "SO_EXCLUSIVEADDRUSE", 0), 1)
    else:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
