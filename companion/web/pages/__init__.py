"""The routes, one module an area."""
