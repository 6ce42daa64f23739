"""A seat that went to another phone and came back: it stays told, who freed it, and who took it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.kit.phone import Phone, moving_code
from tests.web.conftest import Club


def words(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", text))


def test_a_seat_that_was_looked_into_and_given_back(club: Club) -> None:
    """By a host with a second phone, in ten seconds: the others read it until the next deal."""
    host = club.phone()
    path = club.open(host)
    club.done(host, path, "add-seat", name="Anna")
    berta, carl = club.sit(path, ["Berta", "Carl"])
    club.done(host, path, "start")
    club.done(host, path, "begin")
    club.done(host, path, "free-seat", seat="2")
    second = club.phone()
    for taker in (second, berta):
        answer = taker.post(club.join_path(path), {"claim": "2", "key": "k"})
        assert answer.status_code == 303, answer.text
        if taker is second:
            deeds = "Berta. Anna freed the seat. A phone without a seat of its own took it"
            assert f"Now on another phone: {deeds}" in words(carl.get(path).text)
            club.done(host, path, "free-seat", seat="2")
    for phone in (host, berta, carl):
        shown = words(phone.get(path).text)
        been = f"Has been on another phone: {deeds.replace('Berta', 'Berta (2×)')}"
        assert f"{been}. The first phone has it again" in shown
    club.done(carl, path, "play", play="result", reached="0", last="3")
    for phone in (host, berta, carl):
        assert been in words(phone.get(path).text), "the roles may have been turned over by it"
    assert been in words(host.get(f"{path}/screen").text)
    club.done(host, path, "deal")
    assert "Has been on another phone" not in words(carl.get(path).text)


def test_it_is_one_line_on_a_phone_that_is_asked(club: Club) -> None:
    """Which goal card lies there, for one; all others read it whole."""
    host = club.phone()
    path = club.open(host, way="referee", edition="lv-2009")
    anna, berta, carl = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.look(path, [anna, berta, carl])
    for x in range(1, 8):
        player = (anna, berta, carl)[(x - 1) % 3]
        card = "EW" if x < 4 else "NESW"
        club.done(player, path, "play", play="path", card=card, at=f"{x},0")
    club.done(host, path, "free-seat", seat="2")
    second = club.phone()
    assert second.post(club.join_path(path), {"claim": "2", "key": "k"}).status_code == 303
    for phone, folded in ((anna, True), (carl, False), (second, False)):
        shown = re.search(r'<details class="notice folding single"[^>]*>', phone.get(path).text)
        assert shown
        assert (" open" not in shown[0]) == folded


@pytest.mark.parametrize("way", ["roles", "referee"])
def test_one_short_sentence_has_nothing_to_fold(club: Club, way: str) -> None:
    host = club.phone()
    path = club.open(host, way=way)
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.look(path, phones)
    club.done(host, path, "pass-hosting", seat="1")
    (shown,) = re.findall(r'<div id="notices".*?</div>', phones[2].get(path).text, re.DOTALL)
    assert "Anna is now the host" in words(shown)
    assert "<details" not in shown
    club.done(phones[0], path, "free-seat", seat="2")
    club.phone().post(club.join_path(path), {"claim": "2", "key": "k"})
    assert 'class="notice folding' in phones[2].get(path).text


def test_a_host_without_a_seat_is_named_as_such(club: Club) -> None:
    host = club.phone()
    path = club.open(host)
    _, carl = club.sit(path, ["Berta", "Carl"])
    club.done(host, path, "free-seat", seat="1")
    club.phone().post(club.join_path(path), {"claim": "1", "key": "k"})
    assert "Now on another phone: Berta. The host freed the seat" in words(carl.get(path).text)


def test_who_has_taken_a_seat_is_told(club: Club) -> None:
    host = club.phone()
    path = club.open(host)
    berta, carl = club.sit(path, ["Berta", "Carl"])
    told = "The host freed the seat"
    for taker, name in ((carl, "Carl"), (host, "The host")):
        club.done(host, path, "free-seat", seat="1")
        taker.post(club.join_path(path), {"claim": "1", "key": "k"})
        told += f". {name} took the seat"
        assert told in words(carl.get(path).text)
    club.done(host, path, "free-seat", seat="1")
    freed = words(carl.get(path).text)
    berta.post(club.join_path(path), {"claim": "1", "key": "k"})
    shown = words(carl.get(path).text)
    assert f"(3×). {told}. The first phone has it again" in shown, "they may have looked"
    assert "has it again" not in freed


def takes(club: Club, host: Phone, path: str, phone: Phone, seat: int) -> None:
    club.done(host, path, "free-seat", seat=str(seat))
    key = f"k{club.table(path).version}"
    answer = phone.post(club.join_path(path), {"claim": str(seat), "key": key})
    assert answer.status_code == 303


def test_a_name_that_is_lent_for_a_moment_makes_it_nobody_elses_deed(club: Club) -> None:
    """The host is called Anna while it looks into Berta's seat."""
    host = club.phone()
    path = club.open(host)
    club.done(host, path, "add-seat", name="Hosta")
    anna, berta, carl = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.done(host, path, "begin")
    for seat, name in (("2", "Qq"), ("1", "Anna")):
        club.done(host, path, "rename-seat", seat=seat, name=name)
    takes(club, host, path, host, 3)
    shown = words(carl.get(path).text)
    assert "Berta. Anna freed the seat. Anna took the seat" in shown, "all see who is called so"
    for seat, name in (("1", "Hosta"), ("2", "Anna")):
        club.done(host, path, "rename-seat", seat=seat, name=name)
    for phone in (anna, carl, host):
        shown = words(phone.get(path).text)
        assert "Berta. Hosta freed the seat. Hosta took the seat" in shown
    takes(club, host, path, berta, 3)
    shown = words(carl.get(path).text)
    deeds = "Hosta freed the seat. Hosta took the seat"
    assert f"Berta (2×). {deeds}. The first phone has it again" in shown


