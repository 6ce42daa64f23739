"""Who knows what: swap what a phone may not know, and everything it gets stays the same."""

from __future__ import annotations

import itertools
import re

import pytest

from companion.languages import LOCALES
from companion.web.view.asking import STREAMS
from tests.kit import pages
from tests.kit.phone import FETCH

NAMES = ["Anna", "Berta", "Carl", "Dora", "Emil"]
PAGES = (
    *pages.OF_PLAYERS.values(),
    *(f"/live?page={name}" for name in pages.STREAMS_OF_PLAYERS),
)
HOST_PAGES = (*pages.ALL.values(), *(f"/live?page={name}" for name in STREAMS))


def first_message(answer) -> bytes:
    pieces = iter(answer.response)
    try:
        return next(pieces)
    finally:
        answer.close()


def all_pages(phone, path: str, which=PAGES) -> list[bytes]:
    found = []
    for page in which:
        if "/live" in page:
            answer = phone.client.get(
                path + page, headers={"Accept-Language": phone.language}, buffered=False
            )
            assert answer.status_code == 200
            found.append(first_message(answer))
        else:
            found.append(phone.get(path + page).data)
    return found


@pytest.fixture
def two_evenings(clubs, dealers, monkeypatch):
    """The same evening twice: the same people, keys and gold pile, but other roles."""
    monkeypatch.setattr("companion.tables.ledger.short_code", lambda length: "K7F2MQ")
    evenings = []
    for seed in (1, 2):
        club = clubs(dealers(of6=seed))  # five players: four miners, two saboteurs
        host = club.phone()
        path = club.open(host)
        phones = club.sit(path, NAMES, LOCALES)
        evenings.append((club, host, path, phones))
    assert evenings[0][2] == evenings[1][2]
    return evenings


def roles(club, path: str) -> tuple[str, ...]:
    return club.table(path).game_state.now.roles


def test_no_page_and_no_stream_knows_a_role(two_evenings) -> None:
    (one, host_1, path, phones_1), (two, host_2, _, phones_2) = two_evenings

    def compare() -> None:
        for phone_1, phone_2 in zip(phones_1, phones_2, strict=True):
            assert all_pages(phone_1, path) == all_pages(phone_2, path)
        assert all_pages(host_1, path, HOST_PAGES) == all_pages(host_2, path, HOST_PAGES)
        assert (
            one.phone().get(one.join_path(path)).data == two.phone().get(two.join_path(path)).data
        )

    compare()
    for club, host in ((one, host_1), (two, host_2)):
        club.done(host, path, "start")
    assert roles(one, path) != roles(two, path)
    compare()
    for seat, pair in enumerate(zip(phones_1, phones_2, strict=True), 1):
        for phone in pair:
            assert phone.post(f"{path}/role", {"seat": seat}, **FETCH).status_code == 200
        compare()


def test_role_answers_have_one_length_whatever_the_role(two_evenings) -> None:
    (one, host_1, path, phones_1), (two, host_2, _, phones_2) = two_evenings
    for club, host in ((one, host_1), (two, host_2)):
        club.done(host, path, "start")
    differed = 0
    for seat, (phone_1, phone_2) in enumerate(zip(phones_1, phones_2, strict=True), 1):
        for headers in (FETCH, {}, {"Accept-Encoding": "gzip"}):
            first = phone_1.post(f"{path}/role", {"seat": seat}, **headers)
            second = phone_2.post(f"{path}/role", {"seat": seat}, **headers)
            assert len(first.data) == len(second.data)
            assert list(first.headers.keys()) == list(second.headers.keys())
            assert first.headers["Cache-Control"] == "no-store, no-transform"
            assert "Content-Encoding" not in first.headers
        differed += first.data != second.data
    assert differed


