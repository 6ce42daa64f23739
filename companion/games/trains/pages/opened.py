"""What somebody has opened over a page of the Game of Trains."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.trains.pages import present, sheets
from companion.games.trains.pages.shared import FOLDER
from companion.games.trains.pages.views import Acting, MarketCard, Sheet
from companion.web.view import presenter
from companion.web.view.games import Me
from companion.web.view.panels import View


class SheetView(View, frozen=True):
    template = f"{FOLDER}/sheet.html"

    id: str
    here: str
    game: str
    edition: str
    number: int  # of the game at this table
    names: tuple[str, ...]  # of the players
    seat: int | None  # that the page is about, of several
    sheet: Sheet
    acting: Acting | None
    market: tuple[MarketCard, ...]


def opened(me: Me, asked: Mapping[str, str]) -> SheetView | None:
    """What was asked for; None where nothing can be opened now."""
    table = me.table
    if table.play is None or table.phase != "playing":
        return None
    public, mine = present.public_game(table), present.mine_of(table, me.device)
    players = presenter.players_of(table, me.device)
    return SheetView(
        id=table.id,
        here=me.path,
        game=table.game.name,
        edition=table.edition,
        number=public.game,
        names=table.names,
        seat=me.chosen.id if me.several and me.chosen else None,
        sheet=sheets.TrainsSheets(table, players, mine, asked).sheet(),
        acting=present.acting(public) if public.turn else None,
        market=public.market,
    )
