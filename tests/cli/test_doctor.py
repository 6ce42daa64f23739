"""`companion doctor`: what is in the way is said, with how to set it right and an exit status."""

from __future__ import annotations

import dataclasses
import os
import re
import socket
import sys
import threading
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from companion.cli import main
from companion.live.bus import RedisBus, channel_of
from companion.server import addresses, checks, shared_checks
from companion.server.findings import Finding, Level
from companion.settings import Settings, read
from companion.storage.postgres import PostgresLog
from companion.storage.postgres_state import Schema, examined
from companion.storage.secret_key import file_of, secret_key
from companion.tables.service import PROGRAM_WRITTEN_AT
from companion.web.view.network import Kind, Network, Sign, WayIn, fixed
from tests.kit.certificate import write
from tests.kit.server import SOON_S, free_port
from tests.kit.services import Postgres, Redis

HERE = Network((WayIn("http://127.0.0.1:8000", Kind.WIFI),))


def run(data: Path, *arguments: str) -> Result:
    here = ["--data", str(data), "--host", "127.0.0.1", "--port", str(free_port())]
    return CliRunner().invoke(main, ["doctor", *here, *arguments])


def levels(found: Iterable[Finding]) -> list[str]:
    return [each.level for each in found]


def test_nothing_is_in_the_way(tmp_path: Path) -> None:
    done = run(tmp_path / "new", "--public-url", "http://localhost:8000")
    assert done.exit_code == 0, done.output
    assert "The name localhost leads to" in done.output
    assert "can be written" in done.output
    assert not (tmp_path / "new").exists()
    assert list(tmp_path.iterdir()) == []


