"""A café's tables: who scans one when nobody plays there is the host of a new evening."""

from __future__ import annotations

import re

import pytest

from companion.tables import commands as ask
from companion.tables.log import StorageError
from companion.tables.standing import (
    FREE_AFTER_S,
    FREE_ALONE_AFTER_S,
    FREE_IN_GAME_AFTER_S,
    QUIET_AFTER_S,
)
from tests.kit.forms import opening


@pytest.fixture
def cafe(club) -> tuple:
    """And the link of its table 3."""
    made = [club.tables.standing_codes.make(number) for number in (1, 2, 3)]
    return club, f"/s/{club.tables.standing_codes.key(made[2])}"


def begun(phone, link: str, **choices: str) -> str:
    """Scans, and opens an evening; its path."""
    assert phone.get(link).status_code == 200
    answer = phone.post(link, {"key": "one", **opening(**choices)})
    assert answer.status_code == 303, answer.text
    return answer.location


def sits(club, link: str, name: str):
    """A phone that scans the same code, and sits down."""
    phone = club.phone()
    to = phone.get(link).location
    assert phone.post(to, {"name": name, "key": "join"}).status_code == 303
    return phone


def played(club, host, path: str, phones) -> None:
    """A game, to its end."""
    club.done(host, path, "start")
    for number in (1, 2, 3):
        club.done(host, path, "begin")
        club.done(phones[0], path, "play", play="result", reached="1", finisher="2")
        if number < 3:
            club.done(host, path, "deal")


@pytest.fixture
def three(cafe) -> tuple:
    """At table 3, with a host who only watches."""
    club, link = cafe
    host = club.phone()
    path = begun(host, link)
    phones = [sits(club, link, name) for name in ("Anna", "Berta", "Carl")]
    return club, link, path, host, phones


@pytest.fixture
def over(three) -> tuple:
    """They have played there."""
    club, _, path, host, phones = three
    played(club, host, path, phones)
    return three


def test_who_scans_first_is_the_host_and_the_others_join(cafe) -> None:
    club, link = cafe
    host = club.phone()
    assert "Table 3" in host.get(link).text
    path = begun(host, link)
    assert host.get(f"{path}/host").status_code == 200
    assert host.get(link).location == path
    guest = sits(club, link, "Berta")
    assert guest.get(path).status_code == 200
    assert guest.get(link).location == path
    assert [seat.name for seat in club.table(path).seats] == ["Berta"]


def test_who_goes_on_to_another_game_plays_at_the_same_table(over) -> None:
    """Whoever comes later scans the code that stands there."""
    club, link, path, host, phones = over
    form = {"game": "trains", "version": str(club.table(path).version)}
    there = host.post(f"{path}/go-on", form).location
    assert phones[0].get(link).location == there
    assert [seat.name for seat in club.table(there).seats] == ["Anna", "Berta", "Carl"]
    late = sits(club, link, "Dora")
    assert late.get(there).status_code == 200


def test_who_comes_back_to_the_first_game_plays_at_the_same_table(over) -> None:
    club, link, path, host, phones = over
    club.done(host, path, "count")
    form = {"game": "trains", "version": str(club.table(path).version)}
    there = host.post(f"{path}/go-on", form).location
    club.done(host, path, "new-game")
    club.look(path, phones)
    assert club.phone().get(link).location == club.join_path(path)
    assert host.get(link).location == path
    club.clock.now += FREE_AFTER_S
    assert club.phone().get(f"{link}?join=1").location == club.join_path(path)
    assert club.table(there)  # it is only not played at


def test_where_the_other_game_is_closed_they_play_at_the_first_table(over) -> None:
    """Who comes late is not to become the host of an evening of their own."""
    club, link, path, host, phones = over
    form = {"game": "trains", "version": str(club.table(path).version)}
    club.done(host, host.post(f"{path}/go-on", form).location, "end")
    assert club.phone().get(link).location == club.join_path(path)
    assert phones[0].get(link).location == path


def test_where_a_game_has_begun_meanwhile_they_play_at_the_first_table(over, monkeypatch) -> None:
    """The host taps both ways on at once, on the phone and on the laptop."""
    club, link, path, host, phones = over
    club.done(host, path, "count")
    form = {"game": "trains", "version": str(club.table(path).version)}
    open_table = club.tables.open

    def slow(*asked):
        opened = open_table(*asked)
        club.done(host, path, "new-game")
        return opened

    monkeypatch.setattr(club.tables, "open", slow)
    assert host.post(f"{path}/go-on", form).status_code == 409
    assert phones[0].get(link).location == path
    assert club.phone().get(link).location == club.join_path(path)


