"""`companion` on a machine of other interfaces: `python -m tests.kit.machine FILE …`

The file has the interfaces as JSON, `{"present": [[name, address], …], "out": [address, …]}`, with
the signs of what keeps phones away and the program that filters; it may change while the program
runs. Whatever it says, the program listens on 127.0.0.1 alone;
`door` lets phones in by another loopback address.
"""

from __future__ import annotations

import json
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

STRANDED_S = 2.0
"""In the place of a minute."""


def write(
    file: Path,
    *present: tuple[str, str],
    out: tuple[str, ...] = (),
    signs: tuple[str, ...] = (),
    firewall: str = "",
) -> None:
    """Without `out`, every interface leads out."""
    ways_out = out or [each[1] for each in present]
    said = {"present": present, "out": ways_out, "signs": signs, "firewall": firewall}
    fresh = file.with_suffix(".new")
    fresh.write_text(json.dumps(said))
    fresh.replace(file)


def main(file: Path) -> None:
    def read() -> dict[str, Any]:
        found: dict[str, Any] = json.loads(file.read_text())
        return found

    from gevent import monkey

    monkey.patch_all()
    from companion.server import addresses, interfaces, surroundings
    from companion.server.interfaces import Interface
    from companion.web.answers import arrivals
    from companion.web.view.network import Sign

    arrivals.STRANDED_S = STRANDED_S
    interfaces.present = lambda: tuple(Interface(*each) for each in read()["present"])
    interfaces.ways_out = lambda: tuple(str(each) for each in read()["out"])
    interfaces.kind_of = lambda one, *, way_out=False: interfaces.by_name(one)
    surroundings.look = lambda: surroundings.Seen(
        frozenset(map(Sign, read()["signs"])), read()["firewall"]
    )
    listen = addresses.listen
    addresses.listen = lambda host, port, **more: listen("127.0.0.1", port, **more)
    from companion.cli import main as companion

    companion(sys.argv[2:], prog_name="companion")


@contextmanager
def door(address: str, port: int) -> Iterator[None]:
    """While it is open, who comes to this loopback address gets to 127.0.0.1; then every line of
    theirs is cut, as when a laptop leaves its network."""
    lines: list[socket.socket] = []
    pipes: list[threading.Thread] = []

    def pipe(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while piece := source.recv(65536):
                target.sendall(piece)
        for each in (source, target):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def serve(listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                outer, _ = listener.accept()
                inner = socket.create_connection(("127.0.0.1", port))
                lines.extend((outer, inner))
                for ends in ((outer, inner), (inner, outer)):
                    pipes.append(threading.Thread(target=pipe, args=ends))
                    pipes[-1].start()

    with socket.create_server((address, port)) as listener:
        serving = threading.Thread(target=serve, args=(listener,))
        serving.start()
        try:
            yield
        finally:
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            serving.join()
            for each in lines:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
            for pipe_ in pipes:
                pipe_.join()
            for each in lines:
                each.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
