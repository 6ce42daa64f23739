"""Backups: the database is copied as it is at one moment, while the server runs, and put back.

A backup is a zip archive with the database and, if it is in the data folder, the secret key,
without which nothing in the backup can be read. Every event of a backup is checked before anything
is replaced, and the replaced files are kept beside the new ones.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.storage.folder import (
    KEY_FILE,
    LOCK,
    InUseError,
    exclusive,
    hand_over,
    refuse_closed,
    sync_folder,
)
from companion.storage.preflight import untouched
from companion.storage.read_only_disk import is_read_only, readable_copy
from companion.storage.secret_key import as_bytes
from companion.storage.sqlite_log import FILE, SqliteLog
from companion.storage.wal import refuse_damaged
from companion.tables.log import StorageError
from companion.values import Value

MEMBERS: Final = (FILE, KEY_FILE)
SIDE_FILES: Final = (f"{FILE}-wal", f"{FILE}-shm", f"{FILE}-journal")
"""SQLite's files beside a database in use; beside another database they would change it."""

COMING: Final = "restoring.part"
"""Folder in which a backup is unpacked and checked; one that is left over was never finished."""

STAGED: Final = "restoring"
"""Folder of the replaced files, with the checked new ones in `NEW` until they take their place."""

NEW: Final = "new"

LATER: Final = "later"
"""Folder in `STAGED` for files that somebody has made since a restoration was cut off, without
knowing of it."""

WORK_FOLDER: Final = ".companion-backup."
"""Prefix of the name of a folder in which a backup is made, beside the place of its archive."""

ARCHIVE: Final = "archive"
"""The backup while it is written, in its work folder."""

COPIES: Final = "still"
"""Folder there, for copies of the tables' files where their own disk can only be read."""

IN_WORK_FOLDER: Final = frozenset((FILE, *SIDE_FILES, ARCHIVE, COPIES, LOCK, f"{LOCK}-journal"))
"""All that can lie there; the journal of the lock only where its program was killed."""

SIZE_MAX: Final = 64 << 30
KEY_MAX: Final = 1 << 10
"""Bytes of an unpacked database, and of a key: more is no backup of ours but a trap."""

HEAD_BYTES: Final = 100
"""Of a database; https://www.sqlite.org/fileformat2.html#the_database_header"""

READ_BYTES: Final = 1 << 20


class Content(Value, frozen=True):
    tables: int
    events: int
    key: bool
    """Whether the secret key lies in the archive."""


class Restored(Value, frozen=True):
    content: Content
    kept: Path | None
    """Where what was there before lies now."""


def back_up(folder: Path, target: Path, secret_key: str = "") -> Content:
    """Copies the tables in `folder`, served or not, to the file `target`, which is new.

    `secret_key` is the setting; where there is none the key in the folder is used and copied, too.
    """
    refuse_closed(folder)
    refuse_closed(target.parent)
    if (folder / STAGED).exists():
        with suppress(InUseError), taken(folder):
            pass  # it is finished
    if not (folder / FILE).is_file():
        raise StorageError(f"there are no tables in {folder}")
    if target.exists():
        raise StorageError(f"{target} is there already")
    key = None if secret_key else _key(folder)
    secret = as_bytes(secret_key) if key is None else key
    try:
        _sweep(target.parent)
        with _work_folder(target) as work:
            _copy(folder / FILE, work / FILE)
            content = _check(work, secret, key is not None)
            _pack(work / ARCHIVE, work / FILE, key)
            (work / ARCHIVE).rename(target)
        sync_folder(target.parent)
    except OSError as error:
        raise StorageError(f"{target} cannot be written: {error.strerror or error}") from error
    return content


def restore(folder: Path, source: Path, secret_key: str = "") -> Restored:
    """Puts a backup in the place of what is in `folder`, which nobody may be serving from."""
    try:
        source.open("rb").close()
    except OSError as error:
        raise StorageError(f"{source} cannot be read: {error.strerror}") from error
    with taken(folder):
        coming = folder / COMING
        try:
            shutil.rmtree(coming, ignore_errors=True)
            coming.mkdir(mode=0o700, exist_ok=True)
            (coming / NEW).mkdir(mode=0o700)
            content = _unpack(source, coming / NEW, secret_key)
            for each in (coming / NEW).iterdir():
                _sync(each)
            sync_folder(coming / NEW)
            hand_over(folder, folder.rglob("*"))
            coming.rename(folder / STAGED)
            kept = finish_restoration(folder)
        except OSError as error:
            raise StorageError(f"{folder} cannot be written: {error.strerror or error}") from error
        finally:
            shutil.rmtree(coming, ignore_errors=True)
    return Restored(content, kept)


@contextmanager
def taken(folder: Path) -> Iterator[os.stat_result]:
    """The folder, made if it is missing, for this process alone, and with no restoration in it that
    was cut off: that is finished first."""
    with exclusive(folder) as lock:
        finish_restoration(folder)
        yield lock


def finish_restoration(folder: Path) -> Path | None:
    """Does what is left of a restoration that was cut off, or has just been staged.

    Where what was there before lies now; None where there was nothing to do, or to keep.
    """
    try:
        return _finished(folder)
    except OSError as error:
        raise StorageError(
            f"a restoration in {folder} cannot be finished: {error.strerror or error}"
        ) from error


