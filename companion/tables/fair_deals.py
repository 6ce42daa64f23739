"""The deals of a table that anybody can check: what is sealed for them, and when they are shown.

The algorithm is in `companion.record.fair`; what a deal is drawn from, in `deal_source`. Only seals
and shares are stored, in the deal's events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from companion.games.game import Chance
from companion.record import fair
from companion.tables.deal_source import DerivedSource, secret_of
from companion.tables.dealing import rounds_of
from companion.tables.log import Telling
from companion.tables.model import Deals, Device, Result, Table
from companion.tables.seals import DealId, SealStore


class FairDeals:
    def __init__(
        self,
        secret: bytes,
        draw: Callable[[fair.Lot], Chance],
        tellings: Callable[[str], Iterable[Telling]],
        seals: SealStore,
    ) -> None:
        """`draw`: what makes the chance of a deal out of its secret and the phones' shares.
        `tellings`: of a game, what was told of its cards at all tables. `seals`: where they are
        kept until the list is fixed."""
        self._secret = secret
        self._seals = seals
        self.source: Callable[[], DerivedSource] = partial(
            DerivedSource, secret, draw, tellings, seals
        )
        """For one decision."""

    def secret(self, table: Table, game: int, round_: int) -> bytes:
        """Nobody may see it before the round is over (for what is drawn once a game: the game)."""
        return secret_of(self._secret, table, game, round_)

    def commitment(self, table: Table, game: int, round_: int) -> str:
        return fair.commitment(game, round_, self.secret(table, game, round_))

    def to_come(self, table: Table) -> dict[str, DealId]:
        """The deals of the coming game whose seals are not fixed yet, by their commitments."""
        game = table.game
        if not game.deals_secrets:
            return {}
        dealt = len(table.deals.shares) if table.playing else 0
        dealt += len(table.deals.sealed.seals) if table.deals.sealed else 0
        return {
            self.commitment(table, table.coming_game, round_): (table.coming_game, round_)
            for round_ in range(dealt, game.rounds + 1)
        }

    def to_seal(self, table: Table) -> dict[str, DealId]:
        """As `to_come`, while no round is on: then they are shown, and phones are asked to seal."""
        between = table.game_state is None or table.game.is_between_rounds(table.game_state)
        return self.to_come(table) if between else {}

    def proofs(self, table: Table) -> tuple[fair.Proof, ...]:
        """Of the game on the table (before one, of the coming one): what is drawn once,
        then its rounds.

        A secret is in it only when nothing is a secret any more that comes of it: a round's when
        the round is over and what was dealt lies open, the whole game's when that is over.
        Taking back the end of a round hides the round's again.
        """
        if not table.game.deals_secrets:
            return ()
        over = table.game_state is not None and table.game.is_over(table.game_state)
        between = table.game_state is not None and table.game.is_between_rounds(table.game_state)
        game = table.games_over if over else table.coming_game
        return tuple(
            self._proof(
                table, game, table.deals, round_, over if round_ == fair.WHOLE_GAME else between
            )
            for round_ in range(table.game.rounds + 1)
        )

    def finished_proofs(self, table: Table, number: int, result: Result) -> tuple[fair.Proof, ...]:
        """Of a game of the table that is over, whatever has begun since. `number`: which game."""
        if not table.game.deals_secrets:
            return ()
        return tuple(
            self._proof(table, number, result.deals, round_, last_is_over=True)
            for round_ in range(table.game.rounds + 1)
        )

    def _proof(
        self, table: Table, game: int, deals: Deals, round_: int, last_is_over: bool
    ) -> fair.Proof:
        """`last_is_over`: what was dealt last needs no hiding; deals before it do not either."""
        secret = self.secret(table, game, round_)
        commitment = fair.commitment(game, round_, secret)
        dealt = len(deals.shares)
        if round_ >= dealt:
            return fair.Proof(game, round_, commitment)
        shares, seals = deals.shares[round_], deals.seals[round_]
        shown = last_is_over or fair.WHOLE_GAME < round_ < dealt - 1
        if shares is None:
            return fair.Proof(game, round_, commitment, dealt=True)
        withheld = fair.withheld(seals, shares)
        if not shown:
            return fair.Proof(game, round_, commitment, dealt=True, seals=seals, withheld=withheld)
        return fair.Proof(
            game=game,
            round=round_,
            commitment=commitment,
            dealt=True,
            secret=secret,
            shares=shares,
            seals=seals,
            withheld=withheld,
        )

    def keep_seals(self, table: Table, device: Device, seals: Mapping[str, str]) -> list[str]:
        """Keeps what a phone has sealed for deals to come, by their commitments; nobody is told.

        The commitments of those that count. A seal that comes when the list is fixed, is a device's
        second one, or comes from a device without a seat does not.
        """
        to_come = self.to_come(table) if device in table.phones else {}
        given = {
            commitment: sealed
            for commitment, sealed in seals.items()
            if commitment in to_come and fair.is_digest(sealed)
        }
        if not given:
            return []
        deals = {to_come[commitment]: sealed for commitment, sealed in given.items()}
        kept = {*to_come.values(), *_given_up(table)}
        counts = self._seals.put(table, device, deals, table.phones, kept)
        return [commitment for commitment in given if to_come[commitment] in counts]

    def to_open(self, table: Table) -> dict[DealId, tuple[str, fair.Seals]]:
        """The deals whose numbers may be opened now: their commitments and seals."""
        sealed = table.deals.sealed
        if sealed is None:
            return {}
        rounds = rounds_of(table, sealed.starter)
        game = table.coming_game
        return {
            (game, round_): (self.commitment(table, game, round_), seals)
            for round_, seals in zip(rounds, sealed.seals, strict=True)
        }

    def forget(self, table_id: str) -> None:
        """The table is gone."""
        self._seals.forget(table_id)


def _given_up(table: Table) -> Iterable[DealId]:
    """The deals that a game which is over did without: they come where that is taken back."""
    if table.playing or not table.games_over:
        return ()
    return (
        (table.games_over, round_)
        for round_ in range(len(table.deals.shares), table.game.rounds + 1)
    )
