"""What several processes share, tried from one of their machines: database, key, clock and bus."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Final

from companion.server.findings import Finding, bad, doubtful, good
from companion.settings import Settings, needs_shared
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
    except ImportError as error:
        said = needs_shared(error)
        yield bad(f"{said[0].upper()}{said[1:]}.")
        return
    secret = secret_key(settings)
    serving = yield from database(settings.database, secret)
    listening = yield from bus(settings.bus, secret)
    if serving is not None and listening is not None:
        yield together(serving, listening)


def database(url: str, secret: bytes) -> Generator[Finding, None, int | None]:
    """Gives back how many processes serve from it; None where it does not answer."""
    from companion.storage.postgres_state import examined

    try:
        found = examined(url, secret)
    except StorageError as error:
        yield bad(f"PostgreSQL: {_said(error)}.")
        return None
    yield good(f"PostgreSQL {found.version} answers.")
    yield schema(found.schema)
    yield from key(found)
    yield clock(found.ahead_s)
    return found.processes


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


def bus(url: str, secret: bytes) -> Generator[Finding, None, int | None]:
    """Gives back how many processes listen there; None where it does not answer."""
    from companion.live.bus import answering, channel_of

    if not url:
        yield bad("The processes need a bus, so that they hear of each other: --bus.")
        return None
    try:
        version, listening = answering(url, channel_of(secret))
    except ValueError as error:
        yield bad(f"The address of the bus cannot be used: {_said(error)}.")
        return None
    except OSError as error:
        yield bad(f"The bus does not answer: {_said(error)}.")
        return None
    yield good(f"{version} answers as the bus.")
    return listening


def together(serving: int, listening: int) -> Finding:
    """Whether all that serve from the database have the bus."""
    if serving == listening:
        return good(f"Processes that serve from the database and hear this bus now: {serving}.")
    return doubtful(
        f"Processes that serve from the database now: {serving}; that hear this bus: {listening}. "
        "All need the same bus and the same secret key."
    )


def _said(error: Exception) -> str:
    """On one line; what the libraries say has several."""
    return " ".join(str(error).split()).rstrip(".")
