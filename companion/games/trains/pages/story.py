"""The story of a Game of Trains: how far each row was from rising, and what abilities did."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from gettext import NullTranslations

from companion.games.trains import labels
from companion.games.trains.pages.words import SYMBOLS
from companion.games.trains.rules import figures
from companion.tables.pacing import in_slices, rest
from companion.web.view.models import ToldEvent
from companion.web.view.plots import (
    HIGHLIGHTS_MAX,
    Address,
    Balance,
    Bars,
    Course,
    Deed,
    Highlight,
    Honour,
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
    names = steps[0].names
    turns = figures.turns((step.state, step.events) for step in in_slices(steps, breathe))
    if len(turns) < 2:  # the deal alone
        return Story()
    effects = figures.effects(turns)
    return Story(
        tuple(_honours(t, turns, names)),
        (
            _course(t, turns, recorded, address),
            *([_abilities(t, effects)] if effects else []),
            _uses(t, turns, names),
        ),
    )


def _course(
    t: NullTranslations,
    turns: Sequence[figures.Turn],
    recorded: RecordedGame,
    address: Address,
) -> Course:
    steps, names = recorded.steps, recorded.steps[0].names

    def highlight(each: figures.Leap) -> Highlight:
        step = steps[each.turn.first - 1]
        told = ToldEvent(recorded.game, step.events[0], names)
        was, now = str(each.was), str(each.now)
        return Highlight(each.turn.play, address(each.turn.play), names[each.seat], was, now, told)

    return Course(
        title=t.pgettext("title", "How far each row was from ascending order"),
        meaning=" ".join(
            (
                t.gettext(
                    "After each turn: the smallest number of wagons in the row that must be moved"
                    " or replaced before all numbers rise from left to right."
                ),
                t.gettext("The largest steps are marked, if they are at least two wagons."),
            )
        ),
        heads=(
            t.pgettext("label", "Row"),
            t.pgettext("label", "Play"),
            t.pgettext("label", "Player"),
            t.pgettext("label", "Wagons"),
        ),
        out="",
        players=names,
        stretches=tuple(
            Stretch(name, tuple(Point(turn.play, turn.by, turn.away[seat]) for turn in turns))
            for seat, name in enumerate(names)
        ),
        highlights=tuple(map(highlight, figures.highlights(turns, HIGHLIGHTS_MAX))),
    )


def _abilities(t: NullTranslations, effects: Sequence[figures.Effect]) -> Balance:
    return Balance(
        title=t.pgettext("title", "What abilities did"),
        meaning=t.gettext(
            "For each ability: how often it was used, and how many wagons nearer to ascending"
            " order, or further from it, it brought the rows. A removal counts when all gaps are"
            " filled."
        ),
        heads=(
            t.pgettext("label", "Ability"),
            t.pgettext("label", "Used"),
            t.pgettext("label", "Own row nearer"),
            t.pgettext("label", "Own row further"),
            t.pgettext("label", "Other rows nearer"),
            t.pgettext("label", "Other rows further"),
        ),
        kinds=(
            ("own", t.pgettext("label", "own row")),
            ("others", t.pgettext("label", "other rows")),
        ),
        sides=(t.pgettext("label", "nearer"), t.pgettext("label", "further away")),
        rows=tuple(
            (
                Deed(SYMBOLS[each.ability], labels.ability(t, each.ability)),
                (
                    each.used,
                    each.own_nearer,
                    each.own_away,
                    each.others_nearer,
                    each.others_away,
                ),
            )
            for each in effects
        ),
    )


def _uses(t: NullTranslations, turns: Sequence[figures.Turn], names: Sequence[str]) -> Bars:
    return Bars(
        title=t.pgettext("title", "What turns were used for"),
        meaning=t.gettext("The turns of each player, including the opening draft."),
        heads=(t.pgettext("label", "Player"), t.pgettext("label", "Total")),
        kinds=(
            ("k1", t.pgettext("turn", "Wagon drawn")),
            ("k3", t.pgettext("turn", "Ability used")),
        ),
        rows=tuple(
            (name, tuple(count))
            for name, count in zip(names, figures.uses(turns, len(names)), strict=True)
        ),
    )


def _honours(
    t: NullTranslations, turns: Sequence[figures.Turn], names: Sequence[str]
) -> Iterator[Honour]:
    yield from honour(
        t.pgettext("title", "Biggest leap"),
        figures.leaps(turns),
        names,
        partial(wagons, t),
        t.gettext(
            "The most wagons by which a single turn brought the player’s own row nearer to"
            " ascending order."
        ),
    )
    yield from honour(
        t.pgettext("title", "Master of abilities"),
        figures.gains(turns),
        names,
        partial(wagons, t),
        t.gettext(
            "The total number of wagons by which abilities brought a player’s own row nearer"
            " to ascending order."
        ),
    )


def wagons(t: NullTranslations, num: int) -> str:
    return t.ngettext("%(num)d wagon", "%(num)d wagons", num) % {"num": num}
