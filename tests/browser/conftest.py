"""One browser and one server for all browser tests; phones and tables as many as they like."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from tests.browser.gallery import Visit
from tests.browser.looks import Findings, walk
from tests.browser.phones import PATIENCE_MS, Device, Kind, Phone
from tests.kit.programs import needed
from tests.kit.server import Server, running

PAGES_LIVE_SHORT = (
    "--single-threaded",  # other tests run on all processors meanwhile
    "--no-opt",  # a page is gone before optimizing its scripts is worth it
    "--no-maglev",
    "--no-lazy-feedback-allocation",
    "--no-flush-bytecode",  # the next page has the same scripts
    "--min-semi-space-size=32",  # MB: most pages need no garbage collection
)

FEATURES_OFF = (
    "RenderDocument",  # a page that follows another one is shown by what showed that
    # As Playwright has it, whose own list gives way to this one:
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "OptimizationHints",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
)

FEATURES_ON = (
    "NetworkServiceInProcess2",  # what only this computer serves needs no process of its own
    "CDPScreenshotNewSurface",  # as Playwright has it
)

ARGUMENTS = [
    "--no-sandbox",
    "--renderer-process-limit=1",  # of a phone: an empty page needs none of its own
    "--disable-gpu",
    "--in-process-gpu",  # nothing is drawn on a card, so a process of its own only costs
    f"--disable-features={','.join(FEATURES_OFF)}",
    f"--enable-features={','.join(FEATURES_ON)}",
    f"--js-flags={' '.join(PAGES_LIVE_SHORT)}",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def open_browser(playwright: Playwright) -> Iterator[Callable[..., Browser]]:
    chromium = needed("chromium-headless-shell")
    opened: list[Browser] = []

    def open_one(*arguments: str) -> Browser:
        opened.append(
            playwright.chromium.launch(executable_path=chromium, args=[*ARGUMENTS, *arguments])
        )
        return opened[-1]

    yield open_one
    for browser in opened:
        browser.close()


@pytest.fixture(scope="session")
def browser(open_browser: Callable[..., Browser]) -> Browser:
    return open_browser()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("served") / "data") as server:
        yield server


@pytest.fixture(scope="session")
def zbarimg() -> str:
    return needed("zbarimg")


@pytest.fixture(scope="session")
def pictures() -> Path | None:
    """Where screenshots go for people to look at: the folder in SCREENSHOTS."""
    folder = os.environ.get("SCREENSHOTS")
    return Path(folder).resolve() if folder else None


@pytest.fixture
def new_phone(browser: Browser, server: Server) -> Iterator[Callable[..., Phone]]:
    phones: list[Phone] = []

    def make(kind: Kind | None = None, **more: object) -> Phone:
        phone = Phone(browser, server.url, kind or Kind("en"), **more)  # type: ignore[arg-type]
        phones.append(phone)
        return phone

    yield make
    for phone in phones:
        phone.close()
    assert [error for phone in phones for error in phone.errors] == []


@pytest.fixture
def laptop(browser: Browser, server: Server) -> Iterator[Device]:
    device = Device(browser, server.url, Kind("et", 1366, 768, "dark"))
    yield device
    device.close()
    assert device.errors == []


@pytest.fixture(scope="module")
def findings(visits: list[Visit], pictures: Path | None) -> dict[str, Findings]:
    """By language, on the pages of the module's own fixture `visits`."""
    return walk(visits, pictures)
