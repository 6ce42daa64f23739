"""Parts that the pages of several games have: the head, notices, what was refused, the links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.tables.model import Table
from companion.web.view.models import RefusalView
from companion.web.view.panels import View


@dataclass(frozen=True, slots=True)
class SeatName:
    id: int
    name: str


@dataclass(frozen=True, slots=True)
class BarView(View):
    """The head of a phone's page: the round, and the seat that it is about."""

    template = "panels/bar.html"

    id: str  # of the table
    game: str
    edition: str
    round: int
    rounds: int
    seat: SeatName | None
    here: str

    def context(self) -> Mapping[str, Any]:
        return {"view": self, "here": self.here}


@dataclass(frozen=True, slots=True)
class NoticesView(View):
    """What has happened to the seats and the host, for everybody to see."""

    template = "panels/notices.html"

    moved: tuple[str, ...]  # names of seats that have gone to other phones
    host_taken: str | None  # name of who has just taken over the hosting


def notices_of(table: Table) -> NoticesView:
    host = next((seat.name for seat in table.seats if seat.device == table.host), None)
    return NoticesView(
        tuple(seat.name for seat in table.seats if seat.id in table.moved),
        host if table.host_moved else None,
    )


@dataclass(frozen=True, slots=True)
class HostGoneView(View):
    """That anybody may take over the hosting."""

    template = "panels/host_gone.html"

    id: str
    here: str
    gone: bool

    def context(self) -> Mapping[str, Any]:
        return {"view": self, "here": self.here}


@dataclass(frozen=True, slots=True)
class RefusedView(View):
    """Why what this phone has just sent was not done."""

    template = "panels/refused.html"

    game: str
    edition: str
    here: str
    refusal: RefusalView | None

    def context(self) -> Mapping[str, Any]:
        return {"view": self, "here": self.here, "refusal": self.refusal}


@dataclass(frozen=True, slots=True)
class LinksView(View):
    """Everything else that can be done at the table while a game is on."""

    template = "panels/links.html"

    id: str
    here: str
    my_seats: tuple[SeatName, ...]
    you_host: bool
    phase: str = "playing"
    fair: None = None

    def context(self) -> Mapping[str, Any]:
        return {"view": self, "here": self.here}
