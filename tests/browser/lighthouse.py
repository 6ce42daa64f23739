"""Lighthouse's marks for the join page and the seat page on a phone (`make lighthouse`).

Fetched by npx when asked for; no part of the tests. HTTPS is left out: the program is on a local
network.
"""

from __future__ import annotations

import http.cookiejar
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
from pathlib import Path

from tests.browser.server import Server

LIGHTHOUSE = "lighthouse@12.8.2"  # the last that runs on Node 20
WANTED = {"performance": 95, "accessibility": 100, "best-practices": 95}


class Visitor:
    """A device: keeps its cookies, as a browser does."""

    def __init__(self, server: Server) -> None:
        self._url = server.url
        self.cookies = http.cookiejar.CookieJar()
        self._open = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self.cookies)
        ).open

    def go(self, path: str, **form: str) -> tuple[str, str]:
        """Where it led, and the page there."""
        data = urllib.parse.urlencode(form).encode() if form else None
        with self._open(urllib.parse.urljoin(self._url, path), data) as answer:
            return answer.url, answer.read().decode()


def marks(npx: str, url: str, visitor: Visitor | None, folder: Path) -> dict[str, int]:
    report = folder / "report.json"
    command = [npx, "--yes", LIGHTHOUSE, url, "--quiet", "--output=json"]
    command += [f"--output-path={report}", f"--only-categories={','.join(WANTED)}"]
    command += ["--skip-audits=is-on-https,redirects-http", "--form-factor=mobile"]
    command += ["--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-quic"]
    if visitor:
        kept = "; ".join(f"{each.name}={each.value}" for each in visitor.cookies)
        headers = folder / "headers.json"
        headers.write_text(json.dumps({"Cookie": kept}))
        command.append(f"--extra-headers={headers}")
    chromium = shutil.which("chromium-headless-shell")
    subprocess.run(command, check=True, env=os.environ | {"CHROME_PATH": chromium})
    told = json.loads(report.read_text())
    for name in WANTED:
        for audit in told["categories"][name]["auditRefs"]:
            found = told["audits"][audit["id"]]
            if audit["weight"] and found["score"] is not None and found["score"] < 0.9:
                sys.stdout.write(f"  {found['score']:.2f} {audit['id']}: {found['title']}\n")
    return {name: round(100 * told["categories"][name]["score"]) for name in WANTED}


def main() -> int:
    npx = shutil.which("npx")
    if not npx:
        sys.exit("npx is missing; on Debian: apt-get install npm")
    good = True
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        server = Server(folder / "data")
        try:
            host, guest = Visitor(server), Visitor(server)
            host.go("/")
            table, _ = host.go("/open", game="saboteur", way="roles", language="en", key="open")
            table_id = urllib.parse.urlsplit(table).path.split("/")[2]
            code = re.findall(r'class="num code"[^>]*>([A-Z0-9]{6})<', host.go(table + "/qr")[1])[0]
            guest.go("/")
            link, _ = guest.go("/code", code=code)
            seat, _ = guest.go(link, name="Õnne", key="join")
            assert table_id in seat
            for page, url, visitor in (("join", link, None), ("seat", seat, guest)):
                reached = marks(npx, url, visitor, folder)
                good = good and all(reached[name] >= mark for name, mark in WANTED.items())
                sys.stdout.write(f"{page}: {reached}\n")
        finally:
            server.stop()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
