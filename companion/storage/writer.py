"""One writer that commits in groups: jobs that came in while the disk was busy are one transaction.

Each job runs within a savepoint, so a job that fails takes no other with it. Every caller waits
until the group's commit is on disk. Under gevent a native thread does the disk's work, so that a
slow disk does not stall the other greenlets.

When no job comes for a moment, the write-ahead log is merged into the database. So the log stays
short, and a copy of the database alone misses a second, not an evening.
"""

from __future__ import annotations

import logging
import queue
import sqlite3
import sys
import threading
from collections.abc import Callable
from typing import Any, Final, Generic

from companion.storage.sql import Connection, Result
from companion.storage.sqlite import savepoint, transaction, unwaiting
from companion.tables.log import StorageError

log = logging.getLogger("companion.storage")

GROUP_MAX: Final = 256
IDLE_S: Final = 1.0


class Job(Generic[Result]):
    def __init__(self, work: Callable[[Connection], Result], purges: bool) -> None:
        self.work = work
        self.purges = purges
        self.done = threading.Event()
        self.result: Result | None = None
        self.failure: Exception | None = StorageError("the store has stopped")
        self.own_failure: Exception | None = None
        """An unforeseen error of this job alone."""


def _used(connection: sqlite3.Connection) -> int:
    """Bytes of the database; what was deleted leaves pages that are used again."""
    pages, free, page_bytes = (
        connection.execute(f"PRAGMA {each}").fetchone()[0]
        for each in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * page_bytes)


class Writer:
    def __init__(self, connection: sqlite3.Connection, *, wipe: bool) -> None:
        """The connection is this writer's from now on. `wipe`: what was deleted may still be in the
        write-ahead log."""
        self._connection = connection
        self._jobs: queue.SimpleQueue[Job[Any] | None] = queue.SimpleQueue()
        self._gate = threading.Lock()
        self._closed = False
        self.used = _used(connection)
        self._off_hub: Callable[..., None] = lambda work, *args: work(*args)
        self._behind = True  # there may be something in the write-ahead log
        self._wipe = wipe  # what was deleted is still in it
        self._close_pool: Callable[[], None] | None = None
        monkey = sys.modules.get("gevent.monkey")
        if monkey is not None and monkey.is_module_patched("threading"):
            from gevent.threadpool import ThreadPool

            pool = ThreadPool(1)
            self._off_hub = lambda work, *args: pool.apply(work, args)
            self._close_pool = pool.kill
        self._thread = threading.Thread(target=self._run, name="log writer", daemon=True)
        self._thread.start()

    def run(self, work: Callable[[Connection], Result], *, purges: bool = False) -> Result | None:
        """The job's result once it is on disk; None if the data themselves forbid it.
        `StorageError` where nothing can be written; an error of the job itself as it was raised.

        `purges`: what is deleted shall be gone from the write-ahead log, too.
        """
        job = Job(work, purges)
        with self._gate:
            self.ping()
            self._jobs.put(job)
        job.done.wait()
        if job.failure is not None:
            raise job.failure
        return job.result

    def ping(self) -> None:
        """`StorageError` where it takes nothing any more."""
        if self._closed:
            raise StorageError("the store is closed")

    def close(self) -> None:
        """Waits for what is on its way."""
        with self._gate:
            closed, self._closed = self._closed, True
        if not closed:
            self._jobs.put(None)
        self._thread.join()
        if self._close_pool is not None:
            self._close_pool()
        self._connection.close()

    def _run(self) -> None:
        """Until the end, or an error that nobody foresaw: then nobody is left waiting."""
        group: list[Job[Any]] = []
        try:
            while True:
                group = self._next_group()
                if not group:
                    break
                self._off_hub(self._group, group)
                for job in group:
                    job.done.set()
        finally:
            with self._gate:
                self._closed = True
            for job in group + self._rest():
                job.done.set()

    def _next_group(self) -> list[Job[Any]]:
        """All that wait, after waiting for the first; nothing at the end."""
        group: list[Job[Any]] = []
        while not group or (len(group) < GROUP_MAX and not self._jobs.empty()):
            try:
                job = self._jobs.get(timeout=IDLE_S if self._behind else None)
            except queue.Empty:
                self._off_hub(self._checkpoint)
                continue
            if job is None:
                self._jobs.put(None)  # the end comes after this group
                break
            group.append(job)
        return group

    def _rest(self) -> list[Job[Any]]:
        left = []
        while not self._jobs.empty():
            job = self._jobs.get()
            if job is not None:
                left.append(job)
        return left

    def _group(self, jobs: list[Job[Any]]) -> None:
        """Every job gets its result or a failure."""
        try:
            with transaction(self._connection):
                for job in jobs:
                    self._one(job)
                used = _used(self._connection)
        except sqlite3.Error as error:
            for job in jobs:
                job.failure = StorageError(f"the database cannot be written: {error}")
        else:
            for job in jobs:
                job.failure = job.own_failure
            self.used = used
            self._behind = True
            self._wipe = self._wipe or any(job.purges for job in jobs)
            if self._wipe:
                self._checkpoint()

    def _checkpoint(self) -> None:
        """What is committed is safe already: if this fails, it is tried again after the next
        commit. A reader in the way makes it incomplete; then the rest comes later, too. It is not
        waited for: a backup may read for minutes, and meanwhile nobody's report would be answered.
        """
        try:
            how = "TRUNCATE" if self._wipe else "PASSIVE"
            with unwaiting(self._connection):
                merging = self._connection.execute(f"PRAGMA wal_checkpoint({how})")
                busy, written, moved = merging.fetchone()
        except sqlite3.Error as error:
            log.warning("the write-ahead log could not be tidied up: %s", error)
            self._behind = False
        else:
            self._behind = bool(busy) or written != moved
            self._wipe = self._wipe and self._behind

    def _one(self, job: Job[Any]) -> None:
        """An error of the database is one of the whole group, any other of this job alone."""
        try:
            with savepoint(self._connection):
                job.result = job.work(self._connection)
        except sqlite3.IntegrityError:
            job.result = None
        except sqlite3.Error:
            raise
        except Exception as error:  # who has given the job is told
            job.own_failure = error
