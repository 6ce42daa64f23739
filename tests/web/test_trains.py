"""The Game of Trains through real requests: whole games by forms, and what each page says."""

from __future__ import annotations

import html
import json
import random
import re
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from companion.games import GAMES
from companion.games.trains.rules.abilities import ABILITIES
from companion.games.trains.rules.model import Deal, Draft, Draw, Play, Refill, Use
from companion.record import verdicts
from companion.tables import evolve_play
from tests.games.trains.dealer import Dealer
from tests.kit import pages
from tests.kit.forms import form_of, opening
from tests.kit.parts import shown

RECORDS = Path(__file__).resolve().parents[1] / "games" / "trains" / "records"
NAMES = ["Anna", "Bert", "Carl", "Dora"]
FIRST_VISIT_BYTES = 30_000
UPDATE_BYTES = 2_600

ROWS = (
    (77, 60, 55, 41, 36, 12, 3),
    (84, 70, 50, 40, 30, 20, 10),
    (83, 71, 51, 42, 31, 21, 11),
)


class Table:
    """A table of trains: the laptop hosts, everybody has a phone."""

    def __init__(self, club: Any, seats: int, starter: int = 0) -> None:
        self.club = club
        self.host = club.phone()
        self.path = club.open(self.host, game="trains")
        self.phones = club.sit(self.path, NAMES[:seats])
        club.done(self.host, self.path, "start", starter=starter + 1)

    @property
    def state(self) -> Any:
        return self.club.table(self.path).game_state

    def try_play(self, play: Play, phone: Any = None) -> TestResponse:
        answer = self.club.do(phone or self.phones[play.by], self.path, "play", **form_of(play))
        assert isinstance(answer, TestResponse)
        return answer

    def play(self, *plays: Play, phone: Any = None) -> None:
        for each in plays:
            answer = self.try_play(each, phone)
            assert answer.status_code == 303, (each, re.sub(r"\s+", " ", answer.text)[-900:])

    def page(self, seat: int) -> str:
        return str(self.phones[seat].get(self.path).text)

    def deal_form(self, seat: int) -> dict[str, Any]:
        """What the page of a phone holds, as it is now, for its row."""
        form = re.search(r'id="deal-\d".*?</form>', self.page(seat), re.DOTALL)
        assert form is not None
        return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form[0]))

    def ask(self, seat: int, query: str) -> TestResponse:
        answer = self.phones[seat].get(f"{self.path}/ask?{query}")
        assert isinstance(answer, TestResponse)
        return answer

    def dealt(self) -> Table:
        self.play(*(Deal(seat, ROWS[seat]) for seat in range(len(self.phones))))
        return self

    def dealt_rest(self) -> Table:
        self.play(*(Deal(seat, ROWS[seat]) for seat in (1, 2)))
        return self

    def correct(self, phone: Any, **wrong: Any) -> TestResponse:
        answer = self.club.do(phone, self.path, "correct", **wrong)
        assert isinstance(answer, TestResponse)
        return answer

    def drafted(self) -> Table:
        """Anna has 15 for 60, Bert 33 for 70, Carl 44 for 51; three cards lie face up."""
        self.dealt().play(
            Draft(0, 15, 2, "swap_over_one"),
            Draft(1, 33, 2, "protect"),
            Draft(2, 44, 3, "remove_middle"),
        )
        return self


@pytest.fixture
def three(club) -> Table:
    return Table(club, 3)


# Opening


def test_opening_from_a_form_that_holds_another_games_choices_too(club) -> None:
    host = club.phone()
    others = opening("saboteur", edition="lv-2009", way="roles")
    path = host.post("/open", {"key": "open", **others, "game": "trains"}).location
    table = club.table(path)
    assert (table.game.name, table.edition, table.way) == ("trains", "et-2015", "referee")


def test_the_home_page_offers_every_game_and_remembers_the_last_that_was_played(club) -> None:
    """Not one that was only opened: that may have been the wrong one."""
    phone = club.phone()

    def offered() -> list[tuple[str, str]]:
        return re.findall(r'name="game"[^>]*value="(\w+)"( checked)?', phone.get("/").text)

    assert offered() == [("saboteur", " checked"), ("trains", "")]
    path = club.open(phone, game="trains")
    club.sit(path, NAMES)
    assert offered() == [("saboteur", " checked"), ("trains", "")]
    club.done(phone, path, "start")
    assert offered() == [("saboteur", ""), ("trains", " checked")]


def test_who_is_in_the_midst_of_a_game_is_not_led_to_open_another_table(club) -> None:
    phone = club.phone()
    path = club.open(phone, game="trains")
    club.sit(path, NAMES)

    def is_loud() -> bool:
        (classes,) = re.findall(r'<button class="([^"]*)"><span>Open a table', phone.get("/").text)
        return "main" in classes.split()

    assert is_loud()
    club.done(phone, path, "start")
    assert not is_loud()
    club.done(phone, path, "finish")
    assert is_loud()


def test_two_to_four_play(club) -> None:
    host = club.phone()
    path = club.open(host, game="trains")
    phones = club.sit(path, NAMES[:1])
    assert club.do(host, path, "start").status_code == 409
    club.sit(path, NAMES[1:])
    answer = club.phone().post(club.join_path(path), {"name": "Emil", "key": "join"})
    assert answer.status_code == 409
    club.done(host, path, "start")
    assert "Game of Trains" in phones[0].get(path).text


def test_nothing_of_another_game_shows(club) -> None:
    table = Table(club, 2)
    host, path = table.host, table.path
    texts = [*pages.seen(host, path).values(), *pages.seen(table.phones[0], path).values()]
    for page in (*texts, club.phone().get(club.join_path(path)).text):
        said = re.sub(r"<[^>]*>", " ", page.partition("<body>")[2])
        assert not re.search(r"(?i)saboteur|gold|\broles?\b|\bround\b|dwarf", said)
        assert "#dwarf" not in page
        assert 'name="edition"' not in page
        assert 'name="way"' not in page
    for secret in ("role", "gold"):
        assert table.phones[0].post(f"{path}/{secret}", {"seat": 1}).status_code == 409
    assert table.phones[0].get(f"{path}/record.jsonl?game=1").status_code == 409


@pytest.mark.parametrize("language", ["en", "et", "lt", "lv", "fi"])
def test_what_the_game_is_called_is_said_after_its_name(club, language: str) -> None:
    called = {
        "en": "Game of Trains",
        "et": "Game of Trains – Rongimäng",
        "lt": "Game of Trains – Traukinių žaidimas",
        "lv": "Game of Trains – Vilcienu spēle",
        "fi": "Game of Trains – Junapeli",
    }[language]
    host = club.phone(language)
    path = club.open(host, game="trains")
    (guest,) = club.sit(path, ["Anna"], (language,))
    for page in ("/", "/rules/trains", path, f"{path}/screen", club.join_path(path)):
        phone = guest if page == path else club.phone(language) if "/j/" in page else host
        assert f">{called}" in phone.get(page).text, page


def test_faces_are_the_games_own(club) -> None:
    for game, face in (("trains", "loco"), ("saboteur", "dwarf")):
        path = club.open(club.phone(), game=game)
        for page in (club.sit(path, ["Anna"])[0].get(path), club.phone().get(club.join_path(path))):
            assert f'<span class="face"><svg class="i" aria-hidden="true"><use href="#{face}"' in (
                page.text
            )
            assert f'<symbol id="{face}"' in page.text


# The deal


def test_a_row_is_typed_in_any_order(three) -> None:
    assert three.page(0).count('name="row"') == 7
    three.play(Deal(0, ROWS[0]))
    assert three.state.rows[0] == ROWS[0]
    assert 'name="row"' not in three.page(0)
    assert ">Row: 77, 60, 55, 41, 36, 12, 3<" in three.page(1)


