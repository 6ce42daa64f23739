"""As `test_looks`: the pages on which plays are reported, and an end that waits."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser import gallery_ending, gallery_referee, gallery_trains
from tests.browser.gallery import Visit, people
from tests.browser.looks import Looks
from tests.kit.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def visits(
    browser: Browser,
    server: Server,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[list[Visit]]:
    with (
        people(browser, server, 2, 8) as (devices, others),
        gallery_ending.waiting(browser, tmp_path_factory.mktemp("ending"), 10) as told,
    ):
        shown = gallery_referee.hang(*devices, others)
        shown += gallery_referee.hang_six(*devices, others)
        yield told + shown + gallery_trains.hang(*devices, others)


class TestPlaying(Looks):
    """Under the referee, and of trains."""
