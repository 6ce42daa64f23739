"""What is loaded ahead of time, and when the collector looks for what is dead."""

from __future__ import annotations

import ctypes
import gc
import time
from collections.abc import Callable

import gevent
from flask import Flask

from companion.server import bare_errors

COLLECT_EVERY_S = 5.0

COLLECT_ALL_EVERY_S = 3600.0

YOUNG = 10_000
"""So many new objects are looked through at once: hardly one is in a cycle, and with 700, as is the
default, looking took 5 % of the time of a report."""

NEVER = 2**31 - 1

WARM_S = 1.0
"""After the start: what the first page does not need is loaded then."""


def load_templates(app: Flask) -> None:
    """All of them now: after an update the files on the disk are not those of this program."""
    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)
        gevent.sleep(0)  # requests come first


def warm(app: Flask) -> None:
    """The collector need not look through all that stays for good: its pauses get shorter."""
    load_templates(app)
    bare_errors.load()
    gc.freeze()


def collect() -> None:
    """Collects garbage by the clock. By itself the collector would stop the program in the middle
    of updates: with two thousand connections open, for a quarter of a second. Here it looks through
    new objects alone and freezes those that stay, which reference counts free. Cycles hardly ever
    get so old, as neither connections nor states of tables are in one (`tests/kit/circles.py`);
    once an hour it looks for them among all objects."""
    gc.enable()
    gc.set_threshold(YOUNG, gc.get_threshold()[1], NEVER)
    looked = time.monotonic()
    trim = trimming()
    while True:
        gevent.sleep(COLLECT_EVERY_S)
        if time.monotonic() - looked >= COLLECT_ALL_EVERY_S:
            looked = time.monotonic()
            gc.unfreeze()
        gc.collect()
        gc.freeze()
        trim()


def trimming() -> Callable[[], object]:
    """A function that returns free heap memory to the system, where the C library can. After many
    phones have come that is a tenth of what the program takes."""
    try:
        trim: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # not glibc
        return lambda: None
    return lambda: trim(0)
