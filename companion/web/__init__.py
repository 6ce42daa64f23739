"""The web: routes, pages, streams. Knows nothing of SQL."""

from companion.web.app import create_app

__all__ = ["create_app"]
