"""What searches the looks of a page finds what is wrong there, and nothing where nothing is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.looks import BREAKS, NARROW, SPILLS, UNREACHED, complaints, sharpen

pytestmark = pytest.mark.browser

SOUND = """<header><a href="#a">Home</a></header>
<main><h1>Gold</h1><p>Nine nuggets.</p>
<nav aria-label="Rounds"><a href="#b">Round 1</a></nav>
<nav aria-label="Games"><a href="#c">Game 1</a></nav>
<label>Name <input></label><button><svg role="img" aria-label="Deal"></svg></button>
<div style="height:40px;overflow:auto" tabindex="0"><p style="height:90px">Long</p></div>
<div style="height:40px;overflow:auto"><p style="height:45px">Hardly longer</p></div></main>"""

UNHEARD = {
    "<button></button>": "without a name: <button></button>",
    '<a href="#d"><svg></svg></a>': 'without a name: <a href="#d"></a>',
    "<h2></h2>": "without a name: <h2></h2>",
    "<input>": "without a name: <input>",
    '<nav aria-label="Rounds"></nav>': "another landmark is called so: nav “Rounds”",
    "<main></main>": "another landmark is called so: main “”",
    '<img src="data:,">': 'no words for an image: <img src="data:,">',
    '<i role="img" aria-label=""></i>': 'no words for an image: <i role="img" aria-label=""></i>',
    "<details><summary></summary></details>": "without a name: <summary></summary>",
    '<ol style="height:40px;overflow:auto"><li style="height:90px"></ol>': (
        'no key scrolls it: <ol style="height:40px;overflow:auto"></ol>'
    ),
}

SPILT = {
    '<div style="width:400px">x</div>': "the page is 400 px wide, not 320",
    '<b style="position:absolute;top:-40px">up</b>': "above the page: <b> “up”",
    '<p style="border:1px solid;width:20px">Wheelbarrow</p>': "“Wheelbarrow” (0 0 0 0) sticks out",
    '<p style="overflow:hidden;width:20px">Wheelbarrow</p>': "cut: <p> “Wheelbarrow”",
    '<p style="text-overflow:ellipsis">Ore</p>': "may be cut with an ellipsis: <p> “Ore”",
}


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=NARROW)
    sharpen([context])
    yield context.new_page()
    context.close()


@pytest.fixture
def show(page: Page) -> Callable[[str], Page]:
    def shown(html: str) -> Page:
        page.goto("about:blank")
        style = "<style>body, p { margin: 0 } nav { padding: 9px }</style>"
        page.set_content(f"<!doctype html><html lang=en><title>T</title>{style}{html}")
        return page

    return shown


def test_a_sound_page_is_found_sound(show: Callable[[str], Page]) -> None:
    page = show(SOUND)
    assert page.evaluate(UNREACHED) == []
    assert complaints(page) == []
    assert page.evaluate(SPILLS) == []
    assert page.evaluate(BREAKS) == []


@pytest.mark.parametrize("fault", UNHEARD)
def test_what_is_not_heard_is_found(show: Callable[[str], Page], fault: str) -> None:
    page = show(SOUND.replace("</main>", f"</main>{fault}"))
    assert page.evaluate(UNREACHED) == [UNHEARD[fault]]


@pytest.mark.parametrize("fault", SPILT)
def test_text_without_room_is_found(show: Callable[[str], Page], fault: str) -> None:
    said = show(fault).evaluate(SPILLS)
    where = SPILT[fault].split(" (0 0 0 0) ")
    assert any(all(part in each for part in where) for each in said), said


def test_a_broken_word_is_found(show: Callable[[str], Page]) -> None:
    page = show('<p style="width:40px;overflow-wrap:anywhere">Wheelbarrow</p>')
    assert page.evaluate(BREAKS) == ["broken: “Wheelbarrow” in “Wheelbarrow”"]


def test_axe_is_asked(show: Callable[[str], Page]) -> None:
    found = complaints(show('<main><h1 style="color:#ccc">Gold</h1><button></button></main>'))
    assert {each.split(":")[0] for each in found} >= {"button-name", "color-contrast"}