def test_a_seat_that_was_got_hold_of_lends_no_name(club: Club) -> None:
    """The host has Anna's seat, or a second browser has Berta's, when the next one is taken."""
    host, second = club.phone(), club.phone()
    path = club.open(host)
    anna, _, carl, _ = club.sit(path, ["Anna", "Berta", "Carl", "Dora"])
    club.done(host, path, "start")
    club.done(host, path, "begin")
    takes(club, host, path, host, 1)
    takes(club, host, path, second, 2)
    takes(club, host, path, second, 4)
    takes(club, host, path, host, 2)
    shown = words(carl.get(path).text)
    assert "Anna. The host freed the seat. The host took the seat" in shown
    deeds = "The host took the seat. A phone without a seat of its own took it"
    assert f"Berta (2×). The host freed the seat. {deeds}" in shown
    assert "Dora. The host freed the seat." in shown
    takes(club, host, path, anna, 1)
    shown = words(carl.get(path).text)
    for name in ("Anna", "Berta"):
        assert f"{name} freed the seat" not in shown
        assert f"{name} took the seat" not in shown
    takes(club, host, path, anna, 4)
    assert "Anna took the seat" in words(carl.get(path).text), "her own seat is hers again"


def test_what_a_former_host_did_is_told_as_such(club: Club) -> None:
    host = club.phone()
    path = club.open(host)
    berta, _ = club.sit(path, ["Berta", "Carl"])
    club.done(host, path, "free-seat", seat="2")
    club.phone().post(club.join_path(path), {"claim": "2", "key": "k"})
    assert "Carl. The host freed the seat" in words(berta.get(path).text)
    club.clock.now += 150
    club.done(berta, path, "take-hosting")
    shown = words(berta.get(path).text)
    assert "You are now the host" in shown
    assert "Berta is now the host" in words(berta.get(f"{path}/screen").text)
    said = "Carl. A former host freed the seat. A phone without a seat of its own took it"
    assert f"Now on another phone: {said}" in shown


