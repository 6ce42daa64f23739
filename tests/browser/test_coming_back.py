"""Phones that come back, seats that move, two at once, and what stays open meanwhile."""

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import APIResponse, Browser, Route, expect

from tests.browser.phones import Device, Kind, Phone, lose_first, report, seats, watch_taps
from tests.browser.referee import Round
from tests.browser.tables import send, sit
from tests.kit.phone import Phone as Plain
from tests.kit.server import Server

pytestmark = pytest.mark.browser

NewPhone = Callable[..., Phone]
NAMES = ("Berta", "Žygimantė", "Jürgen")
ROLE = "use[href='#role-sab'], use[href='#role-dig']"


class Three:
    """A phone that hosts and has a seat, and two more phones."""

    def __init__(self, new_phone: NewPhone) -> None:
        self.host = new_phone(Kind("en"))
        self.guests = (new_phone(Kind("lt", 360, 640)), new_phone(Kind("fi", 320, 568, "light")))
        self.phones = (self.host, *self.guests)
        path, self.link = sit(self.phones, NAMES)
        self.url = self.host.url + path
        for phone in self.phones:
            phone.page.goto(path)
            expect(phone.page.locator("li.seat[id]")).to_have_count(3)

    def start(self) -> None:
        self.host.do("start")
        for phone in self.phones:
            expect(phone.page.locator("[data-pad]").first).to_be_visible()

    def look(self) -> list[str]:
        roles = [phone.role() for phone in self.phones]
        for phone in self.phones:
            expect(phone.page.locator('a[href$="/report"]').first).to_be_visible()
        return roles


@pytest.fixture
def three(new_phone: NewPhone) -> Three:
    return Three(new_phone)


def is_seated(phone: Device, name: str) -> None:
    expect(phone.page.locator("li.seat.me bdi")).to_have_text(name)


def test_a_page_follows_where_what_merges_or_draws_cannot_be_had(new_phone: NewPhone) -> None:
    phones = (new_phone(Kind("en")), new_phone(Kind("lt")), new_phone(Kind("fi")))
    path, _ = sit(phones, NAMES)
    for missing in ("**/vendor/*", "**/symbols/**"):
        phones[1].context.route(missing, lambda route: route.abort())
        phones[2].context.route(missing, lambda route: None)  # nor is it refused: a bad network
    for phone in phones:
        phone.page.goto(path, wait_until="commit")
    phones[0].do("start")
    for phone in phones[1:]:
        expect(phone.page.locator("[data-pad]").first).to_be_visible()
    expect(phones[1].page.locator("#role-dig")).to_have_count(0)
    phones[1].context.unroute("**/symbols/**")
    phones[1].page.evaluate("dispatchEvent(new Event('online'))")
    expect(phones[1].page.locator("#role-dig")).to_have_count(1)


def test_a_page_whose_script_was_lost_on_its_way_follows_when_it_has_come(
    new_phone: NewPhone,
) -> None:
    phones = [new_phone() for _ in NAMES]
    path, _ = sit(phones, NAMES)
    asked = lose_first(phones[1].page, "parts.js")
    phones[1].page.goto(path)
    send(phones[0], f"{path}/do/start")
    expect(phones[1].page.locator("[data-pad]").first).to_be_visible()
    assert len(set(asked)) == len(asked) == 2


def test_a_link_that_is_tapped_without_a_line_leads_on_when_the_line_is_back(three: Three) -> None:
    phone, other = three.guests
    for each in three.guests:
        each.context.set_offline(True)
        expect(each.page.locator("#offline")).to_be_visible()
    rules, qr = (phone.page.locator(f"a[href{where}]").first for where in ("*='/rules'", "$='/qr'"))
    rules.click()
    expect(rules).to_have_attribute("aria-busy", "true")
    qr.click()
    expect(rules).not_to_have_attribute("aria-busy", "true")
    for each in three.guests:
        assert each.page.url == three.url
        each.context.set_offline(False)
    phone.page.wait_for_url(f"{three.url}/qr")
    expect(other.page.locator("#offline")).to_be_hidden()
    assert other.page.url == three.url


def test_an_open_page_follows_to_another_way_of_playing(three: Three) -> None:
    three.start()
    path = three.url.removeprefix(three.host.url)

    def post(phone: Phone, deed: str, **form: str) -> None:
        assert phone.plain.post(f"{path}/{deed}", {"key": deed, **form}).accepted, deed

    post(three.host, "do/begin")
    post(three.host, "do/play", play="result", reached="0", last="")
    post(three.host, "do/configure", way="referee")
    post(three.host, "do/deal")
    post(three.host, "do/begin", key="begin again")
    for phone in three.phones:
        phone.role()
        expect(phone.page.locator("html.js .pan")).to_be_visible()
        expect(phone.page.locator("#t-NS")).to_have_count(1)


