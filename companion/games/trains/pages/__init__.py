"""The Game of Trains' part of the pages."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import NullTranslations
from typing import Any

from flask import Flask
from werkzeug.datastructures import MultiDict

from companion.games.book import Difference
from companion.games.game import Listing
from companion.games.trains.pages import panels, plays, present, words
from companion.games.trains.rules.setup import EDITION
from companion.tables.model import Table
from companion.web.view import presenter
from companion.web.view.games import Kit, Me
from companion.web.view.moments import Moment
from companion.web.view.panels import Page, View

PAGE_OF = {
    ("seat", "playing"): panels.playing,
    ("seat", "over"): panels.over,
    ("screen", "playing"): panels.screen,
    ("screen", "over"): panels.screen,
}
"""Of a game: by the page's name and the phase."""


class TrainsPages:
    title = "Game of Trains"
    face = "loco"

    def whole_title(self, t: NullTranslations) -> str:
        # Translators: the product's name, then a dash and what to call it in your language
        return t.pgettext("title", "Game of Trains")

    def edition(self, locale: str) -> str:
        return EDITION

    def phase(self, table: Table, shown: Any) -> str:
        return present.phase(shown)

    def round(self, shown: Any) -> int:
        return 0

    def page(self, name: str, moment: Moment, me: Me) -> Page:
        return PAGE_OF[name, presenter.phase(moment.table)](moment, me)

    def report(self, moment: Moment, me: Me) -> None:
        return None

    def kit(self, page: str, way: str) -> Kit:
        if page not in ("seat", "screen", "report"):
            return Kit(("core", "tools"))
        return Kit(
            ("core", "tools", self.face, "trains"),
            styles=("play.css", "trains.css"),
            scripts=("play.js", "trains.js"),
            sheet=True,
        )

    def fields(self, form: MultiDict[str, str]) -> dict[str, Any]:
        return plays.fields_of(form)

    def sheet(self, me: Me, asked: Mapping[str, str]) -> View | None:
        return panels.opened(me, asked)

    def differences(self, t: NullTranslations) -> tuple[Difference, ...]:
        return ()

    def figures(self, t: NullTranslations, listing: Listing) -> Mapping[str, Any]:
        return {}

    def install(self, app: Flask) -> None:
        words.install(app)


PAGES = TrainsPages()
