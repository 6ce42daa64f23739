"""How soon phones show the table again after the server was killed and started anew.

    python benchmarks/back.py [--kills 4]

Six phones in Chromium, after outages of several lengths. The time runs from the moment when the new
server listens until a phone has put the present state on its page.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.sync_api import sync_playwright

from benchmarks.referee_web import CHROMIUM
from benchmarks.web import table_of

PHONES = 6
OUTAGES_S = (0.0, 5.0, 20.0)
PORT_LOW, PORT_HIGH = 20_000, 30_000

WATCH = """() => {
  document.getElementById("live").addEventListener("table:shown", () => {
    document.documentElement.dataset.shown ??= Date.now();
  });
}"""


def free_port() -> int:
    """None that the system hands out to who connects: it must stay free while nobody listens."""
    for port in range(PORT_LOW, PORT_HIGH):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise SystemExit("no port is free")


class Server:
    def __init__(self, data: str) -> None:
        self.port = free_port()
        self._environment = os.environ | {
            "PYTHONPATH": str(Path(__file__).resolve().parents[1]),
            "COMPANION_HOST": "127.0.0.1",
            "COMPANION_DATA": data,
            "COMPANION_PORT": str(self.port),
            "COMPANION_REQUESTS_PER_MINUTE": "1000000",
        }

    def start(self) -> float:
        """When it listens, in seconds since the epoch."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", "--no-browser"],
            env=self._environment,
            stdout=subprocess.DEVNULL,
        )
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return time.time()
            time.sleep(0.002)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=4, help="for each length of the outage")
    given, _ = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(data)
        server.start()
        table = table_of(server.port, PHONES)
        table.do(table.host, "configure", way="referee", edition="lv-2009")
        table.do(table.host, "start")
        for seat, phone in enumerate(table.phones, 1):
            table.do(phone, "look", seat=str(seat))
        base = f"http://127.0.0.1:{server.port}"
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell"), args=CHROMIUM
        )
        pages = []
        for phone in table.phones:
            context = browser.new_context(viewport={"width": 390, "height": 844})
            context.add_cookies(
                [
                    {"name": name, "value": value, "url": base}
                    for name, value in phone.cookies.items()
                ]
            )
            pages.append(context.new_page())
            pages[-1].goto(base + table.path)
            pages[-1].evaluate(WATCH)
        for outage_s in OUTAGES_S:
            spent: list[float] = []
            for _ in range(given.kills):
                pages[0].wait_for_timeout(1500)  # every stream is open
                for page in pages:
                    page.evaluate("() => { delete document.documentElement.dataset.shown; }")
                server.kill()
                pages[0].wait_for_timeout(1000 * outage_s)
                listening = server.start()
                for page in pages:
                    page.locator("html[data-shown]").wait_for(timeout=30_000)
                    shown = page.locator("html").get_attribute("data-shown")
                    spent.append(float(shown or 0) / 1000 - listening)
            print(
                f"back after {outage_s:.0f} s without a server, {PHONES} phones: "
                f"median {statistics.median(spent):.2f} s, slowest {max(spent):.2f} s"
            )
        browser.close()
        server.kill()


if __name__ == "__main__":
    main()