def test_who_was_kept_out_by_a_new_link_is_so_in_the_next_game_too(over) -> None:
    club, link, path, host, phones = over
    club.done(host, path, "count")
    club.done(host, path, "renew-link")
    stranger = club.phone()
    assert stranger.get(link).status_code == 403
    form = {"game": "trains", "version": str(club.table(path).version)}
    there = host.post(f"{path}/go-on", form).location
    assert stranger.get(link).status_code == 403
    assert {phone.get(f"{path}/next").location for phone in phones} == {there}


def test_looking_opens_nothing(cafe) -> None:
    club, link = cafe
    for _ in range(2):
        club.phone().get(link)
    assert club.log.count() == 0
    assert club.phone().get("/s/" + "x" * 22).status_code == 404


def test_two_at_once_are_at_one_table(cafe) -> None:
    club, link = cafe
    free = club.tables.standing_codes.by_key(link[3:])
    command = ask.Open("saboteur", "fi", "roles", "fi")
    first = club.tables.standing.open(free, "one", command, "key")
    assert club.tables.standing.open(free, "other", command, "key").id == first.id
    assert club.tables.standing.open(free, "one", command, "key").id == first.id
    assert club.log.count() == 1


def test_where_it_is_freed_while_somebody_opens(cafe, monkeypatch) -> None:
    """The one who runs the café has taken away an evening that was over anyway."""
    club, link = cafe
    begun(club.phone(), link)
    club.clock.now += FREE_AFTER_S
    move, freed = club.log.move_standing, []

    def freed_first(number: int, before: str, after: str) -> bool:
        if not freed:
            freed.append(move(number, before, None))
        return move(number, before, after)

    monkeypatch.setattr(club.log, "move_standing", freed_first)
    host = club.phone()
    path = begun(host, link)
    assert host.get(f"{path}/host").status_code == 200
    assert club.phone().get(link).location == club.join_path(path)


def test_a_double_tap_opens_one(cafe) -> None:
    club, link = cafe
    host = club.phone()
    first = begun(host, link)
    assert host.post(link, {"key": "one", **opening()}).location == first
    assert club.log.count() == 1


def test_after_half_an_hour_it_is_free_and_shows_nothing_of_those_before(over) -> None:
    club, link, path, host, phones = over
    club.clock.now += FREE_AFTER_S - 1
    assert club.phone().get(f"{link}?join=1").location == club.join_path(path)
    club.clock.now += 1
    for phone in (club.phone(), host, phones[0]):
        page = phone.get(link)
        assert page.status_code == 200
        assert not re.search("Anna|Berta|Carl", page.text)
        assert path not in page.text
    second = club.phone()
    evening = begun(second, link)
    assert evening != path
    assert club.table(evening).results == ()
    for page in ("", "/screen", "/qr", "/host", "/seat"):
        shown = second.get(evening + page).text
        assert not re.search("Anna|Berta|Carl", shown), page
    assert second.get(f"{evening}/record.jsonl").status_code == 409
    assert second.get(f"{evening}/replay").status_code == 409
    for page in ("", "/record.jsonl", "/replay", "/screen"):
        assert second.get(path + page).status_code == 403
        assert phones[0].get(evening + page).status_code == 403
    assert '"Berta"' in phones[0].get(f"{path}/record.jsonl").text  # it is still theirs


def test_the_host_makes_it_free_at_once(over) -> None:
    club, link, path, host, _ = over
    club.done(host, path, "end")
    assert "Table 3" in club.phone().get(link).text
    assert club.log.count() == 0


def test_a_game_that_is_on_is_not_interrupted_for_an_hour(cafe) -> None:
    club, link = cafe
    host = club.phone()
    path = begun(host, link)
    for name in ("Anna", "Berta", "Carl"):
        sits(club, link, name)
    club.done(host, path, "start")
    club.clock.now += FREE_IN_GAME_AFTER_S - 1
    assert club.phone().get(f"{link}?join=1").location == club.join_path(path)
    club.clock.now += 1
    assert "Table 3" in club.phone().get(link).text


def alone(cafe) -> tuple:
    """A phone that has opened an evening, seats three on itself, and begins a game."""
    club, link = cafe
    host = club.phone()
    path = begun(host, link)
    for name in ("Anna", "Berta", "Carl"):
        club.done(host, path, "add-seat", name=name)
    club.done(host, path, "start")
    return club, link, host, path


