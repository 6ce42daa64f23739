"""Every page there is, in every state of a table, with names that are hard to lay out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import (
    Browser,
    Error,
    FilePayload,
    Page,
    ViewportSize,
)

from companion.i18n import html_lang
from tests.browser.phones import Device, Kind
from tests.browser.tables import Sender, led, send, sit
from tests.kit.phone import Phone as Plain
from tests.kit.server import Server

NAMES = (
    "Wilhelmiina-Žygimantė-Õõ",
    "Maximiliane Wolkenstein",
    "MMMMMMMMMMMMMMMMMMMMMMMM",
    "Õnne",
    "Jānis Krišjānis Ķēniņš",
    "Li",
    "Ööülikooliüliõpilane",
    "<b>Rūta & Co</b>",
    "Väinö",
    "Uldis",
)
"""24 characters are the longest that a seat takes."""

RECORD = Path(__file__).parents[1] / "games/trains/records/trains-1.jsonl"
"""Some of its lines are refused."""

WIFI = "kullakamakas-2026"

COVERED = ("target-size",)
"""What a sheet or the dock lies half over is as large as the rest of it, once that is moved."""

TIMED = ("meta-refresh",)
"""A secret hides by itself, also where there is no script to hide it: WCAG 2.2.1, "essential"."""


@dataclass(frozen=True)
class Visit:
    """A page as one device sees it."""

    name: str
    device: Device
    path: str
    then: Callable[[Page], None] | None = None  # what is done before it is looked at
    wide: bool = False  # a table screen
    excused: tuple[str, ...] = ()  # rules of axe-core that cannot hold here


SPOKEN = ("locale", "screen_locale")
"""The cookies that say in which language pages speak."""


def read_in(device: Device, locale: str) -> None:
    """Its reader chooses a language."""
    device.context.add_cookies(
        [{"name": name, "value": locale, "url": device.url} for name in SPOKEN]
    )


def go(visit: Visit, locale: str, size: ViewportSize) -> Page:
    """Goes to the page as a reader of `locale` and does what belongs to the visit."""
    page = visit.device.page
    resize(page, size)
    read_in(visit.device, locale)
    try:
        page.goto(visit.path)
    except Error:  # what it showed before was just loading itself anew
        page.goto(visit.path)
    if visit.then:
        visit.then(page)
    lang = page.evaluate("document.documentElement.lang")
    assert lang == html_lang(locale), (visit.name, lang, page.url, visit.device.context.cookies())
    return page


def resize(page: Page, size: ViewportSize) -> None:
    """Of a page that has this size already nothing is asked."""
    if page.viewport_size != size:
        page.set_viewport_size(size)


FOLLOWS = "addEventListener('table:shown', () => { window.follows = true; }, true);"
"""A page notes that its stream has brought what it begins with; then comes only what changes."""


@contextmanager
def people(
    browser: Browser, server: Server, devices: int, others: int
) -> Iterator[tuple[list[Device], list[Plain]]]:
    """Whose pages are shown, and those who only sit at the tables."""
    shown = [Device(browser, server.url, Kind("en", 320, 640)) for _ in range(devices)]
    for device in shown:
        device.context.add_init_script(FOLLOWS)
    yield shown, [Plain(server.port) for _ in range(others)]
    for device in shown:
        device.close()


class Sitting:
    """A table of up to ten, brought into a state without the interface."""

    def __init__(self, host: Device, guest: Device, others: list[Plain], **choices: str) -> None:
        self.host, self.guest = host, guest
        self.devices = [host, guest, *others]
        self.path, self.link = sit(self.devices, NAMES[: len(self.devices)], **choices)

    def do(self, device: Sender, deed: str, **fields: str | int) -> None:
        send(device, f"{self.path}/do/{deed}", **fields)

    def start(self) -> None:
        self.do(self.host, "start")

    def look(self, *, without: int = 0) -> None:
        for seat, device in list(enumerate(self.devices, 1))[without:]:
            send(device, f"{self.path}/role", seat=seat)

    def report(self, **fields: str | int) -> None:
        self.do(self.guest, "play", play="result", **fields)

    def play_round(self, **result: str | int) -> None:
        self.look()
        self.report(**result)


def _submit(selector: str) -> Callable[[Page], None]:
    """Sends a form as a phone without script does; what it shows stays until it is looked at."""

    def submit(page: Page) -> None:
        with page.expect_navigation():
            page.locator(selector).evaluate("form => form.submit()")
        page.evaluate("stop()")

    return submit


TAP = """selectors => {
  for (const each of selectors.flatMap(each => [...document.querySelectorAll(each)])) {
    each.scrollIntoView({ block: "center" });
    const { x, y, width, height } = each.getBoundingClientRect();
    const hit = document.elementFromPoint(x + width / 2, y + height / 2);
    if (!each.contains(hit)) throw Error(`no finger reaches ${each.outerHTML}`);
    each.click();
  }
}"""
"""Taps all that the selectors find, at once; Playwright's own taps wait for two frames each."""


