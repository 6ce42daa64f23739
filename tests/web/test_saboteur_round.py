"""A round under the referee on the pages: how near its end is, why it ended, and the maze then."""

from __future__ import annotations

import re
from html import unescape

import pytest

from companion.games.saboteur.pages import log
from companion.tables import commands as ask
from companion.tables.model import SeatId
from companion.tables.offers import Offer
from companion.web.view import handovers
from tests.kit.parts import aloud
from tests.kit.phone import FETCH
from tests.tables.evening import HOST, DirectEvening

EMPTY = "The draw pile is empty. The round is over when nobody has a card left."
RING = "The round is over when nobody has a card left, or when everyone has passed"
LAST_CIRCLE = "Last time round: everyone plays their last card."
RULE = "/rules/saboteur?edition="
TO_THE_GOAL = ("NESW", "NESW", "NESW", "NESW", "NESW", "EW", "EW")
HANDS, PILE = 5 * 6, 67 - 5 * 6


@pytest.fixture
def round_in(seated):
    """Opens a round in an edition; the host's laptop reports for whoever it is."""
    club, host, path, phones = seated

    def begin(edition: str):
        club.done(host, path, "configure", way="referee", edition=edition)
        club.done(host, path, "start")
        club.look(path, phones)

    def play(name: str, times: int = 1, **fields: str) -> None:
        for _ in range(times):
            table = club.table(path)
            seat = table.players[table.game_state.now.turn].id
            club.done(host, path, "play", play=name, seat=seat, **fields)

    def pages() -> list[str]:
        """Of a phone in English and of the table screen."""
        return [phones[4].get(path).text, host.get(path + "/screen").text]

    return begin, play, pages


def test_which_tools_are_broken_stands_where_no_path_card_can_be_placed(round_in, seated) -> None:
    club, _, path, phones = seated
    begin, play, _ = round_in
    begin("en")
    table = club.table(path)
    turn = table.game_state.now.turn
    following = (turn + 1) % len(table.players)
    play("break", tool="lantern", target=str(table.players[following].id))
    page = phones[following].get(path, **{"Accept-Language": "en"}).text
    (mine,) = re.findall(r'id="mine".*?</div>', page, re.DOTALL)
    assert "You cannot place a path card" in mine
    assert "Broken lantern" in mine
    assert "Broken pickaxe" not in mine


def test_the_log_says_the_same_to_whoever_asks_later(monkeypatch) -> None:
    """The host has reported for itself, and its seat is on another phone since: a process that had
    not made the entry yet makes the same one."""
    evening = DirectEvening()
    evening.open(way="referee")
    evening.done(HOST, ask.AddSeat("Anna"))
    evening.seat("Berta", "Carl")
    evening.done(HOST, ask.Start())
    evening.look()
    by_itself = evening.done(HOST, ask.Play(None, {"play": "pass"}))
    for_another = evening.done(HOST, ask.Play(by_itself.seats[1].id, {"play": "pass"}))
    before = log.entries(for_another)
    assert [entry.host is not None for entry in before] == [False, True]
    offer = evening.tables.seat_offers.offer(evening.id, HOST, by_itself.seats[0].id)
    assert isinstance(offer, Offer)
    evening.tables.seat_offers.take("another phone", ask.TakeSeat(offer.key), "k")
    monkeypatch.setattr(log, "_ENTRIES", type(log._ENTRIES)(kept=1))
    assert log.entries(evening.table) == before


def test_what_has_happened_to_a_seat_is_one_line_once_it_is_read() -> None:
    """After three plays, or when the round is over, whose end is what all look at; and told in full
    again when something new happens."""
    evening = DirectEvening()
    evening.open(way="referee")
    evening.seat("Anna", "Berta", "Carl")
    evening.done(HOST, ask.Start())
    evening.look()

    def plays(times: int) -> list[bool]:
        """Whether it is one line after each."""
        low = []
        for _ in range(times):
            turn = evening.table.players[evening.table.game_state.now.turn].id
            evening.done(HOST, ask.Play(turn, {"play": "pass"}))
            low.append(handovers.notices_of(evening.table).low)
        return low

    def moved(seat: SeatId) -> None:
        evening.done(HOST, ask.FreeSeat(seat))
        evening.done(f"another phone for {seat}", ask.ClaimSeat(seat))

    first, second, _ = (seat.id for seat in evening.table.seats)
    moved(first)
    assert plays(4) == [False, False, True, True]
    moved(second)
    assert plays(3) == [False, False, True]
    evening.report(finisher=1)
    assert handovers.notices_of(evening.table).low
    moved(first)
    assert not handovers.notices_of(evening.table).low


