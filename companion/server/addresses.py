"""The address under which phones on the local network reach this machine, and a free port."""

from __future__ import annotations

import errno
import socket
import time
from collections.abc import Callable

FRESH_S = 5.0
"""How long an address found is used before it is looked for again: laptops change networks."""

PORTS_TRIED = 50

_ELSEWHERE = ("192.0.2.1", "10.255.255.255", "192.168.255.255")
"""Asked for the way there only; nothing is sent. The first is for documentation, routed by the
default route; the others help where there is none."""


def lan_address() -> str:
    """The address of the interface that leads to others; 127.0.0.1 where none does."""
    for elsewhere in _ELSEWHERE:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((elsewhere, 9))
                found: str = probe.getsockname()[0]
            except OSError:
                continue
        if not found.startswith(("127.", "0.")):
            return found
    try:
        names = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        names = []
    for entry in names:
        candidate = str(entry[4][0])
        if not candidate.startswith("127."):
            return candidate
    return "127.0.0.1"


def base_url(host: str, port: int) -> Callable[[], str]:
    """The address for the phones. Where the program listens on every interface, the address is
    looked up again now and then."""
    if host not in ("0.0.0.0", "::", ""):  # noqa: S104 - compared, not bound
        fixed = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        return lambda: fixed
    found = [lan_address()]
    looked = [time.monotonic()]

    def base() -> str:
        if time.monotonic() - looked[0] > FRESH_S:
            looked[0] = time.monotonic()
            found[0] = lan_address()
        return f"http://{found[0]}:{port}"

    return base


def listen(host: str, port: int, backlog: int = 4096) -> socket.socket:
    """A listening socket on the port, or on the next free one. `OSError` where none can be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    last = port if port == 0 else min(65535, port + PORTS_TRIED)
    for candidate in range(port, last + 1):
        listener = socket.socket(family, socket.SOCK_STREAM)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
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
