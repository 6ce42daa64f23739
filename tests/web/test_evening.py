"""An evening by forms and reloading, from opening a table to another game."""

from __future__ import annotations

import re
from html import unescape
from itertools import islice

import pytest

from tests.kit import pages
from tests.kit.phone import moving_code


def test_a_whole_game(seated) -> None:
    club, host, path, phones = seated
    for phone in phones:
        assert phone.get(path).status_code == 200
    club.done(host, path, "start")
    for seat, phone in enumerate(phones, 1):
        assert phone.post(f"{path}/role", {"seat": seat}).status_code == 200
    assert club.table(path).round.begun

    for number in (1, 2, 3):
        if number > 1:
            club.done(host, path, "deal")
            club.done(host, path, "begin")
        ending = {"reached": "1", "finisher": "2"} if number < 3 else {"reached": "0", "last": "4"}
        club.done(phones[number], path, "play", play="result", **ending)
        for phone in phones:
            assert [*pages.seen(phone, path)] == [*pages.OF_PLAYERS.values()]
        assert [*pages.seen(host, path)] == [*pages.ALL.values()]

    standings = phones[4].get(path).text
    for name in ("Anna", "Berta", "Carl", "Dora", "Emil"):
        assert name in standings
    club.done(host, path, "new-game")
    assert club.table(path).game_state is not None
    assert not club.table(path).round.looked


def test_who_is_called_otherwise_has_one_name_on_the_page(seated) -> None:
    club, host, path, phones = seated
    for game in ("start", "new-game"):
        club.done(host, path, game)
        for number in (1, 2, 3):
            club.done(host, path, "begin")
            club.done(phones[1], path, "play", play="result", reached="1", finisher="1")
            if number < 3:
                club.done(host, path, "deal")
        club.done(host, path, "count")
    club.done(phones[0], path, "rename-seat", seat="1", name="Valerija")
    for page in (host.get(path), host.get(f"{path}/screen")):
        assert "Valerija" in page.text
        assert "Anna" not in page.text


