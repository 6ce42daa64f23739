"""Lighthouse's marks for the join page and the table page on a phone (`make lighthouse`).

Fetched by npx when asked for; no part of the tests. HTTPS is left out: the program is on a local
network.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.kit.evening import Evening
from tests.kit.phone import Phone
from tests.kit.server import Server

LIGHTHOUSE = "lighthouse@12.8.2"  # the last that runs on Node 20
WANTED = {"performance": 95, "accessibility": 100, "best-practices": 95}


def marks(npx: str, url: str, phone: Phone | None, folder: Path) -> dict[str, int]:
    report = folder / "report.json"
    command = [npx, "--yes", LIGHTHOUSE, url, "--quiet", "--output=json"]
    command += [f"--output-path={report}", f"--only-categories={','.join(WANTED)}"]
    command += ["--skip-audits=is-on-https,redirects-http", "--form-factor=mobile"]
    command += ["--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-quic"]
    if phone:
        headers = folder / "headers.json"
        headers.write_text(json.dumps({"Cookie": phone.headers()["Cookie"]}))
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
        server.start()
        try:
            evening = Evening(lambda: Phone(server.port))
            path = evening.open(game="saboteur", way="roles", language="en")
            (guest,) = evening.sit(["Õnne"])
            join, table = server.url + evening.join, server.url + path
            for page, url, phone in (("join", join, None), ("table", table, guest)):
                reached = marks(npx, url, phone, folder)
                good = good and all(reached[name] >= mark for name, mark in WANTED.items())
                sys.stdout.write(f"{page}: {reached}\n")
        finally:
            server.stop()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
