"""What a command does that is told to end: by `kill`, a service manager, a terminal that closes."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

NAMES: Final = ("SIGTERM", "SIGHUP")
"""Windows has not all of them."""


@contextmanager
def ended_in_order() -> Iterator[None]:
    """Inside, a signal to end raises `SystemExit`, so that half-done work is undone; by default the
    process would stop on the spot. An ignored signal, as under `nohup`, stays ignored."""
    numbers = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
    ours = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def _end(number: int, _: Any) -> None:
    signal.signal(number, signal.SIG_IGN)  # once is enough: what is half done is being taken back
    sys.exit(128 + number)
