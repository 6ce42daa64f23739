"""Tables of phones: who sits there, what they send, and how many bytes come back."""

from __future__ import annotations

import gzip
import http.client
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from tests.kit.forms import opening

PHONES = 10
LANGUAGES = ("et", "lt", "lv", "fi", "en")
NAMES = tuple(f"Player {number}" for number in range(PHONES))


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes
    bytes_wire: int

    @property
    def text(self) -> str:
        packed = self.headers.get("Content-Encoding") == "gzip"
        return (gzip.decompress(self.body) if packed else self.body).decode()


@dataclass
class Phone:
    """A browser as far as the figures need one: cookies, and compressed answers counted."""

    port: int
    language: str = "en"
    cookies: dict[str, str] = field(default_factory=dict)

    def headers(self) -> dict[str, str]:
        headers = {"Accept-Language": self.language, "Accept-Encoding": "gzip"}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return headers

    def ask(self, method: str, path: str, form: dict[str, str] | None = None) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        body = urlencode(form) if form is not None else None
        headers = self.headers()
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["Origin"] = f"http://127.0.0.1:{self.port}"
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        head = sum(len(name) + len(value) + 4 for name, value in answer.getheaders()) + 17
        for cookie in answer.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return Answer(answer.status, answer.headers, content, head + len(content))

    def get(self, path: str) -> Answer:
        return self.ask("GET", path)

    def post(self, path: str, **form: str) -> str:
        answer = self.ask("POST", path, form)
        assert answer.status == 303, (path, answer.status, answer.text[-600:])
        return answer.headers["Location"]


@dataclass
class Table:
    port: int
    path: str
    key: str
    host: Phone
    phones: list[Phone]

    @property
    def version(self) -> str:
        found = re.search(r'name="version" value="(\d+)"', self.host.get(f"{self.path}/host").text)
        assert found
        return found[1]

    def do(self, phone: Phone, command: str, **form: str) -> None:
        phone.post(f"{self.path}/do/{command}", version=self.version, key=str(time.time()), **form)


def table_of(port: int, phones: int, names: Sequence[str] = NAMES) -> Table:
    host = Phone(port)
    host.get("/")
    path = host.post("/open", key="1", **opening())
    code = re.search(r">\s*([2-9A-HJ-NP-Z]{6})\s*<", host.get(f"{path}/qr").text)
    assert code, "the QR page shows no code"
    key = host.post("/code", code=code[1]).rpartition("/")[2]
    guests = [Phone(port, LANGUAGES[number % len(LANGUAGES)]) for number in range(phones)]
    for guest, name in zip(guests, names, strict=False):
        guest.get(f"/j/{key}")
        guest.post(f"/j/{key}", name=name)
    return Table(port, path, key, host, guests)


def resources(page: str) -> tuple[list[str], list[str]]:
    """What a browser loads with the page: to show it, and scripts that may follow."""
    shown = re.findall(r'<link rel="stylesheet" href="([^"]+)"', page)
    scripts = re.findall(r'<script[^>]* src="([^"]+)"', page)
    return shown, scripts


def bytes_of(phone: Phone, path: str) -> dict[str, int]:
    first = phone.get(path)
    assert first.status == 200, path
    shown, scripts = resources(first.text)
    again = phone.get(path)  # all else lies in the cache for good
    return {
        "page": first.bytes_wire,
        "styles": sum(phone.get(each).bytes_wire for each in shown),
        "scripts": sum(phone.get(each).bytes_wire for each in scripts),
        "repeat": again.bytes_wire,
    }
