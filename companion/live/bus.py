"""What processes call to each other: that a table has changed, who is there, what was tried.

Calls may be lost, doubled or come late, and nothing depends on one: what matters is in the log.
Redis or Valkey carries them, by publish and subscribe; nothing is kept there.
"""

from __future__ import annotations

import hmac
import json
import logging
import queue
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Protocol
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from redis import Redis

log = logging.getLogger("companion.live")

SILENT_S: Final = 5.0
"""A line on which nothing is heard for so long, not even what was called here, is cut."""

PARTS: Final = (
    *("db", "client_name", "username", "password", "ssl_ca_certs", "ssl_ca_path", "ssl_certfile"),
    *("ssl_keyfile", "ssl_password", "ssl_cert_reqs", "ssl_check_hostname"),
)
"""Of an address behind a ?: what else the library knows are objects, which no text can be."""

NO_ADDRESS: Final = (
    "it is redis://:password@host:port, and of the password all but letters and digits is "
    f"percent-encoded; behind a ? it has no more than {', '.join(PARTS)}"
)

AGAIN_S: Final = 0.5
LISTEN_S: Final = 0.25
"""In one go: then it is looked whether all is over."""

END_S: Final = 1.0
"""For what waits to go out, when all is over; a server that says nothing gets no longer."""

CALL_EVERY_S: Final = 1.0
"""That this process is there, at least."""

AT_ONCE: Final = 256
WAITING_MAX: Final = 10_000
"""Calls that wait for the line; what is more is lost."""


class Bus(Protocol):
    def call(self, kind: str, *what: Any) -> None:
        """Tells the other processes; neither waits nor fails. `what`: as JSON has it."""

    def listen(
        self, heard: Callable[..., None], cut: Callable[[], None], back: Callable[[], None]
    ) -> None:
        """From now on `heard` gets what others call, one after the other: the kind and what. `cut`
        is told that nothing is heard any more, `back` that it is again, also the first time."""

    def lag_s(self) -> float:
        """Seconds that a call takes lately; grows while none arrives."""

    def close(self) -> None: ...


class RedisBus:
    """`Bus` over Redis or Valkey."""

    def __init__(self, url: str, channel: str) -> None:
        """`url`: as "redis://host:6379" or "rediss://:password@host". ValueError where it is none;
        a server that is away is tried again and again. `channel`: of all processes that belong
        together, and no others."""
        self._redis = _server(url)
        self._channel = channel
        self._name = secrets.token_urlsafe(9)
        self._lag_s = 0.0
        self._came_at = time.monotonic()
        """When the beat was sent that has come back last: a call to nobody, at least every
        second."""
        self._told_away = False
        self._calls: queue.Queue[str | None] = queue.Queue(WAITING_MAX)
        self._over = threading.Event()
        self._threads: list[threading.Thread] = []

    def call(self, kind: str, *what: Any) -> None:
        with suppress(queue.Full):
            self._calls.put_nowait(json.dumps([self._name, kind, *what]))

    def listen(
        self, heard: Callable[..., None], cut: Callable[[], None], back: Callable[[], None]
    ) -> None:
        for work in (self._call, lambda: self._listen(heard, cut, back)):
            thread = threading.Thread(target=work, name="bus", daemon=True)
            self._threads.append(thread)
            thread.start()

    def lag_s(self) -> float:
        return max(self._lag_s, time.monotonic() - self._came_at - CALL_EVERY_S)

    def close(self) -> None:
        self._over.set()
        with suppress(queue.Full):
            self._calls.put_nowait(None)
        end = time.monotonic() + END_S
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
        if not any(thread.is_alive() for thread in self._threads):  # else it ends with the process
            self._redis.close()

    def _call(self) -> None:
        """All that waits goes in one go."""
        beat_at = 0.0
        while not (self._over.is_set() and self._calls.empty()):
            calls: list[str | None] = []
            with suppress(queue.Empty):
                calls.append(self._calls.get(timeout=CALL_EVERY_S))
                while len(calls) < AT_ONCE:
                    calls.append(self._calls.get_nowait())
            said = [call for call in calls if call is not None]
            now = time.monotonic()
            if now >= beat_at:
                said.append(json.dumps([self._name, "", now]))
                beat_at = now + CALL_EVERY_S / 2
            with suppress(*_broken()):  # the listener says so
                pipe = self._redis.pipeline(transaction=False)
                for call in said:
                    pipe.publish(self._channel, call)
                pipe.execute()

    def _listen(
        self, heard: Callable[..., None], cut: Callable[[], None], back: Callable[[], None]
    ) -> None:
        while not self._over.is_set():
            try:
                self._follow(heard, back)
            except _broken() as error:
                if not self._told_away:
                    log.warning("the bus is away: %s", error)
                self._told_away = True
                cut()
                self._over.wait(AGAIN_S)

    def _follow(self, heard: Callable[..., None], back: Callable[[], None]) -> None:
        with self._redis.pubsub() as line:  # type: ignore[no-untyped-call]
            line.subscribe(self._channel)
            silent_until = time.monotonic() + SILENT_S
            while not self._over.is_set():
                message = line.get_message(timeout=LISTEN_S)
                if message is None:
                    if time.monotonic() > silent_until:
                        raise TimeoutError("nothing is heard")
                    continue
                silent_until = time.monotonic() + SILENT_S
                if message["type"] == "subscribe":
                    if self._told_away:
                        log.warning("the bus is back")
                    self._told_away = False
                    back()
                elif message["type"] == "message":
                    self._take(heard, message["data"])

    def _take(self, heard: Callable[..., None], call: str | bytes) -> None:
        """Whatever it says, the next one is heard."""
        kind = "none"
        try:
            sender, kind, *what = json.loads(call)
            if sender != self._name:
                if kind:
                    heard(kind, *what)
            elif not kind:
                (self._came_at,) = what
                self._lag_s = time.monotonic() - self._came_at
        except Exception:
            log.exception("a call of another process was not understood: %s", kind)


def channel_of(secret: bytes) -> str:
    """Of all processes with this secret key, and no others."""
    return hmac.digest(secret, b"bus", "sha256").hex()


def answering(url: str, channel: str) -> tuple[str, int]:
    """The server at this address and its version, such as "Redis 7.0.15", and how many processes
    listen there; ValueError where the address is none, OSError where nobody answers or lets this
    program in."""
    from redis import RedisError

    server = _server(url)
    try:
        said: Any = server.info("server")
        ((_, listening),) = server.pubsub_numsub(channel)
    except RedisError as error:
        raise OSError(str(error)) from error
    finally:
        server.close()
    name = "Valkey" if "valkey_version" in said else "Redis"
    return f"{name} {said[f'{name.lower()}_version']}", int(listening)


def _server(url: str) -> Redis:
    from redis import Redis, RedisError

    try:
        if not parse_qs(urlsplit(url).query).keys() <= {*PARTS}:
            raise ValueError
        server = Redis.from_url(url, socket_timeout=SILENT_S, socket_connect_timeout=SILENT_S)
        pool = server.connection_pool
        pool.connection_class(**pool.connection_kwargs)  # connects to nothing yet
    except (ValueError, TypeError, RedisError):  # which may name a part of the password
        raise ValueError(NO_ADDRESS) from None
    return server


def _broken() -> tuple[type[Exception], ...]:
    """What a line that is cut raises."""
    from redis import RedisError

    return RedisError, OSError
