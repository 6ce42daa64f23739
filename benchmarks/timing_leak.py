"""Whether a secret shows in how long an answer takes: `python benchmarks/timing_leak.py`.

    python benchmarks/timing_leak.py [--tables 40] [--samples 60] [--plant MICROSECONDS]

A server runs as its users start it; many tables of three play. Each kind of answer is asked for
over one kept connection, from all seats in an order shuffled anew each time, so that whatever else
the machine does falls on all alike. A seat's figure is the median of its own answers; seats are
then compared by the secret, with Welch's t, with a confidence interval of the difference, and with
Cliff's delta, which says how often one of a pair is slower: 0 no difference, 1 or -1 always. |t| of
4.5 or more counts as found, as in "Dude, is my code constant time?" (Reparaz, Balasch, Verbauwhede,
2017); with a smaller one the secret does not show beyond the noise. `--plant` makes every answer to
a saboteur so much slower, to see that it would be found.

What each comparison could have found at least is printed beside it: 4.5 standard errors. Where the
kernel tells (Linux), a second line compares the processor time that the server took, to the
nanosecond: far finer than what anybody sees from outside, and quiet on a machine that does other
things as well.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.kit.server import Server
from benchmarks.kit.tables import Phone, Table, table_of

SEATS = 3
T_MAX = 4.5
RESAMPLED = 2000
SETTLE_S = 0.0003
"""The server goes to sleep when an answer is sent."""
FETCH = {"X-Requested-With": "fetch"}


@dataclass
class Seat:
    """One seat, and the times of its answers in seconds."""

    table: Table
    phone: Phone
    number: int
    role: str = ""
    spare: str = ""  # the dwarf that nobody has
    gold: tuple[int, ...] = ()
    others: int = 0  # nuggets of the others
    spent_s: list[float] = field(default_factory=list)
    ran_s: list[float] = field(default_factory=list)  # processor time of the server


Ask = tuple[str, str, dict[str, str] | None, dict[str, str]]
"""Method, path, form, more headers."""


class Line:
    """One connection for all, so that none of them is warmer than another."""

    def __init__(self, server: Server) -> None:
        port = self._port = server.port
        self._ran = Path(f"/proc/{server.pid}/schedstat")
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._line.connect()

    def ran_s(self) -> float:
        """Processor time of the server so far, without its disk's thread; 0 if nobody tells."""
        try:
            return int(self._ran.read_text().split()[0]) / 1e9
        except OSError:
            return 0.0

    def ask(self, phone: Phone, ask: Ask) -> tuple[float, int, str]:
        """Seconds, status and body."""
        method, path, form, more = ask
        headers = phone.headers() | {"Accept-Encoding": "identity"} | more
        body = None if form is None else urlencode(form)
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["Origin"] = f"http://127.0.0.1:{self._port}"
        began = time.perf_counter()
        self._line.request(method, path, body, headers)
        answer = self._line.getresponse()
        text = answer.read()
        return time.perf_counter() - began, answer.status, text.decode()


def role_asked(seat: Seat) -> Ask:
    return "POST", f"{seat.table.path}/role", {"seat": str(seat.number)}, FETCH


def role_page(seat: Seat) -> Ask:
    return "POST", f"{seat.table.path}/role", {"seat": str(seat.number)}, {}


def other_role(seat: Seat) -> Ask:
    """The next player's: refused."""
    return "POST", f"{seat.table.path}/role", {"seat": str(seat.number % SEATS + 1)}, FETCH


def own_page(seat: Seat) -> Ask:
    return "GET", seat.table.path, None, {}


def gold_asked(seat: Seat) -> Ask:
    return "POST", f"{seat.table.path}/gold", {"seat": str(seat.number)}, FETCH


def measure(
    line: Line, seats: list[Seat], ask: Callable[[Seat], Ask], samples: int, plant_s: float
) -> None:
    for seat in seats:
        seat.spent_s, seat.ran_s = [], []
    for turn in range(samples + 3):
        random.shuffle(seats)
        for seat in seats:
            before = line.ran_s()
            spent, status, _ = line.ask(seat.phone, ask(seat))
            assert status in (200, 403), status
            time.sleep(SETTLE_S)
            ran = line.ran_s() - before
            if turn >= 3:  # the first ones fill caches
                planted = plant_s * (seat.role == "saboteur")
                seat.spent_s.append(spent + planted)
                seat.ran_s.append(ran + planted)


def compare(what: str, one: list[Seat], two: list[Seat]) -> bool:
    """Prints a line or two; whether a difference is beyond noise."""
    if min(len(one), len(two)) < 8:
        print(f"{what:<54} too few seats: {len(one)} and {len(two)}")
        return False
    found = _compare(what, [seat.spent_s for seat in one], [seat.spent_s for seat in two])
    if any(any(seat.ran_s) for seat in one):
        ran = [seat.ran_s for seat in one], [seat.ran_s for seat in two]
        found = _compare("    processor", *ran) or found
    return found


