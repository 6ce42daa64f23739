"""What is done beside the requests goes on for as long as the server serves."""

from __future__ import annotations

import logging
from collections import Counter
from types import SimpleNamespace
from typing import Any

import gevent
import pytest

from companion.server import background, surroundings
from companion.server.addresses import Addresses
from companion.server.surroundings import Seen


def test_a_round_that_fails_is_followed_by_others(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever it is, and the log says so once."""
    asked: Counter[str] = Counter()

    def renew() -> bool:
        asked["certificate"] += 1
        if asked["certificate"] < 4:
            raise RuntimeError("nobody foresaw this")
        return False

    def look() -> Seen:
        asked["surroundings"] += 1
        return Seen()

    monkeypatch.setattr(background, "WATCH_EVERY_S", 0.001)
    monkeypatch.setattr(surroundings, "look", look)
    services: Any = SimpleNamespace(arrivals=SimpleNamespace(awaited=set, look=lambda: None))
    services.hub = SimpleNamespace(publish_all=lambda: None)
    tls: Any = SimpleNamespace(renew=renew)
    with caplog.at_level(logging.ERROR):
        watching = gevent.spawn(background.watch, Addresses("127.0.0.1", 8000), services, None, tls)
        with gevent.Timeout(10):
            while asked["certificate"] < 6 and not watching.dead:
                gevent.sleep(0.001)
        assert not watching.dead
        watching.kill()
    assert [each.getMessage() for each in caplog.records] == ["the network could not be watched"]
    assert asked["surroundings"] == 1


def test_clearing_up_that_fails_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tried: Counter[str] = Counter()

    def purge(unused_s: float, spared: set[str]) -> list[str]:
        tried["purge"] += 1
        if tried["purge"] < 3:
            raise RuntimeError("nobody foresaw this")
        return ["a table"]

    monkeypatch.setattr(background, "WARM_S", 0.001)
    monkeypatch.setattr(background, "PURGE_EVERY_S", 0.001)
    services: Any = SimpleNamespace(
        settings=SimpleNamespace(unused_days=30), tables=SimpleNamespace(purge=purge)
    )
    gone: list[str] = []
    with caplog.at_level(logging.ERROR):
        purging = gevent.spawn(background.purge, services, set, gone.append)
        with gevent.Timeout(10):
            while not gone and not purging.dead:
                gevent.sleep(0.001)
        assert not purging.dead
        purging.kill()
    said = [each.getMessage() for each in caplog.records]
    assert said == ["unused tables were not deleted"] * 2