@pytest.mark.parametrize(
    ("row", "status", "said"),
    [
        ((60, 9, 8, 7, 6, 5, 4), 409, "Wagon 60 is already in a row: Anna"),
        ((9, 9, 8, 7, 6, 5, 4), 409, "Wagon 9 is already in a row: Bert"),
        ((85, 9, 8, 7, 6, 5, 4), 409, "Wagons are numbered from 1 to 84."),
        ((9, 8, 7, 6, 5, 4), 400, "That could not be understood."),
        (("x", 9, 8, 7, 6, 5, 4), 400, "That could not be understood."),
    ],
)
def test_a_row_that_cannot_be(three, row: tuple[Any, ...], status: int, said: str) -> None:
    three.play(Deal(0, ROWS[0]))
    form = {"play": "deal", "seat": 2, "row": list(row)}
    answer = three.club.do(three.phones[1], three.path, "play", **form)
    assert answer.status_code == status
    assert said in re.sub(r"</?bdi[^>]*>", "", answer.text)
    assert not three.state.rows[1]


@pytest.mark.parametrize("headers", [{}, {"X-Requested-With": "fetch"}])
def test_rows_typed_at_the_same_moment_are_both_taken(three, headers: dict[str, str]) -> None:
    """Each seat once, in any order: a row that somebody else has typed is no reason to refuse."""
    forms = [three.deal_form(seat) for seat in range(3)]
    for seat, form in enumerate(forms):
        form |= {"row": list(reversed(ROWS[seat]))}
        answer = three.phones[seat].post(f"{three.path}/do/play", form, **headers)
        assert answer.status_code == (200 if headers else 303), answer.text
    assert three.state.rows == ROWS


@pytest.mark.parametrize("headers", [{}, {"X-Requested-With": "fetch"}])
def test_a_refused_row_comes_back_as_it_was_typed(three, headers: dict[str, str]) -> None:
    form = three.deal_form(1)
    three.play(Deal(0, ROWS[0]))
    form |= {"row": ["9", "60", "8", "7", "<6>", "5", "4"]}
    answer = three.phones[1].post(f"{three.path}/do/play", form, **headers)
    assert answer.status_code == 400
    form |= {"row": ["9", "60", "8", "7", "6", "5", "4"], "key": "again"}
    answer = three.phones[1].post(f"{three.path}/do/play", form, **headers)
    assert answer.status_code == 409
    assert "Wagon 60 is already in a row" in shown(answer)
    typed = re.findall(r'name="row"[^>]*? value="([^"]*)"', shown(answer))
    assert typed == form["row"]
    assert not re.search(r'name="row"[^>]*? value=', three.page(1))


@pytest.mark.parametrize("headers", [{}, {"X-Requested-With": "fetch", "X-Stream": "open"}])
def test_of_what_is_typed_no_more_is_shown_than_a_row_has_and_nothing_kept(
    three, headers: dict[str, str]
) -> None:
    form = three.deal_form(1)
    html = three.club.app.extensions["companion"].html
    form |= {"row": ["1234567", "\N{GRINNING FACE}" * 1000, *"345678", "9" * 1000]}
    answer = three.phones[1].post(f"{three.path}/do/play", form, **headers)
    assert answer.status_code == 400
    typed = re.findall(r'name="row"[^>]*? value="([^"]*)"', shown(answer))
    assert typed == ["1234", "\N{GRINNING FACE}" * 4, *"34567"]
    assert not any(b"1234" in text for kept in html._kept.values() for text in kept.values())
    assert all("1234" not in repr(view) for view in html._kept)


def test_of_a_row_that_was_not_typed_nobody_says_that_it_was_not_dealt(three) -> None:
    """The cards lie on the table, and wait for their owner."""
    three.play(Deal(0, ROWS[0]))
    page = three.page(0)
    assert page.count("Not entered yet.") == 2
    assert "Not dealt yet." not in page


def test_what_is_refused_at_once_is_in_the_page_in_the_readers_language(club) -> None:
    table = Table(club, 2)
    table.phones[0].language = "et"
    page = table.page(0).replace("\N{NO-BREAK SPACE}", " ")
    assert 'data-row="Vagun 99 on juba reas: @"' in page
    assert 'data-range="Vagunite numbrid on 1 kuni 84."' in page


def test_the_host_reports_for_anyone(three) -> None:
    assert "Report for:" not in three.page(1)
    assert 'name="row"' in three.host.get(three.path).text
    three.play(Deal(1, ROWS[1]), phone=three.host)
    three.play(Deal(0, ROWS[0]), Deal(2, ROWS[2]))
    sheet = three.host.get(f"{three.path}/ask?act=1")
    assert "Reporting for:" in sheet.text
    assert 'data-kind="act"' in sheet.text
    assert "Opening draft. Cards to draw: 1" in sheet.text
    assert "your row" not in sheet.text
    three.play(Draft(0, 15, 2, "protect"), phone=three.host)
    assert three.state.rows[0][1] == 15


def test_a_host_without_a_seat_is_asked_for_another_ones_wagons(three) -> None:
    yours = "Which wagons were you dealt?"
    assert yours in three.page(0)
    page = re.sub(r"</?bdi[^>]*>", "", three.host.get(three.path).text)
    assert yours not in page
    assert "<h1>Anna</h1>" in page
    three.play(Deal(0, ROWS[0]))
    assert "<h1>Bert</h1>" in re.sub(r"</?bdi[^>]*>", "", three.host.get(three.path).text)


def test_what_is_reported_from_the_table_screen_leads_back_there(three) -> None:
    """Also without a script, for which a number and its place go on by a form."""
    three.dealt()
    hidden = '<input type="hidden" name="screen" value="1">'
    sheet = f"{three.path}/ask?act=1"
    assert hidden in form_put(three.host.get(f"{sheet}&screen=1").text)
    assert hidden not in form_put(three.host.get(sheet).text)
    assert hidden in form_put(three.phones[0].get(f"{three.path}?screen=1").text)
    assert hidden not in form_put(three.page(0))


def form_put(page: str) -> str:
    form = re.search(r'<form class="put".*?</form>', page, re.DOTALL)
    assert form is not None
    return form[0]


def test_the_reason_of_a_refusal_is_read_with_its_dialog(three) -> None:
    sheet = three.drafted().ask(0, "card=33&at=1").text
    assert 'role="alertdialog"' in sheet
    assert 'aria-describedby="why"' in sheet
    assert re.search(r'<p id="why">Wagon 33 ', sheet)


def test_after_a_game_every_phone_says_who_can_start_another(three) -> None:
    """A laptop that hosts without a seat has no name."""
    three.club.done(three.host, three.path, "finish")
    assert "The host can start another game." in three.page(0)
    three.club.done(three.host, three.path, "add-seat", name="Host")
    assert "The host can start another game." not in three.host.get(three.path).text


def test_the_record_of_the_last_game_is_offered_once(three) -> None:
    three.dealt()
    three.club.done(three.host, three.path, "finish")
    assert records(three.page(0)) == ["1"]
    three.club.done(three.host, three.path, "new-game", starter=1)
    three.dealt()
    three.club.done(three.host, three.path, "finish")
    assert sorted(records(three.page(0))) == ["1", "2"]


def records(page: str) -> list[str]:
    """Of which games the page offers them."""
    return re.findall(r'href="/t/[\w-]+/record\.jsonl\?game=(\d)"', page)


def test_the_host_takes_back_step_by_step_in_the_deal_too(three) -> None:
    three.play(Deal(0, ROWS[0]), Deal(1, ROWS[1]), phone=three.host)
    page = three.host.get(three.path).text
    assert 'id="deal-3"' in page
    assert "/do/take-back" in page
    assert "/do/take-back" not in three.page(2)
    for _ in range(2):
        three.club.done(three.host, three.path, "take-back")
    assert three.state.rows == ((), (), ())


def test_where_nothing_is_secret_no_phone_is_handed_on(club) -> None:
    for game, handed in (("saboteur", True), ("trains", False)):
        host = club.phone()
        path = club.open(host, game=game)
        (phone,) = club.sit(path, NAMES[:1])
        page = phone.get(f"{path}/seat").text
        assert "For somebody without a phone." in page
        assert ("The phone is handed on when cards are looked at." in page) == handed


