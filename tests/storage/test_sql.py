"""What only a database on a disk can get wrong: its file, its age, its end."""

from __future__ import annotations

import lzma
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect, text

from companion.storage import schema
from companion.storage.backup import back_up
from companion.storage.cipher import Cipher
from companion.storage.inventory import listed, read_only
from companion.storage.migrate import upgrade
from companion.storage.sqlite import BUSY_S
from companion.storage.sqlite_log import FILE, SqliteLog
from companion.tables.keys import Keys
from companion.tables.log import Member, StorageError
from tests.storage.contract import SECRET, index, row, rows_of

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def log(tmp_path: Path) -> Iterator[SqliteLog]:
    log = SqliteLog(tmp_path, SECRET)
    yield log
    log.close()


def test_goes_on_where_it_was(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path, SECRET)
    log.append("a", [row(1)], index("a"))
    log.close()
    again = SqliteLog(tmp_path, SECRET)
    assert rows_of(again, "a") == [row(1)]
    assert again.append("a", [row(2)], index("a"))
    again.close()


def test_every_commit_is_flushed(log: SqliteLog) -> None:
    with log._readers.one() as reading:
        for connection in (reading, log._writer._connection):
            found = {
                name: connection.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("journal_mode", "synchronous", "foreign_keys", "secure_delete")
            }
            assert found == {
                "journal_mode": "wal",
                "synchronous": 2,  # FULL
                "foreign_keys": 1,
                "secure_delete": 1,
            }


def test_only_the_owner_may_read(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    log = SqliteLog(folder, SECRET)
    log.append("a", [row(1)], index("a"))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()] == [0o600] * 3
    log.close()


def test_what_is_deleted_is_in_no_file(log: SqliteLog, tmp_path: Path) -> None:
    log.append("a", [row(1, secret="Grubenlampe")], index("a"))
    with sqlite3.connect(tmp_path / FILE) as database:
        ((encrypted,),) = database.execute("SELECT data FROM events")
    database.close()
    assert encrypted in b"".join(file.read_bytes() for file in tmp_path.iterdir())
    log.delete("a")
    left = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert encrypted[:40] not in left


def test_two_processes_on_one_file(log: SqliteLog, tmp_path: Path) -> None:
    other = SqliteLog(tmp_path, SECRET)
    log.append("a", [row(1)], index("a"))
    assert other.append("a", [row(2)], index("a"))
    assert log.append("a", [row(2)], index("a")) is False
    assert log.append("a", [row(3)], index("a"))
    assert rows_of(other, "a") == [row(1), row(2), row(3)]
    other.close()


def test_a_request_is_recorded_once(log: SqliteLog) -> None:
    log.append("a", [row(1, request="x")], index("a"))
    assert log.append("a", [row(2, request="x")], index("a")) is False
    assert log.append("a", [row(2, request="y")], index("a"))


# What is found in the data folder


def test_a_newer_database_is_left_alone(tmp_path: Path) -> None:
    SqliteLog(tmp_path, SECRET).close()
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    with pytest.raises(StorageError, match="newer version"):
        SqliteLog(tmp_path, SECRET)


def test_a_foreign_database_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    with pytest.raises(StorageError, match="not a database of this program"):
        SqliteLog(tmp_path, SECRET)


def test_no_database_at_all(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"Dear diary, " * 500)
    with pytest.raises(StorageError, match="file is not a database"):
        SqliteLog(tmp_path, SECRET)
    assert (tmp_path / FILE).read_bytes() == b"Dear diary, " * 500


def test_a_damaged_database(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path, SECRET)
    for version in range(1, 200):
        log.append("a", [row(version, filling="x" * 200)], index("a"))
    log.close()
    with (tmp_path / FILE).open("r+b") as file:
        file.seek(8 * 4096)
        file.write(b"\xff" * 8 * 4096)
    with pytest.raises(StorageError, match=r"damaged|malformed"):
        SqliteLog(tmp_path, SECRET)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match="cannot be written"):
        SqliteLog(tmp_path / "file" / "data", SECRET)


