"""The page of what could be counted in a game."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

from markupsafe import Markup

from companion import catalogues
from companion.tables.pacing import in_slices
from companion.values import Value
from companion.web.html.cache import Html
from companion.web.html.panels import View
from companion.web.view.games import pages_of
from companion.web.view.plots import Honour
from companion.web.view.recorded_game import RecordedGame


class Where(Value, frozen=True, kw_only=True):
    """Where a replay stands, and what it leads to."""

    here: str  # address of the page
    home: str = "/"  # address
    fields: tuple[tuple[str, str], ...] | None = None  # of a scene's address, beside its number;
    # None: the server knows no single scene
    back: str = ""
    games: tuple[tuple[int, str], ...] = ()  # of the table, by number: addresses of their replays
    number: int = 0  # of this one
    wide: bool = False  # on a table screen
    alone: bool = False  # a file of its own, with no link to anywhere

    def address(self, at: int) -> str:
        """Of a scene."""
        return f"#{at}" if self.fields is None else f"?{urlencode((*self.fields, ('at', at)))}"

    def address_of(self, name: str, at: int = 0) -> str:
        """Of a page about the same game: "replay", at this scene, or "story"."""
        if self.fields is None:
            return self.address(at) if at else f"#{name}"
        return name + (self.address(at) if at else f"?{urlencode(self.fields)}")


class StoryView(View, frozen=True):
    template = "panels/story.html"

    where: Where
    game: str
    edition: str
    honours: tuple[Honour, ...]
    figures: tuple[Markup, ...]


def story_view(
    recorded: RecordedGame,
    where: Where,
    html: Html,
    locale: str,
    breathe: Callable[[], None],
) -> StoryView:
    """What could be counted; of a game whose pages tell it."""
    tell = pages_of(recorded.game).story
    assert tell is not None
    t = catalogues.catalogue(locale)
    story = tell(recorded, t, lambda at: where.address_of("replay", at), breathe)
    figures = tuple(
        Markup(html.fresh(each, locale))  # noqa: S704 - drawn by templates
        for each in in_slices(story.figures, breathe)
    )
    return StoryView(where, recorded.game.name, recorded.edition, story.honours, figures)
