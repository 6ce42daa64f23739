"""A round's end that was reported, on the pages: who made it, "Yes" and "Stop", and time."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.kit.pages import OF_PLAYERS
from tests.kit.phone import found_code, moving_code

CONFIRM, STOP = "/do/confirm-end", "/do/stop-end"


@pytest.fixture
def way() -> str:
    """A test that asks for other ways has a parameter of this name."""
    return "roles"


@pytest.fixture
def edition() -> str:
    return "en"


@pytest.fixture
def evening(clubs, way: str):
    """Three phones at a round; the host's laptop has no seat."""
    club = clubs(end_wait_s=10)
    host = club.phone()
    path = club.open(host, way=way)
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.done(host, path, "begin")
    return club, host, path, phones


def tell(club, phone, path: str) -> None:
    club.done(phone, path, "play", play="result", reached="1", finisher="2")


def test_nobody_starts_a_next_round_while_the_game_is_to_end(evening) -> None:
    club, host, path, phones = evening
    tell(club, phones[0], path)
    club.done(phones[1], path, "confirm-end")
    starts = "starts the next round"
    assert all(
        starts in page for page in (phones[0].get(path).text, host.get(f"{path}/screen").text)
    )
    club.done(host, path, "finish")
    assert club.table(path).round.waiting_end is not None
    pages = (phones[0].get(path).text, host.get(f"{path}/screen").text)
    assert not any(starts in page for page in pages)
    club.done(phones[0], path, "stop-end")
    assert starts in phones[0].get(path).text


def test_everybody_sees_who_reported_it_and_can_stop_it(evening) -> None:
    club, host, path, phones = evening
    tell(club, phones[0], path)
    for page in ("", "/report"):
        for phone in phones:
            text = phone.get(f"{path}{page}").text
            assert bool(re.search(r"Reported by: <bdi[^>]*>Anna", text)) == (phone != phones[0])
            assert ("You reported this." in text) == (phone == phones[0])
            assert STOP in text
            assert (CONFIRM in text) == (phone is not phones[0])
    screen = host.get(f"{path}/screen").text
    assert STOP in screen
    assert CONFIRM not in screen, "it may be whose phone has told it"
    television = club.phone().get(f"{club.join_path(path)}/screen").text
    assert "Reported by:" in television
    assert STOP not in television
    assert "u-roles" not in television


def test_who_hears_the_page_is_told_how_long_it_can_be_stopped(evening) -> None:
    """WCAG 2.2.1: all roles are shown then, for good."""
    club, _, path, phones = evening
    tell(club, phones[0], path)
    (news,) = re.findall(r'id="told"[^>]*data-news="([^"]*)"', phones[2].get(path).text)
    first, _, then = news.partition("Unless somebody stops this within 10 seconds")
    assert len(first) < 50, first  # there is little time
    assert "Reported by: Anna." in then


def test_who_comes_later_sees_how_much_time_is_left(evening) -> None:
    club, host, path, phones = evening
    tell(club, phones[0], path)
    for left in (10, 6):
        for phone, page in (
            (phones[2], path),
            (phones[1], f"{path}/report"),
            (host, f"{path}/screen"),
        ):
            assert f'data-left="{left}" data-of="10"' in phone.get(page).text
        club.clock.now += 4


def test_while_it_waits_there_is_nothing_else_to_report(evening) -> None:
    """Else a phone has two main buttons, and one of them is for what has been reported."""
    club, host, path, phones = evening
    tell(club, phones[0], path)
    report = f'href="{path}/report'
    pages = (host, f"{path}/screen"), *((phone, path) for phone in phones)
    for phone, page in pages:
        assert report not in phone.get(page).text
    club.done(phones[0], path, "look", seat=1)
    club.done(phones[1], path, "stop-end")
    for phone, page in pages[:2]:
        assert re.search(rf'href="{path}/report(\?screen=1)?"', phone.get(page).text)


def test_while_it_waits_an_open_form_does_not_report_another(evening) -> None:
    club, _, path, phones = evening
    for seat, phone in enumerate(phones, 1):
        club.done(phone, path, "look", seat=seat)
    form = 'name="finisher"'
    assert form in phones[1].get(f"{path}/report").text
    tell(club, phones[0], path)
    page = phones[1].get(f"{path}/report").text
    assert form not in page
    assert page.count('class="btn main"') == 1, "to confirm it"
    assert "A new round has begun" not in page
    club.done(phones[2], path, "stop-end")
    assert form in phones[1].get(f"{path}/report").text


def test_a_phone_that_came_to_its_seat_after_the_deal_is_told_why_it_has_no_yes(evening) -> None:
    club, host, path, phones = evening
    club.done(host, path, "free-seat", seat="3")
    new = club.phone()
    new.post(club.join_path(path), {"claim": "3", "key": "k"})
    assert new.get(path).status_code == 200
    why = "Only a phone that has had a seat since the deal can confirm this."
    tell(club, phones[0], path)
    for phone, confirms, late in (
        (phones[0], False, False),
        (phones[1], True, False),
        (new, False, True),
    ):
        page = phone.get(path).text
        assert (CONFIRM in page) == confirms
        assert (why in page) == late
        assert STOP in page
    club.done(new, path, "stop-end")
    tell(club, host, path)
    assert why not in new.get(path).text, "nobody can confirm what the laptop has told"


def test_while_it_waits_nobody_changes_places(evening) -> None:
    """Every tap would be refused."""
    club, host, path, phones = evening
    assert "/do/order-seats" in host.get(f"{path}/host").text
    tell(club, phones[0], path)
    page = host.get(f"{path}/host").text
    assert "/do/order-seats" not in page
    assert "The order can be changed" not in page, "it is soon over, or goes on"
    club.done(phones[1], path, "stop-end")
    assert "/do/order-seats" in host.get(f"{path}/host").text