def test_what_a_host_took_stays_told_when_the_hosting_is_passed_on(club: Club) -> None:
    host = club.phone()
    path = club.open(host)
    _, berta, _ = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.done(host, path, "begin")
    club.done(host, path, "free-seat", seat="3")
    takes(club, host, path, host, 3)
    assert "Carl. The host freed the seat. The host took the seat" in words(berta.get(path).text)
    club.done(host, path, "pass-hosting", seat="1")
    said = "Carl. A former host freed the seat. A former host took the seat"
    assert said in words(berta.get(path).text)


def test_another_new_host_is_told_anew(club: Club) -> None:
    """Though the first one was folded away; and there is one line as before."""
    host = club.phone()
    path = club.open(host)
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.done(host, path, "begin")
    folds = []
    for by, seat in ((host, 1), (phones[0], 2)):
        club.done(by, path, "pass-hosting", seat=str(seat))
        folds += re.findall(r'id="(notices-\d+)"', phones[2].get(path).text)
    assert len(folds) == len(set(folds)) == 2


def test_a_new_host_is_told_beside_a_seat_that_was_taken(club: Club) -> None:
    """In what is read first, not behind it."""
    host = club.phone()
    path = club.open(host)
    anna, _, carl = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.done(host, path, "begin")
    club.done(host, path, "free-seat", seat="2")
    club.phone().post(club.join_path(path), {"claim": "2", "key": "k"})
    club.done(host, path, "pass-hosting", seat="1")
    for phone, said in ((anna, "You are now the host"), (carl, "Anna is now the host")):
        first = re.search(r"<summary>(.*?)</summary>", phone.get(path).text, re.DOTALL)
        assert first
        assert "Now on another phone: Berta" in words(first[1])
        assert said in words(first[1])


def test_who_gave_an_own_seat_up_for_a_free_one_plays_there(club: Club) -> None:
    host = club.phone()
    path = club.open(host)
    anna, berta, _ = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.done(host, path, "begin")
    (dora,) = club.sit(path, ["Dora"])
    club.done(host, path, "free-seat", seat="3")
    club.done(dora, path, "claim-seat", seat="3")
    club.done(dora, path, "remove-seat", seat="4")
    club.done(dora, path, "rename-seat", seat="3", name="Dora")
    club.done(host, path, "pass-hosting", seat="3")
    club.done(dora, path, "finish")
    club.done(dora, path, "start")
    for phone, seat in ((anna, 1), (berta, 2), (dora, 3)):
        club.done(phone, path, "look", seat=str(seat))
    club.done(dora, path, "play", play="result", reached="1", finisher="2", seat="3")
    assert "Dora, the host" in words(anna.get(path).text)


def badge(text: str) -> list[str]:
    """Who is marked as the host in the ring."""
    ring = text.partition('id="ring"')[2].partition("</ol>")[0]
    return [words(each).strip() for each in ring.split("<li") if "<small>Host</small>" in each]


def test_a_host_is_not_called_by_a_seat_that_was_moved_to_it(club: Club) -> None:
    first = club.phone()
    path = club.open(first)
    carl, anna, berta = club.sit(path, ["Carl", "Anna", "Berta"])
    offered = carl.get(club.do(carl, path, "offer-move", seat="1").location).text
    anna.post(f"/m/{moving_code(offered)}", {"key": "x"})
    club.clock.now += 150
    club.done(anna, path, "take-hosting")
    page = berta.get(path).text
    assert "Anna is now the host" in words(page)
    assert "when the host is ready: Anna" in words(page)
    assert ["Anna" in each for each in badge(page)] == [True]


def test_a_host_without_a_seat_is_not_called_by_one_that_it_took(club: Club) -> None:
    host = club.phone()
    path = club.open(host)
    _, berta, _ = club.sit(path, ["Anna", "Berta", "Carl"])
    takes(club, host, path, host, 3)
    page = berta.get(path).text
    assert "The game is started on the host’s device." in words(page)
    assert badge(page) == []


def test_who_took_over_the_hosting_is_told_by_whatever_seat_it_has(club: Club) -> None:
    host = club.phone()
    path = club.open(host)
    anna, *_ = club.sit(path, ["Anna", "Berta", "Carl"])
    second = club.phone()
    takes(club, host, path, second, 3)
    club.clock.now += 150
    club.done(second, path, "take-hosting")
    assert "Carl is now the host" in words(anna.get(path).text)


