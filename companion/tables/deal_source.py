"""The source of deals: secrets, sealed numbers and tellings, which decisions on a table draw on.

The secrets are derived from the program's secret, so they are the same after a restart.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Sequence

from companion.games.game import Chance
from companion.record import fair
from companion.tables.log import Telling
from companion.tables.memory import agreed, said_of_cards
from companion.tables.model import Seat, Table
from companion.tables.seals import SealStore


def secret_of(secret: bytes, table: Table, game: int, round_: int) -> bytes:
    """What a deal is drawn from, together with the shares. `secret`: the program's.

    A table that is opened again under an old id has new secrets: its opening time is in them.
    """
    return _derived(secret, table, game, "gold" if round_ == fair.WHOLE_GAME else str(round_))


def _derived(secret: bytes, table: Table, game: int, which: str) -> bytes:
    of = f"deal:{table.id}|{table.activity.opened_at.hex()}|{game}|{which}"
    return hmac.digest(secret, of.encode(), "sha256")


class DerivedSource:
    """A `dealing.DealSource`, for one decision."""

    def __init__(
        self,
        secret: bytes,
        draw: Callable[[fair.Lot], Chance],
        tellings: Callable[[str], Iterable[Telling]],
        seals: SealStore,
    ) -> None:
        """As `fair_deals.FairDeals`."""
        self._secret = secret
        self._draw = draw
        self._tellings = tellings
        self._seals = seals
        self.notes: dict[str, int] | None = None
        """How many notes it has read, by place; None where it read none."""

    def seals(self, table: Table, round_: int, seats: Sequence[Seat]) -> fair.Seals:
        seals, notes = self._seals.of(table.id, (table.coming_game, round_), seats)
        if notes is not None:
            self.notes = notes | (self.notes or {})
        return seals

    def chance(
        self,
        table: Table,
        round_: int,
        seats: Sequence[Seat],
        seals: fair.Seals,
        shares: fair.Shares,
    ) -> Chance:
        game = table.coming_game
        names = tuple(seat.name for seat in seats)
        secret = secret_of(self._secret, table, game, round_)
        return self._draw(fair.Lot(game, round_, secret, names, shares, seals))

    def known(self, table: Table) -> tuple[tuple[str, str], ...]:
        """What need not be asked in a game that begins now; a table's own deck counts most, then
        what was told at it."""
        if table.game.memory is None:
            return ()
        others = agreed(self._tellings(table.game.name))
        return tuple(sorted((others | dict(said_of_cards(table)) | dict(table.deck)).items()))

    def lot(self, table: Table, seats: int) -> int:
        """Which of so many seats begins; another lot at every change of the table."""
        drawn = _derived(self._secret, table, table.coming_game, f"starter {table.version}")
        return int.from_bytes(drawn) % seats

    def rest(self, table: Table) -> Chance:
        """For what is drawn anew after an end was shown; nothing proves it."""
        secret = _derived(self._secret, table, table.games_over, f"rest {table.version}")
        return self._draw(fair.Lot(table.games_over, fair.WHOLE_GAME, secret, (), ()))
