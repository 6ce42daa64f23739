"""A language that puts brackets round every text: what stands outside them is hard-coded.

It is installed as Esperanto, which Babel knows and the program does not. All pages are visited in
all phases of a game.
"""

import random
import re
from html.parser import HTMLParser
from itertools import count
from pathlib import Path

import pytest
from babel.support import NullTranslations
from flask.testing import FlaskClient

from companion import catalogues, languages
from companion.games import GAMES
from companion.live.hub import Hub
from companion.settings import Settings
from companion.storage.sqlite_log import SqliteLog
from companion.tables.service import Tables
from companion.web import create_app
from companion.web.http.priority import step_aside, waiting
from tests.games.trains.dealer import game as dealt_game
from tests.i18n.catalogue import PLACEHOLDER, TAG
from tests.kit import pages
from tests.kit.forms import form_of, opening
from tests.kit.limits import limits
from tests.kit.threads import Threads

ACCENTS = str.maketrans(
    "ABCDEGHIJKLNORSTUWYZabcdeghijklnorstuwyz",
    "ÅƁÇĐÉĜĤÎĴĶĽÑÖŔŠŢÛŴÝŽåƀçđéĝĥîĵķľñöŕšţûŵýž",
)

SPOKEN = {
    *("alt", "aria-label", "aria-description", "placeholder", "title"),
    *("data-ask", "data-news", "data-to-do"),
}
"""Attributes that somebody reads or hears."""

SAME_EVERYWHERE = {"Saboteur", "Game", "of", "Trains", "kaj"}
"""The names of the games, and Esperanto's "and"."""

VOID = {"br", "hr", "img", "input", "link", "meta"}


def bracketed(text: str) -> str:
    """Accents, forty per cent longer, in brackets; placeholders and tags as they are."""
    kept = re.compile(f"{PLACEHOLDER.pattern}|{TAG.pattern}")
    parts, at = [], 0
    for found in kept.finditer(text):
        parts += [text[at : found.start()].translate(ACCENTS), found[0]]
        at = found.end()
    parts.append(text[at:].translate(ACCENTS))
    return f"[{''.join(parts)}{' ~' * (len(text) // 5)}]"


class Pseudo(NullTranslations):
    def gettext(self, message: str) -> str:
        return bracketed(message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        return bracketed(one if n == 1 else many)

    def pgettext(self, context: str, message: str) -> str:
        return bracketed(message)

    def npgettext(self, context: str, one: str, many: str, n: int) -> str:
        return bracketed(one if n == 1 else many)

    ugettext, ungettext, upgettext, unpgettext = gettext, ngettext, pgettext, npgettext


class Reader(HTMLParser):
    """Collects the words that stand outside all brackets."""

    def __init__(self) -> None:
        super().__init__()
        self.bare: list[str] = []
        self._depth = 0
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        hushed = bool(self._open and self._open[-1][1])
        hushed = hushed or tag in ("script", "style") or given.get("translate") == "no"
        hushed = hushed or ("lang" in given and tag != "html")
        for name, value in attrs:
            spoken = name in SPOKEN or (given.get("name") == "description" and name == "content")
            if spoken and value and not hushed and not re.fullmatch(r"\[.*\]", value, re.DOTALL):
                self.bare.append(f"{name}={value}")
        if tag not in VOID:
            self._open.append((tag, hushed))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1][1]:
            return
        for piece in re.findall(r"[\[\]]|[^\W\d_]+", data):
            if piece in "[]":
                self._depth += 1 if piece == "[" else -1
            elif self._depth == 0 and piece not in SAME_EVERYWHERE and piece != "EO":
                self.bare.append(data.strip())
                return


def hard_coded(page: str) -> list[str]:
    reader = Reader()
    reader.feed(page)
    return reader.bare


def test_the_reader_finds_what_is_hard_coded() -> None:
    page = (
        '<p aria-label="Close">[Ĥéļļö <b>ŵöŕļđ</b>] <i>there</i> <bdi translate="no">Al</bdi></p>'
    )
    assert hard_coded(page) == ["aria-label=Close", "there"]


