"""Disks that are full, closed or broken, and folders that are somebody else's.

The program is started as users start it. It says in one line what is wrong, starts on nothing bad,
and leaves every file as it was; what was accepted while the disk was full enough is all there.
"""

from __future__ import annotations

import ctypes
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.settings import Settings
from companion.storage import wal
from companion.storage.backup import back_up
from companion.storage.folder import KEY_FILE, LOCK, InUseError, exclusive
from companion.storage.secret_key import secret_key
from companion.storage.sqlite_log import FILE, SqliteLog
from companion.tables.log import Row, StorageError
from tests.durability.ledger import Ledger, lines_of
from tests.kit.forms import opening
from tests.kit.phone import Phone, Stream, shown_code
from tests.kit.server import COMMAND, ROOT, Server, environment, running, until
from tests.storage.contract import index, row, rows_of

NAMES = ("Õnne", "Bert", "Carl")
SECRET = b"s" * 32


def started(folder: Path, *, weak: bool = False) -> subprocess.CompletedProcess[str]:
    """`companion` on this folder, until it has ended; `weak`: modes of files count for root too."""
    return subprocess.run(
        [*COMMAND, "--no-browser", "--port", "0", "--data", str(folder)],
        env=environment(host="127.0.0.1"),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=without_override if weak else None,
    )


def without_override() -> None:
    """Gives up the rights, which root has, to write and to read where the modes forbid it."""
    drop_from_bounding_set, dac_override, dac_read_search = 24, 1, 2
    for right in (dac_override, dac_read_search):
        ctypes.CDLL(None).prctl(drop_from_bounding_set, right, 0, 0, 0)


def refused(folder: Path, *, weak: bool = False) -> str:
    """The one line that says why it does not start."""
    done = started(folder, weak=weak)
    assert done.returncode in (1, 2), done
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert re.fullmatch(r"companion: .+\.", line)
    return line


