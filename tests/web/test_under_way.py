"""Pages beside the table, which have no stream: whoever reads there learns of the next game."""

from __future__ import annotations

from typing import Any

import pytest

NAMES = ["Anna", "Bert", "Carl"]


@pytest.fixture
def played(club: Any) -> tuple[Any, str, Any, list[Any]]:
    """A table whose first game is over."""
    host = club.phone()
    path = club.open(host)
    phones = club.sit(path, NAMES)
    club.done(host, path, "start")
    club.done(host, path, "finish")
    return club, path, host, phones


def test_it_is_said_while_a_game_is_on(played: Any) -> None:
    club, path, host, phones = played
    assert phones[0].get(f"{path}/under-way").status_code == 204
    club.done(host, path, "new-game")
    said = phones[0].get(f"{path}/under-way")
    assert "A new game has begun." in said.text
    assert f'href="{path}"' in said.text
    assert "X-Location" not in said.headers


def test_a_table_screen_goes_back_by_itself(played: Any) -> None:
    club, path, host, _ = played
    club.done(host, path, "new-game")
    said = host.get(f"{path}/under-way?screen=1")
    assert said.headers["X-Location"] == f"{path}/screen"
    key = club.join_path(path).removesuffix("/screen")
    said = club.phone().get(f"{key}/under-way")
    assert said.headers["X-Location"] == f"{key}/screen"


def test_it_is_said_that_another_game_is_played_at_another_table(played: Any) -> None:
    club, path, host, phones = played
    club.done(host, path, "count")
    form = {"game": "trains", "version": str(club.table(path).version)}
    assert host.post(f"{path}/go-on", form).status_code == 303
    said = phones[0].get(f"{path}/under-way", headers={"Accept-Language": "en"})
    assert "Now playing: Game of Trains" in said.text
    assert f'href="{path}/next"' in said.text
    screen = host.get(f"{path}/under-way?screen=1").headers["X-Location"]
    assert screen == f"{path}/next?screen=1"
    assert host.get(screen).location.endswith("/screen")
    club.done(host, path, "new-game")
    assert "A new game has begun." in phones[0].get(f"{path}/under-way").text


def test_nobody_else_is_told(played: Any) -> None:
    club, path, host, _ = played
    club.done(host, path, "new-game")
    assert club.phone().get(f"{path}/under-way").status_code in (403, 404)


def test_who_only_watches_finds_the_way_to_the_own_seat(played: Any) -> None:
    """A latecomer watches till the next game, and then everybody waits for them."""
    club, path, host, phones = played
    way = f'<a href="{path}" aria-label="My seat">'
    assert way in phones[0].get(f"{path}/screen").text
    assert way not in host.get(f"{path}/screen").text
    assert way not in club.phone().get(f"{club.join_path(path)}/screen").text


def test_who_reads_the_rules_is_wanted_for_a_role_and_for_an_end(ending: Any) -> None:
    club, host, path, phones = ending
    anna, bert = phones[:2]
    rules = anna.get(f"/rules/saboteur?back={path}").text
    assert f'data-wanted="{path}/wanted"' in rules
    assert "wanted.js" in rules
    steps = anna.get(f"/explain/saboteur?back={path}").text
    assert f'data-wanted="{path}/wanted"' in steps
    assert "wanted.js" in steps
    stranger = club.phone()
    for read in ("rules", "explain"):
        assert "data-wanted" not in stranger.get(f"/{read}/saboteur?back={path}").text
    assert stranger.get(f"{path}/wanted").status_code == 403
    assert anna.get(f"{path}/wanted").status_code == 204
    club.done(host, path, "start")
    said = anna.get(f"{path}/wanted")
    assert "Your role has been dealt." in said.text
    assert f'href="{path}"' in said.text
    club.look(path, phones)
    assert anna.get(f"{path}/wanted").status_code == 204
    club.done(bert, path, "play", play="result", reached="1", finisher="2")
    assert "The end of the round has been reported." in anna.get(f"{path}/wanted").text
    club.done(anna, path, "stop-end")
    assert anna.get(f"{path}/wanted").status_code == 204
    club.done(host, path, "finish")
    said = anna.get(f"{path}/wanted").text
    assert "The host is ending the game." in said
    assert "reported" not in said, "nobody has told how a round ended"


@pytest.fixture
def ending(clubs: Any) -> tuple[Any, Any, str, list[Any]]:
    """A table at which an end waits, before its first game."""
    club = clubs(end_wait_s=10)
    host = club.phone()
    path = club.open(host)
    return club, host, path, club.sit(path, NAMES)
