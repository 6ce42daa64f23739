"""How the round ended, told by anybody: two taps, a card and a name."""

from __future__ import annotations

from typing import Literal

from companion.games.saboteur.pages import ends, present
from companion.games.saboteur.pages.cards_only import unseen
from companion.games.saboteur.pages.maze import follows
from companion.games.saboteur.pages.views import LAYOUTS, PANELS, RoundResult
from companion.tables.model import Phase, Table
from companion.web.html.cache import TABLE
from companion.web.html.panels import Page, Panel, Part, View
from companion.web.view import common, handovers, presenter
from companion.web.view.me import Me
from companion.web.view.models import SeatName
from companion.web.view.moments import Moment


class ReportView(View, frozen=True):
    """How the round ended, to be tapped."""

    template = f"{PANELS}/report.html"

    here: str
    back: str
    starter: str  # of the round: counts as the last one where nobody knows who was; empty where
    # plays are reported, which tell it
    seats: tuple[SeatName, ...]
    starts_next: bool  # who had the last turn decides who starts the next round
    pays_in_turn: bool  # and who is paid first
    left: int | None  # cards, by the plays reported; None: none are


Why = Literal["over", "told", "no_round", "began", "hosts", "reveal"]
"""Nothing can be reported here: since the round is over, an end waits, none is on, another one has
begun, only the host can, or a goal is to be turned first."""


class ReportedView(View, frozen=True):
    """There is nothing to report any more, or yet."""

    template = f"{PANELS}/reported.html"

    why: Why
    result: RoundResult | None  # where the round is over
    waits: bool  # for this phone's players to look at their roles


class ReportLayout(View, frozen=True):
    template = f"{LAYOUTS}/report.html"


class ReportedLayout(View, frozen=True):
    template = f"{LAYOUTS}/reported.html"

    back: str
    looks: bool  # there: at the own role
    told: bool  # an end waits for an answer


def _is_for_earlier(table: Table, me: Me) -> bool:
    """The round on which the page was opened is over, or its player has not seen the role."""
    return (
        me.dealt not in ("", presenter.deal_of(table))
        or table.phase == Phase.LOOKING
        or unseen(table, me) is not None
    )


def _why_not(table: Table, me: Me) -> Why | None:
    """None: something can be reported here."""
    if table.phase in (Phase.SETTLED, Phase.OVER):
        return "over"
    if table.round.end_waits:
        return "told"
    if table.phase not in (Phase.LOOKING, Phase.PLAYING):
        return "no_round"
    if _is_for_earlier(table, me):
        return "began"
    if not follows(table):
        return None
    if not me.hosts:  # under the referee the plays tell an end, and only the host contradicts them
        return "hosts"
    return "reveal" if presenter.shown_of(table).reveal else None


def page(moment: Moment, me: Me) -> Page:
    table, back = moment.table, common.back(me)
    why = _why_not(table, me)
    above = (common.bar(table, me, None), common.refused(me), ends.waiting_end(moment, me))
    if why:
        result = present.result(table) if why == "over" else None
        on = table.phase in (Phase.LOOKING, Phase.PLAYING)
        looks = on and any(seat.id not in table.round.looked for seat in me.held_in_play)
        reported = ReportedView(why, result, looks and table.phase == Phase.LOOKING)
        layout = ReportedLayout(
            back=f"/t/{TABLE}" if looks else back,
            looks=looks,
            told=table.round.end_waits,
        )
        return Page(layout, (), (*above, Panel("reported", reported)))
    report = ReportView(
        here=me.path,
        back=back,
        starter="" if follows(table) else present.starter(table),
        seats=tuple(SeatName(seat.id, seat.name) for seat in table.in_play),
        starts_next=present.last_starts_next(table),
        pays_in_turn=present.pays_in_turn(table),
        left=present.cards_left(table),
    )
    own = (*above, handovers.host_gone(moment, me), Panel("report", report))
    return Page(ReportLayout(), moment.once(_notices, table), own)


def _notices(table: Table) -> tuple[Part, ...]:
    return ends.notices(table, low=True)
