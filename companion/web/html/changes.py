"""What a phone is told of a change: what differs between the page that it has and the one that it
should have, as values first, then as a line of JSON in the phone's language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from secrets import token_urlsafe
from typing import Any, Final, NamedTuple

import msgspec
from markupsafe import escape

from companion.values import Value
from companion.web.html.cache import KEY_JSON, PLAYERS, Html, whole_letters
from companion.web.html.panels import Attributes, Keyed, Panel, Part, View


class Child(Value, frozen=True):
    """One of a keyed part."""

    key: str
    view: View


Change = View | dict[str, Any]
"""Of one part: the view that an element shows now; or which of its children came ("+": by id) and
went ("-": ids), and their places ("b": by id of a new child, that of the one behind it; or "o": all
ids in order); or its attributes ("="). It is the same in all languages."""

Children = tuple[tuple[str, View], ...]

Changes = Mapping[str, Change | msgspec.Raw | str]
"""By the id of a part; or HTML, as text or JSON: under `WHOLE` all of a page, under `MAIN` all of
it but the bar."""


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
    """None: both look the same."""
    assert old.id == new.id
    match old, new:
        case Panel(view=had), Panel(view=view):
            return view if had != view else None
        case Attributes(values=had), Attributes(values=have):
            if had == have:
                return None
            return {"=": dict.fromkeys(name for name, _ in had) | dict(have)}
        case Keyed(children=were), Keyed(children=are):
            same = _same_tail(were, are)
            before, after = dict(were[: len(were) - same]), dict(are[: len(are) - same])
            change = _children(before, after)
            if new.ordered:
                change |= _order(list(before), list(after), are[len(after) :])
            return change or None
    raise TypeError(f"{old.id} is another kind of part now")


def _same_tail(were: Children, are: Children) -> int:
    """How many children at the end are the same objects, as of a log, but for the first of them,
    before which others may have come."""
    same = 0
    for one, other in zip(reversed(were), reversed(are), strict=False):
        if one is not other:
            break
        same += 1
    return max(0, same - 1)


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


def _order(had: list[str], have: list[str], rest: Children) -> dict[str, Any]:
    """The places of new children: by id, the one behind each; or all ids in order if others have
    changed places, too. `rest`: the children that follow, as before."""
    if had == have:
        return {}
    known, kept = set(had), set(have)
    stay = [key for key in have if key in known]
    if stay != [key for key in had if key in kept]:
        return {"o": have + [key for key, _ in rest]}
    last = have.index(stay[-1]) if stay else -1
    behind = {key: have[at + 1] for at, key in enumerate(have[:last]) if key not in known}
    return {"b": behind} if behind else {}


class Draft(NamedTuple):
    """Changes as a script reads them, JSON in one line, with gaps where HTML goes."""

    html: Html
    texts: tuple[bytes, ...]
    gaps: tuple[tuple[Child, dict[str, bytes]], ...]
    """One between each two texts, with what is kept of its view."""

    def draw(self, locales: Iterable[str]) -> None:
        """Whatever HTML goes into the gaps."""
        for child, kept in self.gaps:
            for locale in locales:
                self.html.one_of(kept, child.view, locale)

    def line(self, locale: str, names: Sequence[str]) -> bytes:
        """In UTF-8. `names` of the players."""
        pieces = [self.texts[0]]
        for (child, kept), text in zip(self.gaps, self.texts[1:], strict=True):
            drawn = self.html.one_of(kept, child.view, locale)
            pieces += (drawn.replace(KEY_JSON, child.key.encode()), text)
        by_mark = _in_json(tuple(names))
        return _PLAYER.sub(lambda mark: by_mark.get(mark[0], mark[0]), b"".join(pieces))


_PLAYER: Final = re.compile("|".join(PLAYERS).encode())

_GAP: Final = f"\x86{token_urlsafe(9)}"
"""That nobody can write into a record, whose names are as they are."""


def draft(said: Changes, html: Html) -> Draft:
    """The same for all languages and names: made once, it becomes a line for each of them."""
    gaps: list[tuple[Child, dict[str, bytes]]] = []

    def gap(child: Child) -> str:
        gaps.append((child, html.kept(child.view)))
        return _GAP

    def gapped(change: Any) -> Any:
        if isinstance(change, View):
            return gap(Child("", change))
        if isinstance(change, dict) and "+" in change:
            return change | {"+": {key: gap(child) for key, child in change["+"].items()}}
        if isinstance(change, dict) and "=" in change:
            return {
                "=": {name: value and whole_letters(value) for name, value in change["="].items()}
            }
        return change

    text = msgspec.json.encode({part: gapped(change) for part, change in said.items()})
    return Draft(html, tuple(text.split(msgspec.json.encode(_GAP))), tuple(gaps))


@lru_cache(256)
def _in_json(names: tuple[str, ...]) -> dict[bytes, bytes]:
    """What stands for the mark of each player."""
    texts = (msgspec.json.encode(str(escape(name)))[1:-1] for name in names)
    return dict(zip((mark.encode() for mark in PLAYERS), texts, strict=False))


def written(said: Changes, html: Html, locale: str, names: Sequence[str] = ()) -> bytes:
    """Changes in one language, as a line of JSON. `names` of the players."""
    return draft(said, html).line(locale, names)
