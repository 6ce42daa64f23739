"""What a round under the referee says to who does not see it."""

from __future__ import annotations

import re
from html import unescape

import pytest

from tests.kit.parts import aloud


class Three:
    """Anna is on first; the laptop is the host."""

    def __init__(self, club, edition: str) -> None:
        self.club = club
        self.host = club.phone()
        self.path = club.open(self.host, way="referee", edition=edition)
        self.phones = club.sit(self.path, ["Anna", "Berta", "Carl"])
        club.done(self.host, self.path, "start")
        club.look(self.path, self.phones)

    def news(self, seat: int) -> str:
        return self.said(self.phones[seat], self.path)

    def said(self, phone, path: str) -> str:
        return aloud(phone.get(path).text)

    def turn(self, quarters: int) -> None:
        """The views of all phones."""
        for phone in self.phones:
            assert phone.post(f"{self.path}/turn", {"to": str(quarters)}).status_code == 303

    def sheet(self, asked: str) -> str:
        """On Carl's phone."""
        return self.phones[2].get(f"{self.path}/ask?{asked}", **{"X-Requested-With": "fetch"}).text

    def play(self, **fields: str) -> None:
        on = self.club.table(self.path).game_state.now.turn
        self.club.done(self.phones[on], self.path, "play", **fields)

    def lay(self, card: str, x: int, y: int) -> None:
        self.play(play="path", card=card, at=f"{x},{y}")


@pytest.fixture
def three(club) -> Three:
    return Three(club, "lv-2009")


def test_a_path_card_is_told_with_its_shape_and_place(three) -> None:
    three.turn(0)
    three.lay("NESW", 1, 0)
    told = "Anna played a path card. Column 1, middle row. Open sides: top, right, bottom, left."
    assert three.news(1) == f"{told} Your turn."
    assert three.news(2) == f"{told} Turn: Berta."
    assert three.said(three.host, three.path + "/screen") == f"{told} Turn: Berta."
    three.lay("NSx", 1, -1)
    three.play(play="rockfall", at="1,-1")
    assert three.news(0) == (
        "Carl took a path card away with a rockfall. Column 1, row 1 below the middle. Dead end"
        " with open sides: top, bottom. Your turn."
    )
    three.play(play="break", tool="cart", target="2")
    assert three.news(2) == "Broken mine cart: Anna → Berta. Turn: Berta."


def two_goals(three: Three) -> None:
    """Are reached by Carl's card."""
    for card, x, y in (("NW", 1, 0), ("ES", 1, 1), *(("EW", x, 1) for x in (2, 3, 4))):
        three.lay(card, x, y)
    for x in (5, 6, 7):
        three.lay("NEW", x, 1)
    three.lay("NSW", 8, 1)


def test_a_goal_card_is_asked_for_and_awaited(three) -> None:
    three.turn(0)
    for x in range(1, 4):
        three.lay("EW", x, 0)
    for x in range(4, 8):
        three.lay("NESW", x, 0)
    told = "Anna played a path card. Column 7, middle row. Open sides: top, right, bottom, left."
    asked = "What does the goal card show? middle goal card."
    assert three.news(0) == f"{told} {asked} Your turn."
    awaited = "A goal card has been reached and is being turned over."
    assert three.news(1) == f"{told} {awaited} Turn: Anna."
    three.play(play="reveal", goal="middle", card="NW")
    stone = "Stone with open sides: top, left."
    assert three.news(1) == f"Anna found a stone. middle goal card. {stone} Your turn."


def test_of_two_that_are_both_turned_one_is_awaited(club) -> None:
    """Where an edition turns all that were reached, nothing is chosen."""
    three = Three(club, "en")
    two_goals(three)
    assert "A goal card has been reached and is being turned over. Turn: Carl." in three.news(0)


def test_a_choice_of_goal_cards_is_asked_for(club) -> None:
    three = Three(club, "et-2007")
    two_goals(three)
    assert "Which goal card is being turned over? Turn: " not in three.news(0)
    awaited = "Several goal cards have been reached; one of them is being chosen."
    assert f"{awaited} Turn: Carl." in three.news(0)
    for page in (three.phones[0].get(three.path), three.host.get(f"{three.path}/screen")):
        assert f"<p>{awaited}</p>" in page.text
    assert "Which goal card is being turned over? Your turn." in three.news(2)


def test_who_took_how_many_plays_back(three) -> None:
    for card in ("NESW", "NEW", "EW"):
        three.lay(card, {"NESW": 1, "NEW": 2, "EW": 3}[card], 0)
    three.club.done(three.phones[2], three.path, "take-back")
    assert three.news(0) == "Taken back: Carl played a path card. Turn: Carl."
    assert "Plays taken back" not in three.phones[0].get(three.path).text
    three.club.done(three.host, three.path, "take-back")
    times = "Plays taken back in a row: 2."
    assert three.news(0) == f"The host took back: Berta played a path card. {times} Turn: Berta."
    assert times[:-1] in three.phones[0].get(three.path).text
    three.lay("NEW", 2, 0)
    three.club.done(three.phones[1], three.path, "take-back")
    assert three.news(1) == "Taken back: Berta played a path card. Your turn."


