"""The rules on a phone: found while one types, marked, and left again for the table."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.phones import Kind, Phone, open_table

pytestmark = pytest.mark.browser

HITS = "[...(CSS.highlights.get('hit') || [])].map(range => range.toString())"


def shown(page: Page) -> list[str]:
    return page.locator("[data-rule]:visible").evaluate_all("all => all.map(each => each.id)")


def test_words_are_found_while_they_are_typed(new_phone: Callable[..., Phone]) -> None:
    phone = new_phone(Kind("en", 320, 640))
    page = phone.page
    page.goto("/rules/saboteur?edition=en#next-round")
    everything = shown(page)
    page.locator("#q").press_sequentially("RÓCKfall")
    expect(page.locator("#found")).to_have_text("Paragraphs found: 3")
    assert shown(page) == ["copies", "connected", "rockfall"]
    assert {hit.lower() for hit in page.evaluate(HITS)} == {"rockfall"}
    expect(page.locator("h1")).to_be_in_viewport()  # what is found begins at the top
    expect(page.locator("#contents")).to_be_hidden()
    page.locator("#q").press("Enter")
    assert "q=" not in page.url  # nothing was loaded
    question = "what happens when the pile is empty?"
    page.locator("#q").fill(question)
    asked = shown(page)
    assert "round-end" in asked
    assert len(asked) < len(everything) / 2
    page.locator("#q").fill("xylophone")
    expect(page.locator("#found")).to_have_text("Nothing was found. Try another word.")
    assert shown(page) == []
    page.locator("#q").fill("")
    assert shown(page) == everything
    assert page.evaluate(HITS) == []
    assert phone.said == []


def test_what_was_typed_is_looked_for_again(new_phone: Callable[..., Phone]) -> None:
    """By another edition, in another language, and when the page is loaded anew."""
    page = new_phone(Kind("en", 320, 640)).page
    page.goto("/rules/saboteur?edition=en&back=%2Fprivacy")
    page.locator("#q").press_sequentially("saboteur")
    page.locator("#edition summary").click()
    page.locator("#edition a.chip", has_text="Finnish").click()
    expect(page.locator("#q")).to_have_value("saboteur")
    page.locator("#q").fill("map")
    page.locator("a.lang").click()
    page.locator("button[value=fi]").click()
    expect(page.locator("html[lang=fi] #q")).to_have_value("map")
    page.locator("#q").fill("kartta")
    expect(page).to_have_url(re.compile("q=kartta"))
    page.reload()
    expect(page.locator("#q")).to_have_value("kartta")
    page.locator("#q").fill("")
    expect(page).not_to_have_url(re.compile("q="))
    page.reload()
    expect(page.locator("#q")).to_have_value("")
    expect(page.locator("#contents")).to_be_visible()


def test_what_was_searched_without_script_can_be_searched_on_with_it(
    new_phone: Callable[..., Phone],
) -> None:
    phone = new_phone()
    phone.page.goto("/rules/saboteur?edition=en&q=map")
    expect(phone.page.locator("main mark")).to_have_count(0)
    assert {hit.lower() for hit in phone.page.evaluate(HITS)} == {"map"}
    phone.page.locator("#q").fill("")
    expect(phone.page.locator("#aim")).to_be_visible()


def test_without_script_the_form_does_it(new_phone: Callable[..., Phone]) -> None:
    phone = new_phone(Kind("en", 320, 640, script=False))
    page = phone.page
    page.goto("/rules/saboteur?edition=lv-2009&back=%2F%3Fscreen%3D1")
    page.locator("#q").fill("Treasure stone")
    page.locator("form.find button").click()
    page.wait_for_url(re.compile("q=Treasure"))
    assert "goals" in shown(page)
    assert "break" not in shown(page)
    assert {mark.lower() for mark in page.locator("mark").all_inner_texts()} == {
        "treasure",
        "stone",
    }
    page.locator("#all a").click()
    expect(page.locator("#break")).to_be_visible()
    page.locator(".dock a").click()
    page.wait_for_url(re.compile(r"/\?screen=1$"))


def test_a_long_question_finds_the_same_with_and_without_script(
    new_phone: Callable[..., Phone],
) -> None:
    question = "what happens when the draw pile is empty and nobody can reach the treasure"
    found = []
    for script in True, False:
        page = new_phone(Kind("en", script=script)).page
        page.goto(f"/rules/saboteur?edition=en&q={question}")
        expect(page.locator("#contents")).to_be_hidden()
        found.append(shown(page))
    assert found[0] == found[1] != []


def test_from_the_table_and_back(new_phone: Callable[..., Phone], zbarimg: str) -> None:
    host = new_phone(Kind("fi"))
    url, _ = open_table(host, zbarimg)
    page = host.page
    page.goto(url)
    page.locator("header.bar a.rules").click()
    expect(page.locator("input[name=edition]")).to_have_value("fi")
    page.locator("#edition summary").click()
    page.locator("#edition .chip").first.click()
    expect(page.locator("input[name=edition]")).to_have_value("et-2007")
    page.locator(".dock a").click()
    page.wait_for_url(url)