def test_the_laptop_goes_back_to_its_table_screen(evening) -> None:
    """And a phone to its own page, whoever hosts."""
    club, host, path, phones = evening
    club.done(phones[0], path, "look", seat=1)
    (report,) = set(re.findall(r'href="(/t/[^"]*/report[^"]*)"', host.get(f"{path}/screen").text))
    for one, address, home in (
        (phones[0], f"{path}/report", path),
        (host, f"{path}/report", path),
        (host, report, f"{path}/screen"),
    ):
        page = one.get(address).text
        assert re.search(rf'class="btn quiet" href="{home}"', page)
        assert f'name="next" value="{home}"' in page
    told = club.do(host, path, "play", play="result", reached="1", finisher="2", next=home)
    assert told.location == home
    club.clock.now += 10
    assert f'class="btn main" href="{home}"' in host.get(report).text


AT_TABLE = ("table", "screen", "report")
"""Pages that are made for a game, and show of themselves that an end waits."""


@pytest.mark.parametrize("way", ["roles", "referee"])
def test_whoever_stands_on_another_page_of_the_table_sees_it_too(evening, clubs, way: str) -> None:
    """Who may answer it: they are at the table as the others are."""
    club, host, path, phones = evening
    beside = [OF_PLAYERS[name] for name in OF_PLAYERS if name not in AT_TABLE]
    assert beside
    pages = [(host, "/host"), *((phone, page) for phone in phones for page in beside)]
    for phone, page in pages:
        assert STOP not in phone.get(f"{path}{page}").text
    late = club.phone()
    late.post(club.join_path(path), {"name": "Dora", "key": "k"})
    if way == "referee":
        club.done(host, path, "play", play="result", reached="1", finisher="2")
    else:
        tell(club, phones[0], path)
    for phone, page in pages:
        text = phone.get(f"{path}{page}").text
        assert 'data-left="10" data-of="10"' in text, page
        assert "saboteur/left.js" in text
        (first, *_) = re.findall(r'data-news="([^"]*)"', text)
        assert "Unless somebody stops this within 10 seconds" in first
        assert STOP in text
        assert (CONFIRM in text) == (phone not in (phones[0], host) and way == "roles")
    assert STOP not in late.get(f"{path}/qr").text, "it has no part in the game"
    stopped = club.do(host, path, "stop-end", page=f"{path}/host")
    assert stopped.location == f"{path}/host"
    assert "The round goes on." in phones[1].get(f"{path}/seat").text


def test_the_page_of_an_end_leads_to_the_role_that_is_dealt_next(evening) -> None:
    club, host, path, phones = evening
    carl = phones[2]
    for phone, seat in zip(phones, (1, 2, 3), strict=True):
        club.done(phone, path, "look", seat=seat)
    opened = carl.get(f"{path}/report").text
    assert 'name="finisher"' in opened
    (stream,) = re.findall(r'data-stream="([^"]*)"', opened)
    assert "page=report&amp;dealt=0.1" in stream
    (page,) = set(re.findall(r'name="page" value="([^"]*)"', opened))
    (version,) = set(re.findall(r'name="version" value="([^"]*)"', opened))
    tell(club, phones[0], path)
    club.done(phones[1], path, "confirm-end")
    reported = carl.get(page).text
    assert "The gold diggers win the round" in reported
    club.done(host, path, "deal")
    waits = "Your role has been dealt. The others are waiting until you have looked at it."
    form = {"play": "result", "reached": "1", "finisher": "2", "key": "k"}
    for step in ("", "begin"):
        if step:
            club.done(host, path, step)
        refused = carl.post(f"{path}/do/play", {**form, "page": page, "version": version})
        assert refused.status_code == 409
        assert "The cards have just been dealt." in refused.text
        for shown in (refused.text, carl.get(page).text, carl.get(f"{path}/report").text):
            assert "A new round has begun" in shown
            assert 'name="finisher"' not in shown
            assert (waits in shown) == (not step)
            assert re.search(rf'class="btn main" href="{path}">Look at your role', shown)
    assert club.table(path).round.waiting_end is None
    club.done(carl, path, "look", seat=3)
    assert 'name="finisher"' not in carl.get(page).text, "it was opened before the deal"
    assert 'name="finisher"' in carl.get(f"{path}/report").text
    assert "A new round has begun" in host.get(f"{path}/report?dealt=0.1&screen=1").text


def test_a_second_phone_says_yes(evening) -> None:
    club, _, path, phones = evening
    tell(club, phones[0], path)
    assert club.do(phones[0], path, "confirm-end").status_code == 409
    club.done(phones[1], path, "confirm-end")
    text = phones[2].get(path).text
    assert "Reported by:" not in text
    assert club.table(path).game_state.past


def test_stopped_the_round_goes_on(evening) -> None:
    club, _, path, phones = evening
    tell(club, phones[0], path)
    club.done(phones[2], path, "stop-end")
    assert f"{path}/report" not in phones[1].get(path).text, "its card comes first"
    club.done(phones[1], path, "look", seat=2)
    text = phones[1].get(path).text
    assert STOP not in text
    assert f"{path}/report" in text
    assert not club.table(path).game_state.past
    stopped = re.compile(r"The end was stopped by: <bdi[^>]*>Carl")
    assert stopped.search(text)
    tell(club, phones[1], path)
    assert not stopped.search(phones[0].get(path).text)


@pytest.mark.parametrize("what", ["hosts", "moved"])
def test_who_stopped_an_end_is_named_by_the_seat_of_then(clubs, what: str) -> None:
    """Also after its player has become the host, with a seat from another phone, or plays on
    another phone."""
    club = clubs(end_wait_s=10)
    host = club.phone()
    path = club.open(host)
    anna, berta, carl = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.done(host, path, "begin")
    if what == "hosts":
        club.done(host, path, "free-seat", seat=3)
        carl = club.phone()
        assert carl.post(club.join_path(path), {"claim": "3", "key": "c"}).status_code == 303
    tell(club, anna, path)
    club.done(carl, path, "stop-end")
    club.done(berta, path, "look", seat=2)
    if what == "hosts":
        club.done(host, path, "pass-hosting", seat=3)
    else:
        carl.post(f"{path}/do/offer-move", {"seat": "3", "page": f"{path}/seat"})
        code = moving_code(carl.get(f"{path}/seat").text)
        other = club.phone()
        assert other.post(other.post("/code", {"code": code}).location, {"key": "k"}).location
    assert re.search(r"The end was stopped by: <bdi[^>]*>Carl", berta.get(path).text)


