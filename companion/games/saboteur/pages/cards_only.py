"""A round that is played with the cards alone: who has looked, who starts, and how it is ended.

In the full referee the looking is the same; the play has pages of its own (`referee`).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.saboteur.pages import ends, present
from companion.games.saboteur.pages.panels import MANY, LookView
from companion.games.saboteur.pages.views import LAYOUTS, PANELS
from companion.tables.model import SeatId, Table
from companion.web.html.cache import PLAYERS
from companion.web.html.panels import Page, Panel, Part, View
from companion.web.view import common, handovers, presenter, scanning
from companion.web.view.common import FairLineView, SetupView
from companion.web.view.me import Me
from companion.web.view.models import Reach, SeatName
from companion.web.view.moments import Moment
from companion.web.view.ring import HandOnView, RingSeatView, RingView
from companion.web.view.text import longest_name, longest_word

IN_DOCK_MAX = 3
"""Seats of one phone whose names have room beside its main button."""

# What everybody sees


class WaitingView(View, frozen=True):
    """Who has not looked at their role yet, with marks for names."""

    template = f"{PANELS}/waiting.html"

    round: int
    names: tuple[str, ...]
    late: tuple[str, ...]  # who plays from the next game on
    players: int


class WaitingNewsView(View, frozen=True):
    """The same, only read aloud, while a phone shows nothing but the card to hold."""

    template = f"{PANELS}/waiting_news.html"

    round: int
    names: tuple[str, ...]


class StarterView(View, frozen=True):
    """Who begins, and who has not looked if the host went on without."""

    template = f"{PANELS}/starter.html"

    name: str  # empty: whose phone it is
    missing: tuple[str, ...]
    late: tuple[str, ...]  # who plays from the next game on
    players: int


class ScreenRoundView(View, frozen=True):
    """On the table screen: whom the round waits for, then who begins."""

    template = f"{PANELS}/screen_round.html"

    waiting: tuple[str, ...]  # names of who has not looked
    round_begun: bool  # whoever has looked
    starter: str
    first: bool  # the first round, which is explained
    late: tuple[str, ...]  # who plays from the next game on
    players: int


class GoldSoFarView(View, frozen=True):
    """How many gold cards each player has; after the first round, on the table screen."""

    template = f"{PANELS}/gold_so_far.html"

    cards: tuple[tuple[str, int], ...]  # by name; empty in the first round


def _waiting(table: Table) -> WaitingView:
    round_ = presenter.shown_of(table).round
    return WaitingView(round_, _missing(table), table.late, len(table.players))


def _marks(table: Table) -> dict[SeatId, str]:
    """For names, where something changes with every look: so all tables share it."""
    return {player.id: mark for player, mark in zip(table.players, PLAYERS, strict=False)}


def _missing(table: Table) -> tuple[str, ...]:
    marks = _marks(table)
    return tuple(marks[seat.id] for seat in table.in_play if seat.id not in table.round.looked)


def _ring(table: Table, me: Me | None, *, wide: bool = False) -> RingView:
    """`me`: whose seats are marked, once everybody has looked."""
    shown = presenter.shown_of(table)
    looks = not table.round.begun
    seats = presenter.in_play(table, me.device if me and not looks else None)
    starter = None if looks else table.players[shown.starter].id
    return RingView(table.game.name, seats, looks=looks, starter=starter, wide=wide)


def _hold_common(table: Table) -> tuple[Part, ...]:
    return (
        *ends.notices(table, low=True),
        Panel("news-now", WaitingNewsView(presenter.shown_of(table).round, _missing(table))),
    )


def _looking_common(table: Table) -> tuple[Part, ...]:
    return (
        *ends.notices(table),
        Panel("waiting", _waiting(table)),
        Panel("setup", SetupView(table.game.name, len(table.in_play), first=1)),
        *_who_looked(table),
    )


def _looking_layout(table: Table) -> LookingLayout:
    names = [seat.name for seat in table.in_play]
    seats = tuple(seat.id for seat in table.in_play)
    return LookingLayout(seats, longest_word(names), longest_name(names))


def _who_looked(table: Table) -> Iterator[Part]:
    """The seats round the table one by one: a look changes one of them."""
    marks = _marks(table)
    seats = presenter.in_play(table, None)
    for at, seat in enumerate(seats, 1):
        marked = replace(seat, name=marks[seat.id])
        yield Panel(f"seat-{seat.id}", RingSeatView(table.game.name, marked, at, len(seats)))


def _starter(table: Table, me: Me) -> StarterView:
    name = "" if present.starts(table, me) else present.starter(table)
    return StarterView(name, table.missing, table.late, len(table.players))


def _screen_common(table: Table, reach: Reach) -> tuple[Part, ...]:
    round_ = presenter.shown_of(table).round
    cards = present.gold_cards(table) if round_ > 1 else ()
    return (
        *ends.notices(table),
        Panel("ring", _ring(table, None, wide=True)),
        Panel(
            "round",
            ScreenRoundView(
                table.missing,
                table.round.begun,
                present.starter(table),
                first=round_ == 1,
                late=table.late,
                players=len(table.players),
            ),
        ),
        Panel("gold-so-far", GoldSoFarView(cards)),
        Panel("scan", scanning.scan(reach, large=False)),
    )


# What this phone may do


class BeginView(View, frozen=True):
    """The host goes on without those who have not looked."""

    template = f"{PANELS}/begin.html"

    here: str
    you_host: bool
    wide: bool = False


class AgainView(View, frozen=True):
    """Where a phone with several seats shows each role once more."""

    template = f"{PANELS}/again.html"

    seats: tuple[SeatName, ...]
    looked: bool  # all of them


class CardsDockView(View, frozen=True):
    """The round is over; the own role once more."""

    template = f"{PANELS}/cards_dock.html"

    ends: bool  # the round is on, and nobody has told its end
    looks: bool  # this phone has one role to look at
    looked: bool = True  # and its player did, or its players
    several: tuple[SeatName, ...] = ()  # whose roles it has to look at
    wide: bool = False


class HoldLayout(View, frozen=True):
    """A phone that shows nothing but the card to hold."""

    template = f"{LAYOUTS}/hold.html"

    seat: SeatName | None  # whose, where the phone holds several


class LookingLayout(View, frozen=True):
    template = f"{LAYOUTS}/looking.html"

    seats: tuple[SeatId, ...]  # clockwise
    longest_word: int
    longest_name: int


class PlayingLayout(View, frozen=True):
    template = f"{LAYOUTS}/playing.html"


class RoundScreenLayout(View, frozen=True):
    template = f"{LAYOUTS}/round_screen.html"

    many: bool  # players
    here: str


def _own(moment: Moment, me: Me, seat: SeatName | None) -> tuple[Part, ...]:
    return (common.bar(moment.table, me, seat), common.refused(me), handovers.host_gone(moment, me))


def _hold(moment: Moment, me: Me, seat: SeatName) -> Page:
    table = moment.table
    layout = HoldLayout(me.named(seat))
    return Page(layout, moment.once(_hold_common, table), _own(moment, me, seat))


def looking(moment: Moment, me: Me) -> Page:
    """First the card to hold; then who has not looked. A phone with several seats asks at each deal
    who holds it now, before any card."""
    table, seat, several = moment.table, me.chosen, me.several
    dealt = presenter.deal_of(table)
    asks = several and me.dealt != dealt
    looks = seat is not None and (not asks or seat.id in table.round.looked)
    if seat and seat.id not in table.round.looked and not table.round.end_waits and not asks:
        return _hold(moment, me, seat)
    left = (
        tuple(each for each in me.held_in_play if each.id not in table.round.looked)
        if several
        else ()
    )
    own = (
        *_own(moment, me, seat),
        ends.waiting_end(moment, me),
        Panel("look", LookView(looks, me.named(seat))),
        Panel("hand-on", HandOnView(table.game.name, dealt, left)),
        Panel("begin", BeginView(me.path, me.hosts)),
        common.links(me),
        Panel(
            "dock",
            CardsDockView(
                ends=False,
                looks=seat is not None and not (left or _in_dock(me)),
                looked=all_seen(table, me),
                several=() if left else _in_dock(me),
            ),
        ),
    )
    layout = moment.once(_looking_layout, table)
    return Page(layout, moment.once(_looking_common, table), own)


def _in_dock(me: Me) -> tuple[SeatName, ...]:
    """Those on a phone of several whose roles are in thumb reach."""
    return me.held_in_play if me.several and len(me.held_in_play) <= IN_DOCK_MAX else ()


def _again(table: Table, me: Me) -> AgainView:
    """Of a tablet in the middle with all the seats."""
    seats = me.held_in_play if me.several and not _in_dock(me) else ()
    return AgainView(seats, all_seen(table, me))


def all_seen(table: Table, me: Me) -> bool:
    """Whether all who sit on this phone have looked at what was dealt."""
    seats = me.held_in_play if me.several else (me.chosen,)
    return all(seen(table, each) for each in seats)


def seen(table: Table, seat: SeatName | None) -> bool:
    """Whether its player has looked at what was dealt; of a seat that has changed phones nobody
    knows that."""
    if seat is None or seat.id in table.handovers.moved:
        return False
    return seat.id in table.round.looked


def unseen(table: Table, me: Me) -> SeatName | None:
    """The phone's one seat whose role is unseen, so that the card comes first; None while an end
    waits."""
    seat = None if me.several else me.chosen
    if seat is None or seat.id in table.round.looked or table.round.end_waits:
        return None
    return seat


def card_first(moment: Moment, me: Me) -> Page | None:
    """Nothing but the card, where it is unseen."""
    seat = unseen(moment.table, me)
    return _hold(moment, me, seat) if seat else None


def playing(moment: Moment, me: Me) -> Page:
    table, several = moment.table, me.several
    card = card_first(moment, me)
    if card is not None:
        return card
    seat = None if several else me.chosen
    own = (
        *_own(moment, me, seat),
        ends.waiting_end(moment, me),
        Panel("look", LookView(me.chosen is not None, me.named(me.chosen))),
        Panel("starter", _starter(table, me)),
        Panel("ring", _ring(table, me)),
        Panel("again", _again(table, me)),
        common.links(me, fair=False),
        Panel(
            "dock",
            CardsDockView(
                ends=not table.round.end_waits,
                looks=seat is not None,
                looked=all_seen(table, me),
                several=_in_dock(me),
            ),
        ),
    )
    return Page(PlayingLayout(), moment.once(ends.notices, table), own)


def screen(moment: Moment, me: Me) -> Page:
    """Of the table, until the round is over."""
    table = moment.table
    can_end = me.hosts and table.round.begun and not table.round.end_waits
    own: tuple[Part, ...] = (
        common.screen_bar(table, me),
        common.refused(me),
        ends.waiting_end(moment, me),
        Panel("fair-line", FairLineView(me.fair)),
        Panel("begin", BeginView(me.path, me.hosts and not table.round.begun, wide=True)),
        Panel("dock", CardsDockView(ends=can_end, looks=False, wide=True)),
    )
    layout = RoundScreenLayout(len(table.in_play) > MANY, me.path)
    return Page(layout, moment.once(_screen_common, table, me.reach), own)
