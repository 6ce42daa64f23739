"""The pages of a round under the referee, for `gallery`."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.gallery import COVERED, Sitting, Tap, Visit, press, unfold_all
from tests.browser.phones import Device
from tests.kit.phone import Phone as Plain

TO_TWO_GOALS = (
    ("NW", "1,0"),
    ("ES", "1,1"),
    ("EW", "2,1"),
    ("EW", "3,1"),
    ("EW", "4,1"),
    ("NEW", "5,1"),
    ("NEW", "6,1"),
    ("NEW", "7,1"),
)


def _stale(page: Page) -> None:
    """Passes on a page that others have overtaken."""
    page.locator("html.js").wait_for()
    form = page.locator("form:has(input[name=play][value=pass])")
    form.evaluate("""form => {
        document.getElementById("live").dataset.version = 1;
        form.requestSubmit();
    }""")
    page.locator("#refusal").wait_for()


def _entry(page: Page) -> None:
    """The newest play of the log."""
    page.locator("html.js").wait_for()
    page.locator("#log-fold summary").click()
    press("#log a", "entry")(page)


def hang(host: Device, guest: Device, others: list[Plain]) -> list[Visit]:
    """Two tables: at the host's turn after ten plays, and where the host's phone is asked which
    of two goals is turned."""

    def sitting(edition: str) -> Sitting:
        table = Sitting(host, guest, others, way="referee", edition=edition)
        table.start()
        table.look()
        for number, (card, at) in enumerate(TO_TWO_GOALS):
            play(table, number, play="path", card=card, at=at)
        return table

    def play(table: Sitting, number: int, **fields: str) -> None:
        at = number % len(table.devices)
        table.do(table.devices[at], "play", seat=at + 1, **fields)

    round_, goals = sitting("lv-2009"), sitting("et-2007")
    play(round_, 8, play="break", tool="lantern", target="2")
    play(round_, 9, play="break", tool="cart", target="3")
    for number in (8, 9):
        play(goals, number, play="pass")
    play(goals, 10, play="path", card="NSW", at="8,1")
    path = round_.path
    ask = f"{path}/ask?seat=1&"
    return [
        Visit("referee-turn", host, path),
        Visit("referee-waiting", guest, path),
        Visit("referee-picker", host, path, press(".pan a", "place")),
        Visit("referee-picker-plain", host, ask + "place=8,1"),
        Visit("referee-refused", host, ask + "place=8,1&card=EW"),
        Visit("referee-not-my-turn", guest, f"{path}/ask?seat=2&place=8,1"),
        Visit("referee-stale", host, path, _stale),
        Visit("referee-player", host, path, press("#mate-2", "player")),
        Visit("referee-double", host, ask + "who=2&double=lantern"),
        Visit("referee-action", host, path, press(".dock a[data-sheet]", "action")),
        Visit("referee-map", host, ask + "fall=8,-2"),
        Visit("referee-rockfall", host, ask + "fall=3,1"),
        Visit("referee-gone", host, ask + "place=3,1"),
        Visit("referee-tool-corrected", host, path, _entry, excused=COVERED),
        Visit(
            "referee-copies",
            guest,
            path,
            press("#more a[href*=copies]", "copies"),
            excused=COVERED,
        ),
        Visit("referee-words", host, ask + "words=1"),
        Visit("referee-screen", host, path + "/screen", wide=True),
        Visit("goal-choose", host, goals.path),
        Visit("goal", host, f"{goals.path}/ask?seat=1&goal=north"),
        Visit("goal-awaited", guest, goals.path),
        Visit("goal-screen", host, goals.path + "/screen", wide=True),
    ]


def hang_six(host: Device, guest: Device, others: list[Plain]) -> list[Visit]:
    """Tables of six: plays taken back, broken tools, a seat without a phone, ends."""

    def sitting() -> Sitting:
        table = Sitting(host, guest, others[:4], way="referee", edition="lv-2009")
        table.start()
        table.look()
        return table

    def play(table: Sitting, seat: int, **fields: str) -> None:
        table.do(table.devices[seat - 1], "play", seat=seat, **fields)

    def dig(table: Sitting) -> Sitting:
        """The turn is the host's again, between two goals."""
        for number, (card, at) in enumerate(TO_TWO_GOALS):
            play(table, number % 6 + 1, play="path", card=card, at=at)
        for seat in range(3, 7):
            play(table, seat, play="pass")
        return table

    def reach(table: Sitting) -> Sitting:
        """The host finds a stone, and the treasure."""
        play(dig(table), 1, play="path", card="NSW", at="8,1")
        play(table, 1, play="reveal", goal="north", card="SW")
        play(table, 1, play="reveal", goal="middle", card="treasure")
        return table

    broken, phoneless, over = sitting(), dig(sitting()), sitting()
    play(broken, 1, play="break", tool="lantern", target="2")
    for seat in (1, 2):
        play(phoneless, seat, play="pass")
    phoneless.do(host, "free-seat", seat=3)
    phoneless.do(host, "play", seat=3, play="path", card="NSW", at="8,1")
    undone, settled = reach(sitting()), reach(sitting())
    undone.do(host, "take-back")
    for _ in range(2):
        over.do(host, "play", play="result", reached=0, last=6)
        over.do(host, "deal")
        over.look()
    reach(over)
    over.do(host, "count")
    return [
        Visit("referee-broken", guest, broken.path),
        Visit("referee-undone", guest, undone.path),
        Visit("referee-undone-screen", guest, undone.path + "/screen", wide=True),
        Visit("goal-one-of-all", host, undone.path),
        Visit("goal-for-another", host, phoneless.path),
        Visit("referee-settled", host, settled.path, Tap("#taking-back summary")),
        Visit("referee-settled-screen", host, settled.path + "/screen", wide=True),
        Visit("referee-over", host, over.path, Tap("#last-round summary", "#taking-back summary")),
        Visit("referee-over-screen", host, over.path + "/screen", wide=True),
        Visit("referee-take", host, over.path + "/take"),
        Visit("referee-replay", host, over.path + "/replay"),
        Visit("referee-replay-end", host, over.path + "/replay?at=999"),
        Visit("referee-replay-screen", host, over.path + "/replay?screen=1&at=999", wide=True),
        Visit("referee-story", host, over.path + "/story"),
        Visit("referee-story-unfolded", host, over.path + "/story", unfold_all),
        Visit("referee-story-screen", host, over.path + "/story?screen=1", wide=True),
    ]
