"""What is taken along from a game that is over."""

from __future__ import annotations

import csv
import json
import re
import sys
from datetime import UTC, datetime
from html import unescape
from io import StringIO
from typing import Any
from urllib.parse import unquote

import pytest

from companion.games import GAMES
from companion.games.game import Game, Outcome, Score
from companion.tables.model import Beginning, Player, Result, SeatId
from companion.web.app import drawing
from companion.web.html import letters
from companion.web.html.cache import Html
from companion.web.http.assets import Assets
from companion.web.view import picture
from companion.web.view.games import pages_of
from companion.web.view.picture import SIZES, picture_of, png_of
from companion.web.view.results import Finished, text_cell
from tests.kit import png

WIDE = ("M" * 24, "W" * 24, "Ŵ" * 24, "Œ" * 24, "@" * 24, "Щ" * 24)


def over(club, names: list[str], languages=("en",)) -> tuple:
    host = club.phone()
    path = club.open(host)
    phones = club.sit(path, names, languages)
    club.done(host, path, "start")
    for number in (1, 2, 3):
        assert host.get(f"{path}/results.csv").status_code == 409
        assert host.get(f"{path}/result.png").status_code == 409
        assert host.get(f"{path}/take").status_code == 409
        club.done(host, path, "begin")
        told = {"finisher": "1"} if number < 3 else {"last": "2"}
        club.done(phones[1], path, "play", play="result", reached=str(int(number < 3)), **told)
        if number < 3:
            club.done(host, path, "deal")
    club.done(host, path, "count")
    return host, path, phones


# For spreadsheets


def rows_of(answer, delimiter: str) -> list[dict[str, str]]:
    assert answer.status_code == 200
    text = answer.data.decode("utf-8-sig")
    assert answer.data.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(StringIO(text, newline=""), delimiter=delimiter))


def test_a_line_a_player_and_round(club) -> None:
    host, path, phones = over(club, ["Anna", "Žydrė", "Õnne"], ("en", "lt", "en"))
    rows = rows_of(phones[0].get(f"{path}/results.csv"), ",")
    assert [(row["Round"], row["Player"]) for row in rows] == [
        (number, name) for number in "123" for name in ("Anna", "Žydrė", "Õnne")
    ]
    state = club.table(path).game_state
    for row in rows:
        past = state.past[int(row["Round"]) - 1]
        seat = ("Anna", "Žydrė", "Õnne").index(row["Player"])
        role = {"miner": "gold digger", "saboteur": "saboteur"}[past.final.roles[seat]]
        assert (row["Role"], row["Gold nuggets"]) == (role, str(sum(past.gold[seat])))
        assert row["Won the round"] == str(int(past.won_by.startswith(past.final.roles[seat])))
    said = rows_of(phones[1].get(f"{path}/results.csv"), ";")  # where 1,5 is a number
    assert [row["Žaidėjas"] for row in said] == [row["Player"] for row in rows]
    assert rows_of(host.get(f"{path}/results.csv?game=1"), ",") == rows


def test_no_name_is_reckoned_out() -> None:
    for name in ("=1+1", "+372", "-2", "@SUM(A1)", "＝1", "\t=1"):
        assert text_cell(name) == f"'{name}"
    for name in ("Anna", "1+1", "Õnne", "'x"):
        assert text_cell(name) == name


def test_names_that_look_like_formulas_are_text(club) -> None:
    host, path, _ = over(club, ['=HYPERLINK("x")', "+1", '"; @x'])
    names = {row["Player"] for row in rows_of(host.get(f"{path}/results.csv"), ",")}
    assert names == {'\'=HYPERLINK("x")', "'+1", '"; @x'}


def test_a_name_that_is_put_right_after_the_game_is_in_it(club) -> None:
    """And in no earlier one; its record has the names by which it was dealt."""
    host, path, _ = over(club, ["Ana", "Berta", "Carl"])
    club.done(host, path, "rename-seat", seat="1", name="Anna")
    assert rows_of(host.get(f"{path}/results.csv"), ",")[0]["Player"] == "Anna"
    assert link_of(host.get(f"{path}/take").text)["players"][0]["name"] == "Anna"
    assert "Ana<" not in host.get(f"{path}/games").text
    record = host.get(f"{path}/record.jsonl").text
    assert '"Ana"' in record
    assert '"Anna"' not in record
    club.done(host, path, "new-game")
    club.done(host, path, "rename-seat", seat="1", name="Anne")
    assert rows_of(host.get(f"{path}/results.csv?game=1"), ",")[0]["Player"] == "Anna"
    club.done(host, path, "finish")
    club.done(host, path, "rename-seat", seat="1", name="Anita")
    results = club.table(path).results
    assert [one.players[0].name for one in results] == ["Anna", "Anita"]


