"""What all tests share."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar

import pytest
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

if TYPE_CHECKING:
    from tests.kit.services import Postgres, Redis, Service

S = TypeVar("S", bound="Service")

APART = (
    "tests/durability/test_together.py",
    "tests/noninterference/test_noninterference.py",
)
"""Of many tests, each of which takes long and shares nothing with the others."""

settings.register_profile("usual", deadline=None)  # no test depends on how busy the computer is
settings.load_profile("usual")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow ones come first, so that no processor waits for another in the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_collection_finish() -> None:
    """Some thousand tests that stay are nothing for the garbage collector to look through."""
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Nor is what the tests leave: pytest would look through it five times."""
    gc.collect()
    gc.freeze()


class Scheduling(LoadFileScheduling):
    """The tests of a file stay in one process, with what they share: all but those `APART`."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return nodeid if file in APART else file


@pytest.hookimpl(optionalhook=True)  # also where tests run one at a time, without xdist
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> Scheduling | None:
    return Scheduling(config, log) if config.getvalue("dist") == "loadfile" else None


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A server of its own for each process of tests."""
    from tests.kit.services import Postgres

    yield from _started(Postgres())


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    from tests.kit.services import Redis

    yield from _started(Redis())


def _started(service: S) -> Iterator[S]:
    try:
        service.start()
        yield service
    finally:
        service.end()
