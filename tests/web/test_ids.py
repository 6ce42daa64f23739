"""Parts of a page are found by their ids, so each id is there once, drawings included."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tests.kit import pages


@pytest.mark.parametrize("way", ["roles", "referee"])
def test_no_page_has_an_id_twice(seated, way: str) -> None:
    club, host, path, phones = seated
    club.done(host, path, "configure", way=way)
    club.done(host, path, "start")
    club.done(host, path, "begin")
    if way == "referee":
        club.done(phones[0], path, "play", play="path", card="NESW", at="1,0")
    for phone in (host, *phones):
        for page in pages.ALL.values():
            text = phone.get(path + page).text
            ids = Counter(re.findall(r'\sid="([^"]+)"', text))
            assert [each for each, times in ids.items() if times > 1] == [], page
