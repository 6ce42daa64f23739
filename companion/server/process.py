"""The whole process: it opens the log, serves, and ends within two seconds."""

from __future__ import annotations

import gc
import logging
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import Any

import gevent
from flask import Flask
from gevent.event import Event

from companion.games import GAMES
from companion.live.bus import Bus, RedisBus, channel_of
from companion.server import journal
from companion.server.addresses import Addresses, listen
from companion.server.assembly import addresses_of, hub_of, tables_of, tls_of
from companion.server.background import WATCH_EVERY_S, purge, watch
from companion.server.local_name import LocalName
from companion.server.memory import WARM_S, collect, load_templates, warm
from companion.server.shared_checks import CLOCK_S, differing
from companion.server.tls import Tls
from companion.server.together import Together
from companion.server.wsgi import Server
from companion.settings import NO_NAME, Settings, SettingsError, needs_shared
from companion.storage.backup import taken
from companion.storage.folder import LOCK, still_held
from companion.storage.secret_key import secret_key
from companion.storage.sqlite_log import SqliteLog, cut_off, refuse_keyless
from companion.tables.log import EventLog, StorageError
from companion.tables.shared_store import SharedStore
from companion.tables.waiting_deals import DEAL_WAIT_S, DEAL_WAIT_SHARED_S
from companion.values import Value
from companion.web import create_app
from companion.web.answers.services import Services
from companion.web.http.runners import Greenlets
from companion.web.view.network import Network

log = logging.getLogger("companion.server")

FINISH_S = 1.0
"""Grace period for requests in flight at shutdown."""

OTHER_FILES = 100
"""The database, the listener, what the libraries open."""

FILES_MIN = 2 * OTHER_FILES
"""So that some tables can play, and connections that say nothing give way before none is left."""

LOOK_EVERY_S = 5.0
"""At the lock of the data folder."""


class NotServing(Exception):  # noqa: N818 - said to whoever starts the program, not a bug
    """The program cannot serve; the text says why."""


class At(Value, frozen=True):
    """Where it serves."""

    network: Network  # for the phones
    local: str  # for a browser on this machine
    port: int
    wanted_port: int


@dataclass(frozen=True, slots=True)
class Shared:
    """What several processes have in common."""

    store: SharedStore
    bus: Bus
    processes: int  # that there are, this one included


def run(settings: Settings, on_ready: Callable[[At], None]) -> None:
    """Serves until it is told to end."""
    began = time.monotonic()
    try:
        if settings.database:
            _run_shared(settings, on_ready)
        else:
            _run_alone(settings, on_ready)
    except StorageError as error:
        raise NotServing(f"{error}.") from error
    journal.ended(time.monotonic() - began)


def _run_alone(settings: Settings, on_ready: Callable[[At], None]) -> None:
    """With a data folder."""
    with taken(settings.data) as lock:
        if not settings.secret_key:
            refuse_keyless(settings.data)
        secret = secret_key(settings)
        was_cut_off = cut_off(settings.data)
        with closing(SqliteLog(settings.data, secret)) as event_log:
            if was_cut_off:
                journal.recovered(event_log.count())
            _run(settings, secret, event_log, on_ready, lambda: still_held(settings.data, lock))


def _run_shared(settings: Settings, on_ready: Callable[[At], None]) -> None:
    """One of several processes."""
    if not settings.bus:
        raise SettingsError(
            "A database that processes share needs a bus too, so that they hear of each other: "
            "--bus, such as redis://127.0.0.1:6379."
        )
    try:
        from companion.storage.postgres import PostgresLog

        secret = secret_key(settings)
        bus = _bus(settings.bus, secret)
        event_log = PostgresLog(settings.database, secret)
    except ImportError as error:
        raise NotServing(f"{needs_shared(error)}.") from error
    with closing(event_log):
        ahead_s = event_log.ahead_s()
        if abs(ahead_s) > CLOCK_S:
            log.warning("%s: companion doctor", differing(ahead_s))
        shared = Shared(event_log, bus, event_log.processes())
        _run(settings, secret, event_log, on_ready, lambda: True, shared)


def _bus(url: str, secret: bytes) -> RedisBus:
    try:
        return RedisBus(url, channel_of(secret))
    except ValueError as error:
        raise NotServing(f"The address of the bus cannot be used: {error}.") from error


def _signals_to_end() -> Iterator[int]:
    """By Ctrl-C, a service manager, and a terminal that closes: not under `nohup`, which ignores
    that, nor on Windows, which has none."""
    yield from (signal.SIGINT, signal.SIGTERM)
    hang_up = getattr(signal, "SIGHUP", None)
    if hang_up is not None and signal.getsignal(hang_up) is signal.SIG_DFL:
        yield hang_up