def test_what_has_happened_to_a_seat_is_one_line_beside_a_play_taken_back_since() -> None:
    evening = DirectEvening()
    evening.open(way="referee")
    evening.seat("Anna", "Berta", "Carl")
    evening.done(HOST, ask.Start())
    evening.look()
    first, second, _ = (seat.id for seat in evening.table.seats)

    def moved(seat: SeatId) -> bool:
        evening.done(HOST, ask.FreeSeat(seat))
        evening.done(f"another phone for {seat}", ask.ClaimSeat(seat))
        return handovers.notices_of(evening.table).low

    assert not moved(first)
    turn = evening.table.players[evening.table.game_state.now.turn].id
    evening.done(HOST, ask.Play(turn, {"play": "pass"}))
    assert not handovers.notices_of(evening.table).low
    evening.done(HOST, ask.TakeBack())
    assert handovers.notices_of(evening.table).low
    assert not moved(second), "this is newer"


def test_the_last_circle_is_announced(round_in) -> None:
    begin, play, pages = round_in
    begin("lv-2009")
    play("pass", PILE - 1)
    assert not any(EMPTY in page for page in pages())
    play("pass")
    phone, screen = pages()
    assert EMPTY in phone
    assert EMPTY in screen
    assert f"{RULE}lv-2009" in phone
    assert "#round-end" in phone
    play("pass", HANDS - 6)
    assert not any(LAST_CIRCLE in page for page in pages())
    play("pass")
    assert all(LAST_CIRCLE in page for page in pages())
    play("pass", 5)
    why = "The draw pile is empty, and nobody has a card left."
    assert all(why in page for page in pages())


def test_passes_are_counted_where_a_circle_of_them_ends_the_round(round_in) -> None:
    begin, play, pages = round_in
    begin("et-2007")
    play("pass", PILE)
    assert all(RING in page for page in pages())
    play("pass", 4)
    assert all("Passes in a row: 4 of 5." in page for page in pages())
    play("break", tool="lantern", target="1")
    assert not any("Passes in a row" in page for page in pages())
    play("pass", 5)
    why = "The draw pile is empty, and everyone has passed, one after another."
    assert all(why in page for page in pages())


def test_the_maze_stays_as_large_while_who_is_on_turn_may_lay_nothing(round_in) -> None:
    begin, play, pages = round_in
    begin("lv-2009")

    def sizes() -> list[str]:
        return [re.search(r'id="pan"[^>]* viewBox="([^"]*)"', page)[1] for page in pages()]

    play("path", card="NESW", at="1,0")
    before = sizes()
    assert not any('<g id="places"></g>' in page for page in pages())
    play("break", tool="cart", target="3")
    assert all('<g id="places"></g>' in page for page in pages())
    assert sizes() == before


def test_who_turns_a_goal_with_the_last_card_of_all_hears_of_no_more_cards(round_in) -> None:
    begin, play, pages = round_in
    begin("lv-2009")
    for x, card in enumerate(TO_THE_GOAL[:-1], 1):
        play("path", card=card, at=f"{x},0")
    play("pass", PILE + HANDS - len(TO_THE_GOAL))
    assert all(LAST_CIRCLE in page for page in pages())
    play("path", card="NEW", at="7,0")
    assert not any(LAST_CIRCLE in page for page in pages())


