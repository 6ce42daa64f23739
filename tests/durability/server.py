"""The program as its users start it, killed and started again, and when to kill it."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

WAYS = ("any", "sent", "told", "shown", "starting", "hurry", "asked")
"""Moments to kill at: any; just after a play was sent (while it is judged, written and committed);
after its sender had the answer (while the others are told); after a phone was shown the state;
while the server starts; while the phones come back. Or it is asked to end just after a play was
sent, and has to."""

SENT_S = 0.015
TOLD_S = 0.004
ANY_S = 0.3
START_S = 0.8
FORKED_S = 0.15


LOADED = """
from gevent import monkey
monkey.patch_all()
import os, sys
from companion.cli import main, serve
from companion.server import process
import gevent
fork, wait = (monkey.get_original("os", name) for name in ("fork", "waitpid"))
for line in sys.stdin:
    child = fork()
    if not child:
        gevent.reinit()
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        os.dup2(0, 1)
        main(["--no-browser"])
        os._exit(0)
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(wait(child, 0)[1]), flush=True)
"""
"""The program with everything loaded, so that each line it reads starts a server in no time."""


def free_port() -> int:
    """None of those that the system hands out to who connects: a phone that tries again and again
    while nobody listens would one day be given the very port, and be connected to itself."""
    while True:
        port = random.SystemRandom().randrange(10_000, 30_000)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port


class Server:
    def __init__(self, data: Path, whole_every: int = 1) -> None:
        """Every so many starts are whole ones, as users start it; the others fork a process that
        has loaded the program and does all that comes after loading."""
        self.port = free_port()
        self.data = data
        self.starts = 0
        environment = {key: value for key, value in os.environ.items() if "COMPANION" not in key}
        self._environment = environment | {
            "PYTHONPATH": str(ROOT),
            "COMPANION_DATA": str(data),
            "COMPANION_HOST": "127.0.0.1",
            "COMPANION_PORT": str(self.port),
            "COMPANION_PUBLIC_URL": f"http://127.0.0.1:{self.port}",
            "COMPANION_REQUESTS_PER_MINUTE": "1000000",
            "COMPANION_JOINS_PER_MINUTE": "100000",
        }
        self._log = data.with_name(f"{data.name}.log")
        self._whole_every = whole_every
        self._loaded: subprocess.Popen[str] | None = None
        self._process: subprocess.Popen[str] | None = None
        self.pid = 0

    @property
    def whole(self) -> bool:
        """Whether the newest start is a whole one."""
        return self.starts % self._whole_every == 0

    def start(self) -> None:
        """Does not wait until it serves."""
        self.starts += 1
        if self.whole:
            self._process = self._run(["-m", "companion", "--no-browser"], subprocess.DEVNULL)
            self.pid = self._process.pid
            return
        self._loaded = self._loaded or self._run(["-c", LOADED], subprocess.PIPE)
        assert self._loaded.stdin is not None
        assert self._loaded.stdout is not None
        self._loaded.stdin.write("start\n")
        self._loaded.stdin.flush()
        self.pid = int(self._loaded.stdout.readline())

    def _run(self, arguments: list[str], pipes: int) -> subprocess.Popen[str]:
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, *arguments],
                stdin=pipes,
                stdout=pipes,
                stderr=log,
                env=self._environment,
                text=True,
            )

    def serves(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def wait(self, within_s: float = 30.0) -> None:
        end = time.monotonic() + within_s
        while not self.serves():
            assert time.monotonic() < end, f"the server does not start: {self.said()}"
            time.sleep(0.01)

    def said(self) -> str:
        """What it has written to the terminal as errors, over all its lives."""
        return self._log.read_text() if self._log.exists() else ""

    def kill(self, number: int = signal.SIGKILL) -> None:
        """As a laptop without power does it; or as one that shuts down, with SIGTERM."""
        os.kill(self.pid, number)
        self.pid = 0
        if self.whole:
            assert self._process is not None
            ended = self._process.wait()
        else:
            assert self._loaded is not None
            assert self._loaded.stdout is not None
            ended = int(self._loaded.stdout.readline())
        expected = -signal.SIGKILL if number == signal.SIGKILL else 0
        assert ended == expected, f"it ended otherwise ({ended}): {self.said()}"

    def runs(self) -> bool:
        """Whether a whole start has not ended by itself."""
        return self._process is not None and self._process.poll() is None

    def ended(self) -> int:
        """How a whole start ended by itself."""
        assert self._process is not None
        self.pid = 0
        return self._process.wait(20)

    def end(self, *, killed: bool = True) -> None:
        if self.pid and killed:
            self.kill()
        elif self.pid:
            assert self.ended() == 1
        if self._loaded is not None:
            with self._loaded:
                assert self._loaded.stdin is not None
                self._loaded.stdin.close()


class Moments:
    """What just happened, for whoever waits to kill at it."""

    def __init__(self) -> None:
        self._seen = {name: threading.Event() for name in ("sent", "told", "shown")}

    def happened(self, name: str) -> None:
        self._seen[name].set()

    def wait_for(self, name: str) -> None:
        self._seen[name].clear()
        self._seen[name].wait(2.0)

    def hit(self, way: str, rng: random.Random, whole: bool) -> None:
        """Returns when the server is to be killed."""
        if way in ("any", "hurry"):
            time.sleep(rng.uniform(0, ANY_S))
        elif way == "starting":
            time.sleep(rng.uniform(0, START_S if whole else FORKED_S))
        else:
            for _ in range(rng.choice((1, 1, 2, 4))):
                self.wait_for("sent" if way == "asked" else way)
            time.sleep(rng.uniform(0, SENT_S if way in ("sent", "asked") else TOLD_S))
