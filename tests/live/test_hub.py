"""A stream that waits for news of its table."""

from __future__ import annotations

import pytest

from companion.live.admission import StreamLimits
from companion.live.hub import Hub
from companion.live.listener import Listener


@pytest.mark.timeout(60)
def test_a_wait_ends_however_short_it_is() -> None:
    for _ in range(5000):
        listener = Listener("table", "device")
        listener.wait(1e-6)
        assert not listener.woken


def test_a_notice_is_heard_once_and_many_are_one() -> None:
    listener = Listener("table", "device")
    listener.wake()
    listener.wake()
    listener.wait(60)
    assert listener.woken
    listener.wait(0)
    assert not listener.woken


@pytest.mark.parametrize("limit", [{"in_all": 1}, {"per_address": 1}])
def test_streams_of_a_table_that_is_gone_make_room(limit: dict[str, int]) -> None:
    """Also those that have not noticed yet."""
    hub = Hub(limits=StreamLimits(**limit))
    gone = hub.subscribe("gone", "one", "address", belongs=True)
    assert gone is not None
    hub.forget("gone")
    assert gone.closed
    assert hub.subscribe("table", "another", "address", belongs=True) is not None
    hub.leave(gone)
    assert hub.listening() == 1
