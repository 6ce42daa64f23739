"""An evening at one table: six phones and the host's laptop, playing whatever the rules allow.

Both ways of playing take turns. The driver keeps the game beside the server's, with other roles and
another gold pile, which nothing that it asks the rules depends on. Phones race, tap twice and take
plays back; what has no answer is sent again until it has one. They seal and open numbers for the
deals. An end of a round that is told is confirmed, stopped, or waited for.
"""

from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from difflib import unified_diff
from functools import partial
from typing import Any, Protocol, TypeVar

from companion.games import GAMES
from companion.games.game import Rejection
from companion.games.saboteur import GAME
from companion.games.saboteur.rules.cards import GOALS
from companion.games.saboteur.rules.decide import legal_reveals
from companion.games.saboteur.rules.model import Play, Result, Reveal, State
from companion.record import verdicts
from companion.tables.model import Table
from tests.durability.ledger import Ledger
from tests.durability.numbers import Deals, Numbers
from tests.durability.server import END_WAIT_S, Moments
from tests.games.saboteur import players
from tests.kit.forms import form_of, opening
from tests.kit.phone import PATIENCE_S, Answer, Phone, Stream, found_code

T = TypeVar("T")

NAMES = ("Anna", "Berta", "Carl", "Dora", "Emil", "Fina")
EDITIONS = tuple(GAME.editions)

TAKE_BACK = r'<details class="ask" id="taking-back">.*?</details>\s*|data-etag="\w+" '
"""On a table screen for whoever may take the last play back, and for nobody else; so its ETag
differs."""

DRAWINGS = '<svg class="sprite".*?</svg>'
"""Those that a page shows: on a table screen also of what only some may tap."""


class Services(Protocol):
    """What serves the table: one process or several."""

    starts: int

    def phone(self, name: str, over: threading.Event) -> Phone: ...


def said_of(answer: Answer) -> tuple[int, int, str]:
    """For whoever looks for what went wrong: status, version, and how the page begins."""
    words = re.sub(r"<[^>]*>", " ", "<" + answer.text.partition("<main")[2])
    return answer.status_code, answer.version, " ".join(words.split())[:300]


