"""Browsers that keep no cookies or belong to other apps; seats whose phone cannot come back."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.web.answers.arrivals import STRANDED_S
from companion.web.http import browsers
from companion.web.view.network import Kind, Network, WayIn

WEBVIEW = "Mozilla/5.0 (Linux; Android 14; SM-A54; wv) AppleWebKit/537.36 Chrome/120.0 Mobile"
IN_APPS = (
    WEBVIEW,
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 "
    "[FBAN/FBIOS;FBAV/440.0]",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) GSA/290.0 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 Chrome/119.0 Mobile Instagram 309.0",
)
OWN = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 "
    "Mobile Safari/537.36",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 Version/17.1 "
    "Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) CriOS/120.0 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Android 14; Mobile; rv:120.0) Gecko/120.0 Firefox/120.0",
    "Mozilla/5.0 (Linux; Android 13) SamsungBrowser/23.0 Chrome/115.0 Mobile Safari/537.36",
    "",
)


@pytest.mark.parametrize("agent", IN_APPS)
def test_browsers_of_other_apps(agent: str) -> None:
    assert browsers.in_app(agent)


@pytest.mark.parametrize("agent", OWN)
def test_browsers_of_their_own(agent: str) -> None:
    assert not browsers.in_app(agent)


def told(page: str) -> str:
    """What is said about the browser, as far as it is shown without a script."""
    found = re.search(r'<section id="locked-down"([^>]*)>(.*?)</section>', page, re.DOTALL)
    assert found
    return "" if " hidden" in found[1] else found[2]


def test_a_guest_in_another_app_is_told_how_to_leave_it(club: Any) -> None:
    path = club.open(club.phone())
    link = club.join_path(path)
    assert told(club.phone().get(link).text) == ""
    said = told(club.phone().get(link, **{"User-Agent": WEBVIEW}).text)
    assert "inside another app" in said
    assert "192.168.1.20:8000" in said
    assert club.tables.code(path.split("/")[2]) in said


def test_a_browser_that_keeps_no_cookies_is_told_so_and_keeps_the_name(club: Any) -> None:
    path = club.open(club.phone())
    guest = club.phone()
    guest.client.delete_cookie("device")
    answer = guest.client.post(
        club.join_path(path), data={"name": "Anna", "key": "join"}, headers={"Cookie": ""}
    )
    assert answer.status_code == 400
    assert "does not accept cookies" in told(answer.text)
    assert 'value="Anna"' in answer.text
    assert club.table(path).seats == ()


@pytest.mark.parametrize("way", ["/open", "/m/KEY"])
def test_elsewhere_too(club: Any, way: str) -> None:
    guest = club.phone()
    guest.client.delete_cookie("device")
    answer = guest.post(way, {"key": "k"})
    assert answer.status_code == 400
    assert "Open in browser" in answer.text


def test_what_was_refused_has_the_focus(seated: Any) -> None:
    """Who reads by ear hears the field, and why, at once."""
    club, _, path, _ = seated
    focused = re.compile(r'<input id="(name|code)"[^>]* autofocus')
    link, guest = club.join_path(path), club.phone()
    assert not focused.search(guest.get("/").text + guest.get(link).text)
    for answer, field in (
        (guest.post("/code", {"code": "QQQQQQ"}), "code"),
        (guest.post(link, {"name": "Anna", "key": "k"}), "name"),
    ):
        assert focused.findall(answer.text) == [field]
        form = re.search(rf'<form(?:(?!</form>).)* id="{field}"', answer.text, re.DOTALL)
        assert form
        assert answer.text.count('id="refusal"') == 1
        assert 'id="refusal"' in form[0], (
            "the page is scrolled to the field, and it is out of sight"
        )


def test_a_free_name_is_in_the_field_of_one_that_is_taken(seated: Any) -> None:
    club, host, path, _ = seated
    link, guest = club.join_path(path), club.phone()
    page = guest.post(link, {"name": "Anna", "key": "k"}).text
    field = re.search(r'<input id="name"[^>]*>', page)
    assert field
    assert 'value="Anna 2"' in field[0]
    assert "aria-invalid" not in field[0]
    assert "That name is taken at this table. Still free: Anna 2" in page
    key = re.search(r'name="key" value="([^"]*-join)"', page)
    assert key
    guest.post(link, {"name": "Anna 2", "key": key[1]})
    assert club.table(path).seats[-1].name == "Anna 2"
    club.done(host, path, "start")
    again = re.search(
        r'<input id="name"[^>]*>', club.phone().post(link, {"name": "Berta", "key": "k"}).text
    )
    assert again
    refused = club.phone().post(link, {"name": "Berta", "key": "k"}).text
    assert refused.index('id="refusal"') < refused.index("Was one of these seats yours?"), (
        "below it the answer would be out of sight"
    )
    assert refused.count('id="refusal"') == 1
    assert 'value="Berta"' in again[0], "most likely Berta herself, who is to have her own seat"
    assert "aria-invalid" in again[0]


def test_a_seat_lost_with_its_window_comes_back_by_a_code(seated: Any) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    club.done(host, path, "free-seat", seat="2")
    club.done(host, path, "offer-move", seat="2", page=f"{path}/host")
    code = re.search(r'class="num code"[^>]*>(\w{8})<', host.get(f"{path}/host").text)
    assert code
    new = club.phone()
    assert new.get(club.join_path(path)).text.count("/code") == 1
    where = new.post("/code", {"code": code[1].lower()}).location
    taken = new.post(where, {"key": "take"})
    assert taken.location.startswith(path)
    seat = club.table(path).seat(2)
    assert (seat.name, len(club.table(path).held(seat.device))) == ("Berta", 1)
    assert seat.device != club.table(path).seat(1).device
    assert code[1] not in host.get(f"{path}/host").text
    assert "Berta" in re.findall(r'class="notice.*?</p>', phones[0].get(path).text, re.DOTALL)[0]


def test_a_code_of_a_freed_seat_is_the_host_s_to_give(seated: Any) -> None:
    club, host, path, phones = seated
    club.done(host, path, "free-seat", seat="2")
    assert club.do(phones[0], path, "offer-move", seat="2").status_code == 403
    assert club.do(host, path, "offer-move", seat="1").status_code == 403  # Anna's phone has it
    club.done(host, path, "offer-move", seat="2", page=f"{path}/host")
    first = re.search(r'class="num code"[^>]*>(\w{8})<', host.get(f"{path}/host").text)
    club.clock.now += club.settings.offer_s + 1
    page = host.get(f"{path}/host").text
    assert first
    assert first[1] not in page
    assert "Show a code for this seat" in page
    club.done(host, path, "offer-move", seat="2", page=f"{path}/host")
    assert re.search(r'class="num code"[^>]*>(\w{8})<', host.get(f"{path}/host").text)


def codes_of(text: str) -> list[str]:
    return re.findall(r'class="num code"[^>]*>(\w{8})<', text)


def test_no_page_shows_a_code_from_before_a_seat_was_freed(seated: Any) -> None:
    club, host, path, phones = seated
    club.done(phones[1], path, "offer-move", seat="2")
    (old,) = codes_of(phones[1].get(f"{path}/seat").text)
    club.done(host, path, "free-seat", seat="2")
    page = host.get(f"{path}/host").text
    assert not codes_of(page)
    assert page.count("Show a code for this seat") == 1
    assert club.phone().get(f"/m/{old}").status_code == 404
    assert club.phone().post("/code", {"code": old}).status_code == 404


def test_no_page_shows_a_code_from_before_a_freed_seat_was_taken(seated: Any) -> None:
    club, host, path, _ = seated
    club.done(host, path, "free-seat", seat="2")
    club.done(host, path, "offer-move", seat="2", page=f"{path}/host")
    (old,) = codes_of(host.get(f"{path}/host").text)
    new = club.phone()
    new.post(club.join_path(path), {"claim": "2", "key": "claim"})
    page = new.get(f"{path}/seat").text
    assert "Berta" in page
    assert not codes_of(page)
    assert 'action="/t/' in page
    assert page.count("/do/offer-move") == 1
    assert club.phone().get(f"/m/{old}").status_code == 404


def test_the_code_of_a_seat_leads_its_own_phone_to_it(seated: Any) -> None:
    club, _, path, phones = seated
    club.done(phones[1], path, "offer-move", seat="2")
    (code,) = codes_of(phones[1].get(f"{path}/seat").text)
    where = phones[1].post("/code", {"code": code}).location
    assert phones[1].get(where).location == f"{path}?seat=2"
    assert codes_of(phones[1].get(f"{path}/seat").text) == [code]
    assert club.phone().get(where).status_code == 200


def test_the_code_of_a_seat_leads_who_took_it_there_again(seated: Any) -> None:
    """By Back, by another scan or typed once more; to all others it is none any more."""
    club, host, path, phones = seated
    club.done(phones[1], path, "offer-move", seat="2")
    (code,) = codes_of(phones[1].get(f"{path}/seat").text)
    new, here = club.phone(), f"{path}?seat=2"
    where = new.post("/code", {"code": code}).location
    assert new.post(where, {"key": "take"}).location == here
    assert new.post(where, {"key": "take"}).location == here
    assert new.get(where).location == here
    assert new.post("/code", {"code": code}).location == where
    for other in (phones[1], club.phone()):
        assert other.get(where).status_code == 404
        assert other.post("/code", {"code": code}).status_code == 404
    club.done(host, path, "free-seat", seat="2")
    assert new.get(where).status_code == 404


def test_a_phone_hosts_and_plays_without_a_table_screen(club: Any) -> None:
    """All that it needs is on pages that the start page leads to."""
    host = club.phone()
    assert "No laptop is needed" in host.get("/").text
    path = host.post("/open", {"key": "open", "game": "saboteur"}).location
    page = host.get(path).text
    assert f'href="{path}/qr"' in page
    shown = host.get(f"{path}/qr").text
    assert "192.168.1.20:8000" in shown
    assert club.tables.code(path.split("/")[2]) in shown
    club.done(host, path, "join", name="Anna")
    club.sit(path, ["Berta", "Carl"])
    club.done(host, path, "start", starter="1")
    assert club.table(path).game_state is not None
    assert "data-pad" in host.get(path).text
    assert club.table(path).seat(1).device == club.table(path).host


# Seats of phones that came by an address which is gone


def come(phone: Any, path: str, host: str) -> None:
    """By an address of ours, where the test's client would have no cookie."""
    key = phone.client.get_cookie("device").value
    phone.client.set_cookie("device", key, domain=host.partition(":")[0])
    answer = phone.client.get(path, base_url=f"http://{host}")
    assert answer.status_code in (200, 303)


