"""The log as a JSON object a line, for programs that gather logs."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        """With "time" (UTC, RFC 3339), "level", "logger", "message", and "error" where there is a
        traceback.

        >>> record = logging.LogRecord("companion", logging.ERROR, "", 0, "%d forms", (3,), None)
        >>> record.created = 0.0
        >>> JsonLines().format(record)[42:]
        '"level": "error", "logger": "companion", "message": "3 forms"}'
        """
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        said = {
            "time": at,
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            said["error"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False)
