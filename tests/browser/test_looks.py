"""Every page of a table and around it, in every language: usable by everyone, nothing cut, nothing
sticking out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.gallery import Visit, hang, people
from tests.browser.looks import Looks
from tests.kit.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def visits(browser: Browser, server: Server) -> Iterator[list[Visit]]:
    with people(browser, server, 3, 8) as (devices, others):
        yield hang(*devices, others)


class TestTables(Looks):
    """From the home page to the end of a game."""
