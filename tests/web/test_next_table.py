"""Another game with the same people: a table of its own, where they sit as they sat."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from companion.tables.log import StorageError
from tests.web.conftest import Club, Phone
from tests.web.test_stream import Line

Over = tuple[Club, str, Phone, list[Phone]]

NAMES = ["Anna", "Berta", "Carl"]
TOLD = "Now playing: Game of Trains"
BACK = "Now playing: Saboteur"


def told_of(page: str) -> str:
    """What is said to be played elsewhere by now."""
    found = re.search(r"Now playing: [\w ]+", re.sub("<[^>]*>", "", page))
    return found[0] if found else ""


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


def not_here(page: str) -> list[str]:
    """Whose phones are said not to have come yet."""
    return re.findall(r"<bdi[^>]*>([^<]*)</bdi>\s*<small>phone not here yet</small>", page)


def test_whose_phones_have_not_come_yet_is_said_to_all(over: Over) -> None:
    club, path, host, phones = over
    there = go_on(club, host, path)
    line = Line(host, f"{there}/live")
    line.message()
    for page in (there, f"{there}/screen"):
        assert not_here(host.get(page).text) == NAMES
    phones[1].get(path)
    assert not_here(host.get(there).text) == NAMES, "it has not gone there"
    phones[1].get(phones[1].get(f"{path}/next").location)
    assert "phone not here yet" in line.message()[1], "all are told at once who is left"
    line.close()
    for page in (there, f"{there}/screen"):
        assert not_here(host.get(page).text) == ["Anna", "Carl"]
    assert not_here(phones[1].get(there).text) == ["Anna", "Carl"]
    late = club.phone()
    late.post(club.join_path(there), {"name": "Dora", "key": "k"})
    assert not_here(late.get(there).text) == ["Anna", "Carl"], "nobody else is awaited"
    club.done(host, there, "start")
    assert "phone not here yet" not in host.get(there).text


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


def test_where_too_many_sit_it_is_said_how_many_can_play_the_other_game(club: Club) -> None:
    host = club.phone()
    path, _ = over_at(club, host, [*NAMES, "Dora", "Elmar"])
    page = host.get(path).text
    assert "Another game: Game of Trains · At most 4 players can play" in page
    assert f'action="{path}/go-on"' not in page
    club.done(host, path, "remove-seat", seat="5")
    assert f'action="{path}/go-on"' in host.get(path).text


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
    assert phones[1].get(f"{path}/next").location == path
    assert TOLD not in re.sub("<[^>]*>", "", phones[1].get(path).text)


def test_a_table_that_another_host_has_closed_leads_back(over: Over) -> None:
    """Also where the host's device is gone for good: somebody else goes on with the first one."""
    club, path, host, phones = over
    there = go_on(club, host, path)
    club.done(host, there, "pass-hosting", seat=str(club.table(there).seats[1].id))
    club.clock.now += club.settings.host_gone_s + 1
    club.done(phones[1], there, "end")
    assert phones[0].get(f"{path}/next").location == path
    page = phones[0].get(path).text
    assert told_of(page) == ""
    assert f'action="{path}/do/take-hosting"' in page
    club.done(phones[0], path, "take-hosting")
    club.done(phones[0], path, "new-game")


def test_a_table_that_was_deleted_leads_back(over: Over) -> None:
    """Nobody has used it, and the first one is looked at."""
    club, path, host, phones = over
    there = go_on(club, host, path, screen="1")
    ids = [each.removeprefix("/t/") for each in (path, there)]
    for _ in range(2):
        club.clock.now += 2 * 86400.0
        gone = club.tables.purge(86400.0, spared=ids[:1])
    assert gone == ids[1:]
    answer = phones[0].get(f"{path}/next")
    assert answer.status_code == 409
    assert "The table of the other game has been closed." in answer.text
    assert f'href="{path}">Show the table as it is now</a>' in answer.text
    host.client.set_cookie("screen_locale", "fi")
    on_screen = host.get(f"{path}/next?screen=1")
    assert f'href="{path}/screen"' in on_screen.text
    assert on_screen.headers["Content-Language"].startswith("fi")
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


