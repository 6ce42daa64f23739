"""Tables, their events, and which device is at which table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("join_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("code", sa.String(8), nullable=False, unique=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("used_at", sa.Float, nullable=False),
    )
    op.create_index("tables_by_use", "tables", ["used_at"])
    op.create_table(
        "events",
        sa.Column(
            "table_id",
            sa.String(22),
            sa.ForeignKey("tables.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("request", sa.String(64)),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.UniqueConstraint("table_id", "request", name="request_once"),
    )
    op.create_table(
        "devices",
        sa.Column("device", sa.String(64), primary_key=True),
        sa.Column(
            "table_id",
            sa.String(22),
            sa.ForeignKey("tables.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("hosts", sa.Boolean(create_constraint=False), nullable=False),
        sa.Column("seated", sa.Boolean(create_constraint=False), nullable=False),
    )
    op.create_index("devices_by_table", "devices", ["table_id"])