def test_the_hosts_own_page_answers_what_was_taken_back(three) -> None:
    def said() -> str:
        page = re.sub(r"</?(bdi|b)[^>]*>", "", three.host.get(f"{three.path}/host").text)
        (game,) = re.findall(r'<section id="host-game".*?</section>', page, re.DOTALL)
        return re.sub(r"<[^>]+>", "", game)

    three.play(Deal(0, ROWS[0]), Deal(1, ROWS[1]))
    assert "Taken back" not in said()
    three.club.done(three.host, three.path, "take-back")
    assert "Taken back: Bert is dealt this row: 84 70 50" in said()
    assert "in a row" not in said()
    three.club.done(three.host, three.path, "take-back")
    assert "Taken back: Anna is dealt this row: 77 60 55" in said()
    assert "Plays taken back in a row: 2" in said()
    three.play(Deal(0, ROWS[0]))
    assert "Taken back" not in said()


def test_what_lies_beside_the_rows_is_in_the_page_for_who_types(three) -> None:
    three.drafted()
    three.play(Draw(0, 5, 1, "move_left"), Use(1, "protect", 4), Use(2, "remove_middle"))
    for seat in range(3):
        page = three.page(seat)
        assert f'data-owner="Bert" data-protection="{70}"' in page
        assert 'data-owner="Anna" data-removed="41"' in page
        assert 'data-owner="Carl" data-removed="42"' in page
    said = re.sub(r"</?bdi[^>]*>", "", three.page(2))
    for where, words in (("protection", "under a row as a lock"), ("removed", "been removed")):
        assert re.search(rf'data-{where}="[^"]*{words}[^"]*: @"', said)


def test_a_phone_with_two_seats(club) -> None:
    host = club.phone()
    path = club.open(host, game="trains")
    for name in ("Anna", "Bert"):
        club.done(host, path, "join", name=name)
    club.done(host, path, "start")
    for seat in (1, 2):
        page = host.get(f"{path}?seat={seat}").text
        assert f'id="deal-{seat}"' in page
    club.done(host, path, "play", **form_of(Deal(1, ROWS[1])))
    assert 'id="deal-1"' in host.get(f"{path}?seat=2").text


def test_everybody_sees_how_many_cards_are_drawn_in_the_opening_draft(club) -> None:
    table = Table(club, 3, starter=1).dealt()
    for page in (table.page(0), table.page(2), table.host.get(f"{table.path}/screen").text):
        said = re.sub(r"</?bdi[^>]*>", "", page)
        assert "Cards to draw: 1&nbsp;(Bert), 2&nbsp;(Carl), 3&nbsp;(Anna)" in said


def test_in_a_long_game_too_what_is_typed_is_for_one_play(three, monkeypatch) -> None:
    monkeypatch.setattr(evolve_play, "UNDO_STEPS_MAX", 3)
    three.drafted()
    typed = set()
    for seat, wagon in enumerate((61, 62, 63)):
        typed |= set(re.findall(r'id="((?:card|put)-[^"]*)"', three.page(seat)))
        three.play(Draw(seat, wagon, 1, "move_left"))
    assert len(typed) == 6
    assert len({each.split("-")[1] for each in typed}) == 3


def test_no_page_on_which_something_is_typed_loads_itself_anew(three) -> None:
    reload = '<meta http-equiv="refresh"'
    assert reload not in three.page(0)
    three.play(Deal(0, ROWS[0]))
    assert reload in three.page(0)
    three.play(Deal(1, ROWS[1]), Deal(2, ROWS[2]))
    assert reload not in three.page(0)
    assert reload in three.page(1)


# A turn


def test_a_drawn_wagon_is_asked_about_once(three) -> None:
    three.drafted()
    asked = three.ask(0, "card=5&at=1")
    assert "What can wagon 77 do?" in asked.text
    offered = re.findall(r'<button[^>]*name="ability" value="(\w+)"', asked.text)
    assert len(offered) == 8
    three.play(Draw(0, 5, 1, "move_left"), Draw(1, 6, 1, "protect"), Draw(2, 7, 1, "protect"))
    three.play(Draw(0, 84, 1, "remove_left"))  # it was discarded with another that protects
    three.play(Draw(1, 8, 1, "swap_adjacent"), Draw(2, 9, 1, "swap_adjacent"))
    known = three.ask(0, "card=4&at=1")
    assert "Wagon 4 joins the row" in known.text
    assert not re.search(r'<button[^>]*name="ability"', known.text)
    lying = len(three.state.market)
    three.play(Draw(0, 4, 1))
    assert len(three.state.market) == lying - 1  # 84 met the other one that protects


def test_a_number_that_lies_on_the_table(three) -> None:
    three.drafted()
    for number, said in ((84, "Bert"), (60, "face-up"), (85, "1 to 84"), (0, "1 to 84")):
        for answer in (
            three.ask(0, f"card={number}&at=1"),
            three.try_play(Draw(0, number, 1, "protect")),
        ):
            assert said in answer.text
            assert 'href="/rules/trains' in answer.text
    assert three.state.turn == 0


def test_an_ability_shows_the_row_as_it_will_be(three) -> None:
    three.drafted()
    sheet = three.ask(0, "use=swap_over_one").text
    rows = re.findall(r'class="preview".*?aria-label="Row: ([\d, ]+)"', sheet, re.DOTALL)
    assert rows[1] == "77, 41, 55, 15, 36, 12, 3"
    assert len(rows) == 5
    three.play(Use(0, "swap_over_one", 2))
    assert three.state.rows[0] == (77, 41, 55, 15, 36, 12, 3)
    assert "Anna</bdi> swaps the wagons at positions 2 and 4" in three.page(1)


@pytest.mark.parametrize(
    ("at", "rows"),
    [
        (1, ["55, 15, 77, 41, 36, 12, 3"]),
        (2, ["77, 41, 55, 15, 36, 12, 3"]),
        (4, ["77, 41, 55, 15, 36, 12, 3", "77, 15, 55, 12, 36, 41, 3"]),
        (7, ["77, 15, 55, 41, 3, 12, 36"]),
    ],
)
def test_a_wagon_that_is_tapped_for_a_swap_shows_its_rows(three, at: int, rows: list[str]) -> None:
    three.drafted()
    assert "Out of reach" not in three.ask(0, "use=swap_over_one").text
    sheet = three.ask(0, f"use=swap_over_one&at={at}").text
    assert re.findall(r'class="preview".*?aria-label="Row: ([\d, ]+)"', sheet, re.DOTALL) == rows
    assert 'data-reach="1,2,3,4,5,6,7"' in sheet


def test_any_face_up_card_says_what_it_does(three) -> None:
    three.drafted()
    for seat in range(3):
        assert "Put this card under the leftmost" in three.ask(seat, "use=protect").text
        assert "draws a new one" in three.ask(seat, "use=remove_middle").text


def test_a_removal_says_what_it_does_in_the_opening_draft_too(three) -> None:
    three.dealt().play(Draft(0, 15, 2, "remove_middle"))
    sheet = three.ask(1, "use=remove_middle").text
    assert 'data-kind="read"' in sheet


def test_who_has_to_go_is_told_what_an_abandoned_game_is_worth(three) -> None:
    """Nothing is gained before a game is won."""
    seat = three.phones[0].get(f"{three.path}/seat").text
    assert "ask the host to abandon it: then nobody wins" in seat
    assert "gained" not in seat
    host = three.host.get(f"{three.path}/host").text
    assert "abandon it, remove the seat, and start a new game" in host
    assert "finish it now" not in host


