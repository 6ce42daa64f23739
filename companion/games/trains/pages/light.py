"""The light way on pages: whose turn it is, who fills a gap next, and a row that has risen."""

from __future__ import annotations

from companion.games.trains.pages.panels import NotMineView, UndoneView, public_of
from companion.games.trains.pages.present import drafts_of, played_at, told_events
from companion.games.trains.pages.views import LAYOUTS, PANELS, PublicGame
from companion.games.trains.rules.model import DEAL, DRAFT, TURN, State
from companion.games.trains.rules.view import draft_draws
from companion.tables.model import Table
from companion.tables.playing import may_take_back
from companion.web.html.panels import Attributes, Page, Panel, Part, View
from companion.web.view import common, handovers, presenter
from companion.web.view.me import Me
from companion.web.view.models import SeatName, ToldEvent
from companion.web.view.moments import Moment


def is_light(table: Table) -> bool:
    """Whether the table plays so: no rows are known, and there is no record."""
    return not table.game.ways[table.way].recorded


class LightTurnView(View, frozen=True):
    template = f"{PANELS}/light_turn.html"

    name: str  # whose turn it is, or who fills a gap
    draws: int | None  # in the opening draft
    drafts: tuple[tuple[str, int], ...]  # who draws how many in it
    gaps: tuple[str, ...]  # who draws, in this order
    first: bool  # nothing has been played: aim and set-up are said
    last: tuple[ToldEvent, ...]
    wide: bool  # on a table screen
    mine: bool  # it is for a seat on this phone
    several: bool  # of those that it holds


class LightDeedsView(View, frozen=True):
    """What this phone may tell."""

    template = f"{PANELS}/light_deeds.html"

    here: str
    actor: SeatName | None  # whose turn this phone may end
    mine: bool  # with a seat of its own
    gap: bool  # by filling a gap
    removes: bool  # a removal can be used
    version: int  # that the last play led to: who lost a wagon is ticked for one
    seats: tuple[SeatName, ...]  # that may have lost a wagon, where no sheet is opened
    claims: bool  # it holds a seat, or hosts; and it is a phone, which opens sheets
    can_take_back: bool
    wide: bool  # on a table screen, where no sheet is opened


class LightLayout(View, frozen=True):
    template = f"{LAYOUTS}/light.html"


class LightScreenLayout(View, frozen=True):
    template = f"{LAYOUTS}/light_screen.html"

    here: str


def _turn(
    table: Table, *, wide: bool = False, mine: bool = False, several: bool = False
) -> LightTurnView:
    assert table.game_state is not None
    state: State = table.game_state
    names = table.names
    drafts = state.phase in (DEAL, DRAFT)
    return LightTurnView(
        name=names[state.acting],
        draws=draft_draws(state) if drafts else None,
        drafts=drafts_of(names, state.starter) if drafts else (),
        gaps=tuple(names[seat] for seat, _ in state.owed),
        first=not table.round.undo_steps,
        last=told_events(table.game, table.round.last_events, names),
        wide=wide,
        mine=mine,
        several=several,
    )


def _common(moment: Moment, wide: bool) -> tuple[Part, ...]:
    table = moment.table
    public: PublicGame = public_of(moment)
    return (
        Panel("notices", handovers.notices_of(table, low=not wide)),
        Panel("took-back", UndoneView(public.undone, public.corrected)),
        Panel("turn", _turn(table, wide=wide)),
    )


def _deeds(table: Table, me: Me, wide: bool = False) -> Panel:
    assert table.game_state is not None
    players = presenter.players_of(table, me.device)
    turn = players[table.game_state.acting]
    view = LightDeedsView(
        here=me.path,
        actor=SeatName(turn.id, turn.name) if turn.mine or me.hosts else None,
        mine=turn.mine,
        gap=bool(table.game_state.owed),
        removes=table.game_state.phase == TURN,
        version=played_at(table),
        seats=tuple(SeatName(player.id, player.name) for player in players) if wide else (),
        claims=(me.hosts or bool(me.held_in_play)) and not wide,
        can_take_back=may_take_back(table, me.device),
        wide=wide,
    )
    return Panel("deeds", view)


def playing(moment: Moment, me: Me) -> Page:
    table = moment.table
    assert table.game_state is not None
    seat = None if me.several else me.chosen
    acting = table.players[table.game_state.acting].id
    acts = any(each.id == acting for each in me.held_in_play)
    own = (
        common.bar(table, me, seat),
        common.refused(me),
        handovers.host_gone(moment, me),
        Attributes("main", (("data-turn", "mine" if acts else ""),)),
        Panel("mine", _turn(table, mine=True, several=me.several) if acts else NotMineView()),
        _deeds(table, me),
        common.links(me),
    )
    return Page(LightLayout(), moment.once(_common, moment, False), own)


def screen(moment: Moment, me: Me) -> Page:
    own = (
        common.screen_bar(moment.table, me),
        common.refused(me),
        _deeds(moment.table, me, wide=True),
    )
    return Page(LightScreenLayout(me.path), moment.once(_common, moment, True), own)