def files(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.name != LOCK}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder in which something was played."""
    folder = tmp_path / "data"
    settings = Settings(data=folder)
    log = SqliteLog(folder, secret_key(settings))
    for version in range(1, 40):
        assert log.append("a", [row(version, words="x" * 300)], index("a"))
    log.close()
    return folder


# What is there at the start


def not_a_database(folder: Path) -> None:
    (folder / FILE).write_bytes(b"Dear diary, " * 500)


def cut_in_half(folder: Path) -> None:
    os.truncate(folder / FILE, (folder / FILE).stat().st_size // 2)


def pages_overwritten(folder: Path) -> None:
    with (folder / FILE).open("r+b") as file:
        file.seek(4096 * 3)
        file.write(os.urandom(4096 * 3))


def header_changed(folder: Path) -> None:
    with (folder / FILE).open("r+b") as file:
        file.seek(16)
        file.write(b"\xff\xff\xff")


def from_a_newer_program(folder: Path) -> None:
    with closing(sqlite3.connect(folder / FILE)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")


def of_another_program(folder: Path) -> None:
    (folder / FILE).unlink()
    with closing(sqlite3.connect(folder / FILE)) as database, database:
        database.execute("CREATE TABLE recipes (name TEXT)")


def another_key(folder: Path) -> None:
    (folder / KEY_FILE).write_bytes(b"k" * 32)


def half_a_key(folder: Path) -> None:
    (folder / KEY_FILE).write_bytes(b"k" * 7)


def no_key(folder: Path) -> None:
    (folder / KEY_FILE).unlink()


def no_check_of_the_key(folder: Path) -> None:
    with closing(sqlite3.connect(folder / FILE)) as database, database:
        database.execute("DELETE FROM seal")


def no_pages(folder: Path) -> None:
    (folder / FILE).write_bytes(b"")


def no_file(folder: Path) -> None:
    (folder / FILE).unlink()


def log_of_another(folder: Path) -> None:
    """Its pages do not fit between these."""
    key = (folder / KEY_FILE).read_bytes()
    for versions in (range(1, 30), range(30, 90)):
        other = SqliteLog(folder / "other", key)
        assert other.append("b", [row(n, words="y" * 300) for n in versions], index("b"))
        if versions[0] == 1:
            other.close()
    shutil.copy(folder / "other" / f"{FILE}-wal", folder / f"{FILE}-wal")
    other.close()
    shutil.rmtree(folder / "other")


IN_SQL = (from_a_newer_program, of_another_program, no_check_of_the_key)


def as_killed(folder: Path, damage: Callable[[Path], None]) -> Path:
    """The folder as a server leaves it that is killed while something lies in its log only."""
    killed = folder.with_name("killed")
    if damage in IN_SQL:
        damage(folder)
    ours = damage is not of_another_program
    change = "UPDATE tables SET used_at = 2" if ours else "INSERT INTO recipes VALUES ('Soup')"
    with closing(sqlite3.connect(folder / FILE)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute(change)
        database.commit()
        shutil.copytree(folder, killed, ignore=shutil.ignore_patterns("*-shm"))
    if damage not in IN_SQL:
        damage(killed)
    assert (killed / f"{FILE}-wal").stat().st_size
    return killed


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (not_a_database, "file is not a database"),
        (cut_in_half, "malformed|is damaged"),
        (pages_overwritten, "malformed|is damaged"),
        (header_changed, "malformed|is damaged|not a database"),
        (from_a_newer_program, "was written by a newer version of this program"),
        (of_another_program, "is not a database of this program"),
        (another_key, "is encrypted with another secret key: put back the file secret.key"),
        (half_a_key, "secret.key is damaged: it must hold 32 bytes"),
        (no_key, "secret.key is missing, and without it nobody can read the tables"),
        (no_check_of_the_key, "nothing says which key it is encrypted with"),
    ],
)
@pytest.mark.parametrize("killed", [False, True])
def test_nothing_is_served_from_bad_data(
    folder: Path, damage: Callable[[Path], None], said: str, killed: bool
) -> None:
    if killed:
        folder = as_killed(folder, damage)
    else:
        damage(folder)
    before = files(folder)
    assert re.search(said, refused(folder))
    assert files(folder) == before


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (no_pages, "is missing or empty, but tables.sqlite3-wal beside it holds plays"),
        (no_file, "is missing or empty, but tables.sqlite3-wal beside it holds plays"),
        (log_of_another, "malformed|is damaged"),
    ],
)
def test_no_log_is_read_into_a_database_that_it_is_not_of(
    folder: Path, damage: Callable[[Path], None], said: str
) -> None:
    folder = as_killed(folder, damage)
    before = files(folder)
    assert re.search(said, refused(folder))
    assert files(folder) == before


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    assert "data cannot be" in refused(tmp_path / "data")


@pytest.mark.skipif(sys.platform != "linux", reason="gives up a right as Linux knows it")
@pytest.mark.parametrize("what", ["the folder", "the database", "the key", "the folder above"])
def test_what_may_not_be_written_or_read(folder: Path, what: str) -> None:
    closed = {
        "the folder": folder,
        "the database": folder / FILE,
        "the key": folder / KEY_FILE,
        "the folder above": folder.parent,
    }[what]
    where = folder.parent / "another" if what == "the folder above" else folder
    mode = stat.S_IMODE(closed.stat().st_mode)
    before = files(folder)
    closed.chmod(0o500 if closed.is_dir() else (0o000 if what == "the key" else 0o400))
    try:
        said = refused(where, weak=True)
    finally:
        closed.chmod(mode)
    assert "ermission denied" in said or "readonly" in said, said
    assert files(folder) == before
    assert rows_of(SqliteLog(folder, secret_key(Settings(data=folder))), "a")[38].version == 39


def test_a_lock_that_is_none(folder: Path) -> None:
    before = files(folder)
    (folder / LOCK).write_bytes(b"not a lock of ours " * 100)
    assert "cannot be locked: file is not a database" in refused(folder)
    assert files(folder) == before


# Two on one folder


def test_two_servers_on_one_folder(tmp_path: Path) -> None:
    one = Server(tmp_path / "data")
    one.start()
    try:
        said = refused(tmp_path / "data")
        assert "is in use: another companion serves from it" in said
        assert one.serves()
    finally:
        one.stop()
    with exclusive(tmp_path / "data"), pytest.raises(InUseError), exclusive(tmp_path / "data"):
        pass


def test_two_first_starts_at_once_make_one_key(tmp_path: Path) -> None:
    """Each would seal the tables with a key of its own, and one of the keys would be lost."""
    servers = [Server(tmp_path / "data") for _ in range(3)]
    for server in servers:
        server.launch()
    try:
        until(lambda: [server.runs() for server in servers].count(True) == 1)
        server = next(each for each in servers if each.runs())
        server.wait()
        phone = Phone(server.port, "x")
        phone.ask("GET", "/")
        table = phone.ask("POST", "/open", {"key": "open"}).location
        server.kill()
        server.start()
        assert phone.ask("GET", table).status_code == 200
        assert phone.ask("POST", f"{table}/do/join", {"name": "Anna", "key": "1"}).accepted
        phone.close()
    finally:
        for server in servers:
            if server.runs():
                server.stop()
            else:
                assert server.ended() == 1


# Bytes that flip


def build(folder: Path) -> list[Row]:
    log = SqliteLog(folder, SECRET, synchronous="OFF")
    rows = [row(version, request=f"{version:064d}", n=version) for version in range(1, 120)]
    for each in rows:
        assert log.append("a", [each], index("a"))
    log.close()
    return rows


def test_a_flipped_byte_is_noticed_or_does_no_harm(tmp_path: Path) -> None:
    """What is read is what was written, or it is an error that says so; never a third thing."""
    rows = build(tmp_path / "whole")
    whole = (tmp_path / "whole" / FILE).read_bytes()
    rng = random.Random(6)
    noticed = 0
    for number in range(60):
        folder = tmp_path / str(number)
        folder.mkdir()
        damaged = bytearray(whole)
        for _ in range(rng.choice((1, 1, 1, 8))):
            damaged[rng.randrange(len(damaged))] ^= rng.randrange(1, 256)
        (folder / FILE).write_bytes(damaged)
        try:
            log = SqliteLog(folder, SECRET, synchronous="OFF")
        except StorageError:
            noticed += 1
            continue
        try:
            found = rows_of(log, "a")
        except StorageError:
            noticed += 1
        else:
            sealed = [(each.version, each.kind, each.data) for each in found]
            assert sealed == [(each.version, each.kind, each.data) for each in rows], number
        finally:
            log.close()
    assert noticed > 20


OF_TWO_FRAMES = 5000
"""Bytes. A frame of the write-ahead log has 4,120."""


def killed_server(folder: Path) -> tuple[Path, list[Row]]:
    """A folder as a killed server leaves it: everything is in the write-ahead log."""
    rows = [row(version, words="x" * 100) for version in range(1, 30)]
    log = SqliteLog(folder / "data", SECRET, synchronous="OFF")
    for each in rows:
        assert log.append("a", [each], index("a"))
    shutil.copytree(folder / "data", folder / "killed", ignore=shutil.ignore_patterns("*-shm"))
    log.close()
    return folder / "killed", rows


def test_damage_in_the_write_ahead_log_is_noticed_unless_it_is_at_the_end(tmp_path: Path) -> None:
    """SQLite would go by its checksums and leave out, without a word, what follows the first bad
    one. Only of the last commit nobody can tell whether it was ever finished; where the end of the
    one before it is damaged, too, the two look like one."""
    killed, rows = killed_server(tmp_path)
    size = (killed / f"{FILE}-wal").stat().st_size
    rng = random.Random(7)
    for number in range(60):
        at = rng.randrange(size) if number % 2 else rng.randrange(size - 20_000, size)
        folder = tmp_path / str(number)
        shutil.copytree(killed, folder)
        with (folder / f"{FILE}-wal").open("r+b") as file:
            file.seek(at)
            damaged = rng.choice((1, 5, OF_TWO_FRAMES))
            file.write(rng.randbytes(damaged))
        before = files(folder)
        least = len(rows) - (2 if damaged == OF_TWO_FRAMES else 1)  # what may have gone, or not
        said = ""
        try:
            log = SqliteLog(folder, SECRET)
        except StorageError as error:
            said = str(error)
        if said:
            assert files(folder) == before, at
            shorter = re.search(r"cut this file to (\d+) bytes", said)
            assert shorter, (at, said)
            assert int(shorter[1]) <= at
            os.truncate(folder / f"{FILE}-wal", int(shorter[1]))
            log = SqliteLog(folder, SECRET)
            least = 0
        found = rows_of(log, "a") if log.ids() else []
        assert least <= len(found) <= len(rows), at
        assert found == rows[: len(found)]
        assert log.append("a", [row(len(found) + 1)], index("a"))
        log.close()


def test_a_damaged_write_ahead_log_is_not_backed_up(tmp_path: Path) -> None:
    killed, _ = killed_server(tmp_path)
    with (killed / f"{FILE}-wal").open("r+b") as file:
        file.seek(100_000)
        file.write(b"rubbish")
    before = files(killed)
    with pytest.raises(StorageError, match="is damaged, and plays that were accepted lie behind"):
        back_up(killed, tmp_path / "backup.zip", SECRET.decode())
    assert files(killed) == before


def test_a_backup_leaves_what_a_killed_server_left(tmp_path: Path) -> None:
    killed, rows = killed_server(tmp_path)
    before = files(killed)
    with pytest.raises(StorageError, match="another secret key"):
        back_up(killed, tmp_path / "backup.zip", "k" * 32)
    assert files(killed) == before
    assert back_up(killed, tmp_path / "backup.zip", SECRET.decode()).events == len(rows)
    assert files(killed) == before


@pytest.fixture(scope="module")
def whole_log(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    killed, _ = killed_server(tmp_path_factory.mktemp("log"))
    return (killed / f"{FILE}-wal").read_bytes()


@given(data=st.data())
def test_a_log_cut_while_it_was_written_is_whole(whole_log: bytes, data: st.DataObject) -> None:
    """As a power cut leaves it: any of the last commit is there or not; behind it may lie what is
    left of an older log."""
    frame = wal.FRAME.size + 4096
    commits = [
        at
        for at in range(wal.HEADER.size, len(whole_log), frame)
        if wal.FRAME.unpack_from(whole_log, at)[1]
    ]
    last = commits[-2] + frame
    assert commits[-1] == len(whole_log) - frame
    torn = bytearray(whole_log)
    for begin in data.draw(st.lists(st.integers(last, len(torn) - 1), max_size=4)):
        torn[begin : begin + 512] = bytes(len(torn[begin : begin + 512]))
    del torn[data.draw(st.integers(last, len(torn))) :]
    older = bytearray(whole_log)
    for at in range(wal.HEADER.size, len(older), frame):
        older[at + 8] ^= 1  # a salt
    frames = range(wal.HEADER.size, len(whole_log) + 1, frame)
    if data.draw(st.booleans()):
        begin = data.draw(st.sampled_from(frames))
        torn[begin:] = older[begin:] if begin >= last else torn[begin:]
    assert wal.kept(bytes(torn)) is None


def test_a_copy_of_the_database_alone_misses_no_evening(tmp_path: Path) -> None:
    """Somebody copies tables.sqlite3 without the file beside it, a moment after the last play."""
    log = SqliteLog(tmp_path / "data", SECRET)
    for version in range(1, 30):
        assert log.append("a", [row(version)], index("a"))
    end = time.monotonic() + 60
    found: list[Row] = []
    while len(found) < 29:
        assert time.monotonic() < end
        time.sleep(0.2)
        shutil.rmtree(tmp_path / "copy", ignore_errors=True)
        (tmp_path / "copy").mkdir()
        shutil.copy(tmp_path / "data" / FILE, tmp_path / "copy" / FILE)
        copy = SqliteLog(tmp_path / "copy", SECRET)
        found = rows_of(copy, "a")
        copy.close()
    log.close()


# A disk that is full for a while


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with running(tmp_path / "data") as server:
        yield server


def limit(server: Server, size: int) -> None:
    """From now on the server can write no file beyond so many bytes, as on a full disk."""
    _, hard = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size, hard))


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux to limit another process")
def test_a_full_disk_loses_nothing_and_goes_on_when_there_is_room(server: Server) -> None:
    ledger = Ledger((server.data / KEY_FILE).read_bytes)
    phones = [Phone(server.port, name) for name in NAMES]
    host = phones[0]
    for phone, language in zip(phones, ("et", "lt", "en"), strict=True):
        phone.language = language
        while "device" not in phone.cookies:
            phone.ask("GET", "/")
    path = host.ask("POST", "/open", {"key": "open", **opening(edition="lv-2009")}).location
    code = shown_code(host.ask("GET", f"{path}/qr").text)
    key = host.ask("POST", "/code", {"code": code}).location
    for phone in phones[:2]:
        form = {"name": phone.name, "key": "join"}
        ledger.answered(ledger.sending(phone, "join", form), phone.ask("POST", key, form))
    streams = [Stream(phone, f"{path}/live?page=seat", ledger.show) for phone in phones[:2]]
    for stream in streams:
        stream.start()
    until(lambda: all(stream.shown.version == 3 for stream in streams))

    limit(server, 4096)
    third, join = phones[2], {"name": "Carl", "key": "join"}
    for _ in range(3):
        full = third.ask("POST", key, join)
        assert full.status_code == 503
        assert "cannot save anything at the moment" in full.text
        assert 'value="Carl"' in full.text  # it is a page to go on from
    start = {"key": "start", "version": "3"}
    full = host.ask("POST", f"{path}/do/add-seat", {"name": "Dora", "key": "d", "version": "3"})
    assert full.status_code == 503
    assert "Programm ei saa" in full.text
    assert 'id="refusal"' in full.text
    assert phones[1].ask("GET", path).status_code == 200  # all that was there can be seen
    assert [stream.connections for stream in streams] == [1, 1]

    limit(server, resource.RLIM_INFINITY)
    report = ledger.sending(third, "join", join)
    ledger.answered(report, third.ask("POST", key, join))
    assert report.told
    report = ledger.sending(host, "start", start := start | {"version": "4"})
    answer = host.ask("POST", f"{path}/do/start", start)
    assert answer.accepted, answer
    ledger.answered(report, answer)
    until(lambda: all(stream.shown.version == 6 for stream in streams))
    server.kill()
    for phone in phones:
        phone.over.set()
    ledger.check(lines_of(server.data))
    assert len(lines_of(server.data)) == 6
    said = [line for line in server.errors().splitlines() if "nothing can be saved" in line]
    assert len(said) == 1  # not one for each form: a full disk must not fill faster
    assert "the database cannot be written" in said[0]
    assert "Traceback" not in server.errors()
    for stream in streams:
        stream.join()
    for phone in phones:
        phone.close()


def test_told_to_end_while_it_writes(tmp_path: Path) -> None:
    """SIGTERM in the middle of many requests: what was answered is there, and it ends in time."""
    server = Server(tmp_path / "data")
    server.start()
    phone = Phone(server.port, "host")
    phone.ask("GET", "/")
    path = phone.ask("POST", "/open", {"key": "open"}).location
    told = 0
    os.kill(server.pid, signal.SIGTERM)
    try:
        for number in range(1000):
            deed, form = f"{path}/do/set-wifi", {"wifi_name": f"net {number}", "key": str(number)}
            if phone.once("POST", deed, form).accepted:
                told += 1
    except OSError:
        pass
    phone.close()
    assert server.ended() == 0
    kinds = [line.kind for line in lines_of(tmp_path / "data")]
    assert kinds.count("WifiSet") >= told
