"""The parts of a book of rules: sections, paragraphs, lines, and the editions' differences."""

from __future__ import annotations

from typing import Final, Literal

from companion.values import Value

Mark = Literal["", "edition", "ours"]

PLAIN: Final = ""
EDITION: Final = "edition"
OURS: Final = "ours"


class Line(Value, frozen=True):
    """A few whole sentences: one message."""

    text: str
    mark: Mark = PLAIN
    """`EDITION`: the editions differ here, and this is how the one at hand has it. `OURS`: the
    referee's ruling where the booklet is silent or says otherwise."""


class Rule(Value, frozen=True):
    """A paragraph that can be linked to."""

    anchor: str
    title: str
    lines: tuple[Line, ...]
    figure: str = ""
    """A table or drawing that belongs to it, by a name that the template knows."""


class Section(Value, frozen=True):
    anchor: str
    title: str
    rules: tuple[Rule, ...]


def rule(anchor: str, title: str, *lines: str | Line, figure: str = "") -> Rule:
    """A paragraph; its lines hold in every edition, unless they are marked."""
    known = tuple(Line(line) if isinstance(line, str) else line for line in lines)
    return Rule(anchor, title, known, figure)


def by_edition(text: str) -> Line:
    return Line(text, EDITION)


def ours(text: str) -> Line:
    return Line(text, OURS)


class Difference(Value, frozen=True):
    """A question that the editions answer differently."""

    anchor: str
    """The paragraph of the rules that it belongs to."""
    question: str
    answers: tuple[tuple[str, tuple[str, ...]], ...]
    """Each answer with the editions that give it."""