def test_what_was_stopped_is_named_with_who_had_reported_it(evening) -> None:
    club, host, path, phones = evening
    for seat, phone in enumerate(phones, 1):
        club.done(phone, path, "look", seat=seat)
    tell(club, phones[0], path)
    club.done(phones[2], path, "stop-end")
    pages = (*(phone.get(path).text for phone in phones), host.get(f"{path}/screen").text)
    for page in pages:
        text = re.sub(r"<[^>]*>", "", page)
        assert "The round goes on. The end was stopped by: Carl." in text
        assert "Treasure reached. Last path card: Berta. Reported by: Anna" in text
    club.done(host, path, "finish")
    club.done(phones[2], path, "stop-end")
    text = re.sub(r"<[^>]*>", "", phones[0].get(path).text)
    assert "The game goes on. The end was stopped by: Carl." in text
    assert "The host wanted to end the game." in text


def test_what_was_stopped_is_past_when_a_play_is_taken_back(refereed) -> None:
    club, host, path, phones = refereed
    club.done(host, path, "begin")
    club.done(phones[0], path, "play", play="pass", seat=1)
    club.done(host, path, "play", play="result", reached="1", finisher="2")
    club.done(phones[1], path, "stop-end")
    club.done(phones[0], path, "look", seat=1)
    assert "The end was stopped by" in phones[0].get(path).text
    club.done(host, path, "take-back")
    assert "The end was stopped by" not in phones[0].get(path).text


def test_what_was_taken_back_is_past_when_an_end_is_told(refereed) -> None:
    """One notice at a time lies above the maze: what was told last."""
    club, host, path, phones = refereed
    club.done(host, path, "begin")
    club.done(phones[0], path, "look", seat=1)
    club.done(phones[0], path, "play", play="pass", seat=1)
    club.done(host, path, "take-back")
    assert 'id="undone"' in phones[0].get(path).text
    assert 'class="sit"' in phones[0].get(path).text
    club.done(host, path, "play", play="result", reached="1", finisher="2")
    assert 'class="sit"' not in phones[0].get(path).text, "one question at a time"
    for page in (path, f"{path}/screen"):
        assert 'id="undone"' not in host.get(page).text
    club.done(phones[1], path, "stop-end")
    page = phones[0].get(path).text
    assert "The end was stopped by" in page
    assert 'id="undone"' not in page


def test_the_host_reports_in_nobodys_name(evening) -> None:
    club, host, path, phones = evening
    tell(club, host, path)
    text = phones[0].get(path).text
    assert "Reported by the host" in text
    assert STOP in text
    assert CONFIRM not in text, "their own phone could be the second one"


REPORTED = re.compile(r"Reported by(?:: <bdi[^>]*>([^<]*)| the host)")


@pytest.mark.parametrize("seated", [True, False], ids=["a host with a seat", "without one"])
def test_who_reports_for_another_player_is_named_as_the_one_who_did(clubs, seated: bool) -> None:
    club = clubs(end_wait_s=10)
    host = club.phone()
    path = club.open(host)
    if seated:
        club.done(host, path, "add-seat", name="Hosta")
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.done(host, path, "begin")
    anna = 1 + seated
    for _ in range(2):
        club.done(host, path, "play", seat=anna, play="result", reached="0", last=anna)
        for phone in phones:
            text = phone.get(path).text
            (by,) = set(REPORTED.findall(text))
            assert by == ("Hosta" if seated else "")
            assert (CONFIRM in text) == seated, "Anna has said nothing"
        late = club.do(phones[2], path, "play", play="result", reached="0", last=anna)
        assert "Anna" not in re.findall(r'id="refusal-box".*?</p>', late.text, re.S)[0]
        club.clock.now += 10
        club.done(host, path, "take-back")
        for phone in phones:
            assert set(REPORTED.findall(phone.get(path).text)) == {"Hosta" if seated else ""}


def test_who_told_an_end_stays_named_when_the_phone_has_gone(evening) -> None:
    club, host, path, phones = evening
    phones[0].post(f"{path}/do/offer-move", {"seat": "1", "page": f"{path}/seat"})
    code = moving_code(phones[0].get(f"{path}/seat").text)
    tell(club, phones[0], path)
    new = club.phone()
    new.post(new.post("/code", {"code": code}).location, {"key": "k"})
    assert set(REPORTED.findall(phones[1].get(path).text)) == {"Anna"}
    club.clock.now += 10
    club.done(host, path, "take-back")
    assert set(REPORTED.findall(phones[1].get(path).text)) == {"Anna"}


def test_a_host_tells_an_end_in_nobodys_name_by_a_seat_that_it_has_taken(evening) -> None:
    club, host, path, phones = evening
    club.done(host, path, "free-seat", seat="1")
    club.done(host, path, "claim-seat", seat="1")
    tell(club, host, path)
    assert set(REPORTED.findall(phones[1].get(path).text)) == {""}
    club.clock.now += 10
    club.done(host, path, "take-back")
    text = re.sub(r"<[^>]*>", "", phones[1].get(path).text)
    assert "The host took back:" in text
    assert "Anna took back" not in text


@pytest.fixture
def refereed(clubs, edition: str):
    club = clubs(end_wait_s=10)
    host = club.phone()
    path = club.open(host, way="referee", edition=edition)
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    return club, host, path, phones


