"""A folder that an older version wrote: its tables are there, and go on.

`evenings.sqlite3.xz` was written by the version before the games became packages: both games, in
every way of playing, over and in the middle, with plays taken back. `evenings.json` has what that
version said of each table.
"""

from __future__ import annotations

import json
import lzma
import random
from pathlib import Path
from typing import Any

import pytest

from companion.games import GAMES
from companion.games.saboteur.rules.model import Result
from companion.record import verdicts
from companion.storage.sqlite_log import FILE
from tests.games.saboteur.players import next_play
from tests.kit.forms import form_of

OLDER = Path(__file__).resolve().parents[1] / "storage" / "older"
SAID: dict[str, dict[str, Any]] = json.loads((OLDER / "evenings.json").read_text())
OVER = [name for name, said in SAID.items() if "record" in said]
LANGUAGES = ("et", "lt", "lv", "fi", "en")


@pytest.fixture
def evening(clubs, tmp_path):
    """The club that reads the folder, and by a table's name: its host and its phones."""
    (tmp_path / "club0").mkdir()
    packed = (OLDER / "evenings.sqlite3.xz").read_bytes()
    (tmp_path / "club0" / FILE).write_bytes(lzma.decompress(packed))
    club = clubs()

    def around(name: str):
        devices = [SAID[name]["host"], *SAID[name]["phones"]]
        phones = [club.phone(LANGUAGES[number % 5]) for number in range(len(devices))]
        for phone, device in zip(phones, devices, strict=True):
            phone.client.set_cookie("device", device)
        return SAID[name]["path"], phones[0], phones[1:]

    return club, around


@pytest.mark.parametrize("name", SAID)
def test_every_phone_comes_back_to_its_table(evening, name: str) -> None:
    club, around = evening
    path, host, phones = around(name)
    assert club.table(path).version == SAID[name]["version"]
    assert host.get(f"{path}/screen").status_code == 200
    assert host.get(f"{path}/host").status_code == 200
    for phone in phones:
        for page in ("", "/seat", "/qr", "/fair"):
            assert phone.get(path + page).status_code in (200, 404), page
        assert phone.get(path).status_code == 200


@pytest.mark.parametrize("name", OVER)
def test_the_record_of_a_finished_game_is_the_same(evening, name: str) -> None:
    _club, around = evening
    path, _, phones = around(name)
    record = phones[0].get(f"{path}/record.jsonl").text
    assert record == SAID[name]["record"]
    assert all(each["ok"] for each in verdicts([record.encode()], GAMES))


@pytest.mark.parametrize("name", OVER)
def test_another_game_is_begun(evening, name: str) -> None:
    club, around = evening
    path, host, phones = around(name)
    club.done(host, path, "new-game")
    assert not club.table(path).round.looked
    assert phones[0].get(path).status_code == 200


def test_a_round_under_the_referee_goes_on(evening) -> None:
    club, around = evening
    path, host, _ = around("referee, in a round")
    rng = random.Random(1)
    for _ in range(12):
        play = next_play(club.table(path).game_state, rng)
        if not isinstance(play, Result):
            club.done(host, path, "play", **form_of(play))
    assert club.table(path).version > SAID["referee, in a round"]["version"] + 5
    club.done(host, path, "take-back")


def test_rounds_by_word_go_on(evening) -> None:
    club, around = evening
    path, host, phones = around("roles, in a round")
    club.done(host, path, "deal")
    for seat, phone in enumerate(phones, 1):
        assert phone.post(f"{path}/role", {"seat": seat}).status_code == 200
    club.done(host, path, "play", play="result", seat="1", reached="1", finisher="2")
    assert len(club.table(path).game_state.past) == 2


def test_trains_go_on(evening) -> None:
    """The last draw is taken back, and told once more."""
    club, around = evening
    path, host, _ = around("trains, in a game")
    last = club.table(path).round.undo_steps[-1]
    club.done(host, path, "take-back")
    (again,) = club.table(path).game.plays_of(last.events)
    club.done(host, path, "play", **form_of(again))
    assert club.table(path).round.undo_steps[-1].events == last.events
