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


class Asks(Protocol):
    def asking(self) -> AbstractContextManager[None]:
        """Around what is read: a file of this machine is quick, a database that processes share
        may take long."""


class Waits(Protocol):
    waiting: Waiting
    """Around what waits for the disk, or for a command at the same table."""


AsksT = TypeVar("AsksT", bound=Asks)
WaitsT = TypeVar("WaitsT", bound=Waits)


def asks(
    method: Callable[Concatenate[AsksT, Given], Answer],
) -> Callable[Concatenate[AsksT, Given], Answer]:
    """A method that only asks the log."""

    @wraps(method)
    def asking(self: AsksT, /, *args: Given.args, **kwargs: Given.kwargs) -> Answer:
        with self.asking():
            return method(self, *args, **kwargs)

    return asking


def waits(
    method: Callable[Concatenate[WaitsT, Given], Answer],
) -> Callable[Concatenate[WaitsT, Given], Answer]:
    """A method that waits for the disk, or for a command at the same table."""

    @wraps(method)
    def waiting(self: WaitsT, /, *args: Given.args, **kwargs: Given.kwargs) -> Answer:
        with self.waiting():
            return method(self, *args, **kwargs)

    return waiting