def _run(
    settings: Settings,
    secret: bytes,
    event_log: EventLog,
    on_ready: Callable[[At], None],
    still_ours: Callable[[], bool],
    shared: Shared | None = None,
) -> None:
    tables, files = event_log.count(), _files(settings)
    tls = tls_of(settings)
    addresses = addresses_of(settings, tls)
    app = _app(settings, secret, event_log, addresses, shared)
    services: Services = app.extensions["companion"]
    together = Together(shared.bus, services, secret) if shared is not None else None
    if shared is not None:
        load_templates(app)  # whoever listens may be sent all phones of another process
    server = _server(app, settings, addresses, tls, files)
    ended = Event()
    with ExitStack() as at_end:  # from the last to the first
        at_end.callback(server.close)
        name = None
        if settings.local_name != NO_NAME and not settings.public_url:
            name = LocalName(settings.local_name, addresses.port)
            at_end.callback(name.end)
        figures = _figures(app, event_log, shared) if settings.metrics_port else None
        for number in _signals_to_end():
            gevent.signal_handler(number, ended.set)
        if together is not None:
            together.start()
            at_end.callback(together.close)
        if figures is not None:
            at_end.callback(figures.stop)
        server.start()
        at_end.callback(server.end, FINISH_S)
        purging = (
            (services.hub.followed, services.forget)
            if together is None
            else (together.followed, together.forget)
        )
        beside = [
            gevent.spawn(purge, services, *purging),
            gevent.spawn_later(WARM_S, warm, app),
            gevent.spawn(collect),
            gevent.spawn_later(WATCH_EVERY_S, watch, addresses, services, name, server.tls),
        ]
        at_end.callback(gevent.killall, beside)
        at_end.callback(services.hub.close)
        at_end.callback(server.refuse)
        reached = services.network()
        processes = shared.processes if shared is not None else 1
        journal.began(settings, reached.best.url, addresses.port, tables, processes)
        on_ready(At(reached, addresses.local, addresses.port, settings.port))
        while not ended.wait(LOOK_EVERY_S) and still_ours():
            pass
    gc.freeze()
    if not ended.is_set():
        raise NotServing(
            f"{settings.data} is not this server's any more: its file {LOCK} was removed or "
            "replaced, and another program may be using the tables."
        )


def _files(settings: Settings) -> int:
    """How many may be open at once, connections among them; `NotServing` where they are too few."""
    wanted = settings.streams + settings.connections + OTHER_FILES
    files = allow_files(wanted)
    least = min(wanted, FILES_MIN)
    if files < least:
        raise NotServing(
            f"Only {files} files may be open at once, connections among them, and at least "
            f"{least} are needed: ulimit -n {wanted}, or LimitNOFILE={wanted} where systemd "
            "starts it."
        )
    return files


def _app(
    settings: Settings,
    secret: bytes,
    event_log: EventLog,
    addresses: Addresses,
    shared: Shared | None,
) -> Flask:
    tables = tables_of(
        settings,
        event_log,
        GAMES,
        secret=secret,
        timer=time.monotonic,
        deal_wait_s=DEAL_WAIT_S if shared is None else DEAL_WAIT_SHARED_S,
        shared=shared.store if shared is not None else None,
    )
    hub = hub_of(settings)
    return create_app(settings, tables, hub, Greenlets(), network=lambda: addresses.network)


def _server(
    app: Flask, settings: Settings, addresses: Addresses, tls: Tls | None, files: int
) -> Server:
    """It listens; whoever comes is answered when it starts. `files`: that may be open at once."""
    try:
        # A proxy passes on to this very port; at home the next free one does as well.
        last = settings.port if settings.public_url else None
        listener = listen(settings.host, settings.port, last=last)
    except OSError as error:
        raise NotServing(
            f"{settings.host}:{settings.port} cannot be used: {error.strerror}."
        ) from error
    addresses.listening(listener.getsockname()[1])
    most = min(settings.streams + settings.connections, files - OTHER_FILES)
    return Server(listener, app, settings, connections_max=most, addresses=addresses, tls=tls)


def _figures(app: Flask, event_log: EventLog, shared: Shared | None) -> Any:
    """What serves them, on a port of its own."""
    from companion.server.metrics import Metrics

    services: Services = app.extensions["companion"]
    host, port = services.settings.metrics_host, services.settings.metrics_port
    bus = shared.bus if shared is not None else None
    try:
        return Metrics(app, services, event_log, bus).serve(host, port)
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise NotServing(f"{host}:{port} cannot be used: {why}.") from error


def allow_files(wanted: int) -> int:
    """How many files may be open at once, connections included; `wanted` where that can be had."""
    try:
        import resource
    except ImportError:  # Windows, which has no such limit
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    endless = resource.RLIM_INFINITY
    if soft == endless or soft >= wanted:
        return wanted
    more = wanted if hard == endless else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
    except (OSError, ValueError):
        return soft
    return more
