"""An evening of four phones and a table screen in Firefox (`make firefox`), by `firefox.mjs`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.kit.server import running


def main(node: str, folder: str, firefox: str) -> int:
    began = time.monotonic()
    script = str(Path(__file__).with_suffix(".mjs"))
    with tempfile.TemporaryDirectory() as temporary, running(Path(temporary) / "data") as server:
        ended = subprocess.run([node, script, server.url, folder, firefox], check=False)
    sys.stdout.write(f"in {time.monotonic() - began:.0f} s\n")
    return ended.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
