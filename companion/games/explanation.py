"""The parts of an explanation: a few steps, each with one drawing and one thing to try.

What is right is judged by the game's own rules when a step is made; it is written down nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from gettext import NullTranslations
from typing import Any, Final, Protocol, TypeVar

from companion.games.fields import players
from companion.values import Value

State = TypeVar("State")
Play = TypeVar("Play")
Event = TypeVar("Event")

Said = Callable[[NullTranslations], str]
"""Whole sentences or a label, in the reader's language."""

EXAMPLE_NAMES: Final = ("Anna", "Berta", "Carlos")
"""Of players in examples."""

ANNA, BERTA, _ = players(len(EXAMPLE_NAMES))


class Refusal(Protocol):
    """As much as is said of one here."""

    def sentence(self, t: NullTranslations, names: Sequence[str], /) -> str: ...


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


def judged(answer: tuple[Any, ...] | Refusal, label: Said | None = None) -> Choice:
    """A play to choose; `answer`: what the rules say to it."""
    if isinstance(answer, tuple):
        return Choice(True, label)
    return Choice(False, label, lambda t: answer.sentence(t, EXAMPLE_NAMES))


def played(
    decide: Callable[[State, Play], tuple[Event, ...] | Refusal],
    evolve: Callable[[State, Event], State],
    state: State,
    play: Play,
) -> tuple[State, tuple[Event, ...]]:
    """The state after a play that is legal, and what has happened."""
    events = decide(state, play)
    assert isinstance(events, tuple), (play, events)
    for event in events:
        state = evolve(state, event)
    return state, events
