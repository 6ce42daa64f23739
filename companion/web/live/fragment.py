"""The live part of a table's page, as streams send it: drawn once for all who would see the same.

Most phones see nearly the same. A whole part is shared by those for whom nothing in it differs; of
others' parts, the pieces that a template puts into `once` or `lasting`. Their keys name all
that the piece depends on beside the table, and a test compares them with what is drawn for one.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

from flask import Flask
from markupsafe import Markup

from companion.web.view.access import Asking, key_of, offer_of, turn_of, view_of
from companion.web.view.render import render
from companion.web.view.services import House

frame_of = attrgetter(
    "game", "edition", "way", "host", "seats", "looked", "began", "host_moved", "links"
)
"""What no play changes of a table."""


def fragment(app: Flask, who: Asking, locale: str, *, live: str, path: str) -> str:
    """`path`: of the page, which its links come back to; `live`: of the stream itself."""
    here: House = app.extensions["companion"]
    table = who.table
    gone, base = here.host_gone(table), here.base()
    state = (table.version, gone, base)
    hosting = who.device == table.host
    mine = frozenset(seat.id for seat in table.held(who.device)) if who.device else frozenset()

    def once(*part: object, caller: Callable[[], str]) -> Markup:
        """What is alike for several, such as the maze. With `peers` in its key: for phones that
        may do the same and hold one seat each."""
        return Markup(here.fragments.get(table.id, state, part, caller))  # noqa: S704 - rendered

    def make() -> str:
        view = view_of(who, here, live=live, gone=gone)
        frame = (view.phase, view.round, gone, base, *frame_of(table))

        def lasting(*part: object, caller: Callable[[], str]) -> Markup:
            """What stays as it is on the page of this address while the same people sit in the
            same phase of a round, whatever they play."""
            return Markup(here.frames.get(table.id, frame, (*part, path), caller))  # noqa: S704 - rendered

        return render(
            app,
            who.page,
            locale,
            view=view,
            here=path,
            fragment=True,
            key=key_of(table),
            offer=offer_of(here, who),
            once=once,
            lasting=lasting,
            peers=(path, hosting, mine if len(mine) > 1 else len(mine)),
        )

    if who.page == "myseat":  # may show an offer, which is not the table's state
        return make()
    reported = bool(table.steps) and table.steps[-1].by == who.device  # and may take it back
    key = (who.page, locale, path, live, mine, hosting, reported, turn_of(who, here))
    return here.fragments.get(table.id, state, key, make)
