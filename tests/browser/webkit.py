"""An evening of four phones in WebKit, the engine of Safari (`make webkit`).

Selenium is installed when asked for, and Debian brings the engine; no part of the tests. Three
rounds under the referee, by taps: roles are held, the treasure is reached, its gold is held. Of
each page: that it is no wider than its window; and what a goal card shows is asked in sight, also
after the sheet before it has gone.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from selenium.webdriver import ActionChains, WebKitGTK
from selenium.webdriver.common.by import By
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from tests.kit.evening import Evening
from tests.kit.phone import Phone
from tests.kit.server import Server, until

PLAYERS = {"Õnne": "et", "Rūta": "lt", "Jānis": "lv", "Väinö": "fi"}
TO_THE_GOAL = ("NESW", "NESW", "NESW", "NESW", "NESW", "EW", "EW")
ROUNDS = 3
WIDTH, HEIGHT = 390, 600
WIDER = 30  # than a phone's, each window's place
SETTLED_S = 0.6  # until a page that would jump has jumped

SMALL = f"open('about:blank', 'phone', 'width={WIDTH},height={HEIGHT}')"
IN_SIGHT = """const asked = document.querySelector("main .sheet").getBoundingClientRect();
return asked.top >= 0 && asked.bottom <= innerHeight + 1"""
HAS = "return !!document.querySelector(arguments[0])"
FITS = "return document.documentElement.scrollWidth <= innerWidth"
ROLE, GOLD = "form[id^=role-] [data-pad]", ".holdbtn"
MINE = "main[data-turn=mine]"


class Window:
    """A phone: a window without bars, as only a page can open one."""

    def __init__(self, number: int) -> None:
        options = Options()
        (browser,) = Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser")
        options.binary_location = str(browser)
        options.add_argument("--automation")
        quiet = os.environ | {"WEBKIT_DISABLE_COMPOSITING_MODE": "1"}
        self.driver = WebKitGTK(
            options=options, service=Service(shutil.which("WebKitWebDriver"), env=quiet)
        )
        first = self.driver.current_window_handle
        self.driver.get(f'data:text/html,<button onclick="{SMALL}">open</button>')
        self.find("button").click()
        until(lambda: len(self.driver.window_handles) > 1)
        (new,) = set(self.driver.window_handles) - {first}
        self.driver.switch_to.window(new)
        self.driver.set_window_rect(number * (WIDTH + WIDER), 0, WIDTH, HEIGHT)
        self.wrong: list[str] = []

    def find(self, selector: str) -> Any:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def has(self, selector: str) -> bool:
        return bool(self.driver.execute_script(HAS, selector))

    def shows(self, selector: str) -> None:
        until(lambda: self.has(selector))
        if not self.driver.execute_script(FITS):
            self.wrong.append(f"{self.driver.title} is wider than its window")

    def loses(self, selector: str) -> None:
        until(lambda: not self.has(selector))

    def tap(self, selector: str) -> None:
        self.shows(selector)
        script = "arguments[0].scrollIntoView({block: 'nearest'}); arguments[0].click()"
        self.driver.execute_script(script, self.find(selector))

    def go(self, act: Callable[[], object]) -> None:
        """To another page."""
        self.driver.execute_script("window.before = true")
        act()
        until(lambda: self.driver.execute_script("return !window.before && !!document.body"))

    def hold(self, selector: str) -> None:
        """Until it was seen."""
        self.shows(selector)
        pad = self.find(selector)
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", pad)
        ActionChains(self.driver).move_to_element(pad).click_and_hold().perform()
        self.shows("[data-pad].shown")
        time.sleep(SETTLED_S)
        ActionChains(self.driver).release().perform()
        self.loses("[data-pad].shown")

    def join(self, url: str, name: str, language: str) -> None:
        self.driver.get(url)
        self.go(lambda: self.tap("a.lang"))
        self.go(lambda: self.tap(f'form[action*=language] button[value="{language}"]'))
        self.find("input[name=name]").send_keys(name)
        self.go(lambda: self.tap("form:has(input[name=name]) button:not([type=button])"))
        self.shows("li.seat[id]")

    def lay(self, card: str, at: str) -> None:
        place = f'.pan a[href$="place={at}"] .hop'
        self.shows(place)
        ActionChains(self.driver).move_to_element(self.find(place)).click().perform()
        self.tap(f'#sheet .sheet[data-kind=place] button[name=card][value="{card}"]')


def on_turn(windows: list[Window]) -> Window:
    until(lambda: any(each.has(MINE) for each in windows))
    return next(each for each in windows if each.has(MINE))


def dig(windows: list[Window]) -> None:
    """To the treasure, by whoever's turn it is."""
    for column, card in enumerate(TO_THE_GOAL, 1):
        window = on_turn(windows)
        window.lay(card, f"{column},0")
        window.loses("#sheet .sheet")
        if column < len(TO_THE_GOAL):
            window.loses(MINE)
    window.shows("main .sheet[data-kind=goal]")
    time.sleep(SETTLED_S)
    if not window.driver.execute_script(IN_SIGHT):
        window.wrong.append("what the goal card shows is asked out of sight")
    window.tap("main .sheet button[value=treasure]")


def play(evening: Evening[Phone], windows: list[Window]) -> None:
    for number in range(1, ROUNDS + 1):
        evening.do(evening.host, "start" if number == 1 else "deal")
        for window in windows:
            window.hold(ROLE)
        dig(windows)
        for window in windows:
            window.shows("[aria-labelledby=roles-h]")
            if window.has("#still:popover-open"):
                window.tap("#still [popovertarget]")
            if window.has(GOLD):
                window.hold(GOLD)
    evening.do(evening.host, "count")
    for window in windows:
        window.shows("ol.score")


def main() -> int:
    began = time.monotonic()
    windows: list[Window] = []
    with tempfile.TemporaryDirectory() as temporary:
        server = Server(Path(temporary) / "data")
        server.start()
        try:
            evening = Evening(lambda: Phone(server.port))
            evening.open(game="saboteur", way="referee", edition="lv-2009", language="en")
            for number, (name, language) in enumerate(PLAYERS.items()):
                windows.append(Window(number))
                windows[-1].join(server.url + evening.join, name, language)
            play(evening, windows)
        finally:
            for window in windows:
                window.driver.quit()
            server.stop()
    wrong = [each for window in windows for each in window.wrong]
    engine = windows[0].driver.capabilities["browserVersion"]
    for each in wrong:
        sys.stdout.write(f"  {each}\n")
    took = time.monotonic() - began
    sys.stdout.write(f"WebKit {engine}: {len(wrong)} wrong, in {took:.0f} s\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