def test_gold_answers_have_one_length_for_a_number_of_cards(clubs, dealers) -> None:
    lengths: dict[tuple[str, int, int], set[int]] = {}
    contents: dict[tuple[str, int, int], set[bytes]] = {}
    for seed in range(6):
        club = clubs(dealers(of28=seed, of6=1))
        host = club.phone()
        path = club.open(host)
        phones = club.sit(path, NAMES, LOCALES)
        club.done(host, path, "start")
        club.done(host, path, "begin")
        club.done(host, path, "play", play="result", reached="1", finisher="1")
        for seat, phone in enumerate(phones, 1):
            for kind in ("fragment", "page"):
                answer = phone.post(
                    f"{path}/gold", {"seat": seat}, **(FETCH if kind == "fragment" else {})
                )
                assert answer.status_code == 200
                place = (kind, seat, answer.text.count("<svg"))
                lengths.setdefault(place, set()).add(len(answer.data))
                contents.setdefault(place, set()).add(answer.data)
    assert all(len(found) == 1 for found in lengths.values()), lengths
    assert any(len(found) > 1 for found in contents.values())


def test_gold_stays_with_its_seat(clubs, dealers) -> None:
    """Two evenings that differ in the gold alone: nobody sees a difference until the end."""
    evenings = []
    for seed in (3, 4):
        club = clubs(dealers(of28=seed, of6=1))
        host = club.phone()
        path = club.open(host)
        phones = club.sit(path, NAMES, LOCALES)
        evenings.append((club, host, path, phones))
    found = []
    for club, host, path, phones in evenings:
        club.done(host, path, "start")
        club.done(host, path, "begin")
        club.done(host, path, "play", play="result", reached="1", finisher="1")
        table = club.table(path)
        code = club.tables.code(table.id)
        found.append(
            [
                re.sub(rb'data-etag="\w+"', b"", text.replace(code.encode(), b"CODE"))
                for phone in (*phones, host)
                for text in all_pages(phone, path, pages.OF_PLAYERS.values())
            ]
        )
    assert found[0] == found[1]


def test_only_the_phone_of_a_seat_gets_its_role(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    for phone, seat in itertools.product([*phones, host, club.phone()], range(1, 6)):
        answer = phone.post(f"{path}/role", {"seat": seat}, **FETCH)
        mine = phone in phones and phones.index(phone) == seat - 1
        assert answer.status_code == (200 if mine else 403)
        assert ("rolecard" in answer.text) is mine


def test_a_role_is_never_had_by_an_address(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    for kind in ("role", "gold"):
        answer = phones[0].get(f"{path}/{kind}?seat=1")
        assert (answer.status_code, answer.location) == (303, path)
    assert not club.table(path).round.looked


def test_there_is_no_role_between_rounds(seated) -> None:
    club, host, path, phones = seated
    assert phones[0].post(f"{path}/role", {"seat": 1}).status_code == 409
    club.done(host, path, "start")
    club.done(host, path, "begin")
    club.done(host, path, "play", play="result", reached="1", finisher="1")
    assert phones[0].post(f"{path}/role", {"seat": 1}).status_code == 409
    assert phones[0].post(f"{path}/gold", {"seat": 1}).status_code == 200


def test_looking_twice_is_one_look(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    phones[0].post(f"{path}/role", {"seat": 1})
    version = club.table(path).version
    phones[0].post(f"{path}/role", {"seat": 1})
    assert club.table(path).version == version
    assert club.table(path).round.looked == {1}


def test_the_log_names_patterns_not_addresses(seated, caplog) -> None:
    club, _, path, phones = seated
    with caplog.at_level("INFO"):
        phones[0].get(path)
        club.phone().get(club.join_path(path))
    assert "/j/<key>" in caplog.text
    assert club.join_path(path) not in caplog.text
    assert path not in caplog.text


def test_a_card_that_is_only_pressed_does_not_count_as_looked_at(seated) -> None:
    """It may be let go before it is seen; the script asks again once it was shown."""
    club, host, path, phones = seated
    club.done(host, path, "start")
    pressed = phones[0].post(f"{path}/role", {"peek": "1"}, **FETCH)
    assert pressed.status_code == 200
    assert not club.table(path).round.looked
    seen = phones[0].post(f"{path}/role", **FETCH)
    assert len(seen.data) == len(pressed.data)
    assert club.table(path).round.looked == {1}