def arranged(club, host, path: str) -> None:
    """Whoever has the phone renames a seat, before the game counts as left."""
    club.clock.now += FREE_IN_GAME_AFTER_S - 60
    club.done(host, path, "rename-seat", seat=1, name=f"Anna {club.table(path).version}")


def nearly_alone_too_long(club, host, path: str) -> None:
    began = club.clock.now
    while club.clock.now - began < FREE_ALONE_AFTER_S - FREE_IN_GAME_AFTER_S:
        arranged(club, host, path)


def test_who_only_arranges_alone_does_not_keep_the_table(cafe) -> None:
    """From home, with a code that was seen once."""
    club, link, host, path = alone(cafe)
    club.done(host, path, "renew-link")
    began = club.clock.now
    nearly_alone_too_long(club, host, path)
    assert club.phone().get(link).status_code == 403
    club.clock.now = began + FREE_ALONE_AFTER_S
    guest = club.phone()
    assert "Table 3" in guest.get(link).text
    code = club.log.standing()[2].code
    assert guest.post("/code", {"code": code}).location == link
    assert begun(guest, link) != path
    assert host.get(path).status_code == 200  # who was there before loses nothing
    assert sits(club, link, "Dora").get(path).status_code == 403


def test_who_steps_through_the_rules_alone_does_not_keep_the_table(cafe) -> None:
    club, link = cafe
    host = club.phone()
    path = begun(host, link)
    for step in range(1, 9):
        assert club.phone().get(link).location == club.join_path(path)
        club.clock.now += FREE_AFTER_S - 300
        club.done(host, path, "explain", step=step)
    assert "Table 3" in club.phone().get(link).text


def test_one_shared_phone_keeps_the_table_as_long_as_it_plays(cafe) -> None:
    club, link, host, path = alone(cafe)
    for _ in range(3):
        for number in (1, 2, 3):
            arranged(club, host, path)
            club.done(host, path, "begin")
            club.clock.now += FREE_IN_GAME_AFTER_S - 60
            club.done(host, path, "play", play="result", reached="1", finisher="2")
            if number < 3:
                club.clock.now += FREE_AFTER_S - 60
                club.done(host, path, "deal")
            assert club.phone().get(f"{link}?join=1").location == club.join_path(path)
        club.clock.now += FREE_AFTER_S - 60
        assert club.phone().get(f"{link}?join=1").location == club.join_path(path)
        club.done(host, path, "new-game")


def test_two_who_arrange_keep_the_table(cafe) -> None:
    """They wait for somebody, and have not begun."""
    club, link = cafe
    host = club.phone()
    path = begun(host, link)
    guest = sits(club, link, "Berta")
    for number in range(12):
        club.clock.now += FREE_AFTER_S - 1
        phone = guest if number % 2 else host
        club.done(phone, path, "rename-seat", seat=1, name=f"Berta {number}")
    assert club.phone().get(link).location == club.join_path(path)


def test_a_clock_that_was_ahead_when_the_evening_began_does_not_keep_the_table(cafe) -> None:
    club, link = cafe
    true = club.clock.now
    club.clock.now += 365 * 86400
    host = club.phone()
    path = begun(host, link)
    club.clock.now = true
    sits(club, link, "Berta")
    club.clock.now += FREE_AFTER_S - 1
    assert club.phone().get(f"{link}?join=1").location == club.join_path(path)
    club.clock.now += 1
    assert "Table 3" in club.phone().get(link).text


def test_an_evening_of_a_clock_that_was_ahead_is_over_once_it_is_seen_unused(cafe) -> None:
    """Nobody knows when it was: it counts from when somebody scans its tent."""
    club, link = cafe
    true = club.clock.now
    club.clock.now += 365 * 86400
    path = begun(club.phone(), link)
    sits(club, link, "Berta")
    club.clock.now = true + 86400
    assert club.phone().get(link).location == club.join_path(path)
    club.clock.now += QUIET_AFTER_S - 1
    assert club.phone().get(link).location == club.join_path(path)
    club.clock.now += 1
    assert club.phone().get(f"{link}?join=1").location == club.join_path(path)
    assert "Others have been playing here" in club.phone().get(link).text
    club.clock.now += FREE_AFTER_S - QUIET_AFTER_S
    assert club.phone().get(f"{link}?join=1").status_code == 200
    assert begun(club.phone(), link) != path


