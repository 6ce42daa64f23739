"""Backups of a server at work, and their way back: all of it, or the old state untouched."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import mkdtemp

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from companion.cli import main
from companion.server.process import NotServing
from companion.server.process import run as serve
from companion.settings import Settings
from companion.storage import backup as module
from companion.storage.backup import LATER, STAGED, back_up, finish_restoration, restore
from companion.storage.copying import copy_all
from companion.storage.folder import KEY_FILE, LOCK, exclusive
from companion.storage.secret_key import secret_key
from companion.storage.sqlite_log import FILE, SqliteLog
from companion.storage.wal import log_of
from companion.tables.log import StorageError
from tests.durability.ledger import Ledger, lines_of
from tests.kit.phone import Phone
from tests.kit.server import COMMAND, ROOT, Server, environment
from tests.storage.contract import index, row, rows_of


def filled(folder: Path, name: str, events: int = 3) -> Path:
    """A data folder with one table."""
    log = SqliteLog(folder, secret_key(Settings(data=folder)))
    for version in range(1, events + 1):
        assert log.append(name, [row(version)], index(name))
    log.close()
    return folder


def read(folder: Path, name: str) -> int:
    """How many events a table has in this folder, read with its own key."""
    log = SqliteLog(folder, secret_key(Settings(data=folder)))
    try:
        return len(rows_of(log, name))
    finally:
        log.close()


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(each.relative_to(folder)): each.read_bytes()
        for each in folder.rglob("*")
        if each.is_file() and each.name != LOCK
    }


def run(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(main, [str(each) for each in arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def test_a_running_server_is_copied_and_comes_back_elsewhere(tmp_path: Path) -> None:
    """While one phone reports without a rest: each backup has all that was told before it began."""
    server = Server(tmp_path / "data")
    server.start()
    phone, ledger = Phone(server.port, "host"), Ledger((server.data / KEY_FILE).read_bytes)
    phone.ask("GET", "/")
    path = phone.ask("POST", "/open", {"key": "open"}).location
    told, enough = 0, threading.Event()

    def write() -> None:
        nonlocal told
        while not enough.is_set():
            form = {"wifi_name": f"net {told}", "key": f"{told}", "version": "1"}
            assert phone.ask("POST", f"{path}/do/set-wifi", form).accepted
            told += 1

    writing = threading.Thread(target=write)
    writing.start()
    before = []
    for number in range(3):
        while told < 5 * (number + 1):
            pass
        before.append(told)
        code, said = run("backup", tmp_path / f"{number}.zip", "--data", tmp_path / "data")
        assert code == 0, said
        assert "1 table with" in said
        assert "The secret key is in it" in said
    enough.set()
    writing.join()
    phone.close()
    server.kill()
    assert ledger.seen == 0
    whole = lines_of(tmp_path / "data")
    for number, events in enumerate(before):
        copied = tmp_path / f"{number}.zip"
        assert stat.S_IMODE(copied.stat().st_mode) == 0o600
        folder = tmp_path / f"restored{number}"
        code, said = run("restore", copied, "--data", folder)
        assert code == 0, said
        assert "What was there before" not in said
        assert {each.name for each in folder.iterdir()} == {FILE, KEY_FILE, LOCK}
        assert {stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()} == {0o600}
        lines = lines_of(folder)
        assert len(lines) > events
        assert lines == whole[: len(lines)]
    assert sorted(each.name for each in tmp_path.iterdir() if each.suffix != ".zip") == [
        "data",
        "data.err",
        "data.out",
        "restored0",
        "restored1",
        "restored2",
    ]
    another = Server(tmp_path / "restored2")
    another.start()
    again = Phone(another.port, "host", cookies=phone.cookies)
    assert again.ask("GET", f"{path}/host").status_code == 200
    again.close()
    another.stop()


def test_what_was_there_is_kept(tmp_path: Path) -> None:
    old, new = filled(tmp_path / "old", "old"), filled(tmp_path / "new", "new", 5)
    back_up(new, tmp_path / "new.zip")
    code, said = run("restore", tmp_path / "new.zip", "--data", old)
    assert code == 0
    (kept,) = old.glob("before-restore-*")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o700
    assert f"What was there before is in {kept}." in said
    assert (read(old, "new"), read(old, "old")) == (5, 0)
    assert (read(kept, "old"), read(kept, "new")) == (3, 0)
    restore(old, tmp_path / "new.zip")  # once more within the same second
    assert len(list(old.glob("before-restore-*"))) == 2


def half_written(folder: Path) -> None:
    """As a program that was killed while it made its database: SQLite takes back what it had begun,
    as a file beside it says."""
    path = folder / FILE
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA cache_size = 1")  # so that pages are written before the commit
        database.execute("BEGIN IMMEDIATE")
        database.execute("CREATE TABLE half (x)")
        database.execute("INSERT INTO half VALUES (randomblob(500000))")
        kept = {each: each.read_bytes() for each in folder.glob(f"{FILE}*")}
    for each, content in kept.items():
        each.write_bytes(content)
    assert sorted(each.name for each in kept) == [FILE, f"{FILE}-journal"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_root_restores_belongs_to_whom_the_folder_belongs(tmp_path: Path) -> None:
    """Else a service with a user of its own could not start any more."""
    copied = tmp_path / "copied.zip"
    back_up(filled(tmp_path / "elsewhere", "new"), copied)
    folder = filled(tmp_path / "data", "old")
    service = (65530, 65531)
    for each in (folder, *folder.iterdir()):
        os.chown(each, *service)
    restore(folder, copied)
    there = {each: (each.lstat().st_uid, each.lstat().st_gid) for each in folder.rglob("*")}
    assert len(there) > 3
    assert set(there.values()) == {service}, there


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_root_copies_is_not_locked_to_the_service(tmp_path: Path) -> None:
    """Where it has not served yet from this folder, as on another machine."""
    folder = filled(tmp_path / "data", "old")
    service = (65530, 65531)
    for each in (folder, *folder.iterdir()):
        os.chown(each, *service)
    back_up(folder, tmp_path / "copied.zip")
    lock = (folder / LOCK).stat()
    assert (lock.st_uid, lock.st_gid) == service


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_root_restores_in_its_own_folder_takes_nobodys_files(tmp_path: Path) -> None:
    copied = tmp_path / "copied.zip"
    back_up(filled(tmp_path / "elsewhere", "new"), copied)
    folder = filled(tmp_path / "data", "old")
    for each in folder.iterdir():
        os.chown(each, 65530, 65531)
    kept = restore(folder, copied).kept
    assert kept
    assert {each.lstat().st_uid for each in kept.iterdir()} == {65530}


def test_what_a_killed_start_has_left_does_not_empty_what_is_restored(tmp_path: Path) -> None:
    back_up(filled(tmp_path / "other", "new"), tmp_path / "file")
    folder = tmp_path / "data"
    folder.mkdir()
    half_written(folder)
    restored = restore(folder, tmp_path / "file")
    assert read(folder, "new") == 3
    assert restored.kept is not None
    assert {each.name for each in restored.kept.iterdir()} == {FILE, f"{FILE}-journal"}


def test_nothing_is_restored_under_a_server(tmp_path: Path) -> None:
    folder = filled(tmp_path / "data", "old")
    back_up(folder, tmp_path / "file")
    before = files(folder)
    with exclusive(folder):
        code, said = run("restore", tmp_path / "file", "--data", folder)
    assert code == 1
    assert "is in use" in said
    assert files(folder) == before


def newer(folder: Path) -> None:
    with closing(sqlite3.connect(folder / FILE)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")


def packed(target: Path, **members: bytes) -> None:
    with zipfile.ZipFile(target, "w") as file:
        for name, content in members.items():
            file.writestr(name.replace("__", "/").replace("_dot_", "."), content)


def no_archive(file: Path) -> None:
    file.write_bytes(b"Dear diary, " * 500)


def cut_off(file: Path) -> None:
    os.truncate(file, file.stat().st_size - 200)


def flipped(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[1500] ^= 0xFF
    file.write_bytes(content)


def other_names(file: Path) -> None:
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("../evil", b"x")


def other_key(file: Path) -> None:
    with zipfile.ZipFile(file) as archive:
        database = archive.read(FILE)
    packed(file, tables_dot_sqlite3=database, secret_dot_key=b"k" * 32)


def no_key(file: Path) -> None:
    with zipfile.ZipFile(file) as archive:
        database = archive.read(FILE)
    packed(file, tables_dot_sqlite3=database)


def empty_tables(file: Path) -> None:
    packed(file, tables_dot_sqlite3=b"", secret_dot_key=b"k" * 32)


def no_tables(file: Path) -> None:
    packed(file, secret_dot_key=b"k" * 32)


def from_a_newer_program(file: Path) -> None:
    folder = file.parent / "newer"
    filled(folder, "x")
    newer(folder)
    packed(
        file,
        tables_dot_sqlite3=(folder / FILE).read_bytes(),
        secret_dot_key=(folder / KEY_FILE).read_bytes(),
    )


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (no_archive, "is damaged, or not a backup"),
        (cut_off, "is damaged, or not a backup"),
        (flipped, "is damaged, or not a backup"),
        (empty_tables, "its database is longer or shorter than it says"),
        (other_names, "is not a backup of this program"),
        (no_tables, "is not a backup of this program"),
        (other_key, "is encrypted with another secret key"),
        (no_key, "holds no secret key"),
        (from_a_newer_program, "was written by a newer version of this program"),
        (Path.unlink, "cannot be read: No such file"),
    ],
)
def test_a_bad_file_changes_nothing(
    tmp_path: Path, damage: Callable[[Path], None], why: str
) -> None:
    folder = filled(tmp_path / "data", "old")
    back_up(filled(tmp_path / "other", "new", 40), tmp_path / "file")
    damage(tmp_path / "file")
    before = files(folder)
    code, said = run("restore", tmp_path / "file", "--data", folder)
    assert code == 1
    assert why in said
    assert said.startswith("companion: ")
    assert said.count("\n") == 1
    assert files(folder) == before


def test_without_a_file_no_folder_is_made(tmp_path: Path) -> None:
    code, said = run("restore", tmp_path / "none", "--data", tmp_path / "data")
    assert (code, said.count("cannot be read: No such file")) == (1, 1)
    assert not (tmp_path / "data").exists()


def test_cut_off_at_any_step_it_is_finished_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Either all is as it was, or all that was restored is there and the old is kept."""
    filled(tmp_path / "whole", "old")
    back_up(filled(tmp_path / "other", "new", 5), tmp_path / "file")
    real, outcomes = Path.rename, []
    for step in range(1, 9):
        folder = tmp_path / str(step)
        shutil.copytree(tmp_path / "whole", folder)
        left = step

        def rename(self: Path, target: Path) -> Path:
            nonlocal left
            left -= 1
            if not left:
                raise KeyboardInterrupt  # as good as a kill: nothing is tidied up but by `finally`
            return real(self, target)

        with monkeypatch.context() as patched:
            patched.setattr(Path, "rename", rename)
            try:
                restore(folder, tmp_path / "file")
            except KeyboardInterrupt:
                pass
            else:
                break
        with exclusive(folder):
            finish_restoration(folder)
        assert not (folder / STAGED).exists()
        outcomes.append(read(folder, "new"))
        if outcomes[-1]:
            (kept,) = folder.glob("before-restore-*")
            assert read(kept, "old") == 3
        else:
            assert read(folder, "old") == 3
    assert outcomes == [0, 5, 5, 5, 5, 5]


