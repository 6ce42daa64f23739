"""The Game of Trains where no plays are reported: the turn, the gaps, a row that has risen."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from companion.games.trains.rules.model import EVENTS, TurnEnded
from companion.tables.codec import decode_events
from tests.kit.parts import shown

NAMES = ["Anna", "Bert", "Carl"]
RISEN = ("3", "12", "36", "41", "55", "60", "77")


class Light:
    def __init__(self, club: Any) -> None:
        self.club = club
        self.host = club.phone()
        self.path = club.open(self.host, game="trains", way="light")
        self.phones = club.sit(self.path, NAMES)
        club.done(self.host, self.path, "start", starter=2)

    @property
    def state(self) -> Any:
        return self.club.table(self.path).game_state

    def tell(self, seat: int, play: str, phone: Any = None, **more: Any) -> int:
        form = {"play": play, "seat": seat + 1, **more}
        phone = phone or self.phones[seat]
        return int(self.club.do(phone, self.path, "play", **form).status_code)

    def pages(self) -> list[str]:
        guest = self.host.get(f"{self.path}/screen").text
        return [*(phone.get(self.path).text for phone in self.phones), guest]

    def drafted(self) -> Light:
        for seat in (1, 2, 0):
            assert self.tell(seat, "next") == 303
        return self


@pytest.fixture
def light(club) -> Light:
    return Light(club)


def plain(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))


def own_heading(page: str) -> str:
    """What a phone says above all to its own player."""
    found = re.search(r'<div id="mine" class="turn mine"[^>]*><h1>(.*?)</h1>', page)
    return found[1] if found else ""


def test_where_nobody_is_asked_what_cards_can_do_there_is_no_deck_to_save(light) -> None:
    assert "deck.json" not in light.host.get(f"{light.path}/host").text


def test_a_phone_says_that_it_is_its_own_turn(light) -> None:
    for seat in (1, 2, 0):
        own = [phone.get(light.path).text for phone in light.phones]
        assert ["<h1>Your turn</h1>" in page for page in own] == [at == seat for at in range(3)]
        assert light.tell(seat, "next") == 303


def told_where_cards_go(light: Light) -> list[bool]:
    """By phone, then on the table screen: nobody else says where a replaced wagon goes."""
    leaves = "The wagon that leaves your row joins the face-up cards."
    pairs = "When two face-up cards have the same ability, both are discarded at once."
    return [f"{leaves} {pairs}" in plain(page) for page in light.pages()]


def test_a_phone_with_several_seats_says_what_to_do_for_the_one_that_acts(club) -> None:
    host, two = club.phone(), club.phone()
    path = club.open(host, game="trains", way="light")
    assert two.post(club.join_path(path), {"name": "Anna", "key": "a"}).status_code == 303
    club.done(two, path, "join", name="Bert")
    club.sit(path, ["Carl"])
    club.done(host, path, "start", starter=2)
    for name, draws in (("Bert", "draw 1 card"), ("Anna", "draw 3 cards")):
        if name == "Anna":
            for seat in (2, 3):
                club.done(host, path, "play", play="next", seat=seat)
        page = plain(two.get(path).text)
        assert f"Turn: {name} " in page
        assert f"Opening draft: {draws}" in page
        assert "Your turn" not in page


def test_it_says_whose_turn_it_is_from_the_draft_on(light) -> None:
    for step, seat in enumerate((1, 2, 0), 1):
        for page in light.pages():
            assert f"Turn: {NAMES[seat]}" in re.sub(r"</?bdi[^>]*>", "", page)
            own = '<div id="mine" class="turn mine"' in page
            assert (f"Opening draft: draw {step} card" in page) == own
            assert ("in place of a wagon in your row" in page) == own
            everybody = "Cards to draw: 1\xa0(Bert), 2\xa0(Carl), 3\xa0(Anna)"
            assert everybody in unescape(re.sub(r"</?bdi[^>]*>", "", page))
            assert ("The aim:" in page) == (step == 1)
        assert told_where_cards_go(light) == [at == seat for at in range(4)]
        assert light.tell((seat + 1) % 3, "next") == 409
        assert light.tell(seat, "next") == 303
    assert light.state.phase == "turn"
    assert told_where_cards_go(light) == [False, True, False, False]
    asked = ["Draw a card, or use a face-up card." in page for page in light.pages()]
    assert asked == [False, True, False, False], "only whose turn it is is told what to do"
    assert 'name="row"' not in light.pages()[1]
    assert "Wagons were removed" in light.pages()[1]
    assert "Wagons were removed" not in light.pages()[0]


def test_gaps_are_filled_from_whoever_removed_clockwise(light) -> None:
    assert light.tell(1, "gaps", lost=["1"]) == 409  # the opening draft is on
    light.drafted()
    sheet = light.phones[1].get(f"{light.path}/ask?gaps=1").text
    assert re.findall(r'name="lost" value="(\d)" checked', sheet) == ["1", "2", "3"]
    assert "not your turn" in light.phones[0].get(f"{light.path}/ask?gaps=1").text
    assert light.tell(1, "gaps", lost=["1", "3"]) == 303
    for seat, left in ((2, ["Carl", "Anna"]), (0, ["Anna"])):
        for page in light.pages():
            order = re.findall(r"<li><bdi[^>]*>(\w+)</bdi></li>", page.partition('id="turn"')[2])
            assert order == left
        removed = "The removed wagons join the face-up cards."
        assert [removed in page for page in light.pages()] == [at == seat for at in range(4)]
        assert [own_heading(phone.get(light.path).text) for phone in light.phones] == [
            "Filling the gaps" if at == seat else "" for at in range(3)
        ]
        assert light.tell(1 if seat == 2 else 2, "next") == 409
        assert light.tell(seat, "next") == 303
    assert (light.state.turn, light.state.owed) == (2, ())
    light.club.done(light.host, light.path, "take-back")
    assert light.state.turn == 0
    assert light.tell(0, "next", phone=light.host) == 303
    assert light.tell(2, "gaps") == 303  # all were protected
    assert light.state.turn == 0


def test_on_the_table_screen_the_host_says_who_lost_a_wagon(light) -> None:
    light.drafted()
    screen = light.host.get(f"{light.path}/screen").text
    assert re.findall(r'name="lost" value="(\d)" checked', screen) == ["1", "2", "3"]
    assert 'name="lost"' not in light.phones[0].get(f"{light.path}/screen").text
    assert light.tell(1, "gaps", phone=light.host, lost=["1", "3"]) == 303
    assert 'name="lost"' not in light.host.get(f"{light.path}/screen").text


def test_who_lost_a_wagon_is_ticked_for_one_turn(light) -> None:
    light.drafted()
    folds = set()
    for seat in (1, 2, 0, 1):
        folds |= set(re.findall(r'<details[^>]* id="(.*?)"', light.pages()[3]))
        assert light.tell(seat, "next") == 303
    assert len(folds) == 4


@pytest.mark.parametrize(
    ("row", "status"),
    [
        (RISEN[::-1], 409),
        ((*RISEN[:6], "85"), 409),
        (("3", *RISEN[:6]), 409),
        (RISEN[1:], 400),
        ((*RISEN[:6], "x"), 400),
    ],
)
def test_a_row_that_has_not_risen(light, row: tuple[str, ...], status: int) -> None:
    light.drafted()
    assert light.tell(0, "claim", row=list(row)) == status
    assert light.state.winner is None


def test_of_a_row_that_has_not_risen_it_is_said_where_it_falls(light) -> None:
    light.drafted()
    row = ["3", "12", "41", "36", "55", "50", "77"]
    answer = light.club.do(light.host, light.path, "play", play="claim", seat="1", row=row)
    assert "after 41 comes 36." in shown(answer)


def test_a_row_that_has_risen_wins_whoever_is_to_play(light) -> None:
    light.drafted()
    sheet = light.phones[0].get(f"{light.path}/ask?claim=1").text
    assert 'type="hidden" name="seat" value="1"' in sheet
    assert "claimer" not in sheet, "there is nobody to choose from"
    assert light.tell(1, "claim", phone=light.phones[0], row=list(RISEN)) == 403
    assert light.tell(0, "claim", row=list(RISEN)) == 303
    assert light.state.winner == 0
    for seat, page in enumerate(light.pages()):
        assert "Winner: Anna" in re.sub(r"</?bdi[^>]*>", "", page)
        assert ("<h1>You have won!</h1>" in page) == (seat == 0)
        assert "Anna 1" in plain(page)
        assert "Row: 3, 12, 36, 41, 55, 60, 77" in page
    assert all("record.jsonl" not in phone.get(light.path).text for phone in light.phones)
    assert light.phones[0].get(f"{light.path}/record.jsonl").status_code == 409
    assert light.phones[0].get(f"{light.path}/record.jsonl?game=1").status_code == 409
    assert light.tell(2, "next") == 409
    light.club.done(light.host, light.path, "take-back")
    assert light.state.winner is None


@pytest.mark.parametrize("risen", [True, False])
def test_at_the_end_no_row_that_nobody_knows_is_shown(light, risen: bool) -> None:
    light.drafted()
    if risen:
        assert light.tell(0, "claim", row=list(RISEN)) == 303
    else:
        light.club.done(light.host, light.path, "finish")
    for page in light.pages():
        assert "Not entered yet." not in page
        assert re.findall(r'id="train-(\d)"', page) == ["1"] * risen
        assert "trainlist" not in page or risen, "no list stands empty"
        assert ("The game was abandoned." in page) == (not risen)
        assert ('data-news="The game was abandoned."' in page) == (not risen), "heard once"


def chosen(page: str) -> list[str]:
    """What the select of players stands on before anybody has touched it."""
    select = page.partition('id="claimer"')[2].partition("</select>")[0]
    options = re.findall(r"<option[^>]*>[^<]*", select)
    stands_on = [option for option in options if " selected" in option] or options[:1]
    return [option.partition(">")[2] for option in stands_on]


def test_where_several_may_claim_whose_turn_it_is_is_chosen_beforehand(light) -> None:
    for seat in (1, 2, 0):
        assert chosen(light.host.get(f"{light.path}/ask?claim=1").text) == [NAMES[seat]]
        assert light.tell(seat, "next") == 303
    assert light.tell(1, "gaps", lost=["1", "3"]) == 303
    assert chosen(light.host.get(f"{light.path}/ask?claim=1").text) == ["Carl"], "who fills a gap"


def test_where_whose_turn_it_is_may_not_claim_the_first_is_chosen(club) -> None:
    host = club.phone()
    path = club.open(host, game="trains", way="light")
    guest, shared = club.sit(path, ["Anna", "Bert"])
    club.done(shared, path, "join", name="Carl")
    club.done(host, path, "start", starter=1)
    sheet = shared.get(f"{path}/ask?claim=1").text
    assert chosen(sheet) == ["Bert"]
    assert "Whose row is in order?" in sheet
    club.done(guest, path, "play", play="next", seat=1)
    club.done(shared, path, "play", play="next", seat=2)
    assert chosen(shared.get(f"{path}/ask?claim=1").text) == ["Carl"]


def test_on_a_phone_with_one_seat_nobody_is_asked_whose_row_it_is(light) -> None:
    phones = (light.phones[0], light.host)
    own, host = (phone.get(f"{light.path}/ask?claim=1").text for phone in phones)
    assert ("Is your row in order?" in own, "Whose row is in order?" in own) == (True, False)
    assert ("Is your row in order?" in host, "Whose row is in order?" in host) == (False, True)


def test_who_fills_a_gap_does_not_end_a_turn(light) -> None:
    light.drafted()
    assert light.tell(1, "gaps", lost=["3", "1"]) == 303
    for seat in (2, 0):
        assert light.tell(seat, "next") == 303
        for page in light.pages():
            assert f"The gap is filled: {NAMES[seat]}" in plain(page.partition('id="turn"')[2])
            assert "ends the turn" not in page
    assert light.tell(2, "next") == 303
    assert all("Carl ends the turn." in plain(page) for page in light.pages())


def test_a_gap_that_was_filled_before_this_was_told_apart_can_still_be_read() -> None:
    (event,) = decode_events(EVENTS, [{"event": "TurnEnded", "seat": 1}])
    assert event == TurnEnded(1)


def test_nothing_else_can_be_told(light) -> None:
    light.drafted()
    for play in ("draw", "deal", "use", "pass", ""):
        assert light.tell(1, play, card="5", at="1", ability="protect") == 400
    assert light.tell(1, "gaps", lost=["9"]) == 404
    answer = light.club.do(light.phones[0], light.path, "correct", card="5", number="6")
    assert answer.status_code == 400


def test_one_device_plays_for_all(club) -> None:
    tablet = club.phone()
    path = club.open(tablet, game="trains", way="light")
    for name in NAMES:
        club.done(tablet, path, "add-seat", name=name)
    club.done(tablet, path, "start", starter=1)
    for seat in (1, 2, 3, 1):
        for page in (path, f"{path}/screen"):
            form = tablet.get(page).text.partition('id="deeds"')[2]
            assert f'name="seat" value="{seat}"' in form
        club.done(tablet, path, "play", play="next", seat=seat)


@pytest.mark.parametrize("way", ["light", "referee"])
def test_a_record_of_an_abandoned_game_is_promised_where_there_will_be_one(club, way: str) -> None:
    host = club.phone()
    path = club.open(host, game="trains", way=way)
    club.sit(path, NAMES)
    club.done(host, path, "start", starter=1)
    page = host.get(f"{path}/host").text
    assert "Nobody wins" in page
    promised = "can be saved as a record" in page
    club.done(host, path, "finish")
    assert promised == (host.get(f"{path}/record.jsonl").status_code == 200)


def test_records_are_offered_of_games_that_have_one(light) -> None:
    """Of two, the first without reports."""
    phone = light.phones[0]
    for way in ("light", "referee"):
        if way == "referee":
            light.club.done(light.host, light.path, "configure", way=way)
            light.club.done(light.host, light.path, "start", starter="1")
            assert light.tell(0, "deal", row=list(RISEN)) == 303
        light.club.done(light.host, light.path, "finish")
        links = re.findall(r'record.jsonl[^"]*', phone.get(light.path).text)
        assert links == ["record.jsonl?game=2"] * (way == "referee")
    light.club.done(light.host, light.path, "configure", way="light")
    assert "record.jsonl" in phone.get(light.path).text
    light.club.done(light.host, light.path, "start", starter="1")
    light.club.done(light.host, light.path, "finish")
    assert re.findall(r'record.jsonl[^"]*', phone.get(light.path).text) == ["record.jsonl?game=2"]


@pytest.mark.parametrize(
    "asked", ["card=5&at=1", "use=remove", "act=1", "wagon=5", "deal=1", "mend=1"]
)
def test_no_sheet_is_about_a_row_that_nobody_has_typed(light, asked: str) -> None:
    for phone in light.phones:
        assert phone.get(f"{light.path}/ask?{asked}").status_code == 400, "nothing is played yet"
    light.drafted()
    for gaps in (False, True):
        if gaps:
            assert light.tell(1, "gaps", lost=["1", "3"]) == 303
        for phone in light.phones:
            assert phone.get(f"{light.path}/ask?{asked}").status_code == 400, gaps


def test_nobody_loses_a_wagon_in_the_opening_draft(light) -> None:
    sheet = light.phones[1].get(light.path + "/ask?gaps=1").text
    assert "Who lost a wagon?" not in sheet
    assert "The opening draft is on" in sheet
    assert light.tell(1, "gaps", lost="1") == 409


def test_the_page_knows_whose_turn_it_is(light) -> None:
    """So a phone can give a nudge."""

    def turns() -> list[str]:
        pages = (phone.get(light.path).text for phone in light.phones)
        return re.findall(r'<main [^>]*data-turn="(\w*)"', "".join(pages))

    assert turns() == ["", "mine", ""]
    light.tell(1, "next")
    assert turns() == ["", "", "mine"]
