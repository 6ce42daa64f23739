"""A page has the drawings that it shows, and leads to all that it may show later."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

import companion.web
from companion.paths import TEMPLATES
from companion.web.html.drawings import Drawings
from companion.web.http.assets import Assets


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


@pytest.mark.parametrize("way", ["roles", "referee"])
def test_no_page_that_a_host_comes_to_lacks_a_drawing(club, way: str) -> None:
    host = club.phone()
    path = club.open(host, way=way)
    club.done(host, path, "join", name="Anna")
    phones = club.sit(path, ["Berta", "Carl"])
    seen: set[str] = set()
    for step in (None, "start", "finish", "count", "new-game", "finish", "count"):
        if step:
            club.done(host, path, step)
        left, here = ["/", path, f"{path}/screen", f"/m/{code_of(club, phones[0], path)}"], set()
        while left:
            page = left.pop()
            here.add(page)
            answer = host.get(page)
            if answer.status_code == 303 or answer.mimetype != "text/html":
                continue
            assert answer.status_code == 200, page
            named = set(re.findall(r'<use [^>]*href="#([\w-]+)"', answer.text))
            assert named <= set(re.findall(r' id="([\w-]+)"', answer.text)), page
            links = {unescape(each) for each in re.findall(r'href="(/[^"#]*)', answer.text)}
            opened = {each for each in links if kind(each) not in {kind(other) for other in here}}
            left += opened - here - {*left}
        seen |= {kind(page) for page in here}
    assert {each.removeprefix(path) for each in seen} >= {
        *("", "/screen", "/host", "/seat", "/qr", "/fair", "/take", "/games", "/replay", "/story"),
        *("/rules/saboteur", "/explain/saboteur", "/language", "/privacy", "/"),
    }


def kind(page: str) -> str:
    """Pages that differ in what is asked of them alone are drawn alike."""
    return page.split("?")[0]


def code_of(club, phone, path: str) -> str:
    """Of the phone's seat, for another one."""
    seat = club.table(path).seats[1].id
    club.done(phone, path, "offer-move", seat=seat)
    found = re.search(r'class="num code"[^>]*>(\w{8})<', phone.get(f"{path}/seat").text)
    assert found
    return found[1]


def test_every_colour_and_length_that_is_named_is_set_somewhere() -> None:
    static = Path(companion.web.__file__).parent / "static"
    files = [*static.rglob("*.css"), *static.rglob("*.svg"), *static.rglob("*.js")]
    pages = Path(TEMPLATES).rglob("*.html")
    text = "\n".join(each.read_text(encoding="utf-8") for each in (*files, *pages))
    named = set(re.findall(r"var\((--[\w-]+)", text))
    assert named <= set(re.findall(r"(--[\w-]+)\s*:", text))
    assert len(named) > 50