class Walk:
    """Three phones through a game of three rounds, and another game; every answer read."""

    def __init__(self, folder: Path) -> None:
        log = SqliteLog(folder, b"k" * 32, synchronous="OFF")
        chance = random.Random(7)
        self.tables = Tables(
            log,
            GAMES,
            limits(),
            secret=b"k" * 32,
            clock=lambda: 1e6,
            draw=lambda lot: chance,
            waiting=waiting,
            breathe=step_aside,
        )
        settings = Settings(data=folder, forms_per_minute=100_000)  # faster than fingers
        app = create_app(settings, self.tables, Hub(lambda: 1e6), Threads())
        self.log = log
        self.phones = [app.test_client() for _ in range(3)]
        self.found: set[tuple[str, str]] = set()
        self._keys = count(1)

    def read(self, page: str, answer: str) -> None:
        shown = re.sub(r"/[\w-]{22}\b", "/…", page)
        self.found |= {(shown, text) for text in hard_coded(answer)}

    def get(self, path: str, phone: FlaskClient | None = None) -> str:
        answer = (phone or self.phones[0]).get(path, headers={"Accept-Language": "eo"})
        if answer.mimetype == "text/html" and answer.location is None:
            self.read(path, answer.text)
        return answer.location or answer.text

    def post(self, path: str, phone: FlaskClient | None = None, **form: object) -> str:
        answer = (phone or self.phones[0]).post(
            path, data={"key": f"k{next(self._keys)}", **form}, headers={"Accept-Language": "eo"}
        )
        if answer.mimetype == "text/html" and answer.location is None:
            self.read(f"{path} {form}", answer.text)
        return answer.location or answer.text

    def whole_game(self) -> None:
        for path in (
            "/",
            "/screen",
            "/?screen=1",
            "/language?next=/",
            "/nothing",
            f"/j/{'x' * 22}",
        ):
            self.get(path)
        self.post("/code", code="ZZZZZZ")
        table = self.post("/open", **opening(way="roles", language="et")).split("?")[0]
        table_id = table.removesuffix("/screen").rpartition("/")[2]
        table, join = f"/t/{table_id}", f"/j/{self.tables.join_key(self.tables.get(table_id))}"
        for phone, name in zip(self.phones, ("1", "2", "3"), strict=True):
            self.get(join, phone)
            self.post(join, phone, name="")
            self.post(join, phone, name=name)
        self.post(f"{table}/do/set-wifi", wifi_name="N", wifi_password="12345678")
        self.post(f"{table}/do/offer-move", seat=2)
        self.pages(table)
        self.post(f"{table}/do/start")
        for number in (1, 2, 3):
            self.pages(table)
            for seat, phone in enumerate(self.phones, 1):
                self.post(f"{table}/role", phone, seat=seat)
            self.pages(table)
            ended = {"reached": 1, "finisher": 1} if number > 1 else {"reached": 0, "last": 2}
            self.post(f"{table}/do/play", play="result", **ended)
            self.pages(table)
            self.post(f"{table}/gold", seat=1)
            self.post(f"{table}/do/deal")
        self.post(f"{table}/do/count")
        assert '<ol class="score">' in self.get(table)  # so every phase has been seen
        self.post(f"{table}/do/free-seat", seat=2)
        self.pages(table)
        self.get(join, self.phones[1])

    def whole_game_of_trains(self) -> None:
        table = self.post("/open", game="trains", language="et").split("?")[0]
        join = f"/j/{self.tables.join_key(self.tables.get(table.rpartition('/')[2]))}"
        for phone, name in zip(self.phones[:2], ("1", "2"), strict=True):
            self.post(join, phone, name=name)
        for number, step in enumerate(dealt_game(random.Random(1), 2, skill=0.6)):
            play = step.play
            if number == 0:
                self.post(f"{table}/do/start", starter=step.before.starter + 1)
            self.post(f"{table}/do/play", self.phones[play.by], **form_of(play))
            self.get(table, self.phones[number % 2])
            if number % 5 == 0:
                self.get(f"{table}/screen")
                cards = (f"card={card}&at=7" for card in (1, 40, 99))
                for query in ("act=1", "use=protect", "use=swap_adjacent", *cards):
                    self.get(f"{table}/ask?{query}")
        assert 'class="trains over"' in self.get(table)
        self.pages(table)

    def pages(self, table: str) -> None:
        for phone in self.phones[:2]:
            for page in pages.ALL.values():
                self.get(table + page, phone)


@pytest.fixture
def in_brackets(monkeypatch: pytest.MonkeyPatch) -> None:
    spoken = catalogues.catalogue
    monkeypatch.setitem(languages.ENDONYMS, "eo", "[Ĝ]")
    monkeypatch.setattr(
        catalogues, "catalogue", lambda code: Pseudo() if code == "eo" else spoken(code)
    )


@pytest.mark.usefixtures("in_brackets")
def test_no_text_is_hard_coded(tmp_path: Path) -> None:
    walk = Walk(tmp_path)
    walk.whole_game()
    walk.whole_game_of_trains()
    walk.log.close()
    assert walk.found == set()
