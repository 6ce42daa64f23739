"""Tables of a café, whose codes last."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "standing",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("key_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("code", sa.String(8), nullable=False, unique=True),
        sa.Column("table_id", sa.String(22), sa.ForeignKey("tables.id", ondelete="SET NULL")),
    )


def downgrade() -> None:
    op.drop_table("standing")
