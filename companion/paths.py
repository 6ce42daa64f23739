"""Where the templates and the translations lie: inside the installed package, or in a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_HOME = _PACKAGE if (_PACKAGE / "templates").is_dir() else _PACKAGE.parent

TEMPLATES = _HOME / "templates"
TRANSLATIONS = _HOME / "translations"