def test_letting_go_of_the_card_taps_nothing_else(three: Three) -> None:
    """The page may change under the finger; what lies there then was not meant."""
    three.start()
    page = three.host.page
    reached = """() => {
        const link = document.querySelector("header a[href]");
        let reached = false;
        link.addEventListener("click", event => { event.preventDefault(); reached = true; });
        link.click();
        return reached;
    }"""
    focused = """() => document.querySelector("header a[href]").dispatchEvent(
        new MouseEvent("mousedown", { bubbles: true, cancelable: true })
    )"""
    three.host.stop_clock()
    with three.host.holding():
        pass
    assert page.evaluate(focused) is False  # the browser would keep it in sight from then on
    assert page.evaluate(reached) is False
    page.clock.fast_forward(500)
    assert page.evaluate(focused) is True
    assert page.evaluate(reached) is True


def test_a_hold_that_is_too_short_says_so_and_counts_for_nothing(three: Three) -> None:
    three.start()
    page = three.host.page
    again = page.locator('a[href="#look"]')
    three.host.stop_clock()
    page.locator(".pad").click()
    expect(page.locator(".pad .wait")).to_be_visible()
    expect(page.locator(".pad .off")).to_be_hidden()
    assert three.host.secrets() == set()
    page.clock.fast_forward(3500)
    page.locator(".pad").click()
    page.clock.fast_forward(3500)
    expect(page.locator(".pad .wait")).to_be_visible()  # so long as after the first time
    page.clock.fast_forward(1500)
    expect(page.locator(".pad .off")).to_be_visible()
    page.clock.resume()
    page.reload()
    expect(page.locator(".pad")).to_be_visible()
    expect(again).to_have_count(0)
    three.host.role()
    expect(again).to_have_count(1)


def test_who_holds_where_nothing_can_be_fetched_has_not_held_too_briefly(three: Three) -> None:
    three.start()
    page = three.host.page
    three.host.context.set_offline(True)
    with three.host.holding():
        expect(page.locator(".pad.on")).to_have_count(0)
    assert not page.locator(".pad .wait").is_visible()
    three.host.context.set_offline(False)


def test_the_card_itself_can_be_held(three: Three) -> None:
    three.start()
    page = three.host.page
    box = page.locator("[data-slot] svg").first.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    expect(page.locator("[data-slot] use:not([href$='back'])").first).to_be_visible()
    page.mouse.up()
    expect(page.locator("[data-slot] use:not([href$='back'])")).to_have_count(0)


def test_nothing_moves_under_a_card_that_is_held_whatever_is_answered(new_phone: NewPhone) -> None:
    """A pass that comes too late: another one has been told meanwhile."""
    table = Round(new_phone, "en", 3, shown=(0,))
    phone, now = table.on(), table.turn
    page = phone.page
    waiting = phone.hold("**/do/play")
    page.get_by_role("button", name="Pass").press("Enter")
    expect(page.locator("form[data-busy]")).to_have_count(1)
    table.post(phone, "do/play", play="pass", seat=str(now + 1))
    page.locator("a[href='#look']").first.press("Enter")
    with phone.holding() as card:
        expect(card.locator(ROLE)).to_have_count(1)
        with page.expect_response("**/do/play") as answer:
            waiting().continue_()
        assert answer.value.status == 409
        page.evaluate("fetch('/privacy').then(each => each.text())")  # so long it would have taken
        expect(card.locator(ROLE)).to_have_count(1)
        expect(page.locator("#refusal")).to_have_count(0)
    page.evaluate("location.hash = 'seats'")
    expect(page.locator("#refusal")).to_be_visible()


def test_a_page_that_is_left_is_not_loaded_anew(three: Three) -> None:
    """Its table is gone, and on a slow network the stream knows before the answer has come."""
    page, waiting = three.host.page, list[tuple[Route, APIResponse]]()
    page.goto(f"{three.url}/host")
    page.locator("#end summary").click()
    page.route("**/do/end", lambda route: waiting.append((route, route.fetch(max_redirects=0))))
    asked: list[str] = []
    page.on("request", lambda each: asked.append(each.url) if each.is_navigation_request() else 0)
    refused: list[str] = []
    page.on("response", lambda each: refused.append(each.url) if each.status == 404 else None)
    three.host.form("end").locator("button").click(no_wait_after=True)
    page.wait_for_timeout(2_000)  # in which the stream would have asked again, and why not
    assert refused == []
    [(route, answer)] = waiting
    route.fulfill(response=answer)
    page.wait_for_url(re.compile(r"/\?done=closed$"))
    assert [url.removeprefix(three.host.url) for url in asked[1:]] == ["/?done=closed"]


