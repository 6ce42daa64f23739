"""From a table and a viewer to the views that pages are made of; nothing else picks what is shown.

Everything comes from the game's own view for nobody in particular (`game.view(state, None)`), so a
secret cannot slip in here; `role_of` and `gold_of` alone ask for what one seat may know.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.tables.decide import may_take_back
from companion.tables.evolve import known_rules
from companion.tables.model import Device, Player, Seat, Table
from companion.web import maze, qr, sheets
from companion.web.views import (
    GoldView,
    Reach,
    ResultView,
    RoleView,
    SeatView,
    StandingView,
    TableLink,
    TableView,
)

WAYS = ("roles", "referee")
"""Ways to play that the pages offer."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a device, the seat it has chosen, and whether the host is away."""

    device: Device | None  # None: a table screen that came by the join link
    seat: int | None = None
    host_gone: bool = False
    live: str = ""
    turn: int = 0  # quarter turns of the maze


def _shown(table: Table, place: int | None = None) -> Any | None:
    """The game's own view: for nobody in particular, or for one player."""
    return None if table.play is None else known_rules(table).game.view(table.play, place)


def phase(table: Table) -> str:
    """Where the sitting is: "lobby", "looking", "playing", "settled" or "over"."""
    return _phase(table, _shown(table))


def _phase(table: Table, shown: Any | None) -> str:
    if shown is None:
        return "lobby"
    if shown.phase == "over":
        return "over"
    if shown.phase == "deal":
        return "settled"
    return "playing" if table.began else "looking"


def seat_views(table: Table, device: Device | None, shown: Any | None) -> tuple[SeatView, ...]:
    """Every seat, clockwise; `shown` is the game's view for nobody in particular."""
    return tuple(_seat_view(table, seat, device, shown) for seat in table.seats)


def _seat_view(
    table: Table, seat: Seat | Player, device: Device | None, shown: Any | None
) -> SeatView:
    """`seat` may have left after the game; then only what it played is left of it."""
    place = table.index(seat.id)
    held_by = seat.device if isinstance(seat, Seat) else ""
    last = shown.past[-1] if shown is not None and shown.roles else None
    return SeatView(
        id=seat.id,
        name=seat.name,
        mine=device is not None and held_by == device,
        host=held_by == table.host,
        looked=seat.id in table.looked,
        free=held_by is None,
        moves=seat.moves if isinstance(seat, Seat) else 0,
        gold_cards=shown.gold_cards[place] if shown is not None and place is not None else 0,
        gained=last.gold_cards[place] if last is not None and place is not None else 0,
        role=last.roles[place] if last is not None and place is not None else None,
    )


def table_view(table: Table, viewer: Viewer, reach: Reach) -> TableView:
    game = known_rules(table)
    shown = _shown(table)
    now = _phase(table, shown)
    seats = seat_views(table, viewer.device, shown)
    players = _players(table, seats, viewer.device, shown)
    mine = tuple(seat for seat in seats if seat.mine)
    only = mine[0] if len(mine) == 1 else None
    chosen = next((seat for seat in mine if seat.id == viewer.seat), only)
    host_seat = next((seat for seat in seats if seat.host), None)
    you_host = viewer.device == table.host
    counts = game.seat_counts
    referee = None
    if now == "playing" and maze.follows(table) and shown is not None:
        referee = maze.referee_view(table, viewer.device, players, shown, viewer.turn)
    return TableView(
        id=table.id,
        version=table.version,
        phase=now,
        game=table.game,
        edition=table.edition,
        way=table.way,
        language=table.language,
        round=shown.round if shown is not None else 0,
        rounds=game.game.rounds,
        seats=seats,
        my_seats=mine,
        seat=chosen,
        you_host=you_host,
        host_seat=host_seat,
        host_gone=viewer.host_gone,
        host_taken=host_seat if table.host_moved else None,
        moved=tuple(seat for seat in seats if seat.id in table.moved),
        undone=_undone(table),
        missing=tuple(seat for seat in seats if not seat.looked) if now == "looking" else (),
        min_seats=counts.start,
        max_seats=counts.stop - 1,
        can_start=len(seats) in counts,
        starter=players[shown.starter] if shown is not None and now != "over" else None,
        result=_result(table, players, shown, viewer.device),
        standings=_standings(players, shown),
        editions=game.editions,
        ways=WAYS,
        reach=reach,
        live=viewer.live,
        referee=referee,
        goal=sheets.asked_goal(table, players, referee) if referee is not None else None,
    )


def _undone(table: Table) -> bool | None:
    """The report taken back where nobody follows the plays; `RefereeView` has its own."""
    if table.undone is None or maze.follows(table):
        return None
    return table.undone.events[0].finisher is not None


def players_of(table: Table, device: Device | None) -> tuple[SeatView, ...]:
    """The players of the game that is on, as everyone may see them, in the game's order."""
    shown = _shown(table)
    return _players(table, seat_views(table, device, shown), device, shown)


def _players(
    table: Table, seats: tuple[SeatView, ...], device: Device | None, shown: Any | None
) -> tuple[SeatView, ...]:
    """In the game's order, with those who have left since it was over."""
    by_id = {seat.id: seat for seat in seats}
    return tuple(
        by_id.get(player.id) or _seat_view(table, player, device, shown) for player in table.players
    )


def _result(
    table: Table, players: tuple[SeatView, ...], shown: Any | None, device: Device | None
) -> ResultView | None:
    if shown is None or not shown.roles:
        return None
    last = shown.past[-1]
    return ResultView(
        won_by=last.won_by,
        finisher=None if last.finisher is None else players[last.finisher],
        last=players[last.last] if last.finisher is None else None,
        miners=tuple(seat for seat in players if seat.role == "miner"),
        saboteurs=tuple(seat for seat in players if seat.role == "saboteur"),
        spare=(last.spare,),
        can_take_back=may_take_back(table, device),
    )


def _standings(players: tuple[SeatView, ...], shown: Any | None) -> tuple[StandingView, ...]:
    if shown is None or shown.phase != "over":
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


def reach(table: Table, base: str, key: str, code: str) -> Reach:
    """How a guest gets to `table`, for those who may know it."""
    url = f"{base}/j/{key}"
    wifi = table.wifi
    return Reach(
        url=url,
        address=base.partition("://")[2],
        code=code,
        qr=qr.svg(url),
        wifi=wifi.name if wifi else None,
        wifi_password=(wifi.password or None) if wifi else None,
        wifi_qr=qr.svg(qr.wifi(wifi.name, wifi.password)) if wifi else None,
    )


def link(table: Table, device: Device) -> TableLink:
    return TableLink(
        id=table.id,
        game=table.game,
        names=tuple(seat.name for seat in table.seats),
        phase=phase(table),
        hosted=table.host == device,
    )


# The two secrets. The caller has made sure that the asking device holds the seat.


def role_of(table: Table, seat: Seat, back: str) -> RoleView | None:
    """This seat's own role while a round is on."""
    place = table.index(seat.id)
    shown = None if place is None else _shown(table, place)
    if shown is None or shown.own_role is None:
        return None
    return RoleView(seat=seat.id, name=seat.name, role=shown.own_role, back=back)


def gold_of(table: Table, seat: Seat, back: str) -> GoldView | None:
    """This seat's own gold."""
    place = table.index(seat.id)
    shown = None if place is None else _shown(table, place)
    if shown is None:
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
