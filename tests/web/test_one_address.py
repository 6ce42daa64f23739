"""A school behind one address: what the documents say to set is enough for thirty tables."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from flask import g

from companion.settings import PREFIX

DEPLOY = Path(__file__).resolve().parents[2] / "docs" / "deploy" / "README.md"
TABLES, AT_EACH = 30, 10
NAMES = ["Anna", "Bert", "Carl", "Dora", "Emil", "Frida", "Gert", "Hanna", "Ivo", "Juta"]


def told() -> dict[str, int]:
    """The settings for many phones behind one address."""
    (part,) = re.findall(
        r"^## Many phones behind one address$(.*?)^## ", DEPLOY.read_text("utf-8"), re.S | re.M
    )
    return {name.lower(): int(value) for name, value in re.findall(rf"{PREFIX}(\w+)=(\d+)", part)}


def arrived(club) -> Counter[int]:
    """The answers when all come within the same minute: screens, phones, and what they follow."""
    answers: Counter[int] = Counter()
    streams = []

    def counted(answer):
        answers[answer.status_code] += 1
        return answer

    for _ in range(TABLES):
        screen = club.phone()
        path = counted(screen.post("/open", {"key": "open", "game": "saboteur"})).location
        if path is None:
            continue
        key = club.join_path(path)
        followers = [(screen, f"{path}/live?page=screen")]
        counted(screen.get(f"{path}/screen"))
        for name in NAMES[:AT_EACH]:
            phone = club.phone()
            counted(phone.get(key))
            counted(phone.post(key, {"name": name, "key": "join"}))
            counted(phone.get(path))
            followers.append((phone, f"{path}/live?page=seat"))
        for phone, live in followers:
            streams.append(counted(phone.client.get(live, buffered=False)))
    for stream in streams:
        stream.close()
    return answers


def test_a_stream_that_is_refused_is_among_the_limits(clubs) -> None:
    club = clubs(streams_per_address=1)
    host = club.phone()
    live = f"{club.open(host)}/live?page=host"
    with host.client.get(live, buffered=False) as first, host.client:
        assert first.status_code == 200
        assert host.client.get(live).status_code == 429
        assert g.get("limit_hit") == "stream"


@pytest.mark.slow
def test_thirty_tables_behind_one_address(clubs) -> None:
    settings = told()
    assert set(settings) >= {"streams_per_address", "tables_per_hour", "requests_per_minute"}
    answers = arrived(clubs(**settings))
    assert answers.pop(303) == TABLES * (1 + AT_EACH)
    assert answers.pop(200) == TABLES * (2 + 3 * AT_EACH)
    assert not answers


@pytest.mark.slow
def test_they_are_needed(clubs) -> None:
    """As it comes, so many at once are taken for one who asks too much."""
    assert arrived(clubs())[429] > 0
