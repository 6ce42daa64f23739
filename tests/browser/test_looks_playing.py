"""As `test_looks`: the pages on which plays are reported."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Playwright

from tests.browser import gallery_referee, gallery_trains
from tests.browser.gallery import Visit, people
from tests.browser.looks import Looks
from tests.kit.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def visits(playwright: Playwright, browser: Browser, server: Server) -> Iterator[list[Visit]]:
    with people(playwright, browser, server, 2, 8) as (devices, others):
        shown = gallery_referee.hang(*devices, others)
        shown += gallery_referee.hang_six(*devices, others)
        yield shown + gallery_trains.hang(*devices, others)


class TestPlaying(Looks):
    """Under the referee, and of trains."""
