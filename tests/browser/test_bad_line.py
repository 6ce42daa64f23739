"""What is lost on a bad line: neither does the page claim it for ever, nor does the table wait."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Response, Route, expect

from tests.browser.phones import NO_STORAGE, Device, Phone
from tests.browser.referee import Round, place, sheet
from tests.browser.tables import send, sit
from tests.browser.test_coming_back import Three
from tests.browser.test_told_first import comes_back

pytestmark = pytest.mark.browser

NewPhone = Callable[..., Phone]

NAMES = ("Anna", "Berta", "Carl")

NO_NETWORK = 'Object.defineProperty(Navigator.prototype, "onLine", { get: () => false });'
"""The machine that serves, without any network but its own hotspot."""


def heading(page: Page) -> Locator:
    return page.locator("#seats h1:visible").first


def test_links_lead_on_where_the_browser_knows_no_network(new_phone: NewPhone) -> None:
    """But is in touch with the table, on the same machine."""
    phone = new_phone()
    path, _ = sit([phone], NAMES[:1])
    phone.context.add_init_script(NO_NETWORK)
    phone.page.goto(path)
    expect(phone.page.locator("#offline")).to_be_hidden()
    phone.page.locator("a[href*='/rules']").first.click()
    phone.page.wait_for_url(re.compile("/rules/"))


def lose_touch(phone: Phone) -> None:
    phone.page.wait_for_load_state("networkidle")  # its later scripts are there
    phone.context.set_offline(True)


def get_in_touch(phone: Phone) -> None:
    phone.context.set_offline(False)


def about_to_leave(phone: Phone, path: str) -> Locator:
    """The button that gives the seat up, in sight, while the table is out of touch."""
    phone.page.goto(f"{path}/seat")
    phone.page.locator("#leave summary").click()
    lose_touch(phone)
    button = phone.form("remove-seat").locator("button")
    button.click()
    expect(button).to_have_attribute("aria-busy", "true")
    return button


def test_a_form_that_leads_away_waits_until_the_table_is_in_touch(new_phone: NewPhone) -> None:
    """Else the browser puts a page of its own in the place of this one."""
    host, guest = new_phone(), new_phone()
    path, _ = sit([host, guest], NAMES[:2])
    about_to_leave(guest, path)
    get_in_touch(guest)
    guest.page.wait_for_url(lambda url: "/seat" not in url)
    host.page.goto(path)
    expect(host.page.get_by_text("Anna").first).to_be_visible()
    expect(host.page.get_by_text("Berta")).to_have_count(0)


def test_it_does_not_go_where_something_has_happened_meanwhile(new_phone: NewPhone) -> None:
    host, guest = new_phone(), new_phone()
    path, _ = sit([host, guest], NAMES[:2])
    button = about_to_leave(guest, path)
    send(host, f"{path}/do/add-seat", name="Carl")
    get_in_touch(guest)
    expect(button).not_to_have_attribute("aria-busy", "true")
    guest.page.reload()
    expect(guest.page.locator("#leave summary")).to_be_visible()


def test_a_link_beside_the_table_waits_until_it_is_in_touch(new_phone: NewPhone) -> None:
    phone = new_phone()
    path, _ = sit([phone], NAMES[:1])
    page = phone.page
    page.goto(path)
    with page.expect_response("**/live?page=myseat"):
        page.locator("a[href*='/rules']").first.click()
    back = page.locator(".dock a")
    lose_touch(phone)
    back.click()
    expect(back).to_have_attribute("aria-busy", "true")
    get_in_touch(phone)
    page.wait_for_url(f"**{path}")


def test_a_page_stays_where_a_proxy_knows_nobody_behind_it(new_phone: NewPhone) -> None:
    """While the program starts: the answer is not the program's, and no page of its follows."""
    phone = new_phone()
    path, _ = sit([phone], NAMES[:1])
    page = phone.page
    page.goto(f"{path}/screen")
    page.evaluate("window.stays = true")
    asked: list[str] = []

    def away(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=404, body="404 page not found", content_type="text/plain")

    phone.context.route("**/t/**", away)
    page.evaluate("dispatchEvent(new Event('online'))")
    phone.until(lambda: len(asked) > 2)
    phone.context.unroute("**/t/**")
    comes_back(phone)
    expect(page.locator("#offline")).to_be_hidden()
    assert page.evaluate("window.stays")


