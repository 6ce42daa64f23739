"""One writer that commits in groups: what came in while the disk was busy is one transaction.

Each job runs within a savepoint, so that a job that fails takes no other down. Whoever asked waits
until the group's commit is on disk. Under gevent the disk's work is done in a native thread, so
that a slow disk does not stall the other greenlets.
"""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError

from companion.tables.log import StorageError

Result = TypeVar("Result")

GROUP_MAX: Final = 256


class Job(Generic[Result]):
    def __init__(self, work: Callable[[Connection], Result], purges: bool) -> None:
        self.work = work
        self.purges = purges
        self.done = threading.Event()
        self.result: Result | None = None
        self.failure: StorageError | None = None


class Writer:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._jobs: queue.SimpleQueue[Job[Any] | None] = queue.SimpleQueue()
        self._commit: Callable[[list[Job[Any]]], None] = self._group
        self._close_pool: Callable[[], None] | None = None
        monkey = sys.modules.get("gevent.monkey")
        if monkey is not None and monkey.is_module_patched("threading"):
            from gevent.threadpool import ThreadPool

            pool = ThreadPool(1)
            self._commit = lambda jobs: pool.apply(self._group, (jobs,))
            self._close_pool = pool.kill
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="log writer", daemon=True)
        self._thread.start()

    def run(self, work: Callable[[Connection], Result], *, purges: bool = False) -> Result | None:
        """The job's result once it is on disk; None if the data themselves forbid it.

        `purges`: what is deleted shall be gone from the write-ahead log, too.
        """
        if self._closed:
            raise StorageError("the store is closed")
        job = Job(work, purges)
        self._jobs.put(job)
        job.done.wait()
        if job.failure is not None:
            raise job.failure
        return job.result

    def close(self) -> None:
        """Waits for what is on its way."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
            self._thread.join()
            if self._close_pool is not None:
                self._close_pool()
            self._engine.dispose()

    def _run(self) -> None:
        closing = False
        while not closing:
            group: list[Job[Any]] = []
            job = self._jobs.get()
            while True:
                if job is None:
                    closing = True
                else:
                    group.append(job)
                if closing or len(group) >= GROUP_MAX or self._jobs.empty():
                    break
                job = self._jobs.get()
            if group:
                self._commit(group)
                for one in group:
                    one.done.set()

    def _group(self, jobs: list[Job[Any]]) -> None:
        """Every job gets its result or a failure; nothing else comes out of here."""
        try:
            with self._engine.connect() as connection:
                with connection.begin():
                    for job in jobs:
                        try:
                            with connection.begin_nested():
                                job.result = job.work(connection)
                        except IntegrityError:
                            job.result = None
                if any(job.purges for job in jobs):
                    cursor = connection.connection.cursor()  # the driver's: in no transaction
                    cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                    cursor.close()
        except DBAPIError as error:
            failure = StorageError(f"the database cannot be written: {error.orig}")
            for job in jobs:
                job.failure = failure
