"""How often somebody may try: moving windows, in memory.

A code of six letters is short enough to type and therefore to guess, so wrong guesses are counted
for each address and for all addresses together; a right one costs nothing. With fifty tables open
and every guess of every day spent, one table would be found in some two hundred days.
"""

from __future__ import annotations

import math
import threading
import time
from ipaddress import ip_address
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limits import RateLimitItem
    from limits.strategies import MovingWindowRateLimiter

    from companion.settings import Settings


def rates(settings: Settings) -> dict[str, tuple[str, ...]]:
    """How often each kind of try may be made, by address but for `code-all` and `device`."""
    codes = settings.codes_per_minute
    return {
        "code": (f"{codes} per minute", f"{6 * codes} per hour"),  # wrong ones
        "code-all": (f"{settings.codes_in_all} per minute",),  # wrong ones, everybody's together
        "open": (f"{settings.tables_per_hour} per hour",),
        "join": (f"{settings.joins_per_minute} per minute",),
        "request": (f"{settings.requests_per_minute} per minute",),
        "device": (f"{settings.forms_per_minute} per minute",),  # whatever one device sends
    }


def group(address: str | None) -> str:
    """The address a limit is kept for: of an IPv6 network its /64, which one person has whole."""
    if not address:
        return "-"
    try:
        parsed = ip_address(address)
    except ValueError:
        return "-"
    if parsed.version == 6:
        mapped = parsed.ipv4_mapped
        if mapped is not None:
            return str(mapped)
        return parsed.exploded[:19]
    return str(parsed)


class Limits:
    """Counts and refuses. The library is loaded with the first count, not at the start."""

    def __init__(self, rates: dict[str, tuple[str, ...]]) -> None:
        self.guessing = threading.Lock()
        """Held from before a guess until it is counted: all at once would pass uncounted."""
        self._rates = rates
        self._windows: MovingWindowRateLimiter | None = None
        self._items: dict[str, list[RateLimitItem]] = {}

    def _ready(self, kind: str) -> tuple[MovingWindowRateLimiter, list[RateLimitItem]]:
        windows = self.load()
        if kind not in self._items:
            from limits import parse

            self._items[kind] = [parse(rate) for rate in self._rates[kind]]
        return windows, self._items[kind]

    def load(self) -> MovingWindowRateLimiter:
        if self._windows is None:
            from limits.storage import MemoryStorage
            from limits.strategies import MovingWindowRateLimiter

            self._windows = MovingWindowRateLimiter(MemoryStorage())
        return self._windows

    def count(self, kind: str, who: str) -> bool:
        """As `hit`, but uncounted while the library is not loaded: for the first page's sake."""
        return self._windows is None or self.hit(kind, who)

    def may(self, kind: str, who: str) -> bool:
        """Whether another try is allowed; counts nothing."""
        windows, items = self._ready(kind)
        return all(windows.test(item, kind, who) for item in items)

    def hit(self, kind: str, who: str) -> bool:
        """Counts a try; False when it was one too many."""
        windows, items = self._ready(kind)
        counted = [windows.hit(item, kind, who) for item in items]
        return all(counted)

    def wait_s(self, kind: str, who: str) -> int:
        """Seconds until another try will be allowed; 1 where it is already."""
        windows, items = self._ready(kind)
        stats = [windows.get_window_stats(item, kind, who) for item in items]
        over = [each.reset_time - time.time() for each in stats if each.remaining <= 0]
        return max(1, *map(math.ceil, over)) if over else 1
