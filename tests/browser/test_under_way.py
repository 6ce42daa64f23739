"""Whoever reads beside the table is called back when the others play on."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.phones import Device, Kind, Phone
from tests.browser.tables import send, sit

pytestmark = pytest.mark.browser

SOON_MS = 11_000
"""By then it has been asked once more."""


def test_readers_are_called_back_and_the_table_screen_goes(
    new_phone: Callable[..., Phone], laptop: Device, pictures: Path | None
) -> None:
    phones = [new_phone(Kind("lt", 320, 568)), new_phone(Kind("fi", 390, 844, "light"))]
    senders = [laptop, *phones]
    path, _ = sit(senders, ["Anna", "Bert", "Carl"])
    for deed in ("start", "finish"):
        send(laptop, f"{path}/do/{deed}")
    for device, name in zip(senders, ("games?screen=1", "games", "take"), strict=True):
        device.stop_clock()
        with device.page.expect_response("**/under-way*") as said:
            device.page.goto(f"{path}/{name}")
        assert said.value.status == 204
    send(laptop, f"{path}/do/new-game")
    for phone in phones:
        with phone.page.expect_response("**/under-way*"):
            phone.page.clock.run_for(SOON_MS)
        expect(phone.page.get_by_role("alert")).to_contain_text(
            "Prasidėjo" if phone.kind.locale == "lt" else "Uusi peli"
        )
        phone.page.evaluate("scrollTo(0, document.body.scrollHeight)")
        expect(phone.page.get_by_role("alert")).to_be_in_viewport(ratio=1)
        phone.shot(pictures, f"under-way-{phone.kind.locale}", whole=False)
        assert phone.said == []
    laptop.page.clock.run_for(SOON_MS)
    laptop.page.wait_for_url(re.compile(r"/screen$"))
    phones[0].page.get_by_role("alert").get_by_role("link").click()
    expect(phones[0].page.locator("[data-pad]").first).to_be_visible()

    # It says so no more when that one is over, too; and the page goes with its table.
    reading = phones[1]
    send(laptop, f"{path}/do/finish")
    with reading.page.expect_response("**/under-way*"):
        reading.page.clock.run_for(SOON_MS)
    expect(reading.page.get_by_role("alert")).to_have_count(0)
    with reading.page.expect_navigation():
        send(laptop, f"{path}/do/end")
    expect(reading.page.locator("main a[href='/']").first).to_be_visible()
    reading.said.clear()  # the browser's own words about the status


def test_a_game_that_was_on_already_is_no_news(new_phone: Callable[..., Phone]) -> None:
    phones = [new_phone() for _ in range(3)]
    path, _ = sit(phones, ["Anna", "Bert", "Carl"])
    for deed in ("start", "finish", "new-game"):
        send(phones[0], f"{path}/do/{deed}")
    phone = phones[1]
    phone.stop_clock()
    with phone.page.expect_response("**/under-way*") as said:
        phone.page.goto(f"{path}/games")
    assert said.value.status == 200
    with phone.page.expect_response("**/under-way*"):
        phone.page.clock.run_for(SOON_MS)
    expect(phone.page.locator(".under-way")).to_have_count(0)


@pytest.mark.parametrize("beside", ["/rules/saboteur?back={}", "{}/fair"], ids=["rules", "fair"])
def test_who_reads_beside_the_table_is_called_to_what_the_others_wait_for(
    new_phone: Callable[..., Phone], pictures: Path | None, beside: str
) -> None:
    phones = [new_phone(Kind("lt", 320, 568)), new_phone(), new_phone()]
    path, _ = sit(phones, ["Anna", "Bert", "Carl"])
    page = phones[0].page
    page.goto(beside.format(path))
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    send(phones[0], f"{path}/do/start")
    expect(page.get_by_role("alert")).to_be_in_viewport(ratio=1)
    phones[0].shot(pictures, f"wanted-{len(beside)}-lt", whole=False)
    page.get_by_role("alert").get_by_role("link").click()
    expect(page.locator("[data-pad]").first).to_be_visible()


@pytest.mark.parametrize("beside", ["{}/fair", "{}/games"])
def test_who_reads_beside_a_table_that_goes_is_told(
    new_phone: Callable[..., Phone], beside: str
) -> None:
    host, guest = new_phone(), new_phone()
    path, _ = sit([host, guest], ["Anna", "Bert"])
    guest.stop_clock()
    with guest.page.expect_response(re.compile("/(wanted|under-way)")):
        guest.page.goto(beside.format(path))
    send(host, f"{path}/do/end")
    guest.page.clock.run_for(SOON_MS)
    expect(guest.page.get_by_role("heading", level=1)).to_have_text("The path ends here")


def test_the_way_back_keeps_the_focus_when_something_else_is_waited_for(
    new_phone: Callable[..., Phone],
) -> None:
    phones = [new_phone() for _ in range(3)]
    path, _ = sit(phones, ["Anna", "Bert", "Carl"], way="referee")
    page = phones[0].page
    page.goto(f"/rules/saboteur?back={path}")
    send(phones[0], f"{path}/do/start", starter=1)
    alert = page.get_by_role("alert")
    before = alert.inner_text()
    alert.get_by_role("link").focus()
    send(phones[0], f"{path}/do/begin")
    expect(alert).not_to_have_text(before, use_inner_text=True)
    expect(alert.get_by_role("link")).to_be_focused()
