"""Players round the table on its screen, as they come and in a round.

No name is broken, lies over the next seat or over the table; nor is anything below the edge.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.gallery import read_in
from tests.browser.looks import LONGEST
from tests.browser.phones import Device
from tests.browser.tables import send, sit
from tests.browser.test_screen_fits import SIZES, hidden
from tests.kit.phone import Phone as Plain
from tests.kit.server import Server

pytestmark = pytest.mark.browser

IN_PARTS = (
    "Maximiliane-Charlott",
    "Aleksandras Vytautas",
    "Wilhelmiina-Katariin",
    "Bartholomäus",
    "Guadalupe-Fernandina",
    "Žygimantas Motiejus",
    "Konstantinos-Andreas",
    "Li",
    "Jānis Krišjānis Ķēr.",
    "Christophe-Alexandre",
)

IN_ONE = (*IN_PARTS[:-1], "Maximilianecharlotte")

SHORT = (*IN_PARTS[3:4], "Žygimantas M", "Aleksandras", "Guadalupe F", "Anna", "Li", "Ida", "Bo")
"""They sit in a circle, which is higher than two columns."""

WRONG = """() => {
  const found = [], boxes = [];
  const ring = document.querySelector(".ring").getBoundingClientRect();
  for (const seat of document.querySelectorAll(".pairs .seat")) {
    const { left, right } = seat.getBoundingClientRect(), middle = (ring.left + ring.right) / 2;
    if (left < middle && right > middle || left > middle != seat.matches(".right"))
      found.push(`${seat.innerText} lies over the table`);
  }
  for (const seat of document.querySelectorAll(".ring .seat")) {
    const own = [seat.querySelector(".face").getBoundingClientRect()];
    const walker = document.createTreeWalker(seat, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode;
      if (!text.data.trim() || text.parentElement.closest(".vh")) continue;
      for (const each of text.data.matchAll(/[^\\s-]+/g)) {
        const range = document.createRange();
        range.setStart(text, each.index);
        range.setEnd(text, each.index + each[0].length);
        const lines = [...range.getClientRects()];
        if (lines.length > 1) found.push(`broken: ${each[0]}`);
        own.push(...lines);
      }
    }
    for (const [name, other] of boxes)
      if (own.some((a) => a.left < other.right - 1 && a.right > other.left + 1 &&
          a.top < other.bottom - 4 && a.bottom > other.top + 4)) // letters are less high than lines
        found.push(`${seat.innerText} lies over ${name}`);
    boxes.push(...own.map((box) => [seat.innerText, box]));
  }
  return [...new Set(found)];
}"""


def wrong(page: Page, where: str) -> Iterator[str]:
    for size in SIZES:
        page.set_viewport_size(size)
        below = hidden(page, 1)  # first: it has the page fit itself, as it would in the next frame
        for each in (*below, *page.evaluate(WRONG)):
            yield f"{where}, {size['width']} × {size['height']}: {each}"


@pytest.mark.parametrize("names", [IN_PARTS, IN_ONE, SHORT], ids=["in parts", "in one", "short"])
def test_names_can_be_read(server: Server, laptop: Device, names: tuple[str, ...]) -> None:
    others = [Plain(server.port) for _ in names[1:]]
    path, link = sit((laptop,), names[:1], way="roles", edition="fi")
    read_in(laptop, LONGEST)
    page = laptop.page
    page.goto(f"{path}/screen")
    found = []
    for seats, other in enumerate(others, 2):
        other.get("/")
        send(other, link, name=names[seats - 1])
        expect(page.locator(".ring bdi")).to_have_count(seats)
        found += wrong(page, f"{seats} have come")
    send(laptop, f"{path}/do/start")
    expect(page.locator(".tvring .seat.unlit")).to_have_count(len(names))
    found += wrong(page, "roles are looked at")
    for seat, device in enumerate((laptop, *others), 1):
        send(device, f"{path}/role", seat=seat)
    expect(page.locator(".tvring .seat.lit")).to_have_count(1)
    found += wrong(page, "a round is played")
    assert not found, "\n".join(found)