def test_not_sent_is_not_said_of_what_has_arrived(new_phone: NewPhone) -> None:
    """The answer is lost, and whoever sent it has closed the sheet by then."""
    phone = Round(new_phone, "en", 3, shown=(0,)).on()
    page = phone.page
    lost = phone.hold("**/do/play")
    place(phone, 1, 0).press("Enter")
    button = sheet(phone, "place").locator("button[name=card]").first
    phone.context.route("**/live?*", lambda route: route.abort())  # the table is not heard of
    page.evaluate("dispatchEvent(new Event('online'))")
    button.press("Enter")
    lost()
    page.keyboard.press("Escape")
    expect(page.locator("#sheet .sheet")).to_have_count(0)
    lost().fetch()
    lost().abort()
    expect(page.locator(".unsaid")).to_be_visible()
    phone.context.unroute("**/live?*")
    comes_back(phone)
    expect(heading(page)).not_to_have_text("Your turn")
    expect(page.locator(".unsaid")).to_have_count(0)


def test_the_answer_to_a_sheet_closes_no_other(new_phone: NewPhone) -> None:
    phone = Round(new_phone, "en", 3, shown=(0,)).on()
    page = phone.page
    held = phone.hold("**/do/play")
    place(phone, 1, 0).press("Enter")
    sheet(phone, "place").locator("button[name=card]").first.press("Enter")
    held()
    page.keyboard.press("Escape")
    expect(page.locator("#sheet .sheet")).to_have_count(0)
    page.locator("a[data-sheet][href*=count]").first.press("Enter")
    expect(page.locator("#sheet .sheet")).to_be_visible()
    with page.expect_response("**/do/play"):
        held().continue_()
    expect(heading(page)).not_to_have_text("Your turn")
    expect(page.locator("#sheet .sheet")).to_be_visible()


def test_a_turn_of_the_view_that_was_lost_is_not_told_for_ever(new_phone: NewPhone) -> None:
    table = Round(new_phone, "en", 3)
    phone = table.on()
    page = phone.page
    phone.route_once("**/turn?*", lambda route: route.abort())
    page.locator("form[action*='/turn'] button").first.press("Enter")
    expect(page.locator(".unsaid")).to_be_visible()
    for number in range(3):
        now = table.turn
        form = {"play": "pass", "seat": str(now + 1), "key": f"k{number}"}
        assert table.post(table.phones[now], "do/play", **form) == 303
        table.seen_by_all(table.names[(now + 1) % 3])
    expect(page.locator(".unsaid")).to_have_count(0)


@pytest.mark.parametrize("how", ["lost", "unanswered"])
def test_that_a_card_was_seen_is_told_again(new_phone: NewPhone, how: str) -> None:
    """Else all wait for somebody who has looked."""
    three = Three(new_phone)
    three.start()
    phone = three.guests[0]
    asked: list[str] = []

    def fails_once(route: Route) -> None:
        if "peek" in (route.request.post_data or ""):
            return route.continue_()
        asked.append(route.request.url)
        if len(asked) > 1:
            return route.continue_()
        return route.abort() if how == "lost" else None

    phone.context.route("**/role", fails_once)
    with phone.page.expect_response(is_seen):
        with phone.holding() as card:
            expect(card.locator("use[href='#role-sab'], use[href='#role-dig']")).to_have_count(1)
            phone.until(lambda: bool(asked))
        phone.until(lambda: len(asked) > 1)


def is_seen(answer: Response) -> bool:
    return answer.url.endswith("/role") and "peek" not in (answer.request.post_data or "")


