"""The event log in SQL: what it is alike in every database.

The content of an event is encrypted (`seal`), since it holds roles, gold and names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from msgspec.structs import asdict
from sqlalchemy import (
    Connection,
    Engine,
    LargeBinary,
    and_,
    bindparam,
    cast,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from companion.storage.schema import devices, events, purge
from companion.storage.schema import standing as standing_
from companion.storage.schema import tables as tables_
from companion.storage.schema import tellings as tellings_
from companion.storage.seal import AssociatedData, Seal, UnsealableError, sealed_size
from companion.tables.log import Head, Index, Mine, Present, Row, Standing, StorageError, Telling
from companion.tables.model import Device

Result = TypeVar("Result")

BESIDE: Final = 400
"""Bytes of an event beside its content, in its row and the indexes."""

NO_LIMIT: Final = 2**31 - 1

_READ = (
    select(
        events.c.version,
        events.c.kind,
        cast(events.c.data, LargeBinary).label("data"),
        events.c.request,
        events.c.device,
        events.c.at,
    )
    .where(
        events.c.table_id == bindparam("id"),
        events.c.version > bindparam("after"),
        events.c.version <= bindparam("up_to"),
    )
    .order_by(events.c.version)
)
_HEAD = select(tables_.c.version, tables_.c.code, tables_.c.size).where(
    tables_.c.id == bindparam("id")
)
_COUNT = select(func.count()).select_from(tables_)
_BY_JOIN = select(tables_.c.id).where(tables_.c.join_hash == bindparam("join"))
_BY_CODE = select(tables_.c.id).where(tables_.c.code == bindparam("code"))
_STANDING = select(standing_).where(
    or_(standing_.c.key_hash == bindparam("key"), standing_.c.code == bindparam("short"))
)
_TABLES_OF = (
    select(devices.c.table_id, devices.c.hosts, devices.c.seated)
    .join(tables_, tables_.c.id == devices.c.table_id)
    .where(devices.c.device == bindparam("device"), devices.c.hosts >= bindparam("hosts"))
    .order_by(tables_.c.used_at.desc(), tables_.c.id)
    .limit(bindparam("most"))
)
_HOSTED_SIZE = (
    select(func.coalesce(func.sum(tables_.c.size), 0))
    .join(devices, tables_.c.id == devices.c.table_id)
    .where(devices.c.device == bindparam("device"), devices.c.hosts)
)
_ADD = insert(events)
_REWRITE = (
    update(events)
    .where(
        events.c.table_id == bindparam("new_table_id"),
        events.c.version == bindparam("new_version"),
    )
    .values(data=bindparam("new_data"), request=bindparam("new_request"))
)
_NOBODY = delete(devices).where(devices.c.table_id == bindparam("table"))
MOVE_ON = (
    update(tables_)
    .where(tables_.c.id == bindparam("table"), tables_.c.version == bindparam("before"))
    .values(version=bindparam("after"), used_at=bindparam("used"), size=bindparam("bytes"))
)
"""To the version after the new events, from the one on which they were decided."""

_NEW_LINK = (
    update(tables_)
    .where(tables_.c.id == bindparam("table"))
    .values(join_hash=bindparam("join"), code=bindparam("short"))
)


def added_up(insertion: Any) -> Any:
    """What tells of cards, by a database's own way to insert."""
    telling = insertion(tellings_)
    return telling.on_conflict_do_update(
        index_elements=list(tellings_.primary_key),
        set_={"times": tellings_.c.times + telling.excluded.times},
    )


