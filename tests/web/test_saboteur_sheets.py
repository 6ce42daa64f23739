"""What opens when somebody taps the maze: every cell answers, with choices or with the rule."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.games.saboteur.rules.cards import CODE

ACROSS = ("NESW", "NESW", "NESW", "NESW", "NESW", "EW", "EW")
"""From the start card to the middle goal card."""


@pytest.fixture
def round_on(seated):
    """Under the referee; the host reports, for whoever it is."""
    club, host, path, _ = seated
    club.done(host, path, "configure", way="referee", edition="en")
    club.done(host, path, "start")
    club.done(host, path, "begin")

    def play(name: str, **fields: Any) -> int:
        """The version that it leads to."""
        table = club.table(path)
        seat = table.players[table.play.now.turn].id
        club.done(host, path, "play", play=name, seat=seat, **fields)
        return club.table(path).version

    def ask(**asked: str) -> str:
        answer = host.get(f"{path}/ask?" + "&".join(f"{k}={v}" for k, v in asked.items()))
        assert answer.status_code == 200
        found = re.search(r'<section class="sheet.*?</section>', answer.text, re.DOTALL)
        assert found
        return found[0]

    return play, ask


def kind(sheet: str) -> str:
    found = re.search(r'data-kind="(\w+)"', sheet)
    assert found
    return found[1]


def test_a_place_beside_tunnels_that_are_cut_off_says_so(round_on) -> None:
    play, ask = round_on
    play("path", card="EW", at="1,0")
    play("path", card="EW", at="2,0")
    play("rockfall", at="1,0")
    sheet = ask(place="3,0")
    assert kind(sheet) == "refused"
    assert "The card must continue an unbroken path from the start card." in sheet


def test_an_empty_cell_beside_no_card_says_so(round_on) -> None:
    _, ask = round_on
    sheet = ask(place="5,3")
    assert kind(sheet) == "refused"
    assert "A path card must lie beside a path card that is face up." in sheet


def test_with_broken_tools_every_cell_says_so(round_on) -> None:
    play, ask = round_on
    play("break", tool="lantern", target="2")
    for place in ("1,0", "5,3"):
        sheet = ask(place=place)
        assert kind(sheet) == "refused"
        assert "antern" in sheet


def test_a_tap_on_a_reached_goal_asks_what_it_shows(round_on) -> None:
    play, ask = round_on
    for column, card in enumerate(ACROSS, 1):
        play("path", card=card, at=f"{column},0")
    sheet = ask(fall="middle")
    assert kind(sheet) == "goal"
    assert 'name="goal" value="middle"' in sheet
    other = ask(fall="north")
    assert kind(other) == "refused"
    assert "No unbroken path from the start card leads to this goal card." in other


def test_the_shapes_are_where_they_were(round_on) -> None:
    """However many copies of them are left."""
    play, ask = round_on

    def shapes(sheet: str) -> list[str]:
        cards = re.findall(r'name="card" value="(\w+)"', sheet)
        return [card for card in cards if card in CODE]

    before = shapes(ask(place="1,0"))
    for column in range(1, 5):
        play("path", card="NESW", at=f"{column},0")
    after = shapes(ask(place="5,0"))
    assert len(after) > 5
    assert after == [card for card in before if card in after]


def test_a_play_of_the_log_lies_in_the_maze(round_on) -> None:
    play, ask = round_on
    version = play("path", card="NESW", at="1,0")
    play("pass")
    sheet = ask(entry=version)
    assert kind(sheet) == "entry"
    assert "played a path card." in sheet
    assert 'data-x="40" data-y="0"' in sheet


def test_a_play_that_was_taken_back_is_no_more_in_the_log(round_on) -> None:
    _, ask = round_on
    assert "This play has been taken back." in ask(entry="999")


def test_visible_words_are_true_however_the_view_is_turned(round_on) -> None:
    """Which goal card, and where a card lies, is drawn; only who cannot see it is told in words."""
    play, ask = round_on
    for column, card in enumerate(ACROSS, 1):
        play("path", card=card, at=f"{column},0")
    reached = ask(fall="middle")
    play("reveal", goal="middle", card="NW")
    for sheet in (reached, ask(fall="north"), ask(fall="1,0"), ask(act="1")):
        seen = re.sub(r'<(\w+) class="vh"[^>]*>.*?</\1>|<[^>]*>', "", sheet, flags=re.DOTALL)
        assert not re.search("upper|middle|lower|olumn|left|right|top|bottom", seen), seen