def test_where_the_cards_go_is_called(three) -> None:
    def called() -> list[str]:
        (phone,) = {
            re.search(r'id="calls".*?</ul>', page, re.DOTALL)[0]  # type: ignore[index]
            for page in (*map(three.page, range(3)), three.host.get(f"{three.path}/screen").text)
        }
        return re.findall(r"<li>(.*?)</li>", re.sub(r"</?bdi[^>]*>", "", phone))

    three.dealt()
    assert called() == []
    three.play(Draft(0, 15, 2, "swap_over_one"))
    assert called() == ["Anna: Lay face up: 60"]
    three.play(Draft(1, 33, 2, "protect"))
    other = "The other card drawn goes face down on the discard pile."
    assert called() == [f"Bert: {other}", "Lay face up: 70"]
    three.play(Draft(2, 44, 3, "swap_over_one"))
    others = "The other cards drawn go face down on the discard pile."
    assert called() == [f"Carl: {others}", "Discard 60 and 51: they have the same ability."]
    for page in (*map(three.page, range(3)), three.host.get(f"{three.path}/screen").text):
        in_sight = re.sub(r"<[^>]+>", "", page)
        assert in_sight.count("have the same ability") == 1
        assert "Carl keeps wagon 44" in in_sight
    three.play(Use(0, "protect", 4))
    lock = "Put card 70 under wagon 41, so that only the lock can be seen."
    assert called() == [f"Anna: {lock}"]
    three.play(Draw(1, 5, 1, "swap_adjacent"), Draw(2, 6, 1, "remove_left"))
    previews = three.ask(0, "use=swap_adjacent").text.split('class="preview"')[1:]
    lost = [at for at, each in enumerate(previews, 1) if "The protection is lost." in each]
    assert lost == [3, 4]
    three.play(Use(0, "swap_adjacent", 4))
    assert called() == [
        "Anna: Discard card 84: its ability has been used.",
        "Discard the lock, card 70, from under the row: Anna",
    ]
    three.club.done(three.host, three.path, "take-back")
    assert called() == []  # what the play before asked for has been done
    three.play(Draw(0, 7, 1, "swap_adjacent"))
    assert called()


def test_aim_and_set_up_are_said_in_the_deal(three) -> None:
    three.play(Deal(0, ROWS[0]))
    for page in (three.page(0), three.page(1), three.host.get(f"{three.path}/screen").text):
        assert "The aim: be the first whose whole row rises" in page
        assert "a locomotive and seven wagons" in page
    assert "The aim:" not in three.dealt_rest().page(0)


def test_a_lock(three) -> None:
    three.drafted().play(Draw(0, 5, 1, "move_left"))
    sheet = three.ask(1, "use=protect").text
    assert re.findall(r'name="at" value="(\w+)"', sheet.partition('data-kind="use"')[2]) == [
        "left",
        "middle",
        "right",
    ]
    three.play(Use(1, "protect", 4))
    assert "40 with a lock" in three.page(0)
    sheet = re.sub(r"</?bdi[^>]*>", "", three.ask(2, "use=remove_middle").text)
    assert "Protected: Bert" in sheet
    three.play(Use(2, "remove_middle"))
    assert three.state.rows[1][3] == 40


@pytest.mark.parametrize(
    ("seat", "query", "said"),
    [
        (1, "use=protect", "It is not your turn: Anna is to play."),
        (0, "use=protect&at=2", "Only the leftmost, middle or rightmost wagon"),
        (0, "use=move_left", "No face-up card has this ability."),
    ],
)
def test_why_an_ability_cannot_be_used(three, seat: int, query: str, said: str) -> None:
    three.drafted()
    sheet = three.ask(seat, query).text
    assert said in re.sub(r"</?bdi[^>]*>", "", sheet)
    assert 'href="/rules/trains' in re.split('data-kind="(?:refused|read)"', sheet)[1]


def test_where_all_that_could_be_are_protected_it_is_said_of_all(three) -> None:
    """Its sheet is about no wagon."""
    three.drafted()
    spare = iter((5, 6, 8, 9, 13, 14))
    for place in (1, 4, 7):
        three.play(
            Use(0, "protect", place),
            Draw(1, next(spare), 2, "protect"),
            Draw(2, next(spare), 2, "move_left"),
        )
    sheet = three.ask(0, "use=protect").text
    assert "All three wagons that can be protected are protected already." in sheet
    assert "This wagon is already protected." not in sheet


@pytest.mark.parametrize("query", ["use=x", "use=protect&at=9", "card=1&at=8", "card=x&at=1", ""])
def test_sheets_that_no_link_asks_for(three, query: str) -> None:
    assert three.drafted().ask(0, query).status_code == 400


@pytest.mark.parametrize(
    "form",
    [
        {"play": "use"},
        {"play": "use", "ability": "fly"},
        {"play": "use", "ability": "protect", "at": "4"},
        {"play": "use", "ability": "swap_over_one", "at": "x"},
        {"play": "use", "ability": "swap_over_one"},
        {"play": "draw", "card": "5"},
        {"play": "draw", "at": "5", "ability": "protect"},
        {"play": "draw", "card": "5", "at": "9", "ability": "protect"},
        {"play": "pass"},
        {},
    ],
)
def test_forms_that_are_not_ours(three, form: dict[str, str]) -> None:
    three.drafted()
    answer = three.club.do(three.phones[0], three.path, "play", seat=1, **form)
    assert answer.status_code == 400
    assert three.state.turn == 0


def test_a_removal_asks_each_in_order(three) -> None:
    three.drafted()
    three.play(Draw(0, 5, 1, "move_left"), Use(1, "protect", 4))
    sheet = three.ask(2, "use=remove_middle").text
    goes = re.findall(r'<b class="num">(\d+)</b><bdi[^>]*>(\w+)', sheet.partition("chips gone")[2])
    assert goes == [("42", "Carl"), ("41", "Anna")]
    three.play(Use(2, "remove_middle"))
    assert "Wagon 42 was removed." in three.page(2)
    assert 'class="put"' not in three.page(0)
    three.play(Refill(2, 6, "swap_adjacent"))
    assert "Wagon 41 was removed." in three.page(0)
    assert "What can wagon 41 do?" in three.ask(0, "card=8&at=4").text
    three.play(Refill(0, 8, "swap_adjacent"))
    assert three.state.turn == 0
    page = three.page(1)
    assert "Wagons 42 and 41 have the same ability, so both are discarded" in page
    assert "swap_adjacent" not in page.partition('id="market-h"')[2]


def test_removed_wagons_lie_in_sight_until_they_join_the_market(three) -> None:
    three.drafted()
    three.play(Draw(0, 5, 1, "move_left"), Use(1, "protect", 4), Use(2, "remove_middle"))

    def gone(page: str) -> list[tuple[str, str]]:
        _, _, lying = page.partition('class="chips gone"')
        return re.findall(r'<b class="num">(\d+)</b><bdi[^>]*>(\w+)', lying.partition("</ul>")[0])

    def pages() -> list[str]:
        screen = three.host.get(f"{three.path}/screen").text
        return [*map(three.page, range(3)), screen]

    for page in pages():
        assert gone(page) == [("42", "Carl"), ("41", "Anna")], "in the order in which they draw"
        said = re.sub(r"</?bdi[^>]*>", "", page)
        assert "from every row with no lock there: 42\u00a0(Carl), 41\u00a0(Anna)" in said
    three.play(Refill(2, 6, "swap_adjacent"))
    for page in pages():
        assert gone(page) == [("41", "Anna")]
    three.play(Refill(0, 8, "swap_adjacent"))
    for page in pages():
        assert gone(page) == []


def test_a_drawn_wagon_that_wins_is_said_to_before_it_is_played(club) -> None:
    table = Table(club, 2)
    table.play(Deal(0, (70, 60, 50, 40, 30, 20, 10)), Deal(1, (71, 61, 51, 41, 31, 21, 11)))
    for place, wagon in enumerate((1, 2, 3, 4, 5), 1):
        kind = Draft if place == 1 else Draw
        table.play(kind(0, wagon, place, ABILITIES[place % 2]), kind(1, 80 - place, 7, "protect"))
    asked = table.ask(0, "card=6&at=6").text
    assert "One more answer, and the game is won." in asked
    assert "wins" not in table.ask(0, "card=6&at=5").text


def test_a_face_up_card_that_wins(club) -> None:
    table = Table(club, 2)
    table.play(Deal(0, (70, 60, 50, 40, 30, 20, 10)), Deal(1, (71, 61, 51, 41, 31, 21, 11)))
    for place, wagon in enumerate((1, 2, 3, 4, 6, 5, 7), 1):
        kind = Draft if place == 1 else Draw
        table.play(
            kind(0, wagon, place, "swap_adjacent" if place == 7 else "protect"),
            kind(1, 80 - place, 7, "remove_left"),
        )
    sheet = table.ask(0, "use=swap_adjacent").text
    previews = re.findall(r'<button class="preview".*?</button>', sheet, re.DOTALL)
    assert ["it wins!" in each for each in previews] == [False] * 4 + [True, False]