@pytest.mark.parametrize("opened", [False, True], ids=["closed", "open"])
def test_a_laptop_goes_to_its_screen_whatever_sheet_is_open(
    laptop: Device, new_phone: NewPhone, opened: bool
) -> None:
    """At the end of a round: what closes the sheet must not stop the way there."""
    phones = [new_phone() for _ in NAMES]
    path, _ = sit([laptop, *phones], ("Host", *NAMES), way="referee", edition="en")
    send(laptop, f"{path}/do/start", starter=1)
    for seat, device in enumerate((laptop, *phones), 1):
        send(device, f"{path}/role", seat=seat)
    page = laptop.page
    page.goto(f"{path}/screen")
    page.locator(f"a[href='{path}?screen=1']").click()
    page.locator('.pan a[href*="place=1,0"]').press("Enter")
    expect(page.locator("#sheet .sheet")).to_be_visible()
    if not opened:
        page.keyboard.press("Escape")
        expect(page.locator("#sheet .sheet")).to_have_count(0)
    send(laptop, f"{path}/do/play", play="result", reached="0", last="3")
    page.wait_for_url(re.compile(r"/screen$"))


# What is asked for and does not come, or comes too late


@pytest.mark.parametrize("how", ["refused", "unanswered"])
def test_drawings_that_did_not_come_are_asked_for_again(new_phone: NewPhone, how: str) -> None:
    """Also while the table is in touch: else the maze stays black for the whole evening."""
    phones = [new_phone() for _ in NAMES]
    path, _ = sit(phones, NAMES, way="referee", edition="en")
    page = phones[1].page
    asked: list[str] = []

    def fails_once(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) > 1:
            route.continue_()
        elif how == "refused":
            route.fulfill(status=502, body="Bad gateway", content_type="text/html")

    phones[1].context.route("**/symbols/**", fails_once)
    page.clock.install()
    page.goto(path)
    phones[1].until(lambda: bool(asked))
    page.clock.fast_forward(32_000)
    phones[1].until(lambda: len(asked) > 1)
    send(phones[0], f"{path}/do/start")
    for seat, phone in enumerate(phones, 1):
        send(phone, f"{path}/role", seat=seat)
    expect(page.locator(".pan")).to_be_visible()
    undrawn = "all => all.filter(use => !document.querySelector(use.getAttribute('href'))).length"
    phones[1].until(lambda: page.locator(".pan use").evaluate_all(undrawn) == 0)


def test_what_all_see_is_not_said_to_be_unsent(new_phone: NewPhone) -> None:
    """The table has told first, and then the answer is lost."""
    phones = [new_phone() for _ in NAMES]
    path, _ = sit(phones, NAMES, way="roles", edition="en")
    host = phones[0]
    page = host.page
    page.goto(path)
    held = host.hold("**/do/start")
    host.do("start")
    held().fetch(max_redirects=0)
    expect(page.locator("[data-pad]").first).to_be_visible()
    held().abort()
    page.wait_for_timeout(500)
    expect(page.locator(".unsaid")).to_have_count(0)


@pytest.mark.parametrize("status", [429, 502])
def test_a_secret_that_does_not_come_says_so(new_phone: NewPhone, status: int) -> None:
    three = Three(new_phone)
    three.start()
    phone = three.guests[0]
    pattern = "**/role"
    phone.context.route(pattern, lambda route: route.fulfill(status=status, body="no"))
    with phone.holding():
        expect(phone.page.locator("form.hold .unsaid")).to_be_visible()
    phone.context.unroute(pattern)
    phone.role()
    expect(phone.page.locator("form.hold .unsaid")).to_have_count(0)


def test_gold_that_has_not_come_yet_is_to_be_waited_for(new_phone: NewPhone) -> None:
    three = Three(new_phone)
    three.start()
    three.look()
    path = three.url.removeprefix(three.host.url)
    send(three.host, f"{path}/do/play", play="result", reached="1", finisher="1")
    for phone in three.phones:
        expect(phone.page.locator("main[data-stage=settled]")).to_be_visible()
    rich = next(each for each in three.phones if each.page.locator(".holdbtn").count())
    rich.context.route("**/gold", lambda route: None)
    with rich.holding():
        expect(rich.page.locator(".holdbtn .wait")).to_be_visible()
        expect(rich.page.locator(".holdbtn .on")).to_be_hidden()


