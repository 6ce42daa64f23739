"""The parts of an explanation: a few steps, each with one drawing and one thing to try.

What is right is judged by the game's own rules when a step is made; it is written down nowhere.
"""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations
from typing import Any

from companion.values import Value

Said = Callable[[NullTranslations], str]
"""Whole sentences or a label, in the reader's language."""


class Choice(Value, frozen=True):
    """One answer to what a step asks."""

    right: bool
    label: Said | None = None
    """None: it is a place in the drawing."""
    why: Said | None = None
    """What is said of it when it is chosen: of a wrong one, why it is wrong."""
    picture: Any = None
    """The game's own: what is drawn beside the label."""


class Step(Value, frozen=True):
    title: Said
    text: tuple[Said, ...]
    """Whole sentences, of thirty words in all at most."""
    drawing: Any
    """The game's own."""
    question: Said
    choices: tuple[Choice, ...]
