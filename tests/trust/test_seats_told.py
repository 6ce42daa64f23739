"""A seat that went to another phone and came back: it stays told, and who freed it."""

from __future__ import annotations

import re

from tests.web.conftest import Club


def words(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", text))


def test_a_seat_that_was_looked_into_and_given_back(club: Club) -> None:
    """By a host with a second phone, in ten seconds: the others read it until the round ends."""
    host = club.phone()
    path = club.open(host)
    club.done(host, path, "add-seat", name="Anna")
    berta, carl = club.sit(path, ["Berta", "Carl"])
    club.done(host, path, "start")
    club.done(host, path, "begin")
    club.done(host, path, "free-seat", seat="2")
    second = club.phone()
    for taker in (second, berta):
        answer = taker.post(club.join_path(path), {"claim": "2", "key": "k"})
        assert answer.status_code == 303, answer.text
        if taker is second:
            assert "Now on another phone: Berta. Anna freed the seat" in words(carl.get(path).text)
            club.done(host, path, "free-seat", seat="2")
    for phone in (host, berta, carl):
        shown = words(phone.get(path).text)
        assert "Has been on another phone: Berta (2 ×). Anna freed the seat" in shown
    club.done(carl, path, "play", play="result", reached="0", last="3")
    assert "Has been on another phone" not in words(carl.get(path).text)


def test_a_host_without_a_seat_is_named_as_such(club: Club) -> None:
    host = club.phone()
    path = club.open(host)
    _, carl = club.sit(path, ["Berta", "Carl"])
    club.done(host, path, "free-seat", seat="1")
    club.phone().post(club.join_path(path), {"claim": "1", "key": "k"})
    assert "Now on another phone: Berta. The host freed the seat" in words(carl.get(path).text)
