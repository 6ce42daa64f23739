"""All games of a table: by evening, and how everybody stands."""

from __future__ import annotations

import re

from companion.web.view.asking import Asking
from companion.web.view.evening import APART_S, evenings_view, names_of


def play(club, host, path: str, phone, *, again: bool, reached: str = "0") -> None:
    """A game in which every round ends alike."""
    club.done(host, path, "new-game" if again else "start")
    for number in (1, 2, 3):
        club.done(host, path, "begin")
        last = club.table(path).players[-1].id
        told = {"finisher": str(last)} if reached == "1" else {"last": str(last)}
        club.done(phone, path, "play", play="result", reached=reached, **told)
        if number < 3:
            club.done(host, path, "deal")


def view_of(club, path: str):
    table = club.table(path)
    host = Asking(table, table.host, "table")
    return evenings_view(host, path, "en", 30)


def test_what_comes_much_later_is_another_evening(seated) -> None:
    club, host, path, phones = seated
    for number, later in enumerate((0, APART_S - 1, APART_S, 60)):
        club.clock.now += later
        play(club, host, path, phones[0], again=number > 0)
    view = view_of(club, path)
    assert [[game.number for game in each.games] for each in view.evenings] == [[4, 3], [2, 1]]
    assert view.whole is not None
    assert [line.games for line in view.whole.lines] == [4] * 5


def test_the_standing_is_the_sum_of_the_games(seated) -> None:
    club, host, path, phones = seated
    for number, reached in enumerate("011"):
        play(club, host, path, phones[0], again=number > 0, reached=reached)
    table, view = club.table(path), view_of(club, path)
    assert view.whole is None
    (evening,) = view.evenings
    assert view.roles == ("miner", "saboteur")
    for line in evening.standings.lines:
        seat = table.names.index(line.name)
        pasts = [past for result in table.results for past in result.game_state.past]
        totals = [
            [sum(sum(past.gold[each]) for past in result.game_state.past) for each in range(5)]
            for result in table.results
        ]
        assert line.points == sum(each[seat] for each in totals)
        assert line.wins == sum(bool(max(each)) and each[seat] == max(each) for each in totals)
        assert line.won_as == tuple(
            sum(past.final.roles[seat] == role and past.won_by == f"{role}s" for past in pasts)
            for role in view.roles
        )
        most = max(map(max, totals))
        assert [bar.high for bar in line.bars] == [each[seat] / most for each in totals]
    wins = [line.wins for line in evening.standings.lines]
    assert wins == sorted(wins, reverse=True)
    assert [game.points for game in reversed(evening.games)] == [tuple(each) for each in totals]


def test_whoever_had_two_names_is_counted_as_one_by_the_hosts_word(seated) -> None:
    club, host, path, phones = seated
    play(club, host, path, phones[0], again=False)
    assert "join-people" not in host.get(f"{path}/host").text  # all have sat together
    club.done(host, path, "remove-seat", seat="3")
    phones[2].post(club.join_path(path), {"name": "Karl", "key": "again"})
    assert f'href="{path}/host#people"' in host.get(f"{path}/games").text
    assert 'id="people"' in host.get(f"{path}/host").text
    assert "/host#people" not in phones[0].get(f"{path}/games").text
    play(club, host, path, phones[0], again=True)
    assert len(view_of(club, path).evenings[0].standings.lines) == 6
    assert club.do(phones[0], path, "join-people", seat="3", same="6").status_code == 403
    assert club.do(host, path, "join-people", seat="1", same="6").status_code == 409
    assert club.do(host, path, "join-people", seat="1").status_code == 400
    club.done(host, path, "join-people", seat="6", same="3")
    lines = {line.name: line for line in view_of(club, path).evenings[0].standings.lines}
    assert set(lines) == {"Anna", "Berta", "Karl", "Dora", "Emil"}
    assert {line.games for line in lines.values()} == {2}
    assert names_of(club.table(path))[3] == "Karl"
    club.done(host, path, "count")
    tally = re.search(r'<section id="tally".*?</section>', phones[0].get(path).text, re.DOTALL)
    assert tally is not None
    assert "Carl" not in tally[0]
    assert "Count separately again" in host.get(f"{path}/host").text
    club.done(host, path, "part-people", seat="3")
    assert len(view_of(club, path).evenings[0].standings.lines) == 6


