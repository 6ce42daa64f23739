"""A game watched again: a record is read, its plays become scenes, and these become a page.

All scenes are on the page at once: the first one whole, and of each other one what its play
changed, as a stream tells phones of it. A script goes to any of them; without one, each has its
address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from gettext import NullTranslations
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from companion import i18n
from companion.games.game import Game, Listing, Rejection
from companion.record import Step, read
from companion.record.texts import verdict
from companion.tables.pacing import in_slices, rest
from companion.values import Value
from companion.web.http import refusals
from companion.web.view.changes import Change, Child, changes, written
from companion.web.view.games import pages_of
from companion.web.view.html_cache import Html
from companion.web.view.panels import Attributes, Keyed, Page, Panel, Part, View
from companion.web.view.scenes import Scene
from companion.web.view.story import Honour

PLAYS_MAX = 1000
"""In one game; the longest recorded ones have a quarter of it."""

GAMES_MAX, REFUSED_MAX = 100, 1000
"""In a record of which no game is chosen; what follows is not looked at."""


class Played(Value, frozen=True):
    """A game with at least one play, as its record has it."""

    game: Game
    edition: str
    steps: tuple[Step, ...]
    """After each play."""
    refused: int = 0  # lines that were left out: its own, or all of a record that has no other game


class Replay(Value, frozen=True):
    played: Played
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
    games: Mapping[str, Game],
    breathe: Callable[[], None] = rest,
    number: int | None = None,
) -> Replay | Rejection:
    """The scenes of a game; of which, and what is refused, as for `played_of`."""
    played = played_of(chunks, games, breathe, number)
    if isinstance(played, Rejection):
        return played
    scenes = pages_of(played.game).scenes(played.steps)
    return Replay(played, tuple(in_slices(scenes, breathe)))


@dataclass(slots=True)
class _Lines:
    """What was read of a game."""

    began: Step
    plays: list[Step] = field(default_factory=list)
    refused: int = 0


def played_of(
    chunks: Iterable[bytes],
    games: Mapping[str, Game],
    breathe: Callable[[], None] = rest,
    number: int | None = None,
) -> Played | Rejection:
    """The game of a record, or of several the one with this number, from 1: of those that have a
    play. Lines that the referee refuses change nothing; of a record without a game, the first one
    says what is wrong."""
    found: list[_Lines] = []
    first: Step | None = None  # that is refused
    headers = refused = 0
    for step in in_slices(read(chunks, games), breathe):
        if step.verdict is None:
            headers += 1
            if found and not found[-1].plays:
                found.pop()
            found.append(_Lines(step))
        elif not step.verdict["ok"]:
            first = first or step
            refused += 1
            if found and step.names:  # else no game is on
                found[-1].refused += 1
        elif not found[-1].plays or number in (None, len(found)):  # of other games one is enough
            found[-1].plays.append(step)
            if len(found[-1].plays) > PLAYS_MAX:
                return Rejection(refusals.TOO_MANY_PLAYS, {"num": PLAYS_MAX})
        if number is None and (headers > GAMES_MAX or refused > REFUSED_MAX):
            break
    played = [each for each in found if each.plays]
    if not played:
        return Rejection(refusals.NO_PLAYS, _judged(first) if first else {})
    if number is None and len(played) > 1:
        return Rejection(refusals.SEVERAL_GAMES)
    if (number or 1) > len(played):
        return Rejection(refusals.NO_SUCH_GAME, {"num": len(played)})
    lines = played[(number or 1) - 1]
    return _played(lines, lines.refused if len(played) > 1 else refused)


def _played(lines: _Lines, refused: int) -> Played:
    began, game = lines.began, lines.began.game
    assert game is not None
    edition = game.header_fields(began.state, began.names).get("edition")
    usual = next(iter(game.editions))
    return Played(game, edition or usual, tuple(lines.plays), refused)


def _judged(step: Step) -> dict[str, Any]:
    """What `verdict_of` makes a sentence of: the verdict, and the name of its game."""
    game = step.game.name if step.game else ""
    return {"game": game, "first": {"line": step.line, **(step.verdict or {})}}


def verdict_of(
    rejection: Rejection, games: Mapping[str, Game], t: NullTranslations, listing: Listing
) -> str:
    """What the referee says of the first line that it refuses; empty where it refuses none."""
    params = rejection.params
    if "first" not in params:
        return ""
    return verdict(t, games.get(params["game"]), params["first"], listing)


class Line(Value, frozen=True):
    """A play in the list of all plays."""

    round: int
    address: str
    told: Markup


class Where(Value, frozen=True, kw_only=True):
    """Where a replay stands, and what it leads to."""

    here: str  # address of the page
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

    def beside(self, name: str, at: int = 0) -> str:
        """Of a page about the same game: "replay", at this scene, or "story"."""
        if self.fields is None:
            return self.address(at) if at else f"#{name}"
        return name + (self.address(at) if at else f"?{urlencode(self.fields)}")


class ReplayView(View, frozen=True):
    template = "panels/replay.html"

    where: Where
    game: str
    edition: str
    rounds: tuple[tuple[int, int], ...]
    of_rounds: int  # in a whole game
    at: int  # the scene that is shown, from 1
    lines: tuple[Line, ...]
    refused: int  # lines of the record that were left out
    stage: Markup
    scenes: Markup  # for the script: JSON
    story: str  # address of what could be counted in the game; empty: nothing
    told: Markup  # that story, where it has no page of its own


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
    played = replay.played
    counted = pages_of(played.game).story is not None
    story = ""  # where it has no page of its own
    if counted and where.fields is None:
        story = html.fresh(story_view(played, where, html, locale, breathe), locale)
    scenes = in_slices(enumerate(replay.scenes, 1), breathe)
    said = (written(each, html, locale) for each in in_slices(_said(replay.scenes), breathe))
    return ReplayView(
        where=where,
        game=played.game.name,
        edition=played.edition,
        rounds=replay.rounds,
        of_rounds=played.game.rounds,
        at=at,
        lines=tuple(
            Line(scene.round, where.address(number), Markup(html.of(scene.told, locale)))  # noqa: S704 - drawn by templates
            for number, scene in scenes
        ),
        refused=played.refused,
        stage=_stage(replay.scenes[at - 1], html, locale),
        scenes=_as_data("[" + ",".join(said) + "]"),
        story=where.beside("story") if counted else "",
        told=Markup(story),  # noqa: S704 - drawn by templates
    )


def story_view(
    played: Played,
    where: Where,
    html: Html,
    locale: str,
    breathe: Callable[[], None] = rest,
) -> StoryView:
    """What could be counted; of a game whose pages tell it."""
    tell = pages_of(played.game).story
    assert tell is not None
    t = i18n.catalogue(locale)
    story = tell(played.steps, t, lambda at: where.beside("replay", at), breathe)
    figures = tuple(
        Markup(html.fresh(each, locale))  # noqa: S704 - drawn by templates
        for each in in_slices(story.figures, breathe)
    )
    return StoryView(where, played.game.name, played.edition, story.honours, figures)


class StoryView(View, frozen=True):
    template = "panels/story.html"

    where: Where
    game: str
    edition: str
    honours: tuple[Honour, ...]
    figures: tuple[Markup, ...]


def _stage(scene: Scene, html: Html, locale: str) -> Markup:
    """What lay on the table."""
    return Markup(html.whole(Page(scene.layout, scene.parts), locale))  # noqa: S704 - drawn by templates


def _said(scenes: tuple[Scene, ...]) -> Iterator[Mapping[str, Any]]:
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