def test_a_seat_that_the_same_phone_takes_again_was_on_no_other(club: Club) -> None:
    host = club.phone()
    path = club.open(host)
    berta, carl, dora = club.sit(path, ["Berta", "Carl", "Dora"])
    club.done(host, path, "start")
    club.done(host, path, "begin")
    for seat, phone in ((1, berta), (2, carl)):
        club.done(host, path, "free-seat", seat=str(seat))
        phone.post(club.join_path(path), {"claim": str(seat), "key": "k"})
        shown = words(dora.get(path).text)
        assert "Now on another phone" not in shown
        assert "On the same phone again: Berta. The host freed the seat" in shown
    assert "Seats that have changed phones: Berta and Carl" in shown


def test_who_sat_where_before_the_deal_is_nobodys_affair(club: Club) -> None:
    host = club.phone()
    path = club.open(host)
    _, carl, _ = club.sit(path, ["Berta", "Carl", "Dora"])
    club.done(host, path, "free-seat", seat="1")
    club.phone().post(club.join_path(path), {"claim": "1", "key": "k"})
    assert "Now on another phone" in words(carl.get(path).text)
    club.done(host, path, "start")
    assert "Now on another phone" not in words(carl.get(path).text)


def test_who_types_a_name_that_sits_there_is_asked_whether_it_is_theirs(club: Club) -> None:
    host = club.phone()
    path = club.open(host)
    club.sit(path, ["Berta", "Carl", "Dora"])
    link = club.join_path(path)
    for playing in (False, True):
        if playing:
            club.done(host, path, "start")
        page = club.phone().post(link, {"name": "Berta", "key": "k"}).text
        assert "That name is taken" in page
        first = page.find("Was one of these seats yours?")
        assert (0 < first < page.index('id="join-form"')) == playing


def test_who_has_lost_their_window_is_asked_so_between_two_games_too(club: Club) -> None:
    host = club.phone()
    path = club.open(host)
    club.sit(path, ["Berta", "Carl", "Dora"])
    for deed in ("start", "finish", "count"):
        club.done(host, path, deed)
    link, phone = club.join_path(path), club.phone()
    page = phone.post(link, {"name": "Berta", "key": "k"}).text
    assert 0 < page.find("Was one of these seats yours?") < page.index('id="join-form"')
    assert "A game is being played" not in page
    club.done(host, path, "free-seat", seat="1")
    assert "This is my seat" in phone.get(link).text
    assert phone.post(link, {"claim": "1", "key": "j"}).status_code == 303
    assert [seat.name for seat in club.table(path).seats] == ["Berta", "Carl", "Dora"]
    club.done(host, path, "new-game")
    assert f"{path}/role" in phone.get(path).text


def test_a_seat_that_was_offered_goes_without_more_words(club: Club) -> None:
    """Its own phone showed the code."""
    host = club.phone()
    path = club.open(host)
    berta, carl = club.sit(path, ["Berta", "Carl"])
    berta.post(f"{path}/do/offer-move", {"seat": "1", "page": f"{path}/seat"})
    code = moving_code(berta.get(f"{path}/seat").text)
    new = club.phone()
    assert new.post(new.post("/code", {"code": code}).location, {"key": "k"}).status_code == 303
    assert re.search(r"Now on another phone: Berta(?!\.)", words(carl.get(path).text))


SECONDS = 10
"""For which an end waits at the tables of `slow`."""


@pytest.fixture
def slow(clubs: Callable[..., Club]) -> Club:
    return clubs(end_wait_s=SECONDS)


def told_end(club: Club, path: str, phone: Phone) -> None:
    club.done(phone, path, "play", play="result", reached="0", last="3")