def test_a_page_that_was_to_be_left_and_was_not_is_loaded_anew(three: Three) -> None:
    """Who stops it on its way sees what has become of the table."""
    page = three.host.page
    page.goto(f"{three.url}/host")
    page.locator("#end summary").click()

    def stops(route: Route) -> None:
        route.fetch(max_redirects=0)
        route.abort("aborted")

    page.route("**/do/end", stops)
    three.host.stop_clock()
    with page.expect_event("requestfailed"):
        three.host.form("end").locator("button").click(no_wait_after=True)
    with page.expect_navigation():
        page.clock.run_for(20_000)
    expect(page.locator("main a[href='/']").first).to_be_visible()


def test_taps(new_phone: NewPhone, three: Three) -> None:
    """Scanning to seated: one. Lobby to the role: the host's start, and one hold."""
    guest = new_phone(Kind("et"))
    taps = watch_taps(guest)
    guest.join(three.link, "Õie")
    is_seated(guest, "Õie")
    assert taps() == 1
    taps = watch_taps(three.host)
    three.host.page.reload()
    three.host.do("start")
    expect(three.host.page.locator("[data-pad]").first).to_be_visible()
    assert taps() == 1
    guest.role()
    assert watch_taps(guest)() == 2


def test_reload_and_a_killed_browser_find_the_seat(
    browser: Browser, server: Server, new_phone: NewPhone, three: Three
) -> None:
    phone = three.guests[0]
    phone.page.reload()
    is_seated(phone, NAMES[1])
    kept = phone.context.storage_state()
    phone.close()
    again = new_phone(phone.kind, storage=kept)
    again.page.goto(three.url)
    is_seated(again, NAMES[1])
    again.page.goto("/")
    again.page.locator(f"a[href='{three.url.removeprefix(server.url)}']").click()
    is_seated(again, NAMES[1])
    again.page.goto(three.link)
    is_seated(again, NAMES[1])


def test_the_language_is_switched_on_every_page_and_kept(
    browser: Browser, new_phone: NewPhone, three: Three
) -> None:
    phone = three.guests[0]
    phone.page.locator("a.lang").click()
    phone.page.locator("button[name=locale][value=et]").click()
    expect(phone.page.locator("html")).to_have_attribute("lang", "et")
    is_seated(phone, NAMES[1])
    kept = phone.context.storage_state()
    again = new_phone(phone.kind, storage=kept)
    again.page.goto(three.url)
    expect(again.page.locator("html")).to_have_attribute("lang", "et")
    expect(three.guests[1].page.locator("html")).to_have_attribute("lang", "fi")


def test_a_language_that_another_tab_has_chosen_is_all_of_the_page_s(three: Three) -> None:
    """Once it asks for its stream again, as whoever comes back to it makes it do."""
    page = three.host.page
    other = three.host.context.new_page()
    other.goto(f"/language?next={page.url}")
    other.locator("button[name=locale][value=et]").click()
    expect(other.locator("html")).to_have_attribute("lang", "et")
    expect(page.locator("html")).to_have_attribute("lang", "en-GB")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("html")).to_have_attribute("lang", "et")
    expect(page.locator("footer")).to_contain_text("Privaatsus")


def test_a_seat_moves_to_another_phone_by_its_code(new_phone: NewPhone, three: Three) -> None:
    three.start()
    old = three.guests[1]
    role = old.role()
    old.page.locator("nav.more a[href*='/seat']").click()
    old.do("offer-move")
    code = old.page.locator(".addr .code").inner_text()
    assert len(re.sub(r"\W", "", code)) == 8

    new = new_phone(Kind("fi", 430, 932))
    new.page.goto("/")
    new.page.locator("#code").fill(code.lower())
    new.page.locator("form[action='/code'] button").click()
    expect(new.page.locator("h1 bdi")).to_have_text(NAMES[2])
    new.page.locator("main form button.main").click()
    new.page.wait_for_url(three.url + "**")
    new.page.locator('a[href="#look"]').click()
    assert new.role() == role
    for phone in (three.host, three.guests[0], new):
        expect(phone.page.locator(".notice bdi").first).to_have_text(NAMES[2])
    old.page.goto(three.url)
    expect(old.page.locator("[data-pad]")).to_have_count(0)


