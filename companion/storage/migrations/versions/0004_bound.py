"""An event is bound to its device, its time and its request; before, to its place in the log only.

An event that cannot be decrypted was damaged before: it stays as it is, and reading it is an error.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import context, op

from companion.storage.cipher import AssociatedData, UndecryptableError, place_alone

revision = "0004"
down_revision = "0003"

ROWS_AT_ONCE = 500


def upgrade() -> None:
    cipher = context.config.attributes["cipher"]
    columns = ("table_id", "version", "kind", "request", "device", "at", "data")
    events = sa.table("events", *(sa.column(name) for name in columns))
    at = (events.c.table_id, events.c.version)
    read = sa.select(*events.c[columns[:-1]], sa.cast(events.c.data, sa.LargeBinary).label("data"))
    write = (
        sa.update(events)
        .where(at[0] == sa.bindparam("t"), at[1] == sa.bindparam("v"))
        .values(data=sa.bindparam("encrypted"))
    )
    connection = op.get_bind()
    last = ("", 0)
    while rows := connection.execute(
        read.where(sa.tuple_(*at) > sa.tuple_(*map(sa.literal, last)))
        .order_by(*at)
        .limit(ROWS_AT_ONCE)
    ).all():
        bound = []
        for row in rows:
            place = AssociatedData(*row[:-1])
            try:
                plain = cipher.decrypt_bytes(
                    place_alone(place.table_id, place.version, place.kind), row.data
                )
            except UndecryptableError:
                continue
            encrypted = cipher.encrypt_bytes(place.bound, plain.rstrip(b" "), place.step)
            bound.append({"t": place.table_id, "v": place.version, "encrypted": encrypted})
        if bound:
            connection.execute(write, bound)
        last = (rows[-1].table_id, rows[-1].version)


def downgrade() -> None:
    raise NotImplementedError("what has been bound is not let loose again")
