"""A newer version of the program, of whose database the present one knows nothing."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from alembic.config import Config

from companion.storage import migrate, schema

COMMAND = (sys.executable, "-m", "tests.kit.newer")
HEAD = "9999"
REVISIONS = (*schema.REVISIONS, HEAD)
FOLDERS = (
    Path(migrate.__file__).with_name("migrations") / "versions",
    Path(__file__).with_name("versions"),
)

_config = migrate.config


def config(*of: object) -> Config:
    """With the migration of that version."""
    found = _config(*of)  # type: ignore[arg-type]
    found.set_main_option("path_separator", "os")
    found.set_main_option("version_locations", os.pathsep.join(map(str, FOLDERS)))
    return found


def become() -> None:
    """From now on this process is of that version."""
    schema.HEAD, schema.REVISIONS = HEAD, REVISIONS  # type: ignore[misc, assignment]
    migrate.config = config
