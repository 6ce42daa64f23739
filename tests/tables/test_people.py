"""Who has had several seats is counted as one, by the host's word and never by a guess."""

from __future__ import annotations

import pytest

from companion.tables import commands as ask
from companion.tables.seating import encounters
from tests.tables.evening import HOST, DirectEvening


@pytest.fixture
def evening() -> DirectEvening:
    """Of three games; in each the third seat is another one: 3, 4 and 5."""
    evening = DirectEvening()
    evening.open()
    for device, name in (("a", "Anna"), ("b", "Berta"), ("c", "Carl")):
        evening.done(device, ask.Join(name))
    for number, name in enumerate(("Carl", "Karl", "Carlos")):
        if number:
            evening.done(HOST, ask.RemoveSeat(2 + number))
            evening.done("c", ask.Join(name))
        evening.done(HOST, ask.Start())
        evening.done(HOST, ask.Finish())
    return evening


def test_nobody_is_joined_by_itself(evening: DirectEvening) -> None:
    assert set(encounters(evening.table)) == {1, 2, 3, 4, 5}


def test_the_host_joins_and_parts_them(evening: DirectEvening) -> None:
    evening.done(HOST, ask.JoinPeople(5, 4))
    assert evening.table.people.first_seats == ((5, 4),)
    evening.done(HOST, ask.JoinPeople(3, 5))
    assert set(encounters(evening.table)) == {1, 2, 3}
    assert [evening.table.people.person(seat) for seat in (1, 2, 3, 4, 5)] == [1, 2, 3, 3, 3]
    evening.done(HOST, ask.JoinPeople(4, 3))  # they are one already
    assert evening.table.people.first_seats == ((4, 3), (5, 3))
    evening.done(HOST, ask.PartPeople(5))
    assert evening.table.people.first_seats == ()
    evening.done(HOST, ask.PartPeople(5))


@pytest.mark.parametrize(
    ("device", "seat", "same", "reason"),
    [
        ("a", 3, 4, "not_host"),
        (HOST, 3, 9, "unknown_seat"),
        (HOST, 9, 3, "unknown_seat"),
        (HOST, 1, 3, "played_together"),
        (HOST, 5, 2, "played_together"),
    ],
)
def test_what_is_refused(
    evening: DirectEvening, device: str, seat: int, same: int, reason: str
) -> None:
    assert evening.refused(device, ask.JoinPeople(seat, same)) == reason


def test_whoever_met_one_of_them_is_another(evening: DirectEvening) -> None:
    """Through those who are joined, too."""
    evening.done(HOST, ask.JoinPeople(3, 4))
    evening.done(HOST, ask.RemoveSeat(2))
    evening.done("d", ask.Join("Dora"))
    evening.done(HOST, ask.Start())
    evening.done(HOST, ask.Finish())
    assert encounters(evening.table)[6] == {1, 5}
    evening.done(HOST, ask.JoinPeople(6, 3))
    assert evening.refused(HOST, ask.JoinPeople(5, 4)) == "played_together"