def _finished(folder: Path) -> Path | None:
    shutil.rmtree(folder / COMING, ignore_errors=True)  # of one that was killed; a key lay in it
    staged = folder / STAGED
    if not staged.exists():
        return None
    for name in MEMBERS:
        if (staged / NEW / name).exists():
            aside = _aside(folder, staged, name)
            for old in (name, *(SIDE_FILES if name == FILE else ())):
                if (folder / old).exists():
                    (folder / old).rename(aside / old)
            (staged / NEW / name).rename(folder / name)
    shutil.rmtree(staged / NEW, ignore_errors=True)
    sync_folder(folder)
    if not any(staged.iterdir()):
        staged.rmdir()
        return None
    kept = folder / time.strftime("before-restore-%Y%m%d-%H%M%S")
    number = 1
    while kept.exists():
        number += 1
        kept = kept.with_name(f"{kept.name.partition('.')[0]}.{number}")
    staged.rename(kept)
    sync_folder(folder)
    return kept


def _aside(folder: Path, staged: Path, name: str) -> Path:
    """Where what now lies in the place of a member goes, with what belongs to it."""
    later = staged / LATER
    if (later / name).exists() or ((staged / name).exists() and (folder / name).exists()):
        later.mkdir(mode=0o700, exist_ok=True)
        return later
    return staged


@contextmanager
def _work_folder(target: Path) -> Iterator[Path]:
    """Where the archive `target` is made; `_sweep` leaves it alone meanwhile."""
    with TemporaryDirectory(dir=target.parent, prefix=WORK_FOLDER) as name:
        work = Path(name)
        with exclusive(work):
            yield work


def _sweep(folder: Path) -> None:
    """Removes the work folders of backups that were killed: they hold the tables, and the key."""
    named = re.compile(rf"{re.escape(WORK_FOLDER)}[a-z0-9_]{{8}}")
    for each in folder.iterdir():
        if not named.fullmatch(each.name) or each.is_symlink():
            continue
        with suppress(OSError, StorageError):  # another's, or at work
            found = {*os.listdir(each)}
            if {FILE, ARCHIVE} & found and found <= IN_WORK_FOLDER:
                with exclusive(each):
                    pass
                shutil.rmtree(each)


def _key(folder: Path) -> bytes:
    try:
        return (folder / KEY_FILE).read_bytes()
    except OSError as error:
        raise StorageError(
            f"{folder / KEY_FILE} cannot be read ({error.strerror}), and without it nobody can "
            "read the tables; give the secret key as it is given to the server"
        ) from error


def _copy(database: Path, copy: Path) -> None:
    """The database as it is at one moment, even while a server writes to it, and without the room
    that is free in its file: that may be most of it, when old tables have been deleted."""
    os.close(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    readable = database
    if is_read_only(database.parent):
        (copy.parent / COPIES).mkdir(mode=0o700)
        readable = readable_copy(database, copy.parent / COPIES)
    with ExitStack() as until_copied:
        alone = False
        with suppress(InUseError):
            until_copied.enter_context(exclusive(readable.parent))
            alone = True
        if alone:  # else its log changes while it is read
            refuse_damaged(database)
        try:
            with untouched(readable, alone=alone) as source:
                source.execute("VACUUM INTO ?", (str(copy),))
        except sqlite3.Error as error:
            raise StorageError(f"{database} cannot be copied: {error}") from error


def _check(folder: Path, secret: bytes, key: bool) -> Content:
    """Opens the database in `folder` as the server would, and reads every event of every table."""
    log = SqliteLog(folder, secret)
    try:
        ids = log.ids()
        heads = {each: head.version for each in ids if (head := log.head(each))}
        events = sum(len(log.read(each, up_to=version)) for each, version in heads.items())
        return Content(len(heads), events, key)
    finally:
        log.close()


def _pack(archive: Path, database: Path, key: bytes | None) -> None:
    handle = os.open(archive, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w+b") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.write(database, FILE)
            if key is not None:
                packed.writestr(KEY_FILE, key)
        file.flush()
        os.fsync(file.fileno())


def _unpack(source: Path, into: Path, secret_key: str) -> Content:
    try:
        with zipfile.ZipFile(source) as packed:
            found = {each.filename: each for each in packed.infolist()}
            if FILE not in found or not set(found) <= set(MEMBERS):
                raise StorageError(f"{source} is not a backup of this program")
            for name, member in found.items():
                if member.file_size > (SIZE_MAX if name == FILE else KEY_MAX):
                    raise StorageError(f"{source} is not a backup of this program")
            if sum(each.file_size for each in found.values()) > shutil.disk_usage(into).free:
                raise StorageError(f"{source} cannot be unpacked: the disk has no room for it")
            for name, member in found.items():
                handle = os.open(into / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with packed.open(member) as content, os.fdopen(handle, "wb") as file:
                    shutil.copyfileobj(content, file, READ_BYTES)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise StorageError(f"{source} is damaged, or not a backup: {error}") from error
    if not _is_whole(into / FILE):
        raise StorageError(f"{source} is damaged: its database is longer or shorter than it says")
    if not secret_key and KEY_FILE not in found:
        raise StorageError(
            f"{source} holds no secret key: give the one that the server was started with "
            "(--secret-key, or COMPANION_SECRET_KEY)"
        )
    secret = as_bytes(secret_key) if secret_key else (into / KEY_FILE).read_bytes()
    try:
        return _check(into, secret, KEY_FILE in found)
    except StorageError as error:
        raise StorageError(f"{source} cannot be used: {str(error).replace(str(into), '…')}") from (
            error
        )


def _is_whole(database: Path) -> bool:
    """Whether a database has the size that its head says; what stands behind would be kept."""
    with database.open("rb") as file:
        head = file.read(HEAD_BYTES)
    page = int.from_bytes(head[16:18], "big")
    page = 65536 if page == 1 else page
    pages = int.from_bytes(head[28:32], "big")
    return len(head) == HEAD_BYTES and database.stat().st_size == page * pages


def _sync(file: Path) -> None:
    with file.open("rb+") as opened:
        os.fsync(opened.fileno())