@pytest.mark.parametrize("before", ["the start", "the next deal"])
def test_who_holds_a_seat_at_the_deal_is_told_for_as_long(club: Club, before: str) -> None:
    """They see its new role, too, and may give it back before anybody else has looked."""
    host = club.phone()
    path = club.open(host)
    _, berta, carl = club.sit(path, ["Anna", "Berta", "Carl"])
    if before == "the start":
        takes(club, host, path, host, 2)
        club.done(host, path, "start")
    else:
        club.done(host, path, "start")
        club.done(host, path, "begin")
        takes(club, host, path, host, 2)
        told_end(club, path, carl)
        club.done(host, path, "deal")
    deeds = "The host freed the seat. The host took the seat"
    assert f"Now on another phone: Berta. {deeds}" in words(carl.get(path).text)
    takes(club, host, path, berta, 2)
    for phone in (carl, berta):
        shown = words(phone.get(path).text)
        assert f"Berta (2×). {deeds}. The first phone has it again" in shown
    club.done(host, path, "begin")
    told_end(club, path, carl)
    club.done(host, path, "deal")
    assert "Berta (2×)" not in words(carl.get(path).text)


def test_a_seat_that_is_free_at_the_deal_stays_told(club: Club) -> None:
    host = club.phone()
    path = club.open(host)
    _, _, carl = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "free-seat", seat="2")
    club.done(host, path, "start")
    club.phone().post(club.join_path(path), {"claim": "2", "key": "k"})
    deeds = "Berta. The host freed the seat. A phone without a seat of its own took it"
    assert deeds in words(carl.get(path).text)


def test_a_seat_held_at_the_deal_lends_no_name(slow: Club) -> None:
    host = slow.phone()
    path = slow.open(host)
    _, _, carl, dora = slow.sit(path, ["Anna", "Berta", "Carl", "Dora"])
    takes(slow, host, path, host, 2)
    slow.done(host, path, "start")
    slow.done(host, path, "begin")
    takes(slow, host, path, host, 2)
    takes(slow, host, path, host, 1)
    shown = words(carl.get(path).text)
    assert "Anna. The host freed the seat. The host took the seat" in shown
    told_end(slow, path, host)
    assert "Reported by the host" in words(dora.get(path).text)


def test_a_seat_held_at_the_deal_confirms_no_end(slow: Club) -> None:
    """The host's laptop, beside its phone, which is Anna's; nor the other way round."""
    host = slow.phone()
    path = slow.open(host)
    anna, _, carl, _ = slow.sit(path, ["Anna", "Berta", "Carl", "Dora"])
    takes(slow, host, path, host, 2)
    slow.done(host, path, "start")
    slow.done(host, path, "begin")
    for by, other in ((anna, host), (host, anna)):
        told_end(slow, path, by)
        assert slow.do(other, path, "confirm-end").status_code == 409
        assert slow.table(path).round.waiting_end is not None
        slow.done(carl, path, "stop-end")
    told_end(slow, path, anna)
    slow.done(carl, path, "confirm-end")
    assert slow.table(path).phase == "settled"


def test_an_end_waits_though_the_host_holds_the_third_players_seat(slow: Club) -> None:
    host = slow.phone()
    path = slow.open(host)
    slow.done(host, path, "add-seat", name="Anna")
    slow.sit(path, ["Berta", "Carl"])
    takes(slow, host, path, host, 2)
    slow.done(host, path, "start")
    slow.done(host, path, "begin")
    told_end(slow, path, host)
    assert slow.table(path).round.waiting_end is not None


def test_who_gives_a_seat_back_does_not_hide_who_took_it_away(club: Club) -> None:
    """A host whose second phone has looked, and who has passed the hosting on."""
    host = club.phone()
    path = club.open(host)
    club.done(host, path, "add-seat", name="Anna")
    berta, carl, dora = club.sit(path, ["Berta", "Carl", "Dora"])
    club.done(host, path, "start")
    club.done(host, path, "begin")
    takes(club, host, path, club.phone(), 2)
    club.done(host, path, "pass-hosting", seat="3")
    takes(club, carl, path, berta, 2)
    shown = words(dora.get(path).text)
    took = "A phone without a seat of its own took it. The first phone has it again"
    assert f"Anna freed the seat. Carl freed the seat. {took}" in shown


