"""The Game of Trains' part of the pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from gettext import NullTranslations
from typing import Any

from flask import Flask
from werkzeug.datastructures import MultiDict

from companion.games.explanation import Step
from companion.games.fields import PlayerIndex
from companion.games.game import Way
from companion.games.trains.pages import (
    explained,
    picture,
    plays,
    referee,
    replay,
    sheets,
    story,
    words,
)
from companion.tables.model import Phase, Table
from companion.web.html.panels import Page, View
from companion.web.view.asking import PageName
from companion.web.view.games import Pages
from companion.web.view.me import Me
from companion.web.view.models import Drawing, Kit
from companion.web.view.moments import Moment
from companion.web.view.recorded_game import RecordedGame
from companion.web.view.scenes import Scene

PAGE_OF = {
    ("table", Phase.PLAYING): referee.playing,
    ("table", Phase.OVER): referee.over,
    ("screen", Phase.PLAYING): referee.screen,
    ("screen", Phase.OVER): referee.screen,
}
"""Of a game: by the page's name and the phase."""


class TrainsPages(Pages):
    title = "Game of Trains"
    face = "loco"

    def whole_title(self, t: NullTranslations) -> str:
        # Translators: the product's name, then a dash and what to call it in your language
        return t.pgettext("title", "Game of Trains")

    def page(self, name: PageName, moment: Moment, me: Me) -> Page:
        return PAGE_OF[name, moment.table.phase](moment, me)

    def turn(self, state: Any, way: Way) -> PlayerIndex | None:
        turn: PlayerIndex | None = state.turn if way.recorded else state.acting
        return turn

    def drawn(self, step: Step, name: str) -> tuple[View, tuple[View | None, ...]]:
        return explained.drawn(step, name)

    def scenes(self, recorded: RecordedGame) -> Iterator[Scene]:
        return replay.scenes(recorded)

    def has_plays(self, state: Any) -> bool:
        return any(state.rows)

    def picture(self, state: Any, names: Sequence[str], *, tall: bool) -> Drawing:
        return picture.picture(state, names, tall=tall)

    story = staticmethod(story.story)

    def kit(self, page: str, *, follows: bool = False) -> Kit:
        if page == "replay":
            return Kit(
                ("core", "tools", "loco", "trains"),
                styles=("trains/train.css", "trains/screen.css"),
            )
        if page == "explain":
            return explained.KIT
        if page not in ("table", "screen", "report"):
            return Kit(("core", "tools", "trains"))
        styles: tuple[str, ...] = ("play.css", "trains/train.css", "trains/keys.css")
        if page == "screen":
            styles = ("screen-play.css", *styles, "trains/screen.css")
        return Kit(
            ("core", "tools", self.face, "trains"),
            styles=styles,
            scripts=("play.js", "trains/trains.js", "trains/claim.js"),
            sheet=True,
        )

    def fields(self, form: MultiDict[str, str]) -> dict[str, Any]:
        return plays.fields_of(form)

    def sheet(self, table: Table, me: Me, asked: Mapping[str, str]) -> View | None:
        return sheets.opened(table, me, asked)

    def install(self, app: Flask) -> None:
        words.install(app)


PAGES = TrainsPages()
