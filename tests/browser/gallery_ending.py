"""The pages of a round whose end was told and waits, or was stopped, for `gallery`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import APIRequestContext, Browser, Playwright

from tests.browser.gallery import Sitting, Visit, people
from tests.browser.phones import Device
from tests.kit.server import running

WAIT_S = "600"
"""As long as can be: no end counts while it is looked at."""


@contextmanager
def waiting(
    playwright: Playwright, browser: Browser, folder: Path, seats: int
) -> Iterator[list[Visit]]:
    """By a server of its own: elsewhere an end counts at once."""
    with (
        running(folder / "data", end_wait_s=WAIT_S) as server,
        people(playwright, browser, server, 2, seats - 2) as ((host, guest), others),
    ):
        yield _hang(host, guest, others)


def _hang(host: Device, guest: Device, others: list[APIRequestContext]) -> list[Visit]:
    """The guest has told each end. Where plays are reported, none waits."""

    def sitting(**result: str | int) -> Sitting:
        table = Sitting(host, guest, others)
        table.start()
        table.play_round(**result)
        return table

    reached, stopped = sitting(reached=1, finisher=1), sitting(reached=0, last=3)
    stopped.do(host, "stop-end")
    return [
        Visit("told-host", host, reached.path),
        Visit("told-guest", guest, reached.path),
        Visit("told-report", guest, reached.path + "/report"),
        Visit("told-screen", host, reached.path + "/screen", wide=True),
        Visit("stopped-guest", guest, stopped.path),
        Visit("stopped-screen", host, stopped.path + "/screen", wide=True),
    ]
