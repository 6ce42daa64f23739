"""The content of events is encrypted; before, it was plain JSON.

The old text is wiped from the files afterwards (see `companion.storage.sqlite_log`).
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import context, op

from companion.storage.cipher import place_alone

revision = "0002"
down_revision = "0001"

ROWS_AT_ONCE = 500


def upgrade() -> None:
    cipher = context.config.attributes["cipher"]
    encrypted = op.create_table(
        "events_sealed",
        sa.Column(
            "table_id",
            sa.String(22),
            sa.ForeignKey("tables.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("request", sa.String(64)),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.UniqueConstraint("table_id", "request", name="request_once"),
    )
    columns = ("table_id", "version", "kind", "data", "request", "device", "at")
    plain = sa.table("events", *(sa.column(name) for name in columns))
    connection = op.get_bind()
    for some in connection.execute(sa.select(plain)).partitions(ROWS_AT_ONCE):
        connection.execute(
            sa.insert(encrypted),
            [
                {
                    **row._mapping,
                    "data": cipher.encrypt_bytes(
                        place_alone(row.table_id, row.version, row.kind), row.data.encode()
                    ),
                }
                for row in some
            ],
        )
    op.drop_table("events")
    op.rename_table("events_sealed", "events")
    keyed = op.create_table(
        "seal",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("key_check", sa.LargeBinary, nullable=False),
        sa.Column("swept", sa.Boolean(create_constraint=False), nullable=False),
    )
    op.bulk_insert(keyed, [{"id": 1, "key_check": cipher.check, "swept": False}])


def downgrade() -> None:
    raise NotImplementedError("what has been encrypted is not laid open again")