@pytest.mark.parametrize("began", [False, True], ids=["looking", "playing"])
def test_a_game_that_the_host_ends_is_stopped_by_anybody(refereed, began: bool) -> None:
    club, host, path, phones = refereed
    if began:
        club.done(host, path, "begin")
    club.done(host, path, "finish")
    for phone in (*phones, host):
        text = phone.get(path).text
        assert "The host is ending the game." in text
        assert "within 10 seconds" in text
        assert STOP in text
        assert CONFIRM not in text
        assert "/do/play" not in text
        assert "place=" not in text, "no place of the maze can be tapped"
        assert "#place" not in text, "none looks as if it could"
    screen = host.get(f"{path}/screen").text
    assert "#place" not in screen
    assert host.get(f"{path}/record.jsonl").status_code == 409
    assert STOP in host.get(f"{path}/screen").text
    assert "/do/finish" not in host.get(f"{path}/host").text
    club.done(phones[1], path, "stop-end")
    assert re.search(r"The end was stopped by: <bdi[^>]*>Berta", host.get(path).text)
    assert ("#place" in host.get(f"{path}/screen").text) is began


AGAIN = ("Look at your role again", "Look at a role again")


@pytest.mark.parametrize("began", [False, True], ids=["looking", "playing"])
@pytest.mark.parametrize("way", ["roles", "referee"])
def test_while_it_waits_only_who_has_looked_looks_again(clubs, way: str, began: bool) -> None:
    club = clubs(end_wait_s=10)
    host = club.phone()
    path = club.open(host, way=way)
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(phones[0], path, "join", name="Dora")
    club.done(host, path, "start")
    club.look(path, phones[:2])
    if began:
        club.done(host, path, "begin")
    club.done(host, path, "finish")
    for phone, seen in ((phones[1], True), (phones[2], False)):
        text = phone.get(path).text
        assert "#look" in text
        assert (AGAIN[0] in text) is seen
        assert ("Look at your role<" in text) is not seen
    assert not any(each in phones[0].get(path).text for each in AGAIN), "Dora has not looked"


@pytest.mark.parametrize("way", ["roles", "referee"])
def test_on_a_shared_phone_it_is_chosen_whose_card_is_looked_at_again(clubs, way: str) -> None:
    """Whosever turn it is, and whoever has had the phone last."""
    club = clubs()
    host = club.phone()
    path = club.open(host, way=way)
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(phones[0], path, "join", name="Dora")
    club.done(host, path, "start")
    club.look(path, phones)
    club.done(host, path, "begin")
    for page in (path, f"{path}?seat=1", f"{path}?seat=4"):
        text = re.sub(r"</?bdi[^>]*>", "", phones[0].get(page).text)
        assert AGAIN[0] not in text
        assert 'href="#look"' not in text
        for seat, name in ((1, "Anna"), (4, "Dora")):
            assert f'href="{path}?seat={seat}#look">{name}</a>' in text


@pytest.mark.parametrize("way", ["roles", "referee"])
def test_who_has_taken_a_seat_has_not_looked(clubs, way: str) -> None:
    """Whoever sat there before did."""
    club = clubs()
    host = club.phone()
    path = club.open(host, way=way)
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.look(path, phones)
    club.done(host, path, "free-seat", seat="2")
    late = club.phone()
    assert late.post(club.join_path(path), {"claim": "2", "key": "k"}).status_code == 303
    assert AGAIN[0] in phones[2].get(path).text
    text = late.get(path).text
    assert AGAIN[0] not in text
    assert "Look at your role<" in text


@pytest.mark.parametrize("seats", [2, 4])
def test_on_a_shared_phone_each_role_is_at_hand(clubs, seats: int) -> None:
    """Also while others are awaited. A tablet with all the seats has other things there."""
    club = clubs()
    host = club.phone()
    path = club.open(host, way="roles")
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    for name in ("Dora", "Elmar", "Frida")[: seats - 1]:
        club.done(phones[0], path, "join", name=name)
    shared = [1, *range(4, 3 + seats)]
    club.done(host, path, "start")
    for seat in shared:
        phones[0].post(f"{path}/role", {"seat": str(seat)})

    def at_hand() -> list[str]:
        dock = phones[0].get(path).text.partition('<div id="dock"')[2]
        return re.findall(r"[?]seat=(\d+)#look", dock)

    expected = [str(seat) for seat in shared] if seats < 4 else []
    assert at_hand() == expected
    for seat, phone in enumerate(phones[1:], 2):
        phone.post(f"{path}/role", {"seat": str(seat)})
    assert "The round is over" in phones[0].get(path).text
    assert at_hand() == expected


def test_between_rounds_too(refereed) -> None:
    club, host, path, phones = refereed
    club.done(host, path, "begin")
    club.done(host, path, "play", play="result", reached="1", finisher="2")
    club.clock.now += 10
    assert "Next round" in host.get(path).text
    club.done(host, path, "finish")
    for phone in (*phones, host):
        text = phone.get(path).text
        assert "The host is ending the game." in text
        assert "does not count" not in text
        assert STOP in text
        assert "Next round" not in text
    screen = host.get(f"{path}/screen").text
    assert STOP in screen
    assert "Next round" not in screen
    club.clock.now += 10
    assert club.table(path).phase == "over"


def test_what_the_referee_is_told_of_an_end_waits_too(refereed) -> None:
    club, host, path, phones = refereed
    club.done(host, path, "begin")
    for phone, seat in zip(phones, (1, 2, 3), strict=True):
        club.done(phone, path, "look", seat=seat)
    club.done(host, path, "play", play="result", reached="1", finisher="2")
    for phone in phones:
        text = phone.get(path).text
        assert "Reported by the host" in text
        assert STOP in text
        assert "place=" not in text
    club.done(phones[0], path, "stop-end")
    assert "place=" in phones[0].get(path).text


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"reached": "0", "last": "2"}, "By the plays reported, {} cards are left"),
        (
            {"reached": "1", "finisher": "2"},
            "By the plays reported, the treasure has not been reached.",
        ),
    ],
)
def test_the_referee_says_what_it_has_counted_against_an_end(refereed, told, said) -> None:
    """The cards on the table may say otherwise: a play was forgotten."""
    club, host, path, phones = refereed
    club.done(host, path, "begin")
    club.done(phones[0], path, "play", play="pass", seat=1)
    state = club.table(path).game_state
    now = club.table(path).game.view(state, None)
    said = said.format(now.pile + sum(now.hands))
    assert said in host.get(f"{path}/report").text, "before anybody reports it"
    club.done(host, path, "play", play="result", **told)
    for page in (*(phone.get(path).text for phone in phones), host.get(f"{path}/screen").text):
        (news,) = re.findall(r'id="told"[^>]*data-news="([^"]*)"', page)
        assert said in news
        assert page.count(said) == 2, "read aloud and seen"


