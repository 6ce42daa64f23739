"""An evening on phones that are spread over two processes behind nginx."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Response

from tests.browser.phones import Device, Phone
from tests.browser.test_evening import SeenEvening, whole_game
from tests.kit.nginx import SERVED_BY, Behind, behind_nginx
from tests.kit.services import Postgres, Redis

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, postgres: Postgres, redis: Redis
) -> Iterator[Behind]:
    with behind_nginx(tmp_path_factory.mktemp("behind"), postgres, redis) as behind:
        yield behind


@pytest.fixture(scope="module")
def browser(open_browser: Callable[..., Browser]) -> Browser:
    return open_browser("--ignore-certificate-errors")


def test_a_whole_game_at_two_processes(
    laptop: Device, new_phone: Callable[..., Phone], zbarimg: str, server: Behind
) -> None:
    by: dict[str, set[str]] = defaultdict(set)

    def answered(response: Response) -> None:
        path = re.sub(r".*/", "/", response.url.partition("?")[0])
        by[path].add(response.headers.get(SERVED_BY.lower(), ""))

    def watched(*of: object) -> Phone:
        phone = new_phone(*of)
        phone.page.on("response", answered)
        return phone

    whole_game(SeenEvening(laptop, None), watched, zbarimg)
    processes = {f"127.0.0.1:{each.port}" for each in server.servers}
    assert by["/live"] == by["/role"] == processes
    how = "performance.getEntriesByType('navigation')[0].nextHopProtocol"
    assert laptop.page.evaluate(how) == "h2"
