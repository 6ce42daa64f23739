"""A game is watched again: its scenes are those of its record, at a table and of a file."""

from __future__ import annotations

import gzip
import io
import json
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import pytest
from markupsafe import Markup
from werkzeug.test import TestResponse

from companion import catalogues
from companion.games import GAMES
from companion.games.game import Rejection
from companion.games.saboteur.pages.panels import BrokenView, GoalView
from companion.games.saboteur.pages.replay import PurseView
from companion.games.saboteur.pages.views import DrawnCard
from companion.games.saboteur.rules.cards import tools
from companion.games.saboteur.rules.model import Pass, Result, RoundEnded
from companion.games.saboteur.rules.view import view as saboteur_view
from companion.games.trains.pages.panels import WagonView
from companion.record import RecordStep, read
from companion.record.writing import record_lines
from companion.tables.log import StorageError
from companion.web.html.panels import Attributes, Keyed, Panel, Part
from companion.web.http.line import AT_ONCE, WAITING_OF_ONE
from companion.web.pages import replays
from companion.web.view import recorded_game
from companion.web.view.recorded_game import PLAYS_MAX, RecordedGame, recorded_game_of, verdict_of
from companion.web.view.replay import PlayLine, Replay, replay_of
from tests.games.saboteur import players
from tests.games.trains.dealer import Dealer
from tests.kit.forms import form_of

GAMES_FOLDER = Path(__file__).parents[1] / "games"
RECORDS = sorted(
    path for path in GAMES_FOLDER.rglob("records/**/*.jsonl") if "verdicts" not in path.name
)


def plays_of(record: bytes) -> list[list[RecordStep]]:
    """Of each game of a record with a play, what the referee accepts after its header."""
    found: list[list[RecordStep]] = []
    for step in read([record], GAMES):
        if step.verdict is None:
            found.append([])
        elif step.verdict.ok:
            found[-1].append(step)
    return [plays for plays in found if plays]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parents[1].name}-{path.stem}")
def test_each_scene_shows_the_state_after_its_play(path: Path) -> None:
    record = path.read_bytes()
    games = plays_of(record)
    assert games
    for number, plays in enumerate(games, 1):
        found = replay_of([record], GAMES, number=number)
        assert isinstance(found, Replay)
        assert len(found.scenes) == len(plays)
        for scene, step in zip(found.scenes, plays, strict=True):
            assert step.game is not None
            parts = [part for part in scene.parts if part.id not in unseen(scene.parts)]
            views = [part.view for part in parts if isinstance(part, Panel)]
            views += [
                view for part in parts if isinstance(part, Keyed) for _, view in part.children
            ]
            views += [part for part in parts if isinstance(part, Attributes)]
            {"saboteur": same_round, "trains": same_rows}[step.game.name](views, step)


def unseen(parts: tuple[Part, ...]) -> list[str]:
    """The mazes of other rounds, which lie there, too."""
    return [
        part.id.replace("round", "cells")
        for part in parts
        if isinstance(part, Attributes) and ("opacity", "0") in part.values
    ]


def same_round(views: list, step: RecordStep) -> None:
    state = step.state
    table = state.now or state.past[-1].final
    shown = saboteur_view(state, None)
    cells = {view.at: view.symbol for view in views if isinstance(view, DrawnCard)}
    assert cells.keys() == {each.at for each in shown.maze}
    for each in shown.maze:
        assert cells[each.at].partition("-")[2] in ("", each.card.removesuffix("x"))
    goals = {view.goal.name for view in views if isinstance(view, GoalView)}
    assert goals == set(shown.goals_down)
    broken = [view.broken for view in views if isinstance(view, BrokenView)]
    assert broken == [tools(bits) for bits in table.broken]
    roles = [each for each in views if isinstance(each, Attributes) and each.id[:5] == "role-"]
    assert [dict(each.values)["class"] == "role sab" for each in roles] == [
        role == "saboteur" for role in table.roles
    ]
    gold = [sum(sum(past.gold[seat]) for past in state.past) for seat in range(state.seats)]
    assert [view.nuggets for view in views if isinstance(view, PurseView)] == gold


def same_rows(views: list, step: RecordStep) -> None:
    wagons = [view.wagon for view in views if isinstance(view, WagonView)]
    rows = [wagons[at : at + 7] for at in range(0, len(wagons), 7)]
    assert [[each and (each.number or 0) for each in row] for row in rows] == [
        list(row) or [None] * 7 for row in step.state.rows
    ]