def test_the_maze_can_be_seen_again_when_the_round_is_over(round_in, seated) -> None:
    begin, play, pages = round_in
    _, host, path, phones = seated
    begin("lv-2009")
    for column, card in enumerate(TO_THE_GOAL, 1):
        play("path", card=card, at=f"{column},0")
    assert not any('id="still"' in page for page in pages())
    play("reveal", goal="middle", card="treasure")
    for page in pages():
        still = page[page.index('id="still"') :]
        assert "data-moment" in still
        assert 'href="#treasure" x="320" y="0"' in still
        assert 'href="#new" x="320" y="0"' in still
    assert f'href="{path}/ask?words=1" data-sheet>' in phones[0].get(path).text
    headers = {"X-Requested-With": "fetch", "Accept-Language": "en"}
    sheet = host.get(f"{path}/ask?words=1", headers=headers).text
    said = [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", sheet)]
    assert said.count("treasure") == 1
    assert sum(cell.endswith("face down") for cell in said) == 2
    assert "Empty place" not in sheet
    assert phones[0].get(f"{path}/ask?copies=1").status_code == 200  # the page, and nothing over it


def test_without_script_nothing_moves_while_a_place_is_looked_for(round_in, seated) -> None:
    begin, play, _ = round_in
    _, _, path, phones = seated
    begin("lv-2009")
    play("path", card="EW", at="1,0")
    reload = '<meta http-equiv="refresh"'
    assert [reload in phone.get(path).text for phone in phones[:3]] == [True, False, True]


def test_a_goal_that_was_reached_is_turned_over_before_anybody_tells_an_end(
    round_in, seated
) -> None:
    begin, play, _ = round_in
    _, host, path, _ = seated
    begin("lv-2009")
    for column, card in enumerate(TO_THE_GOAL, 1):
        assert "/do/play" in host.get(f"{path}/report").text
        play("path", card=card, at=f"{column},0")
    page = host.get(f"{path}/report", headers={"Accept-Language": "en"}).text
    assert "A goal card has been reached: it must be turned over first." in page
    assert "/do/play" not in page
    play("reveal", goal="middle", card="NW")
    assert "/do/play" in host.get(f"{path}/report").text


def test_what_was_only_told_is_no_moment(round_in) -> None:
    begin, play, pages = round_in
    begin("lv-2009")
    play("path", card="NESW", at="1,0")
    play("result", reached="1", finisher="2")
    for page in pages():
        still = page[page.index('id="still"') :]
        assert "data-moment" not in still
        assert 'href="#t-NESW"' in still


def test_the_log_has_every_play_with_its_picture(round_in) -> None:
    begin, play, pages = round_in
    begin("lv-2009")
    play("path", card="NS", at="0,1")
    play("break", tool="cart", target="2")
    play("map", goal="south")
    play("rockfall", at="0,1")
    for page in pages():
        log = page[page.index('id="log"') :]
        log = log[: log.index("</ol>")]
        lines = re.findall(r"<li id=.*?</li>", log, re.DOTALL)
        assert len(lines) == 4
        fallen, map_, broken, laid = lines
        assert 'href="#t-NS"' in laid
        assert "fallen" not in laid
        assert "#cart-x" in broken
        assert 'class="lit"' in map_
        assert "fallen" in fallen


def test_each_phone_is_asked_once_where_it_sits(round_in, seated) -> None:
    begin, _, _ = round_in
    _, _, path, phones = seated
    begin("lv-2009")
    anna, berta = phones[:2]
    assert 'name="to"' in anna.get(path).text
    assert anna.post(f"{path}/turn", {"to": "3"}).status_code == 303
    page = anna.get(path).text
    assert 'data-quarters="3"' in page
    assert 'name="to"' not in page
    other = berta.get(path).text
    assert 'data-quarters="1"' in other
    assert 'name="to"' in other
    stream = iter(berta.client.get(f"{path}/live?page=seat", buffered=False).response)
    next(stream)
    berta.post(f"{path}/turn", {"to": "1"}, **FETCH)  # as it lies already
    assert b"sit" in next(stream)
    anna.post(f"{path}/turn", {"to": "9"})  # no link of ours asks so: a quarter turn, as without it
    assert 'data-quarters="0"' in anna.get(path).text


def test_what_is_opened_on_the_table_screen_lies_as_there(round_in, seated) -> None:
    """With what opens on it, and until it is turned there."""
    begin, _, _ = round_in
    _, host, path, _ = seated
    begin("lv-2009")
    opened = f"{path}?screen=1"
    page = host.get(opened).text
    assert 'data-quarters="0"' in page
    assert 'name="to"' not in page
    (place,) = re.findall(rf'href="({path}/ask\?place=1,0[^"]*)"', page)
    assert 'data-quarters="0"' in host.get(unescape(place)).text
    sheet = host.get(f"{path}/ask?place=1,0&card=ES&screen=1").text
    (back,) = re.findall(rf'href="({path}/ask\?place=1%2C0[^"]*)"', sheet)
    assert 'data-quarters="0"' in host.get(unescape(back)).text
    for beside in ("host", "report"):
        assert f'href="{path}/{beside}?screen=1"' in page
    (turn,) = re.findall(rf'action="({path}/turn[^"]*)"', page)
    assert host.post(unescape(turn)).location == opened
    assert 'data-quarters="1"' in host.get(opened).text


def test_who_reports_for_others_from_the_table_screen_comes_back_to_it(club) -> None:
    host = club.phone()
    path = club.open(host, way="referee")
    club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.done(host, path, "begin")
    page = host.get(f"{path}/screen").text
    (address,) = re.findall(r'href="([^"]*)">Report for another player', page)
    said = re.compile(r'href="([^"]*)"><svg[^>]*><use[^>]*></svg>Report for another player')
    assert said.findall(host.get(f"{path}/host?screen=1").text) == [address]
    assert said.findall(host.get(f"{path}/host").text) == [path]
    back = re.compile(rf'href="{path}/screen">.*?Table screen', re.DOTALL)
    dock = re.compile(r'id="dock".*', re.DOTALL)
    (there,) = dock.findall(host.get(address).text)
    assert back.search(there)
    form = {"play": "pass", "seat": "1", "page": address}
    assert club.do(host, path, "play", **form).location == address
    (elsewhere,) = dock.findall(host.get(path).text)
    assert not back.search(elsewhere)


def test_of_several_at_one_phone_it_is_heard_whose_turn_it_is(club) -> None:
    phone = club.phone()
    path = club.open(phone, way="referee")
    club.done(phone, path, "join", name="Anna")
    for name in ("Bert", "Carl"):
        club.done(phone, path, "add-seat", name=name)
    club.done(phone, path, "start", starter=1)
    for seat in (1, 2, 3):
        phone.post(f"{path}/role", {"seat": seat})
    club.done(phone, path, "play", play="pass", seat=1)
    assert aloud(phone.get(path).text) == "Anna passed. Turn: Bert."
