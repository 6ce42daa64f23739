"""What waits lets others go on: for the log, or for who asks it.

Whoever serves pages one after another gives the turn away meanwhile, and takes it again only when
no lock is held: who has the turn may be waiting for that lock.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

Waiting = Callable[[], AbstractContextManager[None]]
Given = ParamSpec("Given")
Answer = TypeVar("Answer")


class ReadsLog(Protocol):
    def reading_log(self) -> AbstractContextManager[None]:
        """Around what reads the log: a file of this machine is quick, a database that processes
        share may take long."""


class Waits(Protocol):
    waiting: Waiting
    """Around what waits for the disk, or for a command at the same table."""


ReadsLogT = TypeVar("ReadsLogT", bound=ReadsLog)


def reads_log(
    method: Callable[Concatenate[ReadsLogT, Given], Answer],
) -> Callable[Concatenate[ReadsLogT, Given], Answer]:
    """A method that only reads the log."""

    @wraps(method)
    def reading(self: ReadsLogT, /, *args: Given.args, **kwargs: Given.kwargs) -> Answer:
        with self.reading_log():
            return method(self, *args, **kwargs)

    return reading