# At a table


def over(seated, games: int = 1) -> tuple:
    """A table of five whose last game is over, and whose rounds were told."""
    club, host, path, phones = seated
    for game in range(games):
        club.done(host, path, "new-game" if game else "start")
        for number in (1, 2, 3):
            club.done(host, path, "begin")
            club.done(phones[1], path, "play", play="result", reached="0", last="5")
            if number < 3:
                assert host.get(f"{path}/replay").status_code == (409)
                club.done(host, path, "deal")
        club.done(host, path, "count")
    return club, host, path, phones


def scenes_of(page: TestResponse) -> list:
    found = re.search(r'<script type="application/json" id="scenes">(.*?)</script>', page.text)
    assert found is not None
    scenes = json.loads(found[1])
    assert isinstance(scenes, list)
    return scenes


@pytest.mark.parametrize("name", ["replay", "story"])
def test_players_have_the_names_that_they_have_now(seated, name: str) -> None:
    club, host, path, _ = over(seated)
    was = club.table(path).players[0].name
    for now in (f"{was}-Maria", f"{was}-Liis"):  # the second time from what is kept
        club.done(host, path, "rename-seat", seat="1", name=now)
        page = host.get(f"{path}/{name}").text
        assert now in page
        assert not re.search(rf"{was}(?!-)", page)
        was = now


def test_everybody_at_the_table_can_watch_it(seated) -> None:
    club, host, path, phones = over(seated)
    for phone in (host, *phones):
        page = phone.get(f"{path}/replay")
        assert page.status_code == 200
        assert len(scenes_of(page)) == 6
        assert f'href="{path}/replay?game=1"' in phone.get(path).text
    assert f'href="{path}/replay?screen=1&amp;game=1"' in host.get(f"{path}/screen").text
    assert host.get(f"{path}/replay?screen=1").status_code == 200
    television = club.phone()
    link = f"{club.join_path(path)}/replay"
    assert f'href="{link}?game=1"' in television.get(f"{club.join_path(path)}/screen").text
    assert len(scenes_of(television.get(link))) == 6
    assert club.phone().get(f"{path}/replay").status_code == 403


def test_a_page_that_was_open_as_a_game_ended_leads_to_that_game(seated) -> None:
    """Later, too: its phone has slept, or has no script."""
    club, host, path, phones = over(seated)
    page = phones[0].get(path).text
    links = re.findall(rf'href="({path}/(?:replay|story|take|record.jsonl)[^"]*)"', page)
    assert len(links) == 4
    watched = scenes_of(phones[0].get(links[0]))
    club.done(host, path, "new-game")
    assert all(phones[0].get(link).status_code == 200 for link in links)
    club.done(host, path, "finish")
    assert scenes_of(phones[0].get(links[0])) == watched
    assert {phones[0].get(link).status_code for link in links} == {200}


def test_in_another_language_it_stays_at_its_play(seated) -> None:
    club, host, path, phones = over(seated)
    for phone, page in (
        (phones[0], f"{path}/replay?game=1&at=4"),
        (host, f"{path}/replay?screen=1&game=1&at=4"),
        (club.phone(), f"{club.join_path(path)}/replay?game=1&at=4"),
    ):
        switch = re.search(r'class="lang" href="([^"]*)"', phone.get(page).text)
        assert switch is not None
        there = re.search(r'name="next" value="([^"]*)"', phone.get(unescape(switch[1])).text)
        assert there is not None
        assert unescape(there[1]) == page


