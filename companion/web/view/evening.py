"""The games of a table: by evening, and how everybody stands over it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from companion.games.fields import by_player, players
from companion.tables.model import SeatId, Table
from companion.tables.seating import may_join_people
from companion.values import Value
from companion.web.html.panels import View
from companion.web.view.asking import Asking
from companion.web.view.games import can_be_watched
from companion.web.view.results import Finished, finished_games

APART_S: Final = 8 * 3600.0
"""Between the ends of two games: what comes later is another evening."""

BARS_MAX: Final = 40
"""Games in one plot, the newest."""


class Bar(Value, frozen=True):
    """What somebody had of a game."""

    x: int  # which game of the plot it is, from 0
    high: float  # points, as a part of the most that anybody had in one of them
    won: bool


class EveningStanding(Value, frozen=True):
    name: str
    games: int
    wins: int
    points: int
    won_as: tuple[int, ...]  # rounds, by the game's roles
    bars: tuple[Bar, ...]


class Standings(Value, frozen=True):
    """Over some games, without those that do not count."""

    lines: tuple[EveningStanding, ...]  # most wins first
    games: int
    plotted: int  # games in the plots


class GameLine(Value, frozen=True):
    number: int
    time: str  # when it ended, where this program runs
    names: tuple[str, ...]
    winners: tuple[str, ...]
    points: tuple[int, ...]  # by player
    counts: bool
    replay: str  # address; empty: there are no plays to be watched
    take: str  # address


class Evening(Value, frozen=True):
    date: str
    standings: Standings
    games: tuple[GameLine, ...]  # the newest first


class OtherGames(Value, frozen=True):
    """The games of another table, at which the same people have played."""

    game: str
    address: str


class EveningsView(View, frozen=True):
    template = "panels/evenings.html"

    here: str
    home: str  # address
    back: str
    game: str
    edition: str
    roles: tuple[str, ...]
    has_points: bool
    others: tuple[OtherGames, ...]  # of another game; those that this reader may see
    evenings: tuple[Evening, ...]  # the newest first
    whole: Standings | None  # over all of them; None: there was one
    days: int  # without use, after which the table is deleted
    people: str  # where the host joins who has had two names; empty: not for this reader


def evenings_view(
    who: Asking, here: str, locale: str, days: int, others: Sequence[Table] = ()
) -> EveningsView:
    """`others`: tables at which the same people have played."""
    table = who.table
    games = finished_games(table)
    nights = list(_nights(games))
    joins = who.device == table.host and may_join_people(table)
    evenings = tuple(
        Evening(
            night[0].date(locale),
            standings(table, night),
            tuple(_line(who, each) for each in reversed(night)),
        )
        for night in reversed(nights)
    )
    return EveningsView(
        here=here,
        home=who.home,
        back=who.path,
        game=table.game.name,
        edition=table.edition,
        roles=tuple(table.game.roles),
        has_points=table.game.points is not None,
        others=tuple(
            OtherGames(each.game.name, who.at(each).address_of("games")) for each in others
        ),
        evenings=evenings,
        whole=standings(table, games) if len(nights) > 1 else None,
        days=days,
        people=f"{who.address_of('host')}#people" if joins else "",
    )


def _nights(games: Sequence[Finished]) -> Iterator[list[Finished]]:
    """The games of each evening, oldest first."""
    night = list(games[:1])
    for before, after in pairwise(games):
        if after.result.at - before.result.at >= APART_S:
            yield night
            night = []
        night.append(after)
    if night:
        yield night


def _line(who: Asking, game: Finished) -> GameLine:
    watched = can_be_watched(game.game, game.result)
    return GameLine(
        number=game.number,
        time=game.time,
        names=game.names,
        winners=game.winners,
        points=tuple(map(game.outcome.points, players(len(game.names)))),
        counts=game.outcome.counts,
        replay=who.address_of("replay", game=game.number) if watched else "",
        take=who.address_of("take", game=game.number),
    )


def names_of(table: Table) -> dict[SeatId, str]:
    """Everybody who has played here, by the id of their first seat; as they were called last."""
    seats = [(seat.id, seat.name) for result in table.results for seat in result.players]
    seats += [(seat.id, seat.name) for seat in table.seats]
    return {table.people.person(seat): name for seat, name in seats}


def standings(table: Table, finished: Sequence[Finished]) -> Standings:
    """Whoever has had several seats, by the host's word, is one."""
    games, wins, points = Counter[SeatId](), Counter[SeatId](), Counter[SeatId]()
    won_as: Counter[tuple[SeatId, str]] = Counter()
    drawn: dict[SeatId, list[tuple[int, int, bool]]] = {}
    counted = [game for game in finished if game.outcome.counts]
    first = max(0, len(counted) - BARS_MAX)
    for at, game in enumerate(counted):
        who = [table.people.person(player.id) for player in game.result.players]
        for player, person in by_player(who):
            gained, won = game.outcome.points(player), player in game.outcome.winners
            games[person] += 1
            wins[person] += won
            points[person] += gained
            if at >= first:
                drawn.setdefault(person, []).append((at - first, gained, won))
        for score in game.outcome.scores:
            won_as[who[score.player], score.role] += score.won
    most = max((gained for bars in drawn.values() for _, gained, _ in bars), default=0)
    names = names_of(table)
    lines = (
        EveningStanding(
            names[person],
            games[person],
            wins[person],
            points[person],
            tuple(won_as[person, role] for role in table.game.roles),
            tuple(
                Bar(at, gained / most if most else float(won), won)
                for at, gained, won in drawn.get(person, ())
            ),
        )
        for person in sorted(games, key=lambda person: (-wins[person], -points[person]))
    )
    return Standings(tuple(lines), len(counted), len(counted) - first)
