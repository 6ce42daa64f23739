"""What is wrong with the looks of a page: scripts that find it, and the walk over all pages."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import BrowserContext, CDPSession, Page, ViewportSize

from companion.languages import LOCALES
from tests.browser.gallery import Visit, go, resize
from tests.browser.spoken import learns, speak

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")

RUN = """options => axe.run(document, options).then(({ violations }) => violations.flatMap(
  ({ id, nodes }) => nodes.map(each => `${id}: ${each.target}: ${each.failureSummary}`)))"""
"""What it finds, without all that it has found right, which takes long to bring here."""


def _script(name: str) -> str:
    """An expression: the formatter of scripts ends it as a statement."""
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    return text.rstrip().removesuffix(";")


SPILLS = _script("spills.js")

BREAKS = _script("breaks.js")

UNREACHED = _script("unreached.js")
"""What a translation can take from those who hear a page or use keys alone: names, what tells
landmarks apart, and what more text makes too long for its box. All else is the same in every
language; in one of them axe-core asks it, and all this too."""

UNGROUPED = """() => [...document.querySelectorAll("input[type=radio]")]
    .filter((radio) => !radio.closest("fieldset, [role=group], [role=radiogroup]"))
    .map((radio) => `nothing says what is chosen among: ${radio.name} ${radio.id}`)"""

NARROW: ViewportSize = {"width": 320, "height": 640}
WIDE: ViewportSize = {"width": 1366, "height": 768}

PHONES_AND_MORE: tuple[ViewportSize, ...] = (
    {"width": 320, "height": 480},
    {"width": 320, "height": 568},
    {"width": 360, "height": 640},
    {"width": 390, "height": 844},
    {"width": 740, "height": 360},
    {"width": 768, "height": 1024},
    {"width": 1280, "height": 720},
    {"width": 1366, "height": 625},
)

SIZES_A_PAGE = int(os.environ.get("LOOKS_SIZES", "3"))
"""In so many of these sizes a page is looked at, the next page in those that follow: what several
pages share is seen in all. LOOKS_SIZES=8 looks at each page in each."""

LONGEST = "lt"
"""The language whose words need the most room."""

SEARCHED = "en"
"""The language in which axe-core asks of each page all that it can ask."""

IN_TURN = sorted(LOCALES, key=lambda locale: locale != SEARCHED)
"""That language comes first: axe-core sees each page as it is loaded."""

COLOURS = ("color-contrast",)


def complaints(page: Page, but: tuple[str, ...] = (), only: tuple[str, ...] = ()) -> list[str]:
    """What axe-core finds wrong by all its rules but some, or by some only. `sharpen` was there."""
    options: dict[str, Any] = {
        "resultTypes": ["violations"],
        "preload": False,  # it fetches styles and media anew, for sound that no page has
        "rules": {"target-size": {"enabled": True}} | {rule: {"enabled": False} for rule in but},
    }
    if only:
        options["runOnly"] = {"type": "rule", "values": list(only)}
    found: list[str] = page.evaluate(RUN, options)
    return found


def sharpen(contexts: Iterable[BrowserContext]) -> None:
    """Every page has axe-core from its beginning: loaded later, it takes twice as long."""
    for context in contexts:
        context.add_init_script(AXE)


class Findings:
    """All that is wrong in one language."""

    def __init__(self, locale: str, pictures: Path | None) -> None:
        self.barriers: list[str] = []
        self.daylight: list[str] = []
        self.cut: list[str] = []
        self.broken: list[str] = []
        self.cut_when_large: list[str] = []
        self._locale = locale
        self._pictures = pictures

    def look(self, visit: Visit, page: Page, sizes: Iterable[ViewportSize]) -> None:
        """The page speaks the language. In the longest it is looked at in some more sizes."""
        locale = self._locale
        if locale == SEARCHED:
            self.barriers += said_of(visit, complaints(page, but=visit.excused))
            page.emulate_media(color_scheme="light")
            self.daylight += said_of(visit, complaints(page, only=COLOURS))
            page.emulate_media(color_scheme="dark")
        for size in sizes if locale == LONGEST else ():
            resize(page, size)
            at = f"at {size['width']} × {size['height']}"
            self.cut += said_of(visit, [f"{at}: {each}" for each in page.evaluate(SPILLS)])
        usual = [NARROW, WIDE] if visit.wide else [NARROW]
        if page.viewport_size == WIDE:  # as it is comes first: each change lays all out anew
            usual.reverse()
        for size in usual:
            resize(page, size)
            if visit.wide and size == NARROW:
                self.cut += said_of(visit, page.evaluate(SPILLS))
                self._shot(visit, str(size["width"]))
            else:
                self._look_closely(visit, page, size)

    def _look_closely(self, visit: Visit, page: Page, size: ViewportSize) -> None:
        """At the size that the page usually has."""
        heard = UNGROUPED if self._locale == SEARCHED else UNREACHED
        barriers, cut, broken = page.evaluate(f"() => [({heard})(), ({SPILLS})(), ({BREAKS})()]")
        self.barriers += said_of(visit, barriers)
        self.cut += said_of(visit, cut)
        self.broken += said_of(visit, broken)
        self._shot(visit, str(size["width"]))
        with large_print(visit.device.devtools):
            self.cut_when_large += said_of(visit, page.evaluate(SPILLS))
            self._shot(visit, "large", whole=False)  # a whole one resets the size

    def _shot(self, visit: Visit, how: str, *, whole: bool = True) -> None:
        visit.device.shot(self._pictures, f"gallery-{visit.name}-{how}-{self._locale}", whole=whole)


def walk(visits: list[Visit], pictures: Path | None) -> dict[str, Findings]:
    """Over all pages in all languages: what was found, by language."""
    found = {locale: Findings(locale, pictures) for locale in IN_TURN}
    sharpen({visit.device.context for visit in visits})
    in_turn = cycle(PHONES_AND_MORE)
    for visit in visits:
        more = [*islice(in_turn, SIZES_A_PAGE)]
        size = WIDE if visit.wide else NARROW
        page = go(visit, SEARCHED, size)
        found[SEARCHED].look(visit, page, more)
        learnt = learns(visit, page)
        for locale in IN_TURN[1:]:
            if learnt:
                speak(visit, page, locale)
            else:
                go(visit, locale, size)
            found[locale].look(visit, page, more)
    return found


def said_of(visit: Visit, what: list[str]) -> list[str]:
    return [f"{visit.name}: {each}" for each in what]


@contextmanager
def large_print(devtools: CDPSession) -> Iterator[None]:
    """A reader who has set the browser's text to twice its size."""
    sizes = {"standard": 16, "fixed": 13}
    twice = {name: 2 * size for name, size in sizes.items()}
    devtools.send("Page.setFontSizes", {"fontSizes": twice})
    try:
        yield
    finally:
        devtools.send("Page.setFontSizes", {"fontSizes": sizes})


