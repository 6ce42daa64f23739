"""The club of the web's tests."""

from tests.web.conftest import club, clubs, dealers, seated

__all__ = ["club", "clubs", "dealers", "seated"]
