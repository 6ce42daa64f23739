"""What is taken along in a browser: shared where the system can do it, else saved."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.phones import Phone
from tests.browser.tables import send, sit
from tests.kit import png

pytestmark = pytest.mark.browser

SHARES = """closes => {
  window.shared = [];
  navigator.canShare = () => true;
  navigator.share = async ({ files: [file] }) => {
    const bytes = [...new Uint8Array(await file.arrayBuffer())];
    window.shared.push({ name: file.name, type: file.type, bytes });
    if (closes) throw new DOMException("", "AbortError");
  };
}"""


SHARED = """async () => {
  for (let tries = 0; !window.shared.length && tries < 1000; tries++)
    await new Promise((done) => setTimeout(done, 20));
  return window.shared.pop();
}"""


@pytest.fixture
def over(new_phone: Callable[..., Phone]) -> tuple[Phone, str]:
    """A game that is over, and a phone at its table."""
    phone, other = new_phone(), new_phone()
    path, _ = sit([phone, other], ["Anna", "Berta"], game="trains", way="light")
    send(phone, f"{path}/do/start", starter=1)
    send(phone, f"{path}/do/play", play="claim", seat=1, row=list(range(1, 8)))
    return phone, path


def opened(phone: Phone, path: str) -> Page:
    phone.page.goto(path)
    phone.page.locator("#watch a[href$='/take?game=1']").click()
    phone.page.wait_for_url(f"{phone.url}{path}/take?game=1")  # and its scripts have run
    return phone.page


def test_where_nothing_can_be_shared_it_is_saved(over: tuple[Phone, str]) -> None:
    phone, path = over
    phone.context.add_init_script("delete Navigator.prototype.canShare")
    page = opened(phone, path)
    with page.expect_download() as saved:
        page.locator("a[download$='tall.png']").click()
    assert png.size(saved.value.path().read_bytes()) == (1080, 1350)
    assert saved.value.suggested_filename.startswith("trains-")
    with page.expect_download() as saved:
        page.locator("a[download$='.csv']").click()
    assert "Anna" in saved.value.path().read_text(encoding="utf-8-sig")


@pytest.mark.parametrize("closes", [False, True])
def test_where_files_can_be_shared_they_are(over: tuple[Phone, str], closes: bool) -> None:
    phone, path = over
    phone.context.add_init_script(f"({SHARES})({str(closes).lower()})")
    page = opened(phone, path)
    downloads: list[object] = []
    page.on("download", lambda saved: downloads.append(saved))
    for name, kind in (("wide.png", "image/png"), (".csv", "text/csv")):
        page.locator(f"a[download$='{name}']").click()
        file = page.evaluate(SHARED)
        assert file["name"].endswith(name)
        assert file["type"] == kind
        if name == "wide.png":
            assert png.size(bytes(file["bytes"])) == (1200, 630)
    assert not downloads
    expect(page).to_have_url(f"{phone.url}{path}/take?game=1")


ONE_AT_A_TIME = """
let open = false;
window.shared = [];
navigator.canShare = () => true;
navigator.share = async () => {
  if (open) throw new DOMException("", "InvalidStateError");
  open = true;
  window.shared.push(1);
  await new Promise(() => {}); // as long as its sheet lies open
};
"""


def test_of_two_taps_one_is_enough(over: tuple[Phone, str]) -> None:
    """While one sheet lies open a browser opens no other."""
    phone, path = over
    phone.context.add_init_script(ONE_AT_A_TIME)
    page = opened(phone, path)
    downloads: list[object] = []
    page.on("download", lambda saved: downloads.append(saved))
    page.locator("a[download$='.csv']").evaluate("each => { each.click(); each.click(); }")
    assert page.evaluate(SHARED) == 1
    page.evaluate("fetch('/privacy').then(each => each.text())")  # so long it would have taken
    assert page.evaluate("window.shared.length") == 0
    assert not downloads


def test_what_cannot_be_had_leaves_the_page(over: tuple[Phone, str]) -> None:
    phone, path = over
    phone.context.add_init_script(f"({SHARES})(false)")
    page = opened(phone, path)
    csv = page.locator("a[download$='.csv']")
    phone.route_once("**/*.csv*", lambda route: route.abort())
    csv.click()
    expect(csv).not_to_have_attribute("aria-busy", "true")
    csv.click()
    assert page.evaluate(SHARED)["name"].endswith(".csv")
