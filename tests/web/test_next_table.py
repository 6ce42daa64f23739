"""Another game with the same people: a table of its own, where they sit as they sat."""

from __future__ import annotations

import re

import pytest

from tests.web.conftest import Club, Phone

Over = tuple[Club, str, Phone, list[Phone]]

NAMES = ["Anna", "Berta", "Carl"]
TOLD = "Now playing: Game of Trains"


def over_at(club: Club, host: Phone, names: list[str] = NAMES) -> tuple[str, list[Phone]]:
    """A game of Saboteur that is over, before anything was won."""
    path = club.open(host)
    phones = club.sit(path, names)
    club.done(host, path, "start")
    club.done(host, path, "finish")
    club.done(host, path, "count")
    return path, phones


@pytest.fixture
def over(club: Club) -> Over:
    host = club.phone()
    path, phones = over_at(club, host)
    return club, path, host, phones


def go_on(club: Club, host: Phone, path: str, **more: str) -> str:
    """The path of the table that opens."""
    form = {"game": "trains", "version": str(club.table(path).version)} | more
    answer = host.post(f"{path}/go-on", form)
    assert answer.status_code == 303
    return str(answer.location).removesuffix("/screen")


def test_they_sit_there_as_they_sat_here(over: Over) -> None:
    club, path, host, phones = over
    assert "Another game: Game of Trains" in host.get(path).text
    assert "Another game" not in phones[1].get(path).text
    there = go_on(club, host, path)
    table = club.table(there)
    assert (table.game.name, [seat.name for seat in table.seats]) == ("trains", NAMES)
    for phone in phones:
        assert TOLD in re.sub("<[^>]*>", "", phone.get(path).text)
        assert phone.get(f"{path}/next").location == there
        assert phone.get(there).status_code == 200
    assert [bool(table.held(seat.device)) for seat in club.table(path).seats] == [True] * 3


def test_a_double_tap_opens_one_table(over: Over) -> None:
    club, path, host, _ = over
    form = {"game": "trains", "version": str(club.table(path).version)}
    first, second = (host.post(f"{path}/go-on", form).location for _ in range(2))
    assert first == second
    assert len(club.table(first).seats) == 3


def test_only_the_host_goes_on_and_only_when_the_game_is_over(club: Club) -> None:
    host = club.phone()
    path, phones = over_at(club, host)
    form = {"game": "trains", "version": "1"}
    assert phones[1].post(f"{path}/go-on", form).status_code == 403
    assert club.phone().post(f"{path}/go-on", form).status_code == 403
    club.done(host, path, "new-game")
    refused = host.post(f"{path}/go-on", form)
    assert refused.status_code == 409
    assert "Another game" not in host.get(path).text
    assert club.table(path).next_table is None
    for phone in (host, *phones):
        assert phone.get(f"{path}/next").location == path


def test_where_too_many_sit_the_other_game_is_not_offered(club: Club) -> None:
    host = club.phone()
    path, _ = over_at(club, host, [*NAMES, "Dora", "Elmar"])
    assert "Another game" not in host.get(path).text


def test_a_laptop_and_who_has_no_seat_there_are_led_too(over: Over) -> None:
    club, path, host, phones = over
    there = go_on(club, host, path, screen="1")
    assert TOLD in re.sub("<[^>]*>", "", host.get(f"{path}/screen").text)
    assert host.get(f"{path}/next?screen=1").location == f"{there}/screen"
    club.done(host, there, "remove-seat", seat=str(club.table(there).seats[1].id))
    led = phones[1].get(f"{path}/next").location
    assert led == club.join_path(there)


def test_another_game_here_takes_its_place(over: Over) -> None:
    club, path, host, phones = over
    go_on(club, host, path)
    club.done(host, path, "new-game")
    assert club.table(path).next_table is None
    club.done(host, path, "finish")
    club.done(host, path, "count")
    assert TOLD not in re.sub("<[^>]*>", "", phones[1].get(path).text)


def test_a_table_that_is_gone_leads_back(over: Over) -> None:
    club, path, host, phones = over
    there = go_on(club, host, path)
    club.done(host, there, "end")
    answer = phones[1].get(f"{path}/next")
    assert answer.status_code == 409
    assert "The table of the other game has been closed." in answer.text
    assert f'href="{path}">Show the table as it is now</a>' in answer.text
    club.done(host, path, "new-game")
    assert phones[1].get(f"{path}/next").location == path


def test_a_game_that_nobody_knows_is_refused(over: Over) -> None:
    club, path, host, _ = over
    answer = host.post(f"{path}/go-on", {"game": "chess", "version": "1"})
    assert answer.status_code == 400
    assert club.table(path).next_table is None


def counted(club: Club, host: Phone, path: str) -> None:
    """A game that is over and counted, at a table of any game."""
    club.done(host, path, "new-game" if club.table(path).results else "start")
    club.done(host, path, "finish")
    if not club.table(path).counted:
        club.do(host, path, "count")


def test_they_come_back_to_the_table_of_the_first_game(over: Over) -> None:
    """Where the games of the evening are listed; whoever sat down meanwhile sits there, too."""
    club, path, host, phones = over
    there = go_on(club, host, path)
    late = club.phone()
    late.post(club.join_path(there), {"name": "Dora", "key": "d"})
    counted(club, host, there)
    assert go_on(club, host, there, game="saboteur") == path
    assert [seat.name for seat in club.table(path).seats] == [*NAMES, "Dora"]
    assert club.table(path).next_table is None
    for phone in (*phones, late):
        assert "Now playing: Saboteur" in re.sub("<[^>]*>", "", phone.get(there).text)
        assert phone.get(f"{there}/next").location == path
        assert TOLD not in re.sub("<[^>]*>", "", phone.get(path).text)
    counted(club, host, path)
    assert go_on(club, host, path) == there
    assert club.log.count() == 2


def test_asked_again_it_is_the_same_way_back(over: Over) -> None:
    club, path, host, _ = over
    there = go_on(club, host, path)
    for _ in range(2):
        assert go_on(club, host, there, game="saboteur", key="twice") == path
    assert club.log.count() == 2


def test_who_was_kept_out_of_the_second_game_is_kept_out_of_the_first(over: Over) -> None:
    club, path, host, _ = over
    link = club.join_path(path)
    there = go_on(club, host, path)
    club.done(host, there, "renew-link")
    for _ in range(2):
        assert go_on(club, host, there, game="saboteur", key="twice") == path
    assert club.phone().get(link).status_code == 404
    assert club.table(path).link_renewals == 1


def test_who_has_the_link_of_the_first_table_comes_to_where_they_play(over: Over) -> None:
    club, path, host, phones = over
    link = club.join_path(path)
    there = go_on(club, host, path)
    assert club.phone().get(link).location == club.join_path(there)
    assert phones[0].get(link).location == path  # where it is told, and the own seat is
    club.done(host, path, "new-game")
    assert club.phone().get(link).status_code == 200
    club.done(host, path, "finish")
    there = go_on(club, host, path)
    club.done(host, there, "renew-link")
    assert club.phone().get(link).status_code == 200  # nobody comes past the new link
    club.done(host, there, "end")
    assert club.phone().get(link).status_code == 200