def test_only_the_host_s_phone_has_a_form_for_an_end_that_plays_contradict(clubs) -> None:
    """Also where somebody else has taken hosting on while its page was open."""
    club = clubs()
    host = club.phone()
    path = club.open(host, way="referee")
    club.done(host, path, "join", name="Anna")
    guest, other = club.sit(path, ["Berta", "Carl"])
    club.done(host, path, "start")
    club.look(path, [host, guest, other])
    form = 'name="play" value="result"'
    assert form in host.get(f"{path}/report").text
    club.clock.now += 10_000
    club.done(guest, path, "take-hosting")
    assert form in guest.get(f"{path}/report").text
    text = host.get(f"{path}/report").text
    assert form not in text
    assert "Only the host can do this. Ask the host." in text


def test_where_no_plays_are_reported_nothing_was_counted(evening) -> None:
    club, host, path, phones = evening
    assert "By the plays reported" not in host.get(f"{path}/report").text
    club.done(host, path, "play", play="result", reached="0", last="2")
    assert "By the plays reported" not in phones[0].get(path).text


def test_an_open_page_is_enough_for_the_end_to_come(evening) -> None:
    club, _, path, phones = evening
    tell(club, phones[0], path)
    follows = phones[2].client.get(f"{path}/live", buffered=False)
    pieces = iter(follows.response)
    assert STOP in next(pieces).decode()
    club.clock.now += 10
    assert any("roles-h" in next(pieces).decode() for _ in range(20))
    follows.close()


def test_the_host_changes_nothing_of_the_pages_meanwhile(evening) -> None:
    """Else each change would make what the others tap come from a page of before."""
    club, host, path, phones = evening
    assert "/do/configure" in host.get(f"{path}/host").text
    tell(club, host, path)
    assert "/do/configure" not in host.get(f"{path}/host").text
    (shown,) = set(re.findall(r'name="version" value="(\d+)"', phones[1].get(path).text))
    assert club.do(host, path, "configure", language="fi").status_code == 409
    club.done(phones[1], path, "stop-end", version=shown)
    club.done(host, path, "configure", language="fi")


def test_the_host_takes_no_say_away_meanwhile(evening) -> None:
    club, host, path, _ = evening
    forms = ("free-seat", "renew-link")
    offered = host.get(f"{path}/host").text
    tell(club, host, path)
    waits = host.get(f"{path}/host").text
    for form in forms:
        assert f"/do/{form}" in offered
        assert f"/do/{form}" not in waits
        refused = club.do(host, path, form, page=f"{path}/host", seat="2")
        assert refused.status_code == 409


def test_a_phone_whose_seat_was_taken_away_can_still_stop_an_end(evening) -> None:
    club, host, path, phones = evening
    club.done(host, path, "free-seat", seat="2")
    tell(club, host, path)
    assert club.do(club.phone(), path, "stop-end").status_code == 403
    assert club.do(phones[1], path, "confirm-end").status_code == 403
    stop = {"version": club.table(path).version, "key": "stop"}
    assert [phones[1].post(f"{path}{STOP}", stop).location for _ in range(2)] == [path] * 2
    assert club.table(path).round.waiting_end is None
    assert club.do(phones[1], path, "stop-end").status_code == 403, "nothing waits"


@pytest.mark.parametrize("way", ["roles", "referee"])
@pytest.mark.parametrize("again", [False, True], ids=["freed", "sat down again"])
def test_who_has_lost_the_seat_in_a_round_sees_an_end_and_can_stop_it(
    evening, clubs, way: str, again: bool
) -> None:
    """Else a host that frees all others' seats first would turn their secrets over unseen."""
    club, host, path, phones = evening
    berta = phones[1]
    assert berta.get(path).status_code == 200
    club.done(host, path, "free-seat", seat="2")
    if again:
        assert berta.post(club.join_path(path), {"name": "Dora", "key": "k"}).status_code == 303
    club.done(host, path, "renew-link")
    for page in ("", "/qr", "/seat"):
        shown = berta.get(f"{path}{page}")
        assert shown.status_code == (200 if again else 403)
        assert again or "has freed your seat" in shown.text
        assert STOP not in shown.text
        assert again or not found_code(shown.text), "the new one is not for it"
    follows = berta.client.get(f"{path}/live", buffered=False)
    pieces = iter(follows.response)
    next(pieces)
    if way == "referee":
        club.done(host, path, "play", play="result", reached="1", finisher="2")
    else:
        tell(club, host, path)
    assert any(STOP in next(pieces).decode() for _ in range(20))
    follows.close()
    for page in ("", "/qr", "/seat"):
        text = berta.get(f"{path}{page}").text
        assert STOP in text
        assert CONFIRM not in text
        assert 'data-left="10" data-of="10"' in text
    (version,) = set(re.findall(r'name="version" value="(\d+)"', berta.get(path).text))
    assert club.do(berta, path, "stop-end", version=version).location == path
    assert club.table(path).round.waiting_end is None
    assert STOP not in berta.get(path).text
    if not again:
        said = "A phone that has lost its seat stopped the end"
        assert said in host.get(f"{path}/screen").text
        club.done(phones[0], path, "look", seat=1)
        assert said in phones[0].get(path).text


