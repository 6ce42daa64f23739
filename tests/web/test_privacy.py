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


def test_from_the_answer_to_a_form_it_leads_back_to_a_page(clubs) -> None:
    club = clubs(tables_per_hour=0)
    guest = club.phone()
    for form in ("/code", "/open"):
        assert LINK in guest.post(form, {"code": "ZZZZ"}).text
        page = guest.get("/privacy", Referer=f"http://localhost{form}").text
        back = page.rpartition('class="btn" href="')[2].split('"')[0]
        assert guest.get(back).status_code == 200, form


def test_it_names_all_that_a_phone_keeps(club) -> None:
    """Cookies, and what scripts store for good."""
    page = club.phone().get("/privacy").text
    kept = ("random key", "your name", "the language", "how the view is rotated", "random numbers")
    assert [each for each in kept if each not in page] == []


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
    assert "on the computer of whoever started it for you" in page
    assert "Contact:" not in page


def test_whoever_runs_the_program_can_lead_to_notices_of_their_own(clubs) -> None:
    club = clubs(notices_url="https://club.example/imprint?a=1&b=2")
    link = '<a href="https://club.example/imprint?a=1&amp;b=2">'
    for lang, label in (
        ("et", "Õigusteave"),
        ("lt", "Teisinė informacija"),
        ("lv", "Juridiskā informācija"),
        ("fi", "Oikeudelliset tiedot"),
        ("en", "Legal information"),
    ):
        host = club.phone(lang)
        path = club.open(host)
        for page in ("/", "/rules/saboteur", "/privacy", "/nothing-here", f"{path}/host"):
            assert host.get(page).text.count(f"{link}{label}</a>") == 1, page
        assert link not in host.get(f"{path}/screen").text  # from there by the page on privacy


def test_else_there_is_no_such_link(seated) -> None:
    _, host, path, _ = seated
    for page in ("/", "/privacy", path):
        assert "Legal information" not in host.get(page).text


@pytest.fixture
def over(seated) -> tuple:
    """Anna, Berta and three others have played a game."""
    club, host, path, phones = seated
    club.done(host, path, "start")
    for number in (1, 2, 3):
        club.done(host, path, "begin")
        club.done(phones[0], path, "play", play="result", reached="1", finisher="2")
        if number < 3:
            club.done(host, path, "deal")
    club.done(host, path, "count")
    return seated


SEEN = ("", "/seat", "/screen", "/qr", "/fair", "/record.jsonl", "/replay?at=3", "/replay?screen=1")


def test_a_name_is_taken_out_everywhere(over) -> None:
    club, host, path, phones = over
    berta = phones[1]
    berta.client.set_cookie("name", "Berta")
    everybody = [(each, page) for each in (host, *phones) for page in SEEN]
    before = [(page, "Berta" in each.get(path + page).text) for each, page in everybody]
    assert {page for page, seen in before if seen} >= {"", "/record.jsonl", "/replay?at=3"}
    club.done(berta, path, "take-name-out", seat="2")
    own = berta.get(f"{path}/seat").text
    assert "Jūsų vardas pašalintas." in own
    assert "/do/take-name-out" not in own
    for each, page in everybody:
        assert "Berta" not in each.get(path + page).text, page
    assert '"Player 2"' in host.get(f"{path}/record.jsonl").text
    assert berta.client.get_cookie("name") is None
    assert "can no longer be checked" in phones[4].get(f"{path}/fair").text


def test_the_other_phones_show_it_at_once(over) -> None:
    club, _, path, phones = over
    with phones[0].client.get(f"{path}/live") as stream:
        pieces = iter(stream.response)
        assert b"Berta" in next(pieces)
        club.done(phones[1], path, "take-name-out", seat="2")
        said = b""
        while b"id: " not in said:
            said += next(pieces)
    assert b"Player 2" in said
    assert b"Berta" not in said


def test_it_is_offered_when_no_game_is_on(over) -> None:
    club, host, path, phones = over
    assert "/do/take-name-out" in phones[1].get(f"{path}/seat").text
    club.done(host, path, "new-game")
    assert "/do/take-name-out" not in phones[1].get(f"{path}/seat").text
    assert club.do(phones[1], path, "take-name-out", seat="2").status_code == 409


def test_it_is_offered_to_the_seat_s_own_player(over) -> None:
    """And not to whoever has only got hold of the seat, who would be refused."""
    club, host, path, phones = over
    club.done(host, path, "free-seat", seat="2")
    club.done(host, path, "claim-seat", seat="2")
    assert club.do(host, path, "take-name-out", seat="2").status_code == 403
    page = host.get(f"{path}/seat?seat=2").text
    assert "/do/rename-seat" in page
    assert "/do/take-name-out" not in page
    assert "/do/take-name-out" in phones[2].get(f"{path}/seat").text


def test_what_was_drawn_of_a_table_that_is_deleted_is_forgotten(over) -> None:
    club, host, path, phones = over
    for page in ("/record.jsonl", "/replay"):
        phones[0].get(path + page)
    here = club.app.extensions["companion"]
    assert b"Berta" in repr((here.records._of, here.replays._of)).encode()
    club.done(host, path, "end")
    assert "Berta" not in repr((here.records._of, here.replays._of))
    assert phones[0].get(path).status_code == 404