def _compare(what: str, one: list[list[float]], two: list[list[float]]) -> bool:
    first, second = ([statistics.median(seat) * 1e6 for seat in seats] for seats in (one, two))
    shift = statistics.fmean(first) - statistics.fmean(second)
    error = (
        statistics.variance(first) / len(first) + statistics.variance(second) / len(second)
    ) ** 0.5
    found = sorted(
        statistics.fmean(random.choices(first, k=len(first)))
        - statistics.fmean(random.choices(second, k=len(second)))
        for _ in range(RESAMPLED)
    )
    low, high = found[RESAMPLED // 40], found[-RESAMPLED // 40]
    more = sum((a > b) - (a < b) for a in first for b in second) / (len(first) * len(second))
    single = [spent * 1e6 for seat in one + two for spent in seat]
    quarters = statistics.quantiles(single, n=4)
    beyond = abs(shift / error) >= T_MAX
    print(
        f"{what:<54} {len(first):>4}:{len(second):<4} {statistics.fmean(first):>6.0f} µs "
        f"{shift:>+7.1f} µs [{low:+.1f} {high:+.1f}]  t {shift / error:>+5.1f}  "
        f"delta {more:>+5.2f}  noise ±{(quarters[2] - quarters[0]) / 2:.0f} µs  "
        f"least {T_MAX * error:.1f} µs{'  FOUND' if beyond else ''}"
    )
    return beyond


def opened(server: Server, tables: int) -> list[Seat]:
    """Tables at which three have looked at their roles, and each first look's time."""
    seats = []
    line = Line(server)
    for _ in range(tables):
        table = table_of(server.port, SEATS)
        table.do(table.host, "start")
        mine = [Seat(table, phone, number) for number, phone in enumerate(table.phones, 1)]
        for seat in mine:
            spent, _, text = line.ask(seat.phone, role_asked(seat))
            seat.role = "saboteur" if "#role-sab" in text else "miner"
            seat.spent_s.append(spent)
        spare = "miner" if any(seat.role == "saboteur" for seat in mine) else "saboteur"
        for seat in mine:
            seat.spare = spare
        seats += mine
    return seats


def settled(line: Line, seats: list[Seat]) -> None:
    """The miners have won everywhere; what each holds is known here."""
    for table in dict.fromkeys(seat.table.path for seat in seats):
        mine = [seat for seat in seats if seat.table.path == table]
        mine[0].table.do(mine[0].table.host, "play", play="result", reached="1", finisher="1")
        for seat in mine:
            text = line.ask(seat.phone, gold_asked(seat))[2]
            seat.gold = tuple(map(int, re.findall(r"#gold-(\d)", text)))
        for seat in mine:
            seat.others = sum(sum(other.gold) for other in mine if other is not seat)


def by(seats: list[Seat], what: Callable[[Seat], bool]) -> tuple[list[Seat], list[Seat]]:
    return [seat for seat in seats if what(seat)], [seat for seat in seats if not what(seat)]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--samples", type=int, default=60)
    parser.add_argument("--plant", type=float, default=0.0, metavar="MICROSECONDS")
    options = parser.parse_args()
    plant_s = options.plant / 1e6
    os.environ["COMPANION_FORMS_PER_MINUTE"] = "1000000"
    found = []
    print(f"{'':<54} {'seats':^9} {'mean':>9} {'shift':>10} [95 % of resamples]")
    with tempfile.TemporaryDirectory() as data:
        server = Server(data)
        seats = opened(server, options.tables)
        line = Line(server)

        def run(what: str, ask: Callable[[Seat], Ask], *splits: tuple[str, Split]) -> None:
            measure(line, seats, ask, options.samples, plant_s)
            for name, split in splits:
                found.append(compare(f"{what}, {name}", *split(seats)))

        own = ("own: saboteur or digger", lambda seats: by(seats, lambda s: s.role == "saboteur"))
        spare = ("left over", lambda seats: by(miners(seats), lambda s: s.spare == "saboteur"))
        found.append(compare("role, first look, own", *own[1](seats)))
        run("role, with script", role_asked, own, spare)
        run("role, page without script", role_page, own)
        neighbour = ("the next one's", lambda seats: by(seats, next_is_saboteur(seats)))
        run("role of the next one, refused", other_role, neighbour, own)
        run("table page", own_page, own, neighbour, spare)
        settled(line, seats)
        worth = ("one card: of one nugget or more", one_card)
        run("gold, with script", gold_asked, worth)
        rich = ("others' gold: little or much", lambda seats: by(miners(seats), is_rich(seats)))
        run("table page after the round", own_page, worth, rich)
        server.end()
    print("beyond noise: " + (str(sum(found)) if any(found) else "nothing"))
    return int(any(found))


Split = Callable[[list[Seat]], tuple[list[Seat], list[Seat]]]


def miners(seats: list[Seat]) -> list[Seat]:
    return [seat for seat in seats if seat.role == "miner"]


def next_is_saboteur(seats: list[Seat]) -> Callable[[Seat], bool]:
    roles = {(seat.table.path, seat.number): seat.role for seat in seats}
    return lambda seat: roles[seat.table.path, seat.number % SEATS + 1] == "saboteur"


def one_card(seats: list[Seat]) -> tuple[list[Seat], list[Seat]]:
    return by([seat for seat in seats if len(seat.gold) == 1], lambda seat: seat.gold == (1,))


def is_rich(seats: list[Seat]) -> Callable[[Seat], bool]:
    middle = statistics.median(seat.others for seat in seats)
    return lambda seat: seat.others > middle


if __name__ == "__main__":
    sys.exit(main())
