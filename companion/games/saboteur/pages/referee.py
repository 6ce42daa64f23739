"""The pages of a round under the referee: what this phone may do, beside what everybody sees."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from companion.games.fields import PlayerIndex
from companion.games.saboteur.pages import cards_only, ends, log, sheets
from companion.games.saboteur.pages import public as public_view
from companion.games.saboteur.pages.panels import (
    LookView,
    ScreenLayout,
    screen_common,
    table_common,
    to_do,
)
from companion.games.saboteur.pages.sheet_views import (
    AskedSheet,
    GoalSheet,
    MazeSheet,
    WhichGoalSheet,
)
from companion.games.saboteur.pages.views import LAYOUTS, PANELS, Mark, May, PublicRound, ToDo
from companion.games.saboteur.rules.cards import Tool
from companion.tables.model import Device, Player, Table
from companion.tables.playing import may_take_back
from companion.web.html.cache import PLAYERS
from companion.web.html.identity_cache import by_identity
from companion.web.html.panels import Attributes, Page, Panel, Part, View
from companion.web.view import common, handovers, presenter
from companion.web.view.common import CorrectionRefusedView, Heading
from companion.web.view.me import Me
from companion.web.view.models import SeatName, ToldEvent
from companion.web.view.moments import TABLES_KEPT, Moment
from companion.web.view.text import longest_word

PHONES_KEPT = 4096
"""Whose own parts are kept."""


# What this phone may do


class MineView(View, frozen=True):
    """That it is this phone's turn, and what for; nothing on others."""

    template = f"{PANELS}/mine.html"

    mine: bool
    name: str  # of the player, where the phone holds several seats
    broken: tuple[Tool, ...]  # tools
    open: bool  # there are places for a card
    reveal: bool  # a goal is being turned
    to_do: ToDo | None


NOT_MINE = MineView(False, "", (), False, False, None)


class AskedView(View, frozen=True):
    """What this phone is asked at once: the goal card that was reached, or first which one."""

    template = f"{PANELS}/asked.html"

    goal: GoalSheet | None = None
    which: WhichGoalSheet | None = None


NOT_ASKED = AskedView()


class DockView(View, frozen=True):
    """What can be reported beside a card that is laid."""

    template = f"{PANELS}/dock.html"

    here: str
    shown: bool
    mine: bool
    actor: SeatName | None  # whom this phone may report for
    reveal: bool
    can_take_back: bool
    from_screen: bool  # the page was opened there, and leads back


class MoreView(View, frozen=True):
    """Links to what this round has besides."""

    template = f"{PANELS}/more.html"

    seated: bool  # on a phone with one seat
    seats: tuple[SeatName, ...]  # of a phone with several
    looked: bool  # all who sit on it, at their roles
    report: str  # address, for the host; else empty


class EntryRefusedView(CorrectionRefusedView, frozen=True):
    template = f"{PANELS}/refused.html"

    version: int  # of the table, that the play led to
    told: ToldEvent


def _refused(table: Table, me: Me) -> Panel:
    if me.refusal is None:
        return common.refused(me)
    step, seen = (common.refused_number(table, me, field) for field in ("step", "version"))
    made = table.round.undo_steps[step : step + 1] if step is not None else ()
    if seen is None or not made or made[0].version > seen:
        return common.refused(me)  # a play that came after the form is another one
    told = log.shown_play(table.game, made[0].events[0]).told
    view = EntryRefusedView(me.path, me.refusal, made[0].version, told)
    return Panel("refusal-box", view)


class SitView(View, frozen=True):
    """Asked once, before the maze is used and where nothing else is asked: where at the table this
    phone's player sits, so that the maze lies as there."""

    template = f"{PANELS}/sit.html"

    asked: bool


SITS_ASKED, SITS_KNOWN = Panel("sit", SitView(True)), Panel("sit", SitView(False))


class TableLayout(View, frozen=True):
    template = f"{LAYOUTS}/table.html"

    crew: tuple[SeatName, ...]  # with marks for their names
    longest_word: int  # of their names: it decides how wide all are


@lru_cache(PHONES_KEPT)
def own_parts(
    me: Me,
    heading: Heading,
    marked: SeatName | None,
    may: May,
    mine: MineView,
    asked: AskedSheet | None,
    beside: tuple[Panel, ...],
    *,
    looked: bool,
) -> tuple[Part, ...]:
    """Cached: most plays change nothing of it, and a stream sees so at once where it is the same
    tuple. `marked`: the seat for the head of the page; `beside`: what is said to this phone, and
    asked of it, beside the round."""
    seat = me.chosen
    several = me.held_in_play if me.several else ()
    return (
        common.bar_of(heading, me, marked),
        Panel("look", LookView(seat is not None, me.named(seat))),
        Panel(
            "more",
            MoreView(not several and seat is not None, several, looked, me.host_page("report")),
        ),
        common.links(me, fair=False),
        *beside,
        Attributes("main", (("data-turn", "mine" if may.mine else ""),)),
        Attributes("mazeview", (("class", "maze small" if asked else "maze"),)),
        Attributes("crewbox", (("hidden", "" if asked else None),)),
        Panel("mine", mine),
        Panel("asked", asked_view(asked)),
        Panel("dock", dock_of(may, asked, me)),
    )


