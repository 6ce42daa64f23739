"""The story of a game that is over: at its table, and in the page of a record that was opened."""

from __future__ import annotations

import re
from gettext import NullTranslations
from pathlib import Path

import pytest

import companion.web
from companion.games import GAMES
from companion.tables import pacing
from companion.web.view.games import pages_of
from companion.web.view.plots import Balance, Bars, Course, Deed, Pairs, Point, Stretch, highest
from companion.web.view.recorded_game import RecordedGame, recorded_game_of
from tests.games.saboteur.test_figures import FOUGHT, GOLD, NAMES
from tests.web.test_replay import GAMES_FOLDER, RECORDS, lines, over, plays_of, sent

HEADER = {"game": "saboteur", "edition": "lv-2009", "seats": NAMES, "starter": "Anna", "gold": GOLD}
TRAINS = GAMES_FOLDER / "trains/records/trains-1.jsonl"


STATIC = Path(companion.web.__file__).parent / "static"
PLOT = '<section class="plot'


def story_in(text: str) -> str:
    found = re.search(r'class="story" id="story".*?(</main>|<main )', text, re.DOTALL)
    assert found is not None
    return found[0]


def test_everybody_at_the_table_can_read_it(seated) -> None:
    club, host, path, phones = over(seated)
    for phone in (host, *phones):
        page = phone.get(f"{path}/story")
        assert page.status_code == 200
        assert PLOT in story_in(page.text)
        assert 'href="replay?game=1"' in page.text
        # The way back is in sight: while somebody reads, the others may wait for the next game.
        assert f'<div class="dock"><a class="btn" href="{path}">' in page.text
        assert f'href="{path}/story?game=1"' in phone.get(path).text
        assert 'href="story?game=1"' in phone.get(f"{path}/replay").text
    assert f'href="{path}/story?screen=1&amp;game=1"' in host.get(f"{path}/screen").text
    assert 'href="replay?screen=1&amp;game=1"' in host.get(f"{path}/story?screen=1").text
    television = club.phone()
    link = f"{club.join_path(path)}/story"
    assert f'href="{link}?game=1"' in television.get(f"{club.join_path(path)}/screen").text
    assert PLOT in television.get(link).text
    assert club.phone().get(f"{path}/story").status_code == 403


def test_there_is_none_before_the_end(seated) -> None:
    club, host, path, phones = over(seated)
    club.done(host, path, "new-game")
    for phone in (host, *phones):
        assert phone.get(f"{path}/story").status_code == 409
    assert PLOT in phones[0].get(f"{path}/story?game=1").text
    assert f"{path}/story" not in phones[0].get(path).text


def test_where_no_plays_were_reported_there_is_the_gold_alone(seated) -> None:
    club, _, path, phones = over(seated)
    page = story_in(phones[4].get(f"{path}/story").text)
    assert page.count(PLOT) == 1
    table = club.table(path)
    for seat, player in enumerate(table.results[-1].players):
        gained = [sum(past.gold[seat]) for past in table.game_state.past]
        cells = "".join(f"<td>{num}</td>" for num in (*gained, sum(gained)))
        assert re.search(
            rf'<tr><th scope="row"><bdi translate="no">{player.name}</bdi></th>{cells}', page
        )


def test_rounds_are_called_and_filled_as_in_the_standings(seated) -> None:
    _, _, path, phones = over(seated)
    (legend,) = re.findall(r'id="legend".*?</p>', phones[4].get(path).text, re.DOTALL)
    (key,) = re.findall(r'class="key".*?</ul>', phones[4].get(f"{path}/story").text, re.DOTALL)
    named = [re.findall(r"</svg>(Round [^<]*)", each) for each in (legend, key)]
    assert named[0] == named[1] != []
    standings, story = (
        " ".join((STATIC / name).read_text(encoding="utf-8").split())
        for name in ("saboteur/standings.css", "story.css")
    )
    for number in (1, 2, 3):
        (fill,) = re.findall(rf"\.c{number} {{ fill: ([^;]*);", standings)
        fills = re.findall(rf"(?:[ ,]|rect)\.r{number} {{ fill: ([^;]*);", story)
        assert fills[0] == fill, number


# Of a record


def test_it_stands_before_the_replay_of_a_record(club) -> None:
    page = sent(club.phone(), lines(HEADER, *FOUGHT)).text
    story = story_in(page)
    assert 'href="#story"' in page
    assert re.findall(r'<a href="(#\d+)"><b class="num"', story) == ["#3", "#4"]
    assert "6 → 9" in story
    assert "9 → 6" in story
    told = re.findall(r"<small[^>]*>.*?</small> (.*?)</span></a>", story)
    assert [re.sub("<.*?>", "", each) for each in told] == [
        "Bert played a path card.",
        "Carl took a path card away with a rockfall.",
    ]


def test_each_number_of_the_drawing_is_in_the_table(club) -> None:
    story = story_in(sent(club.phone(), lines(HEADER, *FOUGHT)).text)
    rows = re.findall(
        r'<tr><th scope="row">Round 1</th><td>(\d+)</td><td>(.*?)</td><td>(.*?)</td>', story
    )
    assert [row[0] for row in rows] == [str(play) for play in range(1, 14)]
    assert [row[2] for row in rows] == ["7", "6", "9", *["6"] * 7, "5", "5", "4"]
    assert rows[0][1] == "–"
    assert all("<bdi" in row[1] for row in rows[1:])
    assert len(re.findall(r'<line class="step', story)) == 5
    assert len(re.findall(r'<circle class="pin"', story)) == 2
    assert story.count("<svg") == len(re.findall(r"<svg[^>]*>.*?</svg>", story, re.DOTALL))
    assert len(re.findall("What is this[?]", story)) == story.count(PLOT)


