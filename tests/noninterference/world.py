"""One server whose clock, chance and keys are pinned, and what it has shown to everybody."""

from __future__ import annotations

import random
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import Context
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any
from unittest import mock

from flask import Flask, Request
from werkzeug.datastructures import ImmutableMultiDict

from companion.games import GAMES
from companion.server.assembly import hub_of, tables_of
from companion.settings import Settings
from companion.tables.log import StorageError
from companion.tables.model import Table
from companion.web import create_app
from companion.web.http.limits import Limits
from companion.web.view.network import fixed
from tests.kit.clock import Clock
from tests.kit.threads import Threads
from tests.noninterference.draws import Draw, Drawer
from tests.storage.memory import MemoryLog

BASE = "http://192.168.1.20:8000"
PUBLIC = "https://play.example.org"


class Pinned:
    """Random numbers for keys, codes and cookies that are the same in every world."""

    def __init__(self) -> None:
        self._random = random.Random(0)

    def at(self, step: int) -> None:
        self._random.seed(step)

    def token_bytes(self, count: int = 32) -> bytes:
        return self._random.randbytes(count)

    def token_hex(self, count: int = 32) -> str:
        return self.token_bytes(count).hex()

    def token_urlsafe(self, count: int = 32) -> str:
        return urlsafe_b64encode(self.token_bytes(count)).rstrip(b"=").decode()

    def choice(self, items: Sequence[Any]) -> Any:
        return self._random.choice(items)

    def randbelow(self, limit: int) -> int:
        return self._random.randrange(limit)


PINNED = Pinned()


@contextmanager
def pinned() -> Iterator[None]:
    names = ("token_bytes", "token_hex", "token_urlsafe", "choice", "randbelow")
    assert all(hasattr(secrets, name) for name in names)
    with (
        mock.patch.multiple(secrets, **{name: getattr(PINNED, name) for name in names}),
        mock.patch("werkzeug.http.datetime", FixedDatetime),  # of a cookie's end
    ):
        yield


class FixedDatetime(datetime):
    """The wall clock stands still."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> FixedDatetime:
        return cls(2026, 1, 31, 20, 15, tzinfo=tz)


class Asked:
    """Which fields of a form, an address or a cookie the program looks for."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def note(self, name: object) -> None:
        if isinstance(name, str):
            self.names.add(name)


ASKED = Asked()


class Watched(ImmutableMultiDict[str, str]):
    """Fields that tell which of them were looked for."""

    def get(self, key: Any, default: Any = None, type: Any = None) -> Any:
        ASKED.note(key)
        return super().get(key, default, type)

    def getlist(self, key: Any, type: Any = None) -> Any:
        ASKED.note(key)
        return super().getlist(key, type)

    def __getitem__(self, key: Any) -> Any:
        ASKED.note(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        ASKED.note(key)
        return super().__contains__(key)


class WatchedRequest(Request):
    parameter_storage_class = Watched
    dict_storage_class = Watched


class Unlimited(Limits):
    """Counts nothing, so that no wall clock comes in; refuses all or nothing."""

    def __init__(self) -> None:
        super().__init__({})
        self.refusing = False

    def may(self, kind: str, who: str) -> bool:
        return not self.refusing

    def hit(self, kind: str, who: str) -> bool:
        return not self.refusing

    def forgive(self, kind: str, who: str) -> None:
        pass

    def wait_s(self, kind: str, who: str) -> int:
        return 7


class Log(MemoryLog):
    """A disk that may be full."""

    full = False
    when_written: Callable[[], None] = staticmethod(lambda: None)
    """Called between the disk and the memory."""

    def append(self, *args: Any) -> bool:
        if self.full:
            raise StorageError("the disk is full")
        written = super().append(*args)
        Context().run(self.when_written)
        return written


class World:
    """One server with its tables, and what everybody at the table has been shown in it."""

    def __init__(self, draw: Draw, *, public: bool = False) -> None:
        self.draw = draw
        self.clock = Clock()
        self.log = Log()
        self.limits = Unlimited()
        self.settings = Settings(
            data=Path("/nowhere"), secret_key="x" * 32, public_url=PUBLIC if public else ""
        )
        self.tables = tables_of(
            self.settings,
            self.log,
            GAMES,
            secret=b"s" * 32,
            clock=self.clock,
            draw=lambda lot: Drawer(self.draw, lot),
            deal_wait_s=0.05,
        )
        self.hub = hub_of(self.settings, self.clock)
        self.app: Flask = create_app(
            self.settings,
            self.tables,
            self.hub,
            Threads(),
            network=lambda: fixed(BASE),
            limits=self.limits,
            heartbeat_s=1e-5,
            clock=self.clock,
        )
        self.app.request_class = WatchedRequest
        self.when_fixed: Callable[[], None] = lambda: None
        """What phones do as soon as a list of seals is fixed."""

        def told(table: Table) -> None:
            if table.deals.sealed is not None:
                Context().run(self.when_fixed)

        self.tables.on_change.append(told)
        self.table_id = ""
        self.games = 0  # begun; told by who plays the evening
        self.shown: list[object] = []
        """Facts, in the order in which they came out; what is taken back stays known."""

    @property
    def table(self) -> Table | None:
        return self.tables.get(self.table_id) if self.table_id else None

    def note_shown(self) -> None:
        """What the rules have shown by now: roles and numbers of gold cards at the end of a round,
        the gold itself at the end of the game."""
        table = self.table
        state = table.game_state if table is not None else None
        if state is None or table is None:
            return
        for number, past in enumerate(state.past):
            spare = self.draw.roles[number % len(self.draw.roles)][-1]
            gained = tuple(len(cards) for cards in past.gold)
            how = (past.won_by, past.finisher, past.last)
            self._show((self.games, number, past.final.roles, spare, *how, gained))
        if state.over:
            self._show((self.games, tuple(past.gold for past in state.past)))

    def _show(self, fact: object) -> None:
        if fact not in self.shown:
            self.shown.append(fact)

    def own_secret(self, rule: str, seat_id: int) -> object:
        """What the holder of a seat is told when it asks for it."""
        table = self.table
        assert table is not None
        assert table.game_state is not None
        seat = table.index(seat_id)
        assert seat is not None
        if rule.endswith("/role"):
            return table.game_state.now.roles[seat]
        return tuple(card for past in table.game_state.past for card in past.gold[seat])

    def secrets(self) -> str:
        """For the message about a leak."""
        return f"roles {self.draw.roles}, gold {self.draw.pile}"