def test_the_result_can_be_taken_back(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    club.done(host, path, "begin")
    club.done(phones[0], path, "play", play="result", reached="1", finisher="1")
    assert club.do(phones[0], path, "take-back").status_code == 403
    club.done(host, path, "take-back")
    told = '<p class="{}"><svg class="i" aria-hidden="true"><use href="#u-undo"/>'
    for page in (*(phone.get(path) for phone in phones), host.get(f"{path}/screen")):
        assert told.format("notice") in page.text
    club.done(phones[2], path, "play", play="result", reached="0", last="")
    for page in (*(phone.get(path) for phone in phones), host.get(f"{path}/screen")):
        assert told.format("muted formerly") in page.text


@pytest.mark.parametrize("way", ["roles", "referee"])
def test_every_end_that_was_taken_back_stays_in_sight_until_the_next_deal(seated, way) -> None:
    """Else a host could tell one end after the other, look at his gold each time, and be silent."""
    club, host, path, phones = seated
    club.done(host, path, "configure", way=way)
    club.done(host, path, "start")
    club.done(host, path, "begin")
    ends = [("1", "1", "Last path card: Anna"), ("1", "2", "Last path card: Berta")]
    for reached, finisher, _ in ends:
        club.done(host, path, "play", play="result", reached=reached, finisher=finisher)
        club.done(host, path, "take-back")
    club.done(host, path, "play", play="result", reached="0", last="3")

    def told(page) -> list[str]:
        text = re.sub(r"<[^>]+>", "", page.text)
        return re.findall(r"The host took back: (.*)", text)

    expected = [f"Treasure reached. {said}. Reported by the host" for _, _, said in ends]
    expected[-1] += ". The gold cards that were left have been shuffled again."
    english = [phone for phone in (*phones, host) if phone.language == "en"]
    for phone in english:
        assert told(phone.get(path)) == expected
    assert told(host.get(f"{path}/screen")) == expected
    club.done(host, path, "configure", way="roles")
    club.done(host, path, "deal")
    for phone in english:
        assert told(phone.get(path)) == []


@pytest.mark.parametrize("way", ["roles", "referee"])
def test_a_finished_game_that_was_taken_back_is_in_sight_after_the_deal(seated, way) -> None:
    """Else a host could finish it between two rounds, read everybody's gold, and deal on."""
    club, host, path, phones = seated
    club.done(host, path, "configure", way=way)
    club.done(host, path, "start")
    said = "The game was finished, and all the gold was shown"
    anew = ". The gold cards that were left have been shuffled again."

    def told() -> set[str]:
        """By everybody who reads English; by all the others as many lines."""
        pages = [*(phone.get(path) for phone in phones), host.get(path), host.get(f"{path}/screen")]
        assert len({page.text.count('href="#u-undo"/></svg><span><b>') for page in pages}) == 1
        texts = [re.sub(r"<[^>]+>", "", page.text) for page in pages[-3:]]
        return {"".join(re.findall(r"The host took back: (.*)", text)) for text in texts}

    for lines in (f"{said}{anew}", f"{said}{anew} × 2"):
        club.done(host, path, "begin")
        club.done(host, path, "play", play="result", reached="1", finisher="1")
        club.done(host, path, "finish")
        club.done(host, path, "take-back")
        assert told() == {lines}
        club.done(host, path, "deal")
        assert told() == {lines}
    club.done(host, path, "finish")
    club.done(host, path, "new-game")
    assert told() == {""}


def test_an_end_that_was_taken_back_often_is_one_line(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    club.done(host, path, "begin")
    for finisher in ("1", "2", "1", "1"):
        club.done(host, path, "play", play="result", reached="1", finisher=finisher)
        club.done(host, path, "take-back")
    text = re.sub(r"<[^>]+>", "", phones[4].get(path).text)
    said = "The host took back: Treasure reached. Last path card:"
    by, anew = "Reported by the host", "The gold cards that were left have been shuffled again."
    lines = [f"{said} Anna. {by} × 3", f"{said} Berta. {by}. {anew}"]
    assert re.findall(r"The host took back.*", text) == lines


def end_of_a_round(club, path, phones, way) -> None:
    """The seven tunnel cards of the middle row and the treasure behind them, or a word."""
    if way == "roles":
        club.done(phones[2], path, "play", play="result", reached="1", finisher="2")
        return
    for x in range(1, 8):
        card = "NESW" if x < 6 else "EW"
        club.done(phones[(x - 1) % 5], path, "play", play="path", card=card, at=f"{x},0")
    turned(club, path, phones)


def turned(club, path, phones) -> None:
    """By who reached the goal."""
    club.done(phones[1], path, "play", play="reveal", goal="middle", card="treasure")


@pytest.mark.parametrize(("way", "other"), [("referee", "roles"), ("roles", "referee")])
def test_the_result_is_taken_back_after_another_way_was_chosen(seated, way, other) -> None:
    """The other way is for the next deal; a round that is taken up again goes on as it began."""
    club, host, path, phones = seated
    club.done(host, path, "configure", way=way)
    club.done(host, path, "start")
    club.done(host, path, "begin")
    end_of_a_round(club, path, phones, way)
    before = club.table(path)
    club.done(host, path, "configure", way=other)
    said = "The report is wrong" if way == "roles" else "Undo the last play"
    for page in ("", "/screen"):
        assert said in host.get(path + page).text
    asked = "Kui kirja läks valesti, saab mängujuht sissekande tagasi võtta."
    assert asked in phones[0].get(path).text
    assert 'id="wrong" class="part"></div>' in phones[0].get(f"{path}/screen").text
    club.done(host, path, "take-back")
    assert club.table(path).way == way
    for phone in (host, *phones):
        assert pages.seen(phone, path).keys() >= {*pages.OF_PLAYERS.values()}
    if way == "roles":
        end_of_a_round(club, path, phones, way)
    else:
        turned(club, path, phones)
    assert club.table(path).game_state.past == before.game_state.past
    club.done(host, path, "configure", way=other)
    club.done(host, path, "deal")
    assert club.table(path).way == other


def test_scanning_again_leads_back_to_the_seat(seated) -> None:
    club, _, path, phones = seated
    again = phones[1].get(club.join_path(path))
    assert (again.status_code, again.location) == (303, path)
    home = phones[1].get("/")
    assert f'href="{path}"' in home.text


def test_the_name_is_remembered(seated) -> None:
    club, _, _, phones = seated
    other = club.open(club.phone(), key="other")
    assert 'value="Anna"' in phones[0].get(club.join_path(other)).text


def test_the_laptop_goes_back_to_its_screen(club) -> None:
    laptop = club.phone()
    assert laptop.get("/screen").location == "/?screen=1"
    path = club.open(laptop, screen="1")
    assert path.endswith("/screen")
    assert laptop.get("/screen").location == path


def test_a_television_needs_no_seat(seated) -> None:
    club, host, path, _ = seated
    television = club.phone()
    assert television.get(f"{path}/screen").status_code == 403
    shown = television.get(f"{club.join_path(path)}/screen")
    assert shown.status_code == 200
    assert f"{club.join_path(path)}/live" in shown.text
    club.done(host, path, "start")
    assert television.get(f"{club.join_path(path)}/screen").status_code == 200


def test_a_shared_phone(club) -> None:
    host = club.phone()
    path = club.open(host)
    for name in ("Anna", "Berta"):
        club.done(host, path, "add-seat", name=name)
    guest = club.sit(path, ["Carl"])[0]
    club.done(guest, path, "join", name="Dora")
    held = {seat.name: seat for seat in club.table(path).seats}
    assert held["Anna"].device == held["Berta"].device != held["Carl"].device
    assert held["Carl"].device == held["Dora"].device
    assert "Dora" in guest.get(f"{path}?seat={held['Dora'].id}").text
    club.done(host, path, "start")
    assert guest.post(f"{path}/role", {"seat": held["Dora"].id}).status_code == 200
    assert guest.post(f"{path}/role", {"seat": held["Anna"].id}).status_code == 403
    assert guest.post(f"{path}/role").status_code == 403  # which of the two?


@pytest.mark.parametrize("game", ["saboteur", "trains"])
def test_without_script_the_page_is_not_loaded_anew_under_the_name_of_a_host(
    club, game: str
) -> None:
    """All others show who has come."""
    host = club.phone()
    path = club.open(host, game=game)

    def reloads(phone, page: str) -> bool:
        shown = phone.get(page).text
        assert ">Reload</a>" in shown
        return '<meta http-equiv="refresh"' in shown

    screens = ((host, f"{path}/screen"), (club.phone(), f"{club.join_path(path)}/screen"))
    (guest,) = club.sit(path, ["Berta"])
    assert 'name="name"' in host.get(path).text
    assert not reloads(host, path)
    assert all(reloads(*each) for each in ((guest, path), *screens))
    club.done(host, path, "join", name="Anna")
    assert all(reloads(*each) for each in ((host, path), (guest, path), *screens))


def test_a_laptop_passes_the_hosting_on_and_stays_the_table_screen(club) -> None:
    host = club.phone()
    path = club.open(host)
    anna, berta, _ = club.sit(path, ["Anna", "Berta", "Carl"])
    page = f"{path}/host?screen=1"
    assert "Pass the hosting on" in host.get(page).text
    passed = club.do(host, path, "pass-hosting", seat=1, page=page, next=f"{path}/screen")
    assert passed.location == f"{path}/screen"
    assert "is now the host" in berta.get(path).text
    assert host.get(f"{path}/screen").status_code == 200
    assert "/do/start" not in host.get(f"{path}/screen").text
    club.done(anna, path, "start")
    club.done(anna, path, "pass-hosting", seat=2, page=f"{path}/host")
    assert anna.get(f"{path}/host").location == path
    assert berta.get(f"{path}/host").status_code == 200


def test_who_hosted_and_left_does_not_get_the_table_back(clubs) -> None:
    """The laptop that has never had a seat does: it is the screen."""
    club = clubs()
    olga = club.phone()
    path = club.open(olga)
    club.done(olga, path, "join", name="Olga")
    anna, *_ = club.sit(path, ["Anna", "Berta", "Carl"])
    club.clock.now += 4000
    club.done(anna, path, "take-hosting")
    assert path in olga.get("/").text
    club.done(olga, path, "remove-seat", seat=1)
    again = clubs(after=club)
    device = olga.client.get_cookie("device")
    back = again.phone()
    back.client.set_cookie("device", device.value)
    assert path not in back.get("/").text
    assert back.get("/screen").location == "/?screen=1"


def test_who_hosted_and_whose_seat_another_had_at_its_end_does_not_either(clubs) -> None:
    club = clubs()
    olga, dora = club.phone(), club.phone()
    path = club.open(olga)
    club.done(olga, path, "join", name="Olga")
    anna, *_ = club.sit(path, ["Anna", "Berta", "Carl"])
    club.clock.now += 4000
    club.done(anna, path, "take-hosting")
    club.done(anna, path, "free-seat", seat=1)
    assert dora.post(club.join_path(path), {"claim": "1", "key": "k"}).status_code == 303
    club.done(anna, path, "remove-seat", seat=1)
    club.done(anna, path, "start")
    back = clubs(after=club).phone()
    back.client.set_cookie("device", olga.client.get_cookie("device").value)
    assert path not in back.get("/").text


def test_the_page_of_a_seat_that_moves_becomes_nobody_elses(club) -> None:
    """Of several on one phone: else a finger on its way would take another one's name out."""
    phone = club.phone()
    path = club.open(phone)
    for name in ("Anna", "Berta", "Carl"):
        club.done(phone, path, "join", name=name)
    stream = phone.get(f"{path}/live?page=myseat&seat=2")
    pieces = iter(stream.response)
    next(pieces)
    table = club.table(path)
    offer = club.tables.seat_offers.offer(table.id, table.host, table.seats[1].id)
    assert club.phone().post(f"/m/{offer.key}", {"key": "take"}).status_code == 303
    news = next(piece for piece in pieces if MOVED.encode() in piece)
    assert b"danger" not in news
    stream.close()


def moves_away(club, path, seat: int) -> None:
    """To a phone that was not at the table."""
    table = club.table(path)
    phone = next(each.device for each in table.seats if each.id == seat)
    offer = club.tables.seat_offers.offer(table.id, phone, seat)
    assert club.phone().post(f"/m/{offer.key}", {"key": "take"}).status_code == 303


@pytest.mark.parametrize("others", [1, 2])
@pytest.mark.parametrize("gone", ["moved", "removed"])
def test_the_page_of_a_seat_that_has_gone_becomes_nobody_elses(
    club, others: int, gone: str
) -> None:
    """Also where it is loaded anew, its stream begins once more, or a form of it is late."""
    phone = club.phone()
    path = club.open(phone)
    for name in ("Anna", "Berta", "Carl")[: 1 + others]:
        club.done(phone, path, "join", name=name)
    page = f"{path}/seat?seat=2"
    live = f"{path}/live?page=myseat&seat=2"
    stream = phone.get(live)
    pieces = iter(stream.response)
    next(pieces)
    if gone == "moved":
        moves_away(club, path, 2)
    else:
        club.done(phone, path, "remove-seat", seat=2)
    said = MOVED if gone == "moved" else "This seat is no longer at the table"
    news = next(piece for piece in islice(pieces, 20) if said.encode() in piece)
    assert b"danger" not in news
    stream.close()
    late = club.do(phone, path, "take-name-out", seat=2, page=page)
    for again in (phone.get(page), late):
        assert said in again.text
        assert "danger" not in again.text
    assert live.replace("&", "&amp;") in phone.get(page).text


def test_the_page_of_the_first_seat_becomes_nobody_elses(club) -> None:
    """Where its address named none."""
    phone = club.phone()
    path = club.open(phone)
    for name in ("Anna", "Berta"):
        club.done(phone, path, "join", name=name)
    (live,) = re.findall(r'data-stream="([^"]*)"', phone.get(f"{path}/seat").text)
    stream = phone.get(unescape(live))
    pieces = iter(stream.response)
    next(pieces)
    moves_away(club, path, 1)
    news = next(piece for piece in islice(pieces, 20) if MOVED.encode() in piece)
    assert b"danger" not in news
    stream.close()


def test_a_phone_whose_player_took_the_seat_along_is_handed_on(club) -> None:
    """Else its page would be another one's role, in the hand that it was given into."""
    phone = club.phone()
    path = club.open(phone, way="roles")
    for name in ("Anna", "Berta"):
        club.done(phone, path, "join", name=name)
    club.sit(path, ["Carl"])
    club.done(phone, path, "start")
    page = f"{path}?seat=2&dealt=0.1"
    assert "data-hold" in phone.get(page).text
    stream = phone.get(f"{path}/live?page=seat&seat=2&dealt=0.1")
    pieces = iter(stream.response)
    next(pieces)
    moves_away(club, path, 2)
    news = next(piece for piece in islice(pieces, 20) if b"Hand the phone to" in piece)
    assert b"data-hold" not in news
    stream.close()
    moved = phone.get(f"{path}/seat?seat=2").text
    (back,) = re.findall(r'<a class="btn main" href="([^"]*)"', moved)
    for again in (phone.get(page).text, phone.get(back).text):
        assert "Hand the phone to" in again
        assert "data-hold" not in again
    assert "data-hold" in phone.get(f"{path}?seat=1&dealt=0.1").text


def test_a_phone_handed_to_the_wrong_player_goes_back(club) -> None:
    """By a link: else only the browser's own button leads away from another one's card."""
    shared = club.phone()
    path = club.open(shared, way="roles")
    for name in ("Anna", "Berta"):
        club.done(shared, path, "join", name=name)
    (alone,) = club.sit(path, ["Carl"])
    club.done(shared, path, "start")
    back = f'href="{path}">Back</a>'
    for seat in (1, 2):
        page = shared.get(f"{path}?seat={seat}&dealt=0.1").text
        assert "data-hold" in page
        assert back in page
    assert "Hand the phone to" in shared.get(path).text
    page = alone.get(path).text
    assert "data-hold" in page
    assert back not in page


def test_a_shared_phone_is_handed_on_before_the_host_waits_for_nobody(club) -> None:
    """Who taps first what stands first would start a round in which nobody knows their role."""
    host = club.phone()
    path = club.open(host, way="roles")
    for name in ("Anna", "Berta", "Carl"):
        club.done(host, path, "add-seat", name=name)
    club.done(host, path, "start")
    page = host.get(path).text
    assert page.rindex("Hand the phone to") < page.index("Go on without waiting")


def test_the_host_reads_why_no_seat_can_be_added(club) -> None:
    host = club.phone()
    path = club.open(host, game="trains")
    said = "At most 4 players can play"
    for name in ("Anna", "Berta", "Carl", "Dora"):
        page = host.get(f"{path}/host").text
        assert "Add the seat" in page
        assert said not in page
        club.done(host, path, "add-seat", name=name)
    page = host.get(f"{path}/host").text
    assert "Add the seat" not in page
    assert said in page


def test_a_television_has_no_seat_that_is_kept(seated) -> None:
    club, host, path, phones = seated
    kept = "Your seat is kept."
    assert kept in phones[4].get(path).text
    screens = ((host, f"{path}/screen"), (club.phone(), f"{club.join_path(path)}/screen"))
    for phone, screen in screens:
        page = phone.get(screen).text
        assert "Trying again." in page
        assert kept not in page


MOVED = "Your seat was moved to another phone"


def test_my_seat_is_the_first_one_where_its_address_names_none(seated) -> None:
    club, _, path, phones = seated
    page, said = f"{path}/seat", {"Accept-Language": "en"}
    club.done(phones[1], path, "join", name="Kid", page=page, next=path)
    back = phones[1].get(page, **said).text
    assert 'name="seat" value="2"' in back
    assert MOVED not in back
    shown = club.do(phones[1], path, "offer-move", seat="2")
    club.phone().post(f"/m/{moving_code(phones[1].get(shown.location, **said).text)}")
    assert 'name="seat" value="6"' in phones[1].get(page, **said).text


@pytest.mark.parametrize("kid", [False, True])
def test_who_gives_up_a_seat_goes_to_the_table(club, kid: bool) -> None:
    host = club.phone()
    path = club.open(host)
    page = f"{path}/seat"
    for name in ("Anna", "Kid")[: 1 + kid]:
        club.done(host, path, "join", name=name)
    assert club.do(host, path, "remove-seat", seat="1", page=page).location == path
    assert MOVED not in host.get(page).text


def test_a_host_whose_seat_was_moved_is_told_so(club) -> None:
    host = club.phone()
    path = club.open(host)
    club.done(host, path, "join", name="Anna")
    page = host.get(club.do(host, path, "offer-move", seat="1").location).text
    club.phone().post(f"/m/{moving_code(page)}")
    assert MOVED in host.get(f"{path}/seat").text


def test_the_seats_are_ordered_without_script(seated) -> None:
    club, host, path, _ = seated
    club.done(host, path, "order-seats", order="1,3,2,4,5")
    assert [seat.id for seat in club.table(path).seats] == [1, 3, 2, 4, 5]
    club.done(host, path, "order-seats", order="5,4,3,2,1")
    assert [seat.id for seat in club.table(path).seats] == [5, 4, 3, 2, 1]
    club.done(host, path, "remove-seat", seat="5")
    assert [seat.id for seat in club.table(path).seats] == [4, 3, 2, 1]


def test_leaving(seated) -> None:
    club, _, path, phones = seated
    left = club.do(phones[0], path, "remove-seat", seat="1", next="/")
    assert (left.status_code, left.location) == (303, "/?done=left")
    said = {"Accept-Language": "en"}
    assert "You have left the table." in phones[0].get(left.location, **said).text
    assert "You have left the table." not in phones[0].get("/", **said).text
    gone = phones[0].get(path, **{"Accept-Language": "en"})
    assert gone.status_code == 403
    assert "has no seat at this table" in gone.text


def test_who_left_the_table_and_sends_that_again_is_told_that_it_is_done(seated) -> None:
    """The answer was lost; another form is refused all the same."""
    club, _, path, phones = seated
    form = {"version": str(club.table(path).version), "seat": "1", "next": "/"}
    for key in ("tap", "tap"):
        answer = phones[0].post(f"{path}/do/remove-seat", {"key": key, **form})
        assert (answer.status_code, answer.location) == (303, "/?done=left")
    assert phones[0].post(f"{path}/do/remove-seat", {"key": "other", **form}).status_code == 403


def test_who_left_and_joins_from_an_older_page_gets_a_new_form(seated) -> None:
    """Of two tabs: the key of their forms is the same, and was used up by the first one."""
    club, _, path, _ = seated
    guest, join = club.phone(), club.join_path(path)

    def form_of(page: str) -> dict[str, str]:
        found = re.search(r'name="key" value="([^"]+-join)"', page)
        assert found is not None
        return {"name": "Frida", "key": found[1]}

    form = form_of(guest.get(join).text)
    assert guest.post(join, form).location == path
    club.done(guest, path, "remove-seat", seat="6")
    again = guest.post(join, form)
    assert again.status_code == 200
    assert 'value="Frida"' in again.text
    assert guest.post(join, form_of(again.text)).location == path
    assert [seat.name for seat in club.table(path).seats][5:] == ["Frida"]


def test_the_end_of_a_table(seated) -> None:
    club, host, path, phones = seated
    join = club.join_path(path)
    club.done(phones[0], path, "offer-move", seat="1")
    assert club.do(phones[0], path, "end").status_code == 403
    ended = club.do(host, path, "end")
    assert (ended.status_code, ended.location) == (303, "/?done=closed")
    assert "The table is closed and deleted." in host.get(ended.location).text
    for answer in (phones[0].get(path), host.get(path), club.phone().get(join)):
        assert answer.status_code == 404
    here = club.app.extensions["companion"]
    assert not here.shown_offers._shown
    assert not here.arrivals.at_tables
    assert not here.moments._of


def test_a_seat_moves_to_another_phone(seated) -> None:
    club, _, path, phones = seated
    shown = club.do(phones[1], path, "offer-move", seat="2")
    page = phones[1].get(shown.location).text
    code = moving_code(page)
    new = club.phone("fi")
    leads = new.post("/code", {"code": f" {code[:4].lower()}-{code[4:]} "})
    assert leads.status_code == 303
    assert "Berta" in new.get(leads.location).text
    taken = new.post(leads.location, {"key": "k"})
    assert (taken.status_code, taken.location) == (303, f"{path}?seat=2")
    assert "Berta" in new.get(path).text
    old = phones[1].get(path, **{"Accept-Language": "en"})
    assert old.status_code == 403
    assert "on another phone now" in old.text
    assert new.post(leads.location, {"key": "k"}).status_code == 303  # a double tap
    assert club.phone().post(leads.location, {"key": "k"}).status_code == 404


def test_a_freed_seat_is_claimed_during_a_game(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    guest, join = club.phone(), club.join_path(path)
    assert guest.post(join, {"claim": "3", "key": "k"}).status_code == 409
    assert phones[2].get(path).status_code == 200
    club.done(host, path, "free-seat", seat="3")
    freed = phones[2].get(path, **{"Accept-Language": "en"})
    assert freed.status_code == 403
    assert "has freed your seat" in freed.text
    assert "or type the table’s code on the home page" in freed.text
    assert "Carl" in guest.get(join).text
    assert guest.post(join, {"claim": "3", "key": "k"}).status_code == 303
    assert "on another phone now" in phones[2].get(path, **{"Accept-Language": "en"}).text
    assert guest.post(f"{path}/role", {"seat": "3"}).status_code == 200


def test_the_hosts_page_leads_back_to_where_it_was_opened(seated) -> None:
    """On a phone without a seat to the field for a name; the laptop is the table's screen."""
    club, _, _, _ = seated
    host = club.phone()
    path = club.open(host, key="another")
    for page, home in ((path, path), (f"{path}/screen", f"{path}/screen")):
        (address,) = set(re.findall(rf'href="({path}/host[^"#]*)', host.get(page).text))
        shown = host.get(address).text
        assert f'class="btn main" href="{home}"' in shown
        form = {"page": address, "wifi_name": "Home", "wifi_password": "secret"}
        refused = club.do(host, path, "set-wifi", **form)
        assert f'class="btn main" href="{home}"' in refused.text
        assert club.do(host, path, "add-seat", name=f"N{len(home)}", page=address).location == (
            address
        )
        for seat in club.table(path).held(club.table(path).host):
            club.done(host, path, "remove-seat", seat=seat.id)
    assert 'name="name"' in host.get(path).text


def test_a_lost_host_is_replaced(seated) -> None:
    club, host, path, phones = seated
    host.get(path)
    assert club.do(phones[3], path, "take-hosting").status_code == 409
    club.clock.now += 121
    assert "take-hosting" in phones[3].get(path).text
    club.done(phones[3], path, "take-hosting")
    assert phones[3].get(f"{path}/host").status_code == 200
    assert "was here a moment ago" in club.do(phones[-1], path, "take-hosting").text
    assert club.do(phones[3], path, "start").status_code == 303


def test_of_two_who_become_the_host_at_once_one_is_it(seated, monkeypatch) -> None:
    club, _, path, phones = seated
    club.clock.now += 121
    faster = club.table(path).seats[0].device
    submit = club.tables.submit

    def overtaken(table_id, device, command, **more):
        submit(table_id, faster, command, version=None, request_key="faster")
        return submit(table_id, device, command, **more)

    monkeypatch.setattr(club.tables, "submit", overtaken)
    assert club.do(phones[3], path, "take-hosting").status_code == 409
    assert [each.get(f"{path}/host").status_code for each in (phones[0], phones[3])] == [200, 403]


def test_the_table_screen_asks_how_they_sit_and_who_starts(seated) -> None:
    """The gold goes round by the seats, and people scan in any order."""
    club, host, path, phones = seated
    lobby = host.get(f"{path}/screen").text
    assert "Are you sitting in this order, clockwise?" in lobby
    assert f'href="{path}/host?screen=1"' in lobby
    assert '<option value="3">Carl</option>' in lobby
    for other in phones:
        assert 'name="starter"' not in other.get(f"{path}/screen").text
    club.done(host, path, "start", starter="3")
    assert club.table(path).players[club.table(path).game_state.starter].name == "Carl"


def test_a_host_s_page_that_the_table_screen_opened_speaks_of_no_phone(seated) -> None:
    club, host, path, _ = seated
    club.done(host, path, "free-seat", seat="2")

    def said(address: str) -> list[str]:
        page = host.get(address).text
        seats = page[page.index('id="host-seats"') : page.index('id="host-people"')]
        return re.findall(r"on this (?:phone|device)", seats)

    club.done(host, path, "add-seat", name="Fred")
    assert said(f"{path}/host") == ["on this phone"] * 3
    assert said(f"{path}/host?screen=1") == ["on this device"] * 3


def test_a_shared_phone_asks_at_every_deal_who_holds_it(seated) -> None:
    """Else whoever looks first at a new deal holds the card of who looked last."""
    club, host, path, phones = seated
    shared = phones[4]
    assert shared.post(club.join_path(path), {"name": "Granny", "key": "g"}).status_code == 303
    club.done(host, path, "start")
    held = {seat.name: seat.id for seat in club.table(path).held(device_of(club, path, "Granny"))}

    def offered(address: str) -> list[str]:
        page = shared.get(address).text
        found = re.findall(LINK, page)
        assert ("data-pad" in page) is not bool(found)
        return [each.replace("&amp;", "&") for each in found]

    for address in (path, f"{path}?seat={held['Granny']}"):
        links = offered(address)
        assert [link.partition("&")[0] for link in links] == [
            f"{path}?seat={held[name]}" for name in ("Emil", "Granny")
        ]
    assert offered(links[1]) == []
    shared.post(f"{path}/role", {"seat": held["Granny"]})
    club.done(host, path, "begin")
    club.done(host, path, "play", play="result", seat="1", reached="1", finisher="2")
    club.done(host, path, "deal")
    assert len(offered(links[1])) == 2


LINK = r'class="choice" href="([^"]+)"'


def device_of(club, path: str, name: str) -> str:
    return next(seat.device for seat in club.table(path).seats if seat.name == name)


def test_a_laptop_that_was_the_host_stays_the_table_screen(seated) -> None:
    """It slept, a phone became the host, and it comes back: a laptop cannot scan anything."""
    club, host, path, phones = seated
    host.get(f"{path}/screen")
    club.clock.now += 121
    club.done(phones[3], path, "take-hosting")
    back = host.get(path)
    assert (back.status_code, back.location) == (303, f"{path}/screen")
    for step in ("start", "begin"):
        screen = host.get(f"{path}/screen")
        assert screen.status_code == 200
        assert f"{path}/do/" not in screen.text
        club.done(phones[3], path, step)
    assert host.get(f"{path}/live?page=screen").status_code == 200
    for page in ("/host", "/host?screen=1", "/seat", "/qr", "/report"):
        back = host.get(f"{path}{page}")
        assert (back.status_code, back.location) == (303, f"{path}/screen"), page
    assert club.do(host, path, "deal").status_code == 403
    phones[3].post(f"{path}/do/leave", {"key": "k"})
    assert club.phone().get(f"{path}/screen").status_code == 403


def test_who_hosts_no_more_comes_from_the_host_s_page_to_the_table(seated) -> None:
    """Where the page was left open, and is loaded anew."""
    club, host, path, phones = seated
    club.done(host, path, "join", name="Laura")
    club.clock.now += 121
    club.done(phones[3], path, "take-hosting")
    for query, where in (("", path), ("?screen=1", f"{path}/screen")):
        back = host.get(f"{path}/host{query}")
        assert (back.status_code, back.location) == (303, where)
        assert host.get(where).status_code == 200
    assert phones[0].get(f"{path}/host").status_code == 403


def test_a_laptop_that_leaves_or_closes_its_table_stays_a_table_screen(club) -> None:
    """By the lamp, or the last button of the host's page."""
    laptop = club.phone()
    screen = club.open(laptop, screen="1")
    path = screen.removesuffix("/screen")
    for page in (screen, f"{path}/host?screen=1"):
        (home,) = re.findall(r'class="mark" href="([^"]*)"', laptop.get(page).text)
        assert home == "/?screen=1"
        assert f'class="choice" href="{screen}"' in laptop.get(home).text
    television = club.phone().get(f"{club.join_path(path)}/screen").text
    for page in (television, laptop.get(path).text, laptop.get("/?screen=1").text):
        assert 'class="mark" href="/"' in page
    form = {"page": f"{path}/host?screen=1", "version": club.table(path).version, "key": "end"}
    for _ in range(2):
        ended = laptop.post(f"{path}/do/end", form)
        assert (ended.status_code, ended.location) == (303, "/?screen=1&done=closed")
    page = laptop.get(ended.location).text
    assert "The table is closed and deleted." in page
    assert 'name="screen" value="1"' in page


def test_a_phone_that_shows_the_table_screen_stays_a_phone(club) -> None:
    phone = club.phone()
    path = club.open(phone)
    club.done(phone, path, "join", name="Anna")
    assert 'class="mark" href="/"' in phone.get(f"{path}/screen").text


def test_the_host_s_laptop_stays_the_host_s_by_a_screen_s_code(seated) -> None:
    """Also when a phone hosts by now: it is at the table, and no stranger."""
    club, host, path, phones = seated
    for taken in (False, True):
        if taken:
            club.clock.now += 121
            club.done(phones[3], path, "take-hosting")
        club.done(phones[0], path, "offer-screen", page=f"{path}/qr")
        code = re.findall(r'class="num code"[^>]*>(\w{8})<', phones[0].get(f"{path}/qr").text)[-1]
        lent = host.post("/code", {"code": code, "screen": "1"}).location
        screen = host.get(lent)
        assert (screen.status_code, screen.location) == (303, f"{path}/screen")
    assert club.phone().get(lent).status_code == 200


def test_a_host_is_asked_for_a_name_while_there_is_room(club) -> None:
    host = club.phone()
    path = club.open(host, game="trains")
    asked = "To play too, enter your name"
    club.sit(path, ["Anna", "Berta", "Carl"])
    assert asked in host.get(path).text
    club.sit(path, ["Dora"])
    assert asked not in host.get(path).text


@pytest.mark.parametrize("gone", ["freed", "moved"])
def test_after_a_restart_a_phone_that_was_the_host_is_no_table_screen(clubs, gone: str) -> None:
    """It has lost the seat that it had in the game which is on."""
    club = clubs()
    olga = club.phone()
    path = club.open(olga)
    club.done(olga, path, "join", name="Olga")
    anna, *_ = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(olga, path, "start")
    club.done(olga, path, "begin")
    club.clock.now += 4000
    club.done(anna, path, "take-hosting")
    if gone == "freed":
        club.done(anna, path, "free-seat", seat=1)
    else:
        moves_away(club, path, 1)
    again = clubs(after=club)
    back = again.phone()
    back.client.set_cookie("device", olga.client.get_cookie("device").value)
    assert back.get(path).status_code == 403
    assert path not in back.get("/").text
    assert back.get("/screen").location == "/?screen=1"


def test_who_has_gone_to_another_page_is_told_that_the_others_wait(seated) -> None:
    """A friend scans the code from it, or it was to be moved, when the round is dealt."""
    club, host, path, phones = seated
    waits = "Your role has been dealt. The others are waiting until you have looked at it."
    emil = phones[4]
    pages = (emil, f"{path}/qr"), (emil, f"{path}/seat"), (host, f"{path}/host")
    assert not any(waits in phone.get(page).text for phone, page in pages)
    club.done(host, path, "start")
    assert [waits in phone.get(page).text for phone, page in pages] == [True, True, False]
    assert emil.post(f"{path}/role", {"seat": 5}).status_code == 200
    assert not any(waits in phone.get(page).text for phone, page in pages)


def waited_for(phone, path: str) -> str:
    """What pages beside the table say that it waits for."""
    pages = [phone.get(f"{path}/{name}") for name in ("qr", "seat", "wanted")]
    found = {
        text[0] if (text := re.findall(r'class="stack grow"><p>(.*?)</p>', page.text)) else ""
        for page in pages
    }
    (said,) = found
    return re.sub("<[^>]*>", "", said)


@pytest.mark.parametrize(("game", "way"), [("saboteur", "referee"), ("trains", "light")])
def test_who_reads_beside_the_table_is_told_that_it_is_their_turn(
    club, game: str, way: str
) -> None:
    host = club.phone()
    path = club.open(host, game=game)
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "configure", way=way)
    club.done(host, path, "start", starter=2)
    for seat, phone in enumerate(phones, 1):
        phone.post(f"{path}/role", {"seat": str(seat)})
    assert [waited_for(phone, path) for phone in phones] == ["", "Your turn", ""]
    club.done(phones[1], path, "play", play="pass" if way == "referee" else "next", seat=2)
    assert [waited_for(phone, path) for phone in phones] == ["", "", "Your turn"]


def test_on_a_phone_of_several_it_is_said_whose_turn_it_is(club) -> None:
    host = club.phone()
    path = club.open(host, game="trains")
    club.done(host, path, "configure", way="light")
    for name in ("Anna", "Berta", "Carl"):
        club.done(host, path, "add-seat", name=name)
    club.done(host, path, "start", starter=2)
    assert waited_for(host, path) == "Turn: Berta"


def test_a_phone_that_was_the_host_is_told_that_its_seat_was_freed(seated) -> None:
    """It is no table screen: somebody holds it in their hand."""
    club, host, path, phones = seated
    club.done(host, path, "join", name="Laura")
    host.get(path)
    club.clock.now += 121
    club.done(phones[3], path, "take-hosting")
    seat = next(each.id for each in club.table(path).seats if each.name == "Laura")
    club.done(phones[3], path, "free-seat", seat=str(seat))
    told = host.get(path)
    assert told.status_code == 403
    assert "Your seat has been freed" in told.text
    club.done(phones[3], path, "remove-seat", seat=str(seat))
    told = host.get(path)
    assert told.status_code == 403
    assert "You are not at this table" in told.text


def test_the_wifi_of_the_room(seated) -> None:
    club, host, path, phones = seated
    before = phones[0].get(f"{path}/qr").text.count("<path")
    club.done(host, path, "set-wifi", wifi_name="Kelder", wifi_password="salajane;1")
    assert phones[0].get(f"{path}/qr").text.count("<path") > before
    club.done(host, path, "clear-wifi")
    assert "Kelder" not in phones[0].get(f"{path}/qr").text


def test_on_a_shared_phone_the_button_says_whose_gold_it_shows(seated) -> None:
    club, host, path, phones = seated
    shared = phones[4]
    shared.post(club.join_path(path), {"name": "Granny", "key": "g"})
    club.done(host, path, "start")
    club.done(host, path, "begin")
    club.done(host, path, "play", play="result", seat="1", reached="1", finisher="2")
    for seat in club.table(path).held(device_of(club, path, "Granny")):
        page = shared.get(f"{path}?seat={seat.id}").text
        held = '<button class="btn main holdbtn"' in page
        whose = f'<small class="whose"><bdi translate="no">{seat.name}</bdi></small>'
        assert (whose in page) is held
    assert 'class="whose"' not in phones[0].get(path).text


def test_who_hosts_is_led_from_the_lobby_to_what_the_table_plays_by(seated) -> None:
    """That plays can be judged, too, is said there."""
    _, host, path, phones = seated
    way = f'href="{path}/host#host-rules"'
    assert way in host.get(path).text
    assert 'id="host-rules"' in host.get(f"{path}/host").text
    assert way not in phones[0].get(path).text


def test_a_table_screen_whose_table_is_closed_leads_to_the_next_one(club) -> None:
    """What is opened from there is a table screen again, whichever device has closed the table."""
    laptop, phone = club.phone(), club.phone()
    path = club.open(laptop)
    club.sit(path, ["Anna"])
    there = iter(laptop.get(f"{path}/live?page=screen").response)
    next(there)
    club.done(laptop, path, "end")
    for said in (laptop.get(f"{path}/screen").text, b"".join(there).decode().replace('\\"', '"')):
        assert "Go to the home page" in said
        assert set(re.findall(r'href="(/[?\w=]*)"', said)) - {"/privacy"} == {"/?screen=1"}
    assert 'href="/"' in phone.get(path).text


@pytest.mark.parametrize("role", ["saboteur", "miner"])
def test_why_whoever_reached_the_treasure_gets_no_gold(seated, role: str) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    club.look(path, phones)
    table = club.table(path)
    seat = table.players[table.game_state.now.roles.index(role)].id
    club.done(phones[0], path, "play", play="result", reached="1", finisher=str(seat))
    said = "A saboteur gets no gold: the next gold digger anticlockwise gets the first card."
    for page in (path, f"{path}/screen"):
        assert (said in host.get(page).text) == (role == "saboteur")


def test_on_a_phone_of_several_a_role_is_seen_again_while_others_have_not_looked(club) -> None:
    """And nobody's who has not looked."""
    host = club.phone()
    path = club.open(host, way="roles")
    for name in ("Anna", "Berta"):
        club.done(host, path, "add-seat", name=name)
    club.sit(path, ["Carl"])
    club.done(host, path, "start")
    club.done(host, path, "look", seat=1)

    def pad(seat: int) -> bool:
        return f'id="role-{seat}"' in host.get(f"{path}?seat={seat}").text

    assert pad(1)
    assert not pad(2)


def test_a_seat_that_somebody_else_has_taken_is_not_the_fault_of_the_name(seated) -> None:
    """The name that the phone remembers stays, too."""
    club, host, path, _ = seated
    club.done(host, path, "start")
    club.done(host, path, "free-seat", seat="3")
    join = club.join_path(path)
    assert club.phone().post(join, {"claim": "3", "key": "k"}).status_code == 303
    late = club.phone()
    late.client.set_cookie("name", "Zed")
    page = late.post(join, {"claim": "3", "key": "k"}).text
    assert 'id="refusal"' in page
    assert 'value="Zed"' in page
    field = re.search(r'<input id="name"[^>]*>', page)
    assert field is not None
    assert "aria-invalid" not in field[0]
    empty = re.search(r'<input id="name"[^>]*>', late.post(join, {"name": " ", "key": "e"}).text)
    assert empty is not None
    assert 'aria-invalid="true"' in empty[0]


def test_without_a_script_what_answers_a_form_is_loaded_anew_where_it_was(club) -> None:
    host = club.phone()
    path = club.open(host)
    screen = f"{path}/screen"
    answer = host.post(f"{path}/do/start", {"version": "1", "key": "s", "page": screen})
    assert answer.status_code == 409
    assert f'<meta http-equiv="refresh" content="10;url={screen}">' in answer.text
    assert '<meta http-equiv="refresh" content="10">' in host.get(screen).text
