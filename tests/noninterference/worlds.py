"""Worlds in step: the same evening over different secrets, and every answer compared.

Each request goes to all worlds, one after another, with the same clock, the same random numbers for
keys and codes, and the same cookies. Worlds in which everybody has been shown the same so far must
answer it with the same bytes: status, headers in their order, cookies, body. Two kinds of answers
carry a secret that the asking phone may know, its own role and its own gold: those must be the same
where that secret is, and of the same size everywhere, since who listens on the Wi-Fi sees sizes.
Everything else, the pages of those who know their role included, must not tell it.
"""

from __future__ import annotations

import random
import re
import secrets
import zlib
from base64 import b64encode, urlsafe_b64encode
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import urlencode, urlsplit

from flask import Flask, Request
from flask.testing import FlaskClient
from jinja2 import BytecodeCache
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.exceptions import HTTPException

from companion.live.hub import Hub
from companion.settings import Settings
from companion.tables.log import StorageError
from companion.tables.model import Table
from companion.tables.service import Tables
from companion.tables.shares import Place
from companion.web import create_app
from companion.web.limits import Limits
from tests.noninterference.draws import Draw, Drawer
from tests.storage.memory import MemoryLog

BASE = "http://192.168.1.20:8000"
PUBLIC = "https://play.example.org"

SECRET_ANSWERS = ("/t/<table_id>/role", "/t/<table_id>/gold")
"""The only addresses whose answers may differ by what the one who asks may know alone."""

COOKIES = "cookies"
"""In the place of a route: what all of them may be sent."""

Plant = Callable[["World"], None]
"""Makes a world leak, to see whether it is found."""


class Pinned:
    """Random numbers for keys, codes and cookies that are the same in every world."""

    def __init__(self) -> None:
        self._random = random.Random(0)

    def at(self, step: int) -> None:
        self._random.seed(step)

    def token_bytes(self, count: int = 32) -> bytes:
        return self._random.randbytes(count)

    def token_hex(self, count: int = 32) -> str:
        return self.token_bytes(count).hex()

    def token_urlsafe(self, count: int = 32) -> str:
        return urlsafe_b64encode(self.token_bytes(count)).rstrip(b"=").decode()

    def choice(self, items: Sequence[Any]) -> Any:
        return self._random.choice(items)

    def randbelow(self, limit: int) -> int:
        return self._random.randrange(limit)


PINNED = Pinned()


@contextmanager
def pinned() -> Iterator[None]:
    names = ("token_bytes", "token_hex", "token_urlsafe", "choice", "randbelow")
    assert all(hasattr(secrets, name) for name in names)
    with (
        mock.patch.multiple(secrets, **{name: getattr(PINNED, name) for name in names}),
        mock.patch("werkzeug.http.datetime", FixedDatetime),  # of a cookie's end
    ):
        yield


class FixedDatetime(datetime):
    """The wall clock stands still."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> FixedDatetime:
        return cls(2026, 1, 31, 20, 15, tzinfo=tz)


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Asked:
    """Which fields of a form, an address or a cookie the program looks for."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def note(self, name: object) -> None:
        if isinstance(name, str):
            self.names.add(name)


ASKED = Asked()


