"""The whole process: it opens the log, serves, and ends within two seconds."""

from __future__ import annotations

import ctypes
import gc
import hmac
import logging
import os
import signal
import time
from collections.abc import Callable
from contextlib import closing

import gevent
from flask import Flask
from gevent.event import Event

from companion.games import GAMES
from companion.live.bus import Bus, RedisBus
from companion.server import bare_errors, journal, surroundings
from companion.server.addresses import Addresses, listen
from companion.server.assembly import hub_of, tables_of
from companion.server.listener import Server
from companion.server.local_name import LocalName
from companion.server.shared_checks import CLOCK_S, differing
from companion.server.tls import Tls
from companion.server.together import Together
from companion.settings import NEEDS_SHARED, NO_NAME, Settings, SettingsError
from companion.storage.backup import finish_restoration
from companion.storage.folder import LOCK, exclusive, still_held
from companion.storage.log import SqlLog, cut_off, refuse_keyless
from companion.storage.secret_key import secret_key
from companion.tables.common import Common
from companion.tables.log import EventLog, StorageError
from companion.tables.opening import OPEN_S, OPEN_SHARED_S
from companion.values import Value
from companion.web import create_app
from companion.web.http.runners import Greenlets
from companion.web.view.network import Network
from companion.web.view.services import House

log = logging.getLogger("companion.server")

PURGE_EVERY_S = 6 * 3600.0
FINISH_S = 1.0
"""Grace period for requests in flight at shutdown."""

DAY_S = 86400.0

OTHER_FILES = 100
"""The database, the listener, what the libraries open."""

COLLECT_EVERY_S = 5.0

COLLECT_ALL_EVERY_S = 3600.0

LOOK_EVERY_S = 5.0
"""At the lock of the data folder."""

NEVER = 2**31 - 1

WATCH_EVERY_S = 1.0
"""At the network: a tenth of a millisecond's work each time."""

AGAIN_S = 15.0
"""At firewall and Wi-Fi, while a table screen waits for its first phone."""

WARM_S = 1.0
"""After the start: what the first page does not need is loaded then."""


class NotServing(Exception):  # noqa: N818 - said to whoever starts the program, not a bug
    """The program cannot serve; the text says why."""


class At(Value, frozen=True):
    """Where it serves."""

    network: Network  # for the phones
    local: str  # for a browser on this machine
    port: int
    wanted_port: int


class Shared(Value, frozen=True):
    """What several processes have in common."""

    common: Common
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
    with exclusive(settings.data) as lock:
        finish_restoration(settings.data)
        if not settings.secret_key:
            refuse_keyless(settings.data)
        secret = secret_key(settings)
        was_cut_off = cut_off(settings.data)
        with closing(SqlLog(settings.data, secret)) as event_log:
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
        channel = hmac.digest(secret, b"bus", "sha256").hex()
        bus = RedisBus(settings.bus, channel)
        event_log = PostgresLog(settings.database, secret)
    except ImportError as error:
        raise NotServing(f"{NEEDS_SHARED}.") from error
    except ValueError as error:
        raise NotServing(f"The address of the bus cannot be used: {error}.") from error
    with closing(event_log):
        ahead_s = event_log.ahead_s()
        if abs(ahead_s) > CLOCK_S:
            log.warning("%s: companion doctor", differing(ahead_s))
        shared = Shared(event_log, bus, event_log.processes())
        _run(settings, secret, event_log, on_ready, lambda: True, shared)