def test_a_former_host_is_no_phone_that_nobody_knows(club: Club) -> None:
    host = club.phone()
    path = club.open(host)
    _, _, carl = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.done(host, path, "begin")
    club.done(host, path, "free-seat", seat="2")
    club.done(host, path, "pass-hosting", seat="1")
    host.post(club.join_path(path), {"claim": "2", "key": "k"})
    shown = words(carl.get(path).text)
    assert "A former host freed the seat. A former host took the seat" in shown


def test_who_took_a_seat_and_gave_up_their_own_stays_told(club: Club) -> None:
    host = club.phone()
    path = club.open(host)
    _, _, carl = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.done(host, path, "begin")
    (dora,) = club.sit(path, ["Dora"])
    takes(club, host, path, dora, 2)
    assert "Dora took the seat" in words(carl.get(path).text)
    club.done(dora, path, "remove-seat", seat="4")
    assert "A phone without a seat of its own took it" in words(carl.get(path).text)


def test_a_hosting_that_was_passed_away_and_back_is_told(club: Club) -> None:
    """Though who hosts has no name."""
    host = club.phone()
    path = club.open(host)
    anna, _, carl = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.done(host, path, "begin")
    club.done(host, path, "pass-hosting", seat="1")
    host.post(club.join_path(path), {"name": "Zoe", "key": "j"})
    club.done(anna, path, "pass-hosting", seat="4")
    assert "Zoe is now the host" in words(carl.get(path).text)
    club.done(host, path, "remove-seat", seat="4")
    assert "The hosting has changed hands" in words(carl.get(path).text)


def test_what_a_former_host_took_back_is_not_the_new_ones_deed(club: Club) -> None:
    host = club.phone()
    path = club.open(host)
    _, _, carl = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.done(host, path, "begin")
    told_end(club, path, host)
    club.done(host, path, "take-back")
    told_end(club, path, host)
    for deed in ("finish", "take-back"):
        club.done(host, path, deed)
    assert words(carl.get(path).text).count("The host took back:") == 2
    club.done(host, path, "pass-hosting", seat="1")
    shown = words(carl.get(path).text)
    assert "The host took back:" not in shown
    assert shown.count("A former host took back:") == 2


def test_who_is_called_otherwise_in_the_middle_of_a_game(club: Club) -> None:
    """Else the host gives two players' names to each other, and one has the other's role."""
    host = club.phone()
    path = club.open(host)
    _, _, carl = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.done(host, path, "begin")
    for seat, name in (("1", "Qq"), ("2", "Anna"), ("1", "Berta")):
        club.done(host, path, "rename-seat", seat=seat, name=name)
    told = ("New name: Anna → Berta", "New name: Berta → Anna")
    for seen in ("", "/screen", "/host"):
        shown = words((host if seen else carl).get(f"{path}{seen}").text)
        assert all(each in shown for each in told), seen
    club.done(host, path, "play", play="result", reached="0", last="3")
    shown = words(carl.get(path).text)
    assert all(each in shown for each in told), "roles are turned over by these names"
    club.done(host, path, "deal")
    assert "New name" not in words(carl.get(path).text)


def test_whoever_has_the_first_name_again_is_not_told_of(club: Club) -> None:
    host = club.phone()
    path = club.open(host)
    _, _, carl = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "rename-seat", seat="1", name="Aino")
    assert "New name" not in words(carl.get(path).text), "before a game nobody is anything"
    club.done(host, path, "start")
    for name in ("Qq", "Aino"):
        club.done(host, path, "rename-seat", seat="1", name=name)
    assert "New name" not in words(carl.get(path).text)


def test_a_name_stays_while_an_end_waits_that_says_it(clubs: Callable[..., Club]) -> None:
    club = clubs(end_wait_s=10)
    host = club.phone()
    path = club.open(host)
    _, _, carl = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.done(host, path, "begin")
    club.done(host, path, "play", play="result", reached="1", finisher="1", last="1")
    assert club.do(host, path, "rename-seat", seat="1", name="Qq").status_code == 409
    assert "Last path card: Anna" in words(carl.get(path).text)