class Sitting:
    def __init__(self, server: Services, seed: int, ledger: Ledger, moments: Moments) -> None:
        self.rng = random.Random(seed)
        self.ledger = ledger
        self.moments = moments
        self.over = threading.Event()
        self.host = server.phone("host", self.over)
        self.phones = [server.phone(name, self.over) for name in NAMES]
        self.numbers = [Numbers(phone, random.Random(seed), server) for phone in self.phones]
        self.deals = Deals(self.numbers, server)
        self.redrawn = False
        """An end was taken back."""
        self.streams: list[Stream] = []
        self.path = ""
        self.way = "roles"
        self.edition = self.rng.choice(EDITIONS)
        self.state: State | None = None
        self.before: list[State] = []
        """The game before each play since the deal."""
        self.version = 0
        self.plays = self.games = self.records = 0
        self._key = 0
        self._pool = ThreadPoolExecutor(16)
        self._opening = ThreadPoolExecutor(len(NAMES))

    # Sending

    def send(self, phone: Phone, path: str, name: str, form: dict[str, str]) -> Answer:
        """Until it is answered; the ledger knows of it before it is sent and after it is told."""
        report = self.ledger.sending(phone, name, form)
        self.moments.happened("sent")
        answer = phone.ask("POST", path, form)
        self.ledger.answered(report, answer)
        self.moments.happened("told")
        return answer

    def key(self) -> str:
        self._key += 1
        return f"{self._key}"

    def do(self, phone: Phone, deed: str, *, key: str = "", **form: str) -> Answer:
        form |= {"version": str(self.version), "key": key or self.key()}
        return self.send(phone, f"{self.path}/do/{deed}", deed, form)

    def done(self, phone: Phone, deed: str, **form: str) -> None:
        answer = self.do(phone, deed, **form)
        assert answer.accepted, (deed, form, said_of(answer))
        self.version = max(self.version, answer.version or self._newest())

    def at_once(self, *jobs: Callable[[], Answer]) -> list[Answer]:
        """From several phones, each a few milliseconds after the other or in the same moment."""

        def late(job: Callable[[], Answer], wait_s: float) -> Answer:
            time.sleep(wait_s)
            return job()

        waits = [self.rng.choice((0.0, self.rng.uniform(0, 0.01))) for _ in jobs]
        running = [
            self._pool.submit(late, job, wait) for job, wait in zip(jobs, waits, strict=True)
        ]
        answers = [each.result() for each in running]
        told = [answer.version for answer in answers if answer.accepted]
        self.version = max(self.version, *told, 0 if all(told) else self._newest())
        return answers

    # The evening

    def gather(self) -> None:
        for phone in (self.host, *self.phones):
            self._until(partial(_is_known, phone), f"{phone.name} gets no cookie")
        self.way = self.rng.choice(("roles", "referee"))
        form = {"key": "open", **opening(way=self.way, edition=self.edition)}
        answer = self.host.ask("POST", "/open", form)
        assert answer.status_code == 303, answer
        self.path = answer.location
        self._follow()
        qr = f"{self.path}/qr"
        code = self._until(lambda: found_code(self.host.ask("GET", qr).text), "no code")
        key = self.host.ask("POST", "/code", {"code": code}).location
        for phone in self.phones:
            answer = self.send(phone, key, "join", {"name": phone.name, "key": self.key()})
            assert answer.accepted, answer
        self.version = 1 + len(self.phones)
        for _ in self.phones:
            self._follow()
        self.settle()

    def _follow(self) -> None:
        """The next device opens its page and keeps it open."""
        place = len(self.streams) - 1
        if place < 0:
            stream = Stream(self.host, f"{self.path}/live?page=screen", self._shown)
        else:
            deal = partial(self._told_to_open, self.numbers[place])
            stream = Stream(self.phones[place], f"{self.path}/live?page=seat", self._shown, deal)
        self.streams.append(stream)
        stream.start()

    def _shown(self, version: int) -> None:
        self.ledger.show(version)
        self.moments.happened("shown")

    def _told_to_open(self, numbers: Numbers, told: dict[str, Any]) -> None:
        if told["open"]:
            self.moments.happened("opening")
        self._opening.submit(numbers.take, told)

    def settle(self) -> None:
        """All phones show the newest state, and the same one."""
        self._until(
            lambda: all(stream.shown.version == self.version for stream in self.streams),
            "not all show the newest state",
        )

    def _until(self, there: Callable[[], T], otherwise: str) -> T:
        """What is there in the end."""
        end = time.monotonic() + PATIENCE_S
        while not (found := there()):
            assert time.monotonic() < end, f"{otherwise}: {self.standing()}"
            assert not self.over.wait(0.002), "given up"
        return found

    def standing(self) -> str:
        """For whoever looks for what went wrong."""
        shown = [stream.shown.version for stream in self.streams]
        return f"version {self.version}, shown {shown}, way {self.way}, {len(self.before)} plays"

    def same_everywhere(self) -> None:
        """What all may know is the same on every phone, to the letter."""

        def screen_of(phone: Phone) -> str:
            text = phone.ask("GET", f"{self.path}/screen").text
            text = re.sub(DRAWINGS, "", text, flags=re.DOTALL)
            text = re.sub(TAKE_BACK, "", text, flags=re.DOTALL)
            return text.replace('class="seat me ', 'class="seat ').replace(
                "<small>You</small>\n", ""
            )

        screens = list(self._pool.map(screen_of, self.phones))
        for screen in screens[1:]:
            differing = unified_diff(screens[0].splitlines(), screen.splitlines(), n=0)
            assert screen == screens[0], "\n".join(differing)
        for stream in self.streams:
            assert stream.went_back == [], f"{stream.name} went back: {stream.went_back}"
        deals = list(self._pool.map(lambda phone: self._deals_at(phone), self.phones))
        assert all(each == deals[0] for each in deals), deals
        for numbers in self.numbers:
            assert numbers.wrong == []

    def step(self) -> None:
        if self.state is None:
            self._start("start")
        elif self.state.over:
            if self.rng.random() < 0.3:
                self._take_back()
            else:
                self._save_record()
                self._start("new-game")
        elif self.state.now is None:
            self._between()
        elif self.before and self.rng.random() < 0.08:
            self._take_back()
        elif self.way == "referee":
            self._play()
        else:
            self._tell_result()

    def _deals_at(self, phone: Phone) -> list[str]:
        """Fingerprints, seals and numbers, as the page shows them that explains the deals."""
        found: list[str] = re.findall(
            r'data-(?:place|commitment|seals|shares|late)=["\'][^>]*',
            phone.ask("GET", f"{self.path}/fair").text,
        )
        return found

    def _start(self, deed: str) -> None:
        starter = 0 if self.state is None else self.state.starter
        self.games += 1
        self.redrawn = False
        places = (f"{self.games}.{round_}" for round_ in (0, 1))
        self.deals.drawn(lambda: self.done(self.host, deed), *places)
        self.state = GAME.new(len(NAMES), starter, self.edition, self.rng)
        self._dealt()

    def _dealt(self) -> None:
        assert self.state is not None
        self.state, _ = players.play(self.state, GAME.deal(self.state, self.rng))
        self.before = []
        if self.rng.random() < 0.3:
            self.done(self.host, "begin")
            return
        jobs = [
            lambda phone=phone, seat=str(seat): phone.ask(
                "POST", f"{self.path}/role", {"seat": seat}
            )
            for seat, phone in enumerate(self.phones, 1)
        ]
        looked = self.version + len(jobs)

        def shown() -> bool:
            """While a look cannot be written down, who was dealt a role sees it all the same."""
            for answer in self.at_once(*jobs):
                assert answer.status_code == 200, said_of(answer)
            return self.version == looked

        self._until(shown, "somebody’s look is never known")

    def _newest(self) -> int:
        """The version that a page shows that is loaded now: not every answer has a form."""
        return self.host.ask("GET", f"{self.path}/host").version

    def _between(self) -> None:
        chance = self.rng.random()
        if chance < 0.2 and self.before:
            self._take_back()
            return
        if chance < 0.7:
            self.way = "referee" if self.way == "roles" else "roles"
            self.done(self.host, "configure", way=self.way)
        assert self.state is not None
        place = f"{self.games}.{len(self.state.past) + 1}"
        self.deals.drawn(lambda: self.done(self.host, "deal"), place)
        self._dealt()

    def _take_back(self) -> None:
        assert self.state is not None
        self.redrawn |= self.state.now is None
        self.done(self.host, "take-back")
        self.state = self.before.pop()

    def _report(self, *plays: tuple[Phone, Play]) -> None:
        """Of the plays on this version one is accepted, whoever was first."""
        assert self.state is not None
        keys = [self.key() for _ in plays]
        twice = self.rng.random() < 0.2  # the first phone is tapped twice
        taps = [*zip(plays, keys, strict=True)]
        jobs = [
            lambda phone=phone, play=play, key=key: self.do(phone, "play", key=key, **form_of(play))
            for (phone, play), key in (taps + taps[:1] if twice else taps)
        ]
        answers = self.at_once(*jobs)
        if twice:
            assert answers.pop().accepted == answers[0].accepted, "a double tap got two answers"
        won = [place for place, answer in enumerate(answers) if answer.accepted]
        assert len(won) == 1, ([play for _, play in plays], [said_of(answer) for answer in answers])
        assert all(answer.status_code == 409 for answer in answers if not answer.accepted)
        self.before.append(self.state)
        self.state, _ = players.play(self.state, plays[won[0]][1])
        self.plays += 1

    def _play(self) -> None:
        assert self.state is not None
        assert self.state.now is not None
        on = self.phones[self.state.now.turn]
        first = self._next_play(self.state)
        before, after = self.state, self.version + 2
        if self.rng.random() < 0.35:
            self._report((on, first), (self.host, self._next_play(self.state)))
        else:
            self._report((on, first))
        if self.state.now is None:
            self._wait_for_end(before, after)

    def _next_play(self, state: State) -> Play:
        """Mostly towards a goal, so that rounds and games end; the rest anything allowed."""
        assert state.now is not None
        if state.now.reveal:
            goal, cards = self.rng.choice(list(legal_reveals(state).items()))
            return Reveal(state.now.turn, goal, self.rng.choice((cards[0], *cards)))
        if self.rng.random() < 0.8:
            return players.digger_play(state, self.rng, GOALS[len(state.past) % 3])
        while True:
            play = players.any_play(state, self.rng)
            if not isinstance(play, Result):
                return play

    def _tell_result(self) -> None:
        def told() -> tuple[Phone, Result]:
            seat = self.rng.randrange(len(NAMES))
            someone = self.rng.randrange(len(NAMES))
            reached = self.rng.random() < 0.6
            last = self.rng.choice((None, someone))
            return self.phones[seat], Result(
                seat, someone if reached else None, None if reached else last
            )

        first, second = told(), told()
        before, after = self.state, self.version + 2
        if first[0] is second[0]:
            self._report(first)
        else:
            self._report(first, second)
        self._wait_for_end(before, after)

    def _wait_for_end(self, before: State | None, after: int) -> None:
        """`after`: the version to which the end leads, or its being stopped."""
        self.moments.happened("waiting")
        if self._stopped():
            self.before.pop()
            self.state = before
        self.version = after
        self.settle()

    def _stopped(self) -> bool:
        """What was told: it waits, another phone says so, too, or two do; or somebody stops it."""
        chance = self.rng.random()
        if chance < 0.15:
            return False
        time.sleep(self.rng.uniform(0, 1.2 * END_WAIT_S) * (chance > 0.85))
        deed = "stop-end" if chance < 0.5 else "confirm-end"
        several = {self.key(): self.host, self.key(): self.rng.choice(self.phones)}
        jobs = [
            lambda phone=phone, key=key: self.do(phone, deed, key=key)
            for key, phone in list(several.items())[: self.rng.choice((1, 2))]
        ]
        answers = self.at_once(*jobs)
        accepted = sum(answer.accepted for answer in answers)  # none, when it was over before
        assert accepted <= 1, (deed, [answer.status_code for answer in answers])
        assert all(answer.accepted or answer.status_code == 409 for answer in answers)
        return deed == "stop-end" and accepted == 1

    def _save_record(self) -> None:
        answer = self.rng.choice(self.phones).ask("GET", f"{self.path}/record.jsonl")
        assert answer.status_code == 200, answer
        saved = answer.text.encode()
        wrong = [each for each in verdicts([saved], GAMES) if not each["ok"]]
        assert wrong == [], wrong
        self.deals.check(saved, self.redrawn)
        self.records += 1

    def agrees(self, table: Table) -> None:
        """The server's game is the one that was played here."""
        here, there = self.state, table.game_state
        assert isinstance(here, State)
        assert not isinstance(there, Rejection)
        assert [each.name for each in table.seats] == list(NAMES)
        assert public(here) == public(there)

    def close(self) -> None:
        """After the server's end, which ends what is still waiting for it."""
        self.over.set()
        self._pool.shutdown(cancel_futures=True)
        self._opening.shutdown(cancel_futures=True)
        for stream in self.streams:
            stream.join(PATIENCE_S)
            assert not stream.is_alive(), f"the stream of {stream.name} does not end"
        for phone in (self.host, *self.phones):
            phone.close()


def _is_known(phone: Phone) -> bool:
    phone.ask("GET", "/")
    return bool(phone.cookies)


def public(state: State) -> Sequence[object]:
    """All of a game that depends on no role and no gold."""
    past = [
        (one.won_by, one.finisher, one.last, one.final.maze, one.final.used) for one in state.past
    ]
    now = state.now
    on = now and (
        now.starter,
        now.turn,
        now.pile,
        now.hands,
        now.broken,
        now.maze,
        now.used,
        now.last,
        now.passes,
        now.reveal,
    )
    return [state.seats, state.edition, state.starter, past, on, state.over]
