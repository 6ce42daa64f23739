"""What comes from outside is taken strictly: heads, words of proxies, forms sent again, backups."""

from __future__ import annotations

import os
import shutil
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gevent import socket as green

from companion.server.wsgi import Server
from companion.settings import Settings, SettingsError, read
from companion.storage.backup import COMING, back_up, finish_restoration, restore
from companion.storage.folder import LOCK, exclusive, still_held
from companion.storage.secret_key import secret_key
from companion.storage.sqlite_log import FILE, SqliteLog
from companion.tables.log import DamagedError, Index, Row, StorageError
from tests.web.conftest import FETCH, Club

# Heads


@pytest.fixture
def call() -> Iterator[Callable[[bytes], bytes]]:
    def application(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        coded = "HTTP_TRANSFER_ENCODING" in environ
        start("411 Length" if coded else "200 OK", [("Content-Length", "0")])
        return [b""]

    listener = green.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    server = Server(listener, application, Settings(), connections_max=100)
    server.start()

    def say(said: bytes) -> bytes:
        """All that is answered until the connection is closed, or nothing more comes."""
        answered = b""
        with green.create_connection(server.socket.getsockname(), timeout=0.3) as line:
            line.sendall(said)
            try:
                while piece := line.recv(65536):
                    answered += piece
            except TimeoutError:
                return answered + b" (open)"
            except OSError:
                pass
        return answered

    yield say
    server.end(0.1)


GET = b"GET / HTTP/1.1\r\n"
HOST = b"Host: a\r\n"


@pytest.mark.parametrize(
    "head",
    [
        GET + HOST,
        GET + HOST.replace(b"\r", b""),
        GET + HOST + b"X: \xe4 \t y\r\nEmpty:\r\n!#$%&'*+.^_`|~9: x\r\n",
        b"GET / HTTP/1.0\r\n",
    ],
)
def test_good_heads_are_taken(call, head: bytes) -> None:
    assert call(head + b"\r\n").startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "head",
    [
        GET,
        GET + HOST + b"Content-Length : 3\r\n",
        GET + HOST + b"no colon\r\n",
        GET + HOST + b": empty\r\n",
        GET + b" X: y\r\n" + HOST,
        GET + HOST + b"X: y\r\n folded\r\n",
        GET + HOST + b"X: b\rContent-Length: 43\r\n",
        GET + HOST + b"X: \0\r\n",
        GET + HOST + b"X\0: y\r\n",
        GET + HOST + b"X(: y\r\n",
        b" " + GET + HOST,
        b"GET  / HTTP/1.1\r\n" + HOST,
        b"GET / HTTP/1.1 \r\n" + HOST,
        b"GET /\0 HTTP/1.1\r\n" + HOST,
        b"GE(T / HTTP/1.1\r\n" + HOST,
        b"GET / HTTP/1.2\r\n" + HOST,
        b"GET / HTTP/2.0\r\n" + HOST,
    ],
)
def test_what_others_may_read_otherwise_is_refused(call, head: bytes) -> None:
    answered = call(head + b"\r\n" + GET + HOST + b"\r\n")
    assert answered.startswith(b"HTTP/1.1 400")
    assert answered.count(b"HTTP/1.1") == 1
    assert not answered.endswith(b"(open)")


def test_a_coded_body_ends_the_connection(call) -> None:
    said = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n"
    answered = call(said + GET + HOST + b"\r\n")
    assert answered.count(b"HTTP/1.1") == 1
    assert not answered.endswith(b"(open)")


# Proxies

PUBLIC = "https://table.example"
TOLD = {
    "X-Forwarded-For": "198.51.100.1",
    "X-Forwarded-Host": "10.0.0.1",
    "X-Forwarded-Proto": "http",
}


def test_only_the_address_is_taken_from_a_proxy(clubs) -> None:
    club = clubs(public_url=PUBLIC)
    for host in ("table.example", "TABLE.EXAMPLE"):
        answer = club.app.test_client().get("/", headers={"Host": host, **TOLD})
        assert answer.status_code == 200
        assert answer.headers["Set-Cookie"].startswith("__Host-device=")
        assert "Secure" in answer.headers["Set-Cookie"]
        assert "Strict-Transport-Security" in answer.headers


def test_more_is_taken_where_it_is_told(clubs) -> None:
    club = clubs(public_url=PUBLIC, forwarded_headers="for,proto,host")
    answer = club.app.test_client().get("/", headers={"Host": "table.example", **TOLD})
    assert answer.headers["Set-Cookie"].startswith("device=")


def test_what_is_taken_is_of_three() -> None:
    assert read({}, forwarded_headers="for, proto").forwarded_headers == "for,proto"
    with pytest.raises(SettingsError, match="such as for,proto"):
        read({}, forwarded_headers="by")


# Sent again


