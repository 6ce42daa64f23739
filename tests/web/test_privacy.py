"""The page on privacy: where it is reached from, and what it says of whoever runs the program."""

from __future__ import annotations

import pytest
from werkzeug.datastructures import Headers

LINK = '<a href="/privacy">'


def test_every_page_s_foot_leads_there(seated) -> None:
    _, host, path, (guest, *_) = seated
    for page in ("/", "/language", "/rules/saboteur", "/replay", "/nothing-here"):
        assert guest.get(page).text.count(LINK) == 1, page
    for page in ("", "/screen", "/qr", "/host", "/seat", "/fair", "/tent"):
        assert host.get(path + page).text.count(LINK) == 1, page
    assert LINK not in guest.get("/privacy").text


def test_it_leads_back_to_where_the_reader_came_from(seated) -> None:
    club, host, path, _ = seated
    headers = Headers({"Referer": f"http://localhost{path}/seat?seat=2"})
    page = host.client.get("/privacy", headers=headers).text
    assert f'class="btn" href="{path}/seat?seat=2"' in page
    where = page.split('href="/language?next=')[1].split('"')[0]
    chosen = host.post("/language", {"locale": "lt", "next": f"/privacy?back={path}"})
    assert chosen.location == f"/privacy?back={path}"
    assert "privacy" in where
    for referer in ("http://example.org/t/x", "http://localhost/privacy?back=/", "", "http://["):
        page = club.phone().get("/privacy", Referer=referer).text
        assert 'class="btn" href="/"' in page, referer
    assert 'href="/"' in club.phone().get("/privacy?back=//example.org").text


def test_it_says_how_long_a_table_is_kept(clubs) -> None:
    assert "after about 7 days" in clubs(unused_days=7).phone().get("/privacy").text


@pytest.mark.parametrize(
    ("contact", "shown"),
    [
        ("club@example.org", '<a href="mailto:club@example.org" translate="no">'),
        ("https://example.org/us", '<a href="https://example.org/us" translate="no">'),
        ("+370 600 00000", '<span translate="no">+370 600 00000</span>'),
        ("javascript:alert(1)", '<span translate="no">javascript:alert(1)</span>'),
    ],
)
def test_it_names_whoever_runs_the_program(clubs, contact: str, shown: str) -> None:
    page = clubs(operator="<Club> Kelder", contact=contact).phone().get("/privacy").text
    assert "&lt;Club&gt; Kelder" in page
    assert shown in page
    assert "whoever opened the table" not in page


def test_at_home_it_is_whoever_opened_the_table(club) -> None:
    page = club.phone().get("/privacy").text
    assert "on the computer of whoever opened the table" in page
    assert "Contact:" not in page
