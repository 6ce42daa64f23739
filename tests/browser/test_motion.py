"""What is revealed turns over: every secret in the same way, and at once where that is wished."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.phones import Kind, Phone, open_table

pytestmark = pytest.mark.browser

MOVES = """() => document.querySelector("[data-slot]").getAnimations({subtree: true}).map(each =>
  [each.animationName, each.effect.getTiming().duration, each.effect.getTiming().delay])"""


def test_a_role_turns_over_like_any_other(new_phone: Callable[..., Phone], zbarimg: str) -> None:
    phones = [new_phone(Kind("en")) for _ in range(5)]
    host = phones[0]
    url, link = open_table(host, zbarimg)
    host.page.locator("#own-name").fill("A")
    host.do("join")
    for phone, name in zip(phones[1:], "BCDE", strict=True):
        phone.join(link, name)
    host.page.goto(url)
    host.do("start")
    seen = set()
    for phone in phones:
        for motion, time in (("no-preference", 350), ("reduce", 0)):
            phone.page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type] # one of two
            with phone.holding() as card:
                shown = card.locator('use[href="#role-sab"], use[href="#role-dig"]')
                shown.wait_for(state="attached")
                seen.add(shown.get_attribute("href"))
                assert phone.page.evaluate(MOVES) == [["turn", time, 0]]
            shown.wait_for(state="detached")
            assert phone.page.evaluate(MOVES) == []
            phone.page.goto(f"{url}#look")
    assert seen == {"#role-sab", "#role-dig"}
