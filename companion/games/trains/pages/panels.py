"""A Game of Trains in parts: what a play changes is a few wagons.

The common parts are made from `PublicGame`, which is made for nobody. The own parts say what this
phone may do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from companion.games.trains.pages import present, sheets
from companion.games.trains.pages.views import Acting, MarketCard, PublicGame, Sheet, Train, Wagon
from companion.games.trains.rules.abilities import PLACES
from companion.games.trains.rules.model import DEAL, TURN
from companion.web.view import common, presenter
from companion.web.view.games import Me
from companion.web.view.models import SeatName, Told
from companion.web.view.moments import Moment
from companion.web.view.panels import Attributes, Keyed, Page, Panel, Part, View

FOLDER = "games/trains/panels"
LAYOUTS = "games/trains/layouts"


# What everybody sees


@dataclass(frozen=True, slots=True)
class LineView(View):
    """Whose row it is, how many wagons are out of place; and the row in words."""

    template = f"{FOLDER}/line.html"

    seat: SeatName
    wagons: tuple[Wagon, ...]
    out_of_order: int | None


@dataclass(frozen=True, slots=True)
class WagonView(View):
    template = f"{FOLDER}/wagon.html"
    worded: ClassVar[bool] = False

    id: str
    wagon: Wagon | None  # None: it is not dealt yet


@dataclass(frozen=True, slots=True)
class TurnView(View):
    """Whose turn it is, and what was played last."""

    template = f"{FOLDER}/turn.html"

    stage: str
    turn: str | None  # name
    missing: tuple[str, ...]  # names of those whose row is not dealt yet
    winner: str | None
    drafts: tuple[tuple[str, int], ...]
    last: tuple[Told, ...]
    wide: bool = False  # on the table screen


@dataclass(frozen=True, slots=True)
class RemovalsView(View):
    """Wagons just removed: they lie on the table, though what they can do is not asked yet."""

    template = f"{FOLDER}/removals.html"

    removals: tuple[tuple[str, int], ...]  # by name of the player
    none: bool  # and it is said that nothing lies face up


@dataclass(frozen=True, slots=True)
class UndoneView(View):
    template = f"{FOLDER}/undone.html"

    undone: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class ScreenMarketView(View):
    template = f"{FOLDER}/screen_market.html"

    market: tuple[MarketCard, ...]


@dataclass(frozen=True, slots=True)
class PlaysView(View):
    template = f"{FOLDER}/plays.html"

    plays: tuple[tuple[Told, ...], ...]


def train_parts(train: Train) -> tuple[Part, ...]:
    """A row with its wagons one by one."""
    seat = train.seat
    plain = tuple(replace(each, joined=False, known=False, fresh=False) for each in train.wagons)
    wagons = tuple(replace(each, known=False) for each in train.wagons) or (None,) * len(PLACES)
    spoken = (("role", "img"), ("aria-labelledby", f"words-{seat.id}"))
    return (
        Attributes(
            f"train-{seat.id}",
            (
                ("data-owner", seat.name),
                ("data-protection", " ".join(map(str, train.locks)) or None),
                ("data-removed", str(train.removed) if train.removed else None),
                ("aria-current", "true" if train.turn else None),
            ),
        ),
        Panel(f"line-{seat.id}", LineView(seat, plain, train.out_of_order)),
        Attributes(f"box-{seat.id}", spoken if train.wagons else (("aria-hidden", "true"),)),
        Keyed(
            f"row-{seat.id}",
            tuple(
                (key, WagonView(key, wagon))
                for place, wagon in zip(PLACES, wagons, strict=True)
                for key in (f"w{seat.id}.{place}",)
            ),
        ),
    )


def _turn(public: PublicGame, wide: bool) -> Panel:
    turn, winner = public.turn, public.winner
    view = TurnView(
        public.stage,
        turn.name if turn else None,
        tuple(seat.name for seat in public.missing),
        winner.name if winner else None,
        public.drafts,
        public.last,
        wide,
    )
    return Panel("turn", view)


def _shared(moment: Moment, public: PublicGame, wide: bool) -> tuple[Part, ...]:
    rows = tuple(part for train in public.trains for part in train_parts(train))
    removals = public.removals if public.winner is None else ()
    return (
        *rows,
        Panel("notices", common.notices_of(moment.table)),
        Panel("took-back", UndoneView(public.undone)),
        Panel("removals", RemovalsView(removals, not public.market and not wide)),
    )


def seat_common(moment: Moment) -> tuple[Part, ...]:
    public = public_of(moment)
    return (*_shared(moment, public, wide=False), _turn(public, wide=False))


SNUG_LETTERS = 16
"""Of the longest name; with longer ones there is less room for what was played."""


def is_snug(public: PublicGame) -> bool:
    return max(len(train.seat.name) for train in public.trains) > SNUG_LETTERS


def screen_common(moment: Moment) -> tuple[Part, ...]:
    public = public_of(moment)
    return (
        *_shared(moment, public, wide=True),
        _turn(public, wide=True),
        Panel("market", ScreenMarketView(public.market if public.winner is None else ())),
        Panel("plays", PlaysView(public.plays[: 1 if is_snug(public) else len(public.plays)])),
    )


# What somebody has opened


@dataclass(frozen=True, slots=True)
class SheetView(View):
    template = f"{FOLDER}/sheet.html"

    id: str
    here: str
    game: str
    edition: str
    number: int  # of the game at this table
    names: tuple[str, ...]  # of the players
    seat: int | None  # that the page is about, of several
    sheet: Sheet
    acting: Acting | None
    market: tuple[MarketCard, ...]


def opened(me: Me, asked: Mapping[str, str]) -> SheetView | None:
    """What was asked for; None where nothing can be opened now."""
    table = me.table
    if table.play is None or table.phase != "playing":
        return None
    public, mine = present.public_game(table), present.mine_of(table, me.device)
    players = presenter.players_of(table, me.device)
    return SheetView(
        table.id,
        me.path,
        table.game.name,
        table.edition,
        public.game,
        tuple(player.name for player in table.players),
        me.chosen.id if me.several and me.chosen else None,
        sheets.TrainsSheets(table, players, mine, asked).sheet(),
        present.acting(public) if public.turn else None,
        public.market,
    )


# What this phone may do


@dataclass(frozen=True, slots=True)
class MineView(View):
    """That it is this phone's turn, and what for; nothing on others."""

    template = f"{FOLDER}/mine.html"

    acting: Acting | None
    name: str  # of the player, where the phone holds several seats
    last: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class MyTrainView(View):
    """The row of whoever acts on this phone: a drawn wagon goes where it is tapped."""

    template = f"{FOLDER}/my_train.html"

    id: str
    here: str
    seat: int | None  # that the page is about, of several
    acting: Acting | None


