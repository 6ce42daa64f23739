"""Caches each view's HTML under the view itself, as a JSON string, because streams need it so.

What differs where the values are equal, a player's name or the version of the table, is not in it:
a mark stands there until the HTML is sent.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b
from secrets import token_urlsafe
from sys import getsizeof
from typing import Final

import msgspec
from flask import Flask
from markupsafe import Markup, escape

from companion import i18n
from companion.web.html.panels import Attributes, Keyed, Page, Panel, Part, View

# The marks below are control characters that are in no text and no name, and are no blanks. JSON
# has them as they are.

VERSION: Final = "\x80"
"""Stands in HTML that is kept where a form says which version of the table it was made for."""

SEAT: Final = "\x81"
"""Stands in addresses for the seat that the page is about, where a phone holds several."""

TABLE: Final = "\x82"
"""Stands in addresses for the id of the table, on all its pages: tables share what is drawn."""

KEY: Final = "\x83"
"""Stands in a child of a keyed part for its id."""

KEY_JSON: Final = KEY.encode()

PLAYERS: Final = tuple(map(chr, range(0x90, 0x9A)))
"""Stand for the names of up to ten players, in the game's order, in what is drawn at every play:
all tables share it. Whatever leaves the program has the names."""

HTML_BYTES: Final = 6 << 20
"""Of HTML that is kept, and of the values that it is kept under. With fifty tables, twice as much
would save 4 % of a report's time."""


class Html:
    """Draws views, and keeps what it has drawn while there is room."""

    def __init__(self, app: Flask, max_bytes: int = HTML_BYTES) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._bytes = 0
        self._kept: OrderedDict[View, dict[str, bytes]] = OrderedDict()

    def of(self, view: View, locale: str) -> str:
        return msgspec.json.decode(self.json_of(view, locale), type=str)

    def json_of(self, view: View, locale: str) -> bytes:
        return self.one_of(self.kept(view), view, locale)

    def kept(self, view: View) -> dict[str, bytes]:
        """What is kept of a view, by language; for `one_of`, where several are wanted."""
        if not view.lasts:
            return {}
        found = self._kept.get(view)
        if found is None:
            found = self._kept[view] = {}
            self._make_room(size_of(view))
        else:
            self._kept.move_to_end(view)
        return found

    def one_of(self, kept: dict[str, bytes], view: View, locale: str) -> bytes:
        """HTML as a JSON text, in UTF-8."""
        key = locale if view.worded else ""
        html = kept.get(key)
        if html is None:
            html = kept[key] = msgspec.json.encode(whole_letters(self.fresh(view, locale)))
            if view.lasts and self._kept.get(view) is kept:
                self._make_room(getsizeof(html))
        return html

    def _make_room(self, more: int) -> None:
        self._bytes += more
        while self._bytes > self._max_bytes:
            view, dropped = self._kept.popitem(last=False)
            self._bytes -= size_of(view) + sum(map(getsizeof, dropped.values()))

    def fresh(self, view: View, locale: str) -> str:
        """Drawn for this once, and not kept. Of a layout, its parts are places."""
        with i18n.speaking(locale):
            template = self._app.jinja_env.get_template(view.template)
            return template.render(view=view, parts=_PLACES).strip()

    def whole(self, page: Page, locale: str) -> str:
        """The layout with all its parts."""
        return msgspec.json.decode(self.whole_json(page, locale), type=str)

    def whole_json(self, page: Page, locale: str) -> msgspec.Raw:
        """The same as a JSON text, for what is sent as one: what is kept is not written anew."""
        return self._filled(_letters(self.json_of(page.layout, locale)), page, locale)

    def main_json(self, page: Page, locale: str) -> msgspec.Raw:
        """What another layout has in its place: all but the bar."""
        layout = _letters(self.json_of(page.layout, locale))
        return self._filled(layout[layout.index(b"<main") :], page, locale)

    def _filled(self, layout: bytes, page: Page, locale: str) -> msgspec.Raw:
        parts = {part.id.encode(): part for part in page.parts}
        texts = layout.split(_PART_JSON)
        filled = (
            self._inside(parts[text], locale) if number % 2 else text
            for number, text in enumerate(texts)
        )
        return msgspec.Raw(b'"%s"' % b"".join(filled))

    def _inside(self, part: Part, locale: str) -> bytes:
        """What the layout has for a part, between the quotes of a JSON text."""
        match part:
            case Panel(view=view):
                return _letters(self.json_of(view, locale))
            case Keyed(children=children):
                return b"".join(
                    _letters(self.json_of(view, locale)).replace(KEY_JSON, key.encode())
                    for key, view in children
                )
            case Attributes(values=values):
                said = " ".join(
                    Markup('{}="{}"').format(name, value)
                    for name, value in values
                    if value is not None
                )
                return _letters(msgspec.json.encode(whole_letters(said)))


def size_of(view: View) -> int:
    """Bytes of a key: the value and the texts in it. What else it is made of, others share."""
    size = getsizeof(view) + _ENTRY
    for name in view.__struct_fields__:
        value = getattr(view, name)
        if isinstance(value, str):
            size += getsizeof(value)
        elif isinstance(value, tuple):
            size += getsizeof(value) + sum(getsizeof(one) for one in value if isinstance(one, str))
    return size


_ENTRY: Final = getsizeof({"": b""})


def whole_letters(text: str) -> str:
    """Without half of a letter, which a name in a record may have."""
    return text.encode(errors="replace").decode()


_PART: Final = f"\x84{token_urlsafe(9)}"
"""That nobody can write into a record, whose names are as they are."""

_PART_JSON: Final = _PART.encode()


def _letters(text: bytes) -> bytes:
    """Of a JSON text, what is between its quotes."""
    return text[1:-1]


class _Places(dict[str, Markup]):
    """Where a part goes: its id, between marks."""

    def __missing__(self, part: str) -> Markup:
        return Markup(f"{_PART}{part}{_PART}")  # noqa: S704 - an id in a layout


_PLACES: Final = _Places()


def named(text: str, names: Sequence[str]) -> str:
    """`names` of the players, as they are to stand there."""
    for mark, name in zip(PLAYERS, names, strict=False):  # no name holds such letters
        text = text.replace(mark, name)
    return text


def etag(html: str, names: Sequence[str]) -> str:
    """Tells pages apart by what they show, whichever version of the table they were drawn for.
    `names` of the players."""
    said = "\n".join((html, *names)).encode(errors="replace")
    return blake2b(said, digest_size=8).hexdigest()


def filled(
    html: str, table_id: str, version: int, seat_query: str, names: Sequence[str] = ()
) -> str:
    """Kept HTML made ready for one page, where no script does it. `names` of the players."""
    whole = html.replace(TABLE, table_id).replace(VERSION, str(version)).replace(SEAT, seat_query)
    return named(whole, [str(escape(name)) for name in names])