# For BG Stats


def link_of(page: str) -> dict:
    found = re.search(r'href="https://app\.bgstatsapp\.com/createPlay\.html\?data=([^"]+)"', page)
    assert found is not None
    play = json.loads(unquote(unescape(found[1])))
    assert isinstance(play, dict)
    return play


OF_A_PLAY = {"sourceName": str, "sourcePlayId": str, "playDate": str, "game": dict, "players": list}
OF_A_GAME = {"name": str, "sourceGameId": str, "highestWins": bool, "noPoints": bool}
OF_A_PLAYER = {
    **{"name": str, "sourcePlayerId": str, "startPlayer": bool, "winner": bool},
    **{"rank": int, "role": str},
}
"""What the app's developer says that it needs, and of what type."""


def types(said: dict) -> dict:
    return {name: type(value) for name, value in said.items()}


def test_the_link_has_what_the_app_asks_for(club) -> None:
    host, path, _ = over(club, ["Anna", "Berta & Co", "Õnne 🂠"])
    play = link_of(host.get(f"{path}/take").text)
    assert types(play) == OF_A_PLAY
    assert types(play["game"]) == {**OF_A_GAME, "bggId": int}
    assert (play["game"]["name"], play["game"]["bggId"]) == ("Saboteur", 9220)
    ended = datetime.strptime(play["playDate"], "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)
    table = club.table(path)
    assert ended.timestamp() == table.results[0].at == club.clock.now
    assert all(types(each) == {**OF_A_PLAYER, "score": int} for each in play["players"])
    totals = [sum(sum(past.gold[seat]) for past in table.game_state.past) for seat in range(3)]
    assert [each["score"] for each in play["players"]] == totals
    assert [each["winner"] for each in play["players"]] == [x == max(totals) for x in totals]
    assert [each["startPlayer"] for each in play["players"]] == [True, False, False]
    assert play["players"][2]["name"] == "Õnne 🂠"
    assert all(len(each["role"].split(" / ")) == 3 for each in play["players"])


def test_a_game_without_points(club) -> None:
    host = club.phone()
    path = club.open(host, game="trains", way="light")
    phones = club.sit(path, ["Anna", "Berta"])
    club.done(host, path, "start", starter="2")
    club.done(phones[1], path, "play", play="claim", seat="2", row=list(range(1, 8)))
    page = phones[0].get(f"{path}/take")
    play = link_of(page.text)
    assert types(play["game"]) == OF_A_GAME
    assert play["game"]["noPoints"] is True
    assert [types(each) for each in play["players"]] == [OF_A_PLAYER] * 2
    assert [(each["winner"], each["rank"]) for each in play["players"]] == [(False, 2), (True, 1)]
    assert "record.jsonl" not in page.text
    assert [row["Won the game"] for row in rows_of(host.get(f"{path}/results.csv"), ",")] == [
        "0",
        "1",
    ]


# As a record


def record_of(page: str) -> str:
    found = re.search(r'href="([^"]*/record.jsonl[^"]*)"', page)
    assert found is not None
    return found[1]


def test_no_page_of_a_game_saves_another_one(club) -> None:
    host, path, phones = over(club, ["Anna", "Berta", "Carl"])
    links = {record_of(phones[0].get(f"{path}/{page}").text) for page in ("take", "fair")}
    plain = host.get(f"{path}/record.jsonl").data
    assert [host.get(link).data for link in links] == [plain]
    club.done(host, path, "new-game")
    assert [host.get(link).data for link in links] == [plain]
    club.done(host, path, "finish")
    assert host.get(f"{path}/record.jsonl").data != plain
    assert [host.get(link).data for link in links] == [plain]


def test_where_nothing_is_secret_a_record_is_there_when_the_next_game_is_on(club) -> None:
    host = club.phone()
    path = club.open(host, game="trains")
    anna = club.sit(path, ["Anna", "Berta"])[0]
    club.done(host, path, "start", starter="1")
    club.done(anna, path, "play", play="deal", seat="1", row=list(range(70, 0, -10)))
    club.done(host, path, "finish")
    link = record_of(anna.get(f"{path}/take").text)
    saved = anna.get(link)
    assert saved.data == anna.get(f"{path}/record.jsonl").data
    club.done(host, path, "start", starter="2")
    assert anna.get(link).data == saved.data


# As a picture


def test_it_is_made_once_and_elsewhere(clubs) -> None:
    club = clubs(dear_per_minute=3)
    host, path, phones = over(club, ["Anna", "Berta", "Carl"])
    for _ in range(3):
        for shape, size in SIZES.items():
            answer = phones[0].get(f"{path}/result.png?shape={shape}")
            assert (answer.status_code, answer.mimetype) == (200, "image/png")
            assert png.size(answer.data) == size
    assert host.get(f"{path}/result.png?shape=round").status_code == 404
    assert phones[0].get(f"{path}/result.png", **{"Accept-Language": "fi"}).status_code == 200
    assert phones[0].get(f"{path}/result.png", **{"Accept-Language": "et"}).status_code == 429
    assert "resvg_py" not in sys.modules, "drawing lets nobody else work meanwhile"


def test_what_is_taken_along_is_of_the_edition_that_was_played(club) -> None:
    host = club.phone()
    path = club.open(host, edition="et-2007")
    club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.done(host, path, "finish")
    club.done(host, path, "configure", edition="lt-2009")
    assert "/rules/saboteur?edition=et-2007" in host.get(f"{path}/take?game=1").text


def ended(game: Game, names: tuple[str, ...], state: Any, outcome: Outcome) -> Finished:
    players = tuple(Player(SeatId(seat), name) for seat, name in enumerate(names, 1))
    edition, way = next(iter(game.editions)), next(iter(game.ways))
    result = Result(Beginning(1, state), 2, 0.0, players, edition, way, state)
    return Finished("x", game, 1, result, outcome)


def test_a_name_is_no_colour_and_no_code(monkeypatch) -> None:
    """Also one that is older than what names are without."""
    drawn: list[str] = []
    monkeypatch.setattr(picture, "png_of", lambda svg, *names: drawn.append(svg))
    names = "var(--gold)", "var(--x)", "A\uffff"
    scores = tuple(Score(3 - player, player, False) for player in range(3))
    game = GAMES["saboteur"]
    state = game.new(3, 0, next(iter(game.editions)), _Unshuffled())
    finished = ended(game, names, state, Outcome(0, (0,), scores))
    assets = Assets()
    app = drawing(GAMES, assets)
    with app.app_context():
        picture_of(finished, "wide", "en", Html(app), assets)
    for name in ("var(--gold)", "var(--x)", "A\ufffd"):
        assert name in drawn[0]
    assert "\uffff" not in drawn[0]
    assert "var(" not in re.sub(r">[^<]*<", "><", drawn[0])


def test_the_maze_is_that_of_the_last_round_that_counts(club) -> None:
    host = club.phone()
    path = club.open(host, way="referee")
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    mazes = []
    for at in "1,0", "0,1":
        club.look(path, phones)
        turn = club.table(path).game_state.now.turn
        phone, seat = phones[turn], str(turn + 1)
        club.done(phone, path, "play", play="path", card="NESW", at=at, seat=seat)
        mazes.append(club.table(path).game_state.now.maze)
        if at == "1,0":
            club.done(host, path, "play", play="result", reached="0", last=seat)
            club.done(host, path, "deal")
    club.done(host, path, "finish")
    drawn = pages_of(club.table(path).game).picture(club.table(path).game_state, (), tall=False)
    cells = {cell.at for cell in drawn.view.cells}
    assert len(cells) == len(mazes[0].cards)
    assert any(x > 0 for x, y in cells)
    assert not any(y > 0 for x, y in cells)


def test_strangers_get_nothing(club) -> None:
    _, path, _ = over(club, ["Anna", "Berta", "Carl"])
    for page in ("take", "results.csv", "result.png"):
        assert club.phone().get(f"{path}/{page}").status_code == 403


def test_every_page_leads_to_it(club) -> None:
    host, path, phones = over(club, ["Anna", "Berta", "Carl"])
    for page, asked in ((phones[0].get(path), ""), (host.get(f"{path}/screen"), "screen=1&amp;")):
        assert f'href="{path}/take?{asked}game=1"' in page.text
    television = club.phone().get(f"{club.join_path(path)}/screen")
    assert "/take" not in television.text
    page = phones[0].get(f"{path}/take").text
    for address in re.findall(rf'(?:href|src)="({path}/[^"]+)"', page):
        assert host.get(unescape(address)).status_code == 200, address


def links_of(page: str, path: str) -> list[str]:
    """To what is beside the table at this path."""
    return [unescape(each) for each in re.findall(rf'(?:href|src)="({path}/[^"]+)"', page)]


def test_a_laptop_that_is_only_the_screen_opens_all_that_stands_there(club) -> None:
    laptop = club.phone()
    path = club.open(laptop)
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.clock.now += 3600
    phones[0].get(path)
    club.done(phones[0], path, "take-hosting")
    for command in ("start", "new-game"):
        club.done(phones[0], path, command)
        club.done(phones[0], path, "begin")
        told = {"play": "result", "reached": "1", "finisher": "1"}
        club.done(phones[1], path, "play", **told)
        club.done(phones[0], path, "finish")
    screen = f"{path}/screen"
    seen, left = set(), [screen]
    while left:
        page = left.pop()
        seen.add(page)
        answer = laptop.get(page)
        assert answer.status_code == 200, page
        if answer.mimetype == "text/html":
            left += {*links_of(answer.text, path)} - seen - {*left}
    names = {each.split("?")[0].removeprefix(f"{path}/") for each in seen}
    assert names >= {"take", "games", "fair", "result.png", "results.csv", "record.jsonl"}
    assert f'href="{path}"' in laptop.get("/").text
    assert f'href="{screen}"' in laptop.get("/?screen=1").text
    assert laptop.get(path).location == screen
    assert laptop.get("/screen").location == screen
    for page in ("take", "results.csv", "result.png", "games", "fair", "record.jsonl"):
        assert laptop.get(f"{path}/{page}").status_code == 403
        assert club.phone().get(f"{path}/{page}?screen=1").status_code == 403
    club.done(phones[0], path, "renew-link")
    assert f'href="{path}"' not in laptop.get("/").text
    assert laptop.get("/screen").location == "/?screen=1"
    assert laptop.get(f"{path}/take?screen=1").status_code == 403


def test_the_page_of_a_game_stays_with_it(club) -> None:
    host, path, phones = over(club, ["Anna", "Berta", "Carl"])
    (take,) = [each for each in links_of(phones[0].get(path).text, path) if "/take" in each]
    page = phones[0].get(take)
    club.done(host, path, "new-game")
    assert phones[0].get(take).status_code == 200
    switch = re.search(r'class="lang" href="([^"]*)"', page.text)
    assert switch is not None
    choosing = phones[0].get(unescape(switch[1])).text
    there = re.search(r'name="next" value="([^"]*)"', choosing)
    assert there is not None
    assert unescape(there[1]) == take


@pytest.mark.parametrize("shape", SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_no_name_is_cut(game: str, shape: str) -> None:
    """However wide all letters are, nothing stands at the edges."""
    assets = Assets()
    app = drawing(GAMES, assets)
    manifest, names = GAMES[game], WIDE[: GAMES[game].seat_counts[-1]]
    state = manifest.new(len(names), 0, next(iter(manifest.editions)), _Unshuffled())
    scores = tuple(Score(0, player, False) for player in range(len(names)))
    winner = max(range(len(names)), key=lambda player: letters.width(names[player]))
    finished = ended(manifest, names, state, Outcome(0, (winner,), scores))
    with app.app_context():
        drawn = png.Picture(picture_of(finished, shape, "en", Html(app), assets))
    background = drawn.colours(0, 0, 1, 1)
    assert len(background) == 1
    assert drawn.colours(0, 0, 50, drawn.high) == background
    assert drawn.colours(drawn.wide - 50, 0, drawn.wide, drawn.high) == background
    assert len(drawn.colours(60, 150, 600, 240)) > 10, "nobody's name stands there"


class _Unshuffled:
    def shuffle(self, x: list, /) -> None:
        pass


@pytest.mark.parametrize("name", [*WIDE, "Žygimantė Šāų Õä", "fi ffi Ǆ"])
def test_letters_are_as_wide_as_they_are_drawn(name: str) -> None:
    wide = 40 * letters.width(name)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="80"><rect width="1600" '
        f'height="80" fill="#fff"/><text x="20" y="50" font-size="40" font-weight="700" '
        f'font-family="Noto Sans">{name}</text></svg>'
    )
    drawn = png.Picture(png_of(svg, name))
    assert drawn.colours(22 + wide, 0, 1600, 80) == {(255, 255, 255)}
    assert len(drawn.colours(wide - 40, 0, 20 + wide, 80)) > 1


def test_the_font_has_the_letters_of_our_languages() -> None:
    assert letters.has("āčēģīķļņšūžĀČĒĢĪĶĻŅŠŪŽąčęėįšųūžĄČĘĖĮŠŲŪŽõäöüšžÕÄÖÜŠŽåÅ '-.’–АЯщё")
    assert not letters.has("漢")
