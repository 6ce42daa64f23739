"""What the pages show of Saboteur: roles once they are turned over, gold, how a round ended.

Everything comes from the game's own view for nobody in particular, so a secret cannot slip in here;
`role_of` and `gold_of` alone ask for what one seat may know.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from companion.games.game import Game
from companion.games.saboteur.pages import maze, sheets
from companion.games.saboteur.pages.views import (
    GoldView,
    ResultView,
    RoleView,
    StandingView,
    UndoneView,
)
from companion.games.saboteur.rules.model import ResultTold
from companion.tables.decide import may_take_back
from companion.tables.model import Device, Seat, Step, Table
from companion.web.view.games import Own
from companion.web.view.identity_cache import by_identity
from companion.web.view.models import SeatView
from companion.web.view.moments import TABLES_KEPT


def phase(table: Table, shown: Any) -> str:
    if shown.phase == "over":
        return "over"
    if shown.phase == "deal":
        return "settled"
    return "playing" if table.began else "looking"


def seat(shown: Any, place: int) -> dict[str, Any]:
    last = shown.past[-1] if shown.roles else None
    return {
        "gold_cards": shown.gold_cards[place],
        "gained": last.gold_cards[place] if last is not None else 0,
        "role": last.roles[place] if last is not None else None,
    }


def own(
    table: Table, device: Device | None, players: tuple[SeatView, ...], shown: Any, turn: int
) -> Own:
    now = phase(table, shown)
    referee = asked = None
    if now == "playing" and maze.follows(table):
        public = maze.public_round(table, players, shown, turn)
        assert public is not None
        referee = maze.referee_view(table, public, device)
        asked = sheets.asked_goal(table, public, maze.may(table, public, device))
    return Own(
        round=shown.round,
        starter=players[shown.starter] if now != "over" else None,
        result=_result(table, players, shown, device),
        standings=_standings(players, shown),
        undone=_undone(table, players) if referee is None else (),
        referee=referee,
        asked=asked,
    )


def _undone(table: Table, players: tuple[SeatView, ...]) -> tuple[UndoneView, ...]:
    """All ends of this round that were taken back, oldest first: what lay open in between has been
    seen, and everybody may know who had that done."""
    return tuple(
        UndoneView(
            undone_by=table.name_of(by),
            won_by=won_by,
            finisher=None if finisher is None else players[finisher],
            last=players[last] if finisher is None else None,
            times=times,
        )
        for (by, won_by, finisher, last), times in _ends(table.game, table.ends_undone).items()
    )


@by_identity(kept=TABLES_KEPT)
def _ends(game: Game, undone: tuple[Step, ...]) -> Counter[tuple[Device, str, int | None, int]]:
    """How often each end was taken back: by whom, who had won, and the players' game numbers."""
    pasts = ((step.by, game.fold(step.before, step.events).past[-1]) for step in undone)
    return Counter((by, past.won_by, past.finisher, past.last) for by, past in pasts)


def _result(
    table: Table, players: tuple[SeatView, ...], shown: Any, device: Device | None
) -> ResultView | None:
    if not shown.roles:
        return None
    last = shown.past[-1]
    return ResultView(
        won_by=last.won_by,
        finisher=None if last.finisher is None else players[last.finisher],
        last=players[last.last] if last.finisher is None else None,
        miners=tuple(seat for seat in players if seat.role == "miner"),
        saboteurs=tuple(seat for seat in players if seat.role == "saboteur"),
        spare=(last.spare,),
        told=any(isinstance(event, ResultTold) for event in table.steps[-1].events)
        if table.steps
        else False,
        can_take_back=may_take_back(table, device),
    )


def _standings(players: tuple[SeatView, ...], shown: Any) -> tuple[StandingView, ...]:
    if shown.phase != "over":
        return ()
    places = [rank.place for rank in shown.ranks]
    return tuple(
        StandingView(
            place=rank.place,
            shared=places.count(rank.place) > 1,
            seat=players[rank.seat],
            nuggets=rank.nuggets,
            nuggets_by_round=tuple(sum(past.gold[rank.seat]) for past in shown.past),
            cards_by_round=tuple(past.gold[rank.seat] for past in shown.past),
            roles=tuple(past.roles[rank.seat] for past in shown.past),
        )
        for rank in shown.ranks
    )


# The two secrets. The caller has made sure that the asking device holds the seat.


def _own_view(table: Table, place: int | None) -> Any | None:
    """What one player may know; None where the game is not theirs, or is another."""
    if table.game.name != "saboteur" or table.play is None or place is None:
        return None
    return table.game.view(table.play, place)


def role_of(table: Table, seat: Seat, back: str) -> RoleView | None:
    """This seat's own role while a round is on."""
    place = table.index(seat.id)
    shown = _own_view(table, place)
    if shown is None or shown.own_role is None:
        return None
    return RoleView(seat=seat.id, name=seat.name, role=shown.own_role, back=back)


def gold_of(table: Table, seat: Seat, back: str) -> GoldView | None:
    """This seat's own gold."""
    place = table.index(seat.id)
    shown = _own_view(table, place)
    if shown is None or place is None:
        return None
    gained = shown.past[-1].gold_cards[place] if shown.roles else 0
    return gold_view(seat, shown.own_gold, gained, back)


def gold_view(seat: Seat, held: tuple[int, ...], gained: int, back: str) -> GoldView:
    return GoldView(
        seat=seat.id,
        name=seat.name,
        gained=held[len(held) - gained :],
        held=held,
        nuggets=sum(held),
        back=back,
    )