@dataclass(frozen=True, slots=True)
class CardView(View):
    """A face-up card. `plays`: tapping it uses it; else it says why that cannot be."""

    template = f"{FOLDER}/card.html"

    key: str
    id: str
    here: str
    card: MarketCard
    plays: bool
    actor: int | None  # id of the seat that may use it


@dataclass(frozen=True, slots=True)
class LastView(View):
    template = f"{FOLDER}/last.html"

    last: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class TakeBackView(View):
    template = f"{FOLDER}/take_back.html"

    id: str
    here: str
    can_take_back: bool
    docked: bool = False


@dataclass(frozen=True, slots=True)
class DockView(View):
    """The keys; or whom this phone may report for."""

    template = f"{FOLDER}/dock.html"

    id: str
    here: str
    acting: Acting | None
    report: SeatName | None  # whose turn it is
    dealing: tuple[SeatName, ...]
    can_take_back: bool


@dataclass(frozen=True, slots=True)
class DealingView(View):
    """Seven numbers to type, each in its wagon."""

    template = f"{FOLDER}/dealing.html"

    id: str
    here: str
    game: int
    who: SeatName
    typed: tuple[str, ...]  # a row that was refused, as it was typed


@dataclass(frozen=True, slots=True)
class SeatLayout(View):
    template = f"{LAYOUTS}/seat.html"

    mine: tuple[int, ...]  # seats whose rows come first
    others: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DealingLayout(View):
    template = f"{LAYOUTS}/dealing.html"

    others: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OverLayout(View):
    template = f"{LAYOUTS}/over.html"

    winner: int
    others: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ScreenLayout(View):
    template = f"{LAYOUTS}/screen.html"

    trains: tuple[int, ...]
    over: bool
    snug: bool
    you_host: bool
    here: str