def test_honours_have_names_figures_and_meanings(club) -> None:
    story = story_in(sent(club.phone(), lines(HEADER, *FOUGHT)).text)
    honours = re.findall(r"<li><h3>(.*?)</h3>\n<p class=\"names\">(.*?)</p>", story)
    assert [title for title, _ in honours] == ["Pathfinder"]  # of the others there is one each
    assert re.findall(r'no">(.*?)</bdi>', honours[0][1]) == ["Anna", "Carl"]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parents[1].name}-{path.stem}")
def test_any_record_has_one(path: Path) -> None:
    record = path.read_bytes()
    for number in range(1, len(plays_of(record)) + 1):
        recorded = recorded_game_of([record], GAMES, number=number)
        assert isinstance(recorded, RecordedGame)
        tell = pages_of(recorded.game).story
        assert tell is not None
        story = tell(recorded, NullTranslations(), str)
        assert len(story.honours) <= 3
        for honour in story.honours:
            assert set(honour.names) <= set(recorded.steps[0].names)
        courses = [figure for figure in story.figures if isinstance(figure, Course)]
        for highlight in (each for course in courses for each in course.highlights):
            assert 1 <= highlight.play <= len(recorded.steps)
            assert highlight.address == str(highlight.play)


@pytest.mark.parametrize("game", ["saboteur", "trains"])
def test_others_have_their_turn_while_it_is_counted(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pacing, "SLICE_S", 0.0)
    record = lines(HEADER, *FOUGHT) if game == "saboteur" else TRAINS.read_bytes()
    recorded = recorded_game_of([record], GAMES)
    assert isinstance(recorded, RecordedGame)
    tell = pages_of(recorded.game).story
    assert tell is not None
    rests: list[None] = []
    tell(recorded, NullTranslations(), str, lambda: rests.append(None))
    assert len(rests) >= len(recorded.steps)


# Drawings


def test_a_line_goes_where_its_numbers_are() -> None:
    points = (Point(1, None, 4), Point(2, 0, 4), Point(3, 1, None), Point(4, 0, 2), Point(5, 1, 2))
    course = Course(
        "", "", ("", "", "", ""), "out", ("A", "B"), (Stretch("s", points, ((0, ""), (1, ""))),)
    )
    (line,) = course.lines
    assert course.scale == (("100%", "0"), ("66.7%", "2"), ("33.3%", "4"), ("0%", "∞"))
    assert line.level == (
        ("0%", "50%", "33.3%"),
        ("50%", "75%", "0%"),
        ("75%", "100%", "66.7%"),
    )
    assert [(step.by, step.x, step.was, step.now) for step in line.steps] == [
        (1, "50%", "33.3%", "0%"),
        (0, "75%", "0%", "66.7%"),
    ]
    assert [lane.dots for lane in line.lanes] == [
        (("25%", False), ("75%", True)),
        (("50%", True), ("100%", False)),
    ]
    assert course.table[2] == ("s", 3, "B", "out")


@pytest.mark.parametrize(
    ("highest", "last"), [(0, "1"), (3, "3"), (8, "8"), (9, "10"), (10, "12"), (13, "16")]
)
def test_no_line_goes_above_the_last_number_of_its_scale(highest: int, last: str) -> None:
    points = (Point(1, None, 0), Point(2, 0, highest))
    course = Course("", "", ("", "", "", ""), "", ("A",), (Stretch("s", points, ((0, ""),)),))
    assert (course.scale[0], course.scale[-1]) == (("100%", "0"), ("0%", last))


def test_bars_are_as_long_as_their_numbers() -> None:
    bars = Bars("", "", ("", ""), (("a", "A"), ("b", "B")), (("x", (1, 3)), ("y", (0, 2))))
    parts = [[(part.fill, part.x, part.width) for part in each] for _, _, each in bars.bars]
    assert parts == [[("a", "0%", "25%"), ("b", "25%", "75%")], [("b", "0%", "50%")]]
    assert bars.table == (("x", 1, 3, 4), ("y", 0, 2, 2))
    nobody = Bars("", "", ("", ""), (("a", "A"),), (("x", (0,)),))
    assert [parts for _, _, parts in nobody.bars] == [()]


def test_a_balance_leans_to_both_sides() -> None:
    rows = ((Deed("s", "swap"), (3, 2, 1, 0, 4)),)
    balance = Balance("", "", ("",) * 6, (("own", ""), ("others", "")), ("", ""), rows)
    ((_, used, parts),) = balance.bars
    assert used == 3
    assert [(y, part.fill, part.x, part.width) for y, part in parts] == [
        ("0%", "own nearer", "25%", "25%"),
        ("0%", "own away", "50%", "12.5%"),
        ("50%", "others away", "50%", "50%"),
    ]


def test_pairs_name_what_they_draw() -> None:
    pairs = Pairs("", "", ("", "", "", ""), (("A", "B", (Deed("x", "saw"), Deed("y", "axe")), ()),))
    assert pairs.table == (("A", "B", "saw, axe", "–"),)


def test_an_honour_is_nobodys_where_too_many_share_it() -> None:
    names = ("A", "B", "C", "D")
    assert highest({0: 2, 2: 3, 3: 3}, names) == (3, ("C", "D"))
    assert highest({0: 1}, names) == (0, ())
    assert highest(dict.fromkeys(range(4), 5), names) == (0, ())
    assert highest({}, names) == (0, ())