def test_what_was_taken_back_hides_no_correction_that_came_after_it(three) -> None:
    three.lay("NESW", 1, 0)
    three.club.done(three.phones[1], three.path, "play", play="pass")
    three.club.done(three.phones[1], three.path, "take-back")
    assert three.news(2) == "Taken back: Berta passed. Turn: Berta."
    right = {"play": "path", "step": "0", "at": "1,0", "card": "NEW"}
    three.club.done(three.phones[0], three.path, "correct", **right)
    assert "Taken back" not in three.news(2)
    assert "Open sides: top, bottom, left" in three.news(2)  # the goals are above


def test_who_takes_back_or_corrects_what_another_one_played_is_named(three) -> None:
    club, path, anna = three.club, three.path, three.phones[0]

    def said(element: str) -> str:
        (found,) = re.findall(rf'id="{element}">(.*?)</p>', anna.get(path).text, re.DOTALL)
        return texts(found)

    three.lay("EW", 1, 0)
    right = {"play": "path", "step": "0", "at": "1,0"}
    club.done(anna, path, "correct", card="NESW", **right)
    assert said("corrected") == "Corrected: Anna played a path card."
    (notice,) = re.findall(r'id="corrected">.*?</p>', anna.get(path).text, re.DOTALL)
    drawn = re.findall(r'href="#(t-\w+)"', notice)
    assert drawn == ["t-EW", "t-NESW"], "the card as it was reported, then as it is"
    club.done(three.host, path, "correct", card="NEW", **right)
    assert said("corrected") == "The host corrected: Anna played a path card."
    club.done(three.host, path, "take-back")
    assert said("undone") == "The host took back: Anna played a path card."


def test_a_host_who_plays_is_named_too(club) -> None:
    host = club.phone()
    path = club.open(host, way="referee")
    club.done(host, path, "add-seat", name="Hosta")
    club.sit(path, ["Anna", "Berta"])
    club.done(host, path, "start")
    club.done(host, path, "begin")
    club.done(host, path, "play", play="pass", seat=1)
    club.done(host, path, "play", play="pass", seat=2)
    for taken in ("Hosta took back: Anna", "Taken back: Hosta"):
        club.done(host, path, "take-back")
        assert f"{taken} passed" in texts(host.get(f"{path}/screen").text)


def texts(page: str) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", " ", page)).split())


def test_the_maze_is_a_table_in_words(three) -> None:
    three.turn(0)
    three.lay("NESW", 1, 0)
    three.lay("NSx", 1, -1)
    page = three.phones[2].get(f"{three.path}/ask?words=1", **{"X-Requested-With": "fetch"}).text
    rows = re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)
    heads = [texts(each) for each in re.findall(r"<th.*?</th>", rows[0], re.DOTALL)]
    assert heads == [f"Column {x}" for x in range(-1, 9)]
    cells = [[texts(each) for each in re.findall(r"<t[hd].*?</t[hd]>", row)] for row in rows[1:]]
    assert [row[0] for row in cells] == [
        *("Row 2 above the middle", "Row 1 above the middle", "Middle row"),
        *("Row 1 below the middle", "Row 2 below the middle"),
    ]
    assert all(len(row) == len(heads) + 1 for row in cells)
    assert cells[2][2:4] == ["start card", "Open sides: top, right, bottom, left"]
    assert cells[2][-1] == "middle goal card, face down"
    assert cells[3][3] == "Dead end with open sides: top, bottom"
    assert cells[1][3] == "Empty place : Column 1, row 1 above the middle"
    links = re.findall(r"place=(-?\d+),(-?\d+)", page)
    places = [(int(x), int(y)) for x, y in links]
    assert places == sorted(places, key=lambda at: (-at[1], at[0]))


def test_open_places_come_as_they_lie(three) -> None:
    three.lay("NESW", 1, 0)
    for turn in (1, 2, 3, 0):
        page = three.phones[1].get(three.path).text
        places = [(int(x), int(y)) for x, y in re.findall(r"place=(-?\d+),(-?\d+)", page)]
        down, right = {
            0: ((0, -1), (1, 0)),
            1: ((-1, 0), (0, -1)),
            2: ((0, 1), (-1, 0)),
            3: ((1, 0), (0, 1)),
        }[turn]
        as_read = sorted(
            places,
            key=lambda at: tuple(at[0] * way[0] + at[1] * way[1] for way in (down, right)),
        )
        assert places == as_read
        assert three.phones[1].post(f"{three.path}/turn").status_code == 303


