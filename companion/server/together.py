"""Several processes at one log: each hears what the others do, and tells them what it does.

What is heard only hastens what would be found out anyway: every second the log is asked how far the
tables have gone that somebody follows here.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from typing import Any, Final

import msgspec
from msgspec.structs import astuple

from companion.live.bus import Bus
from companion.storage.cipher import Cipher, UndecryptableError, blanks
from companion.tables.log import Head, Row, StorageError
from companion.tables.model import Device, Table
from companion.tables.offers import Offer, as_number, of_number
from companion.web.answers.services import Services

log = logging.getLogger("companion.server")

LOOK_EVERY_S: Final = 1.0
HERE_EVERY_S: Final = 2.0
HITS_EVERY_S: Final = 0.25

LATELY_S: Final = 3 * HERE_EVERY_S
"""A table that was said to be followed is taken to be so for so long."""

SLEPT_S: Final = 5.0
"""Between two looks: then the process was frozen, and has not heard who is where."""

CARRIED_MAX: Final = 20_000
"""Bytes of what was written that go along with the call; a deal for ten has some thousands."""

AT_ONCE: Final = ("code", "open", "join")
"""Limits of which others hear immediately; of the rest soon."""


class Together:
    def __init__(self, bus: Bus, services: Services, secret: bytes) -> None:
        """Before the first request."""
        self._bus = bus
        self._tables = services.tables
        self._services = services
        self._hub = services.hub
        self._cipher = Cipher(secret)
        self._hits: Counter[tuple[str, str]] = Counter()
        self._over = threading.Event()
        self._told_here_at = services.clock()
        self._hears: Final[dict[str, Callable[..., None]]] = {
            "table": self._heard_table,
            "rows": self._heard_rows,
            "here": self._heard_here,
            "hits": self._heard_hits,
            "turn": self._heard_turn,
            "offer": self._heard_offer,
        }
        services.tables.on_change.append(self._changed)
        services.tables.on_written.append(self._written)
        services.tables.on_news.insert(0, self._learned)
        services.limits.on_hit.append(self._hit)
        services.shown_offers.on_kept.append(self._offered)
        services.on_turned.append(partial(bus.call, "turn"))
        self._hub.hear_nothing()

    def listen(self) -> None:
        """To what others do."""
        self._bus.listen(self._heard, self._hub.hear_nothing, self._back)

    def start(self) -> None:
        self.listen()
        for every_s, work in (
            (LOOK_EVERY_S, self.look),
            (HERE_EVERY_S, self.tell_who_is_here),
            (HITS_EVERY_S, self.tell_hits),
        ):
            threading.Thread(target=self._repeat, args=(every_s, work), daemon=True).start()

    def close(self) -> None:
        self._over.set()
        self._bus.close()

    def followed(self) -> set[str] | None:
        """The tables that somebody follows at any process; None while that is not known."""
        known = self._hub.heard_for_s() > LATELY_S
        return self._hub.followed_lately(LATELY_S) if known else None

    # What this process does

    def forget(self, table_id: str) -> None:
        """A table was deleted that nobody has used; all processes forget it."""
        self._services.forget(table_id)
        self._bus.call("table", table_id, None)

    def _changed(self, table: Table) -> None:
        if table.ended:
            self._bus.call("table", table.id, None)

    def _written(self, table_id: str, rows: Sequence[Row], head: Head) -> None:
        """Whoever has the table as it was need not read the log: what was written goes along, as
        secret as it lies there: no size tells more than that of each row does there."""
        plain = msgspec.json.encode([[astuple(row) for row in rows], astuple(head)])
        plain += b" " * sum(blanks(row.kind, row.data) for row in rows)
        if rows and len(plain) <= CARRIED_MAX:
            encrypted = self._cipher.encrypt_bytes(f"rows {table_id}".encode(), plain)
            self._bus.call("rows", table_id, head.version, b64encode(encrypted).decode())
        else:
            self._bus.call("table", table_id, head.version)

    def _offered(self, offer: Offer) -> None:
        """It is good for a seat, so only these processes can read it."""
        what = (offer.table_id, as_number(offer.what), offer.key, offer.code, offer.good_for_s)
        encrypted = self._cipher.encrypt_bytes(b"offer", json.dumps(what).encode())
        self._bus.call("offer", b64encode(encrypted).decode())

    def _hit(self, kind: str, who: str, tries: int) -> None:
        if kind in AT_ONCE:
            self._bus.call("hits", [[kind, who, tries]])
        else:
            self._hits[kind, who] += tries

    def tell_hits(self) -> None:
        hits, self._hits = self._hits, Counter()
        if hits:
            self._bus.call("hits", [[*which, tries] for which, tries in hits.items()])

    def tell_who_is_here(self) -> None:
        """Of hosts it matters who is there, or has been since the last time; and of those who are
        awaited."""
        now, said = self._services.clock(), []
        since_s, self._told_here_at = now - self._told_here_at, now
        for table_id, devices in self._hub.here(since_s).items():
            table = self._tables.in_memory(table_id)
            host = table.host if table is not None and table.host in devices else None
            said.append([table_id, host])
            if table is not None and table.came_from is not None and table.game_state is None:
                said += [[table_id, each] for each in table.phones & devices if each != host]
        if said:
            self._bus.call("here", said)

    def look(self) -> None:
        """What was not heard is found."""
        for table_id in self._tables.look_for_news(self._hub.followed()):
            self._services.forget(table_id)

    def _repeat(self, every_s: float, work: Callable[[], None]) -> None:
        """What fails again in the same way is logged once."""
        failed: type[Exception] | None = None
        while True:
            began = time.monotonic()
            if self._over.wait(every_s):
                return
            if time.monotonic() - began > SLEPT_S and self._hub.heard_for_s():
                self._hub.hear_again()
            try:
                work()
                failed = None
            except StorageError as error:
                if failed is not StorageError:
                    log.warning("the tables of other processes are not known: %s", error)
                failed = StorageError
            except Exception as error:  # whatever it is, what was not heard must be found
                if failed is not type(error):
                    log.exception("what other processes do is not known")
                failed = type(error)

    # What others do

    def _back(self) -> None:
        self._hub.hear_again()
        self.tell_who_is_here()

    def _heard(self, kind: str, *what: Any) -> None:
        """Returns at once: what takes long has a thread of its own."""
        handler = self._hears.get(kind)
        if handler is not None:  # else it is of a newer version
            handler(*what)

    def _learned(self, table: Table) -> None:
        """Who has done that was there then, above all one who now is the host: known before pages
        show it."""
        if not table.ended:
            self._hub.heard_elsewhere(
                table.id, table.activity.seen_by, self._tables.unused_s(table)
            )

    def _heard_table(self, table_id: str, version: int | None) -> None:
        table = self._tables.in_memory(table_id)
        if table is None and version is None:  # it had to make room, or was never here
            self._tables.heard(table_id, None)
            self._services.forget(table_id)
        elif table is not None and (version is None or version > table.version):
            threading.Thread(target=self._catch_up, args=(table_id, version), daemon=True).start()

    def _heard_rows(self, table_id: str, version: int, encrypted: str) -> None:
        table = self._tables.in_memory(table_id)
        if table is None or version <= table.version:
            return
        along = False
        with suppress(UndecryptableError):
            text = self._cipher.decrypt_bytes(f"rows {table_id}".encode(), b64decode(encrypted))
            rows, head = json.loads(text)
            along = self._tables.read_along(table_id, [Row(*row) for row in rows], Head(*head))
        if not along:
            self._heard_table(table_id, version)

    def _catch_up(self, table_id: str, version: int | None) -> None:
        with suppress(StorageError):  # looked at again soon
            self._tables.heard(table_id, version)

    def _heard_here(self, said: list[tuple[str, str | None]]) -> None:
        for table_id, device in said:
            table = self._tables.in_memory(table_id)
            back = self._services.arrivals.told_who_is_back
            with back(table) if table is not None else nullcontext():
                self._hub.heard_elsewhere(table_id, device)

    def _heard_hits(self, hits: list[tuple[str, str, int]]) -> None:
        for kind, who, tries in hits:
            self._services.limits.heard(kind, who, tries)

    def _heard_turn(self, table_id: str, device: Device, turned: int) -> None:
        self._services.rotations.keep(device, turned)
        self._hub.publish(table_id, device)

    def _heard_offer(self, encrypted: str) -> None:
        with suppress(UndecryptableError):
            table_id, number, *rest = json.loads(
                self._cipher.decrypt_bytes(b"offer", b64decode(encrypted))
            )
            self._services.shown_offers.heard(Offer(table_id, of_number(number), *rest))
