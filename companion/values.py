"""What states, events, commands and pages are made of."""

from __future__ import annotations

from msgspec import Struct


class Value(Struct, frozen=True, gc=False):
    """Its fields never change, and equal fields make equal values. No value is part of itself, so
    the collector need not look at any: with a thousand phones most of what there is are values."""
