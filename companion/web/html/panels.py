"""What a page is made of: values under ids. Their HTML is a function of language and value alone.

A page has a *layout* and *parts* that stand in it. Each is drawn from a `View`, a frozen value,
by a template that sees this value, the translations and nothing else; see `cache`. What
makes one page of another is in `changes`.
"""

from __future__ import annotations

from typing import ClassVar, Final

from companion.values import Value

WHOLE: Final = "live"
"""The id of the element that a layout fills."""

BAR: Final = "bar"
MAIN: Final = "main"
"""The ids of the part and of the element that every layout of a table's page consists of."""


class View(Value, frozen=True, cache_hash=True):
    """A value that can be drawn, frozen; what derives from it has hashable fields."""

    template: ClassVar[str]
    """Its file; the root element there has the id of the part that it is drawn for, if any."""

    worded: ClassVar[bool] = True
    """Whether its HTML differs by language."""

    @property
    def lasts(self) -> bool:
        """Whether its HTML is kept; not where somebody has typed what stands in it."""
        return True


class Panel(Value, frozen=True):
    """One element, changed as a whole."""

    id: str
    view: View


class Keyed(Value, frozen=True):
    """An element of the layout whose children come, change and go one by one; each has its id."""

    id: str
    children: tuple[tuple[str, View], ...]
    ordered: bool = True  # else it does not matter which child stands before which


class Attributes(Value, frozen=True):
    """Attributes of an element of the layout."""

    id: str
    values: tuple[tuple[str, str | None], ...]  # None: the element has no such attribute


Part = Panel | Keyed | Attributes


class Page(Value, frozen=True):
    """`common` parts are made from what all at the table may see, and are the same objects for
    everybody; `own` ones are this phone's. A page has the same parts as long as its layout is the
    same."""

    layout: View
    common: tuple[Part, ...] = ()
    own: tuple[Part, ...] = ()
    typing: bool = False  # or looked for in a drawing: it is not loaded anew by itself

    @property
    def parts(self) -> tuple[Part, ...]:
        return self.common + self.own