def test_that_the_line_is_lost_moves_no_card_that_is_held(new_phone: NewPhone) -> None:
    three = Three(new_phone)
    three.start()
    phone = three.guests[0]
    page = phone.page
    page.clock.install()
    page.reload()
    with phone.holding() as card:
        expect(card.locator("use[href='#role-sab'], use[href='#role-dig']")).to_have_count(1)
        before = page.locator(".pad").first.bounding_box()
        phone.context.route("**/live?*", lambda route: route.abort())
        page.evaluate("dispatchEvent(new Event('online'))")
        page.clock.fast_forward(3_500)  # the card covers itself after five seconds
        expect(page.locator(".pad.shown")).to_be_visible()
        expect(page.locator("#offline")).to_be_hidden()
        assert page.locator(".pad").first.bounding_box() == before
    expect(page.locator("#offline")).to_be_visible()


def test_a_proxy_that_has_had_too_much_is_told_of(new_phone: NewPhone) -> None:
    """Without a word of how long."""
    phone = Round(new_phone, "en", 3, shown=(0,)).on()
    page = phone.page
    too_many = "<h1>429 Too Many Requests</h1>"
    phone.route_once("**/do/play", lambda route: route.fulfill(status=429, body=too_many))
    page.get_by_role("button", name="Pass").press("Enter")
    expect(page.locator(".unsaid")).to_be_visible()
    page.wait_for_timeout(1000)
    expect(page.locator(".unsaid")).to_be_visible()


def test_a_choice_that_was_refused_shows_what_holds(new_phone: NewPhone) -> None:
    phones = [new_phone() for _ in NAMES]
    path, _ = sit(phones, NAMES, way="roles", edition="en")
    page = phones[0].page
    page.goto(f"{path}/host")
    refused = {
        "status": 429,
        "body": "<main><p>Too much.</p></main>",
        "headers": {"Retry-After": "2", "Content-Language": "en"},
    }
    phones[0].route_once("**/do/configure", lambda route: route.fulfill(**refused))
    page.locator("label:has(input[name=way][value=referee])").click()
    expect(page.locator(".unsaid")).to_contain_text("Too much.")
    expect(page.locator("input[name=way]:checked")).to_have_value("roles")


# Sheets


def test_a_sheet_that_does_not_come_says_so(new_phone: NewPhone) -> None:
    phone = Round(new_phone, "en", 3, shown=(0,)).on()
    page = phone.page
    phone.context.route("**/ask?*", lambda route: route.fulfill(status=502, body="no"))
    place(phone, 1, 0).press("Enter")
    expect(page.locator(".unsaid")).to_be_visible()
    phone.context.unroute("**/ask?*")
    place(phone, 1, 0).press("Enter")
    sheet(phone, "place")
    expect(page.locator(".unsaid")).to_have_count(0)


def test_a_link_leads_on_although_the_sheet_has_closed(new_phone: NewPhone) -> None:
    """By itself, when the turn has passed."""
    table = Round(new_phone, "en", 3, shown=(0,))
    phone, now = table.on(), table.turn
    page = phone.page
    place(phone, 1, 0).press("Enter")
    sheet(phone, "place")
    held = phone.hold(re.compile("/rules/"))
    page.evaluate("document.querySelector('header a.rules').click()")
    held()
    table.post(table.phones[0], "do/play", play="pass", seat=str(now + 1))
    page.wait_for_timeout(1500)  # nothing can be looked up while the page goes
    held().continue_()
    page.wait_for_url(re.compile("/rules/"))


BREAKS_OFF = """
const { text } = Response.prototype;
window.broken = 0;
Response.prototype.text = function () {
  const breaks = this.url.includes("/ask?") && !window.broken++;
  return breaks ? Promise.reject(new TypeError("network error")) : text.call(this);
};
"""
"""The first sheet that comes ends in the middle."""


