"""Six phones at a table whose plays the referee follows, and what people tap there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count

from playwright.sync_api import Locator, expect

from companion.games import GAMES
from companion.games.fields import PlayerIndex
from companion.games.saboteur import GAME
from companion.record import verdicts
from tests.browser.phones import Kind, Phone
from tests.browser.tables import sit
from tests.games.saboteur.words import line
from tests.kit.forms import form_of

SIX = (
    ("Anna", Kind("en", 390, 844, "dark")),
    ("Bert", Kind("en", 320, 568, "light")),
    ("Carl", Kind("en", 412, 915, "dark")),
    ("Dora", Kind("en", 360, 640, "light")),
    ("Erik", Kind("en", 430, 932, "dark")),
    ("Fina", Kind("en", 390, 844, "dark")),
)


MOMENT_MS = 6000
"""So long the maze of the end lies there."""

_keys = count(1)


class Round:
    """A table in the referee's way; the first phone is the host's."""

    def __init__(
        self,
        new_phone: Callable[..., Phone],
        edition: str,
        seats: int = 6,
        *,
        touch: bool = False,
        shown: Sequence[int] | None = None,
    ) -> None:
        """Only the pages of these phones are open, if not all: the others sit at the table."""
        self.names = [name for name, _ in SIX[:seats]]
        self.phones = [new_phone(replace(kind, touch=touch)) for _, kind in SIX[:seats]]
        self.path, _ = sit(self.phones, self.names, way="referee", edition=edition)
        self.url = self.phones[0].url + self.path
        self.post(self.phones[0], "do/start")
        self.look()
        for at in range(seats) if shown is None else shown:
            self.phones[at].page.goto(self.url)
            expect(self.phones[at].page.locator(".pan")).to_be_visible()

    def post(self, phone: Phone, deed: str, **form: str) -> int:
        """As a page without script does it; the status."""
        fields = {"key": f"{deed}{form}", **form}
        return phone.plain.post(f"{self.path}/{deed}", fields).status_code

    def look(self) -> None:
        for seat, phone in enumerate(self.phones, 1):
            self.post(phone, "role", seat=str(seat))

    @property
    def turn(self) -> int:
        """Whose turn it is, as the host's phone shows it."""
        mate = self.phones[0].page.locator(".crew a[aria-current]")
        return self.names.index(mate.locator("bdi").inner_text())

    def on(self) -> Phone:
        return self.phones[self.turn]

    def shown_to_all(self) -> None:
        """Every phone has what has been played: what is tapped next is what was meant."""
        page = self.phones[0].plain.get(self.path).text
        version = re.search(r'data-version="(\d+)"', page)
        assert version
        for phone in self.phones:
            expect(phone.page.locator("#live")).to_have_attribute("data-version", version[1])

    def seen_by_all(self, turn: str) -> None:
        for phone, name in zip(self.phones, self.names, strict=True):
            said = "Your turn" if name == turn else f"Turn: {turn}"
            expect(phone.page.locator("#seats h1:visible")).to_have_text(said)


class Others:
    """Plays of whoever's turn it is, without the interface, in the words of rulings: "NS 1,0",
    "break cart 2"."""

    def __init__(self, table: Round) -> None:
        self.table = table
        self.on = 0

    def __call__(self, *plays: str) -> None:
        for text in plays:
            if text.startswith("turn "):
                self.on -= 1  # it is still the turn of who reached the goal
            assert self.send(text) == 303, text
            self.on = (self.on + 1) % len(self.table.names)

    def send(self, text: str) -> int:
        fields = line(text, str(self.on))
        form = form_of(GAME.read_play(fields, lambda seat: PlayerIndex(int(str(seat)))))
        return self.table.post(
            self.table.phones[self.on], "do/play", key=f"others{next(_keys)}", **form
        )


def place(phone: Phone, x: int, y: int) -> Locator:
    return phone.page.locator(f'.pan a[href$="place={x},{y}"]')


def sheet(phone: Phone, kind: str) -> Locator:
    opened = phone.page.locator(f'#sheet .sheet[data-kind="{kind}"]')
    expect(opened).to_be_visible()
    return opened


def lay(phone: Phone, card: str, x: int, y: int) -> None:
    """By keyboard: the place, then the shape."""
    place(phone, x, y).press("Enter")
    sheet(phone, "place").locator(f'button[name=card][value="{card}"]').press("Enter")
    expect(phone.page.locator("#sheet .sheet")).to_have_count(0)


def tap_card(phone: Phone, symbol: str) -> None:
    """The middle of the last card with this drawing, as a finger finds it."""
    box = phone.page.locator(f".pan use[href='{symbol}']").last.bounding_box()
    assert box
    phone.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def verdict(phone: Phone) -> tuple[str, str]:
    """What the phone says is not legal, and the anchor of the rule."""
    said = sheet(phone, "refused")
    rule = said.locator("a.rule").get_attribute("href") or ""
    expect(said.locator("#why")).to_be_visible()
    text = said.locator("#why").inner_text()
    return text, rule.rpartition("#")[2]


def close(phone: Phone) -> None:
    phone.page.locator("#sheet [data-close]").first.click()
    expect(phone.page.locator("#sheet .sheet")).to_have_count(0)


def seen_the_end(phone: Phone) -> bool:
    """The page says who has won. Whether the maze was looked at before; else its time was over."""
    still = phone.page.locator("#still")
    try:
        expect(still).to_be_visible(timeout=MOMENT_MS)
    except AssertionError:  # it was shown before this phone was looked at
        return False
    phone.page.keyboard.press("Escape")
    expect(still).to_be_hidden()
    return True


def judged(record: str) -> list[dict[str, object]]:
    """What `companion referee` says of each line."""
    said = list(verdicts([record.encode()], GAMES))
    wrong = [each for each in said if not each["ok"]]
    assert wrong == [], (wrong, record)
    return said


def plays(record: str) -> list[str]:
    return [json.loads(line).get("play", "header") for line in record.splitlines()]
