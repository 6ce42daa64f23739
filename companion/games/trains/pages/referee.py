"""What a phone may do in a Game of Trains, and its pages. The common parts are in `panels`."""

from __future__ import annotations

from companion.games.trains import reasons
from companion.games.trains.pages import light, present
from companion.games.trains.pages.panels import (
    NotMineView,
    over_common,
    public_of,
    screen_common,
    shown,
    table_common,
    turn_view,
)
from companion.games.trains.pages.views import (
    LAYOUTS,
    PANELS,
    Acting,
    MarketCard,
    Mine,
    PublicGame,
)
from companion.games.trains.rules.abilities import PLACES
from companion.games.trains.rules.model import DEAL, TURN
from companion.tables.model import SeatId, Table
from companion.web.html.panels import Attributes, Keyed, Page, Panel, Part, View
from companion.web.view import after_game, common, handovers
from companion.web.view.after_game import NewGameView
from companion.web.view.common import CorrectionRefusedView
from companion.web.view.me import Me
from companion.web.view.models import SeatName, ToldEvent
from companion.web.view.moments import Moment

NUMBER_MAX = 4
"""Characters of a number that is shown again as it was typed: more than any has."""


class MineView(View, frozen=True):
    """That it is this phone's turn, and what for."""

    template = f"{PANELS}/mine.html"

    acting: Acting
    name: str  # of the player, where the phone holds several seats
    last: tuple[ToldEvent, ...]


class MyTrainView(View, frozen=True):
    """The row of whoever acts on this phone: a drawn wagon goes where it is tapped."""

    template = f"{PANELS}/my_train.html"

    here: str
    seat: SeatId | None  # that the page is about, of several
    acting: Acting | None
    from_screen: bool  # the page was opened there, and leads back


class CardView(View, frozen=True):
    """A face-up card: tapping it says what it does. `plays`: it can be used there."""

    template = f"{PANELS}/card.html"

    key: str
    card: MarketCard
    plays: bool


class LastView(View, frozen=True):
    template = f"{PANELS}/last.html"

    last: tuple[ToldEvent, ...]


class TakeBackView(View, frozen=True):
    template = f"{PANELS}/take_back.html"

    here: str
    can_take_back: bool
    corrects: bool = False


class DockView(View, frozen=True):
    """The keys; or whom this phone may report for."""

    template = f"{PANELS}/dock.html"

    here: str
    acting: Acting | None
    report: SeatName | None  # whose turn it is
    dealing: tuple[SeatName, ...]
    can_take_back: bool


class DealingView(View, frozen=True):
    """Seven numbers to type, each in its wagon."""

    template = f"{PANELS}/dealing.html"

    here: str
    game: int
    who: SeatName
    typed: tuple[str, ...]  # a row that was refused, as it was typed
    starter: str  # name
    starts: bool  # whom the page calls “you”

    @property
    def lasts(self) -> bool:
        return not self.typed


class AgainView(View, frozen=True):
    """After a game: another one, and who starts it."""

    template = f"{PANELS}/again.html"

    again: NewGameView


def _again(table: Table, me: Me, wide: bool = False) -> Panel:
    return Panel("new-game", AgainView(after_game.new_game_view(table, me, wide)))


class TableLayout(View, frozen=True):
    template = f"{LAYOUTS}/table.html"

    mine: tuple[SeatId, ...]  # whose rows come first
    others: tuple[SeatId, ...]


class DealingLayout(View, frozen=True):
    template = f"{LAYOUTS}/dealing.html"

    who: str  # whose wagons, unless they are of the phone's only seat
    others: tuple[SeatId, ...]


class OverLayout(View, frozen=True):
    template = f"{LAYOUTS}/over.html"

    winner: SeatId | None
    others: tuple[SeatId, ...]


class ScreenLayout(View, frozen=True):
    template = f"{LAYOUTS}/screen.html"

    trains: tuple[SeatId, ...]
    over: bool
    snug: bool
    you_host: bool
    here: str


class CorrectRefusedView(CorrectionRefusedView, frozen=True):
    template = f"{PANELS}/refused.html"

    wagon: int
    number: int
    """That it has, where it must be said what a wagon of that number can do; 0 elsewhere."""


def _refused(table: Table, me: Me) -> Panel:
    wagon = common.refused_number(table, me, "card")
    if me.refusal is None or wagon is None or "play" in dict(me.typed.fields):
        return common.refused(me)
    unknown = me.refusal.reason is reasons.ABILITY_MISSING
    number = common.refused_number(table, me, "number") if unknown else None
    view = CorrectRefusedView(me.path, me.refusal, wagon, number or 0)
    return Panel("refusal-box", view)


def _frame(moment: Moment, me: Me) -> tuple[Part, ...]:
    table, seat = moment.table, None if me.several else me.chosen
    return (common.bar(table, me, seat), _refused(table, me), handovers.host_gone(moment, me))


