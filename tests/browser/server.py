"""The program itself, started as its users start it, for tests that come from outside."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

RUN = "from companion.cli import main; main()"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """`companion` on 127.0.0.1, with a data folder of its own."""

    def __init__(self, data: Path, command: list[str] | None = None, **settings: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = data / "server.log"
        data.mkdir(parents=True, exist_ok=True)
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("COMPANION_")
        }
        self._command = [*(command or [sys.executable, "-c", RUN]), "--no-browser"]
        self._environment = environment | {
            "COMPANION_HOST": "127.0.0.1",
            "COMPANION_PORT": str(self.port),
            "COMPANION_DATA": str(data),
            "COMPANION_PUBLIC_URL": self.url,
            "COMPANION_JOINS_PER_MINUTE": "100000",  # all phones have one address here
            "COMPANION_TABLES_PER_HOUR": "100000",
            "COMPANION_REQUESTS_PER_MINUTE": "100000",
            **settings,
        }
        self.start()

    def start(self) -> float:
        """Seconds until the first page."""
        began = time.monotonic()
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, stdout=log, stderr=log, env=self._environment
            )
        while time.monotonic() - began < 15:
            if self._process.poll() is not None:
                break
            try:
                with urllib.request.urlopen(self.url, timeout=5) as answer:
                    answer.read()
                return time.monotonic() - began
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.02)
        raise AssertionError(f"the server does not answer:\n{self.log.read_text()}")

    def kill(self) -> None:
        """As a laptop without power does it."""
        self._process.kill()
        self._process.wait()

    def pause(self) -> None:
        """As a laptop that falls asleep: connections are open, and nothing comes."""
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def stop(self) -> float:
        """Seconds until it was gone after SIGTERM."""
        began = time.monotonic()
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.kill()
        return time.monotonic() - began
