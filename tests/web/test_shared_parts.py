"""What is drawn once for many phones is what each of them would be given alone.

Evenings of people who tap whatever their pages offer; after each tap every page of every phone is
drawn twice: as streams do it, out of what was drawn for others and before, and from nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from difflib import unified_diff

import pytest

from companion.tables.model import Table
from companion.web.live.fragment import fragment
from companion.web.view.access import PAGES, Asking
from companion.web.view.presenter import phase
from companion.web.view.services import Fragments, House
from tests.games.saboteur import players
from tests.kit.forms import form_of
from tests.web.conftest import Club
from tests.web.page_forms import Page

STEPS = 80
LANGUAGES = ("et", "lt")
LATER_S = 200
"""By then a silent host counts as gone."""

ENDS = ("/end", "/remove-seat", "/leave")
"""Deeds after which there is little left to look at."""


class Nothing(Fragments):
    """Keeps nothing."""

    def get(self, table: str, state: object, key: object, make: Callable[[], str]) -> str:
        return make()


class Evening:
    def __init__(self, club: Club, chance: random.Random, **choices: str) -> None:
        self.club, self.chance = club, chance
        self.here: House = club.app.extensions["companion"]
        self.host = club.phone()
        self.path = club.open(self.host, **choices)
        self.phones = [self.host, *club.sit(self.path, ["Anna", "Berta", "Carl"], LANGUAGES)]
        if choices["game"] == "saboteur":
            for name in ("Dora", "Emil"):
                club.done(self.host, self.path, "add-seat", name=name)
        club.done(self.host, self.path, "start")

    @property
    def table(self) -> Table:
        return self.club.table(self.path)

    def step(self) -> None:
        if self.chance.random() < 0.05:
            self.club.clock.now += LATER_S
        now, easy = phase(self.table), self.chance.random() < 0.6
        if easy and now == "looking":
            self.hosts("begin")
        elif easy and now == "settled":
            self.hosts("deal")
        elif easy and now == "playing" and self.table.game == "saboteur":
            self.play()
        else:
            self.tap()

    def play(self) -> None:
        """What the rules allow, reported by the host."""
        play = players.any_play(self.table.play, self.chance)  # type: ignore[arg-type]
        form = form_of(play)
        if self.table.way == "roles":
            form = {"play": "result", "reached": "0", "last": "1"}
        ids = [player.id for player in self.table.players]
        for each in ("seat", "target", "finisher", "last"):
            if each in form:
                form[each] = str(ids[int(form[each]) - 1])
        self.hosts("play", **form)

    def hosts(self, deed: str, **form: str) -> None:
        """Done by the host, whichever phone that is by now."""
        for phone in self.phones:
            if self.club.do(phone, self.path, deed, **form).status_code == 303:
                return

    def tap(self) -> None:
        """A form of a page, with some of the values that it offers."""
        phone = self.chance.choice(self.phones)
        found = [
            form
            for page in PAGES.values()
            for form in Page(phone.get(self.path + page).text).forms
            if form.method == "POST" and not form.action.endswith(ENDS)
        ]
        if not found:
            return
        form = self.chance.choice(found)
        said = {name: self.chance.choice(values) for name, values in form.fields}
        if said.get("name") == "":
            said["name"] = f"Guest {self.chance.randrange(100)}"
        answer = phone.post(form.action or self.path, said)
        assert answer.status_code < 500, (form, answer.text)

    def compare(self) -> None:
        table = self.table
        devices = {table.host, *(seat.device for seat in table.seats if seat.device)}
        for number, device in enumerate(sorted(devices)):
            for page in PAGES:
                if self.here.denied(table, device, page) is None:
                    for seat in (None, *(seat.id for seat in table.held(device))):
                        who = Asking(table, device, page, seat)
                        self.drawn_alike(who, LANGUAGES[number % len(LANGUAGES)])

    def drawn_alike(self, who: Asking, locale: str) -> None:
        app = self.club.app
        with app.app_context():
            shared = fragment(app, who, locale, live=who.live, path=who.path)
            app.extensions["companion"] = replace(self.here, fragments=Nothing(), frames=Nothing())
            try:
                alone = fragment(app, who, locale, live=who.live, path=who.path)
            finally:
                app.extensions["companion"] = self.here
        apart = [*unified_diff(shared.splitlines(), alone.splitlines(), lineterm="", n=0)]
        assert not apart[:4], (who.page, who.seat, locale)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    "choices",
    [
        {"game": "saboteur", "way": "referee"},
        {"game": "saboteur", "way": "roles"},
        {"game": "trains"},
    ],
    ids=lambda choices: "-".join(choices.values()),
)
def test_what_is_shared_is_what_would_be_drawn_alone(
    clubs: Callable[..., Club], choices: dict[str, str], seed: int
) -> None:
    many = 10**6
    club = clubs(forms_per_minute=many, requests_per_minute=many)
    evening = Evening(club, random.Random(seed), **choices)
    for _ in range(STEPS):
        evening.step()
        evening.compare()


def test_while_a_goal_waits_to_be_turned(clubs: Callable[..., Club]) -> None:
    """One phone is asked what it shows; the others go on seeing the crew."""
    evening = Evening(clubs(), random.Random(0), game="saboteur", way="referee")
    evening.hosts("begin")
    for x in range(1, 8):
        on_turn = evening.table.players[evening.table.play.now.turn].id  # type: ignore[union-attr]
        card = "NESW" if x < 6 else "EW"
        evening.hosts("play", play="path", seat=str(on_turn), card=card, at=f"{x},0")
        evening.compare()
    pages = [phone.get(evening.path).text for phone in evening.phones]
    assert ['class="maze small"' in page for page in pages].count(True) == 1


def test_phones_that_wait_share_all_but_their_own_seat(clubs: Callable[..., Club]) -> None:
    drawn: list[object] = []

    class Noting(Fragments):
        def get(self, table: str, state: object, key: object, make: Callable[[], str]) -> str:
            def draw() -> str:
                drawn.append(key[0])  # type: ignore[index]
                return make()

            return super().get(table, state, key, draw)

    club = clubs()
    host = club.phone()
    path = club.open(host, game="saboteur", way="referee")
    club.sit(path, ["Anna", "Berta", "Carl", "Dora", "Emil"])
    club.done(host, path, "start")
    club.done(host, path, "begin")
    club.app.extensions["companion"].fragments = Noting()
    table = club.table(path)
    with club.app.app_context():
        for seat in table.seats:
            who = Asking(table, seat.device, "seat")
            fragment(club.app, who, "en", live=who.live, path=who.path)
    assert drawn.count("seat") == 5
    assert drawn.count("maze") == drawn.count("crew") == 1
    assert drawn.count("turn") == 2  # for whoever is on turn, and for all others
