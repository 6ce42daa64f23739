"""An SVG as a PNG, for where only that is shown."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Final

from companion.web.html import letters
from companion.web.http.priority import waiting

RASTERIZE: Final = Path(__file__).with_name("rasterize.py")
"""The program that draws it."""

DRAWN_S: Final = 20
"""A picture takes a tenth of a second; what takes so long never ends."""

_one_at_a_time: Final = threading.Lock()


def png_of(svg: str, *texts: str) -> bytes:
    """The bytes of a picture as large as the SVG says; `subprocess.SubprocessError` where none can
    be drawn. `texts`: all that is written in it. Others are served meanwhile."""
    own = all(map(letters.has, texts))
    fonts = [str(letters.REGULAR), str(letters.BOLD), *([] if own else ["-"])]
    command = [sys.executable, "-I", str(RASTERIZE), *fonts]
    with waiting(), _one_at_a_time:
        done = subprocess.run(  # noqa: S603 - our own program
            command, input=svg.encode(), capture_output=True, check=True, timeout=DRAWN_S
        )
    return done.stdout