@pytest.fixture
def moved(seated: Any) -> Any:
    """A game that is on when the laptop changes its network."""
    club, host, path, phones = seated
    club.here = HOME
    services = club.app.extensions["companion"]
    services.network = services.arrivals.network = lambda: club.here
    club.done(host, path, "start")
    come(host, path, "127.0.0.1:8000")  # the laptop's own browser
    for phone in phones[:3]:
        come(phone, path, "192.168.1.20:8000")
    come(phones[3], path, "companion.local:8000")
    return club, path, phones


HOME = Network((WayIn("http://192.168.1.20:8000", Kind.WIFI),))
ELSEWHERE = Network((WayIn("http://10.0.0.5:8000", Kind.WIFI),))


def offered(club: Any, path: str) -> list[str]:
    page = club.phone().get(club.join_path(path)).text
    return re.findall(r'name="claim" value="(\d+)"', page)


def leaves(club: Any) -> None:
    """The laptop goes to another network, for good."""
    club.here = ELSEWHERE
    club.app.extensions["companion"].arrivals.note_addresses()
    club.clock.now += STRANDED_S


def test_after_a_change_of_network_a_phone_takes_its_seat_by_the_code(moved: Any) -> None:
    club, path, phones = moved
    assert offered(club, path) == []
    leaves(club)
    assert offered(club, path) == ["1", "2", "3"]  # not by name, not those never seen
    back = club.phone()
    answer = back.post(club.join_path(path), {"claim": "1", "key": "back"})
    assert answer.location == path
    assert "Anna" in re.findall(r'class="notice.*?</p>', phones[3].get(path).text, re.DOTALL)[0]
    come(back, path, "10.0.0.5:8000")
    assert offered(club, path) == ["2", "3"]
    short = club.tables.code(path.split("/")[2])
    assert club.phone().post("/code", {"code": short}).location == club.join_path(path)