def test_migrations_lead_to_the_schema(tmp_path: Path) -> None:
    SqliteLog(tmp_path, SECRET).close()
    made = create_engine(f"sqlite:///{tmp_path / FILE}")
    migrated = create_engine(f"sqlite:///{tmp_path / 'migrated.sqlite3'}")
    with migrated.connect() as connection:
        upgrade(connection, Cipher(SECRET))

    def shape(engine: object) -> dict[str, object]:
        found = inspect(engine)
        return {
            name: (
                [
                    (column["name"], str(column["type"]), column["nullable"])
                    for column in found.get_columns(name)
                ],
                found.get_pk_constraint(name)["constrained_columns"],
                [
                    (key["constrained_columns"], key["referred_table"], key["options"])
                    for key in found.get_foreign_keys(name)
                ],
                sorted(str(each["column_names"]) for each in found.get_indexes(name)),
                sorted(str(each["column_names"]) for each in found.get_unique_constraints(name)),
            )
            for name in sorted(found.get_table_names())
        }

    assert shape(migrated) == shape(made)
    with migrated.connect() as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == schema.HEAD
    made.dispose()
    migrated.dispose()


def test_an_older_database_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SqliteLog(tmp_path, SECRET).close()
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("UPDATE alembic_version SET version_num = '0000'")
    database.close()
    asked = []
    monkeypatch.setattr("companion.storage.preflight.REVISIONS", ("0000", schema.HEAD))
    monkeypatch.setattr("companion.storage.migrate.upgrade", lambda *of: asked.append(of))
    SqliteLog(tmp_path, SECRET).close()
    assert len(asked) == 1


def test_what_an_older_version_had_accepted_is_known_still(tmp_path: Path) -> None:
    """By the id that its request has now; the one that it had told what stood in its form."""
    packed = Path(__file__).with_name("older") / "evenings.sqlite3.xz"
    (tmp_path / FILE).write_bytes(lzma.decompress(packed.read_bytes()))

    def requests() -> dict[tuple[str, int], str]:
        with closing(sqlite3.connect(tmp_path / FILE)) as database:
            asked = "SELECT table_id, version, request FROM events WHERE request IS NOT NULL"
            return {(table, version): id_ for table, version, id_ in database.execute(asked)}

    before = requests()
    secret = b"s" * 32
    log = SqliteLog(tmp_path, secret)
    keys = Keys(secret)
    assert before
    assert requests() == {at: keys.blinded(digest) for at, digest in before.items()}
    for table_id, version in before:
        assert log.read(table_id, after=version - 1, up_to=version)
    log.close()


