"""Two processes behind nginx, with the configuration that `docs/deploy/` has."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from tests.kit.evening import Evening
from tests.kit.nginx import CACHED, Behind, SecurePhone, behind_nginx, protocol
from tests.kit.phone import Stream
from tests.kit.server import Server, until
from tests.kit.services import Postgres, Redis

NAMES = ("Anna", "Berta", "Carl", "Dora")


@pytest.fixture(scope="module")
def behind(
    tmp_path_factory: pytest.TempPathFactory, postgres: Postgres, redis: Redis
) -> Iterator[Behind]:
    with behind_nginx(tmp_path_factory.mktemp("behind"), postgres, redis) as behind:
        yield behind


@pytest.fixture
def evening(behind: Behind) -> Evening[SecurePhone]:
    evening = Evening(partial(SecurePhone, behind.nginx))
    evening.open()
    evening.sit(NAMES)
    return evening


def unencrypted(behind: Behind, name: str) -> http.client.HTTPResponse:
    """What who asks for this name there is told, without HTTPS."""
    with closing(http.client.HTTPConnection("127.0.0.1", behind.nginx.plain_port)) as plain:
        plain.request("GET", "/rules", headers={"Host": name})
        return plain.getresponse()


def test_tls_ends_there_and_browsers_speak_http_2(behind: Behind) -> None:
    assert protocol(behind.nginx) == "h2"
    answer = behind.asked("/")
    assert answer.status == 200
    assert "max-age" in answer.headers["Strict-Transport-Security"]
    assert answer.headers["Set-Cookie"].startswith("__Host-device=")
    plain = unencrypted(behind, "127.0.0.1")
    assert (plain.status, plain.headers["Location"]) == (301, "https://127.0.0.1/rules")


@pytest.mark.parametrize("name", ["evil.example", "127.0.0.1.evil.example"])
def test_who_asks_for_another_name_is_led_nowhere(behind: Behind, name: str) -> None:
    """Else a link that begins with somebody's server would end at anybody's."""
    plain = unencrypted(behind, name)
    assert (plain.status, plain.headers["Location"]) == (421, None)
    answer = behind.asked("/rules", Host=name)
    assert (answer.status, answer.headers["Location"]) == (421, None)


def test_what_happens_is_seen_at_both_processes_at_once(
    behind: Behind, evening: Evening[SecurePhone]
) -> None:
    """Nothing waits in nginx, whose buffers the beats of a stream would fill after an hour."""
    page = f"{evening.path}/live?page=seat"
    streams = [Stream(phone, page, lambda _: None) for phone in evening.phones]
    for stream in streams:
        stream.start()
        until(lambda stream=stream: stream.shown.version)
    assert {behind.server_of(stream.headers) for stream in streams} == set(behind.servers)
    before = max(stream.shown.version for stream in streams)
    evening.start()
    for stream in streams:
        until(lambda stream=stream: stream.shown.version > before)
    for phone in evening.phones:
        phone.over.set()


def test_an_address_is_the_phones_own_whatever_it_says(behind: Behind) -> None:
    """Wrong codes count against it."""
    guessing = SecurePhone(behind.nginx, at="127.0.0.5")
    other = SecurePhone(behind.nginx, at="127.0.0.6")
    said = [
        guessing.post(
            "/code", {"code": "22222222"}, **{"X-Forwarded-For": f"198.51.100.{number}"}
        ).status_code
        for number in range(30)
    ]
    assert said[0] == 404
    assert said[-1] == 429
    assert other.post("/code", {"code": "22222222"}).status_code == 404


def test_styles_are_kept(behind: Behind) -> None:
    page = SecurePhone(behind.nginx).get("/").text
    found = re.search(r"/static/\w{10}/[\w.+-]+\.css", page)
    assert found
    kept = [behind.asked(found[0]).headers[CACHED] for _ in range(2)]
    assert kept == ["MISS", "HIT"]
    assert behind.asked(found[0].replace("/static/", "/static/0")).headers[CACHED] == "MISS"


def test_forms_over_which_a_process_dies_count_once(
    behind: Behind, evening: Evening[SecurePhone]
) -> None:
    """They have been sent to it, and nobody knows what it has done with them."""
    dying, _ = behind.servers
    guests = {f"Guest {place}": SecurePhone(behind.nginx) for place in range(6)}
    for guest in guests.values():
        guest.get(evening.join)
    dying.pause()
    with ThreadPoolExecutor(len(guests)) as pool:
        sent = [
            pool.submit(evening.sent, guest, evening.join, name=name)
            for name, guest in guests.items()
        ]
        _, waiting = wait(sent, timeout=2)
        assert waiting
        dying.kill()
        assert {each.result() for each in sent} == {evening.path}
    page = evening.host.get(f"{evening.path}/host").text
    assert [page.count(f'value="{name}"') for name in guests] == [1] * len(guests)
    dying.launch()
    behind.wait_for(dying)


def test_after_a_kill_the_other_process_serves(
    behind: Behind, evening: Evening[SecurePhone]
) -> None:
    """Pages and forms, each asked for once; and no log names a table."""
    killed, other = behind.servers
    killed.kill()
    answers = [behind.asked(evening.join) for _ in range(10)]
    assert [answer.status for answer in answers] == [200] * 10
    assert {behind.server_of(answer.headers) for answer in answers} == {other}
    evening.start()
    killed.launch()
    behind.wait_for(killed)
    other.kill()
    assert len(evening.look()) == len(NAMES)
    other.launch()
    behind.wait_for(other)
    secret = evening.join.rpartition("/")[2]
    assert len(secret) == 22
    assert secret not in behind.nginx.logged()


def test_the_phones_of_a_table_meet_at_one_process(
    tmp_path: Path, postgres: Postgres, redis: Redis
) -> None:
    """With the configuration as it is; and at the other one, while theirs is away."""
    with behind_nginx(tmp_path, postgres, redis, spread=False) as behind:

        def home(path: str) -> Server:
            answers = [behind.asked(f"{path}{page}") for page in ("", "/qr", "/live", "/screen")]
            (found,) = {behind.server_of(answer.headers) for answer in answers}
            return found

        homes = {home(path): path for path in (f"/t/{number}" for number in range(40))}
        assert len(homes) == 2
        evening = Evening(partial(SecurePhone, behind.nginx))
        evening.open()
        evening.sit(NAMES)
        server = home(evening.path)
        server.kill()
        assert home(evening.path) is not server
        evening.start()
        assert len(evening.look()) == len(NAMES)
        server.launch()
        behind.wait_for(server)
        until(lambda: home(evening.path) is server)
