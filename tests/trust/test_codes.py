"""Codes and links: long enough for where they are used, good while there is a seat, renewed."""

from __future__ import annotations

import pytest

from companion.tables.offers import LETTERS
from companion.tables.service import CODE_LENGTH, LONG_CODE
from tests.kit.phone import moving_code

PUBLIC = "https://play.example.org"


def code_of(club, path: str) -> str:
    found = club.tables.code(club.table(path).id)
    assert found is not None
    return found


def typed(club, code: str, screen: str = "0") -> int:
    return club.phone().post("/code", {"code": code, "screen": screen}).status_code


@pytest.mark.parametrize(("public_url", "length"), [("", CODE_LENGTH), (PUBLIC, LONG_CODE)])
def test_codes_are_longer_on_the_internet(clubs, public_url: str, length: int) -> None:
    club = clubs(public_url=public_url)
    path = club.open(club.phone())
    code = code_of(club, path)
    assert len(code) == length
    assert set(code) <= set(LETTERS)
    answer = club.phone().post("/code", {"code": f" {code[:3].lower()}-{code[3:]} "})
    assert answer.status_code == 303
    assert answer.location == club.join_path(path)


def test_a_code_of_before_is_good_after_the_public_url_was_set(clubs) -> None:
    club = clubs()
    path = club.open(club.phone())
    code = code_of(club, path)
    assert typed(clubs(after=club, public_url=PUBLIC), code) == 303


def test_a_code_is_good_while_somebody_could_sit_down(seated) -> None:
    club, host, path, phones = seated
    code = code_of(club, path)

    def answers() -> set[int]:
        return {typed(club, code, screen) for screen in ("0", "1")}

    assert answers() == {303}
    club.done(host, path, "start")
    assert answers() == {303}, "for the next game"
    for number in range(len(club.table(path).seats), 10):
        club.done(host, path, "add-seat", name=f"Late {number}")
    assert answers() == {404}
    club.done(host, path, "free-seat", seat=2)
    assert answers() == {303}
    again = phones[1].post(club.join_path(path), {"claim": "2", "key": "again"})
    assert again.status_code == 303
    assert answers() == {404}


def test_a_full_table_s_code_tells_nothing(club) -> None:
    path = club.open(club.phone())
    club.sit(path, [f"Player {number}" for number in range(9)])
    code = code_of(club, path)
    assert typed(club, code) == 303
    club.sit(path, ["The tenth"])
    guest = club.phone()
    full, unknown = (guest.post("/code", {"code": each}) for each in (code, "222222"))
    assert full.status_code == unknown.status_code == 404
    assert len(full.text) == len(unknown.text)


def test_the_host_makes_a_new_link(seated, clubs) -> None:
    club, host, path, phones = seated
    link, code = club.join_path(path), code_of(club, path)
    television = club.app.test_client().get(f"{link}/live", buffered=False)
    pieces = iter(television.response)
    next(pieces)
    assert club.do(phones[0], path, "renew-link").status_code == 403
    club.done(host, path, "renew-link")
    assert list(pieces) == []
    fresh, now = club.join_path(path), code_of(club, path)
    assert fresh != link
    assert club.phone().get(link).status_code == 404
    assert club.phone().post(link, {"name": "Old", "key": "k"}).status_code == 404
    assert typed(club, code) == 404
    assert club.phone().get(fresh).status_code == 200
    assert club.phone().post("/code", {"code": now}).location == fresh
    assert now in phones[0].get(f"{path}/qr").text
    assert all(phone.get(path).status_code == 200 for phone in phones)
    club = clubs(after=club)
    assert (club.join_path(path), code_of(club, path)) == (fresh, now)


def test_a_new_link_is_made_once(seated) -> None:
    club, host, path, _ = seated
    form = {"version": club.table(path).version, "key": "once"}
    links = set()
    for _ in range(2):
        assert host.post(f"{path}/do/renew-link", form).status_code == 303
        links.add(club.join_path(path))
    assert len(links) == 1
    assert club.table(path).link_renewals == 1


def test_a_code_that_is_taken_is_drawn_again(seated, monkeypatch) -> None:
    club, host, path, _ = seated
    other = code_of(club, club.open(club.phone()))
    drawn = iter([other, other, "K7F2MQ"])
    monkeypatch.setattr("companion.tables.ledger.short_code", lambda length: next(drawn))
    club.done(host, path, "renew-link")
    assert code_of(club, path) == "K7F2MQ"


def test_who_was_host_once_does_not_see_the_new_link(seated) -> None:
    """Else who was removed would read it from the table screen, and sit down again."""
    club, _, path, phones = seated
    for phone in phones[:2]:
        club.clock.now += club.settings.host_gone_s + 1
        club.done(phone, path, "take-hosting")
    club.done(phones[1], path, "remove-seat", seat=1)
    assert phones[0].get(f"{path}/screen").status_code == 200
    club.done(phones[1], path, "renew-link")
    assert phones[0].get(f"{path}/screen").status_code == 403
    assert phones[1].get(f"{path}/screen").status_code == 200


def test_a_new_link_ends_the_codes_that_were_handed_out(seated) -> None:
    """Who asked for one and was removed would come by it to the new link, or into a free seat."""
    club, host, path, phones = seated
    for phone in phones[:2]:
        phone.post(f"{path}/do/offer-screen", {"page": f"{path}/qr", "key": "k"})
    code, kept = (moving_code(phone.get(f"{path}/qr").text) for phone in phones[:2])
    club.done(host, path, "remove-seat", seat=1)
    assert typed(club, code) == 303
    club.done(host, path, "renew-link")
    assert typed(club, code) == 404
    assert typed(club, kept) == 404
    assert kept not in phones[1].get(f"{path}/qr").text
