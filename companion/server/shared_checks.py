"""What several processes share, tried from one of their machines: database, key, clock and bus."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from companion.server.findings import Finding, bad, doubtful, good
from companion.settings import NEEDS_SHARED, Settings
from companion.storage.secret_key import secret_key
from companion.tables.log import StorageError

if TYPE_CHECKING:
    from companion.storage.postgres_state import Condition, Schema

CLOCK_S: Final = 1.0
"""That two clocks may differ: what one process writes down another one reads by its own clock."""


def all_of(settings: Settings) -> Iterator[Finding]:
    try:
        import psycopg  # noqa: F401
        import redis  # noqa: F401
    except ImportError:
        yield bad(f"{NEEDS_SHARED[0].upper()}{NEEDS_SHARED[1:]}.")
        return
    yield from database(settings)
    yield bus(settings.bus)


def database(settings: Settings) -> Iterator[Finding]:
    from companion.storage.postgres_state import examined

    try:
        found = examined(settings.database, secret_key(settings))
    except StorageError as error:
        yield bad(f"PostgreSQL: {_said(error)}.")
        return
    yield good(f"PostgreSQL {found.version} answers.")
    yield schema(found.schema)
    yield from key(found)
    yield clock(found.ahead_s)


def schema(found: Schema) -> Finding:
    from companion.storage.postgres_state import Schema

    match found:
        case Schema.CURRENT:
            return good("The tables in the database are those of this version.")
        case Schema.EMPTY:
            return good("The database is empty; the first process makes the tables.")
        case Schema.OLDER:
            return doubtful(
                "The tables in the database are those of an older version; the first process that "
                "starts brings them up to date."
            )
        case Schema.NEWER:
            return bad("The database was written by a newer version of this program.")
        case Schema.FOREIGN:
            return bad("The database holds tables of another program; give this one its own.")


def key(found: Condition) -> Iterator[Finding]:
    if found.key_fits:
        yield good("The secret key is that of the database.")
    elif found.key_fits is not None:
        yield bad("The database was encrypted with another secret key than the one that is given.")


def clock(ahead_s: float) -> Finding:
    """`ahead_s`: seconds that the clock of the database is ahead of this machine's."""
    if abs(ahead_s) <= CLOCK_S:
        return good("The clocks of the database and of this machine agree.")
    return doubtful(f"{differing(ahead_s)}; let both follow the same time server.")


def differing(ahead_s: float) -> str:
    """
    >>> differing(-3.0)
    'The clock of the database is 3.0 seconds behind that of this machine'
    """
    side = "ahead of" if ahead_s > 0 else "behind"
    return f"The clock of the database is {abs(ahead_s):.1f} seconds {side} that of this machine"


def bus(url: str) -> Finding:
    from companion.live.bus import answering

    if not url:
        return bad("The processes need a bus, so that they hear of each other: --bus.")
    try:
        return good(f"{answering(url)} answers as the bus.")
    except ValueError as error:
        return bad(f"The address of the bus cannot be used: {_said(error)}.")
    except OSError as error:
        return bad(f"The bus does not answer: {_said(error)}.")


def _said(error: Exception) -> str:
    """On one line; what the libraries say has several."""
    return " ".join(str(error).split()).rstrip(".")
