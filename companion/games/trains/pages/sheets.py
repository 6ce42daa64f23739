"""What opens when somebody taps a face-up card, or the wagon that a drawn one replaces.

Every choice is judged beforehand by the same `decide` that will judge the play, so a sheet offers
what is legal and explains the rest. A sheet changes nothing; its buttons are the plays.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.games.game import Rejection
from companion.games.trains import refusals
from companion.games.trains.pages.present import wagons
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


class TrainsSheets(SheetRequest[Sheet]):
    """Of the Game of Trains."""

    state: State
    kinds = ("use", "card", "act", "deal")

    def __init__(
        self,
        table: Table,
        players: tuple[SeatView, ...],
        mine: Mine,
        asked: Mapping[str, str],
    ) -> None:
        super().__init__(table, players, mine.actor, asked)
        self.dealing = mine.dealing
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
        closed = self.closed(ability=ability)
        if closed is not None:
            return closed
        if "at" in self.asked:
            return self._reached(ability, place_of(self.asked["at"]))
        reach = [at for at in PLACES if self.judge(Use(self.by, ability, at)) is None]
        if not REACH[ability]:
            refusal = self.judge(Use(self.by, ability))
            if refusal is not None:
                return self.refused(refusal)
            return replace(self.blank, kind="remove", ability=ability)
        if not reach:
            place = REACH[ability][0]
            refusal = self.judge(Use(self.by, ability, place))
            assert refusal is not None
            return self.refused(refusal, ability=ability)
        beyond = wagons(self.row, self.locked)
        return replace(
            self.blank,
            kind="use",
            ability=ability,
            previews=tuple(self._preview(ability, at) for at in reach),
            beyond=tuple(each for each in beyond if each.place not in reach),
        )

    def _reached(self, ability: str, at: int) -> Sheet:
        """Why an ability cannot be used at a place; or the choice again, if it can."""
        refusal = self.judge(Use(self.by, ability, at))
        if refusal is None:
            previews = (self._preview(ability, at),)
            return replace(self.blank, kind="use", ability=ability, previews=previews)
        return self.refused(refusal, ability=ability, back=self.back("use"))

    def _preview(self, ability: str, at: int) -> Preview:
        if ability == "protect":
            shown = wagons(self.row, self.locked | {at}, fresh={at})
            return Preview(SIDES[at], at, shown, wins=False)
        touched = disturbed(ability, at)
        row = rearranged(self.row, ability, at)
        fresh = touched if ability.startswith("move") else (touched[0], touched[-1])
        locked = self.locked - set(touched)
        return Preview(str(at), at, wagons(row, locked, fresh=fresh), wins=ascends(row))

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
        return replace(self.blank, kind="deal", target=target)
