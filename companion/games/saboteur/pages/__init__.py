"""Saboteur's part of the pages: roles and gold, the maze, and what is tapped there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from gettext import NullTranslations
from types import MappingProxyType
from typing import Any

from flask import Flask
from werkzeug.datastructures import MultiDict

from companion.games.book import Difference
from companion.games.explanation import Step
from companion.games.fields import PlayerIndex
from companion.games.game import Listing, Way
from companion.games.saboteur.book.differences import differences
from companion.games.saboteur.book.figures import DWARFS, deck
from companion.games.saboteur.pages import (
    cards_only,
    ended,
    ends,
    explained,
    maze,
    picture,
    plays,
    present,
    referee,
    replay,
    report,
    sheets,
    story,
    words,
)
from companion.tables.model import Phase, Table
from companion.web.html.panels import Page, Panel, View
from companion.web.view import asking
from companion.web.view.games import EndedBy, Pages, Secret
from companion.web.view.me import Me
from companion.web.view.models import Drawing, Kit
from companion.web.view.moments import Moment
from companion.web.view.recorded_game import RecordedGame
from companion.web.view.scenes import Scene

PRESET = {"et": "et-2007", "lt": "lt-2009", "lv": "lv-2009", "fi": "fi"}
"""The edition that is chosen at first for who reads in a language; chosen apart from it after."""

SYMBOLS = {
    "table": ("core", "tools", "dwarf", "card", "roles", "gold"),
    "screen": ("core", "tools", "dwarf", "card", "roles"),
    "report": ("core", "tools", "card", "goals"),
    "games": ("core", "tools", "card", "roles"),
    "rules": ("core", "tools", "card", "goals", "deck"),
}

SECRET = ("hold.css", "saboteur/roles.css")
STYLES = {
    "table": (*SECRET, "saboteur/standings.css"),
    "screen": ("saboteur/roles.css", "saboteur/standings.css", "saboteur/screen.css"),
    "report": ("saboteur/report.css",),
}
SCRIPTS: dict[str, tuple[str, ...]] = dict.fromkeys(asking.PAGES, ("saboteur/left.js",))
"""Wherever it may be told that an end waits."""
LIT = {"screen": ("saboteur/lit.js",)}
MAZE = (
    "play.css",
    "saboteur/unlit.css",
    "saboteur/maze.css",
    "saboteur/crew.css",
    "saboteur/sheets.css",
    "saboteur/log.css",
)
"""Where plays are reported."""
KITS = {
    "story": Kit(("core", "tools", "roles", "referee")),
    "replay": Kit(
        ("core", "tools", "card", "roles", "referee"),
        ("saboteur/unlit.css", "saboteur/maze.css", "saboteur/crew.css"),
    ),
    "picture": Kit(("core", "dwarf", "card", "referee")),
    "explain": explained.KIT,
}
"""Of pages that are the same in every way to play."""

REFEREE = "referee"
"""Beside the phases: it is playing, and plays are reported."""

PAGE_OF = {
    ("table", Phase.LOOKING): cards_only.looking,
    ("table", Phase.PLAYING): cards_only.playing,
    ("table", REFEREE): referee.playing,
    ("table", Phase.SETTLED): ended.settled,
    ("table", Phase.OVER): ended.over,
    ("screen", Phase.LOOKING): cards_only.screen,
    ("screen", Phase.PLAYING): cards_only.screen,
    ("screen", REFEREE): referee.playing_screen,
    ("screen", Phase.SETTLED): ended.settled_screen,
    ("screen", Phase.OVER): ended.over_screen,
}
"""Of a game: by the page's name, and the phase or `REFEREE`."""


SECRETS = {
    "role": Secret(
        title=lambda t: t.pgettext("title", "Your role"),
        kit=Kit(("core", "roles"), SECRET),
        views=present.roles,
        dealt=True,
    ),
    "gold": Secret(
        title=lambda t: t.pgettext("title", "Your gold"),
        kit=Kit(("core", "card", "gold"), SECRET),
        views=present.gold,
        slack=64,  # numbers in words may make one hand longer than any of equal cards
    ),
}


class SaboteurPages(Pages):
    title = "Saboteur"
    face = "dwarf"
    quarters = 1  # the maze grows upwards, to the goals
    secrets = SECRETS
    coin = "k-n"
    role_symbols = MappingProxyType({"miner": "pick", "saboteur": "pick-x"})

    def edition(self, locale: str) -> str:
        return PRESET.get(locale, "en")

    def setup(self, t: NullTranslations, players: int) -> tuple[str, ...]:
        return words.setup(t, players)

    def round(self, shown: Any) -> int:
        number: int = shown.round
        return number

    def page(self, name: asking.PageName, moment: Moment, me: Me) -> Page:
        layout: str = moment.table.phase
        if layout == Phase.PLAYING and maze.follows(moment.table):
            layout = REFEREE
        if layout == Phase.OVER and not moment.table.counted:  # first the last round, like others
            layout = Phase.SETTLED
        return PAGE_OF[name, layout](moment, me)

    def report(self, moment: Moment, me: Me) -> Page:
        return report.page(moment, me)

    def turn(self, state: Any, way: Way) -> PlayerIndex | None:
        turn: PlayerIndex | None = state.now.turn if way.follows else None
        return turn

    def waiting_end(self, moment: Moment, me: Me) -> Panel:
        return ends.waiting_end(moment, me)

    def ended_by(self, table: Table) -> EndedBy:
        return ends.ended_by(table)

    def goes_with_end(self, t: NullTranslations, by: EndedBy) -> str:
        return words.goes_with_end(t, by) or super().goes_with_end(t, by)

    def new_order_hint(self, t: NullTranslations) -> str:
        return words.new_order_hint(t)

    def look_words(self, t: NullTranslations) -> tuple[str, str]:
        return words.look_words(t)

    def drawn(self, step: Step, name: str) -> tuple[View, tuple[View | None, ...]]:
        return explained.drawn(step, name)

    def scenes(self, recorded: RecordedGame) -> Iterator[Scene]:
        return replay.scenes(recorded)

    def picture(self, state: Any, names: Sequence[str], *, tall: bool) -> Drawing:
        return picture.picture(state) or super().picture(state, names, tall=tall)

    story = staticmethod(story.story)

    def kit(self, page: str, *, follows: bool = False) -> Kit:
        if page in KITS:
            return KITS[page]
        symbols = SYMBOLS.get(page, ("core", "tools"))
        styles, scripts = STYLES.get(page, ()), SCRIPTS.get(page, ())
        if not follows or page not in ("table", "screen"):
            return Kit(symbols, styles, scripts)
        return Kit(
            (*symbols, "referee"),
            styles=(*styles, *(("screen-play.css",) if page == "screen" else ()), *MAZE),
            scripts=(*scripts, "saboteur/maze.js", *LIT.get(page, ())),
            sheet=True,
        )

    def fields(self, form: MultiDict[str, str]) -> dict[str, Any]:
        return plays.fields_of(form)

    def sheet(self, table: Table, me: Me, asked: Mapping[str, str]) -> View | None:
        return sheets.opened(table, me, asked)

    def differences(self, t: NullTranslations) -> tuple[Difference, ...]:
        return differences(t)

    def figures(self, t: NullTranslations, listing: Listing) -> Mapping[str, Any]:
        return {"dwarfs": DWARFS, "deck": deck(t, listing)}

    def install(self, app: Flask) -> None:
        words.install(app)


PAGES = SaboteurPages()
