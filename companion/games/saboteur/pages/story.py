"""The story of a game of Saboteur: gold, how far the treasure was, tools, turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from gettext import NullTranslations

from companion.games.fields import players
from companion.games.saboteur import labels
from companion.games.saboteur.rules import figures
from companion.games.saboteur.rules.cards import SABOTEUR
from companion.games.saboteur.rules.model import State
from companion.record import RecordStep
from companion.tables.pacing import paced, rest
from companion.web.view.models import ToldEvent
from companion.web.view.plots import (
    HIGHLIGHTS_MAX,
    Address,
    Bars,
    Course,
    Deed,
    Highlight,
    Honour,
    Pairs,
    Point,
    Story,
    Stretch,
    honour,
)
from companion.web.view.recorded_game import RecordedGame


def story(
    recorded: RecordedGame,
    t: NullTranslations,
    address: Address,
    breathe: Callable[[], None] = rest,
) -> Story:
    """Of a game that is over, or as far as its record goes."""
    steps = recorded.steps
    names, state = steps[0].names, steps[-1].state
    plays = [(step.state, step.events) for step in steps]
    points = list(figures.course(plays, paced(breathe)))
    if not points:
        return Story(figures=(_gold(t, state, names),))
    tools = figures.tools(plays)
    return Story(
        tuple(_honours(t, points, tools, names)),
        (
            _gold(t, state, names),
            _turns(t, figures.turns(plays, len(names)), names),
            _course(t, points, recorded, address),
            *([_tools(t, tools, names)] if tools else []),
        ),
    )


def round_name(t: NullTranslations, number: int) -> str:
    return t.gettext("Round %(n)d") % {"n": number}


def _gold(t: NullTranslations, state: State, names: Sequence[str]) -> Bars:
    gained = sorted(zip(names, figures.gold(state), strict=True), key=lambda each: -sum(each[1]))
    return Bars(
        title=t.pgettext("title", "Gold by round"),
        meaning=t.gettext("Gold nuggets that each player gained, by round and in all."),
        heads=(t.pgettext("label", "Player"), t.pgettext("label", "Total")),
        kinds=tuple((f"r{n}", round_name(t, n)) for n in range(1, len(state.past) + 1)),
        rows=tuple((name, tuple(rounds)) for name, rounds in gained),
    )


def _course(
    t: NullTranslations,
    points: Sequence[figures.Point],
    recorded: RecordedGame,
    address: Address,
) -> Course:
    steps, names = recorded.steps, recorded.steps[0].names
    out = t.pgettext("label", "out of reach")

    def said(cards: int | None) -> str:
        return out if cards is None else str(cards)

    def highlight(point: figures.Point) -> Highlight:
        step = steps[point.play - 1]
        told = ToldEvent(recorded.game, step.events[0], names)
        return Highlight(
            point.play,
            address(point.play),
            round_name(t, point.round),
            said(point.was),
            said(point.cards),
            told,
        )

    return Course(
        title=t.pgettext("title", "How far the treasure was"),
        meaning=" ".join(
            (
                t.gettext(
                    "After each play: the smallest number of further path cards that would join"
                    " the start card to a face-down goal card."
                ),
                t.gettext(
                    "Only path cards not yet played in this round are counted, placed as the rules"
                    " say. Hands, turns and broken tools do not count."
                ),
                # Translators: ∞ stands beside the drawing
                t.gettext("∞: the cards that are left cannot do it."),
                t.gettext(
                    "The largest steps nearer and further away are marked, if they are at least"
                    " two cards."
                ),
            )
        ),
        heads=(
            t.pgettext("label", "Round"),
            t.pgettext("label", "Play"),
            t.pgettext("label", "Player"),
            t.pgettext("label", "Path cards"),
        ),
        out=out,
        players=names,
        stretches=tuple(_rounds(t, points, steps, names)),
        highlights=tuple(map(highlight, figures.highlights(points, HIGHLIGHTS_MAX))),
    )


def _rounds(
    t: NullTranslations,
    points: Sequence[figures.Point],
    steps: Sequence[RecordStep],
    names: Sequence[str],
) -> Iterator[Stretch]:
    for number in sorted({point.round for point in points}):
        of_round = [point for point in points if point.round == number]
        roles = figures.latest_round(steps[of_round[0].play - 1].state).roles
        seats = sorted(players(len(names)), key=lambda seat: roles[seat] == SABOTEUR)
        yield Stretch(
            round_name(t, number),
            tuple(Point(point.play, point.by, point.cards) for point in of_round),
            tuple((seat, labels.ROLES[roles[seat]](t)) for seat in seats),
        )


def _tools(t: NullTranslations, tools: Sequence[figures.Tools], names: Sequence[str]) -> Pairs:
    def deeds(each: Sequence[str], *, broken: bool) -> tuple[Deed, ...]:
        return tuple(
            Deed(labels.tool_symbol(tool, broken=broken), labels.tool(t, tool)) for tool in each
        )

    return Pairs(
        title=t.pgettext("title", "Broken and repaired tools"),
        meaning=t.gettext("Who broke whose tools, and who repaired them."),
        heads=(
            t.pgettext("label", "Player"),
            t.pgettext("label", "Whose tools"),
            t.pgettext("label", "broke"),
            t.pgettext("label", "repaired"),
        ),
        rows=tuple(
            (
                names[each.by],
                names[each.seat],
                deeds(each.broken, broken=True),
                deeds(each.mended, broken=False),
            )
            for each in tools
        ),
    )


def _turns(t: NullTranslations, counts: Sequence[Sequence[int]], names: Sequence[str]) -> Bars:
    kinds = (
        t.pgettext("turn", "Path card"),
        t.pgettext("turn", "Tool broken"),
        t.pgettext("turn", "Tool repaired"),
        t.pgettext("turn", "Rockfall"),
        t.pgettext("turn", "Map"),
        t.pgettext("turn", "Passed"),
    )
    return Bars(
        title=t.pgettext("title", "What turns were used for"),
        meaning=t.gettext("The turns of each player, in all rounds whose plays were reported."),
        heads=(t.pgettext("label", "Player"), t.pgettext("label", "Total")),
        kinds=tuple((f"k{n}", kind) for n, kind in enumerate(kinds, 1)),
        rows=tuple((name, tuple(count)) for name, count in zip(names, counts, strict=True)),
    )


def _honours(
    t: NullTranslations,
    points: Sequence[figures.Point],
    tools: Sequence[figures.Tools],
    names: Sequence[str],
) -> Iterator[Honour]:
    yield from honour(
        t.pgettext("title", "Pathfinder"),
        figures.pathfinders(points),
        names,
        partial(plays, t),
        t.gettext("Plays as a gold digger after which the treasure was nearer."),
    )
    yield from honour(
        t.pgettext("title", "Helping hand"),
        figures.helpers(tools),
        names,
        partial(tools_in_words, t),
        t.gettext("Tools repaired for other players."),
    )
    yield from honour(
        t.pgettext("title", "Master of detours"),
        figures.misleaders(points),
        names,
        partial(plays, t),
        t.gettext("Plays as a saboteur after which the treasure was further away."),
    )


def tools_in_words(t: NullTranslations, num: int) -> str:
    return t.ngettext("%(num)d tool", "%(num)d tools", num) % {"num": num}


def plays(t: NullTranslations, num: int) -> str:
    return t.ngettext("%(num)d play", "%(num)d plays", num) % {"num": num}
