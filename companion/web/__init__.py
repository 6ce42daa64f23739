"""The web: routes, pages, streams. Knows nothing of SQL."""