def public_of(moment: Moment) -> PublicGame:
    return moment.once(present.public_game, moment.table)


def _frame(moment: Moment, me: Me) -> tuple[Part, ...]:
    seat = None if me.several else me.chosen
    return (common.bar(me, seat), common.refused(me), common.host_gone(moment, me))


def playing(moment: Moment, me: Me) -> Page:
    public, mine = public_of(moment), present.mine_of(moment.table, me.device)
    dealing = mine.dealing
    if dealing and (dealing[0].mine or not me.held):
        return _dealing(moment, me)
    acting = present.acting(public) if mine.turn else None
    held = tuple(seat.id for seat in me.held)
    if me.several and acting is not None:  # the phone's other rows stand among the others
        held = (acting.actor.id,)
    order = [train.seat.id for train in public.trains]
    layout = SeatLayout(
        tuple(each for each in order if each in held),
        tuple(each for each in order if each not in held),
    )
    chosen = me.chosen.id if me.several and me.chosen else None
    table, here = moment.table.id, me.path
    plays = acting is not None and public.stage == TURN
    actor = mine.actor.id if mine.actor else None
    report = SeatName(mine.actor.id, mine.actor.name) if mine.actor and not mine.turn else None
    own = (
        *_frame(moment, me),
        Attributes("main", (("data-turn", "mine" if mine.turn else ""),)),
        Panel(
            "mine",
            MineView(acting, acting.actor.name if acting and me.several else "", public.last)
            if acting
            else MineView(None, "", ()),
        ),
        Attributes("my-rows", (("hidden", "" if acting else None),)),
        Panel("my-train", MyTrainView(table, here, chosen, acting)),
        Attributes("market", (("hidden", "" if public.stage == DEAL else None),)),
        Keyed(
            "cards",
            tuple(
                (key, CardView(key, table, here, card, plays, actor if plays else None))
                for card in public.market
                for key in (f"m-{card.number}",)
            ),
        ),
        Panel("last", LastView(public.last if acting else ())),
        Panel("take-back", TakeBackView(table, here, acting is not None and mine.can_take_back)),
        common.links(me),
        Panel(
            "dock",
            DockView(
                table,
                here,
                acting,
                report,
                tuple(SeatName(seat.id, seat.name) for seat in dealing),
                mine.can_take_back and acting is None,
            ),
        ),
    )
    return Page(layout, moment.once(seat_common, moment), own)


def _dealing(moment: Moment, me: Me) -> Page:
    table = moment.table
    public, mine = public_of(moment), present.mine_of(table, me.device)
    chosen = next((s for s in mine.dealing if me.chosen and s.id == me.chosen.id), mine.dealing[0])
    who = SeatName(chosen.id, chosen.name)
    typed = me.typed.all("row") if me.typed.get("seat") == str(who.id) else ()
    own = (
        *_frame(moment, me),
        Panel("dealing", DealingView(table.id, me.path, public.game, who, typed)),
        Panel("take-back", TakeBackView(table.id, me.path, mine.can_take_back)),
        common.links(me),
    )
    layout = DealingLayout(tuple(train.seat.id for train in public.trains))
    return Page(layout, moment.once(seat_common, moment), own)


def over(moment: Moment, me: Me) -> Page:
    public, mine = public_of(moment), present.mine_of(moment.table, me.device)
    assert public.winner is not None
    winner = public.winner.id
    layout = OverLayout(winner, _others(public, winner))
    back = TakeBackView(moment.table.id, me.path, mine.can_take_back, docked=True)
    own = (
        *_frame(moment, me),
        common.links(me, over=True),
        common.new_game(me),
        Panel("take-back", back),
    )
    return Page(layout, moment.once(seat_common, moment), own)


def _others(public: PublicGame, winner: int) -> tuple[int, ...]:
    return tuple(train.seat.id for train in public.trains if train.seat.id != winner)


def screen(moment: Moment, me: Me) -> Page:
    public = public_of(moment)
    winner = public.winner
    trains = (winner.id, *_others(public, winner.id)) if winner else _others(public, 0)
    layout = ScreenLayout(trains, winner is not None, is_snug(public), me.hosts, me.path)
    own = (common.screen_bar(me), common.refused(me), common.new_game(me, wide=True))
    return Page(layout, moment.once(screen_common, moment), own)