def asked_view(asked: AskedSheet | None) -> AskedView:
    match asked:
        case GoalSheet():
            return AskedView(goal=asked)
        case WhichGoalSheet():
            return AskedView(which=asked)
    return NOT_ASKED


def mine_of(public: PublicRound, may: May, asked: AskedSheet | None, *, several: bool) -> MineView:
    if not may.mine and asked is None:
        return NOT_MINE
    return MineView(
        may.mine,
        public.turn.name if several else "",
        public.broken,
        bool(public.board.places),
        bool(public.reveal),
        to_do(public, asked, mine=may.mine and not several),
    )


def dock_of(may: May, asked: AskedSheet | None, me: Me) -> DockView:
    actor = SeatName(may.actor.id, may.actor.name) if may.actor else None
    return DockView(
        here=me.path,
        shown=asked is None and (actor is not None or may.can_take_back),
        mine=may.mine,
        actor=actor,
        reveal=may.reveal,
        can_take_back=may.can_take_back,
        from_screen=me.from_screen,
    )


# Pages


class Alike(NamedTuple):
    """What is the same for all phones whose view lies alike."""

    public: PublicRound
    concerned: frozenset[Device | None]
    heading: Heading
    layout: TableLayout


def _alike(moment: Moment, quarters: int) -> Alike:
    table, public = moment.table, moment.once(public_of, moment, quarters)
    return Alike(
        public,
        public_view.concerned(table, public),
        moment.once(common.heading_of, table),
        _layout(table.players, presenter.shown_of(table).circle),
    )


def public_of(moment: Moment, quarters: int) -> PublicRound:
    table = moment.table
    players = public_view.nameless(table.seats, table.players)
    public = public_view.public_round(table, players, presenter.shown_of(table), quarters)
    assert public is not None
    return public


def playing(moment: Moment, me: Me) -> Page:
    card = cards_only.card_first(moment, me)
    if card is not None:
        return card
    table = moment.table
    alike = moment.once(_alike, moment, me.quarters)
    public = alike.public
    acts = me.device in alike.concerned
    may = public_view.may(table, public, me.device) if acts else public_view.NOTHING
    asked = sheets.asked_goal(table, public, may, me.path)
    near = me.sheet.mark if isinstance(me.sheet, MazeSheet) else None
    waits = asked is not None or table.round.end_waits
    if near is None:
        shared = moment.once(_table_common, moment, public, None, waits)
    else:  # the page of a sheet without script, which is this phone's alone
        shared = _table_common(moment, public, near, waits)
    own = own_parts(
        replace(me, sheet=None) if me.sheet else me,
        alike.heading,
        common.marked(table, None if me.several else me.chosen),
        may,
        mine_of(public, may, asked, several=me.several),
        asked,
        (
            _refused(table, me),
            ends.waiting_end(moment, me),
            handovers.host_gone(moment, me),
            SITS_KNOWN if me.turned or waits else SITS_ASKED,
        ),
        looked=cards_only.all_seen(table, me),
    )
    return Page(alike.layout, shared, own, typing=may.mine)


def _table_common(
    moment: Moment, public: PublicRound, near: Mark | None, asking: bool
) -> tuple[Part, ...]:
    notices = moment.once(handovers.notices_of, moment.table, asking)
    silent = handovers.is_host_silent(moment, public.turn.id)
    return table_common(moment.table.id, public, notices, near, asking, silent)


@by_identity(kept=TABLES_KEPT)
def _layout(players: tuple[Player, ...], circle: tuple[PlayerIndex, ...]) -> TableLayout:
    crew = tuple(SeatName(players[place].id, PLAYERS[place]) for place in circle)
    return TableLayout(crew, longest_word(player.name for player in players))


class HostToolsView(View, frozen=True):
    """On the table screen of the host: what only the host can do in a round."""

    template = f"{PANELS}/host_tools.html"

    here: str
    shown: bool  # this is the host's, and nobody has told the end yet
    undoes: bool


def playing_screen(moment: Moment, me: Me) -> Page:
    table = moment.table
    public = moment.once(public_of, moment, me.quarters)
    shown = me.hosts and not table.round.end_waits
    undoes = shown and may_take_back(table, me.device)
    tools = Panel("host-tools", HostToolsView(me.path, shown, undoes))
    own = (common.screen_bar(table, me), common.refused(me), ends.waiting_end(moment, me), tools)
    notices = moment.once(handovers.notices_of, table)
    silent = handovers.is_host_silent(moment, public.turn.id, wide=True)
    shared = moment.once(screen_common, table.id, public, notices, silent)
    return Page(ScreenLayout(common.is_snug(table.names), me.path), shared, own)
