"""What all tests share."""

import os
import shutil
from collections.abc import Callable

import pytest
from hypothesis import settings

settings.register_profile("usual", deadline=None)  # no test depends on how busy the computer is
settings.load_profile("usual")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow ones come first, so that no processor waits for another in the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(scope="session")
def program() -> Callable[[str, str], str]:
    """Finds a program of the system. Where CI is set a missing one fails; elsewhere it skips."""

    def find(name: str, package: str) -> str:
        found = shutil.which(name)
        if found:
            return found
        said = f"{name} is missing; on Debian: apt-get install {package}"
        if os.environ.get("CI"):
            pytest.fail(said)
        pytest.skip(said)

    return find
