"""PostgreSQL and Redis as Debian has them, in folders of their own, on loopback, and ended.

PostgreSQL serves no root: then it runs as the user that its package made.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg

from tests.kit.programs import needed
from tests.kit.server import free_port

WITHIN_S = 30.0
POSTGRES_USER = "postgres"


def _runs(pid: str) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] not in ("Z", "X")


class Service:
    """A program in a temporary folder, on a port of its own."""

    def __init__(self, user: str | None) -> None:
        """`user`: whose process it is, where we are root; ours where None."""
        self._user = {"user": user, "group": user, "extra_groups": []} if user else {}
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="companion-"))
        if user:
            shutil.chown(self.folder, user, user)
        self._process: subprocess.Popen[bytes] | None = None

    def command(self) -> Sequence[str]:
        raise NotImplementedError

    def run(self, *command: str, **more: Any) -> None:
        """To its end."""
        subprocess.run(
            command,
            check=True,
            capture_output=True,
            timeout=WITHIN_S,
            cwd=self.folder,
            **self._user,
            **more,
        )

    def start(self) -> None:
        with (self.folder / "output").open("ab") as output:
            self._process = subprocess.Popen(
                self.command(),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=self.folder,
                **self._user,
            )
        end = time.monotonic() + WITHIN_S
        while not self.answers():
            said = (self.folder / "output").read_text(errors="replace")
            assert self._process.poll() is None, said
            assert time.monotonic() < end, said
            time.sleep(0.02)

    def answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self, number: int = signal.SIGKILL) -> None:
        assert self._process is not None
        self._process.send_signal(number)
        self._process.wait(WITHIN_S)

    def pause(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def end(self) -> None:
        """However it stands."""
        if self._process is not None and self._process.poll() is None:
            self.resume()
            try:
                self.kill(signal.SIGINT)
            except subprocess.TimeoutExpired:
                self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Postgres(Service):
    def __init__(self) -> None:
        versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda at: at.parts[-2])
        self._server = needed("postgres", *versions)
        initdb = needed("initdb", *versions)
        super().__init__(POSTGRES_USER if os.geteuid() == 0 else None)
        self._password = secrets.token_hex(8)
        words = self.folder / "password"
        words.write_text(self._password)
        words.chmod(0o644)
        here = ("--pgdata", str(self.folder / "data"), "--username", POSTGRES_USER)
        how = ("--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync")
        self.run(initdb, *here, "--pwfile", str(words), *how)

    def command(self) -> Sequence[str]:
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": "",
            "fsync": "off",  # what is killed here is a process, never the machine
            "autovacuum": "off",  # each database lives for some seconds
            "max_connections": 200,
        }
        given = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return [self._server, "-D", str(self.folder / "data"), *given]

    def answers(self) -> bool:
        try:
            psycopg.connect(self.url(POSTGRES_USER), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def pause(self) -> None:
        """And its children: they serve the connections that are open."""
        super().pause()
        self._signal_children(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal_children(signal.SIGCONT)
        super().resume()

    def _signal_children(self, number: int) -> None:
        for child in self._children():
            with suppress(ProcessLookupError):  # its connection has just been closed
                os.kill(int(child), number)

    def kill(self, number: int = signal.SIGKILL) -> None:
        """And its children: those of a killed one serve on until they notice it."""
        children = self._children()
        super().kill(number)
        end = time.monotonic() + WITHIN_S
        while any(map(_runs, children)):
            assert time.monotonic() < end
            time.sleep(0.01)

    def _children(self) -> list[str]:
        assert self._process is not None
        pid = self._process.pid
        return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()

    def url(self, name: str) -> str:
        return f"postgresql://{POSTGRES_USER}:{self._password}@127.0.0.1:{self.port}/{name}"

    def fresh(self) -> str:
        """The address of a new, empty database."""
        name = f"companion_{secrets.token_hex(6)}"
        with psycopg.connect(self.url(POSTGRES_USER), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template0".encode())
        return self.url(name)


class Redis(Service):
    def __init__(self) -> None:
        self._server = needed("valkey-server" if shutil.which("valkey-server") else "redis-server")
        super().__init__(None)
        self._password = secrets.token_hex(8)

    def command(self) -> Sequence[str]:
        where = ("--bind", "127.0.0.1", "--port", str(self.port), "--dir", str(self.folder))
        return [
            self._server,
            *where,
            *("--save", "", "--appendonly", "no", "--requirepass", self._password),
        ]

    @property
    def url(self) -> str:
        return f"redis://:{self._password}@127.0.0.1:{self.port}/0"