WALK_S = 1800
"""All pages in all languages are looked at before the first test begins."""


@pytest.mark.timeout(WALK_S)
class Looks:
    """What holds in every language for the pages of a module's fixture `visits`."""

    @pytest.mark.parametrize("locale", IN_TURN)
    def test_no_page_shuts_anybody_out(self, findings: dict[str, Findings], locale: str) -> None:
        wrong = findings[locale].barriers
        assert not wrong, "\n".join(wrong)

    def test_colours_can_be_told_apart_in_daylight_too(self, findings: dict[str, Findings]) -> None:
        wrong = findings[SEARCHED].daylight
        assert not wrong, "\n".join(wrong)

    @pytest.mark.parametrize("locale", IN_TURN)
    def test_no_text_is_cut_at_320_pixels(self, findings: dict[str, Findings], locale: str) -> None:
        wrong = findings[locale].cut
        assert not wrong, "\n".join(wrong)

    @pytest.mark.parametrize("locale", IN_TURN)
    def test_no_word_is_broken(self, findings: dict[str, Findings], locale: str) -> None:
        wrong = findings[locale].broken
        assert not wrong, "\n".join(wrong)

    @pytest.mark.parametrize("locale", IN_TURN)
    def test_no_text_is_cut_at_twice_its_size(
        self, findings: dict[str, Findings], locale: str
    ) -> None:
        wrong = findings[locale].cut_when_large
        assert not wrong, "\n".join(wrong)