def test_the_host_frees_the_seat_of_a_lost_phone(new_phone: NewPhone, three: Three) -> None:
    three.start()
    new = new_phone(Kind("lv", 412, 915))
    new.page.goto(three.link)
    new.page.locator("#name").fill("Ilze")
    seat = three.host.page.url  # the host goes on from here
    three.host.page.goto(three.url + "/host")
    row = three.host.page.locator("ol.order > li", has_text=NAMES[1])
    row.locator("summary.round").click()
    row.locator('form[action$="/do/free-seat"] button').click()
    claim = new.page.locator("button[name=claim]", has_text=NAMES[1])
    claim.wait_for()  # without loading the page anew
    expect(new.page.locator("#name")).to_have_value("Ilze")
    claim.click()
    new.page.wait_for_url(three.url + "**")
    assert new.role() in ("miner", "saboteur")
    expect(three.guests[1].page.locator(".notice bdi").first).to_have_text(NAMES[1])
    lost = three.guests[0]
    lost.page.goto(seat)
    expect(lost.page.locator("[data-pad]")).to_have_count(0)


def test_what_is_open_and_half_typed_stays_when_the_table_changes(
    new_phone: NewPhone, three: Three
) -> None:
    host = three.host.page
    host.goto(three.url + "/host")
    host.locator("#end summary").click()
    row = host.locator("ol.order > li", has_text=NAMES[2])
    row.locator("summary.round").click()
    host.locator("#add-name").press_sequentially("Ann")
    new_phone(Kind("lv")).join(three.link, "Uldis")
    expect(host.locator("ol.order > li")).to_have_count(4)
    expect(host.locator("#add-name")).to_have_value("Ann")
    expect(host.locator("#add-name")).to_be_focused()
    assert row.locator("> details").get_attribute("open") is not None
    assert host.locator("#end").get_attribute("open") is not None


def test_two_phones_report_at_once(three: Three) -> None:
    three.start()
    roles = three.look()
    digger = NAMES[roles.index("miner")]
    for phone in three.guests:
        phone.page.route("**/live?*", lambda route: None)  # neither hears of the other
        phone.page.goto(three.url + "/report")
        phone.page.locator("label[for=end-yes]").click()
    one, other = (phone.page for phone in three.guests)
    sent = re.compile(r"/do/play$")
    with one.expect_response(sent) as first, other.expect_response(sent) as second:
        for page in (one, other):
            choice = page.locator("button[name=finisher]", has_text=digger)
            choice.evaluate("button => { setTimeout(() => button.click(), 30) }")
    assert sorted((first.value.status, second.value.status)) == [200, 409]
    late = one if first.value.status == 409 else other
    expect(late.locator("#refusal")).to_contain_text(re.compile(r"\w"))
    for page in (one, other):
        page.unroute_all()
        page.goto(three.url)
    for phone in three.phones:
        expect(phone.page.locator("[aria-labelledby=roles-h]").first).to_be_attached()
    expect(three.host.form("take-back")).to_have_count(1)


def test_a_refusal_can_be_read_while_the_table_goes_on(new_phone: NewPhone, three: Three) -> None:
    """What was reported a moment before by another comes over the stream, and must not wipe it."""
    host = three.host.page
    host.clock.set_fixed_time(time.time())  # a refusal stays for some seconds
    host.goto(three.url + "/host")
    refusal = host.locator("#refusal")
    for name in NAMES[1:]:
        host.locator("#add-name").fill(name)
        host.locator("#add-name").press("Enter")
        expect(refusal).to_contain_text(name)
        new_phone(Kind("lv")).join(three.link, f"Uldis {name}")
        expect(host.locator("ol.order > li", has_text=f"Uldis {name}")).to_have_count(1)
        expect(refusal).to_contain_text(name)
        expect(refusal).to_have_count(1)
    host.locator("#add-name").fill("Zoe")
    host.locator("#add-name").press("Enter")
    expect(host.locator("ol.order > li", has_text="Zoe")).to_have_count(1)
    expect(refusal).to_have_count(0)


