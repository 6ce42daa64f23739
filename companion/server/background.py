"""What is done beside the requests: unused tables are deleted, and the network is watched."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

import gevent

from companion.server import surroundings
from companion.server.addresses import Addresses
from companion.server.local_name import LocalName
from companion.server.memory import WARM_S
from companion.server.tls import Tls
from companion.tables.log import StorageError
from companion.web.view.services import House

log = logging.getLogger("companion.server")

PURGE_EVERY_S = 6 * 3600.0
DAY_S = 86400.0

WATCH_EVERY_S = 1.0
"""At the network: a tenth of a millisecond's work each time."""

AGAIN_S = 15.0
"""At firewall and Wi-Fi, while a table screen waits for its first phone."""


def purge(house: House, followed: Callable[[], set[str] | None]) -> None:
    """Soon after the start, too: a laptop that runs only in the evenings never runs for hours."""
    unused_s = house.settings.unused_days * DAY_S
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


def watch(addresses: Addresses, house: House, name: LocalName | None, tls: Tls | None) -> None:
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
            house.arrivals.look()
            house.hub.publish_all()
            if tls is not None:
                addresses.certify(tls.names)
        if changed or (house.arrivals.awaiting and time.monotonic() - looked > AGAIN_S):
            addresses.seen = surroundings.look()
            looked = time.monotonic()
        gevent.sleep(WATCH_EVERY_S)
