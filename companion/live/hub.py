"""Which device is listening to which table, and when a device was last heard of.

A listener keeps only the newest notice: a slow phone skips the versions that it missed and gets the
present view, so nothing queues up. Presence is measured here, because only the hub knows whether a
device has an open stream; while it has one, it is present.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from companion.live.admission import USUAL_LIMITS, StreamLimits, giving_way
from companion.live.alarms import Alarms
from companion.live.listener import Call, Listener

ROOMS_MAX = 20_000
"""Tables of which is known who was there when; those heard of longest ago go."""


@dataclass
class _Room:
    """Everyone around one table."""

    listeners: list[Listener] = field(default_factory=list)
    seen: dict[str, float] = field(default_factory=dict)  # device -> when, by the hub's clock
    heard: dict[str, float] = field(default_factory=dict)  # the same, as other processes have said


class Hub:
    """The streams of this process."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        limits: StreamLimits = USUAL_LIMITS,
    ) -> None:
        self._clock = clock
        self._limits = limits
        self._by_address: dict[str, dict[Listener, None]] = {}
        """The open streams of each address, oldest first."""
        self._started = clock()
        self._deaf_since: float | None = None
        self._elsewhere: OrderedDict[str, float] = OrderedDict()
        """Tables that other processes have lately said to be followed there, and when."""
        self._rooms: OrderedDict[str, _Room] = OrderedDict()
        self.alarms: Final = Alarms(self._ring)
        """Until when a table's streams wait for a call."""
        self._closed = False
        self._lock = threading.Lock()

    def subscribe(
        self, table: str, device: str, address: str = "", *, belongs: bool = False
    ) -> Listener | None:
        """A new listener, to be given back with `leave`; None when there are too many.

        `belongs`: the device has a part in the table. Up to `OWN` streams of a table's own devices
        are always admitted: the oldest stream of whoever has most gives way. They are refused only
        where table, address or program is full of such streams.
        """
        listener = Listener(table, device, address, belongs)
        with self._lock:
            room = self._room(table)
            give_way = giving_way(listener, self._at_table, self._by_address, self._limits)
            if give_way is None:
                return None
            for each in give_way:
                self._end(each)
            self._by_address.setdefault(address, {})[listener] = None
            room.listeners.append(listener)
            room.seen[device] = self._clock()
            if self._closed:
                listener.close()
        return listener

    def _at_table(self, table: str) -> list[Listener]:
        return self._rooms[table].listeners

    def leave(self, listener: Listener) -> None:
        with self._lock:
            self._leave(listener)

    def _end(self, listener: Listener) -> None:
        self._leave(listener)
        listener.close()

    def _leave(self, listener: Listener) -> None:
        if listener.left:
            return
        listener.left = True
        of_address = self._by_address[listener.address]
        del of_address[listener]
        if not of_address:
            del self._by_address[listener.address]
        room = self._rooms.get(listener.table)
        if room is not None and listener in room.listeners:
            room.listeners.remove(listener)
            room.seen[listener.device] = self._clock()

    def publish(self, table: str, device: str | None = None) -> None:
        """Something about `table` changed: wakes all its listeners; or those of one device, where
        it is nobody else's to notice."""
        room, call = self._rooms.get(table), Call()
        if room is not None:
            for listener in tuple(room.listeners):
                if device is None or listener.device == device:
                    listener.wake(call)

    def _ring(self, table: str) -> None:
        room = self._rooms.get(table)
        for listener in tuple(room.listeners) if room is not None else ():
            listener.ring()

    def publish_all(self) -> None:
        """Something about all tables changed."""
        for table in self.followed():
            self.publish(table)

    def touch(self, table: str, device: str) -> None:
        """`device` asked for something at `table`."""
        with self._lock:
            self._room(table).seen[device] = self._clock()

    def _room(self, table: str) -> _Room:
        room = self._rooms.setdefault(table, _Room())
        self._rooms.move_to_end(table)
        too_many = max(0, len(self._rooms) - ROOMS_MAX)
        for oldest in tuple(islice(self._rooms, too_many)):
            if self._rooms[oldest].listeners:
                self._rooms.move_to_end(oldest)
            else:
                del self._rooms[oldest]
        return room

    def absent_s(self, table: str, device: str) -> float:
        """Seconds since `device` was last heard of at `table`; 0 while a stream of it is open.

        A device never heard of counts from the start of the program, which has just forgotten.
        """
        now = self._clock() if self._deaf_since is None else self._deaf_since
        room = self._rooms.get(table)
        if room is None:
            return max(0.0, now - self._started)
        for each in room.listeners:
            if each.device == device and not each.closed:
                return 0.0
        latest = max(of.get(device, self._started) for of in (room.seen, room.heard))
        return max(0.0, now - latest)

    def has_come(self, table: str, device: str) -> bool:
        """Whether `device` has been heard of at `table` since the start of the program; or may have
        been, while nothing is heard of other processes."""
        if self.is_deaf():
            return True
        room = self._rooms.get(table)
        return room is not None and (
            device in room.seen
            or device in room.heard
            or any(each.device == device for each in room.listeners)
        )

    # Other processes

    def here(self, within_s: float) -> dict[str, set[str]]:
        """By table, the devices present here: with an open stream, or heard of in the last
        `within_s` seconds. Excludes other processes' reports, or they would echo for ever."""
        after = self._clock() - within_s
        with self._lock:
            found = {}
            for table, room in self._rooms.items():
                devices = {each.device for each in room.listeners}
                devices |= {device for device, at in room.seen.items() if at >= after}
                if devices:
                    found[table] = devices
            return found

    def heard_elsewhere(self, table: str, device: str | None, ago_s: float = 0.0) -> None:
        """Another process says that the table is followed there, or `device` is there, or was so
        long ago."""
        with self._lock:
            self._elsewhere[table] = self._clock()
            self._elsewhere.move_to_end(table)
            while len(self._elsewhere) > ROOMS_MAX:
                self._elsewhere.popitem(last=False)
            if device is not None:
                heard, at = self._room(table).heard, self._clock() - ago_s
                heard[device] = max(at, heard.get(device, self._started))

    def followed_lately(self, within_s: float) -> set[str]:
        """The tables that somebody listens to, here or in the last seconds elsewhere."""
        after = self._clock() - within_s
        with self._lock:
            elsewhere = {table for table, at in self._elsewhere.items() if at >= after}
        return elsewhere | self.followed()

    def heard_for_s(self) -> float:
        """Seconds for which it has been heard who is at other processes; 0 while it is not."""
        return self._clock() - self._started if self._deaf_since is None else 0.0

    def is_deaf(self) -> bool:
        """Whether nothing is heard of other processes, where there are any."""
        return self._deaf_since is not None

    def hear_nothing(self) -> None:
        """Who is at other processes is not known for now: nobody's absence grows."""
        if self._deaf_since is None:
            self._deaf_since = self._clock()

    def hear_again(self) -> None:
        """Absences count from now, as after a start of the program."""
        with self._lock:
            self._deaf_since, self._started = None, self._clock()
            for room in self._rooms.values():
                room.seen.clear()
                room.heard.clear()

    def forget(self, table: str) -> None:
        """The table is gone: its streams end."""
        with self._lock:
            room = self._rooms.pop(table, None)
            for each in tuple(room.listeners) if room is not None else ():
                self._end(each)

    def close(self) -> None:
        """The program ends: every stream does."""
        self.alarms.close()
        with self._lock:
            self._closed = True
            rooms = tuple(self._rooms.values())
        for room in rooms:
            for listener in tuple(room.listeners):
                listener.close()

    def followed(self) -> set[str]:
        """The tables that somebody listens to."""
        with self._lock:
            return {table for table, room in self._rooms.items() if room.listeners}

    def shown(self, table: str) -> frozenset[tuple[str, str]]:
        """Pages of a table that listen, by name and language."""
        room = self._rooms.get(table)
        return frozenset(each.shows for each in room.listeners) if room else frozenset()

    def listening(self) -> int:
        """How many streams are open."""
        return sum(map(len, self._by_address.values()))