def test_a_refusal_names_the_card_and_the_sides(three) -> None:
    three.turn(0)
    three.lay("EW", 1, 0)

    def said(asked: str) -> str:
        page = three.phones[1].get(f"{three.path}/ask?{asked}", **{"X-Requested-With": "fetch"})
        found = re.findall(r'<p[^>]*id="(?:why|which)">(.*?)</p>', page.text, re.DOTALL)
        return texts(" ".join(found))

    assert said("place=2,0&card=NS") == (
        "The paths on the card do not match the neighbouring cards. The marked edges show where."
        " Column 2, middle row. Open sides: top, bottom. Sides that do not match: left"
    )
    three.lay("EW", 2, 0)
    three.lay("EW", 3, 0)
    three.play(play="pass")
    assert said("place=4,0&card=EW") == (
        "No copies of this card are left. Column 4, middle row. Open sides: right, left."
    )


def in_words(page: str) -> list[list[str]]:
    """The rows of the table, from its heads on."""
    rows = re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)
    return [[texts(each) for each in re.findall(r"<t[hd].*?</t[hd]>", row)] for row in rows]


@pytest.mark.parametrize(
    ("quarters", "lies", "place", "sides", "mismatch", "goal"),
    [
        (
            *(None, "Start card near you, goal cards far away. Rows"),
            *("Row 2, column 1 left of the middle", "bottom, left", "right", "left"),
        ),
        (
            *(0, "Start card on the left, goal cards on the right. Columns"),
            *("Column 2, row 1 above the middle", "top, left", "bottom", "upper"),
        ),
        (
            *(2, "Start card on the right, goal cards on the left. Columns"),
            *("Column 2, row 1 below the middle", "right, bottom", "top", "lower"),
        ),
        (
            *(3, "Start card far away, goal cards near you. Rows"),
            *("Row 2, column 1 right of the middle", "top, right", "left", "right"),
        ),
    ],
)
def test_words_follow_the_picture(
    three, quarters: int | None, lies: str, place: str, sides: str, mismatch: str, goal: str
) -> None:
    """As each phone has turned it; one that never did has the goals far away."""
    if quarters is not None:
        three.turn(quarters)
    three.lay("NESW", 1, 0)
    three.lay("NESW", 2, 0)
    page = three.phones[2].get(three.path).text
    assert re.search(rf'place=2,1[^>]*aria-label="{place}"', page)
    refused = texts(three.sheet("place=2,1&card=NW"))
    assert f"{place}. Open sides: {sides}. Sides that do not match: {mismatch}" in refused
    assert f'aria-label="Open sides: {sides}"' in three.sheet("place=2,1")
    assert f"{goal} goal card" in texts(three.sheet("act=1"))
    assert f"{goal} goal card" in texts(three.sheet("fall=8,2"))
    words = three.sheet("words=1")
    assert f"{lies} are counted from the start card." in texts(words)
    assert f"Empty place : {place}" in texts(words)
    three.lay("ESW", 2, 1)
    assert f"{place}. Open sides: " in three.news(1)


def test_the_turned_maze_is_a_table_as_it_lies(three) -> None:
    three.lay("NESW", 1, 0)
    three.lay("ESW", 1, 1)
    three.lay("EWx", 2, 0)
    heads, *rows = in_words(three.sheet("words=1"))
    assert heads[1:] == [
        *("Column 2 left of the middle", "Column 1 left of the middle", "Middle column"),
        *("Column 1 right of the middle", "Column 2 right of the middle"),
    ]
    assert [row[0] for row in rows] == [f"Row {x}" for x in range(8, -2, -1)]
    assert all(len(row) == len(heads) for row in rows)
    assert rows[0][1] == "left goal card, face down"
    assert rows[-2][3] == "start card"
    assert rows[-4][3] == "Dead end with open sides: top, bottom"

    three.turn(3)
    heads, *rows = in_words(three.sheet("words=1"))
    assert [row[0] for row in rows] == [f"Row {x}" for x in range(-1, 9)]
    assert rows[-1][1] == "left goal card, face down"
    assert rows[1][3] == "start card"
    three.turn(2)
    heads, *rows = in_words(three.sheet("words=1"))
    assert heads[1:] == [f"Column {x}" for x in range(8, -2, -1)]
    assert rows[0][:2] == ["Row 2 above the middle", "upper goal card, face down"]


def test_a_card_tapped_out_of_turn_is_looked_at_and_another_place_says_whose_turn_it_is(
    three,
) -> None:
    three.lay("EW", 1, 0)
    page = three.phones[2].get(three.path).text
    found = re.search(r'data-take="([^"]*)"', page)
    assert found
    for card in ("0,0", "8,2"):
        sheet = three.phones[2].get(found[1] + card, **{"X-Requested-With": "fetch"}).text
        assert "It is not your turn: Berta is to play." in texts(sheet)
    sheet = three.phones[2].get(found[1] + "1,0", **{"X-Requested-With": "fetch"}).text
    assert "Anna played a path card." in texts(sheet)
    assert re.search(r'data-path="[^"]*ask\?entry=e\d+', sheet), "it stays that of the play"
    sheet = three.phones[0].get(found[1] + "1,0", **{"X-Requested-With": "fetch"}).text
    assert "Another card" in texts(sheet)
