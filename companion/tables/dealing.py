"""A deal, in two steps: the list of sealed numbers is fixed, then the cards are drawn.

Between them phones open their numbers. Where none is sealed, both steps are one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from msgspec.structs import replace

from companion.games.fields import PlayerIndex
from companion.games.game import AnyGame, Chance, Rejection
from companion.record.fair import WHOLE_GAME, Seals, Shares
from companion.tables import commands as ask
from companion.tables import ending, reasons
from companion.tables import events as on
from companion.tables.chance import RecordingShuffle
from companion.tables.codec import encode_events
from companion.tables.model import SealedDeal, Seat, SeatId, Table
from companion.tables.rejections import NO_GAME, UNDER_WAY, UNKNOWN_SEAT


class DealSource(Protocol):
    """What the deals of a table are drawn from."""

    def seals(self, table: Table, round_: int, seats: Sequence[Seat]) -> Seals:
        """What the phones of these seats have sealed for a deal of the coming game."""

    def chance(
        self, table: Table, round_: int, seats: Sequence[Seat], seals: Seals, shares: Shares
    ) -> Chance:
        """All chance of that deal."""

    def known(self, table: Table) -> tuple[tuple[str, str], ...]:
        """What is known of what is printed on the cards: from a file, from other games, and told at
        this table."""

    def lot(self, table: Table, seats: int) -> int:
        """Which of so many seats begins."""

    def rest(self, table: Table) -> Chance:
        """For what is left to be drawn, when an end is taken back."""


def start(table: Table, command: ask.Start, source: DealSource) -> on.Answer:
    if table.playing:
        return UNDER_WAY
    game = table.game
    seats = [seat.id for seat in table.seats]
    if len(seats) < game.seat_counts[0]:
        return Rejection(reasons.NOT_ENOUGH_PLAYERS, {"min": game.seat_counts[0]})
    if len(seats) not in game.seat_counts:
        return Rejection(reasons.TOO_MANY_PLAYERS, {"max": game.seat_counts[-1]})
    if command.starter is not None and command.starter not in seats:
        return UNKNOWN_SEAT
    starter = command.starter
    if command.lot:
        starter = seats[source.lot(table, len(seats))]
    elif starter is None:
        starter = begins_next(table)
    return _fixed(table, starter, source)


def begins_next(table: Table) -> SeatId:
    """Who begins the game to come where nobody is named, of a table with seats."""
    first = table.seats[0].id
    if table.game_state is None:
        return first
    following = table.players[table.game.next_starter(table.game_state)].id
    return following if table.seat(following) is not None else first


def deal(table: Table, source: DealSource) -> on.Answer:
    if table.game_state is None:
        return NO_GAME
    game = table.game
    if game.is_over(table.game_state):
        return Rejection(reasons.GAME_OVER)
    if not game.deals_secrets or not game.is_between_rounds(table.game_state):
        return Rejection(reasons.ROUND_UNDER_WAY)
    return ending.blocked(table) or _fixed(table, None, source)


def _fixed(table: Table, starter: SeatId | None, source: DealSource) -> tuple[on.Event, ...]:
    """The list of seals; and the deal at once, where it is empty."""
    seats = seats_of(table, starter)
    rounds = rounds_of(table, starter)
    seals = tuple(source.seals(table, round_, seats) for round_ in rounds)
    if any(map(any, seals)):
        return (on.SealsFixed(starter, seals),)
    nobody = ((None,) * len(seats),) * len(rounds)
    return dealt(table, SealedDeal(table.version, table.host, starter, seals), nobody, source)


def seats_of(table: Table, starter: SeatId | None) -> tuple[Seat, ...]:
    """Those that the deal is for, clockwise; the order of its numbers."""
    if starter is not None:
        return table.seats
    return tuple(
        replace(seat, name=player.recorded)
        for player in table.players
        if (seat := table.seat(player.id))
    )


def rounds_of(table: Table, starter: SeatId | None) -> tuple[int, ...]:
    """The deals that come now: of a new game what is drawn once, too."""
    if starter is None:
        return (len(table.deals.shares),)
    return (WHOLE_GAME, 1) if table.game.deals_secrets else (WHOLE_GAME,)


def dealt(
    table: Table, sealed: SealedDeal, shares: Sequence[Shares], source: DealSource
) -> tuple[on.Event, ...]:
    """The deal, from the numbers that were opened."""
    seats = seats_of(table, sealed.starter)
    lots = list(zip(rounds_of(table, sealed.starter), sealed.seals, shares, strict=True))
    state: Any = table.game_state
    events: list[on.Event] = []
    if sealed.starter is not None:
        round_, seals, opened = lots.pop(0)
        drawn = RecordingShuffle(source.chance(table, round_, seats, seals, opened))
        first = PlayerIndex([seat.id for seat in seats].index(sealed.starter))
        state = table.game.new(len(seats), first, table.edition, drawn)
        numbers = (opened, seals) if table.game.deals_secrets else (None, None)
        started = on.GameStarted(sealed.starter, tuple(drawn.shuffles), *numbers)
        events.append(replace(started, known=source.known(table)))
    for round_, seals, opened in lots:
        chance = source.chance(table, round_, seats, seals, opened)
        events.append(_round(table.game, state, chance, opened, seals))
    return tuple(events)


def _round(game: AnyGame, state: Any, chance: Chance, shares: Shares, seals: Seals) -> on.Dealt:
    return on.Dealt(encode_events(game.dealt(state, chance)), shares, seals)
