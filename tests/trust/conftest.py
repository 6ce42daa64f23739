"""The club of the web's tests."""

from tests.web.conftest import club, clubs, compiled, dealers, seated

__all__ = ["club", "clubs", "compiled", "dealers", "seated"]
