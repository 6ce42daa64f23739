"""A few thousand requests of `tests.web.fuzz`, the same in every run; more on demand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.fuzz import Village, built, fuzz

REQUESTS = 2000


@pytest.fixture(scope="module")
def village() -> Iterator[Village]:
    yield from built()


@pytest.mark.slow
def test_whatever_is_asked_there_is_an_answer(village: Village, caplog) -> None:
    fuzz(village, REQUESTS, seeded=True)
    assert village.asked >= REQUESTS
    assert {200, 303, 400, 403, 404, 405, 409, 415, 421} <= set(village.statuses)
    assert caplog.text == ""
    assert village.wrote.total() > REQUESTS / 25
    assert len(village.wrote) >= 10