@pytest.mark.parametrize("status", [409, 503])
def test_where_it_cannot_be_watched_any_more_there_is_a_way_back_to_the_table(
    seated, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    """Its end is taken back, or nothing can be read: a screen goes back to the screen."""
    club, host, path, phones = over(seated)
    if status == 409:
        club.done(host, path, "take-back")

    def fails(*args: object) -> None:
        raise StorageError("the disk is away")

    monkeypatch.setattr(club.tables, "finished_game", fails)
    join = club.join_path(path)
    for phone, page, back in (
        (phones[4], f"{path}/story?game=1", path),
        (host, f"{path}/story?screen=1&game=1", f"{path}/screen"),
        (host, f"{path}/replay?screen=1&game=1", f"{path}/screen"),
        (club.phone(), f"{join}/replay?game=1", f"{join}/screen"),
        (club.phone(), f"{join}/story?game=1", f"{join}/screen"),
    ):
        answer = phone.get(page)
        assert answer.status_code == status
        assert f'<a class="btn main" href="{back}">Show the table as it is now</a>' in answer.text
        assert phone.get(back).status_code == 200


def test_what_is_known_of_a_game_whose_plays_were_not_reported(seated) -> None:
    club, _, path, phones = over(seated)
    page = phones[4].get(f"{path}/replay?at=6")
    told = re.search(r'<p id="said"[^>]*>(.*?)</p>', page.text, re.DOTALL)
    assert told is not None
    assert "The saboteurs win the round" in told[1] or "No gold" in told[1]
    assert re.search(r'id="mazeview" class="maze" hidden', page.text)
    totals = [
        sum(sum(past.gold[seat]) for past in club.table(path).game_state.past) for seat in range(5)
    ]
    for seat, total in enumerate(totals):
        purse = re.search(rf'id="purse-{seat}".*?</li>', page.text, re.DOTALL)
        assert purse is not None
        assert (f">{total} <b>" in purse[0] or f">{total}</span>" in purse[0]) == bool(total)


@pytest.mark.parametrize("name", ["replay", "story"])
def test_a_game_of_the_table_that_is_too_long(
    seated, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    _, host, path, _ = over(seated)
    monkeypatch.setattr(recorded_game, "PLAYS_MAX", 2)
    page = host.get(f"{path}/{name}")
    assert page.status_code == 400
    assert "more than 2 plays" in page.text


def test_earlier_games_of_the_table_too(seated) -> None:
    club, host, path, phones = over(seated, games=2)
    page = phones[4].get(f"{path}/replay")
    assert page.text.count('href="?game=1"') == page.text.count('href="?game=2"') == 1
    first = phones[4].get(f"{path}/replay?game=1")
    assert scenes_of(first) != scenes_of(page)
    club.done(host, path, "new-game")
    assert host.get(f"{path}/replay").status_code == 409  # one is on
    assert scenes_of(phones[4].get(f"{path}/replay?game=1")) == scenes_of(first)
    for wrong in ("0", "3", "x", "01", "-1"):
        assert host.get(f"{path}/replay?game={wrong}").status_code == 409


def test_games_have_the_same_numbers_everywhere(seated, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also at a table that has played more than it shows."""
    monkeypatch.setattr("companion.tables.evolve_play.SHOWN_MAX", 2)
    _, host, path, phones = over(seated, games=3)
    games = phones[4].get(f"{path}/games").text
    page = phones[4].get(f"{path}/replay")
    for number in (2, 3):
        assert f'replay?game={number}"' in games
        assert f'href="?game={number}"' in page.text
        assert host.get(f"{path}/replay?game={number}").status_code == 200
    assert scenes_of(host.get(f"{path}/replay?game=3")) == scenes_of(page)
    assert host.get(f"{path}/replay?game=1").status_code == 409


def test_a_game_that_is_played_after_all_is_listed_beside_those_before(club) -> None:
    host = club.phone()
    path = club.open(host, game="trains", way="referee")
    club.sit(path, ["Anna", "Berta"])

    def played(seed: int) -> None:
        dealer = Dealer(Random(seed), 2)
        while club.table(path).playing:
            play = dealer.next_play(club.table(path).game_state)
            club.done(host, path, "play", **form_of(play))

    def leads_to_the_second() -> bool:
        return 'href="?game=2"' in host.get(f"{path}/replay?game=1").text

    club.done(host, path, "start", starter="1")
    played(1)
    club.done(host, path, "new-game", starter="1")
    club.done(host, path, "finish")  # before anything was played
    assert not leads_to_the_second()
    club.done(host, path, "take-back")
    played(2)
    assert leads_to_the_second()


def test_without_a_script_each_scene_has_its_address(seated) -> None:
    _, _, path, phones = over(seated)
    page = phones[4].get(f"{path}/replay?at=2")
    assert 'rel="prev" href="?game=1&amp;at=1"' in page.text
    assert 'rel="next" href="?game=1&amp;at=3"' in page.text
    assert 'name="at" min="1" max="6" value="2"' in page.text
    assert "hidden>" not in re.findall(r'<a class="round" rel="prev".*?>', page.text)[0]
    assert phones[4].get(f"{path}/replay?at=99").text.count(">6/6<") == 1
    for odd in ("0", "x", "-1", "٣", "1e9"):
        assert phones[4].get(f"{path}/replay?at={odd}").text.count(">1/6<") == 1


# Of a file


FORM = "multipart/form-data; boundary=x"


def sent(phone, record: bytes, name: str = "game.jsonl", **headers: str) -> TestResponse:
    head = f'Content-Disposition: form-data; name="record"; filename="{name}"'.encode()
    body = b"\r\n".join((b"--x", head, b"", record, b"--x--", b""))
    return phone.client.post("/replay", data=body, headers=headers, content_type=FORM)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parents[1].name}-{path.stem}")
def test_any_record_can_be_opened(club, path: Path) -> None:
    record = path.read_bytes()
    games = plays_of(record)
    page = sent(club.phone(), record)
    if len(games) > 1:
        assert page.status_code == 400
        assert "There are several games in this file." in page.text
        return
    assert page.status_code == 200
    assert len(scenes_of(page)) == len(games[0])
    refused = sum(
        step.verdict is not None and not step.verdict.ok for step in read([record], GAMES)
    )
    assert ("left out" in page.text) == bool(refused)
    assert "&lt;bdi" not in page.text  # names are set apart once, in lists too
    used = set(re.findall(r'<use [^>]*?href=\\?"#([\w-]+)', page.text))
    assert used <= set(re.findall(r'<(?:symbol|g) id="([\w-]+)"', page.text))


HEADER = {
    "game": "saboteur",
    "edition": "en",
    "seats": ["</script><b>", "<!--<script>", "Carl"],
    "starter": "Carl",
    "gold": [3] * 4 + [2] * 8 + [1] * 16,
}
DEAL = {"play": "deal", "roles": ["miner", "saboteur", "miner"]}
PASS = [{"play": "pass", "by": each} for each in ("Carl", "</script><b>", "<!--<script>")]


def lines(*each: object) -> bytes:
    return "".join(json.dumps(one) + "\n" for one in each).encode()


def test_names_with_markup_are_text(club) -> None:
    page = sent(club.phone(), lines(HEADER, DEAL, *PASS))
    assert page.status_code == 200
    assert len(scenes_of(page)) == 4
    assert "<b>" not in page.text.replace("<b>+", "")
    assert "<!--" not in page.text


def test_where_a_card_lay_is_said_too_and_makes_no_caption_long(club) -> None:
    laid = {"play": "path", "by": "Carl", "card": "NESW", "at": [1, 0]}
    page = sent(club.phone(), lines(HEADER, DEAL, laid)).text
    caption = re.findall(r"<li><a .*?</a></li>", page)[1]
    where = "Column 1, middle row. Open sides: top, right, bottom, left."
    assert f'<span class="vh">{where}</span>' in caption
    assert "data-long" not in caption
    for letters, long in ((80, False), (81, True)):
        caption = Markup(f'<b>{"x" * letters}</b> <span class="vh">{where}</span>')
        assert PlayLine(1, "#2", caption).long == long


def test_what_is_no_record_is_refused_with_a_sentence(club) -> None:
    phone = club.phone()
    wrong = {
        b"": "No game was found.",
        b"\n" * 60_000: "No game was found.",
        b"hello": "Line 1: Not legal.",
        b"\xff\x00" * 9000: "Line 1: Not legal.",
        lines({"game": "chess"}): "Line 1: Not legal.",
        lines(HEADER): "No game was found.",
        b"{}\n" * 20_000: "Line 1: Not legal.",
    }
    for record, sentence in wrong.items():
        page = sent(phone, record)
        assert (page.status_code, sentence in page.text) == (400, True), record[:20]
    assert sent(phone, b"", name="").status_code == 400
    assert phone.post("/replay", {"record": "x"}).status_code == 400


def test_what_is_too_much_is_refused_with_a_sentence(club) -> None:
    for record in (b"x" * 10_000_000, b"{}\n" * 1_000_000):
        page = sent(club.phone(), record)
        assert (page.status_code, "The file is too large" in page.text) == (413, True)
    long = replay_of(
        [lines(HEADER, DEAL, *({"play": "count", "by": "Carl", "pile": 9},) * PLAYS_MAX)], GAMES
    )
    assert not isinstance(long, Replay)
    assert long.reason.code == "too_many_plays"


COUNT = {"play": "count", "by": "Carl", "pile": 9}
REFUSED = {"play": "pass", "by": "nobody"}


def test_of_several_games_only_the_one_that_is_asked_for_must_be_short_enough() -> None:
    short, long = (HEADER, DEAL, COUNT), (HEADER, DEAL, *(COUNT,) * PLAYS_MAX)
    for record, number in ((lines(*short, *long), 1), (lines(*long, *short), 2)):
        found = recorded_game_of([record], GAMES, number=number)
        assert isinstance(found, RecordedGame)
        assert len(found.steps) == 2
        other = recorded_game_of([record], GAMES, number=3 - number)
        assert isinstance(other, Rejection)
        assert other.reason.code == "too_many_plays"


@pytest.mark.parametrize(
    ("record", "number", "refused"),
    [
        ((HEADER, DEAL, REFUSED), None, 1),
        (("no line of a game", HEADER, DEAL), None, 1),
        ((HEADER, DEAL, {"game": "chess"}, REFUSED), None, 2),
        ((HEADER, DEAL, HEADER, DEAL, REFUSED), 1, 0),
        ((HEADER, DEAL, HEADER, DEAL, REFUSED), 2, 1),
        ((HEADER, DEAL, REFUSED, HEADER, REFUSED, HEADER, DEAL), 1, 1),
        ((HEADER, DEAL, REFUSED, HEADER, REFUSED, HEADER, DEAL), 2, 0),
        ((HEADER, DEAL, {"game": "chess"}, *(REFUSED,) * 2000, HEADER, DEAL), 2, 0),
    ],
)
def test_of_several_games_the_refused_lines_of_the_others_are_theirs(
    record: tuple, number: int | None, refused: int
) -> None:
    found = recorded_game_of([lines(*record)], GAMES, number=number)
    assert isinstance(found, RecordedGame)
    assert found.refused == refused


@pytest.mark.parametrize(
    ("games", "said"),
    [
        (1, "There is only 1 game in this file."),
        (2, "There are only 2 games in this file."),
    ],
)
def test_a_game_that_a_file_does_not_have_is_refused_and_no_line_of_another(
    games: int, said: str
) -> None:
    found = recorded_game_of([lines(*(HEADER, DEAL, REFUSED) * games)], GAMES, number=games + 1)
    assert isinstance(found, Rejection)
    t = catalogues.catalogue("en")
    assert found.sentence(t) == said
    assert verdict_of(found, t, ", ".join) == ""


def test_of_a_pile_that_was_counted_too_high_no_less_than_nothing_was_played() -> None:
    found = replay_of([lines(HEADER, DEAL, {**COUNT, "pile": 67})], GAMES)
    assert isinstance(found, Replay)
    (piles,) = [part.view for part in found.scenes[-1].parts if part.id == "piles"]
    assert (piles.pile, piles.spent) == (67, 0)


def test_of_many_files_at_once_few_are_made_at_once(clubs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sent them: each takes much memory meanwhile."""
    club = clubs()
    made = replays.replay_of
    lock = threading.Lock()
    now = most = 0

    def counted(record: Any, games: Any, breathe: Callable[[], None]) -> Any:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        try:
            for _ in range(20):
                breathe()
            return made(record, games, breathe)
        finally:
            with lock:
                now -= 1

    monkeypatch.setattr(replays, "replay_of", counted)
    phones = [club.phone() for _ in range(8)]
    with ThreadPoolExecutor(len(phones)) as pool:
        answers = list(pool.map(lambda phone: sent(phone, lines(HEADER, DEAL, *PASS)), phones))
    assert {answer.status_code for answer in answers} == {200}
    assert most == 2


def test_one_more_than_may_wait_is_told_when_to_come_again(
    clubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever waits holds a connection: a stranger must not take all of them."""
    club = clubs(dear_per_minute=1000)
    host = club.phone()
    path = club.open(host)
    names = ("Anna", "Berta", "Carl", "Dora", "Emil")
    _, _, _, phones = over((club, host, path, club.sit(path, list(names))))
    line, goes_on = club.app.extensions["companion"].game_line, threading.Event()
    made = replays.replay_of

    def slow(record: Any, games: Any, breathe: Callable[[], None]) -> Any:
        while not goes_on.is_set():
            breathe()
        return made(record, games, breathe)

    monkeypatch.setattr(replays, "replay_of", slow)
    ways = [f"{path}/replay?game=1&at={at}" for at in range(1, AT_ONCE + WAITING_OF_ONE + 1)]
    with ThreadPoolExecutor(len(ways) + 1) as pool:
        asked = [
            pool.submit(phone.get, way) for phone, way in zip(cycle(phones), ways, strict=False)
        ]
        until = time.monotonic() + 20
        while sum(map(len, line._waiting.values())) < WAITING_OF_ONE and time.monotonic() < until:
            time.sleep(0.001)
        refused = [phones[0].get(way) for way in (ways[0], f"{path}/story?game=1")]
        goes_on.set()
        assert {each.result().status_code for each in asked} == {200}
    assert [each.status_code for each in refused] == [429, 429]
    assert [each.headers["Retry-After"] for each in refused] == ["10", "10"]
    assert [phones[0].get(way).status_code for way in ways] == [200] * len(ways)


def test_files_are_dear(clubs) -> None:
    club = clubs(dear_per_minute=3)
    phone = club.phone()
    assert [sent(phone, b"x").status_code for _ in range(4)] == [400, 400, 400, 429]


# What it weighs

TEN = ("Anna", "Berta", "Carl", "Dora", "Emil", "Fritz", "Gerda", "Hilde", "Ida", "Jaan")
FIRST_VISIT_BYTES = 60_000


def long_game() -> bytes:
    """Of ten players and three rounds, each until nobody has a card left."""
    rng = Random(3)
    began = state = players.new_game(rng, seats=10, edition="lv-2009")
    plays = []
    while not state.over:
        play = players.next_play(state, rng) if state.now is None else unended(state, rng)
        plays.append(play)
        state, _ = players.play(state, play)
    assert len(plays) > 3 * 60
    return "".join(record_lines(GAMES["saboteur"], TEN, began, plays)).encode()


def unended(state, rng: Random):
    """Any play but one that ends the round before its cards are out."""
    while True:
        play = players.any_play(state, rng)
        if state.now.reveal:
            play = players.turn_goal(state, rng, treasure="none")
        events = GAMES["saboteur"].decide(state, play)
        if not isinstance(play, Result) and (
            isinstance(play, Pass) or not any(isinstance(each, RoundEnded) for each in events)
        ):
            return play


def test_a_first_visit_weighs_little(club) -> None:
    phone = club.phone("lt")
    page = sent(phone, long_game(), **{"Accept-Encoding": "gzip", "Accept-Language": "lt"})
    loaded = re.findall(
        r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', gzip.decompress(page.data).decode()
    )
    assert len(loaded) == 3
    weights = [len(phone.get(each, **{"Accept-Encoding": "gzip"}).data) for each in loaded]
    assert len(page.data) + sum(weights) <= FIRST_VISIT_BYTES, (len(page.data), weights)


def watched(club, *record: dict[str, object]) -> str:
    """The page of a record of these lines."""
    lines = "\n".join(map(json.dumps, record)).encode()
    answer = club.phone().post("/replay", {"record": (io.BytesIO(lines), "x.jsonl")})
    assert answer.status_code == 200
    return answer.text


def saboteur(name: str) -> list[dict[str, object]]:
    return [
        {"game": "saboteur", "edition": "en", "seats": [name, "Bo", "Cleo"], "starter": "Bo"}
        | {"gold": [1] * 16 + [2] * 8 + [3] * 4},
        {"play": "deal", "roles": ["miner", "saboteur", "miner"]},
    ]


def trains(name: str) -> list[dict[str, object]]:
    return [
        {"game": "trains", "seats": [name, "Bo"], "starter": "Bo"},
        {"by": "Bo", "play": "deal", "row": [70, 60, 50, 40, 30, 20, 10]},
    ]


of_each_game = pytest.mark.parametrize("record", [saboteur, trains])


@of_each_game
@pytest.mark.parametrize("name", ["\x84", "A\x84bar\x84", "\x86", "O\x92Brien \x80\x83"])
def test_a_name_of_a_record_is_only_text(club, name: str, record) -> None:
    """Also where it holds letters that stand for something in what is drawn."""
    assert name in watched(club, *record(name))


@of_each_game
def test_half_a_letter_in_a_name_of_a_record_is_shown_as_a_question_mark(club, record) -> None:
    assert "A?" in watched(club, *record("A\ud800"))
