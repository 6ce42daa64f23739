"""The pages of a round whose end was told and waits, or was stopped, for `gallery`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser

from tests.browser.gallery import Sitting, Visit, people
from tests.browser.phones import Device
from tests.kit.phone import Phone as Plain
from tests.kit.server import running

WAIT_S = "600"
"""As long as can be: no end counts while it is looked at."""

CARDS = 67
"""In the hands and the pile: the last that is passed on ends the round."""


@contextmanager
def waiting(browser: Browser, folder: Path, seats: int) -> Iterator[list[Visit]]:
    """By a server of its own: elsewhere an end counts at once."""
    with (
        running(folder / "data", end_wait_s=WAIT_S) as server,
        people(browser, server, 2, seats - 2) as ((host, guest), others),
    ):
        yield _hang(host, guest, others)


def _hang(host: Device, guest: Device, others: list[Plain]) -> list[Visit]:
    """Rounds whose end the guest has told, or the host or the last card with the referee; and games
    that the host ends before their time."""
    seats = 2 + len(others)

    def sitting(way: str = "roles") -> Sitting:
        table = Sitting(host, guest, others, way=way)
        table.start()
        return table

    reached, stopped, between, looking, freed, followed, broken, halted = (
        sitting(way) for way in (*["roles"] * 5, *["referee"] * 3)
    )
    reached.play_round(reached=1, finisher=1)
    stopped.play_round(reached=0, last=3)
    stopped.do(host, "stop-end")
    between.play_round(reached=1, finisher=1)
    between.do(others[0], "confirm-end")
    followed.look()
    followed.do(host, "play", play="result", reached=0, last=3)
    broken.look()
    freed.look()
    freed.do(host, "free-seat", seat=2)
    freed.do(others[0], "play", play="result", reached=1, finisher=1)
    halted.look()
    for card in range(CARDS):
        seat = card % seats + 1
        halted.do(halted.devices[seat - 1], "play", seat=seat, play="pass")
    halted.do(host, "stop-end")
    for each in (between, looking, broken):
        each.do(host, "finish")
    return [
        Visit("told-host", host, reached.path),
        Visit("told-guest", guest, reached.path),
        Visit("told-report", guest, reached.path + "/report"),
        Visit("told-hostpage", host, reached.path + "/host"),
        Visit("told-seat", guest, reached.path + "/seat"),
        Visit("told-qr", guest, reached.path + "/qr"),
        Visit("told-lost", guest, freed.path),
        Visit("told-screen", host, reached.path + "/screen", wide=True),
        Visit("told-referee-guest", guest, followed.path),
        Visit("told-referee-screen", host, followed.path + "/screen", wide=True),
        Visit("finish-looking-guest", guest, looking.path),
        Visit("finish-looking-screen", host, looking.path + "/screen", wide=True),
        Visit("finish-settled-guest", guest, between.path),
        Visit("finish-settled-host", host, between.path),
        Visit("finish-settled-screen", host, between.path + "/screen", wide=True),
        Visit("finish-referee-screen", host, broken.path + "/screen", wide=True),
        Visit("stopped-guest", guest, stopped.path),
        Visit("stopped-screen", host, stopped.path + "/screen", wide=True),
        Visit("stopped-referee-screen", host, halted.path + "/screen", wide=True),
    ]