@pytest.mark.parametrize("headers", [{}, FETCH])
def test_leaving_sent_again_is_answered_as_it_was(seated, headers: dict[str, str]) -> None:
    club, _, path, phones = seated
    form = {"seat": "1", "version": club.table(path).version, "key": "leave"}
    one, two = (phones[0].post(f"{path}/do/remove-seat", form, **headers) for _ in range(2))
    assert one.status_code == (200 if headers else 303)
    assert (one.status_code, one.location, one.data) == (two.status_code, two.location, two.data)
    assert one.headers.get("X-Location") == two.headers.get("X-Location")
    other = phones[0].post(f"{path}/do/remove-seat", {**form, "key": "other"}, **headers)
    assert other.status_code == 403


def test_a_table_that_is_to_end_and_is_gone_has_ended(seated) -> None:
    """Sent again to any process; by another form; after a crash between deletion and answer."""
    club, host, path, _ = seated
    form = {"version": club.table(path).version}
    for key in ("end", "end", "other"):
        answer = host.post(f"{path}/do/end", form | {"key": key})
        assert (answer.status_code, answer.location) == (303, "/?done=closed")
    assert host.get(path).status_code == 404


def test_two_that_end_a_table_at_once_are_both_told_so(seated, monkeypatch) -> None:
    """Both have been found to host it; one is first."""
    club, host, path, _ = seated
    tables = club.app.extensions["companion"].tables
    submit = tables.submit
    first = []

    def twice(*what: object, **more: object) -> object:
        if not first:
            first.append(submit(*what, **more))
        return submit(*what, **more)

    monkeypatch.setattr(tables, "submit", twice)
    ended = club.do(host, path, "end")
    assert (ended.status_code, ended.location) == (303, "/?done=closed")


def test_a_table_that_cannot_be_read_takes_no_other_page_down(
    seated, clubs, monkeypatch, caplog
) -> None:
    club, _, path, _ = seated
    club = clubs(after=club)
    host, anna = club.phone(), club.phone()  # the same as before
    damaged = path.rpartition("/")[2]
    read = club.log.read

    def reading(table_id: str, **more: int) -> object:
        if table_id == damaged:
            raise DamagedError("events are missing")
        return read(table_id, **more)

    monkeypatch.setattr(club.log, "read", reading)
    assert host.get("/").status_code == anna.get("/").status_code == 200
    assert host.post("/open", {"game": "saboteur", "key": "x"}).status_code == 303
    answer = host.get(path)
    assert answer.status_code == 500
    assert "can no longer read this table" in answer.text
    assert "Retry-After" not in answer.headers
    assert "nothing can be saved" not in caplog.text


def test_who_was_removed_hears_of_what_was_accepted(seated) -> None:
    club, host, path, phones = seated
    form = {"seat": "1", "name": "x", "version": club.table(path).version, "key": "join"}
    assert phones[0].post(f"{path}/do/join", form).status_code == 303
    club.done(host, path, "free-seat", seat=1)
    club.done(host, path, "free-seat", seat=6)
    again = phones[0].post(f"{path}/do/join", form)
    assert (again.status_code, again.location) == (303, path), "it has not left"
    again = phones[0].post(f"{path}/do/join", form, **FETCH)
    assert (again.status_code, again.headers["X-Location"]) == (200, path)
    assert phones[0].post(f"{path}/do/join", {**form, "key": "new"}).status_code == 403


# A full disk


def test_a_full_disk_says_when_and_logs_little(seated, monkeypatch, caplog) -> None:
    club, host, path, _ = seated

    def full(*_: object) -> bool:
        raise StorageError("the disk is full")

    monkeypatch.setattr(club.log, "append", full)
    for number in range(20):
        form = {"wifi_name": f"n{number}", "key": "k"}
        answer = host.post(f"{path}/do/set-wifi", form, **(FETCH if number % 2 else {}))
        assert answer.status_code == 503
        assert answer.headers["Retry-After"] == "10"
    guest = club.phone().post(club.join_path(path), {"name": "Late", "key": "k"})
    assert (guest.status_code, guest.headers["Retry-After"]) == (503, "10")
    assert caplog.text.count("nothing can be saved") == 1
    club.clock.now += 11
    host.post(f"{path}/do/set-wifi", {"wifi_name": "again", "key": "k"})
    assert "(requests refused: 21)" in caplog.text
    assert "saved again" not in caplog.text
    monkeypatch.undo()
    for key in ("with", "room"):
        answer = host.post(f"{path}/do/set-wifi", {"wifi_name": key, "key": key})
        assert answer.status_code == 303
    assert caplog.text.count("what is sent is saved again") == 1


