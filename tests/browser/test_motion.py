"""What is revealed turns over: every secret in the same way, and at once where that is wished."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.phones import Kind, Phone, is_seen
from tests.browser.tables import send, sit

pytestmark = pytest.mark.browser

MOVES = """() => document.querySelector("[data-slot]").getAnimations({subtree: true}).map(each =>
  [each.animationName, each.effect.getTiming().duration, each.effect.getTiming().delay])"""


def test_a_role_turns_over_like_any_other(new_phone: Callable[..., Phone]) -> None:
    phones = [new_phone(Kind("en")) for _ in range(5)]
    path, _ = sit(phones, "ABCDE")
    send(phones[0], f"{path}/do/start")
    seen = set()
    for phone in phones:
        phone.page.goto(path)
        for motion, time in (("no-preference", 350), ("reduce", 0)):
            phone.page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type] # one of two
            with phone.holding() as card, phone.page.expect_response(is_seen):
                shown = card.locator('use[href="#role-sab"], use[href="#role-dig"]')
                shown.wait_for(state="attached")
                seen.add(shown.get_attribute("href"))
                assert phone.page.evaluate(MOVES) == [["turn", time, 0]]
            shown.wait_for(state="detached")
            assert phone.page.evaluate(MOVES) == []
            if motion == "no-preference":
                phone.page.locator("a[href='#look']").click()
    assert seen == {"#role-sab", "#role-dig"}
