"""The languages that are spoken here. Nothing is loaded to know them."""

from __future__ import annotations

from typing import Final

ENDONYMS: Final = {
    "et": "Eesti",
    "en": "English",
    "lv": "Latviešu",
    "lt": "Lietuvių",
    "fi": "Suomi",
}
"""By their own names, in the order in which every picker shows them."""

LOCALES: Final = tuple(ENDONYMS)


def regional(locale: str) -> str:
    """As Babel calls it. British English: plain `en` writes "A, B, and C"."""
    return "en_GB" if locale == "en" else locale
