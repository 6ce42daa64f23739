"""What somebody has opened over a page of the Game of Trains."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.trains.pages import present
from companion.games.trains.pages.sheets import TrainsSheets
from companion.tables.model import Table
from companion.web.view import presenter
from companion.web.view.games import Me
from companion.web.view.sheets import Sheet


def opened(table: Table, me: Me, asked: Mapping[str, str]) -> Sheet | None:
    """What was asked for; None where nothing can be opened now."""
    if table.play is None or table.phase != "playing":
        return None
    public, mine = present.public_game(table), present.mine_of(table, me.device)
    players = presenter.players_of(table, me.device)
    seat = me.chosen.id if me.several and me.chosen else None
    return TrainsSheets(table, players, public, mine, asked, me.path, seat).sheet()