def playing(moment: Moment, me: Me) -> Page:
    if light.is_light(moment.table):
        return light.playing(moment, me)
    public, mine = public_of(moment), present.mine_of(moment.table, me.device)
    if mine.dealing and (mine.dealing[0].mine or not me.held_in_play):
        return _dealing(moment, me)
    acting = present.acting(public) if mine.turn else None
    saved = public.version > 0
    own = (
        *_frame(moment, me),
        *_turn(public, mine, me, acting),
        *_market(public, acting),
        Panel("last", LastView(public.last_in_sight if acting else ())),
        Panel(
            "take-back",
            TakeBackView(me.path, acting is not None and mine.can_take_back, mine.corrects),
        ),
        common.links(me, record=me.address_of("record.jsonl") if saved else ""),
        Panel("dock", _dock(mine, me, acting)),
    )
    layout = _table_layout(public, me, acting)
    return Page(layout, moment.once(table_common, moment), own, typing=acting is not None)


def _table_layout(public: PublicGame, me: Me, acting: Acting | None) -> TableLayout:
    held = {seat.id for seat in me.held_in_play}
    if me.several and acting is not None:  # the phone's other rows stand among the others
        held = {acting.actor.id}
    order = [train.seat.id for train in public.trains]
    return TableLayout(
        tuple(each for each in order if each in held),
        tuple(each for each in order if each not in held),
    )


def _turn(public: PublicGame, mine: Mine, me: Me, acting: Acting | None) -> tuple[Part, ...]:
    """What the phone says of the turn, and the row of whoever has it on this phone."""
    named = acting.actor.name if acting and me.several else ""
    chosen = me.chosen.id if me.several and me.chosen else None
    stage = f"{public.stage} {acting.actor.id if acting else ''}"
    turn = "mine" if mine.turn else ""
    return (
        Attributes("main", (("data-turn", turn), ("data-stage", stage))),
        Panel("mine", MineView(acting, named, public.last) if acting else NotMineView()),
        Attributes("my-rows", (("hidden", "" if acting else None),)),
        Panel("my-train", MyTrainView(me.path, chosen, acting, me.from_screen)),
    )


def _market(public: PublicGame, acting: Acting | None) -> tuple[Part, ...]:
    """The face-up cards, which whoever has the turn may use."""
    plays = acting is not None and public.stage == TURN
    keys = [(f"m-{card.number}", card) for card in public.market]
    return (
        Attributes("market", (("hidden", "" if public.stage == DEAL else None),)),
        Keyed("cards", tuple((key, CardView(key, card, plays)) for key, card in keys)),
    )


def _dock(mine: Mine, me: Me, acting: Acting | None) -> DockView:
    report = SeatName(mine.actor.id, mine.actor.name) if mine.actor and not mine.turn else None
    return DockView(
        me.path,
        acting,
        report,
        tuple(SeatName(seat.id, seat.name) for seat in mine.dealing),
        mine.can_take_back and acting is None,
    )


def _dealing(moment: Moment, me: Me) -> Page:
    table = moment.table
    public, mine = public_of(moment), present.mine_of(table, me.device)
    chosen = next((s for s in mine.dealing if me.chosen and s.id == me.chosen.id), mine.dealing[0])
    who = SeatName(chosen.id, chosen.name)
    row = me.typed.all("row")[: len(PLACES)] if me.typed.get("seat") == str(who.id) else ()
    typed = tuple(each[:NUMBER_MAX] for each in row)
    starter = public.starter
    dealing = DealingView(me.path, public.game, who, typed, starter.name, starter.id == me.you)
    own = (
        *_frame(moment, me),
        Panel("dealing", dealing),
        Panel("take-back", TakeBackView(me.path, mine.can_take_back, mine.corrects)),
        common.links(me),
    )
    layout = DealingLayout(
        "" if me.held_in_play and not me.several else who.name,
        tuple(train.seat.id for train in public.trains),
    )
    return Page(layout, moment.once(table_common, moment), own, typing=True)


def over(moment: Moment, me: Me) -> Page:
    public, mine = public_of(moment), present.mine_of(moment.table, me.device)
    winner = public.winner.id if public.winner else None
    won = winner is not None and [seat.id for seat in me.held_in_play] == [winner]
    layout = OverLayout(winner, _others(public, winner))
    back = TakeBackView(me.path, mine.can_take_back)
    own = (
        *_frame(moment, me),
        Panel("mine", turn_view(public, mine=True) if won else NotMineView()),
        after_game.watch(moment.table, me),
        common.links(me, record=after_game.record_of(moment.table, me)),
        _again(moment.table, me),
        Panel("take-back", back),
    )
    return Page(layout, moment.once(over_common, moment), own)


def _others(public: PublicGame, winner: SeatId | None) -> tuple[SeatId, ...]:
    return tuple(train.seat.id for train in shown(public) if train.seat.id != winner)


def screen(moment: Moment, me: Me) -> Page:
    if light.is_light(moment.table) and moment.table.playing:
        return light.screen(moment, me)
    public = public_of(moment)
    winner = public.winner
    trains = (winner.id, *_others(public, winner.id)) if winner else _others(public, None)
    snug = common.is_snug(moment.table.names)
    layout = ScreenLayout(trains, public.over, snug, me.hosts, me.path)
    again = (_again(moment.table, me, wide=True),) if public.over else ()
    own = (
        common.screen_bar(moment.table, me),
        common.refused(me),
        after_game.watch(moment.table, me),
        *again,
    )
    return Page(layout, moment.once(screen_common, moment), own)
