"""A page has the drawings that it shows, and leads to all that it may show later."""

from __future__ import annotations

import re

import pytest

from companion.web.http.assets import Assets
from companion.web.view.drawings import Drawings


def test_of_its_files_a_page_has_what_it_shows_and_what_that_is_made_of() -> None:
    drawings = Drawings(Assets())
    shown = drawings.shown(("core", "referee"), '<use href="#d-N"/><use href="#elsewhere"/>')
    assert re.findall(r'^<\w+ id="([\w-]+)"', shown, re.MULTILINE) == ["k-p", "d-N"]


@pytest.mark.parametrize("way", ["roles", "referee"])
def test_whatever_a_page_names_is_in_it_and_the_rest_can_be_had(club, way: str) -> None:
    host = club.phone()
    path = club.open(host, way=way)
    club.sit(path, ["Anna", "Berta", "Carl"])
    for step in (None, "start", "begin"):
        if step:
            club.done(host, path, step)
        for address in ("/", path, f"{path}/screen", f"{path}/host"):
            page = host.get(address).text
            sprite = re.search(r'<svg class="sprite".*?\n</svg>', page, re.DOTALL)
            assert sprite
            inside = set(re.findall(r'^<\w+ id="([\w-]+)"', sprite[0], re.MULTILINE))
            named = set(re.findall(r'<use [^>]*href="#([\w-]+)"', page))
            assert named <= set(re.findall(r' id="([\w-]+)"', page))
            rest = re.search(r'class="sprite"[^>]* data-rest="([^"]+)"', page)
            assert (rest is not None) == ("data-stream" in page)
            if rest:
                every = re.findall(r'^<\w+ id="([\w-]+)"', host.get(rest[1]).text, re.MULTILINE)
                assert inside < set(every)
