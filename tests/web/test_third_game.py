"""A small third game plays an evening in five languages, and nothing in the program knows of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import companion
from companion.catalogues import catalogue
from companion.cli import referee, verify
from companion.games import GAMES
from companion.languages import LOCALES
from companion.record import fair
from companion.web.view.games import pages_of
from tests.games import third
from tests.kit import pages
from tests.kit.forms import opening
from tests.kit.phone import FETCH
from tests.web.conftest import Club

NAMES = ("Õnne", "Līga", "Žygimantas", "Aino", "Eve")
LINES_MAX = 150


class PebblesEvening:
    """Five phones, each in a language of its own, and the laptop that hosts."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.host = club.phone()
        choices = {"key": "open", **opening("pebbles", edition="nine")}
        self.path = self.host.post("/open", choices).location
        self.phones = club.sit(self.path, list(NAMES), LOCALES)

    def texts(self) -> list[str]:
        """Every page that somebody at the table sees, the television's too."""
        seen = [pages.seen(phone, self.path).values() for phone in (self.host, *self.phones)]
        television = self.club.phone().get(f"{self.club.join_path(self.path)}/screen")
        return [television.text, *(text for texts in seen for text in texts)]

    def take(self, seat: int, pebbles: int) -> Any:
        play = {"play": "take", "seat": seat, "pebbles": pebbles}
        return self.club.do(self.phones[seat - 1], self.path, "play", **play)

    def card(self, phone: int, seat: int, **headers: str) -> Any:
        return self.phones[phone - 1].post(f"{self.path}/card", {"seat": seat}, **headers)


@pytest.fixture(params=[True, False], ids=["secret", "open"])
def evening(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PebblesEvening]:
    games = {**GAMES, "pebbles": third.game(fox=request.param)}
    club = Club(tmp_path, draw=fair.drawn, games=games)
    yield PebblesEvening(club)
    club.close()


def test_it_is_small() -> None:
    files = Path(third.__file__).parent.glob("*.py")
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    assert len([line for line in lines if line.strip()]) <= LINES_MAX


def test_nothing_else_names_it() -> None:
    root = Path(companion.__file__).parent
    for folder in (root, root.parent / "templates", root.parent / "translations"):
        for file in folder.rglob("*.*"):
            if file.suffix in (".py", ".html", ".css", ".js", ".svg", ".po"):
                assert "pebbles" not in file.read_text(encoding="utf-8").lower(), file


def test_a_whole_evening(evening: PebblesEvening, monkeypatch: pytest.MonkeyPatch) -> None:
    club, host, path = evening.club, evening.host, evening.path
    secret = club.table(path).game.deals_secrets
    assert club.table(path).edition == "nine"
    evening.texts()
    club.done(host, path, "start", starter=2)

    if secret:
        for locale, phone in zip(LOCALES, evening.phones, strict=True):
            beside = phone.get(f"{path}/seat").text
            for words in pages_of(club.tables.games["pebbles"]).look_words(catalogue(locale)):
                assert words in beside
        shown = [evening.card(seat, seat).text for seat in range(1, 6)]
        assert sorted(text.count("<p>fox</p>") for text in shown) == [0, 0, 0, 0, 1]
        for locale, text in zip(LOCALES, shown, strict=True):
            assert catalogue(locale).pgettext("btn", "Hide it") in text
        assert len({len(evening.card(seat, seat, **FETCH).data) for seat in range(1, 6)}) == 1
        assert all(evening.card(phone, 1).status_code == 403 for phone in range(2, 6))
    else:
        assert evening.card(1, 1).status_code == 404
    assert club.table(path).phase == "playing"
    assert not any(re.search(r"\bfox", text) for text in evening.texts())

    for locale, phone in zip(LOCALES, evening.phones, strict=True):
        page = phone.get(path).text
        t = catalogue(locale)
        assert t.pgettext("btn", "My seat") in page
        assert t.gettext("Turn: %(player)s").partition("%")[0] in page
        assert "Līga" in page
    refused = evening.take(3, 1)
    assert (refused.status_code, "Somebody else takes now." in refused.text) == (409, True)
    assert "/rules/pebbles?edition=nine" in refused.text

    assert evening.take(2, 3).status_code == 303
    assert evening.take(3, 3).status_code == 303
    club.done(evening.phones[2], path, "take-back")
    for seat, pebbles in ((3, 2), (4, 3), (5, 1)):
        assert club.table(path).phase == "playing"
        assert evening.take(seat, pebbles).status_code == 303
    assert club.table(path).phase == "over"
    heaps = [text for text in evening.texts() if 'id="heap"' in text]
    assert {"fox: " in text for text in heaps} == {secret}
    assert evening.phones[0].get(f"{path}/fair").status_code == (200 if secret else 404)

    saved = evening.phones[0].get(f"{path}/record.jsonl")
    assert saved.text.startswith('{"game": "pebbles", "edition": "nine", "seats": ["Õnne", ')
    for module, command in ((referee, referee.referee), (verify, verify.verify)):
        monkeypatch.setattr(module, "GAMES", club.tables.games)
        judged = CliRunner().invoke(command, input=saved.data)
        assert judged.exit_code == (0 if secret or module is referee else 1), judged.output
    club.done(host, path, "new-game")
    assert club.table(path).phase == ("looking" if secret else "playing")


def test_its_rules_and_the_start_page(evening: PebblesEvening) -> None:
    phone = evening.club.phone("et")
    home = phone.get("/").text
    assert 'name="edition-pebbles"' in home
    assert "Short rules" in home
    rules = phone.get("/rules/pebbles?edition=nine").text
    assert "Take one to three pebbles." in rules
    assert catalogue("et").pgettext("title", "Rules") in rules
