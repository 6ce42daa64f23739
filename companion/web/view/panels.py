"""What a page is made of: values under ids. Their HTML is a function of language and value alone.

A page has a *layout* and *parts* that stand in it. Each is drawn from a `View`, a frozen value,
by a template that sees this value, the translations and nothing else; so HTML is drawn once for
equal values, wherever they occur, and kept under the value itself. What a phone has to be told of a
change is what differs between the page that it has and the page that it should have.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from secrets import token_urlsafe
from sys import getsizeof
from typing import Any, ClassVar, Final, NamedTuple

import msgspec
from flask import Flask
from markupsafe import Markup, escape

from companion import i18n
from companion.values import Value

# The marks below are control characters that are in no text and no name, and are no blanks. They
# are of Latin-1: so what is drawn in most languages takes a byte a letter, and not two.

VERSION: Final = "\x80"
"""Stands in HTML that is kept where a form says which version of the table it was made for."""

SEAT: Final = "\x81"
"""Stands in addresses for the seat that the page is about, where a phone holds several."""

TABLE: Final = "\x82"
"""Stands in addresses for the id of the table, in what is drawn at every play: tables share it."""

KEY: Final = "\x83"
"""Stands in a child of a keyed part for its id."""

PLAYERS: Final = tuple(map(chr, range(0x90, 0x9A)))
"""Stand for the names of up to ten players, in the game's order, in what is drawn at every play:
all tables share it. Whatever leaves the program has the names."""

HTML_BYTES: Final = 5 << 20
"""Of HTML that is kept. With fifty tables, twice as much would save 4 % of a report's time."""

WHOLE: Final = "live"
"""The id of the element that a layout fills."""

BAR: Final = "bar"
MAIN: Final = "main"
"""The ids of the part and of the element that every layout of a table's page consists of."""


class View(Value, frozen=True):
    """A value that can be drawn, frozen; what derives from it has hashable fields."""

    template: ClassVar[str]
    """Its file; the root element there has the id of the part that it is drawn for, if any."""

    worded: ClassVar[bool] = True
    """Whether its HTML differs by language."""


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
    typing: bool = False  # something is typed on it: it is not loaded anew by itself

    @property
    def parts(self) -> tuple[Part, ...]:
        return self.common + self.own


class Html:
    """Draws views, and keeps what it has drawn while there is room."""

    def __init__(self, app: Flask, max_bytes: int = HTML_BYTES) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._bytes = 0
        self._kept: OrderedDict[View, dict[str, str]] = OrderedDict()

    def of(self, view: View, locale: str) -> str:
        return self.one_of(self.kept(view), view, locale)

    def kept(self, view: View) -> dict[str, str]:
        """What is kept of a view, by language; for `one_of`, where several are wanted."""
        found = self._kept.get(view)
        if found is None:
            found = self._kept[view] = {}
        else:
            self._kept.move_to_end(view)
        return found

    def one_of(self, kept: dict[str, str], view: View, locale: str) -> str:
        key = locale if view.worded else ""
        html = kept.get(key)
        if html is None:
            html = kept[key] = self._drawn(view, locale)
            if self._kept.get(view) is kept:
                self._make_room(getsizeof(html))
        return html

    def _make_room(self, more: int) -> None:
        self._bytes += more
        while self._bytes > self._max_bytes:
            _, dropped = self._kept.popitem(last=False)
            self._bytes -= sum(map(getsizeof, dropped.values()))

    def fresh(self, view: View, locale: str) -> str:
        """Drawn for this once, and not kept."""
        return self._drawn(view, locale)

    def whole(self, page: Page, locale: str) -> str:
        """The layout with all its parts."""
        parts = {part.id: part for part in page.parts}
        texts = self.of(page.layout, locale).split(_PART)
        return "".join(
            self.inside(parts[text], locale) if number % 2 else text
            for number, text in enumerate(texts)
        )

    def main(self, page: Page, locale: str) -> str:
        """What another layout has in its place: all but the bar."""
        whole = self.whole(page, locale)
        return whole[whole.index("<main") :]

    def inside(self, part: Part, locale: str) -> str:
        """What the layout has for a part."""
        match part:
            case Panel(view=view):
                return self.of(view, locale)
            case Keyed(children=children):
                return "".join(self.of(view, locale).replace(KEY, key) for key, view in children)
            case Attributes(values=values):
                return " ".join(
                    Markup('{}="{}"').format(name, value)
                    for name, value in values
                    if value is not None
                )

    def _drawn(self, view: View, locale: str) -> str:
        """Of a layout, its parts are places."""
        with i18n.speaking(locale):
            template = self._app.jinja_env.get_template(view.template)
            return template.render(view=view, parts=_PLACES).strip()


_PART: Final = f"\x84{token_urlsafe(9)}"
"""That nobody can write into a record, whose names are as they are."""


class _Places(dict[str, Markup]):
    """Where a part goes: its id, between marks."""

    def __missing__(self, part: str) -> Markup:
        return Markup(f"{_PART}{part}{_PART}")  # noqa: S704 - an id in a layout


