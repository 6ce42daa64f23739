"""From a table to the values that pages are made of.

Of the game they come from its own view for nobody in particular (`game.view(state, None)`), so a
secret cannot slip in here; what only the game knows of it, its own pages add.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from companion.games.game import AnyGame
from companion.tables.identity import name_of, seats_it_goes_by
from companion.tables.model import Actor, Device, Player, Seat, SeatId, Table, UndoStep, Wifi
from companion.web.html import qr
from companion.web.html.identity_cache import by_identity
from companion.web.view.games import pages_of
from companion.web.view.models import Agreed, Doer, Elsewhere, GuestWifi, Reach, SeatView
from companion.web.view.moments import TABLES_KEPT
from companion.web.view.network import Network


def shown_of(table: Table) -> Any:
    """The game's own view, for nobody in particular; None in the lobby. The same object for the
    same state."""
    return None if table.game_state is None else _public(table.game, table.game_state)


@by_identity(kept=TABLES_KEPT)
def _public(game: AnyGame, state: Any) -> Any:
    return game.view(state, None)


def round_of(table: Table) -> int:
    """0 in the lobby, and in games without rounds."""
    return 0 if table.game_state is None else pages_of(table.game).round(shown_of(table))


def deal_of(table: Table) -> str:
    """Identifies the deal that is on, or was last, among those of the table."""
    over = table.game_state is not None and not table.playing
    return f"{table.games_over - over}.{round_of(table)}"


def agreed(table: Table) -> Agreed:
    game = table.game
    return Agreed(game.name, table.edition, len(game.editions), table.way, len(game.ways))


def nameless(table: Table, actor: Actor) -> Doer | None:
    """A host or former host, without a name; None: they did not host."""
    return Doer("", former=actor.device != table.host) if actor.hosted else None


def doer(table: Table, actor: Actor) -> Doer | None:
    """None: nobody known."""
    name = name_of(table, actor.device)
    return Doer(name) if name is not None else nameless(table, actor)


def other_than_player(table: Table, step: UndoStep) -> Doer | None:
    """Who has taken a play back or put it right. None: whose play it was, or nobody known."""
    if any(seat.id == step.seat for seat in seats_it_goes_by(table, step.by)):
        return None
    return doer(table, step.actor)


def seat_views(table: Table, device: Device | None) -> tuple[SeatView, ...]:
    """Every seat, clockwise."""
    return _seat_views(table, table.seats, device)


def in_play(table: Table, device: Device | None) -> tuple[SeatView, ...]:
    """Those that do not wait for the next game."""
    return _seat_views(table, table.in_play, device)


def _seat_views(
    table: Table, seats: Iterable[Seat | Player], device: Device | None
) -> tuple[SeatView, ...]:
    host = next((seat.id for seat in seats_it_goes_by(table, table.host)), None)
    return tuple(_seat_view(table, seat, device, host) for seat in seats)


def _seat_view(
    table: Table, seat: Seat | Player, device: Device | None, host: SeatId | None
) -> SeatView:
    """`seat` may have left after the game; then only what it played is left of it."""
    held_by = seat.device if isinstance(seat, Seat) else ""
    return SeatView(
        id=seat.id,
        name=seat.name,
        mine=device is not None and held_by == device,
        host=seat.id == host,
        looked=seat.id in table.round.looked,
        free=held_by is None,
    )


def players_of(table: Table, device: Device | None) -> tuple[SeatView, ...]:
    """The players of the game that is on, as everyone may see them, in the game's order; with those
    who have left since it was over."""
    by_id = {seat.id: seat for seat in table.seats}
    return _seat_views(table, (by_id.get(each.id, each) for each in table.players), device)


@lru_cache(TABLES_KEPT)
def reach(wifi: Wifi | None, network: Network, key: str, code: str) -> Reach:
    """How a guest gets to a table, for those who may know it."""
    best, *others = network.ways
    url = f"{best.url}/j/{key}"
    return Reach(
        url=url,
        address=best.address,
        code=code,
        qr=qr.svg(url),
        wifi=_guest_wifi(wifi) if wifi else None,
        others=tuple(
            Elsewhere(way.address, way.kind, way.proved, qr.svg(f"{way.url}/j/{key}"))
            for way in others
        ),
    )


def _guest_wifi(wifi: Wifi) -> GuestWifi:
    return GuestWifi(wifi.name, wifi.password, qr.svg(qr.wifi(wifi.name, wifi.password)))