def test_what_an_older_version_had_accepted_is_left_in_no_file(tmp_path: Path) -> None:
    """Not in the journal of a program that was killed, either."""
    packed = Path(__file__).with_name("older") / "evenings.sqlite3.xz"
    played, killed = tmp_path / "played", tmp_path / "killed"
    played.mkdir()
    (played / FILE).write_bytes(lzma.decompress(packed.read_bytes()))
    with closing(sqlite3.connect(played / FILE)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        with database:
            database.execute("UPDATE events SET request = request")
        found = database.execute("SELECT request FROM events WHERE request IS NOT NULL")
        ids = [id_.encode() for (id_,) in found]
        shutil.copytree(played, killed)
    journal = killed / f"{FILE}-wal"
    assert all(id_ in journal.read_bytes() for id_ in ids)
    log = SqliteLog(killed, b"s" * 32)
    for file in killed.iterdir():
        assert not any(id_ in file.read_bytes() for id_ in ids), file
    log.close()


def test_a_server_on_its_own_database_loads_neither_alembic_nor_sqlalchemy(tmp_path: Path) -> None:
    """They would take a third of the time until the first page, and a sixth of the memory."""
    code = (
        "import sys; from pathlib import Path; from companion.server.process import SqliteLog\n"
        f"SqliteLog(Path({str(tmp_path)!r}), bytes(32)).close()\n"
        "sys.exit(', '.join({'alembic', 'sqlalchemy'} & {*sys.modules}) or None)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


@pytest.mark.parametrize("lost", [1, 2, 3, "all"])
def test_events_that_are_missing_are_damage(tmp_path: Path, lost: int | str) -> None:
    """At the beginning, in the middle, at the end, where nothing else would tell."""
    log = SqliteLog(tmp_path, SECRET)
    log.append("a", [row(1), row(2), row(3)], index("a"))
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("DELETE FROM events WHERE ? IN (version, 'all')", (lost,))
    database.close()
    for _ in range(2):
        with pytest.raises(StorageError, match="events are missing in the log of table"):
            rows_of(log, "a")
    log.close()
    with pytest.raises(StorageError, match="events are missing in the log of table"):
        back_up(tmp_path, tmp_path / "backup.zip", SECRET.decode())
    assert not (tmp_path / "backup.zip").exists()


# The writer


def test_a_job_that_fails_takes_no_other_down(log: SqliteLog) -> None:
    """Three that come in while the disk is busy are one group; the second breaks a constraint."""
    busy, held = threading.Event(), threading.Event()

    def block(connection: sqlite3.Connection) -> bool:
        held.set()
        return busy.wait(10)

    def fail(connection: sqlite3.Connection) -> bool:
        connection.execute("UPDATE tables SET version = 99")
        raise sqlite3.IntegrityError

    threads = [threading.Thread(target=log._writer.run, args=(block,))]
    threads[0].start()
    assert held.wait(10)
    answers: dict[str, object] = {}

    def ask(name: str) -> None:
        if name == "fails":
            answers[name] = log._writer.run(fail)
        else:
            answers[name] = log.append(name, [row(1)], index(name))

    for name in ("a", "fails", "b"):
        threads.append(threading.Thread(target=ask, args=(name,)))
        threads[-1].start()
        while log._writer._jobs.qsize() < len(threads) - 1:
            pass
    busy.set()
    for thread in threads:
        thread.join()
    assert answers == {"a": True, "fails": None, "b": True}
    assert log.append("a", [row(2)], index("a"))


def test_a_full_disk_is_told_to_all_that_wait(log: SqliteLog) -> None:
    log.append("a", [row(1)], index("a"))

    def full(connection: sqlite3.Connection) -> bool:
        raise sqlite3.OperationalError("database or disk is full")

    with pytest.raises(StorageError, match="disk is full"):
        log._writer.run(full)
    assert log.append("a", [row(2)], index("a"))


def test_tidying_up_that_fails_is_no_failed_command(log: SqliteLog, tmp_path: Path) -> None:
    """What is committed is done; what was deleted leaves the write-ahead log the next time."""

    def deny(action: int, name: str | None, *_: object) -> int:
        denied = action == sqlite3.SQLITE_PRAGMA and name == "wal_checkpoint" and failing
        return sqlite3.SQLITE_DENY if denied else sqlite3.SQLITE_OK

    def watch(connection: sqlite3.Connection) -> None:
        connection.set_authorizer(deny)

    failing = True
    log._writer.run(watch)
    log.append("a", [row(1)], index("a", members=(Member("Grubenlampe", True, False),)))
    assert log.delete("a") is True
    assert log.append("b", [row(1)], index("b"))
    assert b"Grubenlampe" in (tmp_path / f"{FILE}-wal").read_bytes()
    failing = False
    assert log.delete("b") is True
    left = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"Grubenlampe" not in left


def test_what_was_deleted_is_wiped_by_the_next_one_where_it_was_killed(
    log: SqliteLog, tmp_path: Path
) -> None:
    """Or has ended while a backup still read: that leaves the write-ahead log where it is."""
    log.append("a", [row(1)], index("a", members=(Member("Grubenlampe", True, False),)))
    log.append("b", [row(1)], index("b"))
    killed = tmp_path / "killed"
    killed.mkdir()
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM events").fetchone()
        assert log.delete("a") is True
        for name in (FILE, f"{FILE}-wal"):
            shutil.copy(tmp_path / name, killed)
    assert b"Grubenlampe" in (killed / f"{FILE}-wal").read_bytes()
    after = SqliteLog(killed, SECRET)
    until = time.monotonic() + 10
    while any(b"Grubenlampe" in file.read_bytes() for file in killed.iterdir()):
        assert time.monotonic() < until
        time.sleep(0.1)
    assert after.ids() == ["b"]
    after.close()


def test_nobody_waits_for_who_reads_on_after_a_deletion(log: SqliteLog, tmp_path: Path) -> None:
    """As a backup does on a slow disk. What was deleted is wiped once that has ended."""
    log.append("a", [row(1)], index("a", members=(Member("Grubenlampe", True, False),)))
    log.append("b", [row(1)], index("b"))
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM events").fetchone()
        began = time.monotonic()
        assert log.delete("a") is True
        assert log.append("b", [row(2)], index("b"))
        log._writer._checkpoint()  # as when nobody writes for a moment
        assert time.monotonic() - began < BUSY_S / 2
    assert log.append("b", [row(3)], index("b"))
    assert b"Grubenlampe" not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
    ((busy_ms,),) = log._writer.run(lambda of: of.execute("PRAGMA busy_timeout").fetchall())
    assert busy_ms == BUSY_S * 1000


def test_nothing_is_taken_after_the_end(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path, SECRET)
    log.close()
    log.close()
    with pytest.raises(StorageError, match="closed"):
        log.append("a", [row(1)], index("a"))


WRITER = """
import sys
from pathlib import Path
from companion.storage.sqlite_log import SqliteLog
from tests.storage.contract import SECRET, index, row, rows_of
log = SqliteLog(Path(sys.argv[1]), SECRET)
version = 0
while True:
    version += 2
    assert log.append("a", [row(version - 1), row(version)], index("a"))
    print(version, flush=True)
"""


def test_killed_at_any_time_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    for stop_after in (1, 3, 40):
        folder = tmp_path / str(stop_after)
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE, cwd=ROOT
        ) as process:
            assert process.stdout is not None
            for _ in range(stop_after):
                process.stdout.readline()
            os.kill(process.pid, signal.SIGKILL)
            told = [int(line) for line in process.stdout.read().split()]
        acknowledged = told[-1] if told else 2 * stop_after
        log = SqliteLog(folder, SECRET)
        versions = [each.version for each in rows_of(log, "a")]
        assert versions == list(range(1, len(versions) + 1))
        assert len(versions) >= acknowledged
        assert len(versions) % 2 == 0  # both of a request, or none
        assert log.append("a", [row(len(versions) + 1)], index("a"))
        log.close()


GEVENT = """
from gevent import monkey; monkey.patch_all()
import sys, time
from pathlib import Path
import gevent
from companion.storage import sqlite_log as storage
from tests.storage.contract import SECRET, index, row, rows_of
log = storage.SqliteLog(Path(sys.argv[1]), SECRET)
real, groups = log._writer._group, []
def slow(jobs):
    groups.append(len(jobs))
    monkey.get_original("time", "sleep")(0.05)  # a disk that holds up its thread
    real(jobs)
log._writer._group = slow
ticks = 0
def tick():
    global ticks
    while True:
        gevent.sleep(0.001)
        ticks += 1
ticking = gevent.spawn(tick)
names = [f"t{n}" for n in range(100)]
jobs = [gevent.spawn(log.append, name, [row(1)], index(name)) for name in names]
gevent.joinall(jobs, raise_error=True)
assert all(job.value for job in jobs)
assert len(groups) <= 3, groups
assert ticks >= 10, ticks
ticking.kill()
log.close()
"""


def test_a_slow_disk_does_not_stall_greenlets(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", GEVENT, str(tmp_path)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_devices_are_those_of_the_last_state(log: SqliteLog, tmp_path: Path) -> None:
    log.append("a", [row(1)], index("a", members=(Member("x", True, False),)))
    log.append("a", [row(2)], index("a", members=(Member("y", True, True),)))
    assert log.tables_of("x") == []
    assert log.tables_of("y") == ["a"]
    with read_only(tmp_path) as reading:
        assert [each.phones for each in listed(reading)] == [1]


def test_an_error_of_a_job_is_its_own(log: SqliteLog) -> None:
    def broken(connection: sqlite3.Connection) -> bool:
        connection.execute("DELETE FROM seal")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        log._writer.run(broken)
    log.ping()
    assert log.append("a", [row(1)], index("a"))
    with log.reading() as connection:
        assert connection.execute("SELECT count(*) FROM seal").fetchone() == (1,)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_broken_writer_leaves_nobody_waiting(log: SqliteLog) -> None:
    def broken(connection: sqlite3.Connection) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(StorageError, match="stopped"):
        log._writer.run(broken)
    log._writer._thread.join()
    for ask in (log.ping, lambda: log.append("a", [row(1)], index("a"))):
        with pytest.raises(StorageError, match="closed"):
            ask()


def test_rows_that_cannot_be_read(log: SqliteLog, tmp_path: Path) -> None:
    log.append("a", [row(1)], index("a"))
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("UPDATE events SET data = '{'")
    with pytest.raises(StorageError, match="cannot be decrypted"):
        rows_of(log, "a")
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("DROP TABLE events")
    database.close()
    with pytest.raises(StorageError, match="cannot be read"):
        rows_of(log, "a")