class SqlEventLog:
    """`tables.log.EventLog`, without the ways to write and to measure, which differ."""

    def __init__(self, seal: Seal, reading: Engine, insertion: Any) -> None:
        """`reading`: of connections that see what is committed. `insertion`: the dialect's."""
        self._seal = seal
        self._reading = reading
        self._tell = added_up(insertion)

    def _write(
        self, work: Callable[[Connection], Result], *, purges: bool = False
    ) -> Result | None:
        """What `work` has answered, once it is on disk; None if the data themselves forbid it.

        `purges`: what is deleted shall leave no trace.
        """
        raise NotImplementedError

    def write(self, work: Callable[[Connection], Result]) -> Result | None:
        """What `work` has answered, once all that it wrote is on disk."""
        return self._write(work)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """All as it was at one moment."""
        with self._reading.connect() as connection:
            yield connection

    def append(
        self, table_id: str, rows: Sequence[Row], index: Index, rewritten: Sequence[Row] = ()
    ) -> bool:
        written = [self._written(table_id, row) for row in rows]
        anew = [self._written(table_id, row) for row in rewritten]
        done = self._write(
            lambda connection: self._append(connection, written, index, anew), purges=bool(anew)
        )
        return bool(done)

    def head(self, table_id: str) -> Head | None:
        rows = self._select(_HEAD, id=table_id)
        return Head(rows[0].version, rows[0].code, rows[0].size) if rows else None

    def read(self, table_id: str, *, up_to: int, after: int = 0) -> list[Row]:
        rows = self._select(_READ, id=table_id, after=after, up_to=up_to)
        whole = [row.version for row in rows] == list(range(after + 1, up_to + 1))
        if not whole and self.head(table_id) is not None:
            raise StorageError("events are missing in the log of a table: the database is damaged")
        try:
            return [
                Row(
                    row.version,
                    row.kind,
                    self._seal.open(_beside(table_id, row), row.data),
                    row.request,
                    row.device,
                    row.at,
                )
                for row in rows
                if whole
            ]
        except UnsealableError as error:
            raise StorageError("the log of a table has been changed: it cannot be decrypted") from (
                error
            )

    def ids(self) -> list[str]:
        """Of all tables."""
        return [row.id for row in self._select(select(tables_.c.id))]

    def count(self) -> int:
        return int(self._select(_COUNT)[0][0])

    def by_join(self, join: str) -> str | None:
        return self._one(_BY_JOIN, join=join)

    def by_code(self, code: str) -> str | None:
        return self._one(_BY_CODE, code=code)

    def tables_of(
        self, device: Device, *, most: int | None = None, hosts: bool = False
    ) -> list[Mine]:
        limit = NO_LIMIT if most is None else most
        rows = self._select(_TABLES_OF, device=device, hosts=hosts, most=limit)
        return [Mine(row.table_id, row.hosts, row.seated) for row in rows]

    def takes(self, row: Row) -> int:
        return BESIDE + sealed_size(row.kind, row.data)

    def hosted_size(self, device: Device) -> int:
        return int(self._select(_HOSTED_SIZE, device=device)[0][0])

    def standing(self) -> list[Standing]:
        found = self._select(select(standing_).order_by(standing_.c.number))
        return [Standing(*row) for row in found]

    def standing_by(self, *, key: str = "", code: str = "") -> Standing | None:
        rows = self._select(_STANDING, key=key, short=code)
        return Standing(*rows[0]) if rows else None

    def add_standing(self, one: Standing) -> bool:
        values = {"number": one.number, "key_hash": one.key, "code": one.code}

        def work(connection: Connection) -> bool:
            connection.execute(insert(standing_).values(values))
            return True

        return bool(self._write(work))

    def move_standing(self, number: int, before: str | None, after: str) -> bool:
        at = standing_.c.table_id
        there = and_(standing_.c.number == number, at.is_(None) if before is None else at == before)
        moved = self._write(
            lambda connection: (
                connection.execute(update(standing_).where(there).values(table_id=after)).rowcount
            )
        )
        return moved == 1

    def tellings(self, game: str) -> list[Telling]:
        said = select(tellings_).where(tellings_.c.game == game, tellings_.c.times > 0)
        return [Telling(*row) for row in self._select(said)]

    def delete(self, table_id: str) -> bool:
        def work(connection: Connection) -> bool:
            found = connection.execute(delete(tables_).where(tables_.c.id == table_id))
            return found.rowcount > 0

        return bool(self._write(work, purges=True))

    def delete_unused(self, before: float, spared: Collection[str] = ()) -> list[str]:
        unused = and_(tables_.c.used_at < before, tables_.c.id.not_in(spared))
        if not self._select(select(tables_.c.id).where(unused).limit(1)):
            return []

        def work(connection: Connection) -> list[str]:
            gone = list(connection.scalars(select(tables_.c.id).where(unused)))
            connection.execute(delete(tables_).where(unused))
            return gone

        return self._write(work, purges=True) or []

    def not_later(self, now: float) -> None:
        later = tables_.c.used_at > now
        if self._select(select(tables_.c.id).where(later).limit(1)):
            self._write(
                lambda connection: connection.execute(
                    update(tables_).where(later).values(used_at=now)
                )
            )

    def purged_at(self) -> float | None:
        rows = self._select(select(purge.c.at))
        return rows[0].at if rows else None

    def set_purged_at(self, at: float) -> None:
        def work(connection: Connection) -> None:
            connection.execute(delete(purge))
            connection.execute(insert(purge).values(id=1, at=at))

        self._write(work)

    def _written(self, table_id: str, row: Row) -> dict[str, Any]:
        return {
            "table_id": table_id,
            "version": row.version,
            "kind": row.kind,
            "data": self._seal.close(_beside(table_id, row), row.data),
            "request": row.request,
            "device": row.device,
            "at": row.at,
        }

    def _select(self, statement: Any, **params: Any) -> Sequence[Any]:
        try:
            with self._reading.connect() as connection:
                return connection.execute(statement, params).all()
        except (SQLAlchemyError, UnicodeDecodeError) as error:
            why = error.orig if isinstance(error, DBAPIError) else error
            raise StorageError(f"the database cannot be read: {why}") from error

    def _one(self, statement: Any, **params: Any) -> str | None:
        rows = self._select(statement, **params)
        return rows[0][0] if rows else None

    def _append(
        self,
        connection: Connection,
        written: Sequence[dict[str, Any]],
        index: Index,
        anew: Sequence[dict[str, Any]],
    ) -> bool:
        table_id = written[0]["table_id"]
        if written[0]["version"] == 1:
            connection.execute(
                insert(tables_).values(
                    id=table_id,
                    join_hash=index.join,
                    code=index.code,
                    version=written[-1]["version"],
                    used_at=index.used_at,
                    size=index.size,
                )
            )
            connection.execute(_ADD, written)
        elif not self._go_on(connection, written, index):
            return False
        if index.renewed:
            connection.execute(
                _NEW_LINK, {"table": table_id, "join": index.join, "short": index.code}
            )
        if anew:
            connection.execute(_REWRITE, [_as_new(row) for row in anew])
        if index.told:
            connection.execute(self._tell, [asdict(each) for each in index.told])
        if index.present is not None:
            _write_devices(connection, table_id, index.present)
        return True

    def _go_on(
        self, connection: Connection, written: Sequence[dict[str, Any]], index: Index
    ) -> bool:
        """Moves the table on by its new events; False if it is not where they begin."""
        moved = connection.execute(MOVE_ON, moving(written, index))
        if moved.rowcount == 0:
            return False
        connection.execute(_ADD, written)
        return True


def moving(written: Sequence[dict[str, Any]], index: Index) -> dict[str, Any]:
    """What `MOVE_ON` needs to know."""
    return {
        "table": written[0]["table_id"],
        "before": written[0]["version"] - 1,
        "after": written[-1]["version"],
        "used": index.used_at,
        "bytes": index.size,
    }


def _beside(table_id: str, row: Any) -> AssociatedData:
    return AssociatedData(table_id, row.version, row.kind, row.request, row.device, row.at)


def _as_new(written: dict[str, Any]) -> dict[str, Any]:
    """A row's values under names that no column has, as an update needs them."""
    return {f"new_{name}": value for name, value in written.items()}


def _write_devices(connection: Connection, table_id: str, present: frozenset[Present]) -> None:
    connection.execute(_NOBODY, {"table": table_id})
    if not present:
        return
    connection.execute(
        insert(devices),
        [
            {
                "device": one.device,
                "table_id": table_id,
                "hosts": one.hosts,
                "seated": one.seated,
            }
            for one in present
        ],
    )
