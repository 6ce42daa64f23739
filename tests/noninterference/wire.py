"""The same evening over real sockets, as the program serves it; run by `test_wire` in a process of
its own, in which gevent has taken over the sockets.

What the server itself adds to an answer is compared here: its headers, their order, how a body is
framed. Servers and phones are one process, so that the random numbers can be pinned.
"""

from __future__ import annotations

import http.client
import json
import logging
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from gevent.socket import socket

from companion.server.wsgi import Server
from tests.noninterference.answers import LeakFoundError
from tests.noninterference.evening import ComparedEvening
from tests.noninterference.plan import Plan
from tests.noninterference.world import World
from tests.noninterference.worlds import Viewer, Worlds

ROUTES = (
    "/",
    "/j/<key>",
    "/j/<key>/live",
    "/t/<table_id>",
    "/t/<table_id>/screen",
    "/t/<table_id>/live",
    "/t/<table_id>/role",
    "/t/<table_id>/do/<name>",
    "/static/<hash_>/<path:name>",
)
PLAN = Plan("lv-2009", "roles", 3, (4,), ("miners",), worlds=4, share=2, only=ROUTES)


@dataclass(frozen=True)
class Cookie:
    key: str
    value: str


class Answer:
    """As the test client of the framework gives it, but from the wire."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self._answer = answer
        self.status = f"{answer.status} {answer.reason}"
        self.status_code = answer.status
        found = answer.getheaders()
        assert sum(name == "Date" for name, _ in found) == 1
        self._headers = [(name, "now" if name == "Date" else value) for name, value in found]
        self.mimetype = dict(found).get("Content-Type", "").partition(";")[0]

    @property
    def headers(self) -> Any:
        return Headers(self._headers)

    @property
    def response(self) -> Any:
        """A stream, chunk by chunk."""
        return iter(lambda: self._answer.read1(1 << 20), b"")

    def get_data(self) -> bytes:
        return self._answer.read()

    def close(self) -> None:
        self._answer.close()


class Headers(list[tuple[str, str]]):
    def get(self, name: str, default: str = "") -> str:
        return dict(self).get(name, default)


class Browser:
    """One phone at one server, with a connection that is kept; another one while that waits."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._cookies: dict[str, Cookie] = {}
        self._line: http.client.HTTPConnection | None = None

    def set_cookie(self, key: str, value: str, **_: object) -> None:
        self._cookies[key] = Cookie(key, value)

    def open(
        self,
        path: str,
        *,
        method: str,
        headers: dict[str, str],
        data: dict[str, str] | None = None,
        **_: object,
    ) -> Answer:
        live = "/live" in path
        line = None if live else self._line
        line = line or http.client.HTTPConnection("127.0.0.1", self._port, timeout=20)
        self._line = None
        sent = headers | {"Cookie": "; ".join(f"{c.key}={c.value}" for c in self._cookies.values())}
        sent["Host"] = "localhost"
        body = urlencode(data, doseq=True) if data is not None else None
        if body is not None:
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        line.request(method, path, body, sent)
        answer = line.getresponse()
        for cookie in answer.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.set_cookie(name, value)
        self._line = None if live else line
        return Answer(answer)

    def get(self, path: str, **more: Any) -> Answer:
        return self.open(path, method="GET", **more)


class Wired(Worlds):
    """Worlds that are asked over sockets. No stream stays open: its beats come when they come."""

    def __init__(self, *of: Any, **more: Any) -> None:
        super().__init__(*of, **more)
        self._servers = []
        self._ports = []
        for world in self.all:
            world.app.extensions["companion"].heartbeat_s = 3600.0
            listener = socket()
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            server = Server(listener, world.app, world.settings, connections_max=100)
            server.start()
            self._servers.append(server)
            self._ports.append(listener.getsockname()[1])

    def viewer(self, name: str, language: str = "en", *, cookie: bool = True) -> Viewer:
        viewer = super().viewer(name, language, cookie=False)
        viewer.clients = [Browser(port) for port in self._ports]  # type: ignore[misc]
        for client in viewer.clients if cookie else ():
            client.set_cookie("device", f"phone{self._numbers:02}".ljust(22, "x"))
        return viewer

    def listen(self, viewer: Viewer, path: str, *, gzip: bool) -> Any:
        self.ask(viewer, "GET", path, headers={"Accept-Encoding": "gzip" if gzip else "identity"})

    def close(self) -> None:
        for server in self._servers:
            server.end(1.0)


def longer_for_saboteurs(world: World) -> None:
    """A leak for the test of the test: framing alone tells it."""
    inner = world.app.wsgi_app

    def outer(environ: Any, start_response: Any) -> Any:
        table = world.table
        on = table is not None and table.game_state is not None and table.game_state.now is not None
        if on and "saboteur" in table.game_state.now.roles[:2]:
            environ["HTTP_CONNECTION"] = "close"
            return inner(environ, lambda *of: start_response(of[0], [*of[1], ("Connection", "x")]))
        return inner(environ, start_response)

    world.app.wsgi_app = outer  # type: ignore[method-assign]


def main() -> None:
    """Prints how many answers were compared, and what told worlds apart."""
    logging.disable()
    planted = sys.argv[1:] == ["--plant"]
    plant = longer_for_saboteurs if planted else None
    evening = ComparedEvening(PLAN, plant, worlds=Wired)
    evening.worlds.first_leak_ends = planted
    with suppress(LeakFoundError):
        evening.play()
    tally = evening.worlds.tally
    found = {
        "answers": tally.answers,
        "routes": len(tally.routes),
        "leaks": [str(leak) for leak in tally.leaks[:5]],
        "secrets_told": tally.secrets_told,
    }
    print(json.dumps(found))
