"""What dies only when Python's collector of circles comes by: late, with all that it holds."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def left_behind() -> Iterator[set[str]]:
    """The program's own types of which something stays behind; they are known at the end."""
    found: set[str] = set()
    gc.freeze()  # what was there before is not looked at
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield found
        gc.collect()
        types = {type(each) for each in gc.garbage}
        found |= {each.__qualname__ for each in types if each.__module__.startswith("companion.")}
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.unfreeze()
        gc.enable()