def test_who_has_lost_the_seat_in_a_round_does_nothing_else(evening) -> None:
    club, host, path, phones = evening
    berta = phones[1]
    assert berta.get(path).status_code == 200
    club.done(host, path, "free-seat", seat="2")
    tell(club, host, path)
    for form in ("join", "add-seat", "take-hosting", "confirm-end", "offer-screen"):
        assert club.do(berta, path, form, name="Berta").status_code == 403
    assert berta.post(f"{path}/role", {"seat": "2"}).status_code == 403
    club.clock.now += 10
    shown = berta.get(path)
    assert shown.status_code == 403
    assert "has freed your seat" in shown.text
    assert "u-roles" not in shown.text
    club.done(host, path, "finish")
    club.clock.now += 10
    assert "has freed your seat" in berta.get(path).text


def test_who_reported_it_stays_named_after_a_take_back(evening) -> None:
    club, host, path, phones = evening
    tell(club, phones[0], path)
    club.done(phones[1], path, "confirm-end")
    club.done(host, path, "take-back")
    for phone in phones:
        assert re.search(r"Reported by: <bdi[^>]*>Anna", phone.get(path).text)


def test_what_is_shown_meanwhile_tells_no_role(clubs, dealers) -> None:
    """Whoever is the saboteur, the pages are the same to the last byte."""
    seen = []
    for seed in (1, 2, 3, 4):
        club = clubs(dealers(of4=seed), end_wait_s=10)
        host = club.phone()
        path = club.open(host)
        phones = club.sit(path, ["Anna", "Berta", "Carl"])
        club.done(host, path, "start")
        club.done(host, path, "begin")
        tell(club, phones[0], path)
        roles = club.table(path).game_state.now.roles
        pages = tuple(
            phone.get(path).text.replace(path, "").replace(club.join_path(path), "")
            for phone in phones
        )
        seen.append((roles, pages))
    assert len({roles for roles, _ in seen}) > 1
    assert len({pages for _, pages in seen}) == 1


FIRST, NEXT = "who is paid first", "who starts the next round"


def last_turn_decides(page: str) -> set[str]:
    return {each for each in (FIRST, NEXT) if each in page}


@pytest.mark.parametrize(
    ("edition", "players", "saboteurs", "by_rule", "decides"),
    [
        ("en", 3, 1, {NEXT}, {NEXT}),
        ("en", 3, 0, {NEXT}, {NEXT}),
        ("en", 5, 2, {FIRST, NEXT}, {FIRST, NEXT}),
        ("en", 5, 1, {FIRST, NEXT}, {NEXT}),
        ("fi", 3, 1, set(), set()),
        ("fi", 3, 0, set(), set()),
        ("fi", 5, 2, {FIRST}, {FIRST}),
        ("fi", 5, 1, {FIRST}, set()),
    ],
)
def test_what_the_last_turn_decides_is_said_by_edition_and_saboteurs(
    clubs, dealers, edition: str, players: int, saboteurs: int, by_rule: set, decides: set
) -> None:
    """In the Finnish text whoever sits left of who started this round starts the next one. Who is
    paid first matters where several are: of three players never more than one is a saboteur."""
    for seed in range(40):
        club = clubs(dealers(**{f"of{players + 1}": seed}), end_wait_s=10)
        host = club.phone()
        path = club.open(host, edition=edition)
        phones = club.sit(path, ["Anna", "Berta", "Carl", "Dora", "Emil"][:players])
        club.done(host, path, "start")
        club.done(host, path, "begin")
        if club.table(path).game_state.now.roles.count("saboteur") == saboteurs:
            break
    club.done(phones[0], path, "look", seat=1)
    form = phones[0].get(f"{path}/report").text
    assert last_turn_decides(form) == by_rule
    assert re.search(rf"{'[.] ' if by_rule else '>'}One tap reports it", form)
    club.done(phones[0], path, "play", play="result", reached="0", last="")
    screen = host.get(f"{path}/screen").text
    assert last_turn_decides(screen) == by_rule, "the roles are secret yet"
    club.done(phones[1], path, "confirm-end")
    for page in (phones[0].get(path).text, host.get(f"{path}/screen").text):
        assert last_turn_decides(page) == decides
        assert ("counts as last" in page) == bool(decides)


def test_the_last_turn_of_a_game_starts_nothing(evening) -> None:
    club, host, path, phones = evening
    for more in range(2):
        club.done(phones[0], path, "play", play="result", reached="0", last="2")
        club.done(phones[1], path, "confirm-end")
        club.done(host, path, "deal")
        club.done(host, path, "begin")
        for seat, phone in enumerate(phones, 1):
            club.done(phone, path, "look", seat=seat)
        decides = {NEXT} if not more else set()
        assert last_turn_decides(phones[0].get(f"{path}/report").text) == decides
    club.done(phones[0], path, "play", play="result", reached="0", last="")
    assert not last_turn_decides(phones[1].get(path).text)
    club.done(phones[1], path, "confirm-end")
    assert not last_turn_decides(phones[1].get(path).text)


def whoever_s_turn_it_is(club, path: str, phones) -> Callable[..., None]:
    """Reports their play."""

    def play(**fields: str) -> None:
        turn = club.table(path).game_state.now.turn
        club.done(phones[turn], path, "play", seat=turn + 1, **fields)

    return play


def to_the_middle_goal(play: Callable[..., None]) -> None:
    for x, card in enumerate(["EW"] * 3 + ["NESW"] * 3 + ["NEW"], 1):
        play(play="path", card=card, at=f"{x},0")


@pytest.mark.parametrize("edition", ["lv-2009", "et-2007"])
def test_an_end_that_plays_have_brought_about_is_not_contradicted_by_them(
    refereed,
) -> None:
    """By the last card or a circle of passes, or by the treasure."""
    club, host, path, phones = refereed
    club.done(host, path, "begin")

    play = whoever_s_turn_it_is(club, path, phones)
    club.done(host, path, "play", play="count", pile="0")
    while club.table(path).round.waiting_end is None:
        play(play="pass")
    for page in (*(phone.get(path).text for phone in phones), host.get(f"{path}/screen").text):
        assert "Treasure not reached" in page
        assert "By the plays reported" not in page
    club.done(phones[1], path, "stop-end")
    while len(club.table(path).round.undo_steps):
        club.done(host, path, "take-back")
    to_the_middle_goal(play)
    play(play="reveal", goal="middle", card="treasure")
    for page in (*(phone.get(path).text for phone in phones), host.get(f"{path}/screen").text):
        assert "Treasure reached" in page
        assert "By the plays reported" not in page


