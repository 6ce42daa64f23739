"""What everybody sees of a Game of Trains, in parts: what a play changes is a few wagons.

The parts are made from `PublicGame`, which is made for nobody.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from companion.games.trains.pages import present
from companion.games.trains.pages.views import (
    PANELS,
    Amended,
    Call,
    MarketCard,
    PublicGame,
    Train,
    Wagon,
)
from companion.games.trains.rules.abilities import PLACES
from companion.games.trains.rules.model import Phase
from companion.web.html.panels import Attributes, Keyed, Panel, Part, View
from companion.web.view import common, handovers
from companion.web.view.models import SeatName, ToldEvent
from companion.web.view.moments import Moment


def public_of(moment: Moment) -> PublicGame:
    return moment.once(present.public_game, moment.table)


class LineView(View, frozen=True):
    """Whose row it is, how many wagons are out of place; and the row in words."""

    template = f"{PANELS}/line.html"

    seat: SeatName
    wagons: tuple[Wagon, ...]
    out_of_order: int | None
    astray: int | None


class WagonView(View, frozen=True):
    template = f"{PANELS}/wagon.html"
    worded: ClassVar[bool] = False

    id: str
    wagon: Wagon | None  # None: it is not dealt yet


class TurnView(View, frozen=True):
    """Whose turn it is, and what was played last."""

    template = f"{PANELS}/turn.html"

    stage: Phase
    turn: str | None  # name
    missing: tuple[str, ...]  # names of those whose row is not dealt yet
    starter: str  # name
    winner: str | None
    drafts: tuple[tuple[str, int], ...]
    last: tuple[ToldEvent, ...]  # to be heard
    in_sight: tuple[ToldEvent, ...]
    silent: bool = False  # it is the host's, whose device does not answer
    wide: bool = False  # on the table screen
    mine: bool = False  # this phone's only seat has won


class NotMineView(View, frozen=True):
    """Stands where a phone would say what is its own: its turn, or that it has won."""

    template = f"{PANELS}/not_mine.html"


class RemovalsView(View, frozen=True):
    """Wagons just removed: they lie on the table, though what they can do is not asked yet."""

    template = f"{PANELS}/removals.html"

    removals: tuple[tuple[str, int], ...]  # by name of the player
    none: bool  # and it is said that nothing lies face up


class UndoneView(View, frozen=True):
    template = f"{PANELS}/undone.html"

    undone: Amended | None
    corrected: Amended | None


class CallsView(View, frozen=True):
    """What the hands do with the cards now."""

    template = f"{PANELS}/calls.html"

    calls: tuple[Call, ...]
    by: str  # whose hands; empty: that is not known


class TallyView(View, frozen=True):
    """Who has won how often at this table, and earlier games, whose records can be saved."""

    template = f"{PANELS}/tally.html"

    wins: tuple[tuple[str, int], ...]  # by name of the player, most first
    finished: tuple[tuple[int, str], ...]  # number and winner


class ScreenMarketView(View, frozen=True):
    template = f"{PANELS}/screen_market.html"

    market: tuple[MarketCard, ...]


class PlaysView(View, frozen=True):
    template = f"{PANELS}/plays.html"

    plays: tuple[tuple[ToldEvent, ...], ...]


def train_parts(train: Train) -> tuple[Part, ...]:
    """A row with its wagons one by one."""
    seat = train.seat
    plain = tuple(replace(each, joined=False, known=False) for each in train.wagons)
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
        Panel(f"line-{seat.id}", LineView(seat, plain, train.out_of_order, train.astray)),
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


def shown(public: PublicGame) -> tuple[Train, ...]:
    """The rows that a page has: of a game that is over those that somebody has told. Where no plays
    are reported it is the winner's, or none."""
    return tuple(train for train in public.trains if train.wagons or not public.over)


def turn_view(
    public: PublicGame, *, silent: bool = False, wide: bool = False, mine: bool = False
) -> TurnView:
    turn, winner = public.turn, public.winner
    return TurnView(
        stage=public.stage,
        turn=turn.name if turn else None,
        missing=tuple(seat.name for seat in public.missing),
        starter=public.starter.name,
        winner=winner.name if winner else None,
        drafts=public.drafts,
        last=public.last,
        in_sight=public.last_in_sight,
        silent=silent,
        wide=wide,
        mine=mine,
    )


def _is_silent(moment: Moment, public: PublicGame, wide: bool) -> bool:
    turn = public.turn
    return turn is not None and handovers.is_host_silent(moment, turn.id, wide=wide)


def _shared(moment: Moment, public: PublicGame, wide: bool) -> tuple[Part, ...]:
    rows = tuple(part for train in shown(public) for part in train_parts(train))
    removals = () if public.over else public.removals
    return (
        *rows,
        Panel("notices", handovers.notices_of(moment.table, low=not wide)),
        Panel("took-back", UndoneView(public.undone, public.corrected)),
        Panel("calls", CallsView(() if public.over else public.calls, public.called)),
        Panel("removals", RemovalsView(removals, not public.market and not wide)),
    )


def over_common(moment: Moment) -> tuple[Part, ...]:
    public = public_of(moment)
    return (*table_common(moment), Panel("tally", TallyView(public.wins, public.finished)))


def table_common(moment: Moment) -> tuple[Part, ...]:
    public = public_of(moment)
    return (
        *_shared(moment, public, wide=False),
        Panel("turn", turn_view(public, silent=_is_silent(moment, public, wide=False))),
    )


def _plays_told(public: PublicGame, snug: bool) -> int:
    """On the table screen: as many as there is room for."""
    if snug:
        return 1
    return max(1, 3 - len(public.calls) - len(public.market) // 3)


def screen_common(moment: Moment) -> tuple[Part, ...]:
    public = public_of(moment)
    plays = public.plays[: _plays_told(public, common.is_snug(moment.table.names))]
    return (
        *_shared(moment, public, wide=True),
        Panel("turn", turn_view(public, silent=_is_silent(moment, public, wide=True), wide=True)),
        Panel("market", ScreenMarketView(() if public.over else public.market)),
        Panel("tally", TallyView(public.wins if public.over else (), ())),
        Panel("plays", PlaysView(plays and (public.last_in_sight, *plays[1:]))),
    )