# What happens at one table while they are at the other


def back(club: Club, host: Phone, there: str, path: str) -> None:
    """They go back to the first table, from a game that is over."""
    counted(club, host, there)
    assert go_on(club, host, there, game="saboteur") == path


def seated(club: Club, path: str) -> list[str]:
    return [seat.name for seat in club.table(path).seats]


def test_who_was_removed_meanwhile_is_dealt_in_nowhere(over: Over) -> None:
    club, path, host, _ = over
    there = go_on(club, host, path)
    late = club.phone()
    late.post(club.join_path(there), {"name": "Dora", "key": "d"})
    club.done(host, there, "remove-seat", seat=str(club.table(there).seats[1].id))
    back(club, host, there, path)
    assert seated(club, path) == ["Anna", "Carl", "Dora"]


def test_who_has_no_seat_for_the_other_game_keeps_the_one_here(over: Over) -> None:
    club, path, host, _ = over
    there = go_on(club, host, path)
    late = [club.phone(), club.phone()]
    for phone, name in zip(late, ("Dora", "Elmar"), strict=True):
        club.done(host, path, "renew-link")  # which leads nobody on
        phone.post(club.join_path(path), {"name": name, "key": name})
    back(club, host, there, path)
    assert seated(club, path) == [*NAMES, "Dora", "Elmar"]


def test_a_seat_that_went_to_another_phone_is_on_it_everywhere(over: Over) -> None:
    club, path, host, phones = over
    there = go_on(club, host, path)
    berta = club.table(there).seats[1].id
    club.done(host, there, "free-seat", seat=str(berta))
    fresh = club.phone()
    fresh.post(club.join_path(there), {"claim": str(berta), "key": "c"})
    back(club, host, there, path)
    assert fresh.get(path).status_code == 200
    assert phones[1].get(path).status_code == 403
    assert seated(club, path) == NAMES


def test_a_seat_that_waits_for_a_phone_waits_everywhere(over: Over) -> None:
    club, path, host, _ = over
    there = go_on(club, host, path)
    club.done(host, there, "add-seat", name="Dora")
    counted(club, host, there)
    club.done(host, there, "free-seat", seat=str(club.table(there).seats[1].id))
    assert go_on(club, host, there, game="saboteur") == path
    assert [seat.device is None for seat in club.table(path).seats] == [False, True, False, False]


def test_names_and_order_are_the_same_everywhere(over: Over) -> None:
    club, path, host, phones = over
    there = go_on(club, host, path)
    one, two, three = (seat.id for seat in club.table(there).seats)
    club.done(phones[1], there, "rename-seat", seat=str(two), name="Beate")
    club.done(host, there, "order-seats", order=f"{two},{one},{three}")
    back(club, host, there, path)
    assert seated(club, path) == ["Beate", "Anna", "Carl"]


def test_all_of_a_shared_phone_come_along(club: Club) -> None:
    host = club.phone()
    path = club.open(host)
    anna, _ = club.sit(path, ["Anna", "Carl"])
    club.done(anna, path, "join", name="Berta")
    for command in ("start", "finish", "count"):
        club.done(host, path, command)
    there = go_on(club, host, path)
    assert seated(club, there) == ["Anna", "Carl", "Berta"]
    club.done(anna, there, "join", name="Dora")
    back(club, host, there, path)
    assert seated(club, path) == ["Anna", "Carl", "Berta", "Dora"]