# Backups


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    folder = tmp_path / "from"
    folder.mkdir()
    (folder / "secret.key").write_bytes(b"k" * 32)
    log = SqliteLog(folder, b"k" * 32)
    log.append("t", [Row(1, "X", {}, None, "d", 1.0)], Index("j", "c", 1.0, frozenset()))
    log.close()
    back_up(folder, tmp_path / "good.zip")
    return tmp_path / "good.zip"


def changed(backup: Path, does: str = "", *, key: bytes = b"k" * 32, tail: bytes = b"") -> Path:
    """The backup with something done to its database."""
    folder = backup.parent / "changed"
    with zipfile.ZipFile(backup) as packed:
        packed.extractall(folder)
    database = sqlite3.connect(folder / FILE)
    database.executescript(does)
    database.commit()
    database.close()
    with (folder / FILE).open("ab") as file:
        file.write(tail)
    (folder / "secret.key").write_bytes(key)
    made = backup.parent / "changed.zip"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in (FILE, "secret.key"):
            packed.write(folder / name, name)
    shutil.rmtree(folder)
    return made


ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM n) SELECT x v FROM n"


@pytest.mark.parametrize(
    "does",
    [
        "CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM events; END",
        "CREATE TABLE more (x)",
        "CREATE VIEW more AS SELECT 1",
        f"DROP TABLE alembic_version; CREATE VIEW alembic_version AS {ENDLESS}",
        "CREATE INDEX more ON events (at) WHERE at > 1",
        "CREATE INDEX more ON events (abs(at))",
        "ALTER TABLE events ADD COLUMN more",
        "ALTER TABLE events ADD COLUMN more INT GENERATED ALWAYS AS (version + 1)",
        "DROP TABLE purge; CREATE TABLE purge (id INTEGER PRIMARY KEY, at FLOAT CHECK (at > 0))",
        "DROP TABLE purge; CREATE TABLE purge (id INTEGER PRIMARY KEY, at FLOAT DEFAULT (1))",
    ],
)
def test_a_database_with_anything_foreign_is_no_backup(backup: Path, does: str) -> None:
    into = backup.parent / "into"
    with pytest.raises(StorageError, match="not a database of this program"):
        restore(into, changed(backup, does))
    assert sorted(os.listdir(into)) == [LOCK]


def test_what_is_too_large_or_too_long_is_no_backup(backup: Path) -> None:
    into = backup.parent / "into"
    for made in (
        {"key": b"k" * 2000},
        {"tail": b"\0" * 4096},
        {"tail": b"\0" * (30 << 20)},
    ):
        with pytest.raises(StorageError):
            restore(into, changed(backup, **made))
        assert sorted(os.listdir(into)) == [LOCK]
    assert restore(into, changed(backup)).content.events == 1


def test_a_killed_restoration_leaves_no_key(tmp_path: Path) -> None:
    (tmp_path / COMING / "new").mkdir(parents=True)
    (tmp_path / COMING / "new" / "secret.key").write_bytes(b"k" * 32)
    assert finish_restoration(tmp_path) is None
    assert os.listdir(tmp_path) == []


def test_a_lock_that_was_removed_is_noticed(tmp_path: Path) -> None:
    with exclusive(tmp_path) as lock:
        assert still_held(tmp_path, lock)
        (tmp_path / LOCK).unlink()
        assert not still_held(tmp_path, lock)
        with exclusive(tmp_path):
            assert not still_held(tmp_path, lock)


# The key in a file


def test_the_secret_key_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("a key of many letters\n")
    settings = read({"COMPANION_SECRET_KEY_FILE": str(file)})
    assert secret_key(settings) == b"a key of many letters"
    for content in (b"short", b"\xff" * 20, b"two lines of a key\nand more"):
        file.write_bytes(content)
        with pytest.raises(SettingsError, match=str(file)):
            read({}, secret_key_file=str(file))
    file.write_text("a key of many letters\n")
    with pytest.raises(SettingsError, match="given twice"):
        read({}, secret_key_file=str(file), secret_key="k" * 20)
    with pytest.raises(SettingsError, match="cannot be read"):
        read({}, secret_key_file=str(tmp_path / "none"))


def test_on_a_full_disk_a_role_can_still_be_looked_at(club: Club, monkeypatch) -> None:
    """Looking is written down first; what cannot be written keeps no player from playing."""
    host = club.phone()
    path = club.open(host)
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")

    def full(*_: object) -> bool:
        raise StorageError("the disk is full")

    with monkeypatch.context() as disk:
        disk.setattr(club.log, "append", full)
        answer = phones[0].fetch(f"{path}/role")
        assert answer.status_code == 200
        assert "Retry-After" not in answer.headers
        assert club.do(host, path, "begin").status_code == 503
    assert club.table(path).round.looked == frozenset()  # the others were told nothing
    assert phones[0].fetch(f"{path}/role").data == answer.data
    assert club.table(path).round.looked == {1}
