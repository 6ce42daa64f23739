"""Tables on a disk that can only be read, such as one that a fault has made so.

SQLite needs an index beside a write-ahead log, and nobody can make one there. So the files are
copied to where it can be made. Another machine may still write to the same disk: what changes while
it is copied is refused, since it might be torn.
"""

from __future__ import annotations

import os
from pathlib import Path
from shutil import copyfile
from typing import Final

from companion.storage.wal import log_of
from companion.tables.log import StorageError

STATVFS: Final = getattr(os, "statvfs", None)
"""Where a disk says how it is used: not on Windows."""

READ_ONLY: Final = getattr(os, "ST_RDONLY", 0)


def is_read_only(folder: Path) -> bool:
    """Whether the disk of this folder is."""
    return bool(STATVFS and STATVFS(folder).f_flag & READ_ONLY)


def readable_copy(database: Path, folder: Path) -> Path:
    """The database in `folder`, copied from a disk that can only be read."""
    journal = database.with_name(f"{database.name}-journal")
    try:
        before = _stamps(database, log_of(database), journal)
        for each in before:
            copyfile(each, folder / each.name)
        changed = before != _stamps(database, log_of(database), journal)
    except OSError as error:
        raise StorageError(f"{database} cannot be copied: {error.strerror}") from error
    if changed:
        raise StorageError(
            f"{database} is being written while it is copied: do it where its disk can be written"
        )
    return folder / database.name


def _stamps(*files: Path) -> dict[Path, tuple[int, int]]:
    """Of the files that exist: size in bytes, and when each was written, in nanoseconds."""
    found = {each: each.stat() for each in files if each.exists()}
    return {each: (stat.st_size, stat.st_mtime_ns) for each, stat in found.items()}
