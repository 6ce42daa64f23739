"""A server that starts again in no time, and when to kill it."""

from __future__ import annotations

import os
import queue
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from tests.durability.numbers import SLOW_S
from tests.kit.phone import Phone
from tests.kit.server import WITHIN_S, Server

WAYS = ("any", "sent", "told", "shown", "starting", "hurry", "asked", "opening", "waiting")
"""Moments to kill at: any; just after a play was sent (while it is judged, written and committed);
after its sender had the answer (while the others are told); after a phone was shown the state;
while the server starts; while the phones come back; while they open their numbers for a deal;
while an end that was told waits. Or it is asked to end just after a play was sent, and has to."""
SIGNS = ("sent", "told", "shown", "opening", "waiting")
"""Of these, what happens at tables."""

SENT_S = 0.015
TOLD_S = 0.004
ANY_S = 0.3
START_S = 0.8
FORKED_S = 0.15
END_WAIT_S = 1
"""How long an end of a round waits that was told."""


LOADED = """
from gevent import monkey
monkey.patch_all()
import gc, os, sys
import gevent, redis
from companion.cli import main, serve
from companion.games import GAMES
from companion.server import bare_errors, process
from companion.storage import postgres
from companion.web.view.games import pages_of
bare_errors.load()
for game in GAMES.values():
    pages_of(game)  # a game's pages are loaded when they are first asked for
gc.freeze()
fork, wait = (monkey.get_original("os", name) for name in ("fork", "waitpid"))
for line in sys.stdin:
    child = fork()
    if not child:
        gevent.reinit()
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        os.dup2(0, 1)
        main(["--no-browser"])
        os._exit(0)
    print("began", child, flush=True)
    print("ended", os.waitstatus_to_exitcode(wait(child, 0)[1]), flush=True)
"""
"""The program with everything loaded, also its games and texts, so that each line it reads starts a
server in no time."""


class QuickServer(Server):
    """Every so many starts are whole ones, as users start it; the others fork a process that has
    loaded the program and does all that comes after loading."""

    def __init__(self, data: Path, whole_every: int = 1, **settings: str | None) -> None:
        super().__init__(data, **{"end_wait_s": str(END_WAIT_S)} | settings)
        self._whole_every = whole_every
        self._loaded: subprocess.Popen[str] | None = None
        self._said: queue.SimpleQueue[str] = queue.SimpleQueue()
        """By the process that has loaded the program, line by line."""

    def phone(self, name: str, over: threading.Event) -> Phone:
        return Phone(self.port, name, over=over)

    @property
    def whole(self) -> bool:
        """Whether the newest start is a whole one."""
        return self.starts % self._whole_every == 0

    def launch(self) -> None:
        if (self.starts + 1) % self._whole_every == 0:
            super().launch()
            return
        if self.runs():  # a test has failed before it ended the last one
            self.kill()
        self.starts += 1
        if self._loaded is None:
            self._loaded = self._load()
        assert self._loaded.stdin is not None
        self._loaded.stdin.write("start\n")
        self._loaded.stdin.flush()
        self.pid = self._told("began", "it does not start")

    def _load(self) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        loaded = self._run([sys.executable, "-c", LOADED], stdin=pipe, stdout=pipe)

        def hear() -> None:
            assert loaded.stdout is not None
            for line in loaded.stdout:
                self._said.put(line)

        threading.Thread(target=hear, daemon=True).start()
        return loaded

    def _told(self, what: str, otherwise: str) -> int:
        """A life that has ended by itself is passed over when the next one begins."""
        try:
            while (said := self._said.get(timeout=WITHIN_S).split())[0] != what:
                pass
            return int(said[1])
        except queue.Empty:
            raise AssertionError(f"{otherwise}: {self.printed()}{self.errors()}") from None

    def runs(self) -> bool:
        return super().runs() if self.whole else os.path.exists(f"/proc/{self.pid}/exe")

    def ended(self) -> int:
        if self.whole:
            return super().ended()
        self.pid = 0
        return self._told("ended", "it does not end")

    def stop(self) -> None:
        if self.pid:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
        if self._loaded is not None:
            with self._loaded:
                self._loaded.kill()
        super().stop()


class Moments:
    """What just happened, for whoever waits to kill at it."""

    def __init__(self) -> None:
        self._seen = {name: threading.Event() for name in SIGNS}

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
        elif way in ("opening", "waiting"):
            self.wait_for(way)
            time.sleep(rng.uniform(0, SLOW_S if way == "opening" else END_WAIT_S))
        else:
            for _ in range(rng.choice((1, 1, 2, 4))):
                self.wait_for("sent" if way == "asked" else way)
            time.sleep(rng.uniform(0, SENT_S if way in ("sent", "asked") else TOLD_S))