class Tap:
    """Opens or chooses what is there; the page stays."""

    def __init__(self, *selectors: str) -> None:
        self.selectors = [*selectors]

    def __call__(self, page: Page) -> None:
        page.evaluate(TAP, self.selectors)


unfold_all = Tap("summary")


def press(selector: str, kind: str) -> Callable[[Page], None]:
    """Opens a sheet, once the page's script is there to do it."""

    def pressed(page: Page) -> None:
        page.locator("html.js").wait_for()
        page.locator(selector).first.press("Enter")
        page.locator(f"#sheet .sheet[data-kind={kind}]").wait_for()

    return pressed


def hang(host: Device, guest: Device, stranger: Device, others: list[Plain]) -> list[Visit]:
    """Makes the tables and lists the pages."""

    def sitting() -> Sitting:
        return Sitting(host, guest, others)

    lobby, looking, playing, settled, again, last, over = (sitting() for _ in range(7))
    explained = sitting()
    explained.do(host, "explain", step=4)
    placed, evening, lost, gone_on, come_back = (sitting() for _ in range(5))
    seats = len(placed.devices)
    lobby.do(host, "set-wifi", wifi_name="Mängutuba külalistele", wifi_password=WIFI)
    lobby.do(guest, "offer-move", seat=2)
    started = (looking, playing, settled, again, last, over, placed, evening, lost)
    for each in (*started, gone_on, come_back):
        each.start()
    lost.do(host, "free-seat", seat=3)
    looking.look(without=1)
    playing.look()
    settled.play_round(reached=1, finisher=1)
    settled.do(host, "deal")
    settled.play_round(reached=0, last=3)
    again.play_round(reached=1, finisher=1)
    again.do(host, "deal")
    again.look()
    for each in (last, over):
        for _ in range(2):
            each.play_round(reached=0, last=3)
            each.do(host, "deal")
        each.play_round(reached=1, finisher=2)
    over.do(host, "count")
    for each in (gone_on, come_back):
        each.do(host, "finish")
        each.do(host, "count")
    send(host, f"{gone_on.path}/go-on", game="trains")
    left_behind = led(host, f"{come_back.path}/go-on", game="trains")
    come_back.do(host, "new-game")
    last.do(host, "remove-seat", seat=seats)
    last.do(host, "add-seat", name=f"{NAMES[0][:-1]}2")
    last.do(host, "join-people", seat=seats, same=seats + 1)
    placed.play_round(reached=1, finisher=1)
    placed.do(host, "order-seats", order=",".join(map(str, (1, 3, 2, *range(4, seats + 1)))))
    for game in range(2):
        evening.play_round(reached=1, finisher=1 + game)
        for deed in ("finish", "count", *(() if game else ("new-game",))):
            evening.do(host, deed)

    anyone = [
        Visit("home", stranger, "/"),
        Visit("home-opened", stranger, "/", Tap("#how summary")),
        Visit("home-back", host, "/"),
        Visit("home-laptop", stranger, "/screen", wide=True),
        Visit("home-wrong-code", stranger, "/", _wrong_code),
        Visit("privacy", stranger, "/privacy?back=/"),
        Visit("language", stranger, "/language?next=/"),
        Visit("rules", stranger, "/rules/saboteur?edition=et-2007", Tap("#edition summary")),
        Visit("rules-searched", stranger, "/rules/saboteur?edition=fi&q=a"),
        Visit("rules-not-found", stranger, "/rules/saboteur?q=qqqq"),
        Visit("rules-trains", stranger, "/rules/trains", excused=COVERED),
        Visit("rules-saboteur", stranger, "/rules/saboteur?edition=et-2007", excused=COVERED),
        Visit("rules-found", stranger, "/rules/saboteur?edition=fi&q=saboteur"),
        Visit("scores", stranger, "/rules/trains/scores"),
        *_explanations(stranger),
        Visit("replay-open", stranger, "/replay"),
        Visit("replay-refused", stranger, "/replay", _no_record),
        Visit("replay-file", stranger, "/replay", _record),
        Visit("replay-file-story", stranger, "/replay", _story_of_record),
        Visit("join", stranger, lobby.link),
        Visit("join-too-late", stranger, looking.link),
        Visit("join-lost", stranger, lost.link),
        Visit("join-wrong", stranger, "/j/" + "x" * 22),
        Visit("nothing-here", stranger, "/nothing-here"),
        Visit("not-mine", stranger, lobby.path),
    ]
    at_table = [
        Visit("lobby-host", host, lobby.path),
        Visit("lobby-guest", guest, lobby.path),
        Visit("lobby-screen", host, lobby.path + "/screen", wide=True),
        Visit("explained-host", host, explained.path),
        Visit("explained-guest", guest, explained.path, Tap("label.on2")),
        Visit("explained-screen", host, explained.path + "/screen", wide=True),
        Visit("qr", host, looking.path + "/qr"),
        Visit("tent", guest, lobby.path + "/tent"),
        Visit(
            "host-lobby",
            host,
            lobby.path + "/host",
            Tap("#more-1 > summary", "#remove-1 summary", "#end summary"),
        ),
        Visit("seat", host, lobby.path + "/seat?seat=1", Tap("#leave summary")),
        Visit("seat-offer", guest, lobby.path + "/seat?seat=2"),
        Visit("looking-host", host, looking.path),
        Visit("looking-guest", guest, looking.path),
        Visit("looking-screen", host, looking.path + "/screen", wide=True),
        Visit("watching", guest, playing.path + "/screen"),
        Visit("role-shown", guest, looking.path, _submit("form[data-hold]"), excused=TIMED),
        Visit("host-playing", host, playing.path + "/host", Tap("#more-2 > summary")),
        Visit("seat-over", guest, over.path + "/seat?seat=2", Tap("#out summary")),
        Visit("seat-playing", guest, playing.path + "/seat?seat=2"),
        Visit("playing", guest, playing.path),
        Visit("playing-screen", host, playing.path + "/screen", wide=True),
        Visit("playing-again-screen", host, again.path + "/screen", wide=True),
        Visit("report", guest, playing.path + "/report"),
        Visit("report-reached", guest, playing.path + "/report", Tap("label[for=end-yes]")),
        Visit("report-not", guest, playing.path + "/report", Tap("label[for=end-no]")),
        Visit("settled-host", host, settled.path, Tap("#taking-back summary")),
        Visit("settled-guest", guest, settled.path),
        Visit("settled-screen", host, settled.path + "/screen", wide=True),
        Visit("reported", guest, settled.path + "/report"),
        Visit("gold-shown", host, settled.path, _submit("form#gold-hold"), excused=TIMED),
        Visit("last-round-guest", guest, last.path),
        Visit("last-round-screen", host, last.path + "/screen", wide=True),
        Visit("host-over", host, last.path + "/host"),
        Visit("over-host", host, over.path, Tap("#last-round summary", "#taking-back summary")),
        Visit("over-guest", guest, over.path),
        Visit("over-screen", host, over.path + "/screen", wide=True),
        Visit("gone-on-guest", guest, gone_on.path),
        Visit("gone-on-screen", host, gone_on.path + "/screen", wide=True),
        Visit("left-behind-guest", guest, left_behind),
        Visit("left-behind-screen", host, left_behind + "/screen", wide=True),
        Visit("placed-guest", guest, placed.path),
        Visit("placed-screen", host, placed.path + "/screen", wide=True),
        Visit("host-placed", host, placed.path + "/host"),
        Visit("evening-guest", guest, evening.path),
        Visit("evening-games", guest, evening.path + "/games"),
        Visit("host-people", host, last.path + "/host"),
        Visit("evening-screen", host, evening.path + "/screen", wide=True),
        Visit("over-replay", guest, over.path + "/replay?at=6"),
        Visit("over-take", guest, over.path + "/take"),
        Visit("over-replay-screen", host, over.path + "/replay?screen=1&at=6", wide=True),
        Visit("over-story", guest, over.path + "/story", unfold_all),
        Visit("over-story-screen", host, over.path + "/story?screen=1", wide=True),
    ]
    return anyone + at_table


def _explanations(stranger: Device) -> Iterator[Visit]:
    """Every step, with something chosen; by the rules that differ most."""
    for game, edition, steps in (("saboteur", "et-2007", 12), ("trains", "et-2015", 10)):
        for step in range(1, steps + 1):
            address = f"/explain/{game}?edition={edition}&step={step}"
            yield Visit(f"explain-{game}-{step}", stranger, address, Tap("label.on3"))


def _no_record(page: Page) -> None:
    _open(page, {"name": "x.jsonl", "mimeType": "text/plain", "buffer": b"hello"})


def _record(page: Page) -> None:
    _open(page, RECORD)
    page.locator("#run").wait_for()


def _story_of_record(page: Page) -> None:
    _record(page)
    page.locator("a[href='#story']").click()
    unfold_all(page)


def _open(page: Page, file: FilePayload | Path) -> None:
    page.locator("#record").set_input_files(file)
    with page.expect_navigation():
        page.locator("#open button").click()


def _wrong_code(page: Page) -> None:
    page.locator("#code").fill("ZZZZZZ")
    page.locator("form[action='/code'] button").click()
    page.wait_for_load_state()
