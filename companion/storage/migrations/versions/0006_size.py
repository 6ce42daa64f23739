"""How much room the events of each table take."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

BESIDE = 400
"""Bytes of an event beside its content, in its row and the indexes."""


def upgrade() -> None:
    op.add_column("tables", sa.Column("size", sa.Integer))
    events = sa.table("events", sa.column("table_id"), sa.column("data"))
    tables = sa.table("tables", sa.column("id"), sa.column("size"))
    taken = sa.select(sa.func.coalesce(sa.func.sum(sa.func.length(events.c.data) + BESIDE), 0))
    op.execute(
        sa.update(tables).values(
            size=taken.where(events.c.table_id == tables.c.id).scalar_subquery()
        )
    )


def downgrade() -> None:
    op.drop_column("tables", "size")
