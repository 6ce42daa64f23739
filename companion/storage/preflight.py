"""Read-only checks before the database is opened; no file is changed, even after a crash.

Opening a database to write merges its write-ahead log into it and deletes the log at the end. A
database that is refused must stay as it was, so everything that can be refused is looked for here
first.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from companion.storage.cipher import Cipher
from companion.storage.folder import KEY_FILE
from companion.storage.schema import REVISION, REVISIONS, columns
from companion.storage.sqlite import BUSY_S
from companion.storage.wal import log_of
from companion.tables.log import StorageError

ENCRYPTED: Final = REVISIONS[1:]


@contextmanager
def untouched(database: Path, *, alone: bool) -> Iterator[sqlite3.Connection]:
    """A connection that reads what is committed, the write-ahead log included.

    `alone`: whoever asks holds the folder, so nobody writes meanwhile and no file is left behind.
    Else an empty log and its index may be: a server that has come meanwhile would go on with an
    index that was taken away, and see nobody who reads by another one.
    """
    log = log_of(database)
    if database.with_name(f"{database.name}-journal").exists():
        how = "mode=rw"  # killed while it was made; SQLite takes that back first
    elif not alone or (log.exists() and log.stat().st_size):
        how = "mode=ro"
    else:
        how = "mode=ro&immutable=1"  # else there would be an empty log afterwards
    index = database.with_name(f"{database.name}-shm")
    there = index.exists()
    try:
        with closing(
            sqlite3.connect(f"{database.absolute().as_uri()}?{how}", uri=True, timeout=BUSY_S)
        ) as connection:
            connection.execute("PRAGMA trusted_schema=OFF")
            yield connection
    finally:
        if alone and not there:
            index.unlink(missing_ok=True)


def refuse_unfit(path: Path, cipher: Cipher, *, alone: bool) -> None:
    """Raises `StorageError` where the database is not ours, damaged, or of another key. `alone` as
    for `untouched`."""
    try:
        with untouched(path, alone=alone) as database:
            names = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
            if names:
                _refuse(path, database, names, cipher)
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter: words of a broken schema
        raise StorageError(f"{path} cannot be used: {error}") from error


def _is_ours(database: sqlite3.Connection) -> bool:
    """Tables and indexes of ours and nothing else: no trigger, no view, nothing computed."""
    ours = columns()
    for kind, name, of, sql in database.execute(
        "SELECT type, name, tbl_name, sql FROM sqlite_master"
    ):
        if of not in ours or kind not in ("table", "index"):
            return False
        if kind == "table":
            rows = list(database.execute(f"PRAGMA table_xinfo({name})"))  # a name of ours
            strange = {row[1] for row in rows} - {*ours[of]}
            plain = all(default is None and not hidden for *_, default, _, hidden in rows)
            checks = re.search(r"\b(?:CHECK|GENERATED|VIRTUAL)\b", sql, re.IGNORECASE)
            if name != of or checks or not plain or strange:
                return False
        elif sql is not None and re.search(r"\bWHERE\b|\(.*\(", sql, re.IGNORECASE | re.DOTALL):
            return False  # of a part, or of an expression
    return True


def _refuse(path: Path, database: sqlite3.Connection, names: set[str], cipher: Cipher) -> None:
    if "alembic_version" not in names or not _is_ours(database):
        raise StorageError(f"{path} is not a database of this program")
    found = database.execute(REVISION).fetchone()
    if found is None or found[0] not in REVISIONS:
        raise StorageError(f"{path} was written by a newer version of this program")
    (damage,) = database.execute("PRAGMA integrity_check(1)").fetchone()
    if damage != "ok":
        raise StorageError(f"{path} is damaged: {' '.join(damage.split())}")
    if found[0] not in ENCRYPTED:
        return
    check = database.execute("SELECT key_check FROM seal").fetchone()
    if check is None:
        raise StorageError(f"{path} is damaged: nothing says which key it is encrypted with")
    if not cipher.fits(check[0]):
        raise StorageError(
            f"{path} is encrypted with another secret key: put back the file {KEY_FILE} that lay "
            "beside it (or the secret key that was set), or move the database away to begin anew"
        )
