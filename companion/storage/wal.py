"""Finds damage in SQLite's write-ahead log before SQLite opens it.

SQLite reads a log up to the first frame whose checksum is wrong and forgets the rest. That is right
for the end of a log that a power cut has left half-written: nobody was told that it is accepted. In
the middle of a log it would silently lose accepted events. The two cases can be told apart, since
each commit is on the disk before the next one begins: after a half-written commit nothing follows.

Source: https://www.sqlite.org/fileformat2.html#walformat
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.tables.log import StorageError
from companion.values import Value

SUFFIX: Final = "-wal"
HEADER: Final = struct.Struct(">8I")
"""Magic number, format, page size in bytes, checkpoints, two salts, two sums."""

FRAME: Final = struct.Struct(">6I")
"""Page number, pages of the database after a commit or 0, two salts, two sums."""

MAGIC: Final = 0x377F0682
"""The last bit is set where sums are of big-endian words."""

Sums = tuple[int, int]


class _Frame(Value, frozen=True):
    at: int  # bytes from the beginning of the log
    commits: bool
    salts: tuple[int, int]
    said: Sums  # as it stands in the frame
    summed: bytes  # what the sums are of, after those of the frame before


def log_of(database: Path) -> Path:
    return database.with_name(database.name + SUFFIX)


def refuse_damaged(database: Path) -> None:
    """Raises `StorageError` where SQLite would leave out commits that had been finished."""
    log = log_of(database)
    try:
        content = log.read_bytes()
    except FileNotFoundError:
        return
    except OSError as error:
        raise StorageError(f"{log} cannot be read: {error.strerror}") from error
    if content and not (database.exists() and database.stat().st_size):
        raise StorageError(
            f"{database} is missing or empty, but {log.name} beside it holds plays that were "
            f"accepted: put the database back, or restore a backup, or move {log.name} away to "
            "begin anew"
        )
    keeps = kept(content)
    if keeps is not None:
        raise StorageError(
            f"{log} is damaged, and plays that were accepted lie behind the damage: restore a "
            f"backup, or cut this file to {keeps} bytes to go on without those plays"
        )


def kept(log: bytes) -> int | None:
    """How many bytes SQLite reads of a log that has finished commits behind them; else None."""
    if len(log) < HEADER.size + FRAME.size:
        return None
    magic, _, page_size, _, salt0, salt1, said0, said1 = HEADER.unpack_from(log)
    big = bool(magic & 1)
    sums = _sums(log[: HEADER.size - 8], (0, 0), big)
    whole = magic & ~1 == MAGIC and sums == (said0, said1)
    if not 512 <= page_size <= 65536 or page_size & (page_size - 1):
        return 0  # nothing can be told of the frames, and SQLite would read none of them
    before: _Frame | None = None
    ended: int | None = None if whole else 0
    for frame in _frames(log, page_size):
        # Frames with other salts are of an older log, which is in the database.
        of_this = frame.salts == (salt0, salt1) if whole else True
        if ended is None:
            sums = _sums(frame.summed, sums, big)
            if not of_this or sums != frame.said:
                ended = frame.at
        elif (
            of_this
            and before is not None
            and before.commits
            and before.salts == frame.salts
            and _sums(frame.summed, before.said, big) == frame.said
        ):
            return ended
        before = frame
    return None


def _frames(log: bytes, page_size: int) -> Iterator[_Frame]:
    for at in range(HEADER.size, len(log) - FRAME.size - page_size + 1, FRAME.size + page_size):
        _, pages, salt0, salt1, *said = FRAME.unpack_from(log, at)
        page = at + FRAME.size
        summed = log[at : at + 8] + log[page : page + page_size]
        yield _Frame(at, pages > 0, (salt0, salt1), (said[0], said[1]), summed)


def _sums(data: bytes, before: Sums, big: bool) -> Sums:
    words = array("I", data)
    if big != (sys.byteorder == "big"):
        words.byteswap()
    one, two = before
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two
