"""From start to deal: how long sealed numbers hold a table of ten up.

    python benchmarks/deal.py [--deals 60]

The server runs as its users start it, on the loopback interface. Ten phones follow the table, seal
their numbers and open them as their script does; then, for a few deals, one of them sleeps.
"""

from __future__ import annotations

import argparse
import http.client
import json
import secrets
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.kit.server import Server
from benchmarks.kit.tables import PHONES, Phone, table_of
from companion.record.fair import seal

MEDIAN_MAX_S = 0.3
MOST_S = 1.2
ASLEEP = 5
"""Deals for which one phone does not open its number."""


class Open(threading.Thread):
    """A phone's open page: its script's part in the deals, and the version that it shows."""

    def __init__(self, phone: Phone, path: str) -> None:
        super().__init__(daemon=True)
        self._phone = phone
        self._path = path
        self._shares: dict[str, str] = {}
        self._commitments: dict[str, str] = {}
        self.asleep = False
        self.sealed = threading.Event()
        self.version = 0
        self.shown = threading.Condition()

    def run(self) -> None:
        line = http.client.HTTPConnection("127.0.0.1", self._phone.port)
        headers = self._phone.headers() | {"Accept-Encoding": "identity"}
        line.request("GET", f"{self._path}/live?page=seat", headers=headers)
        answer = line.getresponse()
        self._line = http.client.HTTPConnection("127.0.0.1", self._phone.port)
        text = b""
        while piece := answer.read1(1 << 16):
            *whole, text = (text + piece).split(b"\n\n")
            for message in whole:
                self._take(message.decode().splitlines())

    def _take(self, lines: list[str]) -> None:
        for line in lines:
            if line.startswith("id: "):
                with self.shown:
                    self.version = int(line[4:])
                    self.shown.notify_all()
        if lines[0] == "event: deal":
            self._deal(json.loads(lines[1].removeprefix("data: ")))

    def _deal(self, told: dict[str, Any]) -> None:
        places = [each for each in told["open"] if each in self._shares]
        if places and not self.asleep:
            self._post("share", {self._commitments[each]: self._shares[each] for each in places})
        sealed = {}
        for place, commitment in told["seal"].items():
            self._commitments[place] = commitment
            share = self._shares.setdefault(place, secrets.token_hex(16))
            sealed[commitment] = seal(commitment, share)
        if sealed:
            self._post("seal", sealed)
            self.sealed.set()

    def _post(self, name: str, numbers: dict[str, str]) -> None:
        form = {"commitment": list(numbers), name: list(numbers.values())}
        headers = self._phone.headers() | {
            "Content-Type": "application/x-www-form-urlencoded",
            "Origin": f"http://127.0.0.1:{self._phone.port}",
        }
        self._line.request("POST", f"{self._path}/fair", urlencode(form, doseq=True), headers)
        answer = self._line.getresponse()
        assert json.loads(answer.read()) == list(numbers)

    def wait_for(self, version: int) -> None:
        with self.shown:
            self.shown.wait_for(lambda: self.version >= version, 10)


def measure(deals: int) -> tuple[list[float], list[float]]:
    """Seconds from the host's tap until every phone shows its cards: with all, and with one
    asleep."""
    with tempfile.TemporaryDirectory() as data:
        server = Server(data)
        try:
            table = table_of(server.port, PHONES)
            pages = [Open(phone, table.path) for phone in table.phones]
            for page in pages:
                page.start()
            awake = [_deal(table, pages, number) for number in range(deals)]
            pages[0].asleep = True
            return awake, [_deal(table, pages, deals + number) for number in range(ASLEEP)]
        finally:
            server.end()


def _deal(table: Any, pages: list[Open], number: int) -> float:
    for page in pages:
        assert page.sealed.wait(10)
    round_ = number % 3
    command = "deal" if round_ else "new-game" if number else "start"
    version = int(table.version)
    form = {"version": str(version), "key": secrets.token_hex(8)}
    began = time.perf_counter()
    table.host.post(f"{table.path}/do/{command}", **form)
    events = 2 if round_ else 3  # the list of seals, the game, the round
    for page in pages:
        page.wait_for(version + events)
    spent = time.perf_counter() - began
    if round_ == 2:
        for page in pages:
            page.sealed.clear()
    table.do(table.host, "begin")
    table.do(table.host, "play", play="result", reached="0", last="1")
    return spent


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=60)
    awake, asleep = measure(parser.parse_known_args()[0].deals)
    print(f"from start to deal, ten phones, ms ({len(awake)} deals)")
    for name, times in (("all awake", awake), ("one asleep", asleep)):
        median, most = 1000 * statistics.median(times), 1000 * max(times)
        print(f"  {name:<12} median {median:.0f}, most {most:.0f}")
    if statistics.median(awake) > MEDIAN_MAX_S or max(awake + asleep) > MOST_S:
        raise SystemExit("slower than it may be")


if __name__ == "__main__":
    main()
