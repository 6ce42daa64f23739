"""What the pages show of Saboteur: roles once they are turned over, gold, how a round ended.

Everything comes from the game's own view for nobody in particular, so a secret cannot slip in here;
`roles` and `gold` alone ask for what one seat may know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.fields import PlayerIndex
from companion.games.saboteur.pages.maze import follows
from companion.games.saboteur.pages.views import (
    EveningLine,
    FinalStanding,
    GoldView,
    RoleView,
    RoundResult,
)
from companion.games.saboteur.rules.cards import DWARVES, GOLD_COPIES, MINER, ROLES, SABOTEUR, Role
from companion.games.saboteur.rules.decide import ROUNDS
from companion.games.saboteur.rules.editions import EDITIONS
from companion.games.saboteur.rules.model import NOBODY
from companion.tables.model import Seat, SeatId, Table
from companion.web.view import presenter
from companion.web.view.evening import standings as standings_of
from companion.web.view.me import Me
from companion.web.view.results import finished_games


def starter(table: Table) -> str:
    """Who begins this round; when it is settled, who will begin the next one."""
    place: int = presenter.shown_of(table).starter
    return table.players[place].name


def starts(table: Table, me: Me) -> bool:
    """Whether it is the only player of this phone."""
    place: int = presenter.shown_of(table).starter
    return me.you == table.players[place].id


def last_starts_next(table: Table) -> bool:
    """Who had the last turn of this round decides who starts the next one; the last round has
    none."""
    shown = presenter.shown_of(table)
    return EDITIONS[shown.edition].last_starts_next and shown.round < ROUNDS


def pays_in_turn(table: Table) -> bool:
    """More than one saboteur can be paid, so it matters who comes first."""
    return DWARVES[presenter.shown_of(table).seats][0] > 1


def gold_cards(table: Table) -> tuple[tuple[str, int], ...]:
    """How many gold cards each player has, by name, clockwise."""
    shown, names = presenter.shown_of(table), table.names
    return tuple((names[place], shown.gold_cards[place]) for place in shown.circle)


def gold_cards_of(table: Table, seat: SeatId) -> tuple[int, int]:
    """How many gold cards a seat has, and how many of them it gained in the round just settled."""
    place = table.index(seat)
    if place is None:  # it has come since the game was over
        return 0, 0
    shown = presenter.shown_of(table)
    return shown.gold_cards[place], shown.past[-1].gold_cards[place]


def gains(table: Table) -> tuple[tuple[str, int], ...]:
    """How many gold cards each has gained in the round just settled, by name; most of them
    first."""
    gained = zip(table.names, presenter.shown_of(table).past[-1].gold_cards, strict=True)
    return tuple(sorted(gained, key=lambda each: -each[1]))


def cards_left(table: Table) -> int | None:
    """In the draw pile and in hands, by the plays of the round that is on; None: none are
    reported."""
    shown = presenter.shown_of(table)
    return shown.pile + sum(shown.hands) if follows(table) else None


def finisher_and_last(
    names: Sequence[str], finisher: PlayerIndex | None, last: PlayerIndex
) -> tuple[str | None, str | None]:
    """By name: who placed the last tunnel card; or else who had the last turn."""
    return (None, names[last]) if finisher is None else (names[finisher], None)


def result(table: Table) -> RoundResult:
    """How the round that was just settled ended."""
    past, names = presenter.shown_of(table).past[-1], table.names
    finisher, last = finisher_and_last(names, past.finisher, past.last)

    def were(role: Role) -> tuple[str, ...]:
        return tuple(name for name, was in zip(names, past.roles, strict=True) if was == role)

    return RoundResult(
        won_by=past.won_by,
        finisher=finisher,
        last=last,
        last_known=past.last_known,
        cause=past.cause,
        miners=were(MINER),
        saboteurs=were(SABOTEUR),
        spare=past.spare,
    )


def standings(table: Table) -> tuple[FinalStanding, ...]:
    """When the game is over. A round that was cut short does not count."""
    shown, names = presenter.shown_of(table), table.names
    counted = [past for past in shown.past if past.won_by != NOBODY]
    return tuple(
        FinalStanding(
            place=rank.place,
            name=names[rank.seat],
            nuggets=rank.nuggets,
            nuggets_by_round=tuple(sum(past.gold[rank.seat]) for past in counted),
            roles=tuple(past.roles[rank.seat] for past in counted),
        )
        for rank in shown.ranks
    )


def evening(table: Table) -> tuple[int, tuple[EveningLine, ...]]:
    """All games that are over, and everybody who has played them, by their wins and gold; nobody
    where it was one game alone."""
    shown = standings_of(table, finished_games(table))
    lines = (EveningLine(line.name, line.wins, line.points) for line in shown.lines)
    return shown.games, tuple(lines) if shown.games > 1 else ()


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
    if table.game_state is None or index is None:
        return None
    return table.game.view(table.game_state, index)
