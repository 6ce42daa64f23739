"""The data folder: one server, or one restoration, at a time.

Two servers on one folder would not wake each other's phones, and at their first start each would
make a secret key of its own. The lock is SQLite's own, on an empty file: it works wherever the
database works, and the lock of a killed process is released.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from companion.tables.log import StorageError

LOCK: Final = "in-use.lock"
KEY_FILE: Final = "secret.key"

CHOWN: Final = getattr(os, "chown", None)
"""Where files belong to somebody."""

ROOT: Final = 0


class InUseError(StorageError):
    """Another program has the folder."""


def still_held(folder: Path, lock: os.stat_result) -> bool:
    """Whether the lock is still the file that was locked: somebody may have removed it, and then
    another program can take the folder."""
    try:
        now = (folder / LOCK).stat()
    except OSError:
        return False
    return (now.st_dev, now.st_ino) == (lock.st_dev, lock.st_ino)


def refuse_closed(folder: Path) -> None:
    """Raises `StorageError` where this user may not look into the folder, there or not."""
    try:
        (folder / LOCK).stat()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as error:
        raise StorageError(f"{folder} cannot be read: {error.strerror}") from error


@contextmanager
def exclusive(folder: Path) -> Iterator[os.stat_result]:
    """The folder, made if it is missing, for this process alone."""
    try:
        if not folder.exists():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            sync_folder(folder.parent)
        os.close(os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600))
        hand_over(folder, [folder / LOCK])
    except OSError as error:
        raise StorageError(f"{folder} cannot be written: {error.strerror}") from error
    with closing(
        sqlite3.connect(folder / LOCK, timeout=0, isolation_level=None, check_same_thread=False)
    ) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise StorageError(f"{folder} cannot be locked: {error}") from error
            raise InUseError(
                f"{folder} is in use: another companion serves from it; end that one first, or "
                "give this one a folder of its own with --data"
            ) from error
        yield (folder / LOCK).stat()


def hand_over(folder: Path, made: Iterable[Path]) -> None:
    """What root has made in a service's folder belongs to the service."""
    own = folder.stat()
    for each in made:
        if CHOWN and own.st_uid != ROOT == each.lstat().st_uid:
            with suppress(OSError):  # who is not root gives nothing away
                CHOWN(each, own.st_uid, own.st_gid, follow_symlinks=False)


def sync_folder(folder: Path) -> None:
    """What was made, renamed or removed in the folder outlasts a power failure."""
    if os.name != "posix":
        return  # Windows writes its directories by itself and lets nobody ask for it
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