def test_the_rule_behind_a_number_that_lies_on_the_table(three) -> None:
    three.play(Deal(0, ROWS[0]))
    answer = three.try_play(Deal(1, (60, 9, 8, 7, 6, 5, 4)))
    assert "Rules: The cards" in answer.text


def test_taking_back(three) -> None:
    three.drafted()
    before = three.state
    three.play(Draw(0, 5, 1, "move_left"))
    three.club.done(three.phones[0], three.path, "take-back")
    assert three.state == before
    assert "Taken back:" in three.page(2)
    for _ in range(4):
        three.club.done(three.host, three.path, "take-back")
    assert not three.state.rows[2]


def test_who_takes_back_or_corrects_what_another_one_played_is_named(three) -> None:
    def said() -> str:
        page = re.sub(r"</?(bdi|b)[^>]*>", "", three.page(2))
        (found,) = re.findall(r'id="(?:corrected|undone)">.*?<span>(.*?)</span>', page, re.DOTALL)
        return found

    three.play(Deal(0, ROWS[0]))
    assert three.correct(three.phones[0], card=12, number=83).status_code == 303
    assert said().startswith("Corrected: 12 → 83 · Anna is dealt this row: 83")
    assert three.correct(three.host, card=83, number=82).status_code == 303
    assert said().startswith("The host corrected: 83 → 82 · Anna is dealt this row: 82")
    three.club.done(three.host, three.path, "take-back")
    assert said().startswith("The host took back: Anna is dealt this row")


# Corrections


def test_a_number_of_the_own_deal_is_put_right_while_others_go_on(three) -> None:
    three.play(Deal(0, ROWS[0]), Deal(1, ROWS[1]))
    assert three.correct(three.phones[0], card=12, number=83).status_code == 303
    assert three.state.rows[0] == (83, 77, 60, 55, 41, 36, 3)
    said = re.sub(r'</?bdi[^>]*>|<b class="num">', "", three.page(1))
    assert "Corrected:</b> 12 → 83</b> · Anna is dealt this row: 83 77 60 55 41 36 3" in said
    three.play(Deal(2, (82, *ROWS[2][1:])))
    assert "Corrected:" not in three.page(1)


def test_a_number_is_put_right_while_the_play_that_brought_it_is_kept(three, monkeypatch) -> None:
    monkeypatch.setattr(evolve_play, "UNDO_STEPS_MAX", 3)
    three.play(*(Deal(seat, ROWS[seat]) for seat in range(3)))
    assert 'name="number"' in three.ask(0, "wagon=12").text
    three.play(Draft(0, 15, 2, "swap_over_one"))
    assert 'name="number"' not in three.ask(0, "wagon=12").text
    assert 'name="number"' in three.ask(0, "wagon=15").text
    assert 'name="number"' in three.ask(1, "wagon=10").text
    sheets = [three.ask(seat, "mend=1").text.partition('class="sheet"')[2] for seat in range(2)]
    offered = [re.findall(r"ask\?wagon=(\d+)", sheet) for sheet in sheets]
    assert offered[0] == ["15", "60"]  # its own number, and what the one that left can do
    assert offered[1] == [str(wagon) for wagon in ROWS[1]]
    assert ">77<" in sheets[0]


def test_of_a_correction_it_is_told_what_is_otherwise_now(three) -> None:
    def said() -> str:
        page = re.sub(r'</?bdi[^>]*>|<b class="num">', "", three.page(1))
        (found,) = re.findall(r"Corrected:</b> (.*?)</span>", page, re.DOTALL)
        return found

    three.drafted()
    assert three.correct(three.phones[0], card=15, number=14).status_code == 303
    assert said() == "15 → 14</b> · Anna keeps wagon 14: it replaces wagon 60 at position 2."
    assert three.correct(three.phones[0], card=60, ability="move_left").status_code == 303
    assert said() == "Wagon 60 joins the face-up cards: Move a card two places left"


def test_of_a_correction_it_is_told_which_cards_go_and_come_back(three) -> None:
    def said() -> str:
        page = re.sub(r"</?b(di)?[^>]*>", "", three.page(1))
        (found,) = re.findall(r"Corrected: (.*?)</span>", page, re.DOTALL)
        return found

    three.drafted()
    assert three.correct(three.phones[0], card=60, ability="protect").status_code == 303
    assert said().endswith("Away from the face-up cards, discarded: 60, 70.")
    assert three.correct(three.phones[0], card=60, ability="move_left").status_code == 303
    assert said().endswith("Back from the discard pile, face up: 60, 70.")
    assert three.correct(three.phones[1], card=33, number=34).status_code == 303
    assert "discard" not in said()


def test_what_came_after_a_correction_stays(three) -> None:
    three.drafted()
    assert three.correct(three.phones[0], card=36, number=35).status_code == 303
    assert three.correct(three.phones[0], card=15, number=14).status_code == 303
    assert three.state.rows[0] == (77, 14, 55, 41, 35, 12, 3)
    assert three.correct(three.phones[0], card=60, ability="move_left").status_code == 303
    assert dict(three.state.market) == {"move_left": 60, "protect": 70, "remove_middle": 51}
    assert (three.state.turn, three.state.known[60]) == (0, "move_left")
    again = three.club.tables.last_game(three.club.table(three.path))
    assert again is not None
    assert GAMES["trains"].fold(again.initial_state, again.events) == three.state
    three.club.done(three.host, three.path, "take-back")
    assert three.state.rows[0] == (77, 14, 55, 41, 35, 12, 3)
    assert not three.state.rows[2].count(44)


ODD = (
    *("", "x", "0", "-1", "1", "4", "15", "85", "9" * 30, "²", "1,0", "protect", "swap", "deal"),
    *(["15"], ["1", "2"], ["77"] * 7, [""] * 7, "\x00"),
)


@pytest.mark.parametrize(
    "form",
    [
        {"card": "15", "number": "14"},
        {"card": "15", "ability": "protect"},
        {"play": "draw", "card": "16", "at": "3"},
        {"play": "use", "wagon": "1", "at": "2"},
        {"play": "deal", "row": ["84", "70", "50", "40", "30", "20", "10"], "seat": "1"},
    ],
    ids=str,
)
def test_plays_and_corrections_of_which_one_thing_is_odd(three, form: dict[str, Any]) -> None:
    three.drafted()
    deed = "play" if "play" in form else "correct"
    three.club.odd(three.host, three.path, deed, form, ODD)


@pytest.mark.parametrize(
    ("wrong", "status", "said"),
    [
        ({"card": 36, "number": 84}, 409, "Wagon 84 is already in a row: Bert"),
        ({"card": 36, "number": 50}, 409, "Wagon 50 is already in a row: Bert"),
        ({"card": 36, "number": 80}, 409, "Undo the plays back to the deal instead"),
        ({"card": 36, "number": 85}, 409, "Wagons are numbered from 1 to 84."),
        ({"card": 60, "ability": "protect"}, 409, "a later play by Anna would no longer be legal"),
        ({"card": 60, "ability": "fly"}, 400, "could not be understood"),
        ({"card": 36, "ability": "protect"}, 400, "could not be understood"),
        ({"card": 82, "number": 1}, 400, "could not be understood"),
        ({"card": "x", "number": 1}, 400, "could not be understood"),
        ({"card": 36}, 400, "could not be understood"),
        ({"card": 30, "number": 29}, 403, "Only the host"),
        ({"card": 70, "ability": "move_left"}, 403, "Only the host"),
    ],
)
def test_what_cannot_be_corrected(three, wrong: dict[str, Any], status: int, said: str) -> None:
    three.drafted()
    three.play(Use(0, "swap_over_one", 1))
    before = three.state
    answer = three.correct(three.phones[0], **wrong)
    assert answer.status_code == status
    assert said in re.sub(r"</?bdi[^>]*>", "", answer.text)
    assert three.state == before


