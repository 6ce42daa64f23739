"""How soon phones show the table again after the server was killed and started anew.

    python benchmarks/back.py [--kills 4]

Six phones in Chromium, after outages of several lengths. The time runs from the moment when the new
server listens until a phone has put the present state on its page.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.kit.browser import chromium, page_of
from benchmarks.kit.tables import table_of
from tests.kit.server import Server

PHONES = 6
OUTAGES_S = (0.0, 5.0, 20.0)

WATCH = """() => {
  document.getElementById("live").addEventListener("table:shown", () => {
    document.documentElement.dataset.shown ??= Date.now();
  });
}"""


def listens(server: Server) -> float:
    """Started; when it listens, in seconds since the epoch."""
    server.launch()
    server.wait()
    return time.time()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=4, help="for each length of the outage")
    given, _ = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as data, chromium() as browser:
        server = Server(Path(data, "data"), public_url=None)
        listens(server)
        table = table_of(server.port, PHONES)
        table.do(table.host, "configure", way="referee", edition="lv-2009")
        table.do(table.host, "start")
        for seat, phone in enumerate(table.phones, 1):
            table.do(phone, "look", seat=str(seat))
        pages = [page_of(browser, table, phone) for phone in table.phones]
        for page in pages:
            page.evaluate(WATCH)
        for outage_s in OUTAGES_S:
            spent: list[float] = []
            for _ in range(given.kills):
                pages[0].wait_for_timeout(1500)  # every stream is open
                for page in pages:
                    page.evaluate("() => { delete document.documentElement.dataset.shown; }")
                server.kill()
                pages[0].wait_for_timeout(1000 * outage_s)
                listening = listens(server)
                for page in pages:
                    page.locator("html[data-shown]").wait_for(timeout=30_000)
                    shown = page.locator("html").get_attribute("data-shown")
                    spent.append(float(shown or 0) / 1000 - listening)
            print(
                f"back after {outage_s:.0f} s without a server, {PHONES} phones: "
                f"median {statistics.median(spent):.2f} s, slowest {max(spent):.2f} s"
            )
        server.kill()


if __name__ == "__main__":
    main()
