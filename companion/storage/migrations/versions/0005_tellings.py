"""What players have told of what is printed on their cards, for the tables to come."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "tellings",
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("card", sa.String(32), primary_key=True),
        sa.Column("what", sa.String(32), primary_key=True),
        sa.Column("times", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("tellings")
