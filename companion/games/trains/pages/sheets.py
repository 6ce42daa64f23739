"""What opens when somebody taps a face-up card, or the wagon that a drawn one replaces.

Every choice is judged beforehand by the same `decide` that will judge the play, so a sheet offers
what is legal and explains the rest. A sheet changes nothing; its buttons are the plays.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.games.game import Rejection
from companion.games.trains import refusals
from companion.games.trains.correct import wagon_told
from companion.games.trains.pages.present import public_game, wagons
from companion.games.trains.pages.views import Mine, Preview, Sheet
from companion.games.trains.record import PROTECT_PLACES, SIDES
from companion.games.trains.rules.abilities import (
    ABILITIES,
    PLACES,
    REACH,
    Row,
    ascends,
    disturbed,
    placed,
    rearranged,
)
from companion.games.trains.rules.decide import decide
from companion.games.trains.rules.light import acting
from companion.games.trains.rules.model import (
    DRAFT,
    REFILL,
    TURN,
    Draft,
    Draw,
    Play,
    Refill,
    State,
    Use,
    WagonsRemoved,
)
from companion.tables.model import Table
from companion.web.view.games import UnknownSheetError
from companion.web.view.models import SeatView
from companion.web.view.sheets import SheetRequest

PUTS = {DRAFT: "draft", TURN: "draw", REFILL: "refill"}
"""By the phase of the game, the play that puts a drawn wagon into a row."""


def _number(raw: str) -> int:
    if not re.fullmatch(r"\d{1,9}", raw, re.ASCII):
        raise UnknownSheetError(raw)
    return int(raw)


def place_of(raw: str) -> int:
    """A place, as a number or as the record has it for `protect`."""
    place = PROTECT_PLACES.get(raw) or _number(raw)
    if place not in PLACES:
        raise UnknownSheetError(raw)
    return place


def _chosen_by(ability: str, at: int) -> tuple[int, ...]:
    """The places whose wagons somebody may tap who wants to use an ability there."""
    if not ability.startswith("swap"):
        return (at,)
    touched = disturbed(ability, at)
    return (touched[0], touched[-1])


OF_ROWS = ("use", "card", "act", "deal", "wagon", "mend")
"""Sheets about rows that the program knows."""


class TrainsSheets(SheetRequest[Sheet]):
    """Of the Game of Trains."""

    state: State
    kinds = (*OF_ROWS, "gaps", "claim")

    def __init__(
        self,
        table: Table,
        players: tuple[SeatView, ...],
        mine: Mine,
        asked: Mapping[str, str],
    ) -> None:
        super().__init__(table, players, mine.actor, asked)
        if self.state.light and not asked.keys().isdisjoint(OF_ROWS):
            raise UnknownSheetError("a row, where none is known")
        self.dealing = mine.dealing
        self.host = mine.host
        self.by: int = self.state.turn or 0
        self.row: Row = self.state.rows[self.by]
        self.locked = {at for at, card in enumerate(self.state.locks[self.by], 1) if card}
        self.blank = Sheet(kind="", path=self.link(asked), actor=mine.actor)

    def closed(self, **more: Any) -> Sheet | None:
        """This phone may report for nobody now."""
        if self.state.turn is None:
            return self.refused(
                Rejection(refusals.WRONG_PHASE, {"phase": self.state.phase}), **more
            )
        if self.actor is None:
            return self.refused(Rejection(refusals.NOT_YOUR_TURN, {"seat": self.by}), **more)
        return None

    # A face-up card

    def use(self) -> Sheet:
        ability = self.asked["use"]
        if ability not in ABILITIES:
            raise UnknownSheetError(ability)
        card = dict(self.state.market).get(ability, 0)
        closed = self.closed(ability=ability)
        if closed is not None:
            return self._read(closed, card)
        if not REACH[ability]:
            return self._remove(ability, card)
        uses = [at for at in REACH[ability] if self.judge(Use(self.by, ability, at)) is None]
        if not uses:
            refusal = self.judge(Use(self.by, ability, REACH[ability][0]))
            assert refusal is not None
            return self._read(self.refused(refusal, ability=ability), card)
        reach = sorted({place for at in uses for place in _chosen_by(ability, at)})
        at = place_of(self.asked["at"]) if "at" in self.asked else 0
        if at and at not in reach:
            refusal = self.judge(Use(self.by, ability, at))
            assert refusal is not None
            return self.refused(refusal, ability=ability, back=self.back("use"))
        beyond = wagons(self.row, self.locked) if not at else ()
        return replace(
            self.blank,
            kind="use",
            ability=ability,
            card=card,
            place=at,
            reach=tuple(reach),
            previews=tuple(
                self._preview(ability, use)
                for use in uses
                if not at or at in _chosen_by(ability, use)
            ),
            beyond=tuple(each for each in beyond if each.place not in reach),
            back=self.back("use") if at else "",
            mends=self._may_mend(card),
        )

    def _read(self, refused: Sheet, card: int) -> Sheet:
        """What a face-up card does, and why it cannot be used now."""
        if not card:
            return refused
        return replace(refused, kind="read", card=card, mends=self._may_mend(card))

    def _remove(self, ability: str, card: int) -> Sheet:
        events = decide(self.state, Use(self.by, ability))
        if isinstance(events, Rejection):
            return self.refused(events, ability=ability)
        assert isinstance(events[0], WagonsRemoved)
        goes = tuple((self.players[seat].name, wagon) for seat, wagon in events[0].removed)
        return replace(
            self.blank,
            kind="remove",
            ability=ability,
            card=card,
            goes=goes,
            mends=self._may_mend(card),
        )

    def _preview(self, ability: str, at: int) -> Preview:
        if ability == "protect":
            shown = wagons(self.row, self.locked | {at}, fresh={at})
            return Preview(SIDES[at], at, shown, wins=False)
        touched = disturbed(ability, at)
        row = rearranged(self.row, ability, at)
        fresh = touched if ability.startswith("move") else (touched[0], touched[-1])
        locked = self.locked - set(touched)
        return Preview(str(at), at, wagons(row, locked, fresh=fresh), wins=ascends(row))

    # The light way

    def gaps(self) -> Sheet:
        """Who lost a wagon by a removal, so that somebody may say it."""
        turn = self.players[acting(self.state)]
        if not (self.host or turn.mine):
            return self.refused(Rejection(refusals.NOT_YOUR_TURN, {"seat": acting(self.state)}))
        return replace(self.blank, kind="gaps", actor=turn, seats=self.players)

    def claim(self) -> Sheet:
        """A row that has risen; most often of whoever acts."""
        seats = tuple(player for player in self.players if self.host or player.mine)
        turn = self.players[acting(self.state)]
        return self.without_plays("claim", seats=seats, target=turn if turn in seats else None)

    # What was reported wrongly

    def mend(self) -> Sheet:
        """The wagons of which this phone may correct something."""
        public = public_game(self.table)
        rows = tuple(
            train
            for train, player in zip(public.trains, self.players, strict=True)
            if train.wagons and (self.host or player.mine)
        )
        return self.without_plays("mend", trains=rows, told=tuple(sorted(self._tells())))

    def wagon(self) -> Sheet:
        card = _number(self.asked["wagon"])
        rows = enumerate(self.state.rows)
        owner = next((self.players[seat] for seat, row in rows if card in row), None)
        own = owner is not None and (self.host or owner.mine)
        told = self._may_mend(card)
        if not card or not (own or told):  # it has gone meanwhile
            return self.mend()
        ability = self.state.known[card] or "" if told else ""
        return self.without_plays(
            "wagon",
            card=card,
            place=int(own),
            ability=ability,
            mends=told,
            back=self.link({"mend": "1"} | self._seat()),
        )

    def _seat(self) -> dict[str, str]:
        return {"seat": self.asked["seat"]} if "seat" in self.asked else {}

    def _may_mend(self, card: int) -> bool:
        return card in self._tells()

    def _tells(self) -> set[int]:
        """The wagons whose abilities were told by plays that this phone may correct."""
        mine = {player.id for player in self.players if player.mine}
        return {
            wagon
            for step in self.table.steps
            if self.host or step.seat in mine
            for event in step.events
            if (wagon := wagon_told(event)) is not None
        }

    # A drawn card

    def card(self) -> Sheet:
        """Where a drawn wagon goes; asks what the one that leaves can do, if nobody knows."""
        card = _number(self.asked["card"] or "0")
        closed = self.closed()
        if closed is not None:
            return closed
        phase = self.state.phase
        gap = self.row.index(0) + 1 if phase == REFILL else 0
        place = gap or place_of(self.asked.get("at", ""))
        leaving = self.state.owed[0][1] if gap else self.row[place - 1]
        refusal = self.judge(self._put(card, place, None))
        if refusal is not None and refusal.reason is not refusals.ABILITY_MISSING:
            return self.refused(refusal)
        row = placed(self.row, place, card)
        locked = self.locked - ({place} if not gap else set())
        preview = Preview(str(place), place, wagons(row, locked, fresh={place}), ascends(row))
        return replace(
            self.blank,
            kind="put" if refusal is None else "ability",
            previews=(preview,),
            play=PUTS[phase],
            card=card,
            place=place,
            leaving=leaving,
        )

    def _put(self, card: int, place: int, ability: str | None) -> Play:
        if self.state.phase == REFILL:
            return Refill(self.by, card, ability)
        kind = Draft if self.state.phase == DRAFT else Draw
        return kind(self.by, card, place, ability)

    # All of a turn, for a host who reports for somebody else

    def act(self) -> Sheet:
        closed = self.closed()
        return closed if closed is not None else replace(self.blank, kind="act")

    def deal(self) -> Sheet:
        target = next((p for p in self.dealing if str(p.id) == self.asked["deal"]), None)
        if target is None:
            return self.refused(Rejection(refusals.WRONG_PHASE, {"phase": self.state.phase}))
        return self.without_plays("deal", target=target)