def test_who_only_arranges_alone_once_the_clock_is_right_does_not_keep_the_table(cafe) -> None:
    club, link = cafe
    true = club.clock.now
    club.clock.now += 365 * 86400
    _, _, host, path = alone(cafe)
    club.clock.now = true
    club.done(host, path, "rename-seat", seat=1, name="Anne")
    nearly_alone_too_long(club, host, path)
    assert club.phone().get(link).location == club.join_path(path)
    club.clock.now = true + FREE_ALONE_AFTER_S
    assert "Table 3" in club.phone().get(link).text


def test_who_waits_alone_for_the_others_keeps_the_table_for_hours(cafe) -> None:
    club, link = cafe
    host = club.phone()
    path = begun(host, link)
    for number in range(6):
        club.clock.now += FREE_AFTER_S - 10
        club.done(host, path, "add-seat", name=f"Berta {number}")
    assert club.phone().get(link).location == club.join_path(path)
    club.clock.now += 60
    assert "Table 3" in club.phone().get(link).text


def test_a_new_link_keeps_out_who_has_only_the_lasting_one(cafe) -> None:
    club, link = cafe
    host = club.phone()
    path = begun(host, link)
    guest = sits(club, link, "Berta")
    club.done(host, path, "renew-link")
    stranger = club.phone().get(link)
    assert stranger.status_code == 403
    assert "Ask its host" in stranger.text
    assert guest.get(link).location == path


def test_its_code_is_typed_like_any_other(cafe) -> None:
    club, link = cafe
    code = club.log.standing()[2].code
    phone = club.phone()
    assert phone.post("/code", {"code": code.lower()}).location == link
    begun(phone, link)
    assert club.phone().post("/code", {"code": code}).location == link


def test_opening_counts_like_any_opening(clubs) -> None:
    club = clubs(tables_per_hour=1)
    links = [
        f"/s/{club.tables.standing_codes.key(club.tables.standing_codes.make(n))}" for n in (1, 2)
    ]
    begun(club.phone(), links[0])
    refused = club.phone().post(links[1], {"key": "one", **opening()})
    assert refused.status_code == 429


@pytest.mark.parametrize("form", [{"game": "chess"}, {"language": "xx"}, {"way-saboteur": "x"}])
def test_what_cannot_be_opened(cafe, form: dict[str, str]) -> None:
    club, link = cafe
    phone = club.phone()
    phone.get(link)
    assert phone.post(link, {"key": "one", **form}).status_code == 400
    assert club.log.count() == 0


def test_a_phone_without_cookies_opens_nothing(cafe) -> None:
    club, link = cafe
    assert club.app.test_client().post(link, data={"key": "one"}).status_code == 400


def test_made_again_they_are_the_same(club) -> None:
    made = [club.tables.standing_codes.make(number) for number in (1, 2)]
    assert [club.tables.standing_codes.make(number) for number in (1, 2)] == made
    keys = {club.tables.standing_codes.key(one) for one in made}
    assert len(keys) == 2
    stored = b"".join(file.read_bytes() for file in club.settings.data.iterdir())
    assert not [key for key in keys if key.encode() in stored]


def test_a_television_that_types_its_code_shows_the_evening(cafe) -> None:
    """And nobody's seat; while nobody plays there is nothing to show."""
    club, link = cafe
    typed = {"code": club.log.standing()[2].code, "screen": "1"}
    host = club.phone()
    path = begun(host, link)
    to = club.phone().post("/code", typed).location
    assert to == f"{club.join_path(path)}/screen"


def test_a_code_is_renewed_so_often_and_no_more(club, monkeypatch) -> None:
    monkeypatch.setattr("companion.tables.standing_codes.RENEWALS_MAX", 3)
    codes = club.tables.standing_codes
    one = codes.make(1)
    for _ in range(3):
        one = codes.renew(one)
        assert codes.by_key(codes.key(one)) == one
    with pytest.raises(StorageError, match="too often"):
        codes.renew(one)
    assert codes.by_key(codes.key(one)) == one


def test_a_form_of_the_evening_before_brings_back_no_freed_table(cafe) -> None:
    """Back, and the same button."""
    club, link = cafe
    home = club.phone()
    path = begun(home, link)
    club.done(home, path, "add-seat", name="Anna")
    assert club.tables.standing_codes.free(3)
    assert begun(home, link) != path


def test_a_form_of_the_evening_before_deletes_nothing(cafe, monkeypatch) -> None:
    """Where somebody else is faster, what it has opened is given up: its own table alone."""
    club, link = cafe
    home, other = club.phone(), club.phone()
    path = begun(home, link)
    club.sit(path, ["Anna", "Berta", "Carl"])
    assert club.tables.standing_codes.free(3)
    opens, faster = club.tables.open, iter([lambda: other.post(link, {"key": "2", **opening()})])

    def overtaken(*asked):
        opened = opens(*asked)
        for goes in faster:
            goes()
        return opened

    monkeypatch.setattr(club.tables, "open", overtaken)
    home.post(link, {"key": "one", **opening()})
    assert club.table(path).seats


