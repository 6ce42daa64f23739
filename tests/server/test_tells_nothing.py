"""What the host sees of the running program: terminal, logs and files tell no secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.saboteur.rules.model import Result
from tests.kit.evening import Evening
from tests.kit.phone import Phone, moving_code
from tests.kit.server import Server, running

NAMES = ("Õnne-Mai", "Ģirts", "Žydrūnė")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """One that says as much as it can."""
    with running(tmp_path / "data", "--log") as server:
        yield server


def test_nothing_that_is_printed_or_kept_tells_a_secret(server: Server, tmp_path: Path) -> None:
    secrets = a_whole_game(server.port)
    malformed(server.port, secrets)
    server.end()
    said = server.printed() + server.errors()
    assert said.count("POST /t/<table_id>/role 200") == len(NAMES) * 3
    assert "GET /j/<key> " in said
    for secret in secrets:
        assert secret not in said, f"the terminal shows {secret!r}"
    assert not re.search(r"saboteur|miner|gold_|\d, \d, \d", said)
    assert "Traceback" not in said
    kept = [*(tmp_path / "data").iterdir()]
    assert {path.name for path in kept} >= {"tables.sqlite3", "secret.key"}
    for path in kept:
        raw = path.read_bytes()
        for word in ("miner", *NAMES, *(each for each in secrets if len(each) > 16)):
            assert word.encode() not in raw or word == secrets[0], f"{path.name} shows {word!r}"


def a_whole_game(port: int) -> list[str]:
    """What it must not tell: the table's id first, then keys, codes, cookies and names."""
    evening = Evening(lambda: Phone(port))
    host, phones, path = evening.host, evening.phones, evening.open()
    evening.sit(NAMES)
    join, code = evening.join, evening.code
    evening.do(host, "set-wifi", wifi_name="Kelder-5G", wifi_password="salajane-77")
    evening.do(phones[0], "offer-move", seat="1")
    offer = moving_code(phones[0].get(f"{path}/seat").text)
    moved = phones[0] = Phone(port)
    old_cookie = host.cookies["device"]
    leads = moved.post("/code", {"code": offer}).location
    moved.get(leads)
    assert moved.post(leads, {"key": "k"}).status_code == 303
    for number in range(3):
        evening.do(host, "deal" if number else "start")
        for seat, phone in enumerate(phones, 1):
            shown = phone.post(f"{path}/role", {"seat": str(seat)})
            assert shown.status_code == 200
            assert "#role-" in shown.text
        evening.play(Result(number, number, None))
        for seat, phone in enumerate(phones, 1):
            assert phone.post(f"{path}/gold", {"seat": str(seat)}).status_code == 200
    assert host.get(f"{path}/record.jsonl").status_code == 200
    cookies = [phone.cookies["device"] for phone in phones]
    keys = [join.split("/")[2], leads.split("/")[2], code, offer]
    return [path.split("/")[2], *keys, old_cookie, *cookies, *NAMES, "Kelder-5G", "salajane-77"]


def malformed(port: int, secrets: list[str]) -> None:
    """Requests that go wrong, each with a secret in it."""
    table, key, cookie = secrets[0], secrets[1], secrets[5]
    phone = Phone(port, cookies={"device": cookie})
    for path in (
        f"/j/{key}%00",
        f"/j/{key}/none",
        f"/t/{table}/live?page={key}",
        f"/t/{table}/ask?place={NAMES[0].encode().hex()}",
        f"/m/{key}",
        f"/%ff{key}",
    ):
        phone.get(path)
    phone.post(f"/t/{table}/do/join", {"name": NAMES[0] * 500})
    phone.post(f"/j/{key}", {"name": NAMES[0]}, **{"Content-Type": "text/x"})
    phone.post(f"/t/{table}/role", {"seat": NAMES[0]}, Origin=f"http://{key}.example")
    phone.by("DELETE", f"/t/{table}/do/{key}")
