"""The bar at the top of a phone's page: a long name stands clear of the edges and of the links."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.gallery import read_in
from tests.browser.phones import Kind, Phone
from tests.browser.tables import send, sit

pytestmark = pytest.mark.browser

NAMES = ("Maximiliane-Charlott", "Aleksandras Vytautas", "MMMMMMMMMMMMMMMMMMMM")

GAP_PX = 10

CLOSE = """gap => {
  const bar = document.querySelector(".bar"), name = document.createRange();
  name.selectNodeContents(bar.querySelector(".where bdi"));
  const lines = [...name.getClientRects()], found = [];
  const { right } = bar.querySelector(".lang span").getBoundingClientRect();
  if (right > innerWidth - gap) found.push(`the language at ${right}`);
  for (const link of bar.querySelectorAll("a:not(.where a)")) {
    const box = link.querySelector(".i, .i-s").getBoundingClientRect();
    for (const line of lines)
      if (line.left < box.right + gap && line.right > box.left - gap)
        found.push(`${link.className} at ${box.left}, the name at ${line.left}–${line.right}`);
  }
  return found;
}"""


@pytest.mark.parametrize("game", ["saboteur", "trains"])
def test_a_long_name_stands_clear(new_phone: Callable[..., Phone], game: str) -> None:
    phones = [new_phone(Kind("en", 320, 568)) for _ in NAMES]
    way = {"way": "referee"} if game == "saboteur" else {}
    path, _ = sit(phones, NAMES, game=game, **way)
    send(phones[0], f"{path}/do/start")
    for phone in phones:
        for locale in ("en", "lt"):
            read_in(phone, locale)
            phone.page.goto(phone.url + path)
            for width in (320, 390):
                phone.page.set_viewport_size({"width": width, "height": 568})
                assert phone.page.evaluate(CLOSE, GAP_PX) == [], (locale, width)