def test_from_a_correction_that_is_refused_the_same_wagon_is_one_tap_away(three) -> None:
    three.drafted()
    phone = three.phones[0]
    again = re.compile(r'id="refusal".*?ask\?wagon=(\d+)"[^>]*data-sheet>([^<]+)', re.DOTALL)
    for wrong in ({"card": 36, "number": 84}, {"card": 60, "ability": "fly"}):
        link = again.search(three.correct(phone, **wrong).text)
        assert link is not None
        wagon = int(link[1])
        assert (wagon, link[2]) == (wrong["card"], f"What should wagon {wagon} be?")
        assert f"What should wagon {wagon} be?" in three.ask(0, f"wagon={wagon}").text
    for sent in ({"card": "x", "number": 1}, {"card": ""}):
        assert not again.search(three.correct(phone, **sent).text)
    assert not again.search(three.try_play(Draw(0, 84, 1)).text)


def test_the_host_corrects_for_anyone(three) -> None:
    three.drafted()
    assert three.correct(three.host, card=30, number=29).status_code == 303
    assert three.correct(three.host, card=70, ability="move_left").status_code == 303
    assert three.state.rows[1] == (84, 33, 50, 40, 29, 20, 10)
    assert ("move_left", 70) in three.state.market


def test_what_can_be_corrected_is_offered(three) -> None:
    assert "Correct a mistake" not in three.page(0)
    three.drafted()

    def links(seat: int, query: str) -> list[int]:
        sheet = three.ask(seat, query).text.partition('class="sheet"')[2]
        return [int(each) for each in re.findall(r"ask\?wagon=(\d+)", sheet)]

    assert "Correct a mistake" in three.page(0)
    assert links(0, "mend=1") == [77, 15, 55, 41, 36, 12, 3, 60, 60]  # its number, its ability
    assert links(0, "use=swap_over_one") == [60]
    assert links(1, "use=swap_over_one") == []
    sheet = three.ask(0, "wagon=15").text
    assert "What should wagon 15 be?" in sheet
    assert 'name="number"' in sheet
    sheet = three.ask(0, "wagon=60").text
    assert 'name="number"' in sheet
    assert 'name="number"' not in three.ask(1, "wagon=60").text
    assert 'value="swap_over_one" disabled' in sheet
    assert "What is wrong?" in three.ask(0, "wagon=84").text


def test_a_number_is_put_right_wherever_its_wagon_lies(three) -> None:
    """Face up; under a row as a lock; just removed. Not once it is discarded."""
    three.drafted()
    three.play(Use(0, "protect", 4), Use(1, "remove_middle"))
    lying = {60: 59, 70: 69, 40: 39}
    for card, number in lying.items():
        for phone, offered in ((three.phones[0], card == 60), (three.host, True)):
            sheet = phone.get(f"{three.path}/ask?wagon={card}").text
            assert ('name="number"' in sheet) == offered, card
            listed = phone.get(f"{three.path}/ask?mend=1").text
            assert (f"ask?wagon={card}" in listed) == offered, card
        assert three.correct(three.host, card=card, number=number).status_code == 303
    assert ("swap_over_one", 59) in three.state.market
    assert 69 in three.state.locks[0]
    assert (1, 39) in three.state.owed
    assert 'name="number"' not in three.host.get(f"{three.path}/ask?wagon=51").text


def test_of_an_ability_that_others_have_told_too_nothing_is_offered(club) -> None:
    """A wagon that came back and left another row."""
    two = Table(club, 2).dealt()
    two.play(Draft(0, 15, 2, "protect"), Draft(1, 33, 2, "protect"))  # 60 and 70 are discarded
    two.play(Draw(0, 16, 1, "swap_adjacent"), Draw(1, 60, 1, "move_left"))
    two.play(Draw(0, 17, 3, "swap_over_one"), Draw(1, 61, 1))  # 60 leaves the other row
    assert two.correct(two.phones[0], card=60, ability="move_right").status_code == 403
    offered = re.findall(r"ask\?wagon=(\d+)", two.ask(0, "mend=1").text)
    assert "77" in offered
    assert "60" not in offered


# What was told is remembered


WAS_12 = Draw(0, 60, 1, "move_left")  # it is reported as 60


def played_before(club: Any) -> Table:
    """Another game has told what 60 and 12 can do."""
    two = Table(club, 2).dealt()
    two.play(Draft(0, 15, 2, "protect"), Draft(1, 33, 2, "remove_left"))
    two.play(Draw(0, 16, 6, "swap_adjacent"))  # 12 leaves
    club.done(two.host, two.path, "finish")
    club.done(two.host, two.path, "new-game", starter=1)
    return two


def test_a_number_that_is_put_right_takes_no_ability_of_the_wrong_one_with_it(club) -> None:
    """Nobody was asked what the wagon can do: its number was known."""
    two = played_before(club)
    two.play(Deal(0, (77, 62, 55, 41, 36, 13, 3)), Deal(1, ROWS[1]))
    two.play(Draft(0, 15, 7, "move_right"), Draft(1, 33, 7, "remove_right"))
    two.play(WAS_12, Draw(1, 34, 6, "swap_over_one"), Draw(0, 61, 1))
    assert ("protect", 60) in two.state.market
    for wrong, right, ability in ((60, 12, "swap_adjacent"), (12, 60, "protect")):
        assert two.correct(two.phones[0], card=wrong, number=right).status_code == 303
        assert (ability, right) in two.state.market
        assert (two.state.known[right], two.state.known[wrong]) == (ability, None)
    assert two.correct(two.phones[0], card=60, number=12).status_code == 303
    told = {one.card: one.what for one in club.log.tellings("trains")}
    assert (told["12"], told["60"]) == ("swap_adjacent", "protect")


def test_a_number_of_a_deal_that_is_put_right_brings_its_own_ability(club) -> None:
    two = played_before(club)
    two.play(Deal(0, (77, 62, 60, 41, 36, 13, 3)), Deal(1, ROWS[1]))
    two.play(Draft(0, 15, 3))  # 60 leaves, which is 52
    assert two.state.market == (("protect", 60),)
    refused = two.correct(two.phones[0], card=60, number=52)
    assert refused.status_code == 409
    assert "an ability that is not known yet" in refused.text
    link = re.search(r'id="refusal".*?href="[^"]*/(ask\?[^"]*)"', refused.text, re.DOTALL)
    assert link is not None
    sheet = two.phones[0].get(f"{two.path}/{html.unescape(link[1])}").text
    assert "What can wagon 52 do?" in sheet
    sent = dict(re.findall(r'type="hidden" name="(card|number)" value="(\d+)"', sheet))
    assert sent == {"card": "60", "number": "52"}
    assert "already in a row" in two.ask(0, "wagon=60&number=84").text
    assert two.correct(two.phones[0], card=60, number=52, ability="move_left").status_code == 303
    assert two.state.market == (("move_left", 52),)
    assert (two.state.known[60], two.state.known[52]) == (None, "move_left")
    assert two.state.rows[0][2] == 15


def test_an_ability_that_was_read_off_a_card_stays_with_its_number_put_right(club) -> None:
    two = played_before(club)
    two.play(Deal(0, (77, 62, 55, 41, 36, 13, 3)), Deal(1, ROWS[1]))
    two.play(Draft(0, 15, 7, "move_right"), Draft(1, 33, 7, "remove_right"))
    two.play(Draw(0, 59, 1, "move_left"), Draw(1, 34, 6, "swap_over_one"))  # 59 is 12
    two.play(Draw(0, 61, 1, "remove_middle"))
    assert two.correct(two.phones[0], card=59, number=12).status_code == 303
    assert ("remove_middle", 12) in two.state.market


def test_a_number_put_right_has_the_ability_that_was_told_of_it_in_this_game(club) -> None:
    """The wagon of the wrong number has been told of, and came back."""
    two = Table(club, 2).dealt()
    two.play(Draft(0, 15, 2, "protect"), Draft(1, 33, 2, "remove_left"))  # 60, 70
    two.play(Draw(0, 16, 6, "swap_adjacent"), Use(1, "swap_adjacent", 1))  # 12 is discarded
    two.play(Use(0, "protect", 1), Draw(1, 34, 3, "move_right"))
    two.play(Draw(0, 17, 1, "move_left"))  # 60, which lay under it, is discarded
    two.play(Draw(1, 60, 4, "swap_over_one"))  # it is 12
    two.play(Draw(0, 18, 2, "remove_right"), Draw(1, 61, 4))
    assert ("protect", 60) in two.state.market
    assert two.correct(two.phones[1], card=60, number=12).status_code == 303
    assert ("swap_adjacent", 12) in two.state.market
    assert (two.state.known[60], two.state.known[12]) == ("protect", "swap_adjacent")


