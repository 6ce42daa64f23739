"""Phones in a browser, signed in as those of a table."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.kit.tables import Phone, Table

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--disable-gpu-vsync",  # else no frame is shorter than the 16.7 ms of a display
    "--disable-frame-rate-limit",
)


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell"), args=ARGUMENTS
        )
        yield browser
        browser.close()


def page_of(
    browser: Browser, table: Table, phone: Phone, size: tuple[int, int] = (390, 844)
) -> Page:
    """The table's page on this phone, in a context of its own. `size`: CSS pixels."""
    base = f"http://127.0.0.1:{table.port}"
    width, height = size
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
    context.add_cookies(
        [{"name": name, "value": value, "url": base} for name, value in phone.cookies.items()]
    )
    page = context.new_page()
    page.goto(base + table.path)
    return page
