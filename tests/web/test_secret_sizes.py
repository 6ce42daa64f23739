"""Who listens on the Wi-Fi sees sizes, of encrypted answers too: they tell no role and no gold."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.saboteur.pages import SECRETS, present
from companion.languages import LOCALES
from tests.kit.phone import FETCH

CARDS_MAX = 12
"""That one seat can gain in a game: four of one nugget as the only saboteur, three times."""


def hands(cards: int) -> list[tuple[int, ...]]:
    """So many gold cards of every sum that they can have."""
    return [
        (3,) * ((nuggets - cards) // 2)
        + (2,) * ((nuggets - cards) % 2)
        + (1,) * (cards - (nuggets - cards) // 2 - (nuggets - cards) % 2)
        for nuggets in range(cards, 3 * cards + 1)
    ]


def size(answer) -> int:
    """On the wire, but for the header names and values that the server adds to all alike."""
    assert answer.status_code == 200
    assert "Content-Encoding" not in answer.headers
    assert answer.headers["Cache-Control"] == "no-store, no-transform"
    head = sum(len(f"{name}: {value}\r\n") for name, value in answer.headers)
    return head + len(answer.data)


def test_hands_of_all_sums() -> None:
    assert hands(2) == [(1, 1), (2, 1), (3, 1), (3, 2), (3, 3)]
    assert all(len(hand) == 7 for hand in hands(7))


@pytest.mark.parametrize("locale", LOCALES)
def test_gold_of_any_value_is_as_long(clubs, locale: str, monkeypatch) -> None:
    club = clubs(forms_per_minute=10**6)
    host = club.phone()
    path = club.open(host)
    phone, *_ = club.sit(path, ["Õnne", "Berta", "Carl"], (locale,))
    club.done(host, path, "start")
    told = set()
    for cards in range(CARDS_MAX + 1):
        for headers in (FETCH, {}) if cards in (0, 1, 5, CARDS_MAX) else (FETCH,):
            sizes = set()
            for held in hands(cards):
                views = present.gold_views(held, 0)
                shown = replace(SECRETS["gold"], views=lambda table, seat, views=views: views)
                monkeypatch.setitem(SECRETS, "gold", shown)
                answer = phone.post(f"{path}/gold", {"seat": "1"}, **headers)
                told.add(answer.data)
                sizes.add(size(answer))
            assert len(sizes) == 1, (locale, cards, headers, sizes)
    assert len(told) > 200


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("kind", [FETCH, {}, {**FETCH, "Accept-Encoding": "gzip"}])
def test_a_role_is_as_long_as_the_other(club, dealers, kind, locale: str) -> None:
    host = club.phone()
    path = club.open(host)
    phones = club.sit(path, ["Õnne", "Berta", "Carl", "Dora", "Emil"], (locale,))
    club.done(host, path, "start")
    state = club.table(path).game_state
    found: dict[str, set[int]] = {}
    for seat, phone in enumerate(phones, 1):
        answer = phone.post(f"{path}/role", {"seat": str(seat)}, **kind)
        name = len(club.table(path).seat(seat).name.encode())
        own = size(answer) - (0 if "X-Requested-With" in kind else name)
        found.setdefault(state.now.roles[seat - 1], set()).add(own)
    assert set(found) == {"miner", "saboteur"}
    assert found["miner"] == found["saboteur"]
    assert len(found["miner"]) == 1