class Watched(ImmutableMultiDict[str, str]):
    """Fields that tell which of them were looked for."""

    def get(self, key: Any, default: Any = None, type: Any = None) -> Any:
        ASKED.note(key)
        return super().get(key, default, type)

    def getlist(self, key: Any, type: Any = None) -> Any:
        ASKED.note(key)
        return super().getlist(key, type)

    def __getitem__(self, key: Any) -> Any:
        ASKED.note(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        ASKED.note(key)
        return super().__contains__(key)


class WatchedRequest(Request):
    parameter_storage_class = Watched
    dict_storage_class = Watched


class Unlimited(Limits):
    """Counts nothing, so that no wall clock comes in; refuses all or nothing."""

    def __init__(self) -> None:
        super().__init__({})
        self.refusing = False

    def count(self, kind: str, who: str) -> bool:
        return not self.refusing

    def may(self, kind: str, who: str) -> bool:
        return not self.refusing

    def hit(self, kind: str, who: str) -> bool:
        return not self.refusing

    def wait_s(self, kind: str, who: str) -> int:
        return 7


class Log(MemoryLog):
    """A disk that may be full."""

    full = False

    def append(self, *args: Any) -> bool:
        if self.full:
            raise StorageError("the disk is full")
        return super().append(*args)


class World:
    """One server with its tables, and what everybody at the table has been shown in it."""

    def __init__(self, draw: Draw, compiled: BytecodeCache, *, public: bool = False) -> None:
        self.draw = draw
        self.clock = Clock()
        self.log = Log()
        self.limits = Unlimited()
        self.settings = Settings(
            data=Path("/nowhere"), secret_key="x" * 32, public_url=PUBLIC if public else ""
        )
        self.tables = Tables(
            self.log,
            secret=b"s" * 32,
            clock=self.clock,
            draw=lambda lot: Drawer(self.draw, lot.round),
            host_gone_s=120,
        )
        self.hub = Hub(self.clock)
        self.app: Flask = create_app(
            self.settings,
            self.tables,
            self.hub,
            base=lambda: BASE,
            limits=self.limits,
            heartbeat_s=0.001,
            clock=self.clock,
        )
        self.app.request_class = WatchedRequest
        self.app.jinja_env.bytecode_cache = compiled
        self.table_id = ""
        self.games = 0  # begun; told by who plays the evening
        self.shown: list[object] = []
        """Facts, in the order in which they came out; what is taken back stays known."""

    @property
    def table(self) -> Table | None:
        return self.tables.get(self.table_id) if self.table_id else None

    def note_shown(self) -> None:
        """What the rules have shown by now: roles and numbers of gold cards at the end of a round,
        the gold itself at the end of the game."""
        table = self.table
        play = table.play if table is not None else None
        if play is None or table is None:
            return
        for number, past in enumerate(play.past):
            spare = self.draw.roles[number % len(self.draw.roles)][-1]
            gained = tuple(len(cards) for cards in past.gold)
            how = (past.won_by, past.finisher, past.last)
            self._show((self.games, number, past.table.roles, spare, *how, gained))
        if play.over:
            self._show((self.games, tuple(past.gold for past in play.past)))

    def _show(self, fact: object) -> None:
        if fact not in self.shown:
            self.shown.append(fact)

    def own_secret(self, rule: str, seat_id: int) -> object:
        """What the holder of a seat is told when it asks for it."""
        table = self.table
        assert table is not None
        assert table.play is not None
        seat = table.index(seat_id)
        assert seat is not None
        if rule.endswith("/role"):
            return table.play.now.roles[seat]
        return tuple(card for past in table.play.past for card in past.gold[seat])

    def secrets(self) -> str:
        """For the message about a leak."""
        return f"roles {self.draw.roles}, gold {self.draw.pile}"


@dataclass
class Viewer:
    """One browser in every world."""

    name: str
    language: str
    address: str
    clients: list[FlaskClient]
    hosts: bool = False

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass(frozen=True)
class Answer:
    status: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def size(self) -> int:
        head = sum(len(name) + len(value) + 4 for name, value in self.headers)
        return len(self.status) + head + len(self.body)


class LeakFoundError(AssertionError):
    """Where the first leak is enough."""


@dataclass(frozen=True)
class Leak:
    viewer: str
    asked: str
    worlds: tuple[int, int]
    what: str

    def __str__(self) -> str:
        one, two = self.worlds
        if one == two:
            return f"{self.viewer} is told by {self.asked}: {self.what}"
        return f"{self.viewer} can tell world {one} from world {two} by {self.asked}: {self.what}"


def _sets() -> dict[Any, set[Any]]:
    return defaultdict(set)


@dataclass
class Tally:
    """What has been compared."""

    answers: int = 0
    bytes: int = 0
    leaks: list[Leak] = field(default_factory=list)
    pairs: dict[str, set[tuple[object, int, int]]] = field(default_factory=lambda: defaultdict(set))
    """By viewer: evening and two worlds that it could not tell apart."""
    routes: dict[tuple[str, str], set[str]] = field(default_factory=_sets)
    """By route and method: the viewers that it was compared for."""
    statuses: Counter[str] = field(default_factory=Counter)
    looked_for: dict[str, set[str]] = field(default_factory=_sets)
    """By route: names of the fields and cookies that the program looked for."""
    sent: dict[str, set[str]] = field(default_factory=_sets)
    """By route: names of the fields and cookies that it was sent."""
    told_apart: int = 0
    """Requests whose answers differed where they may: after something was shown."""
    searched: int = 0
    """Answers in which numbers were looked for that nobody may know yet."""
    secrets_told: int = 0
    """Secret answers that were the same in size and different in what they told."""

    def add(self, other: Tally) -> None:
        self.answers += other.answers
        self.bytes += other.bytes
        self.leaks += other.leaks
        for viewer, pairs in other.pairs.items():
            self.pairs[viewer] |= pairs
        for mine, others in (
            (self.routes, other.routes),
            (self.looked_for, other.looked_for),
            (self.sent, other.sent),
        ):
            for key, names in others.items():  # type: ignore[attr-defined]
                mine[key] |= names  # type: ignore[index]
        self.statuses += other.statuses
        self.told_apart += other.told_apart
        self.searched += other.searched
        self.secrets_told += other.secrets_told


def difference(one: Answer, two: Answer) -> str | None:
    """What tells the answers apart; None where nothing does."""
    if one == two:
        return None
    if one.status != two.status:
        return f"status {one.status!r} and {two.status!r}"
    if one.headers != two.headers:
        for first, second in zip(one.headers, two.headers, strict=False):
            if first != second:
                return f"headers {first!r} and {second!r}"
        return f"{len(one.headers)} and {len(two.headers)} headers"
    sizes = ""
    if len(one.body) != len(two.body):
        sizes = f"{len(one.body)} and {len(two.body)} bytes, "
    at = next(
        (place for place, (a, b) in enumerate(zip(one.body, two.body, strict=False)) if a != b),
        min(len(one.body), len(two.body)),
    )
    parts = [body[max(0, at - 60) : at + 60] for body in (one.body, two.body)]
    return f"{sizes}from byte {at} on: {parts[0]!r} and {parts[1]!r}"


RUNS = (
    (re.compile(rb"(?=([0-9a-f]{32}))"), lambda secret: [secret.hex().encode()]),
    (re.compile(rb"(?=([0-9]{36}))"), lambda secret: [str(int.from_bytes(secret, "big")).encode()]),
    (
        re.compile(rb"(?=([\w+/-]{21}))"),
        lambda secret: [b64encode(secret), urlsafe_b64encode(secret)],
    ),
)
"""How a number may be written into an answer, and what finds the beginnings of such numbers."""


class Needles:
    """What no answer may hold yet: secrets and shares of deals that are not laid open. All worlds
    have the same, so that comparing them tells nothing of these."""

    def __init__(self) -> None:
        self.added: dict[Place, set[str]] = defaultdict(set)
        """Shares, by their deals."""
        self.searched = 0
        self._of: tuple[tuple[int, int], list[dict[bytes, str]]] = ((0, 0), [])

    def hidden(self, world: World, table: Table) -> list[dict[bytes, str]]:
        """By each of `RUNS`: beginnings of numbers, and what they are."""
        at = table.version, sum(map(len, self.added.values()))
        if self._of[0] != at:
            found = list(self._hidden(world, table))
            self._of = (
                at,
                [
                    {
                        run.search(each)[1]: name  # type: ignore[index]
                        for name, number in found
                        for each in spell(number)
                    }
                    for run, spell in RUNS
                ],
            )
        return self._of[1]

    def _hidden(self, world: World, table: Table) -> Iterator[tuple[str, bytes]]:
        play = table.play
        on = play is not None and not play.over
        open_rounds = len(play.past) if on and play is not None else 0
        for game in (table.coming_game, table.coming_game + 1):
            for round_ in range(4):
                if game == table.coming_game and 0 < round_ <= open_rounds:
                    continue
                yield (
                    f"the secret of game {game}, deal {round_}",
                    world.tables.deals.secret(table, game, round_),
                )
                for share in self.added[game, round_]:
                    yield f"a share of game {game}, deal {round_}", bytes.fromhex(share)

    def search(self, world: World, answer: Answer) -> str | None:
        table = world.table
        if table is None:
            return None
        self.searched += 1
        said = "\n".join(f"{name}: {value}" for name, value in answer.headers).encode()
        text = said + b"\n" + answer.body
        bare = re.sub(rb"<[^>]*>|\s", b"", text).lower()  # numbers are shown in groups
        hidden = self.hidden(world, table)
        for (run, _), names, where in zip(RUNS, hidden, (bare, bare, text), strict=True):
            for found in run.finditer(where):
                if found[1] in names:
                    return names[found[1]]
        return None


def size_difference(one: Answer, two: Answer) -> str | None:
    """As `difference`, for who sees only sizes: an onlooker on the Wi-Fi."""
    if one.status != two.status or one.headers != two.headers:
        return difference(one, two)
    if len(one.body) != len(two.body):
        return f"the sizes {len(one.body)} and {len(two.body)} of a secret answer"
    return None


Unpack = Callable[[bytes], bytes]


def gunzip() -> Unpack:
    return zlib.decompressobj(31).decompress


def unpacked(body: bytes, unpack: Unpack) -> bytes:
    """Also where something that was planted is not compressed."""
    try:
        return unpack(body)
    except zlib.error:
        return body


class Line:
    """An open stream of one viewer in every world."""

    def __init__(self, worlds: Worlds, viewer: Viewer, path: str, answers: list[Any]) -> None:
        self._worlds = worlds
        self.viewer = viewer
        self.path = path
        self._answers = answers
        self._pieces = [iter(answer.response) for answer in answers]
        zipped = answers[0].headers.get("Content-Encoding") == "gzip"
        self._unpack = gunzip() if zipped else bytes
        self.over = False

    def read(self) -> None:
        """The next piece of each world, compared."""
        if self.over:
            return
        worlds = self._worlds
        worlds.step += 1
        found = []
        for pieces in self._pieces:
            PINNED.at(worlds.step)
            found.append(Answer("", (), next(pieces, b"")))
        self.over = all(not each.body for each in found)
        plain = replace(found[0], body=unpacked(found[0].body, self._unpack))
        worlds.search(self.viewer, f"the stream {self.path}", [plain])
        worlds.compare(self.viewer, f"the stream {self.path}", found)

    def close(self) -> None:
        for answer in self._answers:
            answer.close()
        self.over = True


class Worlds:
    def __init__(
        self,
        name: object,
        draws: Sequence[Draw],
        compiled: BytecodeCache,
        *,
        public: bool = False,
        plant: Plant | None = None,
    ) -> None:
        self.name = name
        self.all = [World(draw, compiled, public=public) for draw in draws]
        for world in self.all:
            if plant is not None:
                plant(world)
        self.base = PUBLIC if public else "http://localhost"
        self._proxy = public
        self.cookie = "__Host-device" if public else "device"
        self.step = 0
        self.tally = Tally()
        self.lines: list[Line] = []
        self.first_leak_ends = False
        self.needles = Needles()
        self._numbers = 0

    @property
    def first(self) -> World:
        return self.all[0]

    @property
    def table(self) -> Table:
        table = self.first.table
        assert table is not None
        return table

    def viewer(self, name: str, language: str = "en", *, cookie: bool = True) -> Viewer:
        self._numbers += 1
        viewer = Viewer(
            name,
            language,
            f"10.0.0.{self._numbers}",
            [world.app.test_client() for world in self.all],
        )
        if cookie:
            key = f"phone{self._numbers:02}".ljust(22, "x")
            for client in viewer.clients:
                client.set_cookie(
                    self.cookie,
                    key,
                    secure=self.base == PUBLIC,
                    domain=urlsplit(self.base).hostname or "",
                )
        return viewer

    def rule_of(self, method: str, path: str) -> str:
        """The route that answers it; "" where none does."""
        plain = path.partition("?")[0]
        try:
            rule, _ = self.first.app.url_map.bind("localhost").match(
                plain, "GET" if method == "HEAD" else method, return_rule=True
            )
        except HTTPException:
            return ""
        return str(rule.rule)

    def ask(
        self,
        viewer: Viewer,
        method: str,
        path: str,
        *,
        query: dict[str, str] | None = None,
        form: Mapping[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> list[Answer]:
        """The same request to every world; the answers, compared."""
        full = f"{path}?{urlencode(query)}" if query else path
        rule = self.rule_of(method, full)
        self._note_sent(viewer, rule, full, form or {})
        self.step += 1
        stream = method == "GET" and rule.endswith("/live")
        answers = []
        for world, client in zip(self.all, viewer.clients, strict=True):
            PINNED.at(self.step)
            answers.append(self._answer(world, client, viewer, method, full, form, headers, stream))
        if method == "POST":
            for world in self.all:
                world.note_shown()
        said = " ".join(str(part) for part in (method, full, form, headers) if part)
        secret = method == "POST" and rule in SECRET_ANSWERS
        self.search(viewer, said, answers)
        self.compare(viewer, said, answers, secret=(rule, form or {}) if secret else None)
        if rule:
            self.tally.routes[rule, method].add(viewer.name)
        self.tally.statuses[answers[0].status[:3]] += 1
        return answers

    def search(self, viewer: Viewer, asked: str, answers: Sequence[Answer]) -> None:
        for number, answer in enumerate(answers):
            if number and answer == answers[0]:
                continue
            if dict(answer.headers).get("Content-Encoding") == "gzip":
                answer = replace(answer, body=unpacked(answer.body, gunzip()))
            what = self.needles.search(self.all[number], answer)
            self._judge(viewer, asked, number, number, what)

    def add_shares(self, viewer: Viewer, path: str) -> None:
        """What this phone adds to the deals to come, by itself."""
        world = self.first
        places = world.tables.deals.to_come(self.table)
        added = {}
        for commitment, (game, round_) in places.items():
            of = f"{viewer.name} {game} {round_}".encode()
            added[commitment] = sha256(of).hexdigest()[:32]
            self.needles.added[game, round_].add(added[commitment])
        form = {"commitment": list(added), "share": list(added.values())}
        answers = self.ask(viewer, "POST", f"{path}/fair", form=form)
        assert answers[0].status.startswith("204"), answers[0]

    def _common(self, viewer: Viewer) -> dict[str, str]:
        """Headers that all requests have."""
        language = {"Accept-Language": viewer.language}
        if not self._proxy:
            return language
        return language | {
            "X-Forwarded-For": viewer.address,
            "X-Forwarded-Proto": "https",
            "X-Forwarded-Host": "play.example.org",
        }

    def _address(self, viewer: Viewer) -> str:
        return "127.0.0.1" if self._proxy else viewer.address

    def _note_sent(self, viewer: Viewer, rule: str, path: str, form: Mapping[str, Any]) -> None:
        names = set(re.findall(r"[?&]([^=&#]+)", path)) | set(form)
        cookies = {cookie.key for cookie in viewer.clients[0]._cookies.values()}
        self.tally.sent[rule] |= names
        self.tally.sent[COOKIES] |= cookies
        ASKED.names = self.tally.looked_for[rule]

    def _answer(
        self,
        world: World,
        client: FlaskClient,
        viewer: Viewer,
        method: str,
        path: str,
        form: Mapping[str, Any] | None,
        headers: dict[str, str] | None,
        stream: bool,
    ) -> Answer:
        given = client.open(
            path,
            method=method,
            base_url=self.base,
            data=form,
            headers={**self._common(viewer), **(headers or {})},
            environ_overrides={"REMOTE_ADDR": self._address(viewer)},
            buffered=False,
        )
        body = _first_message(given) if stream else given.get_data()
        given.close()
        return Answer(given.status, tuple(given.headers), body)

    def done(self, viewer: Viewer, path: str, form: dict[str, str], **headers: str) -> None:
        """A command that is accepted in every world."""
        version = str(self.table.version) if self.first.table_id else ""
        full = {"version": version, "key": f"k{self.step}", **form}
        answers = self.ask(viewer, "POST", path, form=full, headers=headers)
        text = re.sub(r"\s+", " ", answers[0].body.decode(errors="replace"))
        assert answers[0].status[:3] in ("200", "303"), (path, form, answers[0].status, text[-600:])
        self.tick()

    def listen(self, viewer: Viewer, path: str, *, gzip: bool) -> Line:
        """A stream that stays open, its headers and its first message compared."""
        answers = []
        self.step += 1
        self._note_sent(viewer, self.rule_of("GET", path), path, {})
        for client in viewer.clients:
            PINNED.at(self.step)
            answers.append(
                client.get(
                    path,
                    base_url=self.base,
                    headers={
                        **self._common(viewer),
                        **({"Accept-Encoding": "gzip"} if gzip else {}),
                    },
                    environ_overrides={"REMOTE_ADDR": self._address(viewer)},
                    buffered=False,
                )
            )
        heads = [Answer(each.status, tuple(each.headers), b"") for each in answers]
        self.compare(viewer, f"GET {path}, its head", heads)
        assert answers[0].status_code == 200, (viewer.name, path, answers[0].status)
        line = Line(self, viewer, path, answers)
        self.lines.append(line)
        for _ in range(1 + gzip):
            line.read()
        return line

    def tick(self) -> None:
        """What came over every open stream since the last time."""
        self.lines = [line for line in self.lines if not line.over]
        for line in self.lines:
            line.read()

    def close(self) -> None:
        for line in self.lines:
            line.close()

    def compare(
        self,
        viewer: Viewer,
        asked: str,
        answers: Sequence[Answer],
        secret: tuple[str, Mapping[str, Any]] | None = None,
    ) -> None:
        alike: dict[object, int] = {}
        same_size: dict[object, int] = {}
        members: dict[int, list[int]] = defaultdict(list)
        for number, (world, answer) in enumerate(zip(self.all, answers, strict=True)):
            public = tuple(world.shown)
            own: object = None
            if secret is not None and answer.status.startswith("200"):
                own = world.own_secret(secret[0], int(secret[1]["seat"]))
                other = same_size.setdefault(public, number)
                self._judge(viewer, asked, other, number, size_difference(answers[other], answer))
                self.tally.secrets_told += answers[other].body != answer.body
            first = alike.setdefault((public, own), number)
            members[first].append(number)
            if first != number:
                self._judge(viewer, asked, first, number, difference(answers[first], answer))
                self.tally.answers += 1
                self.tally.bytes += answer.size
        groups = list(members.values())
        self.tally.told_apart += len(groups) > 1 and secret is None and len(set(answers)) > 1
        for group in groups:
            for place, one in enumerate(group):
                self.tally.pairs[viewer.name] |= {
                    (self.name, one, two) for two in group[place + 1 :]
                }

    def _judge(self, viewer: Viewer, asked: str, one: int, two: int, what: str | None) -> None:
        if what is not None:
            leak = Leak(viewer.name, asked, (one, two), what)
            self.tally.leaks.append(leak)
            if self.first_leak_ends:
                raise LeakFoundError(str(leak))


def _first_message(answer: Any) -> bytes:
    """Of a stream, its first message; of anything else, all."""
    if answer.mimetype != "text/event-stream":
        return bytes(answer.get_data())
    pieces = iter(answer.response)
    found: bytes = next(pieces)
    if answer.headers.get("Content-Encoding") == "gzip":
        found += next(pieces)
    return found