def test_a_wi_fi_that_is_missing_for_a_moment_gives_no_seat_away(moved: Any) -> None:
    club, path, _ = moved
    club.clock.now += 600  # all phones sleep
    for _ in range(5):
        club.here = ELSEWHERE
        assert offered(club, path) == []
        club.clock.now += STRANDED_S / 2
        assert offered(club, path) == []
        answer = club.phone().post(club.join_path(path), {"claim": "1", "key": "thief"})
        assert answer.status_code == 409
        club.here = HOME
        assert offered(club, path) == []
        club.clock.now += STRANDED_S


def test_nobody_is_stranded_who_still_follows_or_was_heard_of_since(moved: Any) -> None:
    """The machine may have lost an address for new lines alone."""
    club, path, phones = moved
    device, table = club.table(path).seat(1).device, club.table(path).id
    listener = club.hub.subscribe(table, device)
    leaves(club)
    club.clock.now += 600
    assert offered(club, path) == ["2", "3"]
    club.hub.leave(listener)
    club.clock.now += STRANDED_S - 1
    assert offered(club, path) == ["2", "3"]
    club.clock.now += 1
    assert offered(club, path) == ["1", "2", "3"]
    come(phones[0], path, "192.168.1.20:8000")
    assert offered(club, path) == ["2", "3"]


def test_a_phone_behind_a_router_that_passes_on_keeps_its_seat(moved: Any) -> None:
    """It comes by an address that this machine never had, as into a container."""
    club, path, phones = moved
    for phone in phones:
        come(phone, path, "172.17.0.9:8000")
    assert offered(club, path) == []
    answer = club.phone().post(club.join_path(path), {"claim": "1", "key": "thief"})
    assert answer.status_code == 409


def test_no_seat_is_taken_while_its_phone_can_come(moved: Any) -> None:
    club, path, _ = moved
    answer = club.phone().post(club.join_path(path), {"claim": "1", "key": "thief"})
    assert answer.status_code == 409
    held = club.table(path).seat(1).device
    claim = {"seat": "1", "stranded": "1", "version": "1", "key": "k"}
    club.phone().post(f"{path}/do/claim-seat", claim)
    assert club.table(path).seat(1).device == held
