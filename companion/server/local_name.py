"""The name that the process beside this one tells the network, while it serves."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

import gevent
from gevent import subprocess

from companion.web.view.network import LAN, Network

COMMAND: Final = (sys.executable, "-m", "companion.server.mdns")
AGAIN_S: Final = 60.0
"""From one try to the next, while nobody finds the name."""


def reached_at(network: Network) -> list[str]:
    """The addresses of IPv4 that the name is to lead to."""
    hosts = [urlsplit(way.url).hostname or "" for way in network.ways if way.kind in LAN]
    return [host for host in hosts if host.replace(".", "").isdigit()]


class LocalName:
    """`name` is what others find this machine by now; empty where nothing is told."""

    def __init__(
        self,
        wanted: str,
        port: int,
        command: Sequence[str] = COMMAND,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = ""
        self.awaits = False
        """What was told last is not answered yet."""
        self._wanted = wanted
        self._port = port
        self._command = command
        self._timer = timer
        self._again_at = 0.0
        self._told: list[str] = []
        self._process: Any = None  # gevent's, which carries no types
        self._asked = 0  # how often, of this process: it answers each in turn

    def tell(self, network: Network) -> None:
        """Anew, where the addresses are others than before; or where nobody has found the name a
        while ago, as in a network that carries nothing in its first seconds."""
        addresses = reached_at(network)
        settled = self.name or not addresses or self.awaits or self._timer() < self._again_at
        if addresses == self._told and settled:
            return
        self._told = addresses
        self.name = ""
        self._again_at = self._timer() + AGAIN_S
        if self._process is None or self._process.poll() is not None:
            self._start()
        asked = {"name": self._wanted, "port": self._port, "addresses": addresses}
        if self._process is None:
            return
        self.awaits = True
        self._asked += 1
        try:
            self._process.stdin.write(json.dumps(asked) + "\n")
            self._process.stdin.flush()
        except OSError:  # it has just ended
            self.awaits = False

    def _start(self) -> None:
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        except OSError:
            return  # a system that starts no second process: the addresses are enough
        self._asked = 0
        gevent.spawn(self._read, self._process)

    def _read(self, process: Any) -> None:
        with suppress(OSError, ValueError):
            for number, line in enumerate(process.stdout, 1):
                if process is self._process and number == self._asked:  # not of older addresses
                    self.name, self.awaits = line.strip(), False
        if process is self._process:
            self.name, self.awaits = "", False

    def end(self) -> None:
        """It takes the name back, and ends."""
        if self._process is not None:
            with suppress(OSError):
                self._process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=0.5)
            self._process.kill()