def test_a_sheet_that_breaks_off_is_asked_for_once_more(new_phone: NewPhone) -> None:
    phone = Round(new_phone, "en", 3, shown=(0,)).on()
    phone.page.add_init_script(BREAKS_OFF)
    phone.page.reload()
    place(phone, 1, 0).press("Enter")
    sheet(phone, "place")
    assert phone.page.evaluate("window.broken") > 1


def test_what_the_table_closes_swallows_no_tap(new_phone: NewPhone) -> None:
    """Another sheet was tapped, and the turn passes before it comes."""
    table = Round(new_phone, "en", 3, shown=(0,))
    phone, now = table.on(), table.turn
    page = phone.page
    place(phone, 1, 0).press("Enter")
    sheet(phone, "place")
    held = phone.hold(re.compile(r"/ask\?.*count"))
    page.locator("a[data-sheet][href*=count]").first.press("Enter")
    held()
    table.post(table.phones[0], "do/play", play="pass", seat=str(now + 1))
    expect(page.locator("#sheet .sheet")).to_have_count(0)
    held().continue_()
    sheet(phone, "count")


def test_a_sheet_of_a_turn_that_has_passed_does_not_stay(new_phone: NewPhone) -> None:
    table = Round(new_phone, "en", 3, shown=(0,))
    phone, now = table.on(), table.turn
    page = phone.page
    held = phone.hold("**/ask?*")
    place(phone, 1, 0).press("Enter")
    answer = held().fetch()
    table.post(table.phones[0], "do/play", play="pass", seat=str(now + 1))
    expect(heading(page)).not_to_have_text("Your turn")
    with page.expect_response("**/ask?*"):
        held().fulfill(response=answer)
    expect(page.locator("#sheet .sheet")).to_have_count(0)


# Pages that are open for long


def test_a_page_of_another_version_of_the_program_is_loaded_anew(new_phone: NewPhone) -> None:
    """A television that stands there all evening: but not at once, where processes of several
    versions serve."""
    phone = new_phone()
    path, _ = sit([phone], NAMES[:1])
    page = phone.page
    asked: list[str] = []

    def other_version(route: Route) -> None:
        asked.append(route.request.url)
        route.continue_(url=re.sub(r"made=\w+", "made=0123456789", route.request.url))

    phone.context.route("**/live?*", other_version)
    page.clock.install()
    page.goto(f"{path}/screen")
    phone.until(lambda: bool(asked))
    assert "made=" not in asked[0]
    page.evaluate("window.stays = true")
    comes_back(phone)
    expect(page.locator("#offline")).to_be_hidden()
    assert page.evaluate("window.stays")
    page.evaluate("() => void setTimeout(() => dispatchEvent(new Event('online')), 60_900)")
    with page.expect_event("framenavigated"):
        page.clock.fast_forward(61_000)
    assert page.evaluate("!window.stays")


WAKE = """
window.locks = [];
Object.defineProperty(navigator, "wakeLock", {
  value: { async request() { const lock = new EventTarget(); locks.push(lock); return lock; } }
});
"""


def test_a_screen_stays_on_where_the_system_has_let_go(new_phone: NewPhone) -> None:
    phone = new_phone()
    path, _ = sit([phone], NAMES[:1])
    page = phone.page
    page.add_init_script(WAKE)
    page.clock.install()
    page.goto(f"{path}/screen")
    phone.until(lambda: page.evaluate("locks.length") == 1)
    page.evaluate("locks[0].dispatchEvent(new Event('release'))")
    page.clock.fast_forward(11_000)
    phone.until(lambda: page.evaluate("locks.length") == 2)