def begun(club: Any) -> Table:
    return Table(club, 3).dealt()


def asks(table: Table, wagon: int, place: int) -> bool:
    return "What can wagon" in table.ask(0, f"card={wagon}&at={place}").text


def test_what_was_told_at_a_table_is_asked_at_none(club) -> None:
    first = begun(club)
    assert asks(first, 15, 2)
    first.play(Draft(0, 15, 2, "swap_over_one"))
    second = begun(club)
    assert not asks(second, 15, 2)
    second.play(Draft(0, 15, 2))
    assert second.state.market == (("swap_over_one", 60),)
    restarted = begun(club)
    club.done(first.host, first.path, "take-back")
    assert not asks(restarted, 15, 2)  # it began before
    assert asks(begun(club), 15, 2)


def test_two_who_disagree_are_asked_again(club) -> None:
    begun(club).play(Draft(0, 15, 2, "swap_over_one"))
    other = begun(club)
    other.play(Draft(0, 15, 2))
    assert other.correct(other.phones[0], card=60, ability="protect").status_code == 303
    assert other.state.market == (("protect", 60),)
    third = begun(club)
    assert asks(third, 15, 2)
    third.play(Draft(0, 15, 2, "protect"))
    fourth = begun(club)
    fourth.play(Draft(0, 15, 2))
    assert fourth.state.market == (("protect", 60),)


def test_a_table_has_one_voice_however_many_games_it_plays(club) -> None:
    """Else one table could tell all others what their wagons do."""
    honest = [begun(club) for _ in range(2)]
    for each in honest:
        each.play(Draft(0, 15, 2, "swap_over_one"))
    loud = Table(club, 2)
    known = json.dumps({"game": "trains", "wagons": {"60": "swap_over_one"}})
    club.done(loud.host, loud.path, "load-deck", deck=known)
    for _ in range(4):
        club.done(loud.host, loud.path, "finish")
        club.done(loud.host, loud.path, "start", starter=1)
        loud.dealt().play(Draft(0, 15, 2))
        assert loud.correct(loud.host, card=60, ability="protect").status_code == 303
    told = {one.what: one.times for one in club.log.tellings("trains")}
    assert told == {"swap_over_one": 2, "protect": 1}
    assert not asks(begun(club), 15, 2)


def test_a_table_s_own_word_counts_most_at_it(club) -> None:
    for _ in range(3):
        begun(club).play(Draft(0, 15, 2, "swap_over_one"))
    table = begun(club)
    table.play(Draft(0, 15, 2))
    assert table.state.market == (("swap_over_one", 60),)
    assert table.correct(table.phones[0], card=60, ability="protect").status_code == 303
    club.done(table.host, table.path, "finish")
    club.done(table.host, table.path, "start", starter=1)
    table.dealt().play(Draft(0, 15, 2))
    assert table.state.market == (("protect", 60),)


def test_a_record_says_what_was_remembered(club) -> None:
    table = begun(club)
    table.play(Draft(0, 15, 2, "swap_over_one"))
    again = begun(club)
    again.play(Draft(0, 15, 2))
    game = club.tables.last_game(club.table(again.path))
    assert game is not None
    play = list(GAMES["trains"].plays_of(game.events))[-1]
    assert play == Draft(0, 15, 2, "swap_over_one")


def load(table: Table, phone: Any, deck: str) -> TestResponse:
    form = {"deck": (BytesIO(deck.encode()), "deck.json"), "page": f"{table.path}/host"}
    answer = phone.post(f"{table.path}/do/load-deck", form)
    assert isinstance(answer, TestResponse)
    return answer


def test_a_deck_is_saved_and_loaded(club, clubs) -> None:
    table = begun(club)
    table.play(Draft(0, 15, 2, "swap_over_one"))
    saved = table.phones[2].get(f"{table.path}/deck.json")
    assert json.loads(saved.text) == {"game": "trains", "wagons": {"60": "swap_over_one"}}
    elsewhere = clubs()
    host = elsewhere.phone()
    path = elsewhere.open(host, game="trains")
    phones = elsewhere.sit(path, NAMES[:3])
    other = Table.__new__(Table)
    other.club, other.host, other.path, other.phones = elsewhere, host, path, phones
    assert "Load the deck" in host.get(f"{path}/host").text
    assert load(other, phones[0], saved.text).status_code == 403
    for wrong in ("", "{", "[]", "7", '{"game": "trains"}', saved.text.replace("60", "85")):
        assert load(other, host, wrong).status_code == 400
        assert "not a deck saved with this program" in load(other, host, wrong).text
    assert load(other, host, saved.text).status_code == 303
    elsewhere.done(host, path, "start", starter=1)
    other.dealt()
    assert not asks(other, 15, 2)
    assert "Load the deck" not in host.get(f"{path}/host").text
    assert json.loads(host.get(f"{path}/deck.json").text) == json.loads(saved.text)


def test_a_deck_that_is_sent_again_is_known_by_its_form(clubs) -> None:
    """Its phone may have lost the table since, and the answer."""
    club = clubs()
    host = club.phone()
    path = club.open(host, game="trains")
    anna, *_ = club.sit(path, NAMES[:3])

    def sent() -> TestResponse:
        text = b'{"game": "trains", "wagons": {"60": "swap_over_one"}}'
        form = {"deck": (BytesIO(text), "deck.json"), "page": f"{path}/host", "key": "deck"}
        return host.post(f"{path}/do/load-deck", form)

    assert sent().status_code == 303
    club.clock.now += 4000
    club.done(anna, path, "take-hosting")
    club.done(anna, path, "renew-link")
    assert host.get(path).status_code == 403
    assert (sent().status_code, sent().location) == (303, path)


def test_games_that_ask_nothing_have_no_deck(club) -> None:
    host = club.phone()
    path = club.open(host)
    assert host.get(f"{path}/deck.json").status_code == 404
    assert "deck-h" not in host.get(f"{path}/host").text
    assert club.do(host, path, "load-deck", deck="{}").status_code == 400


# Whole games


def finished(table: Table) -> None:
    """The saved record is accepted, line by line, and has the winner that all pages show."""
    table_now = table.club.table(table.path)
    answer = table.phones[0].get(f"{table.path}/record.jsonl")
    assert answer.status_code == 200
    assert "filename=trains.jsonl" in answer.headers["Content-Disposition"]
    said = list(verdicts([answer.data], GAMES))
    assert all(each["ok"] for each in said)
    winner = said[-1]["game_over"]["winner"]
    assert winner == table_now.players[table_now.game_state.winner].name
    for page in (table.page(0), table.page(1), table.host.get(f"{table.path}/screen").text):
        assert f"Winner: {winner}" in re.sub(r"</?bdi[^>]*>", "", page)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", [1, 2])
def test_random_games(club, seats: int, seed: int) -> None:
    chance = random.Random(f"{seats}{seed}")
    dealer = Dealer(chance, seats)
    table = Table(club, seats, starter=chance.randrange(seats))
    for number in count(1):
        play = dealer.next_play(table.state)
        table.play(play)
        if number % 9 == 0:
            club.done(table.phones[play.by], table.path, "take-back")
            table.play(play)
        if table.state.winner is not None:
            break
        if chance.random() < 0.1:
            assert table.phones[chance.randrange(seats)].get(table.path).status_code == 200
    finished(table)


def recorded(name: str) -> list[list[dict[str, Any]]]:
    """The games of a file, each with its header."""
    games: list[list[dict[str, Any]]] = []
    for line in (RECORDS / name).read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        if "game" in fields:
            games.append([])
        games[-1].append(fields)
    return games


