"""How often somebody may try: so many times in a window of time that opens with the first try.

A small counter of our own. What libraries offer for memory keeps every key for ever and looks
through all of them at each count (`limits`), or keeps the time of every try. Here a key is two
numbers, a count takes the same short time whoever else was counted, and a window that is over
takes its key along: since all windows of one limit are equally long, the oldest stand first. In the
long run nobody gets more than the limit says; for a moment, across the end of a window, twice that.

The clock only goes forward. When more keys come than are kept, the oldest windows go.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from companion.values import Value
from companion.web.http.ip import bare

if TYPE_CHECKING:
    from companion.settings import Settings

MINUTE_S: Final = 60.0
HOUR_S: Final = 3600.0

ADDRESSES_KEPT: Final = 4096
"""Size of the cache of address groups: each is asked for several times a request."""

PER_FORM: Final = 3
"""Requests of a device that plays, for each form that it may send: with some pages besides."""

PART_UNDONE: Final = 6
"""One in so many of a device's forms may be undone before it has to wait with more: who tells and
undoes over and over needs longer than an evening to fill a table."""

KEYS_MAX: Final = 100_000
"""Addresses or devices that one limit counts at once: some 25 MB."""


Limited = Literal["code", "open", "dear", "join", "request", "playing", "device", "undone"]
"""What is counted: see `rates`."""


class Rate(Value, frozen=True):
    """So many tries in so many seconds."""

    most: int
    window_s: float


def rates(settings: Settings) -> dict[Limited, tuple[Rate, ...]]:
    """How often each kind of try may be made: by address, the last three by device. Who sits down
    counts for an address and a table, or for the device where it has a seat there: phones of many
    tables may come from one address, and a table's link is not guessed."""
    codes = settings.codes_per_minute
    return {
        "code": (Rate(codes, MINUTE_S), Rate(6 * codes, HOUR_S)),  # wrong ones
        "open": (Rate(settings.tables_per_hour, HOUR_S),),
        "dear": (Rate(settings.dear_per_minute, MINUTE_S),),  # what is not kept from before
        "join": (Rate(settings.joins_per_minute, MINUTE_S),),
        "request": (Rate(settings.requests_per_minute, MINUTE_S),),
        # whatever a device asks for that plays: it has a seat, so nobody makes many of them
        "playing": (Rate(PER_FORM * settings.forms_per_minute, MINUTE_S),),
        "device": (Rate(settings.forms_per_minute, MINUTE_S),),  # whatever one device sends
        "undone": (Rate(settings.forms_per_minute // PART_UNDONE, MINUTE_S),),  # of what it tells
    }


@lru_cache(ADDRESSES_KEPT)
def group(address: str | None) -> str:
    """The address a limit is kept for: of an IPv6 network its /64, which one person has whole. So
    has each on a link what begins with fe80: counted singly, it would be as many guesses at codes
    as somebody likes. No phone is led there: neither codes nor `companion.local` have such ones."""
    found = bare(address or "")
    if found is None:
        return "-"
    return found.exploded[:19] if found.version == 6 else str(found)


class Windows:
    """The counts of one rate."""

    def __init__(self, rate: Rate, clock: Callable[[], float], keys_max: int = KEYS_MAX) -> None:
        self._rate = rate
        self._clock = clock
        self._keys_max = keys_max
        self._counts: OrderedDict[str, tuple[float, int]] = OrderedDict()
        """By key: when its window ends, and the tries in it. Those that end first stand first."""

    def __len__(self) -> int:
        return len(self._counts)

    def _window(self, who: str) -> tuple[float, int]:
        """When the window that is open for `who` ends, and the tries in it; none that is over is
        kept."""
        now = self._clock()
        while self._counts:
            oldest = next(iter(self._counts.items()))
            if oldest[1][0] > now:
                break
            del self._counts[oldest[0]]
        return self._counts.get(who) or (now + self._rate.window_s, 0)

    def may(self, who: str) -> bool:
        return self._window(who)[1] < self._rate.most

    def add(self, who: str) -> None:
        """Counts a try that was let through, also one too many: another process let it through
        before it had heard of the others, and may take it back."""
        ends, tries = self._window(who)
        if not tries and len(self._counts) >= self._keys_max:
            self._counts.popitem(last=False)
        self._counts[who] = (ends, tries + 1)

    def forgive(self, who: str) -> None:
        """Takes one counted try back; of one that was counted in a window that is over, one in the
        window that is open."""
        ends, tries = self._window(who)
        if tries > 1:
            self._counts[who] = (ends, tries - 1)
        elif tries:
            del self._counts[who]

    def wait_s(self, who: str) -> float:
        """Seconds until another try will be allowed; 0 where it is already."""
        ends, tries = self._window(who)
        return ends - self._clock() if tries >= self._rate.most else 0.0


class Limits:
    """Counts and refuses."""

    def __init__(
        self, rates: Mapping[Limited, tuple[Rate, ...]], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`clock`: seconds that only ever pass."""
        self.on_hit: Final[list[Callable[[str, str, int], None]]] = []
        """Told of each try that was counted here, 1, or taken back, -1."""
        self._windows: dict[str, tuple[Windows, ...]] = {
            kind: tuple(Windows(rate, clock) for rate in each) for kind, each in rates.items()
        }

    def may(self, kind: Limited, who: str) -> bool:
        """Whether another try is allowed; counts nothing."""
        return all(windows.may(who) for windows in self._windows[kind])

    def hit(self, kind: Limited, who: str) -> bool:
        """Counts a try; False when it was one too many, and then nothing is counted."""
        if not self.may(kind, who):
            return False
        self._count(kind, who, 1)
        return True

    def forgive(self, kind: Limited, who: str) -> None:
        """Takes back a try that was counted: it was a right one."""
        self._count(kind, who, -1)

    def _count(self, kind: Limited, who: str, tries: int) -> None:
        self.heard(kind, who, tries)
        for notify in self.on_hit:
            notify(kind, who, tries)

    def heard(self, kind: str, who: str, tries: int) -> None:
        """Counts so many tries that were let through, here or by another process, maybe of a kind
        that only that one knows; below 0 takes them back."""
        for windows in self._windows.get(kind, ()):
            for _ in range(tries):
                windows.add(who)
            for _ in range(-tries):
                windows.forgive(who)

    def wait_s(self, kind: Limited, who: str) -> int:
        """Seconds until another try will be allowed; 1 where it is already."""
        return max(1, *(math.ceil(windows.wait_s(who)) for windows in self._windows[kind]))