def test_the_two_lists_of_names_stand_on_different_ones(seated) -> None:
    """Whoever taps at once is told that these two have played together, or has joined them."""
    club, host, path, phones = seated
    play(club, host, path, phones[0], again=False)
    club.done(host, path, "remove-seat", seat="3")
    phones[2].post(club.join_path(path), {"name": "Karl", "key": "again"})
    form = host.get(f"{path}/host").text.partition("/do/join-people")[2].partition("</form>")[0]
    one, other = form.split("</select>")[:2]
    assert not re.search(r"<option[^>]* selected", one)
    first = re.search(r'<option value="(\d+)"', one)
    chosen = re.findall(r'<option value="(\d+)" selected', other)
    assert first
    assert len(chosen) == 1
    assert chosen != [first[1]]
    answer = club.do(host, path, "join-people", seat=first[1], same=chosen[0])
    assert answer.status_code == 409
    assert "so they are two people" in answer.text


def test_the_page_for_everybody_at_the_table(seated) -> None:
    club, host, path, phones = seated
    assert "No game is over yet." in phones[0].get(f"{path}/games", **EN).text
    assert "join-people" not in host.get(f"{path}/host").text
    for number in range(2):
        play(club, host, path, phones[0], again=number > 0)
        club.done(host, path, "count")
        assert (f'href="{path}/games"' in phones[0].get(path).text) == (number > 0)
    page = phones[0].get(f"{path}/games", **EN)
    assert page.status_code == 200
    assert "After 30 days without use" in page.text
    assert "/host#people" not in page.text
    assert "/host#people" not in host.get(f"{path}/games").text  # all have sat together
    links = set(re.findall(rf'href="({path}/(?:replay|take)\?game=\d)"', page.text))
    assert links == {f"{path}/{where}?game={n}" for where in ("replay", "take") for n in (1, 2)}
    assert all(phones[1].get(link).status_code == 200 for link in links)
    assert club.phone().get(f"{path}/games").status_code == 403
    club.done(host, path, "new-game")
    assert phones[0].get(f"{path}/games", **EN).text == page.text  # nothing of the one that is on


def test_trains_have_wins_alone(club) -> None:
    host = club.phone()
    path = club.open(host, game="trains", way="light")
    phones = club.sit(path, ["Anna", "Berta"])
    for seat in ("2", "1", "2"):
        club.done(host, path, "start", starter="1")
        risen = list(range(1, 8))
        club.done(phones[int(seat) - 1], path, "play", play="claim", seat=seat, row=risen)
    (evening,) = view_of(club, path).evenings
    assert [(line.name, line.wins) for line in evening.standings.lines] == [
        ("Berta", 2),
        ("Anna", 1),
    ]
    assert [[bar.high for bar in line.bars] for line in evening.standings.lines] == [
        [1, 0, 1],
        [0, 1, 0],
    ]
    page = phones[0].get(f"{path}/games").text
    assert "Rounds won" not in page
    assert "/take?game=3" in page


EN = {"Accept-Language": "en"}


def test_a_game_that_was_cut_before_a_round_was_over_does_not_count(seated) -> None:
    club, host, path, phones = seated
    play(club, host, path, phones[0], again=False, reached="1")
    club.done(host, path, "new-game")
    club.done(host, path, "begin")
    club.done(host, path, "finish")
    (evening,) = view_of(club, path).evenings
    assert {line.games for line in evening.standings.lines} == {1}
    assert evening.standings.plotted == 1
    cut, whole = evening.games
    assert not cut.counts
    assert whole.counts
    assert phones[0].get(f"{path}/games", **EN).text.count("does not count") == 1
    club.done(host, path, "count")
    assert 'id="tally-h"' not in phones[0].get(path).text  # what there is one of is no sum


def test_where_no_game_counts_nobody_stands_anywhere(club) -> None:
    host = club.phone()
    path = club.open(host, game="trains", way="light")
    phones = club.sit(path, ["Anna", "Berta"])
    club.done(host, path, "start", starter="1")
    club.done(host, path, "finish")
    (evening,) = view_of(club, path).evenings
    assert not evening.standings.lines
    page = phones[0].get(f"{path}/games", **EN).text
    assert 'class="stand"' not in page
    club.clock.now += APART_S
    club.done(host, path, "new-game", starter="1")
    club.done(host, path, "finish")
    both = phones[0].get(f"{path}/games", **EN).text
    assert both.count("<h2 ") == 2  # and none of all evenings together
    assert 'class="stand"' not in both
    assert "does not count" in page