def test_while_it_waits_the_maze_shows_the_treasure_that_was_told(refereed) -> None:
    """To all, and the other goals stay as they lie; face down again where the end is stopped."""
    club, host, path, phones = refereed
    club.look(path, phones)

    play = whoever_s_turn_it_is(club, path, phones)
    to_the_middle_goal(play)

    def shown(there: bool) -> None:
        for page in (*(phone.get(path).text for phone in phones), host.get(f"{path}/screen").text):
            board = page.partition('id="board"')[2].partition("</svg>")[0]
            assert ('id="c8.0" href="#treasure"' in board) == there
            assert re.findall(r'id="g-(\w+)"', board) == (
                ["north", "south"] if there else ["north", "middle", "south"]
            )
            assert "stone-" not in board
            newest = re.search(r'id="newest"[^>]* transform="translate\((\d+) 0\)"', board)
            assert newest
            assert newest[1] == ("320" if there else "280")
        words = phones[0].get(f"{path}/ask?words=1").text
        assert len(re.findall("face down", words)) == (2 if there else 3)

    shown(there=False)
    play(play="reveal", goal="middle", card="treasure")
    assert club.table(path).round.waiting_end is not None
    shown(there=True)
    club.done(phones[1], path, "stop-end")
    shown(there=False)
    play(play="reveal", goal="middle", card="NW")
    assert "stone-NW" in phones[0].get(path).text


def test_while_it_waits_the_maze_shows_the_last_card_that_was_laid(refereed) -> None:
    """To all, with no place for another, which nobody has; and no more where the end is stopped."""
    club, host, path, phones = refereed
    club.look(path, phones)
    club.done(host, path, "play", play="count", pile="0")

    play = whoever_s_turn_it_is(club, path, phones)

    def shown(there: bool) -> None:
        for page in (*(phone.get(path).text for phone in phones), host.get(f"{path}/screen").text):
            board = page.partition('id="board"')[2].partition("</svg>")[0]
            assert ('id="c1.1"' in board) == there
            newest = re.search(r'id="newest"[^>]* transform="translate\((\S+) (\S+)\)"', board)
            assert (newest and newest.groups()) == (("40", "-58") if there else None)
            assert bool(re.search(r'id="p-?\d', board)) != there

    hands = sum(club.table(path).game_state.now.hands)
    for number in range(hands - 1):
        if number % 3 == 0:
            x = number // 3 + 1
            play(play="path", card="EW" if x in (2, 3, 4) else "NESW", at=f"{x},0")
        else:
            play(play="pass")
    shown(there=False)
    play(play="path", card="NESW", at="1,1")
    assert club.table(path).round.waiting_end is not None
    shown(there=True)
    club.done(phones[1], path, "stop-end")
    shown(there=False)


def test_while_it_waits_no_words_contradict_the_cards_that_lie_there(refereed) -> None:
    """A goal that lies turned is not being turned over, whoever laid the last card has it no more
    in hand, and it can come no more. Where the end is stopped, all is as it was."""
    club, host, path, phones = refereed
    club.look(path, phones)

    play = whoever_s_turn_it_is(club, path, phones)

    def pages() -> list[str]:
        return [*(phone.get(path).text for phone in phones), host.get(f"{path}/screen").text]

    to_the_middle_goal(play)
    turns = "A goal card has been reached and is being turned over."
    assert all(turns in page for page in pages()[1:])
    play(play="reveal", goal="middle", card="treasure")
    assert not any(turns in page for page in pages())
    club.done(phones[1], path, "stop-end")
    assert all(turns in page for page in pages()[1:])
    club.done(host, path, "take-back")

    club.done(host, path, "play", play="count", pile="0")
    while sum(club.table(path).game_state.now.hands) > 1:
        play(play="pass")

    def shown(in_hand: str, left: int) -> None:
        for page in pages():
            assert sorted(re.findall(r"(\d) cards? in hand", page)) == ["0", "0", in_hand]
            assert ("everyone plays their last card" in page) == (in_hand == "1")
        assert f"<b>{left}</b>/5" in phones[0].get(f"{path}/ask?copies=1").text

    shown("1", 2)
    play(play="path", card="NESW", at="4,1")
    assert club.table(path).round.waiting_end is not None
    shown("0", 1)
    club.done(phones[1], path, "stop-end")
    shown("1", 2)


LAST_CARDS = {
    "path": {"card": "NESW", "at": "1,0"},
    "break": {"tool": "cart", "target": "1"},
    "pass": {},
}


@pytest.mark.parametrize("kind", LAST_CARDS)
def test_while_it_waits_the_last_card_is_in_no_hand(refereed, kind: str) -> None:
    club, host, path, phones = refereed
    club.look(path, phones)
    club.done(host, path, "play", play="count", pile="0")
    play = whoever_s_turn_it_is(club, path, phones)
    while sum(club.table(path).game_state.now.hands) > 1:
        play(play="pass")

    def in_hand() -> set[str]:
        pages = (*(phone.get(path).text for phone in phones), host.get(f"{path}/screen").text)
        return {"".join(sorted(re.findall(r"(\d) cards? in hand", page))) for page in pages}

    assert in_hand() == {"001"}
    play(play=kind, **LAST_CARDS[kind])
    assert club.table(path).round.waiting_end is not None
    assert in_hand() == {"000"}
    club.done(phones[1], path, "stop-end")
    assert in_hand() == {"001"}
    club.done(host, path, "play", play="result", reached="0", last="1")
    assert in_hand() == {"001"}, "no play has ended it"