def test_by_no_code_of_a_tent_anybody_comes_past_a_new_link(cafe) -> None:
    club, link = cafe
    host = club.phone()
    path = begun(host, link)
    club.done(host, path, "renew-link")
    for screen in ({}, {"screen": "1"}):
        stranger = club.phone()
        to = stranger.post("/code", {"code": club.log.standing()[2].code, **screen})
        key = club.tables.join_key(club.table(path))
        assert key not in (to.location or "") + to.text
        assert stranger.get(link).status_code == 403


@pytest.fixture
def left(three) -> tuple:
    """They have begun a game, and have gone in the middle of it."""
    club, _, path, host, _ = three
    club.done(host, path, "start")
    return three


def test_where_those_who_played_have_gone_whoever_comes_opens_another_evening(left) -> None:
    club, link, path, host, phones = left
    club.clock.now += QUIET_AFTER_S
    fresh = club.phone()
    page = fresh.get(link).text
    assert "Others have been playing here: Anna, Berta and Carl." in re.sub("<[^>]*>", "", page)
    there = begun(fresh, link)
    assert there != path
    assert club.phone().get(link).location == club.join_path(there)
    assert all(phone.get(path).status_code == 200 for phone in (host, *phones))
    assert phones[0].get(link).location == club.join_path(there)


def test_where_they_may_have_gone_one_can_sit_down_with_them_still(left) -> None:
    club, link, path, host, phones = left
    club.clock.now += QUIET_AFTER_S
    late = club.phone()
    page = late.get(link).text
    (join,) = re.findall(rf'href="({link}\?[^"]*)"', page)
    assert late.get(join).location == club.join_path(path)
    assert [phone.get(link).location for phone in (host, *phones)] == [path] * 4
    assert phones[0].post(link, {"key": "one", **opening()}).location == path


def test_nobody_takes_the_place_of_those_who_have_just_tapped(left) -> None:
    club, link, path, *_ = left
    club.clock.now += QUIET_AFTER_S - 1
    fresh = club.phone()
    assert fresh.get(link).location == club.join_path(path)
    assert fresh.post(link, {"key": "one", **opening()}).location == club.join_path(path)
    club.clock.now += 1
    assert fresh.get(link).status_code == 200
    club.look(path, left[-1])  # meanwhile
    assert fresh.post(link, {"key": "one", **opening()}).location == club.join_path(path)


def test_nobody_takes_the_place_of_those_who_tap_while_it_is_opened(left, monkeypatch) -> None:
    club, link, path, _, phones = left
    club.clock.now += QUIET_AFTER_S
    fresh, opens = club.phone(), club.tables.open
    fresh.get(link)

    def slow(*asked):
        opened = opens(*asked)
        club.look(path, phones)
        return opened

    monkeypatch.setattr(club.tables, "open", slow)
    assert fresh.post(link, {"key": "one", **opening()}).location == club.join_path(path)
    assert club.phone().get(link).location == club.join_path(path)
    assert club.log.count() == 1


def test_nobody_takes_the_place_of_those_who_go_on_while_it_is_opened(over, monkeypatch) -> None:
    club, link, path, host, _ = over
    club.clock.now += QUIET_AFTER_S
    fresh, opens, gone_on = club.phone(), club.tables.open, []
    fresh.get(link)

    def slow(*asked):
        opened = opens(*asked)
        if not gone_on:
            gone_on.append(opened)
            form = {"game": "trains", "version": str(club.table(path).version)}
            gone_on.append(host.post(f"{path}/go-on", form).location)
        return opened

    monkeypatch.setattr(club.tables, "open", slow)
    to = fresh.post(link, {"key": "one", **opening()}).location
    assert to == club.join_path(gone_on[1])
    assert club.phone().get(link).location == to
    assert club.log.count() == 2


def test_who_plays_behind_a_new_link_is_not_named_to_who_comes_later(left) -> None:
    club, link, path, host, _ = left
    club.done(host, path, "renew-link")
    club.clock.now += QUIET_AFTER_S
    fresh = club.phone()
    page = fresh.get(link).text
    assert "Others have been playing here." in page
    assert "Anna" not in page
    assert "join=1" not in page
    assert fresh.get(f"{link}?join=1").status_code == 403
    assert begun(fresh, link) != path
