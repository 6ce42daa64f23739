"""What the host sees of the running program: terminal, logs and files tell no secret."""

from __future__ import annotations

import http.client
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.browser.server import RUN, Server

NAMES = ("Õnne-Mai", "Ģirts", "Žydrūnė")


@dataclass
class Phone:
    port: int
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(
        self, method: str, path: str, form: dict[str, str] | None = None, **more: str
    ) -> tuple[int, str, str]:
        """Status, where it leads to, and the text."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        headers = {
            "Accept-Language": "en",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "Content-Type": "application/x-www-form-urlencoded",
            **more,
        }
        line.request(method, path, urlencode(form) if form is not None else None, headers)
        answer = line.getresponse()
        for cookie in answer.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        text = answer.read().decode()
        line.close()
        return answer.status, answer.headers.get("Location", ""), text


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """One that says as much as it can."""
    server = Server(tmp_path / "data", [sys.executable, "-c", RUN, "--log"])
    yield server
    server.stop()


def test_nothing_that_is_printed_or_kept_tells_a_secret(server: Server, tmp_path: Path) -> None:
    secrets = a_whole_game(server.port)
    malformed(server.port, secrets)
    server.stop()
    said = server.log.read_text()
    assert said.count("POST /t/<table_id>/role 200") == len(NAMES) * 3
    assert "GET /j/<key> " in said
    for secret in secrets:
        assert secret not in said, f"the terminal shows {secret!r}"
    assert not re.search(r"saboteur|miner|gold_|\d, \d, \d", said)
    assert "Traceback" not in said
    kept = [path for path in (tmp_path / "data").iterdir() if path != server.log]
    assert {path.name for path in kept} >= {"tables.sqlite3", "secret.key"}
    for path in kept:
        raw = path.read_bytes()
        for word in ("miner", *NAMES, *(each for each in secrets if len(each) > 16)):
            assert word.encode() not in raw or word == secrets[0], f"{path.name} shows {word!r}"


def a_whole_game(port: int) -> list[str]:
    """What it must not tell: the table's id first, then keys, codes, cookies and names."""
    host, phones = Phone(port), [Phone(port) for _ in NAMES]
    host.ask("GET", "/")
    path = host.ask("POST", "/open", {"key": "1"})[1]
    shown = host.ask("GET", f"{path}/qr")[2]
    code = re.search(r">\s*([2-9A-HJ-NP-Z]{6,8})\s*<", shown)
    assert code
    join = host.ask("POST", "/code", {"code": code[1]})[1]
    for phone, name in zip(phones, NAMES, strict=True):
        phone.ask("GET", join)
        assert phone.ask("POST", join, {"name": name})[0] == 303
    do(host, path, "set-wifi", wifi_name="Kelder-5G", wifi_password="salajane-77")
    do(phones[0], path, "offer-move", seat="1")
    offer = re.search(r">([2-9A-HJ-NP-Z]{8})<", phones[0].ask("GET", f"{path}/seat")[2])
    assert offer
    moved = phones[0] = Phone(port)
    old_cookie = host.cookies["device"]
    leads = moved.ask("POST", "/code", {"code": offer[1]})[1]
    moved.ask("GET", leads)
    assert moved.ask("POST", leads, {"key": "k"})[0] == 303
    for number in range(3):
        do(host, path, "deal" if number else "start")
        for seat, phone in enumerate(phones, 1):
            status, _, text = phone.ask("POST", f"{path}/role", {"seat": str(seat)})
            assert status == 200
            assert "#role-" in text
        do(phones[number], path, "play", play="result", reached="1", finisher=str(number + 1))
        for seat, phone in enumerate(phones, 1):
            assert phone.ask("POST", f"{path}/gold", {"seat": str(seat)})[0] == 200
    assert host.ask("GET", f"{path}/record.jsonl")[0] == 200
    cookies = [phone.cookies["device"] for phone in phones]
    table = path.split("/")[2]
    keys = [join.split("/")[2], leads.split("/")[2], code[1], offer[1]]
    return [table, *keys, old_cookie, *cookies, *NAMES, "Kelder-5G", "salajane-77"]


def do(phone: Phone, path: str, command: str, **form: str) -> None:
    page = phone.ask("GET", f"{path}/host")
    if page[0] != 200:
        page = phone.ask("GET", path)
    version = re.search(r'name="version" value="(\d+)"', page[2])
    seen = version[1] if version else ""
    status, _, text = phone.ask(
        "POST", f"{path}/do/{command}", {"version": seen, "key": f"k{seen}", **form}
    )
    assert status == 303, (command, status, re.sub(r"\s+", " ", text)[-500:])


def malformed(port: int, secrets: list[str]) -> None:
    """Requests that go wrong, each with a secret in it."""
    table, key, *_, cookie = (secrets[0], secrets[1], secrets[5])
    phone = Phone(port, {"device": cookie})
    for path in (
        f"/j/{key}%00",
        f"/j/{key}/none",
        f"/t/{table}/live?page={key}",
        f"/t/{table}/ask?place={NAMES[0].encode().hex()}",
        f"/m/{key}",
        f"/%ff{key}",
    ):
        phone.ask("GET", path)
    phone.ask("POST", f"/t/{table}/do/join", {"name": NAMES[0] * 500})
    phone.ask("POST", f"/j/{key}", {"name": NAMES[0]}, **{"Content-Type": "text/x"})
    phone.ask("POST", f"/t/{table}/role", {"seat": NAMES[0]}, Origin=f"http://{key}.example")
    phone.ask("DELETE", f"/t/{table}/do/{key}")