@pytest.mark.parametrize("does", ["", "taps", "types"])
def test_a_link_that_waits_leads_away_from_nothing_else(new_phone: NewPhone, does: str) -> None:
    """Whoever has gone on with something else on this page stays here."""
    phone = new_phone()
    path, _ = sit([phone], NAMES[:1])
    page = phone.page
    page.goto(f"{path}/seat")
    expect(page.locator("#offline")).to_be_hidden()
    phone.context.route("**/live?*", lambda route: route.abort())
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#offline")).to_be_visible()
    link = page.locator("header a.rules")
    link.press("Enter")
    expect(link).to_have_attribute("aria-busy", "true")
    if does == "taps":
        page.locator("h1").first.click(force=True)
    elif does == "types":
        page.locator("form[action$='/do/join'] input[name=name]").press("B")
    if does:
        expect(link).not_to_have_attribute("aria-busy", "true")
    phone.context.unroute("**/live?*")
    comes_back(phone)
    if does:
        expect(page.locator("#offline")).to_be_hidden()
        assert path in page.url
    else:
        page.wait_for_url(re.compile("/rules/"))


def test_what_merges_is_asked_for_again(new_phone: NewPhone) -> None:
    """Else what somebody has half typed is emptied when anybody joins."""
    phones = [new_phone() for _ in NAMES]
    path, link = sit(phones, NAMES)
    page = phones[0].page
    phones[0].route_once("**/vendor/*", lambda route: route.abort())
    with page.expect_response("**/vendor/*"):
        page.goto(f"{path}/host")
    page.locator("#more-2 > summary").click()
    field = page.locator("#more-2 input[name=name]")
    field.fill("Bertal")
    send(new_phone(), link, name="Dora")
    expect(page.locator("ol.order > li")).to_have_count(4)
    expect(field).to_have_value("Bertal")


def test_a_number_that_cannot_be_kept_is_not_sealed(new_phone: NewPhone) -> None:
    """After the page is loaded anew it could not be opened, and all would be told so."""
    phones = [new_phone() for _ in NAMES]
    path, _ = sit(phones, NAMES, way="roles", edition="en")
    phones[1].page.add_init_script(NO_STORAGE)
    for phone in (phones[0], phones[2]):
        with phone.page.expect_response(is_sealed):
            phone.page.goto(path)
    with phones[1].page.expect_request("**/live?*"):
        phones[1].page.goto(path)
    phones[1].page.wait_for_timeout(1000)  # it would have sealed one by then
    with phones[1].page.expect_request("**/live?*"):
        phones[1].page.reload()
    phones[0].do("start")
    for phone in phones:
        phone.role()
    page = phones[0].page
    page.goto(f"{path}/fair")
    expect(page.locator("main")).to_contain_text("Berta")
    expect(page.locator("main")).not_to_contain_text("not opened in time")


def is_sealed(answer: Response) -> bool:
    return answer.request.method == "POST" and answer.url.endswith("/fair")


@pytest.mark.parametrize("tapped", [0, 2])
def test_the_button_that_was_tapped_is_marked(new_phone: NewPhone, tapped: int) -> None:
    """Among several that say nothing but what their forms do."""
    phone = Round(new_phone, "en", 3, shown=(0,)).on()
    page = phone.page
    page.get_by_role("link", name="Action card").press("Enter")
    goals = sheet(phone, "action").locator("form:has(input[value=map]) button")
    expect(goals).to_have_count(3)
    phone.context.route("**/do/play", lambda route: route.abort())
    goals.nth(tapped).press("Enter")
    expect(page.locator("#sheet .unsaid")).to_be_visible()
    marked = goals.evaluate_all("all => all.map(each => each.matches('[data-unsent]'))")
    assert marked == [at == tapped for at in range(3)]
    expect(page.locator("#sheet [data-unsent]")).to_have_count(1)


def test_a_dead_line_is_noticed_though_the_clock_was_set_back(new_phone: NewPhone) -> None:
    """As a laptop's, when it has found a network and what time it is."""
    phone = new_phone()
    path, _ = sit([phone], ["Anna"])
    phone.stop_clock()
    page = phone.page
    with page.expect_response("**/live?*"):
        page.goto(path)
    page.evaluate("() => { const now = Date.now; Date.now = () => now() - 3600_000; }")
    with page.expect_request("**/live?*"):
        page.clock.run_for(60_000)
