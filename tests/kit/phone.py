"""Phones without a browser: cookies, a language, forms, an open stream.

A phone does what a page does. It asks as one without script (`get`, `post`), or as the page's
script, which sends a form again, with the same key, until an answer has come (`ask`). Its stream is
opened again whenever it breaks off, and what came last is what it shows.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import urlencode

from companion.tables.offers import LETTERS, OFFER_CODE_LENGTH
from companion.tables.service import CODE_LENGTH, LONG_CODE
from tests.kit.parts import html_in

FETCH = {"X-Requested-With": "fetch"}
"""What the page's script adds to a request."""


class Answered(Protocol):
    """An answer: this module's, or one of Flask's test client."""

    @property
    def status_code(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def location(self) -> str | None: ...


class Asks(Protocol):
    """A phone: this module's over sockets, or the one of `tests/web` at Flask's test client."""

    def get(self, path: str, **headers: str) -> Answered: ...
    def post(self, path: str, form: dict[str, Any] | None = None, **headers: str) -> Answered: ...


CODE_LENGTHS = (CODE_LENGTH, LONG_CODE)
"""At home, and on the internet."""


def found_code(page: str, *lengths: int) -> str:
    """The short code on this page, of its table; empty if there is none."""
    of = "|".join(f"[{LETTERS}]{{{length}}}" for length in lengths or CODE_LENGTHS)
    found = re.search(rf">\s*({of})\s*<", page)
    return found[1] if found else ""


def shown_code(page: str) -> str:
    """By which the table on this page is joined."""
    code = found_code(page)
    assert code, "the page shows no code"
    return code


def moving_code(page: str) -> str:
    """By which a seat moves to another phone."""
    code = found_code(page, OFFER_CODE_LENGTH)
    assert code, "the page shows no code"
    return code


def shown_version(page: str) -> int:
    """Of the table that the page shows; 0 if it has no form."""
    found = re.search(r'name="version" value="(\d+)"', page)
    return int(found[1]) if found else 0


RETRY_S = 0.02
STREAM_S = 40.0
"""A stream that says nothing for so long is broken."""

PATIENCE_S = 60.0
"""A phone that has had no answer for so long: something else is broken than the server."""

BROKEN = (OSError, http.client.HTTPException)
"""What a phone sees when the server is killed: no connection, or half an answer."""

Form = Mapping[str, str | int | Sequence[str]]
NO_MORE: Mapping[str, str] = {}


@dataclass(frozen=True)
class Answer:
    status_code: int
    location: str
    text: str

    @property
    def accepted(self) -> bool:
        return self.status_code in (200, 303)

    @property
    def version(self) -> int:
        return shown_version(self.text)


@dataclass
class Phone:
    port: int
    name: str = ""
    language: str = "en"
    cookies: dict[str, str] = field(default_factory=dict)
    over: threading.Event = field(default_factory=threading.Event)
    """Set when nobody is to try any more."""

    _line: threading.local = field(default_factory=threading.local)
    _lines: list[http.client.HTTPConnection] = field(default_factory=list)

    @property
    def device(self) -> str:
        """As the server knows it."""
        key = self.cookies.get("__Host-device") or self.cookies["device"]
        return hashlib.sha256(key.encode()).hexdigest()

    def headers(self) -> dict[str, str]:
        headers = {"Accept-Language": self.language, "Accept-Encoding": "identity"}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return headers

    def get(self, path: str, **headers: str) -> Answer:
        return self.by("GET", path, None, **headers)

    def post(self, path: str, form: Form | None = None, **headers: str) -> Answer:
        return self.by("POST", path, form or {}, **headers)

    def by(self, method: str, path: str, form: Form | None = None, **headers: str) -> Answer:
        """Over a connection for this one request."""
        with closing(self.connect()) as line:
            return self._exchange(line, method, path, form, headers)

    def ask(self, method: str, path: str, form: Form | None = None) -> Answer:
        """Again and again, the same each time, until an answer has come."""
        end = time.monotonic() + PATIENCE_S
        headers = FETCH if form is not None else NO_MORE
        while True:
            try:
                return self.once(method, path, form, headers)
            except BROKEN as broken:
                if time.monotonic() > end or self.over.wait(RETRY_S):
                    raise AssertionError(f"{self.name} gets no answer") from broken

    def once(
        self,
        method: str,
        path: str,
        form: Form | None = None,
        headers: Mapping[str, str] = NO_MORE,
    ) -> Answer:
        """Over a connection that is kept, as browsers do; one of `BROKEN` when it breaks off."""
        line: http.client.HTTPConnection | None = getattr(self._line, "kept", None)
        if line is None:
            line = self._line.kept = self.connect()
            self._lines.append(line)
        try:
            return self._exchange(line, method, path, form, headers)
        except BROKEN:
            line.close()
            raise

    @property
    def origin(self) -> str:
        """Where its pages come from."""
        return f"http://127.0.0.1:{self.port}"

    def connect(self, timeout_s: float = 20) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout_s)

    def _exchange(
        self,
        line: http.client.HTTPConnection,
        method: str,
        path: str,
        form: Form | None,
        headers: Mapping[str, str],
    ) -> Answer:
        sent = self.headers()
        if form is not None:
            sent["Content-Type"] = "application/x-www-form-urlencoded"
            sent["Origin"] = self.origin
        body = urlencode(form, doseq=True) if form is not None else None
        line.request(method, path, body, {**sent, **headers})
        got = line.getresponse()
        text = got.read().decode()
        for cookie in got.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        if got.headers.get_content_type() == "application/json" and form is not None:
            text = "\n".join(html_in(json.loads(text)))
        where = got.headers.get("Location") or got.headers.get("X-Location") or ""
        return Answer(got.status, where, text)

    def close(self) -> None:
        for line in self._lines:
            line.close()


