"""Where the templates and the translations lie: inside the installed package, or in a checkout."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
_HOME = PACKAGE if (PACKAGE / "templates").is_dir() else PACKAGE.parent

TEMPLATES = _HOME / "templates"
TRANSLATIONS = _HOME / "translations"
