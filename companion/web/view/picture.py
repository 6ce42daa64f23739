"""The result of a game as a picture to be sent in a chat: who has won, what everybody has, and what
lay on the table at the end.

It is made of the drawings of the pages, in the colours of the dark theme and with letters of our
own, so it looks the same wherever it is made.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from companion import catalogues
from companion.games.fields import players
from companion.values import Value
from companion.web.html import letters
from companion.web.html.cache import Html
from companion.web.html.drawings import Drawings
from companion.web.html.panels import View
from companion.web.html.png import png_of
from companion.web.http.assets import Assets
from companion.web.view.games import Pages, pages_of
from companion.web.view.models import Drawing
from companion.web.view.results import Finished

SIZES: Final = {"wide": (1200, 630), "tall": (1080, 1350)}
"""Width and height in pixels: as link previews have it, and as phones show most of."""

MARGIN: Final = 56
LARGE: Final = 64
"""Of letters."""
READABLE: Final = 26
"""Smaller letters are not seen in a chat."""


class Box(Value, frozen=True):
    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width


class Text(Value, frozen=True):
    text: str
    size: float


class PlayerLine(Value, frozen=True):
    """A player."""

    y: float  # where the letters stand
    place: int  # from 1
    name: Text
    points: int


class PictureView(View, frozen=True):
    template = "pictures/result.svg"

    width: int
    height: int
    title: str
    date: str
    winners: int
    winner: Text | None  # None: their names are too long to stand there
    head: Box
    svg: Markup  # of the drawing
    drawing: Drawing
    box: Box  # of the drawing
    lines: tuple[PlayerLine, ...]
    list: Box
    size: float  # of the letters in a line, at most
    coin: str  # the drawing beside points; empty: there are none


def picture_view(
    shape: str, finished: Finished, drawing: Drawing, svg: Markup, pages: Pages, locale: str
) -> PictureView:
    """`svg`: of the drawing."""
    width, height = SIZES[shape]
    names, outcome, coin = finished.names, finished.outcome, pages.coin
    listing = catalogues.listing(locale)(finished.winners)
    head, box, rest = _boxes(shape, named=drawing.named)
    size = letters.size(listing, head.width, LARGE)
    ranked = [] if drawing.named else sorted(players(len(names)), key=outcome.place)
    pitch = min(rest.height / max(1, len(ranked)), LARGE)
    most = min(pitch * 0.68, LARGE / 2 + 4)
    points = letters.width("00000") if coin else 0  # with a gap, and the drawing
    room = rest.width - most * (letters.width("10. ") + points)
    lines = tuple(
        PlayerLine(
            rest.y + pitch * (at + 0.68),
            outcome.place(player),
            Text(names[player], letters.size(names[player], room, most)),
            outcome.points(player),
        )
        for at, player in enumerate(ranked)
    )
    return PictureView(
        width=width,
        height=height,
        title=pages.title,
        date=finished.date(locale),
        winners=len(outcome.winners),
        winner=Text(listing, size) if size >= READABLE or len(outcome.winners) == 1 else None,
        head=head,
        svg=svg,
        drawing=drawing,
        box=box,
        lines=lines,
        list=rest,
        size=most,
        coin=coin,
    )


def _boxes(shape: str, *, named: bool) -> tuple[Box, Box, Box]:
    """Where the winner stands, the drawing, and the list of the players."""
    width, height = SIZES[shape]
    whole = width - 2 * MARGIN
    if shape == "tall":
        list_height = 0 if named else 500
        drawn = Box(
            MARGIN, 300, whole, height - 300 - list_height - 2 * MARGIN + (MARGIN if named else 0)
        )
        return Box(MARGIN, 150, whole, 110), drawn, Box(MARGIN, 794, whole, list_height)
    if named:
        return (
            Box(MARGIN, 110, whole, 100),
            Box(MARGIN, 230, whole, height - 230 - MARGIN / 2),
            Box(0, 0, 0, 0),
        )
    column = 560
    return (
        Box(MARGIN, 110, column, 100),
        Box(MARGIN + column + 40, 110, whole - column - 40, height - 110 - MARGIN / 2),
        Box(MARGIN, 226, column, height - 226 - MARGIN / 2),
    )


_VARIABLE: Final = re.compile(r"var\(--([\w-]+)(?:,[^)]*)?\)")
_TAG: Final = re.compile(r"<[^>]*>")
"""Names stand between tags, and are what they are."""

_NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""In names that are older than what is left out of them now."""

_COLOUR: Final = re.compile(r"--([\w-]+):\s*(#[0-9a-f]{3,6})")


def svg_of(view: PictureView, html: Html, locale: str, assets: Assets, files: Sequence[str]) -> str:
    """The whole picture; `files`: of the drawings that it may name."""
    text = html.fresh(view, locale)
    named = Drawings(assets).shown(files, text)
    colours: dict[str, str] = {}
    for name, value in _COLOUR.findall(assets.unpacked("theme.css").decode()):
        colours.setdefault(name, value)  # of the dark theme, which is the first
    whole = text.replace("<defs/>", f"<defs>{named}</defs>", 1)

    def coloured(tag: re.Match[str]) -> str:
        return _VARIABLE.sub(lambda found: colours[found[1]], tag[0])

    return _NOT_XML.sub("\ufffd", _TAG.sub(coloured, whole))


def picture_of(finished: Finished, shape: str, locale: str, html: Html, assets: Assets) -> bytes:
    """As PNG."""
    pages, names = pages_of(finished.game), finished.names
    drawing = pages.picture(finished.result.game_state, names, tall=shape == "tall")
    svg = Markup(html.fresh(drawing.view, locale))  # noqa: S704 - drawn by templates
    view = picture_view(shape, finished, drawing, svg, pages, locale)
    whole = svg_of(view, html, locale, assets, pages.kit("picture").symbols)
    return png_of(whole, *names)
