"""The program as its users start it: a process of its own, real sockets, signals."""

from __future__ import annotations

import itertools
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMAND = (sys.executable, "-m", "companion")
WITHIN_S = 60.0
SOON_S = 15.0
"""The program ends within two seconds. A busy computer needs longer, and a program that waited for
its streams would never end."""

GENEROUS = {
    "joins_per_minute": "100000",  # all phones have one address here
    "tables_per_hour": "100000",
    "requests_per_minute": "1000000",
    "dear_per_minute": "100000",
    "forms_per_minute": "100000",  # tests are faster than fingers
    "end_wait_s": "0",  # a round's end counts at once
}


def environment(**settings: str) -> dict[str, str]:
    """Of a process that gets these settings and no others."""
    usual = {name: value for name, value in os.environ.items() if "COMPANION" not in name}
    given = {f"COMPANION_{name.upper()}": value for name, value in settings.items()}
    return usual | {"PYTHONUNBUFFERED": "1"} | given


_one_block = threading.Lock()
"""Several evenings begin at the same time."""


@cache
def _own_ports() -> tuple[socket.socket, Iterator[int]]:
    """A block of ports for this process of the tests, which is taken as long as the process listens
    on the first of them: a server that is killed again and again comes back to its port, and while
    it is away the port looks free to all others.

    None of those that the system hands out to who connects: a phone that tries again and again
    while nobody listens would one day be given the very port, and be connected to itself."""
    blocks = range(10_000, 30_000, 200)
    for first in random.SystemRandom().sample(blocks, len(blocks)):
        with suppress(OSError):
            taken = socket.create_server(("127.0.0.1", first))
            return taken, itertools.cycle(range(first + 1, first + blocks.step))
    raise AssertionError("no block of ports is free")


def free_port() -> int:
    """One on which nobody listens, and that no other process of the tests is given."""
    with _one_block:
        _, ports = _own_ports()
    while True:
        port = next(ports)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port


def until(there: Callable[[], object]) -> None:
    end = time.monotonic() + WITHIN_S
    while not there():
        assert time.monotonic() < end
        time.sleep(0.005)


class Server:
    """`companion` on 127.0.0.1. Its limits are generous, unless `settings` say otherwise."""

    def __init__(
        self,
        data: Path,
        *arguments: str,
        command: Sequence[str] = COMMAND,
        **settings: str | None,
    ) -> None:
        """None takes a setting away that is usual here."""
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.data = data
        self.starts = 0
        self.pid = 0
        """0 while it does not run."""
        usual: dict[str, str | None] = {
            "host": "127.0.0.1",
            "port": str(self.port),
            "data": str(data),
            "public_url": self.url,
            **GENEROUS,
        }
        kept = {name: value for name, value in (usual | settings).items() if value is not None}
        self._environment = environment(**kept)
        self.command = command
        """Another one from the next start on is another version."""
        self._arguments = ["--no-browser", *arguments]
        self._out, self._err = (data.with_name(f"{data.name}.{name}") for name in ("out", "err"))
        self._printed_before = 0
        self._process: subprocess.Popen[str] | None = None

    # Its beginning

    def start(self) -> float:
        """Until the first page; how many seconds it took."""
        began = time.monotonic()
        self.launch()
        self.wait()
        with urllib.request.urlopen(self.url, timeout=WITHIN_S) as answer:
            answer.read()
        return time.monotonic() - began

    def launch(self) -> None:
        """Does not wait until it serves."""
        self.starts += 1
        self._printed_before = self._out.stat().st_size if self._out.exists() else 0
        self._process = self._run([*self.command, *self._arguments], stdin=subprocess.DEVNULL)
        self.pid = self._process.pid

    def wait(self) -> None:
        """Until it listens."""
        self.until(self.serves, "it does not start")

    def serves(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def _run(
        self, command: Sequence[str], *, stdin: int, stdout: int | None = None
    ) -> subprocess.Popen[str]:
        with self._out.open("ab") as out, self._err.open("ab") as err:
            return subprocess.Popen(
                command,
                stdin=stdin,
                stdout=out if stdout is None else stdout,
                stderr=err,
                env=self._environment,
                cwd=ROOT,
                text=True,
            )

    def until(self, there: Callable[[], bool], otherwise: str) -> None:
        end = time.monotonic() + WITHIN_S
        while not there():
            assert time.monotonic() < end, f"{otherwise}: {self.printed()}{self.errors()}"
            assert self.runs(), f"{otherwise}, it has ended: {self.printed()}{self.errors()}"
            time.sleep(0.01)

    # What it says

    def printed(self) -> str:
        """Since its newest start."""
        said = self._out.read_bytes() if self._out.exists() else b""
        return said[self._printed_before :].decode()

    def errors(self) -> str:
        """Over all its lives."""
        return self._err.read_text(encoding="utf-8") if self._err.exists() else ""

    def wait_for(self, text: str) -> str:
        """All that it has printed, when this is in it."""
        self.until(lambda: text in self.printed(), f"not printed: {text!r}")
        return self.printed()

    # Its end

    def runs(self) -> bool:
        """Whether it has been started and has not ended by itself."""
        return self._process is not None and self._process.poll() is None

    def kill(self, number: int = signal.SIGKILL) -> None:
        """As a laptop without power does it; or as one that shuts down, with SIGTERM."""
        assert self.pid, "it does not run: this would end the tests themselves"
        os.kill(self.pid, number)
        ended = self.ended()
        expected = -signal.SIGKILL if number == signal.SIGKILL else 0
        assert ended == expected, f"it ended otherwise ({ended}): {self.errors()}"

    def end(self, number: int = signal.SIGTERM) -> float:
        """Seconds until it was gone, in good order."""
        began = time.monotonic()
        self.kill(number)
        return time.monotonic() - began

    def ended(self) -> int:
        """How it ended, when it has."""
        assert self._process is not None
        self.pid = 0
        return self._process.wait(WITHIN_S)

    def pause(self) -> None:
        """As a laptop that falls asleep: connections are open, and nothing comes."""
        os.kill(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def stop(self) -> None:
        """However it stands: for the end of a test."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self.pid = 0


@contextmanager
def running(
    data: Path, *arguments: str, command: Sequence[str] = COMMAND, **settings: str | None
) -> Iterator[Server]:
    """One that is started, and stopped in the end."""
    server = Server(data, *arguments, command=command, **settings)
    try:
        server.start()
        yield server
    finally:
        server.stop()