def test_a_form_that_was_cut_off_brings_all(over: Over, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk failed when the other table was open already; the same form is sent again."""
    club, path, host, _ = over
    submit = club.tables.submit

    def cut(*args: object, **more: object) -> None:
        monkeypatch.setattr(club.tables, "submit", submit)
        raise StorageError("cut")

    monkeypatch.setattr(club.tables, "submit", cut)
    form = {"game": "trains", "version": str(club.table(path).version)}
    assert host.post(f"{path}/go-on", form).status_code == 503
    assert club.log.count() == 2
    assert seated(club, str(host.post(f"{path}/go-on", form).location)) == NAMES
    assert club.log.count() == 2


def test_a_new_host_leads_back(over: Over) -> None:
    """And hosts the first table, too; who has hosted it stays its screen."""
    club, path, host, phones = over
    there = go_on(club, host, path)
    club.done(host, there, "pass-hosting", seat=str(club.table(there).seats[0].id))
    back(club, phones[0], there, path)
    club.done(phones[0], path, "new-game")
    assert host.get(f"{path}/screen").status_code == 200


def test_the_laptop_stays_the_screen_though_another_hosts(over: Over) -> None:
    club, path, laptop, phones = over
    club.done(laptop, path, "pass-hosting", seat=str(club.table(path).seats[0].id))
    there = go_on(club, phones[0], path)
    assert laptop.get(f"{path}/next?screen=1").location == f"{there}/screen"


def test_a_television_follows_by_the_link_that_it_has(over: Over) -> None:
    club, path, host, _ = over
    there = go_on(club, host, path)
    here, other = (f"{club.join_path(each)}/screen" for each in (path, there))
    television = club.phone()
    assert television.get(here).location == other
    assert television.get(other).status_code == 200
    back(club, host, there, path)
    assert television.get(other).location == here


def test_the_guests_network_is_known_at_the_other_table(over: Over) -> None:
    club, path, host, _ = over
    club.done(host, path, "set-wifi", wifi_name="Kelder", wifi_password="kullakamakas")
    there = go_on(club, host, path)
    assert club.table(there).wifi == club.table(path).wifi


def test_to_go_back_counts_as_opening_no_table(clubs: Callable[..., Club]) -> None:
    club = clubs(tables_per_hour=2)
    host = club.phone()
    path, _ = over_at(club, host)
    there = go_on(club, host, path)
    back(club, host, there, path)


def test_where_a_game_begins_here_after_all_the_others_are_led_back(over: Over) -> None:
    """The host tapped the other game by mistake; all are there."""
    club, path, host, phones = over
    there = go_on(club, host, path)
    line = Line(phones[1], f"{there}/live")
    assert told_of(line.message()[1]) == ""
    club.done(host, path, "new-game")
    assert told_of(line.message()[1]) == BACK, "who waits there for a start sees it"
    line.close()
    for phone in phones:
        assert told_of(phone.get(there).text) == BACK
    assert told_of(host.get(f"{there}/screen").text) == BACK
    assert phones[1].get(f"{there}/next").location == path
    guest = club.phone()
    assert told_of(guest.get(f"{club.join_path(there)}/screen").text) == ""


def test_who_plays_here_again_goes_on_there_again(over: Over) -> None:
    """Where the games of the other kind are listed, however they have come back."""
    club, path, host, _ = over
    there = go_on(club, host, path)
    counted(club, host, there)
    counted(club, host, path)
    assert go_on(club, host, path) == there
    assert club.log.count() == 2


def test_where_the_table_is_closed_that_they_came_back_to_the_other_one_leads_nowhere(
    over: Over,
) -> None:
    club, path, host, phones = over
    there = go_on(club, host, path)
    club.done(host, path, "new-game")
    assert told_of(phones[1].get(there).text) == BACK
    club.done(host, path, "end")
    assert told_of(phones[1].get(there).text) == ""


def test_who_is_explained_the_other_game_is_led_back_too(over: Over) -> None:
    club, path, host, phones = over
    there = go_on(club, host, path)
    club.done(host, there, "explain", step="2")
    assert 'data-stage="step-2"' in phones[1].get(there).text
    club.done(host, path, "new-game")
    assert told_of(phones[1].get(there).text) == BACK


def test_where_the_game_here_goes_on_after_all_the_others_are_led_back(over: Over) -> None:
    """Its end is taken back by who had gone on already."""
    club, path, host, phones = over
    link = club.join_path(path)
    there = go_on(club, host, path)
    club.done(host, path, "take-back")
    assert told_of(phones[1].get(there).text) == BACK
    assert phones[1].get(f"{there}/next").location == path
    assert club.phone().get(link).status_code == 200, "who comes late is led to where they play"
    club.done(host, path, "finish")
    club.done(host, path, "count")
    assert TOLD not in re.sub("<[^>]*>", "", phones[1].get(path).text)
    assert go_on(club, host, path) != path


def test_a_host_who_has_gone_on_is_not_gone(over: Over) -> None:
    club, path, host, phones = over
    gone = "The host’s device has been away for a while."

    def told() -> bool:
        club.clock.now += club.settings.host_gone_s + 1
        return gone in phones[1].get(path).text

    assert told()
    there = go_on(club, host, path)
    assert not told()
    back(club, host, there, path)
    assert told()


# Whom a new link keeps out


@pytest.mark.parametrize("before", [0, 1, 2])
def test_a_new_link_there_is_one_here_however_many_there_were(over: Over, before: int) -> None:
    club, path, host, _ = over
    for _ in range(before):
        club.done(host, path, "renew-link")
    link = club.join_path(path)
    there = go_on(club, host, path)
    assert club.phone().get(link).location == club.join_path(there)
    club.done(host, there, "renew-link")
    assert club.phone().get(link).status_code == 200  # it leads past no new link
    back(club, host, there, path)
    assert club.phone().get(link).status_code == 404


def test_who_was_kept_out_there_does_not_come_by_the_notice_here(over: Over) -> None:
    club, path, host, phones = over
    there = go_on(club, host, path)
    club.done(host, there, "remove-seat", seat=str(club.table(there).seats[1].id))
    assert phones[1].get(f"{path}/next").location == club.join_path(there)
    club.done(host, there, "renew-link")
    assert phones[1].get(f"{path}/next").status_code == 403
    assert phones[0].get(f"{path}/next").location == there


def test_the_code_of_a_full_table_leads_to_where_they_play(club: Club) -> None:
    host = club.phone()
    path = club.open(host, game="trains")
    club.sit(path, [*NAMES, "Dora"])
    club.done(host, path, "start")
    club.done(host, path, "finish")
    there = go_on(club, host, path, game="saboteur")
    code = club.tables.code(path.removeprefix("/t/"))
    assert club.phone().post("/code", {"code": str(code)}).location == club.join_path(there)


def test_a_refusal_to_go_on_leads_back_to_where_it_was_asked(over: Over) -> None:
    """In the language that is read there; also by the page on privacy, which comes back to it."""
    club, path, host, _ = over
    host.post("/language", {"locale": "fi", "next": path})
    host.post("/language", {"locale": "lv", "next": f"{path}/screen"})
    club.done(host, path, "new-game")
    for screen, page, language in (("1", f"{path}/screen", "lv"), ("0", path, "fi")):
        refused = host.post(f"{path}/go-on", {"game": "trains", "screen": screen})
        assert refused.status_code == 409
        assert f'href="{page}"' in refused.text
        assert refused.headers["Content-Language"] == language
    assert host.get(f"{path}/go-on").location == path
    assert host.get(f"{path}/turn").location == path


def test_the_games_of_one_table_lead_to_those_of_the_other(over: Over) -> None:
    """Once one there is over, and for whoever was at both."""
    club, path, host, phones = over
    shown = re.compile(r'href="(/t/[^"]*/games[^"]*)"')
    assert shown.findall(phones[0].get(path).text) == []
    there = go_on(club, host, path)
    assert shown.findall(phones[0].get(path).text) == [f"{path}/games"]
    assert shown.findall(host.get(f"{path}/games").text) == []
    (late,) = club.sit(there, ["Dora"])
    club.done(host, there, "start")
    club.done(host, there, "finish")
    assert shown.findall(phones[0].get(f"{path}/games").text) == [f"{there}/games"]
    assert f"{there}/games" in shown.findall(phones[0].get(there).text)
    for phone, seen in ((phones[0], [f"{path}/games"]), (late, [])):
        assert shown.findall(phone.get(f"{there}/games").text) == seen
    assert shown.findall(host.get(f"{there}/games?screen=1").text) == [f"{path}/games?screen=1"]
    assert phones[0].get(f"{path}/games").status_code == 200
    assert late.get(f"{path}/games").status_code == 403