def test_started_for_this_machine_alone(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert done.exit_code == 1
    assert "bad   The program was started for this computer only." in done.output
    assert "open on 127.0.0.1" in done.output


def test_with_a_certificate_phones_open_https(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = "phones.example"
    monkeypatch.setattr(
        addresses, "_resolved", lambda name: {"127.0.0.1"} if name == named else set()
    )
    certificate, key = write(tmp_path, named)
    done = run(tmp_path / "data", "--tls", str(certificate), str(key))
    assert f"Phones open https://{named}:" in done.output


def test_a_certificate_that_cannot_be_used(tmp_path: Path) -> None:
    done = run(tmp_path, "--tls", "/no/cert.pem", "/no/key.pem")
    assert done.exit_code == 2
    assert done.output == (
        "companion: /no/cert.pem and /no/key.pem cannot be used: No such file or directory.\n"
    )


def test_a_bad_setting(tmp_path: Path) -> None:
    done = run(tmp_path, "--port", "many")
    assert done.exit_code == 2
    assert done.output == "companion: --port must be a whole number from 0 to 65535.\n"


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        found = list(checks.port(Settings(host="127.0.0.1", port=port, data=tmp_path), HERE))
    assert levels(found) == [Level.LOOK, Level.GOOD]


def test_an_address_that_is_not_here(tmp_path: Path) -> None:
    away = Settings(host="127.0.0.1", port=free_port(), data=tmp_path)
    only_v6 = replace(HERE, ways=(WayIn("http://[::1]:8000", Kind.WIFI),))
    assert levels(checks.port(away, only_v6)) == [Level.BAD]
    nowhere = dataclasses.replace(away, host="198.51.100.7")
    assert levels(checks.port(nowhere, HERE)) == [Level.BAD]


def test_a_public_address_is_tried_at_its_own_port(tmp_path: Path) -> None:
    """Behind a proxy the program's own port is open to the proxy alone."""
    own = Settings(host="127.0.0.1", port=free_port(), data=tmp_path)
    with socket.create_server(("127.0.0.2", 0)) as proxy:
        public = f"https://127.0.0.2:{proxy.getsockname()[1]}"
        (found,) = checks.port(own, fixed(public))
        assert found.level is Level.GOOD
    (found,) = checks.port(own, fixed(public))
    assert found.level is Level.LOOK  # a router may keep its own network from there
    (found,) = checks.port(own, fixed("https://127.0.0.2"))
    assert "Port 443" in found.text


def test_a_name_that_leads_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror

    assert checks.name("127.0.0.1").level is Level.GOOD
    monkeypatch.setattr(checks.socket, "getaddrinfo", unknown)
    assert checks.name("table.example").level is Level.BAD


def test_the_local_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks.mdns, "resolve", lambda *_: {"10.0.0.2"})
    (found,) = checks.local_name("companion", ["10.0.0.2"])
    assert found.text == "The name companion.local leads to 10.0.0.2."
    assert list(checks.local_name("off", ["10.0.0.2"])) == []
    assert list(checks.local_name("companion", [])) == []
    monkeypatch.setattr(checks.mdns, "resolve", lambda *_: set())
    assert "while it serves" in next(iter(checks.local_name("companion", ["10.0.0.2"]))).text


def test_a_wrong_clock(tmp_path: Path) -> None:
    assert checks.clock(tmp_path / "none").level is Level.GOOD
    assert checks.clock(tmp_path, lambda: PROGRAM_WRITTEN_AT - 1).level is Level.BAD
    (tmp_path / "tables.sqlite3").touch()
    os.utime(tmp_path / "tables.sqlite3", (time.time() + 7 * 86400,) * 2)
    assert checks.clock(tmp_path).level is Level.BAD


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert levels(checks.folder(tmp_path / "file")) == [Level.BAD]


def test_a_slow_disk(tmp_path: Path) -> None:
    ticks = iter(range(1000))
    found = list(checks.folder(tmp_path, lambda: next(ticks) / 10))
    assert levels(found) == [Level.GOOD, Level.LOOK]
    assert "100.0 ms" in found[1].text
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("mode", "level"), [(0o600, []), (0o640, []), (0o644, [Level.LOOK]), (0o660, [Level.LOOK])]
)
@pytest.mark.parametrize("given", [True, False], ids=["given", "made"])
def test_a_key_that_others_can_read(
    tmp_path: Path, mode: int, level: list[Level], given: bool
) -> None:
    settings = Settings(data=tmp_path)
    if given:
        (tmp_path / "key").write_text(KEY)
        settings = read({}, secret_key_file=str(tmp_path / "key"))
    else:
        secret_key(settings)
    file = file_of(settings)
    assert file is not None
    file.chmod(mode)
    assert levels(checks.key(file)) == level


def test_a_key_that_is_no_file(tmp_path: Path) -> None:
    assert list(checks.key(file_of(Settings(data=tmp_path)))) == []
    assert list(checks.key(file_of(Settings(secret_key=KEY)))) == []


def test_what_was_seen_is_told_and_what_is_guessed_is_not() -> None:
    assert levels(checks.signs(HERE)) == [Level.GOOD]
    seen = replace(HERE, signs=frozenset({Sign.VPN, Sign.FIREWALL}), firewall="ufw")
    found = list(checks.signs(seen))
    assert levels(found) == [Level.LOOK, Level.LOOK]
    assert "sudo ufw allow 8000/tcp" in found[1].text
    alone = replace(HERE, signs=frozenset({Sign.NO_NETWORK}))
    assert Level.BAD in levels(checks.signs(alone))
    assert levels(checks.signs(fixed("https://table.example"))) == []


# What several processes share

KEY = "a secret of the tests"


def of_several(tmp_path: Path, database: str, bus: str, key: str = KEY) -> Result:
    name = ("--public-url", "http://localhost:8000", "--secret-key", key)
    done = run(tmp_path / "unused", *name, "--database", database, "--bus", bus)
    assert not (tmp_path / "unused").exists()
    assert "disk" not in done.output
    return done


