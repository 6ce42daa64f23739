"""What the pages show of Saboteur: roles once they are turned over, gold, how a round ended.

Everything comes from the game's own view for nobody in particular, so a secret cannot slip in here;
`roles` and `gold` alone ask for what one seat may know.
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
from companion.games.saboteur.rules.cards import GOLD_COPIES, ROLES
from companion.games.saboteur.rules.model import ResultTold
from companion.tables.decide import may_take_back
from companion.tables.model import Device, Seat, Step, Table
from companion.web.view.games import Own
from companion.web.view.identity_cache import by_identity
from companion.web.view.models import SeatView
from companion.web.view.moments import TABLES_KEPT


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
    now = table.phase
    referee = None
    if now == "playing" and maze.follows(table):
        referee = maze.referee_view(table, device, players, shown, turn)
    return Own(
        round=shown.round,
        starter=players[shown.starter] if now != "over" else None,
        result=_result(table, players, shown, device),
        standings=_standings(players, shown),
        undone=_undone(table, players) if referee is None else (),
        referee=referee,
        asked=sheets.asked_goal(table, players, referee) if referee is not None else None,
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


def roles(table: Table, seat: Seat) -> tuple[RoleView, ...]:
    """This seat's own role while a round is on, and both that there are."""
    own = _own_view(table, seat)
    if own is None or own.own_role is None:
        return ()
    return tuple(map(RoleView, (own.own_role, *ROLES)))


def gold(table: Table, seat: Seat) -> tuple[GoldView, ...]:
    """This seat's own gold."""
    own = _own_view(table, seat)
    if own is None:
        return ()
    return gold_views(own.own_gold, own.past[-1].gold_cards[own.seat] if own.roles else 0)


def gold_views(held: tuple[int, ...], gained: int) -> tuple[GoldView, ...]:
    """These cards, and as many of each value: how many they are all may know."""
    alike = ((value,) * len(held) for value in GOLD_COPIES)
    return tuple(GoldView(cards, gained) for cards in (held, *alike))


def _own_view(table: Table, seat: Seat) -> Any | None:
    """What the player of a seat may know; None where the game is not theirs."""
    index = table.index(seat.id)
    if table.play is None or index is None:
        return None
    return table.game.view(table.play, index)
