"""The tables and the streams of a process, made as its settings say."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from companion.games.game import AnyGame, Chance
from companion.live.admission import StreamLimits
from companion.live.hub import Hub
from companion.record import fair
from companion.server.addresses import Addresses
from companion.server.tls import Tls
from companion.settings import Settings
from companion.tables.limits import TableLimits
from companion.tables.log import EventLog
from companion.tables.service import CODE_LENGTH, LONG_CODE, Tables
from companion.tables.shared_store import SharedStore
from companion.web.http.priority import step_aside, waiting


def code_length_of(settings: Settings) -> int:
    return LONG_CODE if settings.public_url else CODE_LENGTH


def limits_of(settings: Settings, deal_wait_s: float) -> TableLimits:
    return TableLimits(
        host_gone_s=settings.host_gone_s,
        end_wait_s=settings.end_wait_s,
        offer_s=settings.offer_s,
        deal_wait_s=deal_wait_s,
        in_memory=settings.tables_in_memory,
        name_max=settings.name_max,
        events_max=settings.events_per_table,
        host_bytes=settings.mib_per_host << 20,
        bytes_max=settings.mib_in_all << 20,
        code_length=code_length_of(settings),
    )


def tables_of(
    settings: Settings,
    event_log: EventLog,
    games: Mapping[str, AnyGame],
    *,
    secret: bytes,
    deal_wait_s: float,
    clock: Callable[[], float] = time.time,
    timer: Callable[[], float] | None = None,
    draw: Callable[[fair.Lot], Chance] = fair.drawn,
    shared: SharedStore | None = None,
) -> Tables:
    """`deal_wait_s`: how long a deal waits for numbers. `timer`, `draw`, `shared`: see
    `Tables`."""
    return Tables(
        event_log,
        games,
        limits_of(settings, deal_wait_s),
        secret=secret,
        clock=clock,
        timer=timer,
        draw=draw,
        shared=shared,
        waiting=waiting,
        breathe=step_aside,
    )


def tls_of(settings: Settings) -> Tls | None:
    """`SettingsError` where the certificate and its key cannot be used."""
    return Tls(*settings.tls_files) if settings.tls_files else None


def addresses_of(settings: Settings, tls: Tls | None) -> Addresses:
    """Where phones reach a server of this machine that has these settings."""
    addresses = Addresses(settings.host, settings.port, "http" if tls is None else "https")
    if tls is not None:
        addresses.certify(tls.names)
    return addresses


def hub_of(settings: Settings, clock: Callable[[], float] = time.monotonic) -> Hub:
    limits = StreamLimits(
        in_all=settings.streams,
        per_address=settings.streams_per_address,
        per_table=settings.streams_per_table,
        per_device=settings.streams_per_device,
    )
    return Hub(clock, limits)
