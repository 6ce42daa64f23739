"""Answers to a script: the fresh part where the form's way leads back, else the way on."""

from __future__ import annotations

import re


def test_the_same_page_is_refreshed(seated) -> None:
    _, host, path, _ = seated
    form = {"version": 6, "key": "k", "name": "Fritz", "next": f"{path}/host"}
    answer = host.fetch(f"{path}/do/add-seat", form, on=f"{path}/host")
    assert answer.status_code == 200
    assert "<html" not in answer.text
    assert "Fritz" in answer.text
    assert 'class="hostpage"' in answer.text
    squeezed = re.sub(r"\s+", "", host.get(f"{path}/host").text)
    assert re.sub(r"\s+", "", answer.text) in squeezed


def test_another_page_is_gone_to(seated) -> None:
    _, host, path, _ = seated
    form = {"key": "k", "wifi_name": "Kelder", "next": path}
    answer = host.fetch(f"{path}/do/set-wifi", form, on=f"{path}/host")
    assert (answer.status_code, answer.headers["X-Location"]) == (200, path)


def test_the_end_leads_home(seated) -> None:
    _, host, path, _ = seated
    answer = host.fetch(f"{path}/do/end", {"key": "k", "next": "/"}, on=f"{path}/host")
    assert answer.headers["X-Location"] == "/"


def test_a_refusal_stays_on_its_page(seated) -> None:
    _, host, path, _ = seated
    form = {"key": "k", "name": "Anna", "next": f"{path}/host"}
    answer = host.fetch(f"{path}/do/add-seat", form, on=f"{path}/host?x=1")
    assert answer.status_code == 409
    assert 'class="hostpage"' in answer.text
    assert "<html" not in answer.text


def test_a_refusal_without_script_stays_on_its_page_too(seated) -> None:
    _, host, path, _ = seated
    form = {"key": "k", "name": "Anna", "next": f"{path}/host"}
    answer = host.post(f"{path}/do/add-seat", form, Referer=f"http://localhost{path}/host")
    assert answer.status_code == 409
    assert 'class="hostpage"' in answer.text
    assert "<html" in answer.text


def test_the_chosen_seat_stays_chosen(club) -> None:
    host = club.phone()
    path = club.open(host)
    for name in ("Anna", "Berta", "Carl"):
        club.done(host, path, "add-seat", name=name)
    page = f"{path}?seat=2"
    answer = host.fetch(f"{path}/do/start", {"key": "k", "next": page}, on=page)
    assert answer.status_code == 200
    assert f'action="{path}/role"' in answer.text
    assert re.search(r'id="role-2"', answer.text)


def test_a_new_host_leaves_the_old_one_s_page(seated) -> None:
    """The page that a form came from may be closed to the device by the time it is answered."""
    club, host, path, phones = seated
    host.get(path)
    club.clock.now += 200
    club.done(phones[0], path, "take-hosting")
    answer = host.fetch(f"{path}/do/start", {"key": "k"}, on=f"{path}/host")
    assert answer.status_code == 403


def test_a_resync_gets_the_part(seated) -> None:
    _, _, path, phones = seated
    part = phones[0].get(path, **{"X-Requested-With": "fetch"})
    assert "<html" not in part.text
    whole = phones[0].get(path, **{"X-Requested-With": "XMLHttpRequest"})
    assert "<html" in whole.text
