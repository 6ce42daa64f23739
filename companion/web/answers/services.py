"""The services and caches that all requests of a process share; `create_app` makes them once."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from flask import Response, current_app

from companion.live.hub import Hub
from companion.tables.model import Device
from companion.web.answers.arrivals import Arrivals
from companion.web.answers.rotations import Rotations
from companion.web.answers.shown_offers import ShownOffers
from companion.web.html.bounded_cache import BoundedCache
from companion.web.html.cache import Html
from companion.web.http.assets import Assets
from companion.web.http.limits import Limits
from companion.web.http.line import Line
from companion.web.view.moments import Moments
from companion.web.view.network import Network

if TYPE_CHECKING:
    from companion.settings import Settings
    from companion.tables.service import Tables

HEARTBEAT_S = 15.0

CACHE_BYTES = 32_000_000


@dataclass
class Services:
    """All that the pages of one application work with, made once by `create_app`."""

    settings: Settings
    tables: Tables
    hub: Hub
    limits: Limits
    network: Callable[[], Network]
    """Where phones reach this machine; asked each time, since a laptop may change networks in the
    middle of an evening."""
    html: Html
    moments: Moments
    arrivals: Arrivals
    shown_offers: ShownOffers
    assets: Assets

    file_line: Line = field(default_factory=Line)
    """Before records that somebody has as a file are played again."""

    game_line: Line = field(default_factory=Line)
    """Before games of a table are."""

    records: BoundedCache[bytes] = field(default_factory=lambda: BoundedCache(CACHE_BYTES))
    """Games as their records, over or on: by table and version."""

    replays: BoundedCache[bytes] = field(default_factory=lambda: BoundedCache(CACHE_BYTES))
    """Pages on which games that are over are watched again: by table and version, and all else
    that such a page depends on."""

    pictures: BoundedCache[bytes] = field(default_factory=lambda: BoundedCache(CACHE_BYTES))
    """Results of games that are over: by table and version, and all else that a picture depends
    on."""

    rule_pages: BoundedCache[str] = field(default_factory=lambda: BoundedCache(CACHE_BYTES))
    """The rules, whole and searched: by all that such a page depends on."""

    rotations: Rotations = field(default_factory=Rotations)
    heartbeat_s: float = HEARTBEAT_S
    clock: Callable[[], float] = time.monotonic  # seconds

    on_turned: list[Callable[[str, Device, int], None]] = field(default_factory=list)
    """Told of each phone that has turned its view here, at which table, and how it lies now."""

    unsaved: int = 0
    """Requests for which the tables could not be read or written, since that was logged."""
    unsaved_logged_at: float = -math.inf
    """By `clock`."""
    out_of_reach: bool = False
    """The tables, when somebody last needed them."""

    too_often_pages: dict[tuple[str, str, bool, int], Response] = field(default_factory=dict)
    """Pages that say it was too often; by language, text, whether it is a part, and when it asks
    again."""

    def base(self) -> str:
        """The address that phones reach most likely, like "http://192.168.1.20:8080"."""
        return self.network().best.url

    def forget(self, table: str) -> None:
        """The table is gone."""
        self.hub.forget(table)
        self.arrivals.forget(table)
        self.forget_made(table)
        self.shown_offers.forget(table)

    def forget_made(self, table: str) -> None:
        """What was drawn of it."""
        self.moments.forget(table)
        self.records.forget(table)
        self.replays.forget(table)
        self.pictures.forget(table)


def current_services() -> Services:
    """Those of the application that answers."""
    return cast(Services, current_app.extensions["companion"])
