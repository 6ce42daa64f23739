"""A phone without JavaScript plays along by forms and reloading."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.phones import Kind, Phone, open_table

pytestmark = pytest.mark.browser


def test_a_phone_without_script_plays_along(new_phone: Callable[..., Phone], zbarimg: str) -> None:
    host = new_phone(Kind("et", script=False))
    url, link = open_table(host, zbarimg)
    host.form("join").locator("input[name=name]").fill("Malle")
    host.do("join")
    guests = [new_phone(Kind("lv", script=False)), new_phone(Kind("lt", 320, 568))]
    for guest, name in zip(guests, ("Ilze", "Rūta"), strict=True):
        guest.join(link, name)
    host.page.reload()
    host.do("start")

    for phone in (host, guests[0]):
        phone.page.goto(url)
        assert phone.secrets() == set()
        phone.page.locator("[data-pad]").first.click()
        shown = phone.page.locator('use[href="#role-sab"], use[href="#role-dig"]')
        expect(shown).to_have_count(1)
    for phone in (host, guests[0]):  # hidden by itself after five seconds
        phone.page.wait_for_url(re.compile(re.escape(url) + r"(\?.*)?$"))
        expect(phone.page.locator("#live")).to_be_visible()
        assert phone.secrets() == set()
    guests[1].page.goto(url)
    guests[1].role()

    reporter = guests[0].page
    reporter.goto(url)
    reporter.locator('a[href$="/report"]').first.click()
    reporter.locator("label[for=end-no]").click()
    reporter.locator("button[name=last]", has_text="Rūta").click()
    expect(reporter.locator("[aria-labelledby=roles-h]").first).to_be_attached()
    gained = reporter.locator("[aria-labelledby=gains-h] li .num")
    if reporter.locator("#gold-hold svg.goldcard").count():
        reporter.locator("[form=gold-hold]").click()
        expect(reporter.locator(".goldrow svg.goldcard").first).to_be_visible()
        reporter.goto(url)
    assert gained.count() <= 1
    host.page.goto(url)
    host.do("deal")
    expect(host.page.locator("[data-pad]").first).to_be_visible()