def test_while_an_end_waits_sheets_say_so(refereed) -> None:
    """Whose turn it is has not become another's, and nothing is offered that would be refused."""
    club, host, path, phones = refereed
    club.done(host, path, "begin")
    for seat, phone in enumerate(phones, 1):
        club.done(phone, path, "look", seat=seat)
    club.done(phones[0], path, "play", play="path", card="EW", at="1,0", seat=1)
    (entry,) = re.findall(r"entry=e\d+", phones[0].get(path).text)
    assert "/do/correct" in phones[0].get(f"{path}/ask?{entry}&card=1").text
    club.done(host, path, "play", play="result", reached="0", last="1")
    turn = phones[club.table(path).game_state.now.turn]
    for asked in ("who=1", "act=1", "fall=8,2", "place=2,0", "goal=1"):
        sheet = turn.get(f"{path}/ask?{asked}").text
        assert "It is not your turn" not in sheet, asked
        assert "Not now" in sheet, asked
        assert "The host has just reported how the round ended." in sheet, asked
    assert "/do/correct" not in phones[0].get(f"{path}/ask?{entry}&card=1").text
    count = host.get(f"{path}/ask?count=1").text
    assert "Not now" in count
    assert 'name="pile"' not in count


def test_after_a_report_is_taken_back_the_round_goes_on(refereed) -> None:
    """By its plays, or until somebody reports again."""
    club, host, path, phones = refereed
    club.look(path, phones)
    club.done(host, path, "play", play="result", reached="0", last="2")
    club.clock.now += 10
    page = host.get(path).text
    assert "returns the gold. Then the round goes on. The gold cards that are left" in page
    club.done(host, path, "take-back")
    assert "Your turn" in phones[0].get(path).text


def test_an_end_that_the_host_told_is_nobody_elses_when_it_is_taken_back(clubs) -> None:
    """A host without a seat reports it in the first player's name."""
    club = clubs()
    host = club.phone()
    path = club.open(host, way="referee")
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.look(path, phones)
    club.done(host, path, "play", play="result", reached="0", last="2")
    club.done(host, path, "take-back")
    page = phones[1].get(path).text
    assert "The end of the round was reported." in page
    assert not re.search(r"Anna(</bdi>)? reported", page)


def test_what_a_host_did_stays_the_hosts_when_the_hosting_is_passed_on(refereed) -> None:
    club, host, path, phones = refereed
    club.done(host, path, "begin")
    club.done(host, path, "play", play="pass", seat=1)
    club.done(phones[0], path, "look", seat=1)
    club.done(host, path, "play", play="result", reached="1", finisher="2")
    club.done(host, path, "stop-end", page=f"{path}/host")
    club.done(host, path, "pass-hosting", seat=2)
    text = phones[0].get(path).text
    assert "A former host stopped the end" in text
    assert "Reported by a former host." in text
    assert "eported by the host" not in text


def test_an_end_that_a_host_told_stays_that_hosts_when_the_hosting_is_passed_on(clubs) -> None:
    """Also once it has been taken back: nobody takes it for a report of the new host's."""
    club = clubs()
    host = club.phone()
    path = club.open(host)
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.look(path, phones)
    tell(club, host, path)
    club.done(host, path, "take-back")
    assert "Reported by the host" in phones[0].get(path).text
    club.done(host, path, "pass-hosting", seat=2)
    text = phones[0].get(path).text
    assert "Reported by a former host" in text
    assert "eported by the host" not in text


def test_who_wanted_to_end_the_game_is_no_host_any_more_once_another_one_is(clubs) -> None:
    """Also a host who plays."""
    club = clubs(end_wait_s=10)
    host = club.phone()
    path = club.open(host)
    club.done(host, path, "join", name="Anna")
    berta, carl = club.sit(path, ["Berta", "Carl"])
    club.done(host, path, "start")
    club.look(path, [host, berta, carl])
    club.done(host, path, "finish")
    club.done(carl, path, "stop-end")
    assert "The host wanted to end the game." in berta.get(path).text
    club.done(host, path, "pass-hosting", seat=2)
    text = carl.get(path).text
    assert "A former host wanted to end the game." in text
    assert "The host wanted to end the game." not in text


def test_nobody_is_said_to_have_reported_an_end_where_the_host_ends_the_game(refereed) -> None:
    """To whoever plays on an older page, and on sheets."""
    club, host, path, phones = refereed
    club.look(path, phones)
    version = club.table(path).version
    form = {"play": "pass", "seat": "1", "version": version}

    def said(key: str) -> str:
        answer = phones[0].post(f"{path}/do/play", {**form, "key": key})
        assert answer.status_code == 409
        (refusal,) = re.findall(r'id="refusal".*?</p>', answer.text, re.DOTALL)
        return refusal

    club.done(host, path, "finish")
    sheet = phones[0].get(f"{path}/ask?act=1").text
    for text in (said("waits"), sheet):
        assert "The host is ending the game." in text
        assert "reported how the round ended" not in text
    club.done(phones[1], path, "stop-end")
    assert "Something at the table has just changed." in said("stopped")
    club.done(host, path, "play", play="result", reached="1", finisher="2")
    assert "The host has just reported how the round ended." in said("told")


@pytest.mark.parametrize("way", ["referee"])
def test_the_screen_too_says_first_that_an_end_waits(evening) -> None:
    """Whoever hears a page is told what it has first."""
    club, host, path, phones = evening
    tell(club, host, path)
    for phone, page in ((phones[1], path), (host, f"{path}/screen")):
        first = re.search(r'data-news="([^"]*)"', phone.get(page).text)
        assert first is not None
        assert "Unless somebody stops this" in first[1]


def test_of_a_round_that_was_cut_short_nobody_reads_that_it_was_reported(evening) -> None:
    club, host, path, phones = evening
    club.done(host, path, "finish")
    club.clock.now += 11
    page = phones[0].get(f"{path}/report?dealt=0.1").text
    assert "The round was cut short" in page
    assert "This has been reported" not in page


def test_while_an_end_waits_the_host_is_not_told_of_a_finish_that_is_not_offered(evening) -> None:
    club, host, path, phones = evening
    assert "finish it now" in host.get(f"{path}/host").text
    tell(club, phones[0], path)
    assert "finish it now" not in host.get(f"{path}/host").text
