"""An evening by forms: a table that phones open, sit down at and play, as pages without script do.

The phones are whatever asks: over sockets (`tests.kit.phone`), or Flask's test client
(`tests/web`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, Generic, TypeVar

from tests.kit.forms import form_of, opening
from tests.kit.phone import Answered, Asks, shown_code, shown_version

P = TypeVar("P", bound=Asks)


class Evening(Generic[P]):
    """`host` opens the table and need not play; `phones` have a seat each, in their order."""

    def __init__(self, new_phone: Callable[[], P]) -> None:
        self._new_phone = new_phone
        self._keys = count(1)
        self.host = new_phone()
        self.phones: list[P] = []
        self.path = ""
        self.code = ""
        self.join = ""
        """Where the short code leads to."""

    def open(self, **choices: str) -> str:
        """Choices are those of the home page: game, way, edition, language. The table's path."""
        self.host.get("/")  # gives the phone its cookie
        self.path = self.sent(self.host, "/open", **opening(**choices))
        self.code = shown_code(self.host.get(f"{self.path}/qr").text)
        self.join = self.sent(self.host, "/code", code=self.code)
        return self.path

    def sit(self, names: Sequence[str], *, host_plays: bool = False) -> list[P]:
        for name in names:
            if host_plays and not self.phones:
                self.phones.append(self.host)
                self.do(self.host, "join", name=name)
                continue
            phone = self._new_phone()
            phone.get(self.join)
            self.sent(phone, self.join, name=name)
            self.phones.append(phone)
        return self.phones

    def start(self, starter: int = 0) -> None:
        self.do(self.host, "start", starter=str(starter + 1))

    def look(self) -> list[str]:
        """Everybody looks at the own role; what they are shown."""
        return [
            self.post(phone, f"{self.path}/role", seat=str(seat)).text
            for seat, phone in enumerate(self.phones, 1)
        ]

    def play(self, play: Any) -> None:
        """By the phone of who makes it."""
        form = form_of(play)
        self.do(self.phones[int(str(form["seat"])) - 1], "play", **form)

    def end(self) -> None:
        self.do(self.host, "end")

    def version(self) -> int:
        return shown_version(self.host.get(f"{self.path}/host").text)

    def do(self, phone: P, command: str, **form: Any) -> None:
        """A command that is accepted."""
        self.sent(phone, f"{self.path}/do/{command}", **{"version": self.version(), **form})

    def sent(self, phone: P, path: str, **form: Any) -> str:
        """A form that is accepted; where it leads to."""
        answer = self.post(phone, path, **form)
        said = re.sub(r"\s+", " ", answer.text)[-500:]
        assert answer.status_code == 303, (path, form, answer.status_code, said)
        return answer.location or ""

    def post(self, phone: P, path: str, **form: Any) -> Answered:
        return phone.post(path, {"key": f"sent{next(self._keys)}", **form})
