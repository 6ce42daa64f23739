"""How the round ended, told by anybody: two taps, a card and a name."""

from __future__ import annotations

from companion.games.saboteur.pages import present
from companion.games.saboteur.pages.cards import FOLDER, LAYOUTS, told, took_back
from companion.games.saboteur.pages.maze import follows
from companion.games.saboteur.pages.views import Result
from companion.tables.model import Table
from companion.web.view import common
from companion.web.view.games import Me
from companion.web.view.models import SeatName
from companion.web.view.moments import Moment
from companion.web.view.panels import Page, Panel, Part, View


class ReportView(View, frozen=True):
    """How the round ended, to be tapped."""

    template = f"{FOLDER}/report.html"

    id: str
    here: str
    back: str
    starter: str  # of the round: counts as the last one where nobody knows who was; empty where
    # plays are reported, which tell it
    seats: tuple[SeatName, ...]


class ReportedView(View, frozen=True):
    """There is nothing to report any more, or yet."""

    template = f"{FOLDER}/reported.html"

    result: Result | None


class ReportLayout(View, frozen=True):
    template = f"{LAYOUTS}/report.html"


class ReportedLayout(View, frozen=True):
    template = f"{LAYOUTS}/reported.html"

    back: str


def _shared(table: Table) -> tuple[Part, ...]:
    return (took_back(table), Panel("notices", common.notices_of(table)))


def _back(me: Me) -> str:
    """A host without a seat is most likely the laptop, whose page is the table screen."""
    table = f"/t/{me.table.id}"
    return f"{table}/screen" if me.hosts and not me.seats else table


def page(moment: Moment, me: Me) -> Page:
    table, phase = moment.table, moment.table.phase
    back = _back(me)
    bar, refused = common.bar(me, None), common.refused(me)
    if phase in ("looking", "playing"):
        seats = tuple(SeatName(seat.id, seat.name) for seat in table.in_play)
        starter = "" if follows(table) else present.starter(table)
        report = Panel("report", ReportView(table.id, me.path, back, starter, seats))
        own = (bar, refused, told(moment, me), common.host_gone(moment, me), report)
        return Page(ReportLayout(), moment.once(_shared, table), own)
    result = present.result(table) if phase in ("settled", "over") else None
    return Page(ReportedLayout(back), (Panel("reported", ReportedView(result)),), (bar, refused))
