"""Who uses keys alone sees where they lead: nothing hides behind what stays in thumb reach."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile

import pytest

from tests.browser.phones import Kind, Phone
from tests.browser.referee import Round
from tests.browser.tables import send, sit

pytestmark = pytest.mark.browser

SMALL = Kind("lt", 320, 568)

STEPS = 60
"""More than any of these pages has."""

BEHIND = """() => {
  const on = document.activeElement;
  const dock = document.querySelector("#sheet .sheet") || document.querySelector(".page .dock");
  if (on === document.body) return "";
  const box = on.getBoundingClientRect(), over = dock?.getBoundingClientRect();
  const behind = over && !dock.contains(on)
    && box.bottom > over.top + 1 && box.top < over.bottom && box.height < over.top;
  return (behind ? "behind the dock: " : "") + on.outerHTML.slice(0, 90);
}"""


def walk(phone: Phone, path: str, opens: str | None = None) -> None:
    """`opens`: the link to a sheet that lies over the page meanwhile."""
    page = phone.page
    page.goto(path)
    page.locator("html.js").wait_for()
    if opens:
        page.locator(opens).press("Enter")
        page.locator("#sheet .sheet h2").wait_for()

    def steps() -> list[str]:
        found = []
        for _ in range(STEPS):
            page.keyboard.press("Shift+Tab" if opens else "Tab")
            found.append(str(page.evaluate(BEHIND)))
        return found

    led = list(takewhile(bool, steps()))
    assert 2 < len(led) < STEPS, led
    assert not [each for each in led if each.startswith("behind")], path


@pytest.mark.parametrize("game", ["saboteur", "trains"])
def test_keys_lead_to_what_can_be_seen(new_phone: Callable[..., Phone], game: str) -> None:
    host, guest, third = (new_phone(kind) for kind in (SMALL, Kind("en"), Kind("en")))
    path, _ = sit((host, guest, third), ("Rūta", "Anna", "Bert"), game=game)
    walk(host, path)
    walk(host, f"{path}/host")
    walk(host, f"{path}/seat")
    send(host, f"{path}/do/start")
    walk(host, path)


def test_keys_lead_to_what_can_be_seen_under_the_referee(new_phone: Callable[..., Phone]) -> None:
    table = Round(new_phone, "lv-2009", seats=3, shown=(0,))
    walk(table.phones[0], table.path)
    walk(table.phones[0], table.path, "#more a[href*=copies]")
