"""How the round ended, told by anybody: two taps, a card and a name."""

from __future__ import annotations

from companion.games.saboteur.pages import ends, present
from companion.games.saboteur.pages.cards_only import unseen
from companion.games.saboteur.pages.maze import follows
from companion.games.saboteur.pages.panels import FOLDER, LAYOUTS
from companion.games.saboteur.pages.views import Result
from companion.tables.model import Table
from companion.web.view import common, presenter
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
    starts_next: bool  # who had the last turn decides who starts the next round
    pays_in_turn: bool  # and who is paid first
    left: int | None  # cards, by the plays reported; None: none are


class ReportedView(View, frozen=True):
    """There is nothing to report any more, or yet."""

    template = f"{FOLDER}/reported.html"

    result: Result | None
    told: bool  # an end waits, and stands above
    began: bool = False  # another round
    waits: bool = False  # for this phone's players to look at their roles
    hosts: bool = False  # it is the host's part, and not this phone


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
        or table.phase == "looking"
        or unseen(table, me) is not None
    )


def _is_hosts(table: Table, me: Me) -> bool:
    """Under the referee the plays tell an end, and only the host contradicts them."""
    return follows(table) and not me.hosts


def page(moment: Moment, me: Me) -> Page:
    table, phase = moment.table, moment.table.phase
    back = common.back(me)
    bar, refused = common.bar(table, me, None), common.refused(me)
    own: tuple[Part, ...]
    on = phase in ("looking", "playing")
    earlier = _is_for_earlier(table, me)
    if on and table.waiting_end is None and not earlier and not _is_hosts(table, me):
        seats = tuple(SeatName(seat.id, seat.name) for seat in table.in_play)
        starter = "" if follows(table) else present.starter(table)
        view = ReportView(
            id=table.id,
            here=me.path,
            back=back,
            starter=starter,
            seats=seats,
            starts_next=present.last_starts_next(table),
            pays_in_turn=present.pays_in_turn(table),
            left=present.cards_left(table),
        )
        report = Panel("report", view)
        own = (bar, refused, ends.waiting_end(moment, me), common.host_gone(moment, me), report)
        return Page(ReportLayout(), moment.once(ends.notices, table), own)
    result = present.result(table) if phase in ("settled", "over") else None
    looks = on and any(seat.id not in table.looked for seat in me.held)
    waits = looks and phase == "looking"
    asked = table.waiting_end is not None
    reported = ReportedView(result, asked, began=on and earlier, waits=waits, hosts=on)
    own = (bar, refused, ends.waiting_end(moment, me), Panel("reported", reported))
    layout = ReportedLayout(f"/t/{table.id}" if looks else back, looks, asked)
    return Page(layout, (), own)
