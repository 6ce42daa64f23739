"""What the phones have sent, been told and been shown, held against the log of a killed server."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from werkzeug.datastructures import MultiDict

from companion.storage.sqlite_log import FILE
from companion.tables.keys import Keys
from companion.web.pages import forms
from tests.kit.phone import Answer, Phone

KEYED_ELSEWHERE = ("Looked", "Opened")
"""Events that come from requests whose keys a phone does not choose."""


@dataclass
class Report:
    """One request of one phone, however often it was sent."""

    what: str
    sent: float  # when first, by the monotonic clock
    told: float | None = None  # when its acceptance came
    shows: int = 0  # the version of the page that came with it


@dataclass(frozen=True)
class Line:
    """A row of the log."""

    version: int
    kind: str
    data: bytes
    request: str | None
    device: str
    at: float


@dataclass
class Ledger:
    secret: Callable[[], bytes]
    """The server's, once there is a log."""
    reports: dict[tuple[str, str], Report] = field(default_factory=dict)
    seen: int = 0
    """The newest version that any phone was shown."""
    lines: list[Line] = field(default_factory=list)
    """The log as it was found last."""
    caught: Counter[str] = field(default_factory=Counter)
    """By kind: the last event that a killed server had written."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def show(self, version: int) -> None:
        with self._lock:
            self.seen = max(self.seen, version)

    def sending(self, phone: Phone, name: str, form: dict[str, str]) -> Report:
        """`name` is the command's; the same form sent again is the same report."""
        key = forms.request_key(name, MultiDict(form))
        with self._lock:
            return self.reports.setdefault(
                (phone.device, key), Report(f"{phone.name}: {name} {form}", time.monotonic())
            )

    def answered(self, report: Report, answer: Answer) -> None:
        self.show(answer.version)
        if answer.accepted:
            report.told = report.told or time.monotonic()
            report.shows = answer.version

    def check(self, found: list[Line]) -> None:
        """The log as it lies there: all there, once, in order; nothing rewritten."""
        with self._lock:
            sent, seen = dict(self.reports), self.seen
        keys = Keys(self.secret() if found else b"")
        reports = {keys.request(*of): report for of, report in sent.items()}
        assert [line.version for line in found] == list(range(1, len(found) + 1)), "a gap"
        assert found[: len(self.lines)] == self.lines, "the past was rewritten"
        assert len(found) >= seen, f"shown {seen}, kept {len(found)}"
        self.lines = found
        self.caught.update(line.kind for line in found[-1:])
        kept = [line.request for line in found if line.request is not None]
        assert len(kept) == len(set(kept)), "a request was done twice"
        versions = {line.request: line.version for line in found}
        for request, report in reports.items():
            if report.told is not None:
                assert request in versions, f"lost: {report.what}"
                if report.shows:
                    assert versions[request] <= report.shows, f"not shown: {report.what}"
        newest_sent = 0.0
        for line in found:
            if line.request is None or line.kind in KEYED_ELSEWHERE:
                continue
            report = reports[line.request]  # a KeyError is a play that nobody made
            if report.told is not None:
                assert report.told >= newest_sent, f"reordered: {report.what}"
            newest_sent = max(newest_sent, report.sent)


def lines_of(folder: Path) -> list[Line]:
    """The log, read from a copy: the next server is to find the files as the killed one left them.

    The copy is read as SQLite finds it: with the write-ahead log, without the index of it.
    """
    if not (folder / FILE).exists():
        return []
    with tempfile.TemporaryDirectory() as copy:
        for name in (FILE, f"{FILE}-wal"):
            if (folder / name).exists():
                shutil.copy(folder / name, Path(copy) / name)
        with closing(sqlite3.connect(Path(copy) / FILE)) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            if not database.execute("SELECT 1 FROM sqlite_master WHERE name='events'").fetchone():
                return []
            rows = database.execute(
                "SELECT version, kind, data, request, device, at FROM events ORDER BY version"
            )
            lines = [Line(*row) for row in rows]
            versions = database.execute("SELECT version FROM tables").fetchall()
            assert versions == ([(len(lines),)] if lines else []), (versions, len(lines))
            return lines
