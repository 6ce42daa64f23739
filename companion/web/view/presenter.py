"""From a table and a viewer to the views that pages are made of; nothing else picks what is shown.

Everything comes from the game's own view for nobody in particular (`game.view(state, None)`), so a
secret cannot slip in here; what only the game knows of it, its own pages add.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.games.game import Game
from companion.tables.model import Device, Player, Seat, Table
from companion.web.view import qr
from companion.web.view.games import Own, pages_of
from companion.web.view.identity_cache import by_identity
from companion.web.view.models import FairLine, Reach, SeatView, TableLink, TableView
from companion.web.view.moments import TABLES_KEPT


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a device, the seat it has chosen, and whether the host is away."""

    device: Device | None  # None: a table screen that came by the join link
    seat: int | None = None
    host_gone: bool = False
    live: str = ""
    turn: int = 0  # quarter turns of the maze
    fair: FairLine | None = None


def shown_of(table: Table) -> Any:
    """The game's own view, for nobody in particular; None in the lobby. The same object for the
    same state."""
    return None if table.play is None else _public(table.game, table.play)


@by_identity(kept=TABLES_KEPT)
def _public(game: Game, play: Any) -> Any:
    return game.view(play, None)


def phase(table: Table) -> str:
    """Where the sitting is: "lobby", "looking", "playing", "settled" or "over"."""
    return _phase(table, shown_of(table))


def _phase(table: Table, shown: Any | None) -> str:
    return "lobby" if shown is None else pages_of(table.game).phase(table, shown)


def seat_views(table: Table, device: Device | None, shown: Any | None) -> tuple[SeatView, ...]:
    """Every seat, clockwise; `shown` is the game's view for nobody in particular."""
    return tuple(_seat_view(table, seat, device, shown) for seat in table.seats)


def _seat_view(
    table: Table, seat: Seat | Player, device: Device | None, shown: Any | None
) -> SeatView:
    """`seat` may have left after the game; then only what it played is left of it."""
    place = table.index(seat.id)
    held_by = seat.device if isinstance(seat, Seat) else ""
    more = (
        pages_of(table.game).seat(shown, place) if shown is not None and place is not None else {}
    )
    return SeatView(
        id=seat.id,
        name=seat.name,
        mine=device is not None and held_by == device,
        host=held_by == table.host,
        looked=seat.id in table.looked,
        free=held_by is None,
        moves=seat.moves if isinstance(seat, Seat) else 0,
        **more,
    )


def table_view(table: Table, viewer: Viewer, reach: Reach) -> TableView:
    game = table.game
    shown = shown_of(table)
    now = _phase(table, shown)
    seats = seat_views(table, viewer.device, shown)
    players = _players(table, seats, viewer.device, shown)
    mine = tuple(seat for seat in seats if seat.mine)
    only = mine[0] if len(mine) == 1 else None
    chosen = next((seat for seat in mine if seat.id == viewer.seat), only)
    host_seat = next((seat for seat in seats if seat.host), None)
    you_host = viewer.device == table.host
    counts = game.seat_counts
    own = Own()
    if shown is not None:
        pages = pages_of(table.game)
        own = pages.own(table, viewer.device, players, shown, viewer.turn)
    return TableView(
        id=table.id,
        phase=now,
        game=game.name,
        edition=table.edition,
        way=table.way,
        language=table.language,
        secrets=game.deals,
        round=own.round,
        rounds=game.rounds,
        seats=seats,
        my_seats=mine,
        seat=chosen,
        you_host=you_host,
        host_seat=host_seat,
        host_gone=viewer.host_gone,
        host_taken=host_seat if table.host_moved else None,
        moved=tuple(seat for seat in seats if seat.id in table.moved),
        undone=own.undone,
        missing=tuple(seat for seat in seats if not seat.looked) if now == "looking" else (),
        min_seats=counts.start,
        max_seats=counts.stop - 1,
        can_start=len(seats) in counts,
        starter=own.starter,
        result=own.result,
        standings=own.standings,
        editions=game.editions,
        ways=tuple(game.modes),
        reach=reach,
        live=viewer.live,
        fair=viewer.fair,
        referee=own.referee,
        asked=own.asked,
    )


def players_of(table: Table, device: Device | None) -> tuple[SeatView, ...]:
    """The players of the game that is on, as everyone may see them, in the game's order."""
    shown = shown_of(table)
    return _players(table, seat_views(table, device, shown), device, shown)


def _players(
    table: Table, seats: tuple[SeatView, ...], device: Device | None, shown: Any | None
) -> tuple[SeatView, ...]:
    """In the game's order, with those who have left since it was over."""
    by_id = {seat.id: seat for seat in seats}
    return tuple(
        by_id.get(player.id) or _seat_view(table, player, device, shown) for player in table.players
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
        game=table.game.name,
        names=tuple(seat.name for seat in table.seats),
        phase=phase(table),
        hosted=table.host == device,
    )