_PLACES: Final = _Places()


class Child(Value, frozen=True):
    """One of a keyed part."""

    key: str
    view: View


Change = View | dict[str, Any]
"""Of one part: what an element shows now; or what came ("+": children by id) and went ("-": ids)
among its children, and what comes before others ("b": the one behind each), or the order of all
("o"); or attributes ("="). It is the same in all languages."""

Changes = dict[str, Change]
"""By the id of a part; `WHOLE` for all of a page, `MAIN` for all of it but the bar."""


def changes(before: tuple[Part, ...], after: tuple[Part, ...]) -> Changes:
    """What makes the parts of a page those that it should have; both are of one layout."""
    if before is after:
        return {}
    return {
        new.id: change
        for old, new in zip(before, after, strict=True)
        if old is not new and (change := part_change(old, new)) is not None
    }


def part_change(old: Part, new: Part) -> Change | None:
    if old == new:
        return None
    assert old.id == new.id
    match old, new:
        case Panel(), Panel(view=view):
            return view
        case Attributes(values=had), Attributes(values=have):
            return {"=": dict.fromkeys(name for name, _ in had) | dict(have)}
        case Keyed(children=were), Keyed(children=are):
            change = _children(dict(were), dict(are))
            return change | (_order(list(dict(were)), list(dict(are))) if new.ordered else {})
    raise TypeError(f"{old.id} is another kind of part now")


def _children(had: dict[str, View], have: dict[str, View]) -> dict[str, Any]:
    fresh = {
        key: Child(key, view)
        for key, view in have.items()
        if (known := had.get(key)) is not view and known != view
    }
    gone = [key for key in had if key not in have]
    change: dict[str, Any] = {}
    if fresh:
        change["+"] = fresh
    if gone:
        change["-"] = gone
    return change


def _order(had: list[str], have: list[str]) -> dict[str, Any]:
    """Where children stand that come before others: the one behind each; or, where the others have
    changed places too, all in their order."""
    known, kept = set(had), set(have)
    stay = [key for key in have if key in known]
    if stay != [key for key in had if key in kept]:
        return {"o": have}
    last = have.index(stay[-1]) if stay else -1
    behind = {key: have[at + 1] for at, key in enumerate(have[:last]) if key not in known}
    return {"b": behind} if behind else {}


class Draft(NamedTuple):
    """Changes as a script reads them, JSON in one line, with gaps where HTML goes."""

    html: Html
    texts: tuple[str, ...]
    gaps: tuple[tuple[Child, dict[str, str]], ...]
    """One between each two texts, with what is kept of its view."""

    def line(self, locale: str, names: Sequence[str]) -> str:
        """`names` of the players."""
        pieces = [self.texts[0]]
        for (child, kept), text in zip(self.gaps, self.texts[1:], strict=True):
            drawn = self.html.one_of(kept, child.view, locale)
            pieces += (_JSON.encode(drawn.replace(KEY, child.key)), text)
        return named("".join(pieces), _in_json(tuple(names)))


_JSON: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))

_GAP: Final = "\x86"


def draft(said: Mapping[str, Any], html: Html) -> Draft:
    """The same for all languages and names: made once, it becomes a line for each of them."""
    gaps: list[tuple[Child, dict[str, str]]] = []

    def gap(child: Child) -> str:
        gaps.append((child, html.kept(child.view)))
        return _GAP

    def gapped(change: Any) -> Any:
        if isinstance(change, View):
            return gap(Child("", change))
        if isinstance(change, dict) and "+" in change:
            return change | {"+": {key: gap(child) for key, child in change["+"].items()}}
        return change

    text = msgspec.json.encode({part: gapped(change) for part, change in said.items()}).decode()
    return Draft(html, tuple(text.split(f'"{_GAP}"')), tuple(gaps))


@lru_cache(256)
def _in_json(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(_JSON.encode(escape(name))[1:-1] for name in names)


def written(said: Mapping[str, Any], html: Html, locale: str, names: Sequence[str] = ()) -> str:
    """Changes in one language, as a line of JSON. `names` of the players."""
    return draft(said, html).line(locale, names)


def named(text: str, names: Sequence[str]) -> str:
    """`names` of the players, as they are to stand there."""
    for mark, name in zip(PLAYERS, names, strict=False):  # no name holds such letters
        text = text.replace(mark, name)
    return text


def etag(html: str, names: Sequence[str]) -> str:
    """Tells pages apart by what they show, whichever version of the table they were drawn for.
    `names` of the players."""
    said = "\n".join((html, *names)).encode(errors="replace")
    return blake2b(said, digest_size=12).hexdigest()


def filled(
    html: str, table_id: str, version: int, seat_query: str, names: Sequence[str] = ()
) -> str:
    """Kept HTML made ready for one page, where no script does it. `names` of the players."""
    whole = html.replace(TABLE, table_id).replace(VERSION, str(version)).replace(SEAT, seat_query)
    return named(whole, [str(escape(name)) for name in names])
