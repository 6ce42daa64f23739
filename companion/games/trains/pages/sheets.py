"""What opens when somebody taps a face-up card, or the wagon that a drawn one replaces.

Every choice is judged beforehand by the same `decide` that will judge the play, so a sheet offers
what is legal and explains the rest. A sheet changes nothing; its buttons are the plays.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from companion.games.fields import FIRST_PLAYER
from companion.games.game import Rejection
from companion.games.trains import reasons
from companion.games.trains.correct import brought, wagon_told
from companion.games.trains.pages.light import is_light
from companion.games.trains.pages.present import acting, mine_of, public_game, wagons
from companion.games.trains.pages.sheet_views import (
    AbilitySheet,
    ActSheet,
    ClaimSheet,
    CorrectSheet,
    DealSheet,
    GapsSheet,
    Preview,
    PutSheet,
    ReadSheet,
    RefusedSheet,
    RemoveSheet,
    RenumberedSheet,
    UseSheet,
    WagonSheet,
)
from companion.games.trains.pages.views import PUTS, Mine, PublicGame
from companion.games.trains.record import PROTECT_PLACES, SIDES
from companion.games.trains.rules.abilities import (
    ABILITIES,
    GAP,
    PLACES,
    REACH,
    SWAPS,
    Ability,
    Row,
    ascends,
    disturbed,
    placed,
    rearranged,
)
from companion.games.trains.rules.decide import decide, wagon_refusal, whereabouts
from companion.games.trains.rules.model import (
    DRAFT,
    REFILL,
    Draft,
    Draw,
    Gaps,
    Play,
    Refill,
    State,
    Use,
    WagonsRemoved,
)
from companion.tables.correcting import reported
from companion.tables.model import Phase, Table
from companion.web.http.fields import digits
from companion.web.view import presenter
from companion.web.view.games import UnknownSheetError
from companion.web.view.me import Me
from companion.web.view.models import SeatView, ToldEvent
from companion.web.view.sheets import Sheet, SheetRequest


def _number(raw: str) -> int:
    number = digits(raw)
    if number is None:
        raise UnknownSheetError(raw)
    return number


def place_of(raw: str) -> int:
    """A place, as a number or as the record has it for `protect`."""
    place = PROTECT_PLACES.get(raw) or _number(raw)
    if place not in PLACES:
        raise UnknownSheetError(raw)
    return place


def _chosen_by(ability: Ability, at: int) -> tuple[int, ...]:
    """The places whose wagons somebody may tap who wants to use an ability there."""
    return disturbed(ability, at) if ability in SWAPS else (at,)


OF_ROWS = ("use", "card", "act", "deal", "wagon", "mend")
"""Sheets about rows that the program knows."""


class TrainsSheets(SheetRequest):
    """Of the Game of Trains."""

    state: State
    asks = (*OF_ROWS, "gaps", "claim")

    def __init__(
        self,
        table: Table,
        players: tuple[SeatView, ...],
        public: PublicGame,
        mine: Mine,
        asked: Mapping[str, str],
        me: Me,
    ) -> None:
        super().__init__(table, players, mine.actor, asked, me.path)
        if is_light(table) and not asked.keys().isdisjoint(OF_ROWS):
            raise UnknownSheetError("a row, where none is known")
        self.public = public
        self.dealing = mine.dealing
        self.host = mine.host
        self.me = me
        self.by = self.state.turn or FIRST_PLAYER
        self.row: Row = self.state.rows[self.by]
        self.locked = {at for at, card in enumerate(self.state.locks[self.by], 1) if card}

    def refused(
        self, refusal: Rejection, ability: Ability | None = None, back: str = ""
    ) -> RefusedSheet:
        """The verdict: why not."""
        return RefusedSheet(
            **self.frame(self.actor), verdict=self.verdict(refusal), ability=ability, back=back
        )

    def outdated(self, refusal: Rejection) -> RefusedSheet:
        """Bound to no seat, so that a script closes the sheet that was open for the last one."""
        return replace(self.refused(refusal), actor=None)

    def why_closed(self) -> Rejection | None:
        """Why this phone may report for nobody now."""
        if self.state.turn is None:
            return Rejection(reasons.WRONG_PHASE, {"phase": self.state.phase})
        if self.actor is None:
            return Rejection(reasons.NOT_YOUR_TURN, {"seat": self.by})
        return None

    # A face-up card

    def use(self) -> Sheet:
        ability = self.asked["use"]
        if ability not in ABILITIES:
            raise UnknownSheetError(ability)
        card = dict(self.state.market).get(ability, 0)
        closed = self.why_closed()
        if closed is not None:
            return self._read(ability, closed, card)
        if not REACH[ability]:
            return self._remove(ability, card)
        uses = [at for at in REACH[ability] if self.judge(Use(self.by, ability, at)) is None]
        if not uses:
            refusal = self.judge(Use(self.by, ability, REACH[ability][0]))
            assert refusal is not None
            if refusal.reason is reasons.ALREADY_PROTECTED:
                refusal = Rejection(refusal.reason, {"place": reasons.EVERYWHERE})
            return self._read(ability, refusal, card)
        reach = sorted({place for at in uses for place in _chosen_by(ability, at)})
        at = place_of(self.asked["at"]) if "at" in self.asked else 0
        if at and at not in reach:
            refusal = self.judge(Use(self.by, ability, at))
            assert refusal is not None
            return self.refused(refusal, ability, self.back("use"))
        beyond = wagons(self.row, self.locked) if not at else ()
        return UseSheet(
            **self.frame(self.actor),
            ability=ability,
            place=at,
            previews=tuple(
                self._preview(ability, use)
                for use in uses
                if not at or at in _chosen_by(ability, use)
            ),
            reach=tuple(reach),
            beyond=tuple(each for each in beyond if each.place not in reach),
            corrects=self._corrects(card),
            back=self.back("use"),
        )

    def _read(self, ability: Ability, refusal: Rejection, card: int) -> Sheet:
        """What a face-up card does, and why it cannot be used now."""
        if not card:
            return self.refused(refusal, ability)
        return ReadSheet(
            **self.frame(self.actor),
            verdict=self.verdict(refusal),
            ability=ability,
            corrects=self._corrects(card),
        )

    def _remove(self, ability: Ability, card: int) -> Sheet:
        events = decide(self.state, Use(self.by, ability))
        if isinstance(events, Rejection):
            return self._read(ability, events, card)
        assert isinstance(events[0], WagonsRemoved)
        goes = tuple((self.players[seat].name, wagon) for seat, wagon in events[0].removed)
        hit = {seat for seat, _ in events[0].removed}
        return RemoveSheet(
            **self.frame(self.actor),
            ability=ability,
            goes=goes,
            spared=tuple(each.name for seat, each in enumerate(self.players) if seat not in hit),
            corrects=self._corrects(card),
        )

    def _preview(self, ability: Ability, at: int) -> Preview:
        events = decide(self.state, Use(self.by, ability, at))
        assert not isinstance(events, Rejection)
        told = ToldEvent(self.table.game, events[0], self.table.names)
        if ability == "protect":
            shown = wagons(self.row, self.locked | {at})
            return Preview(SIDES[at], shown, wins=False, told=told)
        touched = disturbed(ability, at)
        row = rearranged(self.row, ability, at)
        shown = wagons(row, self.locked - set(touched))
        unlocks = not self.locked.isdisjoint(touched)
        return Preview(str(at), shown, wins=ascends(row), unlocks=unlocks, told=told)

    # The light way

    def gaps(self) -> Sheet:
        """Who lost a wagon by a removal, so that somebody may say it."""
        acts = self.state.acting
        turn = self.players[acts]
        if not (self.host or turn.mine):
            return self.refused(Rejection(reasons.NOT_YOUR_TURN, {"seat": acts}))
        refusal = self.judge(Gaps(acts, ()))
        if refusal is not None:
            return self.refused(refusal)
        return GapsSheet(**self.frame(turn), seats=self.players)

    def claim(self) -> Sheet:
        """A row that has risen; most often of whoever acts."""
        seats = tuple(player for player in self.players if self.host or player.mine)
        turn = self.players[self.state.acting]
        target = turn if turn in seats else None
        return ClaimSheet(**self.frame(None), seats=seats, target=target)

    # What was reported wrongly

    def mend(self) -> Sheet:
        """The wagons of which this phone may correct something."""
        rows = tuple(
            train
            for train, player in zip(self.public.trains, self.players, strict=True)
            if train.wagons and (self.host or player.mine)
        )
        owners = self._owner_by_wagon()
        told = tuple(sorted(self._told_wagons()))
        kept = frozenset((*owners, *told))
        drawn = {card for row in self.state.rows for card in row}
        off_row = {card: player for card, player in owners.items() if card not in drawn}
        left = tuple(
            tuple(sorted(card for card, player in off_row.items() if player.id == train.seat.id))
            for train in rows
        )
        trains = tuple(zip(rows, left, strict=True))
        return CorrectSheet(**self.frame(None), trains=trains, kept=kept, told=told)

    def wagon(self) -> Sheet:
        card = _number(self.asked["wagon"])
        player = self._owner_by_wagon().get(card)
        own = player is not None and (self.host or player.mine)
        told = card in self._told_wagons()
        if not (own or told):  # it has gone meanwhile
            return self.mend()
        if own and "number" in self.asked:
            return self._renumbered(card, _number(self.asked["number"]))
        return WagonSheet(
            **self.frame(None),
            card=card,
            numbers=own,
            abilities=told,
            ability=self.state.known[card] if told else None,
            back=self.back(mend="1"),
        )

    def _renumbered(self, card: int, number: int) -> Sheet:
        refusal = wagon_refusal(self.state, number)
        if refusal is not None:
            return self.refused(refusal, back=self.back("wagon"))
        back = self.back("wagon")
        return RenumberedSheet(**self.frame(None), card=card, number=number, back=back)

    def _owner_by_wagon(self) -> dict[int, SeatView]:
        """Of the wagons that lie on the table, whose row each came to last, where that play is
        among those that are kept."""
        return {
            card: self.players[play.by]
            for play in reported(self.table)
            for card in brought(play)
            if whereabouts(self.state, card) is not None
        }

    def _corrects(self, card: int) -> int:
        return card if card in self._told_wagons() else 0

    def _told_wagons(self) -> set[int]:
        """The wagons whose abilities were told by plays that this phone may correct: a wagon that
        came back was told by several."""
        mine = {player.id for player in self.players if player.mine}
        told, of_others = set(), set()
        for step in self.table.round.undo_steps:
            wagons = {wagon_told(event) for event in step.events}
            told |= wagons
            if not (self.host or step.seat in mine):
                of_others |= wagons
        return {wagon for wagon in told - of_others if wagon is not None}

    # A drawn card

    def card(self) -> Sheet:
        """Where a drawn wagon goes; asks what the one that leaves can do, if nobody knows."""
        card = _number(self.asked["card"] or "0")
        closed = self.why_closed()
        if closed is not None:
            return self.refused(closed)
        phase = self.state.phase
        if self.asked.get("play", PUTS[phase]) != PUTS[phase]:  # the wagon was drawn for another
            return self.outdated(Rejection(reasons.WRONG_PHASE, {"phase": phase}))
        gap = self.row.index(GAP) + 1 if phase == REFILL else 0
        place = gap or place_of(self.asked.get("at", ""))
        leaving = self.state.owed[0][1] if gap else self.row[place - 1]
        refusal = self.judge(self._put(card, place, None))
        if refusal is not None and refusal.reason is not reasons.ABILITY_MISSING:
            return self.refused(refusal)
        row = placed(self.row, place, card)
        locked = self.locked - ({place} if not gap else set())
        preview = Preview(str(place), wagons(row, locked), ascends(row))
        frame, play = self.frame(self.actor), PUTS[phase]
        if refusal is None:
            return PutSheet(**frame, play=play, card=card, preview=preview)
        return AbilitySheet(**frame, play=play, card=card, preview=preview, leaving=leaving)

    def _put(self, card: int, place: int, ability: Ability | None) -> Play:
        if self.state.phase == REFILL:
            return Refill(self.by, card, ability)
        kind = Draft if self.state.phase == DRAFT else Draw
        return kind(self.by, card, place, ability)

    # All of a turn, for a host who reports for somebody else

    def act(self) -> Sheet:
        closed = self.why_closed()
        if closed is not None:
            return self.refused(closed)
        return ActSheet(
            **self.frame(self.actor),
            seat=self.me.chosen.id if self.me.several and self.me.chosen else None,
            from_screen=self.me.from_screen,
            acting=acting(self.public),
            market=self.public.market,
        )

    def deal(self) -> Sheet:
        target = next((p for p in self.dealing if str(p.id) == self.asked["deal"]), None)
        if target is None:
            return self._deal_over()
        return DealSheet(**self.frame(target), number=self.public.game, target=target)

    def _deal_over(self) -> Sheet:
        """Somebody has typed that row meanwhile, or this phone may not."""
        for seat, (player, row) in enumerate(zip(self.players, self.state.rows, strict=True)):
            if str(player.id) == self.asked["deal"] and row:
                return self.outdated(Rejection(reasons.ALREADY_DEALT, {"seat": seat}))
        return self.outdated(Rejection(reasons.WRONG_PHASE, {"phase": self.state.phase}))


def opened(table: Table, me: Me, asked: Mapping[str, str]) -> Sheet | None:
    """What was asked for; None where nothing can be opened now."""
    if table.game_state is None or table.phase != Phase.PLAYING:
        return None
    public, mine = public_game(table), mine_of(table, me.device)
    players = presenter.players_of(table, me.device)
    return TrainsSheets(table, players, public, mine, asked, me).sheet()
