"""The fields of posted forms: numbers out of texts, and what no form of ours sends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

DIGITS_MAX: Final = 9
"""Of a number in a form: more cannot be a seat or a version."""


class MisfitError(ValueError):
    """A field that no form of ours sends: whoever reads one refuses the request."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


def digits(raw: str, most: int = DIGITS_MAX) -> int | None:
    """A whole number of at most so many digits, as in an address of ours; None: it is none."""
    return int(raw) if raw.isascii() and raw.isdigit() and len(raw) <= most else None


def number(form: Mapping[str, str], field: str) -> int | None:
    """A whole number; None where the field is missing or empty. `MisfitError` where it is none."""
    raw = form.get(field, "").strip()
    if not raw:
        return None
    found = digits(raw)
    if found is None:
        raise MisfitError(field)
    return found
