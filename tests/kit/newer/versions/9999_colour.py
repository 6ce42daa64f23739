"""A column, an index and a table are added; nothing goes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from tests.kit.newer import HEAD, REVISIONS

revision = HEAD
down_revision = REVISIONS[-2]


def upgrade() -> None:
    op.add_column("tables", sa.Column("colour", sa.String(8), server_default="green"))
    op.create_index("tables_by_colour", "tables", ["colour"])
    op.create_table("colours", sa.Column("name", sa.String(8), primary_key=True))