def test_a_win_during_refills_ends_the_game_at_once(club) -> None:
    games = [
        game
        for seats in (2, 3, 4)
        for game in recorded(f"endings-{seats}.jsonl")
        if game[-1]["play"] == "refill"
    ]
    left_open = 0
    for header, *lines in games:
        names = header["seats"]
        table = Table(club, len(names), starter=names.index(header["starter"]))
        for line in lines:
            seat = names.index(line["by"])
            form = {key: line[key] for key in line if key != "by"} | {"seat": seat + 1}
            club.done(table.phones[seat], table.path, "play", **form)
        left_open += bool(table.state.owed)
        finished(table)
    assert left_open


def test_another_game_with_the_same_people(club) -> None:
    table = Table(club, 2)
    dealer = Dealer(random.Random(3), 2)
    while table.state.winner is None:
        table.play(dealer.next_play(table.state))
    club.done(table.host, table.path, "new-game")
    assert table.state.phase == "deal"
    assert table.state.starter == 1
    assert 'name="row"' in table.page(0)


def plain(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", page))


def test_a_game_that_is_given_up(three) -> None:
    three.drafted()
    before = three.state
    assert three.club.do(three.phones[0], three.path, "finish").status_code == 403
    assert "Abandon the game" in three.host.get(f"{three.path}/host").text
    three.club.done(three.host, three.path, "finish")
    assert (three.state.phase, three.state.winner) == ("over", None)
    for page in (three.page(0), three.host.get(f"{three.path}/screen").text):
        assert ">The game was abandoned.<" in page
        assert 'data-news="The game was abandoned."' in page
        assert "Wins at this table" not in page  # it counts for nobody
    record = three.phones[1].get(f"{three.path}/record.jsonl")
    said = list(verdicts([record.data], GAMES))
    assert [each["ok"] for each in said] == [True] * 6
    assert three.correct(three.phones[0], card=15, number=14).status_code == 409
    three.club.done(three.host, three.path, "take-back")
    assert three.state == before
    three.club.done(three.host, three.path, "finish")
    three.club.done(three.host, three.path, "start", starter=3)
    assert (three.state.phase, three.state.starter) == ("deal", 2)


def test_a_game_that_is_not_over_is_saved_as_far_as_it_went(three) -> None:
    three.dealt()
    lines = three.phones[0].get(f"{three.path}/record.jsonl").text.splitlines()
    assert [json.loads(line).get("play") for line in lines] == [None, "deal", "deal", "deal"]
    assert f'href="{three.path}/record.jsonl"' in three.page(1)


def test_the_starting_player_is_chosen_or_drawn_by_lot(club) -> None:
    starters = set()
    table = Table(club, 4)
    assert '<option value="lot"' not in table.host.get(table.path).text
    for _ in range(24):
        club.done(table.host, table.path, "finish")
        page = table.host.get(table.path).text
        following = (table.state.starter + 1) % 4 + 1
        assert f'<option value="{following}" selected>' in page
        club.done(table.host, table.path, "start", starter="lot")
        starters.add(table.state.starter)
        for seat in range(4):
            you = seat == table.state.starter
            who = "You start" if you else f"{NAMES[table.state.starter]} starts"
            assert f"{who} the game." in plain(table.page(seat))
    assert starters == {0, 1, 2, 3}
    fresh = club.phone()
    path = club.open(fresh, game="trains")
    club.sit(path, NAMES[:2])
    assert '<option value="lot"' in fresh.get(path).text


def test_wins_are_counted_and_records_stay(club) -> None:
    table = Table(club, 2)
    winners = []
    for seed in (3, 4, 5):
        dealer = Dealer(random.Random(seed), 2)
        while table.state.winner is None:
            table.play(dealer.next_play(table.state))
        winners.append(NAMES[table.state.winner])
        if seed < 5:
            club.done(table.host, table.path, "start", starter="lot")
    most = sorted(NAMES[:2], key=lambda name: -winners.count(name))
    for page in (table.page(0), table.host.get(f"{table.path}/screen").text):
        tally = page.partition('id="tally"')[2].partition("</ul>")[0]
        assert " ".join(f"{name} {winners.count(name)}" for name in most) in plain(tally)
    for number, winner in enumerate(winners, 1):
        earlier = f"Game {number}: {winner}" in plain(table.page(1))
        assert earlier == (number < len(winners))
        assert f"record.jsonl?game={number}" in table.page(1)
        record = table.phones[1].get(f"{table.path}/record.jsonl?game={number}")
        said = list(verdicts([record.data], GAMES))
        assert all(each["ok"] for each in said)
        assert said[-1]["game_over"]["winner"] == winner
    last = table.phones[0].get(f"{table.path}/record.jsonl")
    assert last.data == record.data
    for number in ("0", "4", "x", "-1"):
        answer = table.phones[0].get(f"{table.path}/record.jsonl?game={number}")
        assert answer.status_code == 409
    club.done(table.host, table.path, "take-back")
    assert table.phones[0].get(f"{table.path}/record.jsonl?game=3").status_code == 409
    assert len(club.table(table.path).results) == 2


@pytest.mark.parametrize("seats", [2, 3])
def test_two_sit_in_every_order(club, seats: int) -> None:
    asked = "Are you sitting in this order"
    host = club.phone()
    path = club.open(host, game="trains")
    club.sit(path, NAMES[:seats])
    pages = [host.get(path).text, host.get(f"{path}/screen").text]
    club.done(host, path, "start", starter="1")
    club.done(host, path, "finish")
    pages += [host.get(path).text, host.get(f"{path}/screen").text]
    assert [asked in page for page in pages] == [seats > 2] * 4


def test_a_game_without_a_play_cannot_be_watched(three) -> None:
    three.club.done(three.host, three.path, "finish")
    for page in (three.page(0), three.host.get(f"{three.path}/screen").text):
        assert "abandoned" in page
        assert "/replay" not in page
    host, path = three.host, three.path
    assert host.get(f"{path}/replay").status_code == 409
    three.club.done(host, path, "start", starter="1")
    three.play(Deal(0, ROWS[0]))
    three.club.done(host, path, "finish")
    assert "/replay" in three.page(0)
    assert "replay?game=1" not in three.page(0)
    games = host.get(f"{path}/games").text
    assert re.findall(r"/(take|replay)\?game=(\d)", games) == [
        ("replay", "2"),
        ("take", "2"),
        ("take", "1"),
    ]
    watched = host.get(f"{path}/replay?game=2")
    assert watched.status_code == 200
    assert "game=1" not in watched.text
    refused = host.get(f"{path}/replay?game=1")
    assert refused.status_code == 409
    assert f'href="{path}"' in refused.text


def test_a_device_that_all_share(club) -> None:
    """The lobby leads to one more player while there is room; the deal says whose wagons."""
    tablet = club.phone()
    path = club.open(tablet, game="trains")
    for name in NAMES:
        club.done(tablet, path, "join", name=name)
        assert ("/seat#more-h" in tablet.get(path).text) == (name != NAMES[-1])
    club.done(tablet, path, "start", starter=1)
    for number, name in enumerate(NAMES):
        page = tablet.get(path).text
        assert name in page.partition("<h1>")[2].partition("</h1>")[0]
        row = list(range(80 - number, 10 - number, -10))
        club.done(tablet, path, "play", play="deal", seat=number + 1, row=row)


# Weight


def weight(answer: TestResponse) -> int:
    head = sum(len(name) + len(value) + 4 for name, value in answer.headers)
    return len("HTTP/1.1 200 OK\r\n\r\n") + head + len(answer.data)


def test_what_a_phone_loads(club) -> None:
    table = Table(club, 4)
    dealer = Dealer(random.Random(5), 4, skill=0)
    while len(table.state.market) < 5:
        table.play(dealer.next_play(table.state))
    packed = {"Accept-Encoding": "gzip, deflate"}
    loaded = re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', table.page(0))
    first = sum(weight(table.phones[0].get(each, **packed)) for each in [*loaded, table.path])
    assert first <= FIRST_VISIT_BYTES
    streams = [
        phone.client.get(f"{table.path}/live", headers=packed, buffered=False)
        for phone in table.phones
    ]
    for stream in streams:
        pieces = iter(stream.response)
        next(pieces)  # the head of the packed file
        assert len(next(pieces)) <= UPDATE_BYTES
        stream.close()
