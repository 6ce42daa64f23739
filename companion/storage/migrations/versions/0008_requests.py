"""A request's id tells nobody what was said in its form; before, it was the plain digest of it, by
which names and a Wi-Fi's password could be tried out.

An event that cannot be decrypted was damaged before: it stays as it is, and reading it is an error.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import context, op
from msgspec.structs import replace

from companion.storage.cipher import AssociatedData, UndecryptableError

revision = "0008"
down_revision = "0007"

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
        .values(data=sa.bindparam("encrypted"), request=sa.bindparam("blinded"))
    )
    named = events.c.request.is_not(None)
    connection = op.get_bind()
    last = ("", 0)
    while rows := connection.execute(
        read.where(named, sa.tuple_(*at) > sa.tuple_(*map(sa.literal, last)))
        .order_by(*at)
        .limit(ROWS_AT_ONCE)
    ).all():
        changed = []
        for row in rows:
            before = AssociatedData(*row[:-1])
            after = replace(before, request=cipher.keys.blinded(before.request))
            try:
                plain = cipher.decrypt_bytes(before.bound, row.data)
            except UndecryptableError:
                continue
            encrypted = cipher.encrypt_bytes(after.bound, plain.rstrip(b" "), after.step)
            changed.append(
                {
                    "t": after.table_id,
                    "v": after.version,
                    "encrypted": encrypted,
                    "blinded": after.request,
                }
            )
        if changed:
            connection.execute(write, changed)
        last = (rows[-1].table_id, rows[-1].version)
    # SQLite's file, and the journal of a program that was killed, are wiped of the older ids.
    connection.execute(sa.update(sa.table("seal", sa.column("swept"))).values(swept=False))


def downgrade() -> None:
    raise NotImplementedError("what has been hidden is not shown again")
