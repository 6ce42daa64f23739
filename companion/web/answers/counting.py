"""What is counted for the address that asks, and refused where it is too much (`limits.rates`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Final, NoReturn

from flask import g, request

from companion.games.game import Reason, Rejection
from companion.tables.commands import Open
from companion.tables.log import NoRoomError
from companion.tables.model import Device, Table
from companion.web.answers.errors import Refused, refuse
from companion.web.answers.services import current_services
from companion.web.http import reasons
from companion.web.http.limits import Limited, group
from companion.web.http.line import FullLineError, Line

LINE_S: Final = 10
"""How soon a line that is too long may be shorter."""


def too_often(kind: Limited, who: str, reason: Reason = reasons.TOO_MANY) -> NoReturn:
    """Refuses what `limits.hit` has counted as one too many, or `limits.may` does not allow."""
    g.limit_hit = kind
    refuse(reason, wait_s=current_services().limits.wait_s(kind, who))


def count(kind: Limited, who: str | None = None) -> None:
    """Counts this request (see `limits.rates`), for its address if not for `who`, and refuses one
    too many."""
    who = group(request.remote_addr) if who is None else who
    if not current_services().limits.hit(kind, who):
        too_often(kind, who)


@contextmanager
def in_line(line: Line) -> Iterator[None]:
    """Others are served while this request waits for its place; it is refused where too many
    wait."""
    with ExitStack() as place:
        try:
            place.enter_context(line.place(group(request.remote_addr)))
        except FullLineError:
            refuse(reasons.TOO_MANY, wait_s=LINE_S)
        yield


def run_counted(
    kind: Limited,
    work: Callable[[], Table | Rejection],
    table: Table | None = None,
    device: Device | None = None,
) -> Table | Rejection:
    """Runs `work`, counted as one `kind`: for the device if it has a seat at `table`, so that
    others behind its address cannot keep it out, else for the address. Refunded if refused, or if
    the table did not change: else nonsense, or one form sent over and over, would use up what
    others may do.

    It counts while it is under way: many at the same time must not pass uncounted. So `work` does
    not wait for who sends the form; that has been read. After an error of the disk or the database
    it may have been saved, and counts.
    """
    who = group(request.remote_addr)
    if table is not None:
        who = (device if device and table.held(device) else who) + table.id
    count(kind, who)
    try:
        done = work()
    except (NoRoomError, Refused):
        current_services().limits.forgive(kind, who)
        raise
    if isinstance(done, Rejection) or (table is not None and done.version == table.version):
        current_services().limits.forgive(kind, who)
    return done


def open_counted(device: Device, command: Open, request_key: str) -> Table | Rejection:
    """As `Tables.open`, counted for the address that asks; but not where the same form has opened
    its table already."""
    tables = current_services().tables
    opened = tables.opened(device, request_key)
    if opened is not None:
        return opened
    return run_counted("open", lambda: tables.open(device, command, request_key))
