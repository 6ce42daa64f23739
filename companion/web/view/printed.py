"""What a group prints: a tent that shows the table's code, and a sheet to write the points on."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from companion import catalogues, i18n, languages
from companion.games.game import AnyGame
from companion.values import Value
from companion.web.html import qr
from companion.web.html.panels import View
from companion.web.view.models import Reach

GAMES_A_SHEET = 10
"""Columns for games that are over after one round."""

HEIGHT_MM, HEAD_MM, ROW_MM = 277, 27, 10
"""What a sheet of A4 holds, and what the title and each player need; `print.css` sets them so."""


class TentView(View, frozen=True):
    """Two tents of A6 on a sheet of A4: the way to the table, on both sides of each."""

    template = "panels/tent.html"

    here: str
    back: str
    qr: Markup
    address: str
    code: str
    lines: tuple[tuple[str, str], ...]  # tag of a language, and in it what to do


class StandingTent(Value, frozen=True):
    """The way to a café's table."""

    number: int
    qr: Markup
    code: str


class StandingSheetView(View, frozen=True):
    """Tents for a café's tables, two of A6 on a sheet of A4."""

    template = "panels/standing_sheet.html"

    address: str
    tents: tuple[StandingTent, ...]
    lines: tuple[tuple[str, str], ...]  # tag of a language, and in it what to do


class ScoresView(View, frozen=True):
    """An empty sheet: a row for each player that the game may have, a column for each round."""

    template = "panels/scores.html"

    here: str
    back: str
    game: str
    columns: int  # rounds of one game, or games
    rows: int
    blocks: int  # as many as the sheet holds


def tent(here: str, back: str, reach: Reach) -> TentView:
    return TentView(here, back, reach.qr, reach.address, reach.code, _lines())


def standing_sheet(base: str, tables: Iterable[tuple[int, str, str]]) -> StandingSheetView:
    """`base`: the address that phones reach. `tables`: number, key and code of each."""
    tents = (StandingTent(number, qr.svg(f"{base}/s/{key}"), code) for number, key, code in tables)
    return StandingSheetView(base.partition("://")[2], tuple(tents), _lines())


def _lines() -> tuple[tuple[str, str], ...]:
    return tuple((i18n.html_lang(each), _line(each)) for each in languages.LOCALES)


def _line(locale: str) -> str:
    # Translators: under the QR code on a paper that stands on the table
    return catalogues.catalogue(locale).gettext("Scan the code and take a seat.")


def scores(here: str, back: str, game: AnyGame) -> ScoresView:
    columns = game.rounds if game.rounds > 1 else GAMES_A_SHEET
    rows = game.seat_counts[-1]
    return ScoresView(here, back, game.name, columns, rows, HEIGHT_MM // (HEAD_MM + ROW_MM * rows))
