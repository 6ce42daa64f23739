"""A phone on its side, and a tablet: the maze on one half, all else beside it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, ViewportSize, expect

from tests.browser.phones import Phone
from tests.browser.referee import Round, place, sheet

pytestmark = pytest.mark.browser

WIDE: tuple[ViewportSize, ...] = (
    {"width": 568, "height": 320},
    {"width": 740, "height": 360},
    {"width": 1024, "height": 768},
)


def edges(part: Locator) -> tuple[float, float, float, float]:
    """Left, top, right, bottom."""
    box = part.bounding_box()
    assert box
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]


@pytest.mark.parametrize("size", WIDE, ids=lambda size: str(size["width"]))
def test_the_maze_lies_beside_the_players(
    new_phone: Callable[..., Phone], size: ViewportSize
) -> None:
    table = Round(new_phone, "lv-2009", 3, shown=(0,))
    phone = table.on()
    page = phone.page
    page.set_viewport_size(size)
    page.goto(table.url)
    *_, right, bottom = edges(page.locator("#mazeview"))
    assert right > size["width"] * 0.49
    assert bottom <= size["height"]
    for beside in (".turn", "#crew", "#dock"):
        assert edges(page.locator(beside))[0] >= right
    assert edges(page.locator("#dock"))[3] <= size["height"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert edges(page.locator("#links .more"))[3] <= edges(page.locator("#dock"))[1]
    page.evaluate("scrollTo(0, 0)")

    place(phone, 1, 0).press("Enter")
    left, top, *_ = edges(sheet(phone, "place"))
    assert (left >= right - 1, top) == (True, 0)
    mark = page.locator(".pan .mark")
    expect(mark).to_be_in_viewport()
    assert edges(mark)[2] <= left


EDGE_PX = 44
"""What a camera takes of the glass."""


def test_nothing_of_a_phone_on_its_side_lies_under_its_camera(
    new_phone: Callable[..., Phone],
) -> None:
    table = Round(new_phone, "lv-2009", 3, shown=(0,))
    phone = table.on()
    page = phone.page
    page.set_viewport_size({"width": 844, "height": 390})
    insets = {"left": EDGE_PX, "right": EDGE_PX}
    phone.devtools.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
    page.goto(table.url)
    for part in ("#mazeview", ".bar", "#crew", "#dock .btn"):
        left, _, right, _ = edges(page.locator(part).first)
        assert left >= EDGE_PX, part
        assert right <= 844 - EDGE_PX, part
    place(phone, 1, 0).press("Enter")
    shown = sheet(phone, "place")
    assert edges(shown)[2] == 844  # its ground goes on below it
    assert edges(shown.locator("[data-close]").first)[2] <= 844 - EDGE_PX