@dataclass(frozen=True)
class Shown:
    """The last message of a stream, and over which connection, counted from 1, it came."""

    version: int
    text: str
    connection: int


def no_part(_: dict[str, Any]) -> None:
    """Of a phone that adds no number to the deals."""


class Stream(threading.Thread):
    """A phone's open page. `on_message` is called for each new state that is shown, `on_deal` for
    what the phone is to do for the deals."""

    def __init__(
        self,
        phone: Phone,
        path: str,
        on_message: Callable[[int], None],
        on_deal: Callable[[dict[str, Any]], None] = no_part,
    ) -> None:
        super().__init__(daemon=True)
        self._phone = phone
        self._path = path
        self._on_message = on_message
        self._on_deal = on_deal
        self.connections = 0
        self.headers: Mapping[str, str] = {}
        """Of the newest connection's answer."""
        self.shown = Shown(0, "", 0)
        self.away_s: list[float] = []
        """From the end of a connection until something was shown again, each time."""
        self._lost_at: float | None = None
        self.went_back: list[tuple[int, int]] = []
        """Versions shown one after another, the second smaller than the first."""

    def run(self) -> None:
        while not self._phone.over.is_set():
            try:
                self._follow()
            except BROKEN:
                self._lost_at = self._lost_at or time.monotonic()
                self._phone.over.wait(RETRY_S)

    def _follow(self) -> None:
        with closing(self._phone.connect(STREAM_S)) as line:
            self._read(line)

    def _read(self, line: http.client.HTTPConnection) -> None:
        line.request("GET", self._path, headers=self._phone.headers())
        answer = line.getresponse()
        if answer.status != 200:
            raise http.client.HTTPException(f"status {answer.status}")
        self.connections += 1
        self.headers = answer.headers
        text = b""
        while (piece := answer.read1(1 << 16)) and not self._phone.over.is_set():
            text += piece
            *whole, text = text.split(b"\n\n")
            for message in whole:
                found = re.search(rb"^id: (\d+)$", message, re.MULTILINE)
                if found:
                    self._show(int(found[1]), message.decode())
                deal = re.search(rb"^event: deal\ndata: (.*)$", message, re.MULTILINE)
                if deal:
                    self._on_deal(json.loads(deal[1]))
        raise ConnectionError("the stream has ended")

    def _show(self, version: int, text: str) -> None:
        if version < self.shown.version:
            self.went_back.append((self.shown.version, version))
        self.shown = Shown(version, text, self.connections)
        if self._lost_at is not None:
            self.away_s.append(time.monotonic() - self._lost_at)
        self._lost_at = None
        self._on_message(version)
