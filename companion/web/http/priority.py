"""Who is served next when many ask at once.

One process draws all pages, one after another. After each page the next request is chosen, among
all that have come by then: first those of phones at a table that plays, as long as their address
has had no more than a fair share of the work; then all others. Among both it is the one whose
address has cost the least work lately: so who has just come waits for one page, not for all that
somebody else has asked for on a hundred connections. Of those behind one address, who plays and who
does not are counted apart, so that neither are shut out by the others. Where one address is alone,
its players do not wait for each other.

Who waits for the disk, or for a database that processes share, lets the next go on. What takes long
steps aside: it goes on in slices. Nobody takes the turn again who holds a lock that others wait for
with theirs.
"""

from __future__ import annotations

import heapq
import math
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import Enum, auto
from io import BytesIO
from typing import Any, Final, Generic, TypeVar

from companion.tables.model import Device
from companion.tables.pacing import SLICE_S, rest
from companion.web.http.limits import group
from companion.web.http.runners import Runner

AT_ONCE: Final = 4
"""Requests of one device that need not wait; a page asks for no more."""

SHARE: Final = 0.05
"""Of the processor's time, with which an address's players still come before all others."""

MEMORY_S: Final = 10.0
"""How soon work that was done is forgotten."""

RECENT_S: Final = 30.0
"""An address is alone when no other one has asked for so long."""

WEIGHT: Final = 4
"""By how much work for who plays counts less than for strangers."""

OWED_S: Final = 0.001
"""Seconds of a stream's work that are charged at once."""

ADDRESSES_MAX: Final = 20_000

ASIDE_MAX: Final = 20
"""Pauses of requests that step aside grow with their number, up to this one."""

Party = tuple[str, bool]
"""The address group, and whether they play."""

Rank = tuple[bool, float]
"""The least is next."""

Who = TypeVar("Who", str, Party)


