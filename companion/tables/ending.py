"""An end of a round or game that reveals secrets waits until it is confirmed or a timeout passes.

Everybody sees who has told it, and can stop it. Another player's "Yes" ends the wait, and so does
time. At a table of one phone or two nobody waits: who tells it sits beside who could stop it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from companion.games.game import Rejection
from companion.tables import events as on
from companion.tables import reasons
from companion.tables.codec import decode_events
from companion.tables.model import Device, Table, WaitingEnd
from companion.tables.rejections import NOT_SEATED, stale

PHONES_MIN = 3
"""Of the players, for an end to wait: as many as they have, or had when the round was dealt. Who
has lent a seat, or had it taken, still has their phone."""

NOT_TOLD = stale(on.Played)
"""Nothing waits any more."""


def blocked(table: Table) -> Rejection | None:
    """Why what would change the game has to wait: an end of the round does."""
    told = table.round.waiting_end
    if told is None:
        return None
    who = table.seat(told.teller)
    return stale(on.EndTold, who.name if who else None, ends_game=ends_game(table, told))


def ends_game(table: Table, told: WaitingEnd) -> bool:
    """Whether it is the host's word that the game ends now: nobody has told how a round ended."""
    return not any(True for _ in table.game.plays_of(decode_events(table.game.events, told.events)))


def must_wait(table: Table, after: Any) -> bool:
    """Whether this state of the game ends the round or the game that is on, at a table where such
    an end waits."""
    game = table.game
    own = {each.phones[-1] for each in table.in_play if each.phones}
    phones = max(len(own), len(table.phones), len(table.dealt_phones))
    if not game.ends_wait or phones < PHONES_MIN or not game.is_between_rounds(after):
        return False
    return not game.is_between_rounds(table.game_state) or game.is_over(after)


def confirm(table: Table, device: Device) -> on.Answer:
    if device != table.host and not table.held_in_play(device):
        return NOT_SEATED
    if table.round.waiting_end is None:
        return NOT_TOLD
    if not may_confirm(table, device):
        return Rejection(reasons.OWN_REPORT)
    return ended(table)


def may_confirm(table: Table, device: Device | None) -> bool:
    """Whether this is another player's phone than the one that told the end. Both must have had a
    seat since the deal and hold one of their own: otherwise both could be one person's, by a seat
    that was free or has moved, or by a laptop that hosts."""
    return device in _since_the_deal(table) and _could_confirm(table, device)


def comes_late(table: Table, device: Device | None) -> bool:
    """Whether it might confirm, had it had a seat since the round was dealt."""
    return device not in _since_the_deal(table) and _could_confirm(table, device)


def _could_confirm(table: Table, device: Device | None) -> bool:
    told = table.round.waiting_end
    if told is None or device is None or not table.held_in_play(device):
        return False
    if device == told.by or told.by not in _since_the_deal(table):
        return False
    return all(_has_own(table, each) for each in (device, told.by))


def _has_own(table: Table, device: Device) -> bool:
    """Whether it has a seat in play that is its player's, and not only lent to it."""
    return any(device in seat.phones for seat in table.held_in_play(device))


def _since_the_deal(table: Table) -> frozenset[Device]:
    return table.dealt_phones & _phones_then(table)


def _phones_then(table: Table) -> frozenset[Device]:
    """The players' phones when the end that waits now was told."""
    return table.round.waiting_end.phones if table.round.waiting_end is not None else frozenset()


def ended(table: Table) -> tuple[on.Event, ...]:
    """The round's end, as it was told."""
    assert table.round.waiting_end is not None
    return (on.Played(table.round.waiting_end.seat, table.round.waiting_end.events),)


def stop(table: Table, device: Device) -> on.Answer:
    if not may_stop(table, device):
        return NOT_SEATED
    return NOT_TOLD if table.round.waiting_end is None else (on.EndStopped(),)


def may_stop(table: Table, device: Device) -> bool:
    """Whoever is at the table, and whoever had a seat when the round was dealt or the end was told:
    nobody takes that say away from them."""
    had = table.dealt_phones | _phones_then(table)
    return device == table.host or device in had or bool(table.held_in_play(device))


def has_lost_seat(table: Table, device: Device) -> bool:
    """Whether this phone has lost the seat with which it was dealt in, and the game goes on: it may
    have an end to stop."""
    if device not in table.dealt_phones or table.held(device):
        return False
    return table.game_state is not None and not table.game.is_over(table.game_state)


class Countdowns:
    """When each end that waits takes effect: a fixed time after it was told, even if the clock is
    set or the program restarts meanwhile."""

    def __init__(
        self, clock: Callable[[], float], timer: Callable[[], float], wait_s: float
    ) -> None:
        """`clock`: what the log's times are by. `timer`: seconds that only ever pass."""
        self._clock = clock
        self._timer = timer
        self._wait_s = wait_s
        self._until: dict[str, tuple[int, float]] = {}

    @property
    def enabled(self) -> bool:
        """Whether any end waits."""
        return self._wait_s > 0

    def left_s(self, table: Table) -> float:
        """Seconds until the end of the round follows; infinite if none waits. The wait begins
        anew if it is over already when this program first sees the end: nobody could stop it
        meanwhile."""
        told = table.round.waiting_end
        if told is None:
            self._until.pop(table.id, None)
            return math.inf
        version, until = self._until.get(table.id, (0, 0.0))
        if version != told.version:
            left = told.at + self._wait_s - self._clock()
            until = self._timer() + (left if 0 < left < self._wait_s else self._wait_s)
            self._until[table.id] = told.version, until
        return max(0.0, until - self._timer())

    def retry_later(self, table: Table) -> None:
        """The end could not be saved: another try in a while."""
        if table.round.waiting_end is not None:
            self._until[table.id] = table.round.waiting_end.version, self._timer() + self._wait_s

    def forget(self, table_id: str) -> None:
        self._until.pop(table_id, None)