@pytest.fixture
def cut_off_between(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose restoration has put away what was there, and nothing in its place yet."""
    back_up(filled(tmp_path / "other", "new", 5), tmp_path / "file")
    folder = filled(tmp_path / "data", "old")
    real = Path.rename

    def rename(self: Path, target: Path) -> Path:
        if target == folder / FILE:
            raise KeyboardInterrupt
        return real(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", rename)
        with pytest.raises(KeyboardInterrupt):
            restore(folder, tmp_path / "file")
    assert not (folder / FILE).exists()
    return folder


def copy_into(folder: Path) -> None:
    with pytest.raises(StorageError, match="encrypted with another"):
        copy_all(str(filled(folder.parent / "third", "third")), str(folder))


COMMANDS: dict[str, Callable[[Path], object]] = {
    "standing": lambda folder: run("standing", 1, "-o", folder.parent / "out", "--data", folder),
    "tables": lambda folder: run("tables", "--delete", "none", "--data", folder),
    "backup": lambda folder: run("backup", folder.parent / "out", "--data", folder),
    "copy": copy_into,
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_on_a_folder_finishes_what_was_cut_off_there(
    cut_off_between: Path, command: str
) -> None:
    COMMANDS[command](cut_off_between)
    (kept,) = cut_off_between.glob("before-restore-*")
    assert (read(cut_off_between, "new"), read(kept, "old")) == (5, 3)


def test_what_was_begun_in_the_meantime_takes_the_place_of_nothing(cut_off_between: Path) -> None:
    """By whoever knew nothing of a restoration."""
    log = SqliteLog(cut_off_between, secret_key(Settings(data=cut_off_between)))
    assert log.append("begun", [row(1)], index("begun"))
    for each in ("-wal", "-shm"):
        assert (cut_off_between / f"{FILE}{each}").exists()
    kept = finish_restoration(cut_off_between)
    log.close()
    assert kept is not None
    assert (read(cut_off_between, "new"), read(kept, "old")) == (5, 3)
    shutil.copy(kept / KEY_FILE, kept / LATER)
    assert read(kept / LATER, "begun") == 1


def test_where_it_cannot_be_finished_that_is_said(
    cut_off_between: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "rename", refused)
    with pytest.raises(NotServing, match="cannot be finished: Permission denied"):
        serve(Settings(data=cut_off_between), lambda _: None)


# Copying


def emptied(folder: Path) -> Path:
    """A data folder with one small table, whose file is as large as when there was much more."""
    log = SqliteLog(filled(folder, "kept"), secret_key(Settings(data=folder)))
    large = [replace(row(version), data={"x": "y" * 300_000}) for version in range(1, 61)]
    assert log.append("gone", large, index("gone"))
    assert log.delete("gone")
    log.close()
    assert (folder / FILE).stat().st_size > 16 << 20
    return folder


def test_what_was_deleted_takes_no_room_in_a_backup(tmp_path: Path) -> None:
    """Nor does it look like a trap, since it packs so well."""
    back_up(emptied(tmp_path / "data"), tmp_path / "file")
    with zipfile.ZipFile(tmp_path / "file") as archive:
        assert archive.getinfo(FILE).file_size < 1 << 20
    assert restore(tmp_path / "new", tmp_path / "file").content.tables == 1
    assert read(tmp_path / "new", "kept") == 3


def test_a_backup_that_holds_free_pages_is_restored(tmp_path: Path) -> None:
    """As older versions of this program have made it."""
    folder = emptied(tmp_path / "data")
    with zipfile.ZipFile(tmp_path / "file", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in (FILE, KEY_FILE):
            archive.write(folder / name, name)
    assert restore(tmp_path / "new", tmp_path / "file").content.tables == 1


def test_a_file_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    filled(tmp_path / "data", "x")
    (tmp_path / "file").write_text("mine")
    code, said = run("backup", tmp_path / "file", "--data", tmp_path / "data")
    assert (code, "is there already" in said) == (1, True)
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize(
    ("missing", "why"), [(FILE, "there are no tables in"), (KEY_FILE, "secret.key cannot be read")]
)
def test_without_what_belongs_to_it_there_is_no_backup(
    tmp_path: Path, missing: str, why: str
) -> None:
    folder = filled(tmp_path / "data", "x")
    (folder / missing).unlink()
    before = files(folder)
    code, said = run("backup", tmp_path / "file", "--data", folder)
    assert (code, why in said) == (1, True), said
    assert files(folder) == before
    assert not (tmp_path / "file").exists()


TOLD_TO_END = """
import os, sys
from companion.cli import main
from companion.storage import backup

real = backup.{after}

def asked_to_end(*of):
    done = real(*of)
    os.kill(os.getpid(), {number})
    return done

backup.{after} = asked_to_end
main(sys.argv[1:])
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_backup_that_is_told_to_end_leaves_nothing(tmp_path: Path, number: int) -> None:
    """A key would lie there."""
    folder, out = filled(tmp_path / "data", "x"), tmp_path / "out"
    out.mkdir()
    code = TOLD_TO_END.format(after="_pack", number=int(number))
    command = (sys.executable, "-c", code, "backup", out / "file", "--data", folder)
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (128 + number, "")
    assert list(out.iterdir()) == []


def test_a_restoration_that_is_told_to_end_changes_nothing(tmp_path: Path) -> None:
    folder = filled(tmp_path / "data", "x")
    back_up(filled(tmp_path / "other", "new"), tmp_path / "file")
    before = files(folder)
    code = TOLD_TO_END.format(after="_unpack", number=int(signal.SIGTERM))
    command = (sys.executable, "-c", code, "restore", tmp_path / "file", "--data", folder)
    assert subprocess.run(command, timeout=60, check=False).returncode == 128 + signal.SIGTERM
    assert files(folder) == before


def test_what_a_killed_backup_has_left_goes_with_the_next_one(tmp_path: Path) -> None:
    """Whatever that was to be called: the day is in many a name. Not what another is writing just
    now or has only begun, nor what only looks like it."""
    folder, out = filled(tmp_path / "data", "x"), tmp_path / "out"
    out.mkdir()
    left, at_work, of_others, a_file, begun = (
        out / f".companion-backup.abcd_{each}23" for each in range(5)
    )
    begun.mkdir()
    for each in (left, at_work, of_others):
        each.mkdir()
        (each / "archive").write_bytes(b"k" * 32)
    (of_others / "diary").write_text("mine")
    a_file.write_text("mine")
    with exclusive(at_work):
        back_up(folder, out / "file")
    assert set(out.iterdir()) == {out / "file", at_work, of_others, a_file, begun}


def test_a_killed_backup_has_left_what_the_next_one_sweeps(tmp_path: Path) -> None:
    folder, out = filled(tmp_path / "data", "x"), tmp_path / "out"
    out.mkdir()
    code = TOLD_TO_END.format(after="_pack", number=int(signal.SIGKILL))
    command = (sys.executable, "-c", code, "backup", out / "monday", "--data", folder)
    assert subprocess.run(command, timeout=60, check=False).returncode == -signal.SIGKILL
    (left,) = out.iterdir()
    assert left.is_dir()
    back_up(folder, out / "tuesday")
    assert [*out.iterdir()] == [out / "tuesday"]


@contextmanager
def never_removed(dir: Path, prefix: str) -> Iterator[str]:
    yield mkdtemp(dir=dir, prefix=prefix)


def test_so_is_what_it_has_left_of_a_disk_that_can_only_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, out = filled(tmp_path / "data", "x"), tmp_path / "out"
    out.mkdir()
    monkeypatch.setattr("companion.storage.backup.is_read_only", lambda folder: True)
    with monkeypatch.context() as killed:
        killed.setattr("companion.storage.backup.TemporaryDirectory", never_removed)
        back_up(folder, out / "monday")
    (left,) = (each for each in out.iterdir() if each.is_dir())
    assert (left / "still" / FILE).is_file()
    back_up(folder, out / "tuesday")
    assert {*out.iterdir()} == {out / "monday", out / "tuesday"}


def test_where_it_cannot_be_written(tmp_path: Path) -> None:
    filled(tmp_path / "data", "x")
    code, said = run("backup", tmp_path / "none" / "file", "--data", tmp_path / "data")
    assert (code, "cannot be written: No such file" in said) == (1, True), said


def test_what_cannot_be_read_is_no_backup(tmp_path: Path) -> None:
    folder = filled(tmp_path / "data", "x")
    with closing(sqlite3.connect(folder / FILE)) as database, database:
        database.execute("UPDATE events SET data = x'00' WHERE version = 2")
    with pytest.raises(StorageError, match="cannot be decrypted"):
        back_up(folder, tmp_path / "file")
    assert [each.name for each in tmp_path.iterdir()] == ["data"]


def test_a_key_that_is_a_setting_stays_out_of_the_file(tmp_path: Path) -> None:
    key = "a key that is given as a setting"
    folder = tmp_path / "data"
    log = SqliteLog(folder, key.encode())
    assert log.append("x", [row(1)], index("x"))
    log.close()
    given = ("--secret-key", key)
    code, said = run("backup", tmp_path / "file", "--data", folder, *given)
    assert code == 0
    assert "keep COMPANION_SECRET_KEY as well" in said
    with zipfile.ZipFile(tmp_path / "file") as archive:
        assert archive.namelist() == [FILE]
    code, said = run("restore", tmp_path / "file", "--data", tmp_path / "new")
    assert (code, "holds no secret key" in said) == (1, True)
    assert run("restore", tmp_path / "file", "--data", tmp_path / "new", *given)[0] == 0
    assert rows_of(SqliteLog(tmp_path / "new", key.encode()), "x") == [row(1)]


def test_a_trap_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    back_up(filled(tmp_path / "data", "x"), tmp_path / "file")
    monkeypatch.setattr(module, "SIZE_MAX", 1000)
    with pytest.raises(StorageError, match="not a backup"):
        restore(tmp_path / "new", tmp_path / "file")


def test_what_has_no_room_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    back_up(filled(tmp_path / "data", "x"), tmp_path / "file")
    before = files(tmp_path / "data")
    room = shutil.disk_usage(tmp_path)._replace(free=1000)
    monkeypatch.setattr(module.shutil, "disk_usage", lambda _: room)
    code, said = run("restore", tmp_path / "file", "--data", tmp_path / "data")
    assert (code, "has no room for it" in said) == (1, True), said
    assert files(tmp_path / "data") == before


READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'


def on_a_disk_that_can_only_be_read(folder: Path, *arguments: object) -> tuple[int, str]:
    inside = ["unshare", "--map-root-user", "--mount", "sh", "-c", READ_ONLY, str(folder)]
    try:
        subprocess.run([*inside, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("nothing can be mounted here")
    done = subprocess.run(
        [*inside, *COMMAND, *map(str, arguments), "--data", str(folder)],
        env=environment(),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.returncode, done.stdout + done.stderr


def test_what_lies_on_a_disk_that_can_only_be_read_is_copied_and_listed(tmp_path: Path) -> None:
    folder, target = filled(tmp_path / "data", "x"), tmp_path / "a.zip"
    before = files(folder)
    code, said = on_a_disk_that_can_only_be_read(folder, "backup", target)
    assert code == 0, said
    assert "1 table with 3 events, all of them read" in said
    assert "1 table, 3 events" in on_a_disk_that_can_only_be_read(folder, "tables")[1]
    assert files(folder) == before
    assert [each for each in tmp_path.iterdir() if each not in (folder, target)] == []
    restore(tmp_path / "again", target)
    assert read(tmp_path / "again", "x") == 3


@pytest.mark.parametrize("index_there", [True, False])
def test_of_such_a_disk_what_a_killed_server_had_accepted_is_copied_too(
    tmp_path: Path, index_there: bool
) -> None:
    server = Server(tmp_path / "data")
    server.start()
    phone = Phone(server.port, "host")
    phone.ask("GET", "/")
    assert phone.ask("POST", "/open", {"key": "open"}).location
    phone.close()
    server.kill()
    assert log_of(server.data / FILE).stat().st_size
    if not index_there:
        (server.data / f"{FILE}-shm").unlink()
    before = files(server.data)
    code, said = on_a_disk_that_can_only_be_read(server.data, "backup", tmp_path / "a.zip")
    assert code == 0, said
    assert "1 table with 1 events" in said
    assert "1 table, 1 events" in on_a_disk_that_can_only_be_read(server.data, "tables")[1]
    assert files(server.data) == before


def test_what_is_written_while_it_is_copied_is_no_backup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where another machine has the same disk, and can write there."""
    folder = filled(tmp_path / "data", "x")
    copy = shutil.copyfile

    def meanwhile(source: Path, target: Path) -> None:
        copy(source, target)
        filled(folder, "y")

    monkeypatch.setattr("companion.storage.backup.is_read_only", lambda folder: True)
    monkeypatch.setattr("companion.storage.read_only_disk.copyfile", meanwhile)
    with pytest.raises(StorageError, match="is being written"):
        back_up(folder, tmp_path / "a.zip")
    assert not (tmp_path / "a.zip").exists()


def test_such_a_disk_that_breaks_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = filled(tmp_path / "data", "x")

    def broken(source: Path, target: Path) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("companion.storage.backup.is_read_only", lambda folder: True)
    monkeypatch.setattr("companion.storage.read_only_disk.copyfile", broken)
    with pytest.raises(StorageError, match=rf"{FILE} cannot be copied: Input/output error"):
        back_up(folder, tmp_path / "a.zip")