class Work(Generic[Who]):
    """Seconds of work for each; what was long ago counts less and less."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._of: OrderedDict[Who, tuple[float, float]] = OrderedDict()  # seconds; at what time

    def add(self, who: Who, spent_s: float) -> None:
        self._of[who] = (self.of(who) + spent_s, self._clock())
        self._of.move_to_end(who)
        while len(self._of) > ADDRESSES_MAX:
            self._of.popitem(last=False)

    def of(self, who: Who) -> float:
        spent, at = self._of.get(who, (0.0, 0.0))
        return spent * math.exp((at - self._clock()) / MEMORY_S)

    def rank(self, who: Who, weight: int) -> float:
        """Sort key: grows with the decayed work divided by `weight`; constant until the next
        `add`."""
        spent, at = self._of.get(who, (0.0, 0.0))
        return math.log(spent / weight) + at / MEMORY_S if spent > 0 else -math.inf

    def others_than(self, who: Who) -> bool:
        """Whether another address has asked lately."""
        last = next((each for each in reversed(self._of) if each != who), None)
        return last is not None and self._of[last][1] > self._clock() - RECENT_S


class Holds(Enum):
    """What a request works by."""

    TURN = auto()
    SLOT = auto()
    """One of the few of its device that need not wait for the turn."""
    NOTHING = auto()
    """It waits, or has stepped aside."""


@dataclass(slots=True, eq=False)
class Ticket:
    """One request on its way."""

    queue: FairQueue
    who: str
    """The address group."""
    device: Device | None
    plays: bool
    holds: Holds = Holds.NOTHING
    aside: int = 0
    """How often it has stepped aside."""
    gone: bool = False
    owed_s: float = 0.0
    """Of its work, that is not charged yet."""
    turn: threading.Event = field(default_factory=threading.Event)


_TICKET: ContextVar[Ticket | None] = ContextVar("ticket", default=None)


class Turns:
    """Requests that wait, by party."""

    def __init__(self, work: Work[str], by_party: Work[Party]) -> None:
        """`work`: that each address has had; `by_party`: each party."""
        self._work = work
        self._by_party = by_party
        self._waiting: dict[Party, deque[Ticket]] = {}
        self._next: list[tuple[Rank, int, Party]] = []
        self._count = 0

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def put(self, ticket: Ticket) -> None:
        party = ticket.who, ticket.plays
        if party in self._waiting:
            self._waiting[party].append(ticket)
        else:
            self._waiting[party] = deque([ticket])
            self._push(party)

    def pop(self) -> Ticket:
        while True:
            rank, _, party = heapq.heappop(self._next)
            if self._rank(party) <= rank:
                break
            self._push(party)  # it has cost more since it came
        waiting = self._waiting[party]
        ticket = waiting.popleft()
        if waiting:
            self._push(party)
        else:
            del self._waiting[party]
        return ticket

    def _rank(self, party: Party) -> Rank:
        who, plays = party
        first = plays and self._work.of(who) <= SHARE * MEMORY_S
        return not first, self._by_party.rank(party, WEIGHT if plays else 1)

    def _push(self, party: Party) -> None:
        self._count += 1
        heapq.heappush(self._next, (self._rank(party), self._count, party))


class FairQueue:
    def __init__(
        self,
        app: Any,
        device_of: Callable[[dict[str, Any]], Device | None],
        plays: Callable[[Device], bool],
        body_max: int,
        runner: Runner,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`device_of`: whose cookie a request brings. `plays`: whether a device has a part in a
        table that plays. `body_max`: bytes of a form. `clock`: seconds that only ever pass."""
        self._app = app
        self._device_of = device_of
        self._plays = plays
        self._body_max = body_max
        self.runner = runner
        self._work = Work[str](clock)
        self._by_party = Work[Party](clock)
        self._turns = Turns(self._work, self._by_party)
        self._taken = False  # somebody has the turn
        self._at_once: Counter[Device] = Counter()
        self._aside = 0
        self._lock = threading.Lock()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        device = self._device_of(environ)
        ticket = Ticket(
            self,
            group(environ.get("REMOTE_ADDR")),
            device,
            device is not None and self._plays(device),
        )
        if not self._need_not_wait(ticket):
            self._read(environ)
            self._wait(ticket)
        before = _TICKET.set(ticket)
        self.runner.start()
        try:
            body = self._app(environ, start_response)
        finally:
            spent_s = self.runner.stop()
            _TICKET.reset(before)
            self._charge(ticket, spent_s)
            self._aside -= ticket.aside > 1
            self._leave(ticket)
        return body if isinstance(body, list) else ChargedBody(body, ticket)

    def charge(self, ticket: Ticket, next_piece: Iterator[bytes]) -> bytes:
        """The next piece of an answer, at the cost of who asked for it; small ones together."""
        self.runner.start()
        try:
            return next(next_piece)
        finally:
            ticket.owed_s += self.runner.stop()
            if ticket.owed_s >= OWED_S:
                self._charge(ticket, ticket.owed_s)
                ticket.owed_s = 0.0

    @contextmanager
    def waiting(self, ticket: Ticket) -> Iterator[None]:
        """This request waits, for the disk or another request: whoever is next goes on. Who waits
        within a wait, or has stepped aside, has nothing more to give up."""
        if ticket.holds is Holds.NOTHING:
            yield
            return
        self._charge(ticket, self.runner.stop())
        self._leave(ticket)
        self.runner.start()
        try:
            yield
        except Exception:  # not of a request that is cut off: it has no more turn to wait for
            self._go_on(ticket)
            raise
        self._go_on(ticket)

    def _go_on(self, ticket: Ticket) -> None:
        self._charge(ticket, self.runner.stop())
        if not self._need_not_wait(ticket):
            self._wait(ticket)
        self.runner.start()

    def step_aside(self, ticket: Ticket) -> None:
        """This request takes long: whoever is next goes on. It works no more than half of the time,
        together with all others that do so."""
        self._charge(ticket, self.runner.stop())
        self._leave(ticket)
        ticket.aside += 1
        self._aside += ticket.aside == 2
        time.sleep(SLICE_S * min(max(1, self._aside), ASIDE_MAX))
        self.runner.start()

    def _charge(self, ticket: Ticket, spent_s: float) -> None:
        with self._lock:
            self._work.add(ticket.who, spent_s)
            self._by_party.add((ticket.who, ticket.plays), spent_s)

    def _need_not_wait(self, ticket: Ticket) -> bool:
        device = ticket.device
        if not ticket.plays or device is None:
            return False
        with self._lock:
            if self._at_once[device] >= AT_ONCE or self._work.others_than(ticket.who):
                return False
            self._at_once[device] += 1
        ticket.holds = Holds.SLOT
        return True

    def _wait(self, ticket: Ticket) -> None:
        """For the turn."""
        ticket.turn.clear()
        with self._lock:
            self._turns.put(ticket)
            free, self._taken = not self._taken, True
        if free:
            self.runner.after_others(self._choose)
        waited = False
        try:
            ticket.turn.wait()
            waited = True
        finally:
            if not waited:  # cut off
                ticket.gone = True
                if ticket.turn.is_set():
                    self.runner.after_others(self._choose)
        ticket.holds = Holds.TURN

    def _leave(self, ticket: Ticket) -> None:
        """Gives up what it has: its turn, or one of its device's few."""
        held, ticket.holds = ticket.holds, Holds.NOTHING
        if held is Holds.TURN:
            self.runner.after_others(self._choose)
        elif held is Holds.SLOT and ticket.device is not None:
            with self._lock:
                self._at_once[ticket.device] -= 1
                if not self._at_once[ticket.device]:
                    del self._at_once[ticket.device]

    def _choose(self) -> None:
        """Who has the turn next."""
        with self._lock:
            while self._turns:
                ticket = self._turns.pop()
                if not ticket.gone:
                    ticket.turn.set()
                    return
            self._taken = False

    def _read(self, environ: dict[str, Any]) -> None:
        """A form that comes slowly keeps nobody waiting: it is read before its turn."""
        length = environ.get("CONTENT_LENGTH") or "0"
        if length.isdigit() and 0 < int(length) <= self._body_max:
            with suppress(OSError):  # the application will meet the same
                environ["wsgi.input"] = BytesIO(environ["wsgi.input"].read(int(length)))


class ChargedBody:
    """An answer that is made bit by bit, such as a stream."""

    def __init__(self, body: Iterable[bytes], ticket: Ticket) -> None:
        self._body = body
        self._ticket = ticket

    def __iter__(self) -> Iterator[bytes]:
        pieces = iter(self._body)
        while True:
            try:
                yield self._ticket.queue.charge(self._ticket, pieces)
            except StopIteration:
                return

    def close(self) -> None:
        close = getattr(self._body, "close", None)
        if close is not None:
            close()


def waiting() -> AbstractContextManager[None]:
    """Around what waits: others are served meanwhile."""
    ticket = _TICKET.get()
    return nullcontext() if ticket is None else ticket.queue.waiting(ticket)


def in_background(work: Callable[[bytes], bytes], given: bytes) -> bytes:
    """See `Runner.in_background`; for who waits."""
    ticket = _TICKET.get()
    return work(given) if ticket is None else ticket.queue.runner.in_background(work, given)


def step_aside() -> None:
    """What is being done takes long: lets others in, and goes on in between."""
    ticket = _TICKET.get()
    if ticket is None:
        rest()
    else:
        ticket.queue.step_aside(ticket)