def _run(
    settings: Settings,
    secret: bytes,
    event_log: EventLog,
    on_ready: Callable[[At], None],
    still_ours: Callable[[], bool],
    shared: Shared | None = None,
) -> None:
    there = event_log.count()
    most = settings.streams + settings.connections
    files = allow_files(most + OTHER_FILES)
    tables = tables_of(
        settings,
        event_log,
        GAMES,
        secret=secret,
        timer=time.monotonic,
        open_s=OPEN_S if shared is None else OPEN_SHARED_S,
        common=shared.common if shared is not None else None,
    )
    hub = hub_of(settings)
    app = create_app(settings, tables, hub, network=lambda: addresses.network, runner=Greenlets())
    house: House = app.extensions["companion"]
    together = Together(shared.bus, tables, house, secret) if shared is not None else None
    if shared is not None:
        load_templates(app)  # whoever listens may be sent all phones of another process
    try:
        # A proxy passes on to this very port; at home the next free one does as well.
        last = settings.port if settings.public_url else None
        listener = listen(settings.host, settings.port, last=last)
    except OSError as error:
        raise NotServing(
            f"{settings.host}:{settings.port} cannot be used: {error.strerror}."
        ) from error
    port = listener.getsockname()[1]
    tls = Tls(*settings.tls_files) if settings.tls_files else None
    scheme = "https" if tls is not None else "http"
    addresses = Addresses(settings.host, port, scheme)
    if tls is not None:
        addresses.certify(tls.names)
    server = Server(
        listener,
        app,
        settings,
        connections_max=min(most, max(OTHER_FILES, files - OTHER_FILES)),
        addresses=addresses,
        tls=tls,
    )
    figures = None
    if settings.metrics_port:
        from companion.server.metrics import Metrics

        where = settings.metrics_host, settings.metrics_port
        try:
            bus = shared.bus if shared is not None else None
            figures = Metrics(app, house, event_log, bus).serve(*where)
        except OSError as error:
            why = os.strerror(error.errno or 0)
            raise NotServing(f"{where[0]}:{where[1]} cannot be used: {why}.") from error
    ended = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        gevent.signal_handler(number, ended.set)
    if together is not None:
        together.start()
    server.start()
    followed = house.hub.followed if together is None else together.followed
    purging = gevent.spawn(_purge, house, settings.unused_days * DAY_S, followed)
    warming = gevent.spawn_later(WARM_S, _warm, app)
    collecting = gevent.spawn(_collect)
    called = settings.local_name != NO_NAME and not settings.public_url
    name = LocalName(settings.local_name, port) if called else None
    watching = gevent.spawn_later(WATCH_EVERY_S, _watch, addresses, house, name, tls)
    reached = house.network()
    processes = shared.processes if shared is not None else 1
    journal.began(settings, reached.best.url, port, there, processes)
    on_ready(At(reached, addresses.local, port, settings.port))
    while not ended.wait(LOOK_EVERY_S) and still_ours():
        pass
    server.refuse()
    hub.close()
    gevent.killall([purging, warming, collecting, watching])
    server.end(FINISH_S)
    if figures is not None:
        figures.stop()
    if together is not None:
        together.close()
    if name is not None:
        name.end()
    gc.freeze()
    if not ended.is_set():
        raise NotServing(
            f"{settings.data} is not this server's any more: its file {LOCK} was removed or "
            "replaced, and another program may be using the tables."
        )


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


def _watch(addresses: Addresses, house: House, name: LocalName | None, tls: Tls | None) -> None:
    """A laptop that changes networks shows its new code at once."""
    addresses.seen = surroundings.look()
    looked = time.monotonic()
    while True:
        if tls is not None and tls.renew():
            addresses.certify(tls.names)
        if name is not None:
            name.tell(addresses.network)
            addresses.names = (name.name,) if name.name else ()
        changed = addresses.look()
        if changed:
            house.hub.publish_all()
            if tls is not None:
                addresses.certify(tls.names)
        if changed or (house.arrivals.awaiting and time.monotonic() - looked > AGAIN_S):
            addresses.seen = surroundings.look()
            looked = time.monotonic()
        gevent.sleep(WATCH_EVERY_S)


def _warm(app: Flask) -> None:
    """The collector need not look through all that stays for good: its pauses get shorter."""
    load_templates(app)
    bare_errors.load()
    gc.freeze()


def _collect() -> None:
    """With two thousand connections open, the collector takes a quarter of a second to look through
    all there is, and by itself it does so in the middle of updates. By the clock it looks through
    what is new alone. What stays is set aside: it goes when nobody refers to it any more. Circles,
    which the collector is for, hardly ever get so old: neither connections nor states of tables are
    in one (`tests/kit/circles.py`); once an hour it looks for them in all there is."""
    gc.set_threshold(*gc.get_threshold()[:2], NEVER)
    looked = time.monotonic()
    trim = _trimming()
    while True:
        gevent.sleep(COLLECT_EVERY_S)
        if time.monotonic() - looked >= COLLECT_ALL_EVERY_S:
            looked = time.monotonic()
            gc.unfreeze()
        gc.collect()
        gc.freeze()
        trim()


def _trimming() -> Callable[[], object]:
    """Gives back to the system what lies free between what is used, where the C library can. After
    many phones have come that is a tenth of what the program takes."""
    try:
        trim: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # not glibc
        return lambda: None
    return lambda: trim(0)


def load_templates(app: Flask) -> None:
    """All of them now: after an update the files on the disk are not those of this program."""
    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)
        gevent.sleep(0)  # requests come first


def _purge(house: House, unused_s: float, followed: Callable[[], set[str] | None]) -> None:
    """Soon after the start, too: a laptop that runs only in the evenings never runs for hours."""
    gevent.sleep(WARM_S)
    while True:
        try:
            spared = followed()
            if spared is not None:
                for table_id in house.tables.purge(unused_s, spared):
                    house.forget(table_id)
        except StorageError as error:
            log.warning("unused tables were not deleted: %s", error)
        gevent.sleep(PURGE_EVERY_S)
