"""The end of a round that waits is seen wherever somebody reads: only then can it be stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.gallery import Sitting, people, press, read_in
from tests.browser.gallery_ending import WAIT_S
from tests.browser.looks import LONGEST, large_print
from tests.browser.phones import Device
from tests.kit.server import Server, running

pytestmark = pytest.mark.browser

Begin = Callable[..., tuple[Sitting, list[Device]]]


@pytest.fixture
def begun(browser: Browser, tmp_path: Path) -> Iterator[Begin]:
    """Begins a round whose end waits: so many phones that are looked at, and so many others;
    `choices` as for `sit`."""
    with ExitStack() as around:
        server = around.enter_context(running(tmp_path / "data", end_wait_s=WAIT_S))

        def begin(phones: int, others: int, **choices: str) -> tuple[Sitting, list[Device]]:
            sitting = people(browser, server, phones, others)
            (host, guest, *more), further = around.enter_context(sitting)
            seated = [*(device.plain for device in more), *further]
            table = Sitting(host, guest, seated, **choices)
            table.start()
            table.look()
            return table, [host, guest, *more]

        yield begin


IN_SIGHT = """() => {
  const button = document.querySelector("form[action$='/do/stop-end'] button");
  const { x, y, width, height } = button.getBoundingClientRect();
  return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""


@pytest.mark.parametrize("way", ["referee", "roles"])
def test_it_can_be_stopped_wherever_somebody_reads(
    begun: Begin, pictures: Path | None, way: str
) -> None:
    table, (host, below, inside) = begun(3, 2, way=way)
    for device in (below, inside):
        device.page.set_viewport_size({"width": 320, "height": 480})
        device.page.goto(table.path)
    if way == "referee":
        press("a[href*='copies=1']", "copies")(inside.page)
    below.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    table.do(host, "play", play="result", reached=0, last=3)
    for device in (below, inside):
        seen(device, pictures, f"asked-{way}-{device is below}")
        if way == "referee":
            assert device.page.locator("#turn h1").bounding_box()["height"] <= 1


def test_who_needs_large_text_can_stop_it(begun: Begin, pictures: Path | None) -> None:
    """The question is then higher than a small phone."""
    table, (host, guest) = begun(2, 2)
    read_in(guest, LONGEST)
    guest.page.set_viewport_size({"width": 320, "height": 568})
    guest.page.goto(table.path)
    with large_print(guest.devtools):
        table.do(host, "play", play="result", reached=0)
        seen(guest, pictures, "asked-large")


@pytest.mark.parametrize("page", ["", "#look", "sheet", "/host", "/report"])
def test_who_needs_large_text_sees_it_wherever_they_read(begun: Begin, page: str) -> None:
    """The question does not stay in sight by itself there, so the page goes to it."""
    beside = page in ("/host", "/report")
    table, (host, guest) = begun(2, 2, way="roles" if beside else "referee")
    reader, teller = (host, guest) if page == "/host" else (guest, host)
    read_in(reader, LONGEST)
    reader.page.set_viewport_size({"width": 390, "height": 844})
    with large_print(reader.devtools):
        reader.page.goto(table.path if page == "sheet" else f"{table.path}{page}")
        if page == "sheet":
            press("a[href*='copies=1']", "copies")(reader.page)
        reader.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        table.do(teller, "play", play="result", reached=0, last=3)
        expect(reader.page.locator("#told-h")).to_be_in_viewport()
        seen(reader, None, "")


UNDER_A_FINGER = """() => {
  const { x, y, width, height } =
    document.querySelector("form[action$='/do/confirm-end'] button").getBoundingClientRect();
  return document.elementFromPoint(x + width / 2, y + height / 2).nodeName;
}"""

AS_IT_COMES = f"""() => new MutationObserver((_, watched) => {{
  if (!document.querySelector(".asks")) return;
  watched.disconnect();
  document.body.dataset.met = ({UNDER_A_FINGER})();
}}).observe(document.body, {{ childList: true, subtree: true }})"""


def test_a_tap_that_was_on_its_way_to_something_else_confirms_nothing(begun: Begin) -> None:
    """Two report at once: what the other one would have tapped next is gone under the finger."""
    table, (host, guest) = begun(2, 2)
    guest.page.goto(f"{table.path}/report")
    guest.page.locator("html.js").wait_for()
    guest.page.evaluate(AS_IT_COMES)
    table.do(host, "play", play="result", reached=1, finisher=1)
    guest.until(lambda: guest.page.evaluate("document.body.dataset.met") == "SECTION")
    guest.until(lambda: guest.page.evaluate(UNDER_A_FINGER) == "BUTTON")


@pytest.mark.parametrize("way", ["referee", "roles"])
def test_who_looks_at_the_role_again_can_stop_it(
    begun: Begin, pictures: Path | None, way: str
) -> None:
    table, (host, guest) = begun(2, 2, way=way)
    guest.page.goto(f"{table.path}#look")
    expect(guest.page.locator("[data-pad]").first).to_be_visible()
    table.do(host, "play", play="result", reached=0, last=3)
    seen(guest, pictures, f"asked-{way}-look")


@pytest.mark.parametrize("way", ["referee", "roles"])
def test_whose_page_is_loaded_at_the_role_can_stop_it(begun: Begin, way: str) -> None:
    """As by a phone that has slept meanwhile."""
    table, (host, guest) = begun(2, 2, way=way)
    table.do(host, "play", play="result", reached=0, last=3)
    guest.page.goto(f"{table.path}#look")
    guest.until(lambda: bool(guest.page.evaluate(IN_SIGHT)))
    guest.page.reload()
    guest.until(lambda: bool(guest.page.evaluate(IN_SIGHT)))


def test_who_ends_a_round_by_a_play_sees_the_maze_below_the_question(begun: Begin) -> None:
    """Whose page had gone to what it was asked."""
    table, (host, _) = begun(2, 1, way="referee", edition="lv-2009")
    cards = ("NESW", "NESW", "NESW", "NESW", "NESW", "EW", "EW")
    for column, card in enumerate(cards, 1):
        by = (column - 1) % 3
        sender = table.devices[by]
        table.do(sender, "play", play="path", seat=by + 1, card=card, at=f"{column},0")
    page = host.page
    page.set_viewport_size({"width": 412, "height": 640})
    page.goto(table.path)
    answer = page.locator("#asked .choices button").first
    expect(answer).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") > 0
    answer.click()
    expect(page.locator("#told")).to_be_visible()
    assert page.evaluate("scrollY") == 0
    above, line = page.locator("#told .answers").bounding_box(), page.locator("#seats .last")
    assert above
    assert line.bounding_box()["y"] - above["y"] - above["height"] < 40, "nothing stands empty"


LISTENS = """() => {
  const news = document.getElementById("news");
  window.heard = [];
  new MutationObserver(() => heard.push(news.textContent)).observe(news, { childList: true });
  scrollTo(0, document.documentElement.scrollHeight);
}"""


@pytest.mark.parametrize("way", ["referee", "roles"])
def test_it_can_be_stopped_on_the_pages_beside_the_table(
    begun: Begin, pictures: Path | None, way: str
) -> None:
    """There it is read out once, and the answer leads nowhere else."""
    table, devices = begun(3, 2, way=way)
    host, _, third = devices
    pages = list(zip(devices, ("host", "seat", "qr"), strict=True))
    for device, beside in pages:
        read_in(device, "lt")  # its texts are the longest
        device.page.set_viewport_size({"width": 320, "height": 568})
        device.page.goto(f"{table.path}/{beside}")
        device.page.evaluate(LISTENS)
    teller, last = (host, 3) if way == "referee" else (table.devices[-1], "")
    table.do(teller, "play", play="result", reached=0, last=last)
    for device, beside in pages:
        seen(device, pictures, f"asked-{way}-{beside}")
        heard = device.page.evaluate("heard")
        assert len(heard) == 1
        assert WAIT_S in heard[0]
    table.do(third, "stop-end")
    for device, beside in pages:
        expect(device.page.locator("p#told.notice")).to_have_count(1)
        expect(device.page).to_have_url(f"{device.url}{table.path}/{beside}")


def test_the_page_of_an_end_turns_to_the_role_that_is_dealt_next(
    begun: Begin, pictures: Path | None
) -> None:
    """By itself, and says so; what was said of the end is over."""
    table, (host, guest) = begun(2, 1)
    page, news = guest.page, guest.page.locator("#news")
    page.goto(f"{table.path}/report")
    page.locator("label[for=end-yes]").click()
    table.do(host, "play", play="result", reached=1, finisher=1)
    expect(news).to_contain_text(WAIT_S)
    table.do(table.devices[-1], "confirm-end")
    expect(page.locator("#reported")).to_be_attached()
    expect(news).not_to_contain_text(WAIT_S)
    table.do(host, "deal")
    role = page.locator(f'.dock a.main[href="{table.path}"]')
    expect(page.locator("#reported p")).to_have_count(1)
    waits = page.locator("#reported").get_attribute("data-news")
    assert waits
    expect(news).to_have_text(waits)
    guest.shot(pictures, "reported-before", whole=False)
    table.do(host, "begin")
    expect(page.locator("#reported p")).to_have_count(0)
    expect(page.locator("[name=finisher]")).to_have_count(0)
    role.click()
    expect(page.locator("[data-pad]").first).to_be_visible()


def test_the_ways_back_are_in_sight(browser: Browser, server: Server) -> None:
    """From telling an end on a low phone, and from an end that was told on a table screen."""
    with people(browser, server, 2, 8) as ((host, guest), others):
        table = Sitting(host, guest, others)
        table.start()
        table.look()
        for device in (host, guest):
            read_in(device, "lt")
        guest.page.set_viewport_size({"width": 320, "height": 568})
        guest.page.goto(f"{table.path}/report")
        expect(guest.page.locator(".dock a")).to_be_in_viewport(ratio=1)
        table.do(guest, "play", play="result", reached=0, last=3)
        host.page.set_viewport_size({"width": 1366, "height": 768})
        host.page.goto(f"{table.path}/screen")
        host.page.locator("#taking-back summary").click()
        for each in ("#winner, #result", "#taking-back form button", "#dock button"):
            expect(host.page.locator(each).first).to_be_in_viewport(ratio=1)


def seen(device: Device, pictures: Path | None, name: str) -> None:
    page: Page = device.page
    expect(page.locator("#told button").first).to_be_visible()
    expect(page.locator("#sheet .sheet")).to_have_count(0)
    device.shot(pictures, name, whole=False)
    device.until(lambda: bool(page.evaluate(IN_SIGHT)))
    left = page.locator("#told .left")
    assert left.evaluate("line => line.getAnimations().map((each) => each.playState)") == [
        "running"
    ]
    assert left.bounding_box()["width"] > 0
