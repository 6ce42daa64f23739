"""Scripts without what only people need: comments, spaces, long names that nobody else sees.

The library that does so is written in Go, which brings ten megabytes and threads of its own. So
another process does it, for all of them at once, and what it has made is kept with what else is
compiled.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Final

from companion.compiled import compiled

PATIENCE_S: Final = 20.0

_PROGRAM: Final = """\
import json, minify, sys
texts = json.load(sys.stdin)
json.dump({name: minify.string("text/javascript", texts[name]) for name in texts}, sys.stdout)
"""


def shortened(texts: Mapping[str, str]) -> Mapping[str, str]:
    """By their names. As they are on a system for which there is no such library, or where no other
    process can be started."""
    try:
        kept = compiled(json.dumps(texts).encode(), "scripts", _shortened)
    except (OSError, subprocess.SubprocessError):
        return texts
    short: dict[str, str] = json.loads(kept)
    return short


def _shortened(texts: bytes) -> bytes:
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-P", "-c", _PROGRAM],
        input=texts,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
        timeout=PATIENCE_S,
    )
    return done.stdout
