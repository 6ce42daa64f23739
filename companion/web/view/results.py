"""The results of a game for other programs: a table for spreadsheets, and a link to BG Stats."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from gettext import NullTranslations
from io import StringIO
from typing import Any, Final
from urllib.parse import quote

from babel.dates import format_date
from babel.numbers import get_decimal_symbol

from companion import catalogues
from companion.games.fields import PlayerIndex, players
from companion.games.game import AnyGame, Outcome
from companion.tables.model import Result, Table
from companion.values import Value


class Finished(Value, frozen=True):
    """A game of a table that is over."""

    table: str  # id
    game: AnyGame
    number: int  # at the table, from 1
    result: Result
    outcome: Outcome

    @property
    def names(self) -> tuple[str, ...]:
        """Of the players."""
        return tuple(player.name for player in self.result.players)

    @property
    def _ended(self) -> datetime:
        """By this machine's time zone."""
        return datetime.fromtimestamp(self.result.at).astimezone()

    @property
    def day(self) -> str:
        """By this machine's time zone."""
        return self._ended.date().isoformat()

    @property
    def time(self) -> str:
        """By this machine's time zone."""
        return self._ended.strftime("%H:%M")

    @property
    def winners(self) -> tuple[str, ...]:
        names = self.names
        return tuple(names[player] for player in self.outcome.winners)

    def date(self, locale: str) -> str:
        """As the reader's language writes it."""
        return format_date(self._ended.date(), "medium", locale=catalogues.babel_locale(locale))


def finished_of(table: Table, number: int, result: Result) -> Finished:
    return Finished(table.id, table.game, number, result, table.game.outcome(result.game_state))


def finished_games(table: Table) -> list[Finished]:
    """All games of a table that are over, oldest first."""
    return [finished_of(table, number, result) for number, result in table.numbered_results]


BOM: Final = "\ufeff"
"""By which spreadsheets know UTF-8."""

_FORMULA: Final = re.compile(r"[=+\-@\t\r＝＋－＠]")
"""With these a cell begins that a spreadsheet would reckon out."""


def text_cell(cell: str) -> str:
    """A text that no spreadsheet takes for a formula.

    >>> text_cell("=1+1"), text_cell("Anna")
    ("'=1+1", 'Anna')
    """
    return f"'{cell}" if _FORMULA.match(cell) else cell


def csv_of(finished: Finished, locale: str) -> str:
    """A line a player and round, as spreadsheets in the reader's language read it: where a comma
    stands in numbers, a semicolon stands between cells."""
    t, text = catalogues.catalogue(locale), StringIO()
    comma = get_decimal_symbol(catalogues.babel_locale(locale)) == ","
    lines = csv.writer(text, delimiter=";" if comma else ",", lineterminator="\r\n")
    columns = list(_columns(finished, t))
    lines.writerow([head for head, _ in columns])
    lines.writerows(zip(*(cells for _, cells in columns), strict=True))
    return BOM + text.getvalue()


def _columns(finished: Finished, t: NullTranslations) -> Iterator[tuple[str, list[Any]]]:
    """Heads and cells; 1 is yes and 0 is no, so that they can be added up."""
    game, scores = finished.game, finished.outcome.scores
    yield t.pgettext("label", "Date"), [finished.day] * len(scores)
    yield t.pgettext("label", "Game"), [finished.number] * len(scores)
    if game.rounds > 1:
        yield t.pgettext("label", "Round"), [score.round for score in scores]
    yield (
        t.pgettext("label", "Player"),
        [text_cell(finished.names[score.player]) for score in scores],
    )
    if game.roles:
        yield t.pgettext("label", "Role"), [game.roles[score.role](t) for score in scores]
    if game.points is not None:
        yield game.points(t), [score.points for score in scores]
    if game.rounds > 1:
        yield t.pgettext("label", "Won the round"), [int(score.won) for score in scores]
    winners = finished.outcome.winners
    yield t.pgettext("label", "Won the game"), [int(score.player in winners) for score in scores]


BG_STATS: Final = "https://app.bgstatsapp.com/createPlay.html?data="
"""Opens the app where it is installed; see "Push plays to BG Stats from other apps or websites" on
bgstatsapp.com."""

SOURCE: Final = "Companion"


def bg_stats_link(finished: Finished, title: str, locale: str) -> str:
    """`title` of the game. The app knows people again by their names."""
    return BG_STATS + quote(json.dumps(_play(finished, title, locale), ensure_ascii=False), safe="")


def _play(finished: Finished, title: str, locale: str) -> dict[str, Any]:
    game = finished.game
    about: dict[str, Any] = {
        "name": title,
        "sourceGameId": game.name,
        "highestWins": True,
        "noPoints": game.points is None,
    }
    if game.board_game_geek is not None:
        about["bggId"] = game.board_game_geek
    this = hashlib.sha256(f"{finished.table} {finished.number}".encode()).hexdigest()
    return {
        "sourceName": SOURCE,
        "sourcePlayId": this[:16],
        "playDate": datetime.fromtimestamp(finished.result.at, UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "game": about,
        "players": [_player(finished, player, locale) for player in players(len(finished.names))],
    }


def _player(finished: Finished, player: PlayerIndex, locale: str) -> dict[str, Any]:
    t, name, outcome = catalogues.catalogue(locale), finished.names[player], finished.outcome
    roles = (score.role for score in outcome.scores if score.player == player and score.role)
    said: dict[str, Any] = {
        "name": name,
        "sourcePlayerId": name,
        "startPlayer": player == outcome.starter,
        "winner": player in outcome.winners,
        "rank": outcome.place(player),
        "role": " / ".join(finished.game.roles[role](t) for role in roles),
    }
    if finished.game.points is not None:
        said["score"] = outcome.points(player)
    return said
