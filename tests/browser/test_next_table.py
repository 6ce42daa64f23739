"""After the last gold somebody has the trains with them: the same people, by one tap of each."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.phones import Device, Kind, Phone
from tests.browser.tables import send, sit

pytestmark = pytest.mark.browser

NAMES = ("Anna", "Berta", "Carl")


def test_all_go_on_to_another_game(new_phone: Callable[..., Phone], laptop: Device) -> None:
    """The laptop hosts; the phones hear of it by themselves, and sit there as they sat here."""
    phones = [new_phone(Kind(locale, 320, 568)) for locale in ("en", "lt", "fi")]
    path, _ = sit([laptop, *phones], ("Laptop", *NAMES))
    send(laptop, f"{path}/do/remove-seat", seat=1)
    for deed in ("start", "finish", "count"):
        send(laptop, f"{path}/do/{deed}")
    for phone in phones:
        phone.page.goto(path)
    laptop.page.goto(f"{path}/screen")
    laptop.page.locator("form[action$='/go-on'] button").click()
    laptop.page.wait_for_url(re.compile(r"/t/[^/]+/screen$"))
    there = laptop.page.url.removesuffix("/screen")
    assert not there.endswith(path)
    for phone in phones:
        phone.page.locator("a[href$='/next']").click()
        phone.page.wait_for_url(there)
    for page in (laptop.page, *(phone.page for phone in phones)):
        for name in NAMES:
            expect(page.get_by_text(name, exact=True).first).to_be_visible()
    laptop.do("start")
    for phone in phones:
        expect(phone.page.locator("[data-typing]")).to_be_visible()


def test_who_reads_at_the_door_comes_to_where_they_play(
    new_phone: Callable[..., Phone], laptop: Device
) -> None:
    """Seats that wait for a phone have other numbers there."""
    phones = [new_phone(Kind("en", 320, 568)) for _ in NAMES]
    path, link = sit([laptop, *phones], ("Laptop", *NAMES))
    send(laptop, f"{path}/do/remove-seat", seat=1)
    for deed in ("start", "finish", "count"):
        send(laptop, f"{path}/do/{deed}")
    late = new_phone(Kind("en", 320, 568))
    late.page.goto(link)
    laptop.page.goto(f"{path}/screen")
    laptop.page.locator("form[action$='/go-on'] button").click()
    laptop.page.wait_for_url(re.compile(r"/t/[^/]+/screen$"))
    there = laptop.page.url.removesuffix("/screen")
    send(laptop, f"{there}/do/free-seat", seat=2)
    late.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    late.page.locator("button[name=claim]").click()
    late.page.wait_for_url(there)
    expect(late.page.get_by_text("Berta", exact=True).first).to_be_visible()
