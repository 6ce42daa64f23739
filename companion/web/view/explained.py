"""A game explained in steps: on the pages of a table, all at the same one, and for one alone.

What somebody tries is no news: the page has what every choice leads to, and shows what was chosen.
"""

from __future__ import annotations

from gettext import NullTranslations
from urllib.parse import parse_qs, urlsplit

from companion.games.explanation import Choice, Step
from companion.games.game import AnyGame
from companion.tables.model import Table
from companion.values import Value
from companion.web.html.panels import Attributes, Page, Panel, Part, View
from companion.web.view import common, handovers, scanning
from companion.web.view.addresses import query_of
from companion.web.view.asking import PageName
from companion.web.view.games import pages_of
from companion.web.view.me import Me
from companion.web.view.moments import Moment


class StepView(View, frozen=True):
    """What one step says, shows, and asks to be tried."""

    template = "panels/step.html"

    game: str
    edition: str
    way: str
    number: int  # from 1
    of: int
    drawing: View
    pictures: tuple[View | None, ...]  # of its choices


class LeadView(View, frozen=True):
    """The host taps on for all."""

    template = "panels/lead.html"

    here: str
    you_host: bool
    host: str | None  # name
    number: int
    of: int
    alone: str  # address of the same step for this reader alone


class ExplainView(View, frozen=True):
    """While no game is on: the host begins to explain; anybody can read it alone."""

    template = "panels/explain.html"

    here: str
    you_host: bool
    alone: str  # empty: the game has no explanation


class ExplainedLayout(View, frozen=True):
    template = "layouts/explained.html"


class ExplainedScreenLayout(View, frozen=True):
    template = "layouts/explained_screen.html"

    here: str


class AloneView(View, frozen=True):
    """A step for one reader, at a table or not."""

    template = "panels/alone.html"

    here: str
    games: tuple[str, ...]  # that have an explanation
    editions: tuple[str, ...]
    ways: tuple[str, ...]
    step: StepView
    back: str  # the page to go back to
    table: str  # address of the reader's, which may want them meanwhile; empty: none


class StepWords(Value, frozen=True):
    """A step in the reader's language."""

    title: str
    text: str
    question: str
    choices: tuple[tuple[Choice, str, str], ...]  # with label and reason


def words_of(step: Step, t: NullTranslations) -> StepWords:
    return StepWords(
        step.title(t),
        " ".join(sentence(t) for sentence in step.text),
        step.question(t),
        tuple(
            (each, each.label(t) if each.label else "", each.why(t) if each.why else "")
            for each in step.choices
        ),
    )


def step_view(game: AnyGame, edition: str, way: str, number: int) -> StepView:
    """`number`: from 1; the last one where there are fewer."""
    steps = game.steps(edition, way)
    number = min(max(number, 1), len(steps))
    drawing, pictures = pages_of(game).drawn(steps[number - 1], f"try-{number}")
    return StepView(
        game=game.name,
        edition=edition,
        way=way,
        number=number,
        of=len(steps),
        drawing=drawing,
        pictures=pictures,
    )


def alone_path(game: str, edition: str, way: str, number: int = 1, back: str = "") -> str:
    """The address of a step for one reader."""
    fields = {"edition": edition, "way": way, "step": number, "back": back}
    return f"/explain/{game}?{query_of(fields)}"


def beyond(back: str) -> str:
    """Where a step for one reader leads back to, if `back` is one; else `back`. Whoever looks
    something up in the rules, and goes on from there, ends where the explanation was opened."""
    parts = urlsplit(back)
    if not parts.path.startswith("/explain/"):
        return back
    return parse_qs(parts.query).get("back", ["/"])[0]


def is_explained(table: Table) -> bool:
    """Whether the pages of the table show a step of its game's explanation."""
    shown = table.explained is not None and not table.playing
    return shown and bool(table.game.steps(table.edition, table.way))


def explain(table: Table, me: Me) -> Panel:
    """For pages of a table on which no game is on."""
    has = table.game.steps(table.edition, table.way)
    alone = alone_path(table.game.name, table.edition, table.way, back=me.path) if has else ""
    return Panel("explain", ExplainView(me.path, me.hosts, alone))


def page(name: PageName, moment: Moment, me: Me) -> Page:
    table = moment.table
    step = moment.once(_step, table)
    alone = alone_path(step.game, step.edition, step.way, step.number, me.path)
    lead = LeadView(
        here=me.path,
        you_host=me.hosts,
        host=handovers.host_name(table),
        number=step.number,
        of=step.of,
        alone=alone,
    )
    shared = moment.once(_common, table, step)
    if name == "screen":
        scan = Panel("scan", scanning.scan(me.reach, large=False))
        bar = (common.screen_bar(table, me), common.refused(me), scan)
        return Page(ExplainedScreenLayout(me.path), shared, (*bar, Panel("lead", lead)))
    head = (common.bar(table, me, None), common.refused(me), handovers.host_gone(moment, me))
    return Page(ExplainedLayout(), shared, (*head, common.links(me), Panel("lead", lead)))


def _step(table: Table) -> StepView:
    return step_view(table.game, table.edition, table.way, table.explained or 1)


def _common(table: Table, step: StepView) -> tuple[Part, ...]:
    return (
        Attributes("main", (("data-stage", f"step-{step.number}"),)),
        Panel("notices", handovers.notices_of(table)),
        Panel("step", step),
    )
