"""The Game of Trains' part of the pages."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import NullTranslations
from typing import Any

from flask import Flask
from werkzeug.datastructures import MultiDict

from companion.games.trains.pages import plays, present, sheets, words
from companion.games.trains.pages.views import Sheet
from companion.tables.model import Device, Table
from companion.web.view.games import Kit, Own, Pages
from companion.web.view.models import SeatView, TableView


class TrainsPages(Pages):
    title = "Game of Trains"
    reports = False
    face = "loco"

    def whole_title(self, t: NullTranslations) -> str:
        # Translators: the product's name, then a dash and what to call it in your language
        return t.pgettext("title", "Game of Trains")

    def own(
        self,
        table: Table,
        device: Device | None,
        players: tuple[SeatView, ...],
        shown: Any,
        turn: int,
    ) -> Own:
        return present.own(table, device, players, shown)

    def kit(self, page: str, way: str) -> Kit:
        if page not in ("seat", "screen", "report"):
            return Kit(("core", "tools"))
        return Kit(
            ("core", "tools", self.face, "trains"),
            styles=("play.css", "trains.css"),
            scripts=("play.js", "trains.js"),
            sheet="parts/games/trains/sheet.html",
        )

    def fields(self, form: MultiDict[str, str]) -> dict[str, Any]:
        return plays.fields_of(form)

    def sheet(
        self,
        table: Table,
        players: tuple[SeatView, ...],
        view: TableView,
        turn: int,
        asked: Mapping[str, str],
    ) -> Sheet | None:
        if view.referee is None or view.phase != "playing":
            return None
        return sheets.TrainsSheets(table, players, view.referee, asked).sheet()

    def install(self, app: Flask) -> None:
        words.install(app)


PAGES = TrainsPages()
