"""The catalogues that texts come from, and how each language lists things.

The catalogues are the ``.po`` files, which the program compiles by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, cached_property, partial
from io import BytesIO
from typing import Any

import msgspec
from babel import Locale
from babel import __version__ as BABEL  # noqa: N812 - a constant
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

from companion.compiled import compiled
from companion.languages import regional
from companion.paths import TRANSLATIONS


@cache
def catalogue(locale: str) -> Translations:
    """The texts of one of `LOCALES`, parsed when first asked for."""
    text = (TRANSLATIONS / locale / "LC_MESSAGES" / "messages.po").read_bytes()
    return Translations(
        BytesIO(compiled(text, f"messages.{locale}", partial(_machine_object, locale)))
    )


def _machine_object(locale: str, text: bytes) -> bytes:
    """Of the text of a `.po` file, that of an `.mo` file."""
    made = BytesIO()
    write_mo(made, read_po(BytesIO(text), locale=locale, abort_invalid=True))
    return made.getvalue()


class _LightLocale(Locale):
    """How it lists things is kept beside the catalogues: to know that of five languages, Babel
    loads all that it knows of them, ten megabytes."""

    @cached_property
    def list_patterns(self) -> dict[str, Any]:  # type: ignore[override] # as Babel uses them
        def patterns(_version: bytes) -> bytes:
            known = super(_LightLocale, self).list_patterns
            return msgspec.json.encode({style: dict(known[style]) for style in known})

        kept = compiled(BABEL.encode(), f"lists.{self}", patterns)
        return msgspec.json.decode(kept, type=dict[str, Any])


@cache
def babel_locale(locale: str) -> Locale:
    """For lists, dates and numbers."""
    return _LightLocale.parse(regional(locale))


def listing(locale: str) -> Callable[[Iterable[str]], str]:
    """What puts texts into one in this language: "A, B ja C"."""
    return lambda texts: format_list(list(texts), locale=babel_locale(locale))
