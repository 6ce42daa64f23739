"""Runs the migrations on the engine that `companion.storage.migrate` passes."""

from __future__ import annotations

from alembic import context

from companion.storage.schema import metadata

engine = context.config.attributes["engine"]
with engine.connect() as connection:
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=True,
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()