def test_database_and_bus_answer(tmp_path: Path, postgres: Postgres, redis: Redis) -> None:
    url = postgres.fresh()
    done = of_several(tmp_path, url, redis.url)
    assert done.exit_code == 0, done.output
    assert re.search(r"ok    PostgreSQL \d+\.\d+ answers\.", done.output)
    assert "ok    The database is empty" in done.output
    assert "ok    The clocks of the database and of this machine agree." in done.output
    assert re.search(r"ok    (Redis|Valkey) \d+\.\d+\.\d+ answers as the bus\.", done.output)
    assert examined(url, b"").schema is Schema.EMPTY
    PostgresLog(url, KEY.encode()).close()
    done = of_several(tmp_path, url, redis.url)
    assert done.exit_code == 0, done.output
    assert "ok    The tables in the database are those of this version." in done.output
    assert "ok    The secret key is that of the database." in done.output


def test_a_process_that_does_not_hear_the_bus(
    tmp_path: Path, postgres: Postgres, redis: Redis
) -> None:
    url = postgres.fresh()
    with closing(PostgresLog(url, KEY.encode())) as log:
        assert log.processes() == 1
        done = of_several(tmp_path, url, redis.url)
        assert done.exit_code == 0, done.output
        assert "look  Processes that serve from the database now: 1; that hear this bus: 0." in (
            done.output
        )
        heard = threading.Event()
        with closing(RedisBus(redis.url, channel_of(KEY.encode()))) as bus:
            bus.listen(lambda *_: None, lambda: None, heard.set)
            assert heard.wait(SOON_S)
            said = of_several(tmp_path, url, redis.url).output
            assert "ok    Processes that serve from the database and hear this bus now: 1." in said


@pytest.mark.parametrize(
    ("changed", "said", "status"),
    [
        ("UPDATE alembic_version SET version_num = '0006'", "look  The tables in the database", 0),
        ("UPDATE alembic_version SET version_num = '9999'", "bad   The database was written by", 1),
        ("DROP TABLE alembic_version", "bad   The database holds tables of another program", 1),
    ],
)
def test_a_database_of_another_version(
    tmp_path: Path, postgres: Postgres, redis: Redis, changed: str, said: str, status: int
) -> None:
    url = postgres.fresh()
    PostgresLog(url, KEY.encode()).close()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(changed.encode())
    done = of_several(tmp_path, url, redis.url)
    assert said in done.output
    assert done.exit_code == status


def test_another_secret_key(tmp_path: Path, postgres: Postgres, redis: Redis) -> None:
    url = postgres.fresh()
    PostgresLog(url, KEY.encode()).close()
    done = of_several(tmp_path, url, redis.url, "another secret of the tests")
    assert done.exit_code == 1
    assert "bad   The database was encrypted with another secret key" in done.output


def test_neither_answers(tmp_path: Path) -> None:
    nobody = f"127.0.0.1:{free_port()}"
    done = of_several(tmp_path, f"postgresql://{nobody}/none", f"redis://{nobody}")
    assert done.exit_code == 1
    faults = [line for line in done.output.splitlines() if line.startswith("bad")]
    assert [each.split(":")[0] for each in faults] == [
        "bad   PostgreSQL",
        "bad   The bus does not answer",
    ]
    assert all(each.endswith(".") for each in faults)
    for none in ("", "redis://host:port"):
        assert levels(shared_checks.bus(none, KEY.encode())) == [Level.BAD]


def test_what_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it is no library of ours, but one that ours need."""
    monkeypatch.setitem(sys.modules, "redis", None)
    done = of_several(tmp_path, "postgresql://127.0.0.1:1/none", "redis://127.0.0.1:1")
    assert done.exit_code == 1
    (said,) = [line for line in done.output.splitlines() if line.startswith("bad")]
    assert "more is needed (import of redis halted" in said
    assert "requirements/shared.txt" in said


def test_clocks_that_differ() -> None:
    assert shared_checks.clock(-0.9).level is Level.GOOD
    found = shared_checks.clock(61.25)
    assert found.level is Level.LOOK
    assert "61.2 seconds ahead of that of this machine" in found.text
