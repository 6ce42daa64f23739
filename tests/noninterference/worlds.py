"""Worlds in step: the same evening over different secrets, and every answer compared.

Each request goes to all worlds, one after another, with the same clock, the same random numbers for
keys and codes, and the same cookies. Worlds in which everybody has been shown the same so far must
answer it with the same bytes: status, headers in their order, cookies, body. Two kinds of answers
carry a secret that the asking phone may know, its own role and its own gold: those must be the same
where that secret is, and of the same size everywhere, since who listens on the Wi-Fi sees sizes.
Everything else, the pages of those who know their role included, must not tell it.
"""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode, urlsplit

from flask.testing import FlaskClient
from werkzeug.exceptions import HTTPException

from companion.tables.model import Table
from tests.kit.pages import SECRETS
from tests.noninterference.answers import (
    Answer,
    Leak,
    LeakFoundError,
    Needles,
    Tally,
    difference,
    size_difference,
)
from tests.noninterference.draws import Draw
from tests.noninterference.opening import Opening
from tests.noninterference.world import ASKED, PINNED, PUBLIC, World

COOKIES = "cookies"
"""In the place of a route: what all of them may be sent."""

Plant = Callable[["World"], None]
"""Makes a world leak, to see whether it is found."""


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
        self._early = [b""] * len(answers)
        self.over = False

    def read(self) -> None:
        """The next piece of each world, compared."""
        if self.over:
            return
        worlds = self._worlds
        worlds.step += 1
        found = []
        for early, pieces in zip(self._early, self._pieces, strict=True):
            PINNED.at(worlds.step)
            found.append(Answer("", (), early + next(pieces, b"")))
        self._early = [b""] * len(found)
        self.over = all(not each.body for each in found)
        plain = replace(found[0], body=unpacked(found[0].body, self._unpack))
        worlds.search(self.viewer, f"the stream {self.path}", [plain])
        worlds.compare(self.viewer, f"the stream {self.path}", found)

    def read_early(self, number: int) -> None:
        """The next piece of one world; it is compared with the one after it."""
        if not self.over:
            self._early[number] += next(self._pieces[number], b"")

    def close(self) -> None:
        for answer in self._answers:
            answer.close()
        self.over = True


class Worlds:
    def __init__(
        self,
        name: object,
        draws: Sequence[Draw],
        *,
        public: bool = False,
        plant: Plant | None = None,
    ) -> None:
        self.name = name
        self.all = [World(draw, public=public) for draw in draws]
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
        self.opening = Opening(self)
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
        self.step += 1
        answers = []
        for number in range(len(self.all)):
            PINNED.at(self.step)
            answers.append(self.answer(number, viewer, method, full, form=form, headers=headers))
        if method == "POST":
            self.opening.compare()
            for world in self.all:
                world.note_shown()
        said = " ".join(str(part) for part in (method, full, form, headers) if part)
        secret = method == "POST" and rule in SECRETS
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

    def answer(
        self,
        number: int,
        viewer: Viewer,
        method: str,
        path: str,
        *,
        form: Mapping[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        """Of one world."""
        rule = self.rule_of(method, path)
        self._note_sent(viewer, rule, path, form or {})
        given = viewer.clients[number].open(
            path,
            method=method,
            base_url=self.base,
            data=form,
            headers={**self._common(viewer), **(headers or {})},
            environ_overrides={"REMOTE_ADDR": self._address(viewer)},
            buffered=False,
        )
        stream = method == "GET" and rule.endswith("/live")
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
