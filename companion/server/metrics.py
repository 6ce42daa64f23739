"""Figures for Prometheus, on a port of their own: what is done, how fast, and what is refused.

They say nothing of anybody: their labels are addresses' patterns, commands, reasons, limits and the
program's version, all of them known when the program is written.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from time import perf_counter
from typing import Any, Final

import gevent
from flask import Flask, Response, g, request
from gevent.pywsgi import WSGIServer
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    ProcessCollector,
    make_wsgi_app,
)

from companion.build import build
from companion.live.bus import Bus
from companion.server.connection import QuietHandler
from companion.tables.log import EventLog, StorageError
from companion.web.answers.services import Services
from companion.web.pages.forms import NAMES

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)

DO: Final = "table.do"
"""The endpoint to which phones send what they do at a table."""

PATIENCE_S: Final = 2.0
"""With a database that says nothing: Prometheus waits ten seconds for all figures."""


class Metrics:
    """Of one process."""

    def __init__(self, app: Flask, services: Services, log: EventLog, bus: Bus | None) -> None:
        """`bus`: None where there are no other processes."""
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        about = Info("companion", "The program.", registry=self._registry)
        about.info({"version": build()})
        self._reports = self._counter("reports", "What was accepted at tables.", "command")
        self._refusals = self._counter("refusals", "What was refused.", "reason")
        self._limits = self._counter("limits_hit", "What was asked for too often.", "limit")
        self._requests = Histogram(
            "companion_request_seconds",
            "From a request to the beginning of its answer.",
            ("endpoint",),
            buckets=SECONDS,
            registry=self._registry,
        )
        writes = Histogram(
            "companion_log_write_seconds",
            "Until what was accepted is on the disk.",
            buckets=SECONDS,
            registry=self._registry,
        )
        services.tables.on_saved.append(writes.observe)
        self._gauge("open_streams", "Pages that follow a table.", services.hub.listening)
        self._gauge("tables", "Tables that there are.", log.count)
        self._gauge("database_bytes", "What all tables take.", log.used)
        most = services.settings.mib_in_all << 20
        self._gauge("database_bytes_max", "What all tables may take.", lambda: most)
        if bus is not None:
            self._gauge("bus_lag_seconds", "That a call to other processes takes.", bus.lag_s)
        app.after_request(self._count)

    def serve(self, host: str, port: int) -> Any:
        """The server, which has begun; OSError where it cannot listen."""
        server = WSGIServer(
            (host, port), make_wsgi_app(self._registry), log=None, handler_class=QuietHandler
        )
        server.start()
        return server

    def _counter(self, name: str, about: str, label: str) -> Counter:
        return Counter(f"companion_{name}", about, (label,), registry=self._registry)

    def _gauge(self, name: str, about: str, value: Callable[[], float]) -> None:
        """While the database is away what it would say is NaN, and the rest is told."""

        def asked() -> float:
            try:
                return value()
            except StorageError:
                return math.nan

        def known() -> float:
            asking = gevent.spawn(asked)
            asking.join(PATIENCE_S)
            return asking.value if asking.successful() else math.nan

        Gauge(f"companion_{name}", about, registry=self._registry).set_function(known)

    def _count(self, response: Response) -> Response:
        spent_s = perf_counter() - g.get("began", perf_counter())
        self._requests.labels(request.endpoint or "none").observe(spent_s)
        refused = g.get("refused")
        if refused is not None:
            self._refusals.labels(str(refused)).inc()
        elif request.endpoint == DO and response.status_code < 400:
            name = (request.view_args or {}).get("name")
            if name in NAMES:
                self._reports.labels(name).inc()
        limit = g.get("limit_hit")
        if limit is not None:
            self._limits.labels(limit).inc()
        return response
