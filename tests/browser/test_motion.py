"""What is revealed turns over: every secret in the same way, and at once where that is wished."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.browser.phones import Kind, Phone, is_seen
from tests.browser.tables import send, sit

pytestmark = pytest.mark.browser

MOVES = """() => document.querySelector("[data-slot]").getAnimations({subtree: true}).map(each =>
  [each.animationName, each.effect.getTiming().duration, each.effect.getTiming().delay])"""


def role_turning(phone: Phone, motion: Literal["no-preference", "reduce"], time_ms: int) -> str:
    """Holds the card and lets it go; what it shows."""
    phone.page.emulate_media(reduced_motion=motion)
    with phone.page.expect_response(is_seen) as seen, phone.holding() as card:
        shown = card.locator('use[href="#role-sab"], use[href="#role-dig"]')
        shown.wait_for(state="attached")
        role = shown.get_attribute("href")
        assert phone.page.evaluate(MOVES) == [["turn", time_ms, 0]]
        assert seen.value.ok  # while it is held
    shown.wait_for(state="detached")
    assert phone.page.evaluate(MOVES) == []
    return role or ""


def test_a_role_turns_over_like_any_other(new_phone: Callable[..., Phone]) -> None:
    phones = [new_phone(Kind("en")) for _ in range(5)]
    path, _ = sit(phones, "ABCDE")
    send(phones[0], f"{path}/do/start")
    roles = []
    for phone in phones:
        phone.page.goto(path)
        roles.append(role_turning(phone, "no-preference", 350))
    assert set(roles) == {"#role-sab", "#role-dig"}
    for phone, role in zip(phones, roles, strict=True):
        # All have looked: each page moves on to the game, and with it to its head.
        expect(phone.page.locator('a[href$="/report"]').first).to_be_visible()
        phone.page.locator("a[href='#look']").click()
        assert role_turning(phone, "reduce", 0) == role
