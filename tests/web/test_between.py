"""Pages for who comes late or goes early, and the end of a game: its last round, then who won."""

from __future__ import annotations

import json
import re

import pytest

from companion.games import GAMES
from companion.record import verdicts
from companion.record.fair import drawn
from companion.record.verify import findings
from tests.web.test_fair import give
from tests.web.test_trains import ROWS


def played(club, host, path: str, rounds: int) -> None:
    for number in range(rounds):
        if number:
            club.done(host, path, "deal")
        club.done(host, path, "begin")
        club.done(host, path, "play", play="result", reached="1", finisher="2")


def change_order(club, host, path: str) -> None:
    order = re.search(r'name="order" value="([\d,]+)"', host.get(f"{path}/host").text)
    assert order
    club.done(host, path, "order-seats", order=order[1])


def test_who_comes_late_is_told_from_when_they_play(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    late, join = club.phone(), club.join_path(path)
    assert "you will play from the next one on" in late.get(join).text
    assert late.post(join, {"name": "Õnne", "key": "k"}).status_code == 303
    page = late.get(path).text
    assert "You will play from the next game on" in page
    assert f"{path}/role" not in page
    assert late.post(f"{path}/role").status_code == 403
    assert late.get(f"{path}/screen").status_code == 200
    assert "Õnne" not in phones[0].get(path).text  # the ring shows the players
    assert "from the next game on" in host.get(f"{path}/host").text
    played(club, host, path, 3)
    page = late.get(path).text
    assert "Seated for the next game" in page
    club.done(phones[0], path, "count")
    assert "New in the next game" in host.get(f"{path}/screen").text
    club.done(host, path, "new-game")
    assert f"{path}/role" in late.get(path).text


def test_who_has_come_late_is_named_where_the_table_waits(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    club.done(phones[4], path, "look", seat=5)
    late = club.phone()
    assert late.post(club.join_path(path), {"name": "Õnne", "key": "k"}).status_code == 303
    told = re.compile(r"Seated for the next game: <bdi[^>]*>Õnne")
    everybody = ((phones[4], path), (host, f"{path}/screen"))
    for phone, page in everybody:
        assert told.search(phone.get(page).text)
    club.done(host, path, "begin")
    for phone, page in everybody:
        assert told.search(phone.get(page).text), "while the cards are played, too"
    played(club, host, path, 1)
    for phone, page in everybody:
        assert told.search(phone.get(page).text)


def test_of_many_for_whom_the_round_waits_the_heading_says_how_many(seated) -> None:
    """Their names, beneath, would fill a small phone as a heading."""
    club, host, path, phones = seated
    club.done(host, path, "start")
    names = [player.name for player in club.table(path).players]
    for missing in (4, 3):
        club.done(phones[missing], path, "look", seat=missing + 1)
        *others, last = names[:missing]
        listed = f"{', '.join(others)} and {last}"
        heading = "Waiting for 4 players" if missing == 4 else f"Waiting for: {listed}"
        for phone, page, part in ((phones[4], path, "waiting"), (host, f"{path}/screen", "round")):
            said = phone.get(page).text.partition(f'id="{part}"')[2]
            assert f"Waiting for: {listed}" in said.partition("<h1")[0], "read aloud"
            shown = re.sub("</?bdi[^>]*>", "", said).partition("<h1")[2].partition(">")[2]
            assert shown.startswith(f"{heading}</h1>")
            assert listed in shown


def test_who_waits_for_the_next_game_can_take_a_seat_that_was_freed(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    late = club.phone()
    assert late.post(club.join_path(path), {"name": "Õnne", "key": "k"}).status_code == 303
    assert "/do/claim-seat" not in late.get(path).text
    club.done(host, path, "free-seat", seat=2)
    page = re.sub(r"</?bdi[^>]*>", "", late.get(path).text)
    assert "A seat is free: Berta. You can play on in this player’s place." in page
    club.done(late, path, "claim-seat", seat=2)
    assert f"{path}/role" in late.get(path).text
    assert phones[1].get(path).status_code == 403


def test_that_the_host_does_not_answer_is_said_before_somebody_else_can_host(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    played(club, host, path, 1)
    said = "The host’s device is not answering."
    for later, away, gone in ((29, False, False), (2, True, False), (120, False, True)):
        club.clock.now += later
        page = phones[4].get(path).text
        assert ((said in page), ("take-hosting" in page)) == (away, gone)
        dock = page[page.index('id="dock"') :]
        assert ("take-hosting" in dock) is gone, "whoever has scrolled sees the dock alone"
        assert ("the host, deals" in dock or "The host deals" in dock) is not gone
    host.get(path)
    assert said not in phones[4].get(path).text


@pytest.mark.parametrize("game", ["saboteur", "trains"])
def test_that_a_host_does_not_answer_is_said_when_it_is_their_turn(club, game: str) -> None:
    """Else all look at a table that stands still, and nobody knows why."""
    host = club.phone()
    path = club.open(host, game=game, way="referee")
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start", starter=1)
    if game == "saboteur":
        club.look(path, phones)
    else:
        for seat, row in enumerate(ROWS, 1):
            club.done(host, path, "play", play="deal", seat=seat, row=list(row))
    club.done(host, path, "pass-hosting", seat=1)
    said = "The host’s device is not answering."
    everybody = ((phones[1], path), (host, f"{path}/screen"))
    for later, on_phones, on_screen in ((29, False, False), (2, True, True), (120, False, True)):
        club.clock.now += later
        found = [said in phone.get(page).text for phone, page in everybody]
        assert found == [on_phones, on_screen]
    page = phones[1].get(path).text
    assert page.index("take-hosting") < page.index('id="turn"'), "the way on is what is seen first"
    phones[0].get(path)
    club.clock.now += 31
    assert said in phones[1].get(path).text
    club.done(phones[0], path, "pass-hosting", seat=2)
    club.clock.now += 31
    assert said not in phones[2].get(path).text  # another's turn


def test_a_phone_with_a_player_and_a_seat_that_waits_is_about_the_player(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    club.done(phones[0], path, "join", name="Otto")
    assert phones[0].post(f"{path}/role").status_code == 200
    assert "Otto" in phones[0].get(path).text  # its own page is among the links


def test_codes_work_as_long_as_somebody_can_sit_down(seated) -> None:
    """In the middle of a round too: phones and the table screen show the code then."""
    club, host, path, _ = seated
    code = club.tables.code(club.table(path).id)
    club.done(host, path, "start")
    late = club.phone()
    joining = late.post("/code", {"code": code})
    assert joining.status_code == 303
    assert "play from the next one" in late.get(joining.location).text
    for number in range(len(club.table(path).seats), 10):
        club.done(host, path, "add-seat", name=f"Late {number}")
    assert club.phone().post("/code", {"code": code}).status_code == 404


def test_who_starts_the_next_round_is_said_when_one_is_over(seated) -> None:
    """To all, though only the table screen may be looked at then."""
    club, host, path, phones = seated
    club.done(host, path, "start")
    played(club, host, path, 1)
    carl, emil = (phones[place].get(path, **{"Accept-Language": "en"}).text for place in (2, 4))
    by_name = "Carl starts the next round."
    for page, said in (
        (carl, "You start the next round."),
        (emil, by_name),
        (host.get(f"{path}/screen").text, by_name),
    ):
        (line,) = re.findall(r'id="next-starter"[^>]*>(.*?)</p>', page, re.DOTALL)
        assert re.sub(r"<[^>]*>", "", line) == said


def test_the_last_round_is_seen_before_the_winner(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    played(club, host, path, 3)
    for page in (phones[4].get(path).text, host.get(f"{path}/screen").text):
        assert "The gold diggers win the round" in page
        assert "Show everyone who has won" in page
        assert "Final standings" not in page
        assert "starts the next round" not in page
    assert phones[0].post(f"{path}/gold").status_code == 200
    club.done(phones[1], path, "count")
    for page in (phones[4].get(path).text, host.get(f"{path}/screen").text):
        assert "Final standings" in page
        (legend,) = re.findall(r'id="legend".*?</p>', page, re.DOTALL)
        assert "Round 3<" in legend


def test_a_game_that_is_finished_early_is_counted(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    played(club, host, path, 1)
    assert "Finish now and count" in host.get(f"{path}/host").text
    club.done(host, path, "deal")
    club.done(host, path, "finish")
    page = phones[4].get(path).text
    assert "The round was cut short" in page
    club.done(host, path, "count")
    assert "Winner: " in phones[4].get(path).text.replace('<bdi translate="no">', "")
    record = phones[0].get(f"{path}/record.jsonl").data
    assert all(verdict["ok"] for verdict in verdicts([record], GAMES))
    for shown in (phones[4].get(path).text, host.get(f"{path}/screen").text):
        assert "Round 2/3 was cut short and does not count" in shown
        assert shown.count('class="vh">Round 2:') == 0
    lines = phones[4].get(f"{path}/results.csv").text.splitlines()[1:]
    assert len(lines) == len(phones), "a line a player: of the round that counts"


def test_the_winner_is_told_so(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    played(club, host, path, 3)
    club.done(host, path, "count")
    table = club.table(path)
    winners = table.game.outcome(table.game_state).winners
    for place, phone in enumerate(phones):
        page = phone.get(path, **{"Accept-Language": "en"}).text
        assert ("You have won!" in page) is ((place,) == winners)
        assert ("Winner: " in page) is (len(winners) == 1 and place not in winners)
    assert "You have won!" not in host.get(f"{path}/screen").text
    assert len(winners) == 1, "nothing was tried"


def test_a_game_whose_only_round_was_cut_short_has_a_result(seated) -> None:
    """In which nobody has won, and no role counts."""
    club, host, path, phones = seated
    for deed in ("start", "finish", "count"):
        club.done(host, path, deed)
    assert "Round 1/3 was cut short and does not count" in phones[4].get(path).text
    assert len(phones[4].get(f"{path}/results.csv").text.splitlines()) == 1
    for page in ("take", "games", "result.png", "story", "replay"):
        assert phones[4].get(f"{path}/{page}").status_code == 200, page


def test_on_the_hosts_page_too_a_round_that_was_counted_is_undone_in_two_taps(seated) -> None:
    club, host, path, _ = seated
    club.done(host, path, "start")
    played(club, host, path, 1)
    page = host.get(f"{path}/host").text
    found = re.search(r'(?s)<details class="ask" id="host-taking-back">.*?</details>', page)
    assert found
    assert "turns the roles face down again and returns the gold" in found[0]
    deed = f'action="{path}/do/take-back"'
    assert (page.count(deed), found[0].count(deed)) == (1, 1)


def test_what_a_removal_costs_is_said_of_those_who_have_played(seated) -> None:
    club, host, path, _ = seated
    costs = "the end of the game can no longer be taken back"
    assert "Yes, remove it" in host.get(f"{path}/host").text
    assert costs not in host.get(f"{path}/host").text, "nothing has been played"
    for deed in ("start", "finish", "count"):
        club.done(host, path, deed)
    assert costs in host.get(f"{path}/host").text


def test_what_another_order_costs_is_said_where_it_costs_something(seated) -> None:
    """It is said where "Undo" stands, and it is true."""
    club, host, path, phones = seated
    costs = re.compile(r"If you change the order, the end of the (round|game) can no longer be")

    def turned() -> tuple[bool, bool]:
        """Whether something can be taken back before and after two have changed places."""
        page = host.get(f"{path}/host").text
        order = re.search(r'name="order" value="([\d,]+)"', page)
        assert order
        could = f'action="{path}/do/take-back"' in page
        club.done(host, path, "order-seats", order=order[1])
        can = f'action="{path}/do/take-back"' in host.get(f"{path}/host").text
        said = costs.search(page)
        assert bool(said) == (could and not can)
        assert not said or said[1] == ("round" if club.table(path).playing else "game")
        return could, can

    assert turned() == (False, False)
    club.done(host, path, "start")
    assert turned() == (False, False)
    played(club, host, path, 1)
    assert turned() == (True, True), "no play was reported: the round begins with the new order"
    club.done(host, path, "configure", way="referee")
    club.done(host, path, "deal")
    club.look(path, phones)
    turn = club.table(path).game_state.now.turn
    club.done(host, path, "play", play="pass", seat=str(club.table(path).players[turn].id))
    club.done(host, path, "play", play="result", reached="0", last="1")
    assert turned() == (True, False)
    club.done(host, path, "finish")
    assert turned() == (True, False)


def test_who_has_a_seat_matters_more_than_its_place(seated) -> None:
    """One line is in sight of several."""
    club, host, path, phones = seated
    club.done(host, path, "start")
    played(club, host, path, 1)
    change_order(club, host, path)
    club.done(host, path, "free-seat", seat="1")
    club.phone().post(club.join_path(path), {"claim": "1", "key": "k"})
    first = re.search(r"<summary>(.*?)</summary>", phones[4].get(path).text)
    assert first
    assert "Now on another phone" in first[1]
    assert "Seats, clockwise: <bdi" in phones[4].get(path).text


def test_seats_are_put_in_order_between_rounds_and_all_read_so(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    assert "A new order counts from now on" in host.get(f"{path}/host").text
    played(club, host, path, 1)
    up = re.search(
        r'name="order" value="([\d,]+)"><button class="round" id="up-2"',
        host.get(f"{path}/host").text,
    )
    assert up
    club.done(host, path, "order-seats", order=up[1])
    for page in (phones[4].get(path).text, host.get(f"{path}/screen").text):
        assert "The order of the seats has been changed" in page
        assert "Seats, clockwise: <bdi" in page
    club.done(host, path, "deal")
    club.done(host, path, "begin")
    club.done(host, path, "play", play="result", reached="1", finisher="3")
    assert "The order of the seats has been changed" not in phones[4].get(path).text
    club.done(host, path, "configure", way="referee")
    club.done(host, path, "deal")
    club.look(path, phones)
    turn = club.table(path).game_state.now.turn
    club.done(host, path, "play", play="pass", seat=str(turn + 1))
    page = host.get(f"{path}/host").text
    assert "The order can be changed when the round is over" in page
    assert 'id="up-2"' not in page
    crew = re.findall(r'id="mate-(\d)"', phones[0].get(path).text)
    assert crew == ["2", "1", "3", "4", "5"]
    club.done(host, path, "finish")
    record = phones[0].get(f"{path}/record.jsonl").data
    assert b'"play": "seats"' in record
    assert all(verdict["ok"] for verdict in verdicts([record], GAMES))


def test_who_can_take_a_report_back_is_said_as_long_as_anybody_can(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    played(club, host, path, 3)
    assert "the host can take it back" in phones[4].get(path).text
    change_order(club, host, path)
    assert "take it back" not in phones[4].get(path).text


def test_a_new_order_is_in_sight_beside_a_new_host(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    played(club, host, path, 1)
    change_order(club, host, path)
    club.done(host, path, "pass-hosting", seat=5)
    assert "is now the host" in host.get(f"{path}/screen").text
    text = phones[4].get(path).text
    first = re.search(r"<summary>(.*?)</summary>", text)
    assert first
    assert "The order of the seats has been changed" in first[1]
    assert "You are now the host" in text


def test_one_of_several_on_the_host_phone_is_called_host(club) -> None:
    host, guest = club.phone(), club.phone()
    path = club.open(host)
    for name in ("Anna", "Granny"):
        club.done(host, path, "join", name=name)
    guest.post(club.join_path(path), {"name": "Bert", "key": "join"})
    ring = guest.get(path).text.partition('id="ring"')[2].partition("</ol>")[0]
    assert ring.count("<small>Host</small>") == 1
    assert "Host" in ring.partition("Anna")[2].partition("</li>")[0]


def test_the_standings_tell_saboteurs_from_gold_diggers_at_a_glance(seated) -> None:
    """By drawing, by colour, and in words; and who gained nothing has plain nought."""
    club, host, path, phones = seated
    club.done(host, path, "start")
    played(club, host, path, 3)
    club.done(host, path, "count")
    past = GAMES["saboteur"].view(club.table(path).game_state, None).past
    roles = [role for each in past for role in each.roles]
    for page in (phones[4].get(path).text, host.get(f"{path}/screen").text):
        lines = re.findall(
            r'<li><svg class="([^"]*)"[^>]*><use href="#([^"]*)"/></svg><span>'
            r'<span class="vh">Round \d: ([^,]*), </span><span class="num">(.*?)</span>',
            page,
        )
        kinds = [("i", "pick", "gold digger"), ("i sab", "pick-x", "saboteur")]
        assert {line[:3] for line in lines} == set(kinds)
        assert [line[:3] for line in lines].count(kinds[1]) == roles.count("saboteur")
        (legend,) = re.findall(r'id="legend".*?</p>', page, re.DOTALL)
        assert 'class="i sab"' in legend
        gained = [re.sub("<[^>]*>", "", line[3]) for line in lines]
        assert "0" in gained
        assert "+0" not in gained


def test_a_game_without_gold_has_no_winner(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    club.done(host, path, "finish")
    club.done(host, path, "count")
    assert "Nobody has any gold" in phones[4].get(path).text


def test_a_new_name_is_on_every_page_and_the_deals_still_agree(clubs) -> None:
    club = clubs(draw=drawn)
    host = club.phone()
    path = club.open(host)
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    give(club, phones[0], path, "a" * 32)
    club.done(host, path, "start")
    club.done(phones[0], path, "rename-seat", seat="1", name="Anneli")
    played(club, host, path, 3)
    club.done(host, path, "count")
    assert "Anneli" in phones[1].get(path).text
    record = phones[1].get(f"{path}/record.jsonl").data
    assert json.loads(record.splitlines()[0])["seats"] == ["Anna", "Berta", "Carl"]
    assert [found.code for found in findings([record], GAMES)] == ["agrees"] * 4


def test_the_deals_agree_with_players_who_have_changed_places(clubs) -> None:
    club = clubs(draw=drawn)
    host = club.phone()
    path = club.open(host)
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    give(club, phones[0], path, "a" * 32)
    club.done(host, path, "order-seats", order="2,1,3")
    played(club, host, path, 3)
    record = phones[1].get(f"{path}/record.jsonl").data
    assert [line for line in record.splitlines() if b"seats" in line][1:] == [
        b'{"play": "seats", "order": ["Berta", "Anna", "Carl"]}'
    ]
    assert [found.code for found in findings([record], GAMES)] == ["agrees"] * 4


def test_what_nobody_knows_is_said_and_what_is_taken_instead(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    club.done(host, path, "begin")
    club.done(phones[4], path, "look", seat=5)
    assert (
        "if nobody knows, the last turn is taken to be theirs"
        in phones[4].get(f"{path}/report").text
    )
    club.done(phones[0], path, "play", play="result", reached="0", last="")
    page = phones[4].get(path).text
    assert "Nobody knows who had the last turn" in page
    assert "started the round and counts as last" in page
    assert "Last turn" not in page


def test_the_edition_changes_when_no_game_is_on(seated) -> None:
    club, host, path, _ = seated
    club.done(host, path, "start")
    assert "stays the same until the game is over" in host.get(f"{path}/host").text
    played(club, host, path, 3)
    assert 'name="edition"' in host.get(f"{path}/host").text
    club.done(host, path, "configure", edition="fi")
    assert club.table(path).edition == "fi"


def test_who_reports_what_was_just_reported_is_told_calmly(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    club.done(host, path, "begin")
    version = str(club.table(path).version)
    club.done(phones[0], path, "play", play="result", reached="1", finisher="2")
    form = {"play": "result", "reached": "1", "finisher": "2", "version": version, "key": "k"}
    late = phones[4].post(f"{path}/do/play", {**form, "page": path})
    assert late.status_code == 409
    assert "has just reported something" in late.text
    assert 'class="notice" role="status" id="refusal"' in late.text


def test_a_wrong_code_stays_in_its_field(seated) -> None:
    club, *_ = seated
    page = club.phone().post("/code", {"code": "QQQQQQ"}).text
    assert 'name="code" class="code" value="QQQQQQ" aria-invalid="true"' in page


def test_every_page_leads_to_the_rules_of_all_games(seated) -> None:
    club, host, path, phones = seated
    for page in ("/", "/language?next=/", "/nowhere", club.join_path(path), f"{path}/fair"):
        assert 'class="rules" href="/rules' in host.get(page).text, page
    rules = phones[0].get("/rules/saboteur?back=/language").text
    assert 'href="/rules/trains?back=%2Flanguage"' in rules
    assert 'href="#a-swap3"' in phones[0].get("/rules/trains").text


def test_an_end_that_was_taken_back_stands_beneath_the_right_one(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    club.done(host, path, "begin")
    club.done(phones[0], path, "play", play="result", reached="0", last="1")
    club.done(host, path, "take-back")
    assert 'class="notice"' in phones[4].get(path).text
    club.done(phones[0], path, "play", play="result", reached="1", finisher="2")
    page = phones[4].get(path).text
    assert page.index('id="result"') < page.index("The host took back")
    assert 'class="notice"' not in page


def test_any_phone_lends_the_table_screen_in_the_middle_of_a_round(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    qr = f"{path}/qr"
    club.done(phones[0], path, "offer-screen", page=qr)
    page = phones[0].get(qr).text
    code = re.findall(r'<b class="num code" translate="no">(\w{8})</b>', page)[0]
    assert code not in phones[1].get(qr).text
    laptop = club.phone()
    answer = laptop.post("/code", {"code": code.lower(), "screen": "1"})
    assert answer.location == f"{club.join_path(path)}/screen"
    assert laptop.get(answer.location).status_code == 200
    assert laptop.get(path).status_code == 403  # it has no seat by that
    assert laptop.get(f"/m/{code}").status_code == 404
    assert club.phone().post(f"{path}/do/offer-screen", {"version": "0"}).status_code == 403


def test_who_has_not_looked_when_the_host_goes_on_is_told_and_has_the_card(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    for seat in (1, 2, 3, 5):
        phones[seat - 1].post(f"{path}/role", {"seat": str(seat)})
    club.done(host, path, "begin")
    for page in (phones[4].get(path).text, host.get(f"{path}/screen").text):
        assert "Not looked yet: " in page
        assert "Everyone has looked" not in page
    assert 'data-stage="hold"' in phones[3].get(path).text
    phones[3].post(f"{path}/role", {"seat": "4"})
    assert 'data-stage="playing"' in phones[3].get(path).text
    assert "Everyone has looked" in phones[4].get(path).text


def test_before_the_start_all_read_what_they_are_going_to_play(seated) -> None:
    _, host, path, phones = seated
    for page in (phones[4].get(path).text, host.get(f"{path}/screen").text):
        text = re.sub(r"<[^>]*>", "", page)
        assert re.search(r"Saboteur · Roles and gold · \w+ (booklet|rules)", text)
        assert "Cards for each player: 6" in text
        assert "saboteurs 2, gold diggers 4" in text


def test_how_many_cards_each_is_dealt_is_said_once(seated) -> None:
    """While roles are looked at, when they are dealt, and in a round that nobody follows."""
    club, host, path, phones = seated
    club.done(host, path, "start")
    phones[4].post(f"{path}/role", {"seat": "5"})
    looking = phones[4].get(path).text
    club.done(host, path, "begin")
    for page in (looking, phones[4].get(path).text, host.get(f"{path}/screen").text):
        assert page.count("Cards for each player: 6") == 1


@pytest.mark.parametrize("starter", [1, 2, 4])
def test_who_starts_the_round_reads_so_in_the_second_person(club, starter: int) -> None:
    """But not on a phone with several players."""
    host = club.phone()
    path = club.open(host)
    names = ["Anna", "Berta", "Carl", "Dora", "Emil"]
    phones = [*club.sit(path, names[:3]), host, host]
    for name in names[3:]:
        club.done(host, path, "add-seat", name=name)
    club.done(host, path, "start", starter=str(starter))
    for seat, phone in enumerate(phones, 1):
        phone.post(f"{path}/role", {"seat": str(seat)})
    for seat, phone in enumerate(phones, 1):
        heading = re.search(r'id="starter".*?<h1>(.*?)</h1>', phone.get(path).text, re.DOTALL)
        assert heading
        you = seat == starter and phone is not host
        said = "You start" if you else f"Starting player: {names[starter - 1]}"
        assert re.sub("<[^>]*>", "", heading[1]) == said


def test_before_another_game_all_read_what_they_are_going_to_play(seated) -> None:
    club, host, path, phones = seated
    for deed in ("start", "finish", "count"):
        club.done(host, path, deed)
    club.done(host, path, "configure", edition="lv-2009", way="referee")
    newcomer = club.phone()
    assert newcomer.post(club.join_path(path), {"name": "Fritz", "key": "k"}).status_code == 303
    television = f"{club.join_path(path)}/screen"
    for page in (
        host.get(path).text,
        phones[4].get(path).text,
        newcomer.get(path).text,
        host.get(f"{path}/screen").text,
        club.phone().get(television).text,
    ):
        text = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", page))
        assert "Next game: Saboteur · Full referee · Latvian booklet, 2009" in text
        assert "Cards for each player: 5" in text
        assert "saboteurs 2, gold diggers 5" in text


def test_before_another_game_of_trains_all_read_which_way_it_will_be_played(club) -> None:
    host = club.phone()
    path = club.open(host, game="trains")
    phones = club.sit(path, ["Anna", "Berta"])
    for deed in ("start", "finish"):
        club.done(host, path, deed)
    club.done(host, path, "configure", way="light")
    television = club.phone().get(f"{club.join_path(path)}/screen")
    for page in (host.get(path), phones[1].get(path), host.get(f"{path}/screen"), television):
        assert "Without reports" in page.text.partition('id="new-game"')[2]


def test_under_the_referee_too_who_has_not_looked_has_the_card_first(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "configure", way="referee")
    club.done(host, path, "start")
    club.done(host, path, "begin")
    page = phones[4].get(path).text
    assert "data-pad" in page
    assert 'id="maze"' not in page
    club.look(path, phones)
    assert 'id="maze"' in phones[4].get(path).text


def test_whoever_starts_another_game_is_asked_who_starts_it(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    played(club, host, path, 3)
    club.done(host, path, "count")
    named = club.table(path).game_state.starter
    for page in (host.get(path).text, host.get(f"{path}/screen").text):
        form = page.partition("/do/new-game")[2].partition("</form>")[0]
        chosen = re.findall(r'<option value="(\w+)" selected>([^<]*)', form)
        assert chosen == [(str(named + 1), club.table(path).names[named])]
        assert len(re.findall("<option", form)) == 5
    assert "/do/new-game" not in phones[0].get(path).text
    assert club.do(host, path, "new-game", starter="x").status_code == 400
    assert club.do(host, path, "new-game", starter="9").status_code == 404
    other = (named + 2) % 5
    club.done(host, path, "new-game", starter=other + 1)
    assert club.table(path).starter == other + 1


@pytest.mark.parametrize(("game", "least"), [("saboteur", 3), ("trains", 2)])
def test_another_game_is_offered_where_enough_players_are_left(club, game, least) -> None:
    host = club.phone()
    path = club.open(host, game=game)
    phones = club.sit(path, ["Anna", "Berta", "Carl"][:least])
    club.done(host, path, "start")
    if game == "saboteur":
        club.done(host, path, "begin")
        club.done(host, path, "play", play="result", reached="1", finisher="1")
    club.done(host, path, "finish")
    offered = f'action="{path}/do/{"new-game" if game == "saboteur" else "start"}"'
    missing = f'aria-disabled="true">You need at least {least} players to start<'
    for seats in range(least, -1, -1):
        for page in ("", "/screen"):
            shown = host.get(path + page).text
            assert (offered in shown) == (seats == least), (page, seats)
            assert (missing in shown) == (seats < least), (page, seats)
        if seats:
            assert missing not in phones[seats - 1].get(path).text
            club.done(phones[seats - 1], path, "remove-seat", seat=seats)


def test_a_new_game_form_of_before_starts_with_whom_the_game_names(seated) -> None:
    club, host, path, _ = seated
    club.done(host, path, "start")
    played(club, host, path, 3)
    named = club.table(path).game_state.starter
    club.done(host, path, "new-game")
    assert club.table(path).starter == named + 1


def test_who_waits_for_the_next_game_does_not_end_the_last_round_for_all(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    late = club.phone()
    assert late.post(club.join_path(path), {"name": "Õnne", "key": "k"}).status_code == 303
    played(club, host, path, 3)
    offers = [f"{path}/do/count" in phone.get(path).text for phone in (late, phones[0], host)]
    assert offers == [False, True, True]
    assert 'class="dock"' not in late.get(path).text, "nothing would be in it"
    assert club.do(late, path, "count").status_code == 403
    assert not club.table(path).counted
    club.done(phones[0], path, "count")
    assert club.table(path).counted


def test_after_a_second_game_all_games_are_counted(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    for game in range(2):
        played(club, host, path, 3)
        club.done(host, path, "count")
        for page in (phones[4].get(path).text, host.get(f"{path}/screen").text):
            assert ("Wins and gold in 2 games" in page) is (game == 1)
        if not game:
            club.done(host, path, "new-game")
    won, golds = {}, {}
    for result in club.table(path).results:
        totals = [sum(sum(past.gold[seat]) for past in result.game_state.past) for seat in range(5)]
        for player, total in zip(result.players, totals, strict=True):
            golds[player.name] = golds.get(player.name, 0) + total
            won[player.name] = won.get(player.name, 0) + (total == max(totals))
    page = phones[4].get(path).text
    tally = page.partition('id="tally"')[2].partition("</ul>")[0]
    said = re.findall(
        r'<bdi[^>]*>(\w+)</bdi> <b class="num">(\d+) wins?</b> <span[^>]*>(\d+) gold', tally
    )
    assert {name: (int(wins), int(gold)) for name, wins, gold in said} == {
        name: (won[name], golds[name]) for name in won
    }
    assert [int(wins) for _, wins, _ in said] == sorted(won.values(), reverse=True)