def test_a_stale_page_is_told_so_and_changes_nothing(new_phone: NewPhone, three: Three) -> None:
    """The second of two reports, from a phone whose page did not follow."""
    three.start()
    roles = three.look()
    digger = NAMES[roles.index("miner")]
    stale = new_phone(Kind("lt", script=False), storage=three.guests[0].context.storage_state())
    stale.page.goto(three.url + "/report")
    report(three.host, digger)
    expect(three.host.page.locator("[aria-labelledby=roles-h]").first).to_be_attached()
    stale.page.locator("label[for=end-no]").click()
    with stale.page.expect_navigation() as answer:
        stale.page.locator("button[name=last]").first.click()
    assert answer.value.status == 409
    expect(stale.page.locator("[role=alert], main h1").first).to_be_visible()
    three.host.page.reload()
    expect(three.host.page.locator(".rolegroup use[href='#role-dig']")).to_have_count(1)
    assert three.host.form("deal").count() == 1


def test_killed_at_any_time_it_goes_on_where_it_was(server: Server, three: Three) -> None:
    three.start()
    role = three.guests[0].role()
    expect(three.host.page.locator("#news")).to_be_attached()
    server.kill()
    server.start()
    three.guests[0].page.reload()
    assert three.guests[0].page.locator("#role-mine").count() == 1
    expect(three.guests[0].page.locator(".bar .where")).to_contain_text(NAMES[1])
    three.guests[0].page.locator('a[href="#look"]').click()
    assert three.guests[0].role() == role
    # The other phones come back by themselves, without a reload.
    expect(three.host.page.locator("#offline")).to_be_hidden()
    assert set(seats(three.guests[0].page)) == set(NAMES)


@pytest.mark.parametrize("way", ["roles", "referee"])
def test_on_a_shared_phone_a_card_that_was_let_go_does_not_wait_for_the_next_player(
    new_phone: NewPhone, way: str
) -> None:
    phones = [new_phone() for _ in NAMES]
    path, _ = sit(phones, NAMES, way=way)
    shared = phones[1]
    send(shared, f"{path}/do/join", name="Dora")
    send(phones[0], f"{path}/do/start")
    for phone, seat in zip((*phones, shared), (1, 2, 3, 4), strict=True):
        send(phone, f"{path}/role", seat=seat)
    page = shared.page
    page.goto(path)
    page.locator(".chip[href$='#look']", has_text="Dora").click()
    expect(page.locator("#look h1")).to_have_text("Dora")
    shared.stop_clock()
    for _ in range(2):  # each time it may be held once more
        with shared.holding() as card:
            expect(card.locator(ROLE)).to_be_visible()
        page.clock.run_for(4000)
        expect(page.locator("#look [data-pad]")).to_be_visible()
    with page.expect_navigation():
        page.clock.run_for(3000)
    expect(page.locator("#look [data-pad]")).to_be_hidden()
    assert page.url.endswith(path)


def test_a_laptop_that_reported_for_somebody_shows_the_end_on_its_screen(
    laptop: Device, new_phone: NewPhone
) -> None:
    """Another player's turn changes nothing there: the next report may be for somebody, too."""
    phones = [new_phone() for _ in NAMES]
    path, _ = sit([laptop, *phones], ("Host", *NAMES), way="referee", edition="en")
    send(laptop, f"{path}/do/start", starter=2)
    for device, seat in zip((laptop, *phones), (1, 2, 3, 4), strict=True):
        send(device, f"{path}/role", seat=seat)
    page = laptop.page
    page.goto(f"{path}/screen")
    page.locator(f"a[href='{path}?screen=1']").click()
    expect(page.locator("#turn h1")).to_contain_text(NAMES[0])
    send(phones[0], f"{path}/do/play", play="pass", seat=2)
    expect(page.locator("#turn h1")).to_contain_text(NAMES[1])
    assert page.url.endswith("?screen=1")
    send(laptop, f"{path}/do/play", play="result", reached="0", last="3")
    page.wait_for_url(re.compile(r"/screen$"))
    expect(page.locator("#offline")).to_be_hidden()


def test_at_a_full_table_a_seat_that_was_freed_comes_into_sight(
    new_phone: NewPhone, server: Server
) -> None:
    """And the page says no more that all are taken."""
    seated = [Plain(server.port) for _ in range(10)]
    path, link = sit(seated, [f"Player of the {number}th seat" for number in range(1, 11)])
    send(seated[0], f"{path}/do/start")
    new = new_phone(Kind("en", 320, 568))
    new.page.goto(link)
    expect(new.page.get_by_text("All seats are taken.")).to_be_visible()
    new.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    send(seated[0], f"{path}/do/free-seat", seat=3)
    expect(new.page.locator("button[name=claim]")).to_be_in_viewport()
    expect(new.page.get_by_text("All other seats are taken.")).to_be_visible()
