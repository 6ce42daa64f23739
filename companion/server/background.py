"""What is done beside the requests: unused tables are deleted, and the network is watched."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable

import gevent

from companion.server import surroundings
from companion.server.addresses import Addresses
from companion.server.local_name import LocalName
from companion.server.memory import WARM_S
from companion.server.tls import Tls
from companion.tables.log import StorageError
from companion.web.answers.services import Services

log = logging.getLogger("companion.server")

PURGE_EVERY_S = 6 * 3600.0
DAY_S = 86400.0

WATCH_EVERY_S = 1.0
"""Interval of the looks at the network; each takes a tenth of a millisecond."""

AGAIN_S = 15.0
"""Interval of the looks at firewall and Wi-Fi while a table screen waits for its first phone."""


def purge(
    services: Services, followed: Callable[[], set[str] | None], gone: Callable[[str], None]
) -> None:
    """Soon after the start, too: a laptop that runs only in the evenings never runs for hours.
    `gone`: told of each table that has been deleted."""
    unused_s = services.settings.unused_days * DAY_S
    gevent.sleep(WARM_S)
    while True:
        try:
            spared = followed()
            if spared is not None:
                for table_id in services.tables.purge(unused_s, spared):
                    gone(table_id)
        except StorageError as error:
            log.warning("unused tables were not deleted: %s", error)
        except Exception:  # whatever it is, the next time may be better
            log.exception("unused tables were not deleted")
        gevent.sleep(PURGE_EVERY_S)


def watch(
    addresses: Addresses, services: Services, name: LocalName | None, tls: Tls | None
) -> None:
    """A laptop that changes networks shows its new code at once."""
    watching = _Watching(addresses, services, name, tls)
    failed = False
    while True:
        try:
            watching.look()
            failed = False
        except Exception:  # whatever it is, the network is looked at again
            if not failed:
                log.exception("the network could not be watched")
            failed = True
        gevent.sleep(WATCH_EVERY_S)


class _Watching:
    def __init__(
        self, addresses: Addresses, services: Services, name: LocalName | None, tls: Tls | None
    ) -> None:
        self._addresses = addresses
        self._services = services
        self._name = name
        self._tls = tls
        self._looked = -math.inf
        """When, at firewall and Wi-Fi."""

    def look(self) -> None:
        """Once."""
        addresses, services, tls = self._addresses, self._services, self._tls
        if self._looked == -math.inf:
            self._look_around()
        if tls is not None and tls.renew():
            addresses.certify(tls.names)
        if self._name is not None:
            self._name.tell(addresses.network)
            addresses.names = (self._name.name,) if self._name.name else ()
        changed = addresses.look()
        if changed:
            services.arrivals.note_addresses()
            services.hub.publish_all()
            if tls is not None:
                addresses.certify(tls.names)
        again = time.monotonic() - self._looked > AGAIN_S
        if changed or (again and services.arrivals.awaited()):
            self._look_around()

    def _look_around(self) -> None:
        self._looked = time.monotonic()
        self._addresses.seen = surroundings.look()
