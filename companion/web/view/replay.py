"""A game watched again: the plays of a record become scenes, and these become a page.

All scenes are on the page at once: the first one whole, and of each other one what its play
changed, as a stream tells phones of it. A script goes to any of them; without one, each has its
address.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise

from markupsafe import Markup

from companion.games.game import AnyGame, Rejection
from companion.tables.pacing import in_slices, rest
from companion.values import Value
from companion.web.html.cache import Html
from companion.web.html.changes import Change, Changes, Child, changes, written
from companion.web.html.panels import Attributes, Keyed, Page, Panel, Part, View
from companion.web.view.games import pages_of
from companion.web.view.recorded_game import RecordedGame, recorded_game_of
from companion.web.view.scenes import Scene
from companion.web.view.story import Where, story_view


class Replay(Value, frozen=True):
    recorded: RecordedGame
    scenes: tuple[Scene, ...]

    @property
    def rounds(self) -> tuple[tuple[int, int], ...]:
        """Each round of several with the number of its first scene, from 1."""
        first: dict[int, int] = {}
        for at, scene in enumerate(self.scenes, 1):
            first.setdefault(scene.round, at)
        return tuple(each for each in first.items() if each[0])


def replay_of(
    chunks: Iterable[bytes],
    games: Mapping[str, AnyGame],
    breathe: Callable[[], None] = rest,
    number: int | None = None,
) -> Replay | Rejection:
    """The scenes of a game; of which, and what is refused, as for `recorded_game_of`."""
    recorded = recorded_game_of(chunks, games, breathe, number)
    if isinstance(recorded, Rejection):
        return recorded
    scenes = pages_of(recorded.game).scenes(recorded)
    return Replay(recorded, tuple(in_slices(scenes, breathe)))


LONG = 80
"""Letters; a caption of more is set smaller."""

_UNSEEN = re.compile(r'<span class="vh">[^<]*</span>')


class PlayLine(Value, frozen=True):
    """A play in the list of all plays."""

    round: int
    address: str
    caption: Markup

    @property
    def long(self) -> bool:
        return len(Markup(_UNSEEN.sub("", self.caption)).striptags()) > LONG  # noqa: S704 - a part of it


class ReplayView(View, frozen=True):
    template = "panels/replay.html"

    where: Where
    game: str
    edition: str
    rounds: tuple[tuple[int, int], ...]
    of_rounds: int  # in a whole game
    at: int  # the scene that is shown, from 1
    lines: tuple[PlayLine, ...]
    refused: int  # lines of the record that were left out
    stage: Markup
    scenes: Markup  # for the script: JSON
    story: str  # address of what could be counted in the game; empty: nothing
    own_story: Markup  # itself, where it has no page of its own


def replay_view(
    replay: Replay,
    at: int,
    where: Where,
    html: Html,
    locale: str,
    breathe: Callable[[], None] = rest,
) -> ReplayView:
    """`at`: the scene that is shown, from 1; it may be beyond the last one."""
    at = min(max(at, 1), len(replay.scenes))
    recorded = replay.recorded
    counted = pages_of(recorded.game).story is not None
    story = ""  # where it has no page of its own
    if counted and where.fields is None:
        story = html.fresh(story_view(recorded, where, html, locale, breathe), locale)
    scenes = in_slices(enumerate(replay.scenes, 1), breathe)
    said = (written(each, html, locale) for each in in_slices(_said(replay.scenes), breathe))
    return ReplayView(
        where=where,
        game=recorded.game.name,
        edition=recorded.edition,
        rounds=replay.rounds,
        of_rounds=recorded.game.rounds,
        at=at,
        lines=tuple(
            PlayLine(scene.round, where.address(number), Markup(html.of(scene.caption, locale)))  # noqa: S704 - drawn by templates
            for number, scene in scenes
        ),
        refused=recorded.refused,
        stage=_stage(replay.scenes[at - 1], html, locale),
        scenes=_as_data(f"[{b','.join(said).decode()}]"),
        story=where.address_of("story") if counted else "",
        own_story=Markup(story),  # noqa: S704 - drawn by templates
    )


def _stage(scene: Scene, html: Html, locale: str) -> Markup:
    """What lay on the table."""
    return Markup(html.whole(Page(scene.layout, scene.parts), locale))  # noqa: S704 - drawn by templates


def _said(scenes: tuple[Scene, ...]) -> Iterator[Changes]:
    """The first scene whole, and what each other one changed."""
    yield {part.id: _whole(part) for part in scenes[0].parts}
    for before, after in pairwise(scenes):
        yield changes(before.parts, after.parts)


def _whole(part: Part) -> Change:
    match part:
        case Panel(view=view):
            return view
        case Keyed(children=children):
            return {
                "+": {key: Child(key, view) for key, view in children},
                "o": [key for key, _ in children],
            }
        case Attributes(values=values):
            return {"=": dict(values)}


def _as_data(json: str) -> Markup:
    """As it can stand in a script element, whose text no browser unescapes."""
    return Markup(json.replace("</", r"<\/").replace("<!", r"\u003c!"))  # noqa: S704 - drawn by templates
