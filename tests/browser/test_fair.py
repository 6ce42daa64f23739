"""Phones add their numbers to the deals by themselves, and show whether they were counted."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, LocatorAssertions, Page, Response, Route, expect

from companion.games import GAMES
from companion.record.verify import findings
from tests.browser.phones import Device, Kind, Phone, lose_first, report, scan
from tests.browser.tables import send, sit
from tests.kit.server import Server, running

pytestmark = pytest.mark.browser

NAMES = ("Anna", "Bērta", "Charlotte")
KINDS = (Kind("en", 320, 568, "light"), Kind("lv", 390, 844), Kind("fi", 390, 844, script=False))


PATIENT = """
import sys
from companion.tables import waiting_deals
waiting_deals.DEAL_WAIT_S = 30.0
sys.argv[0] = "companion"
from companion.cli import main
main()
"""
"""A server that waits longer for numbers: the computer that its phones run on is busy."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """One that is patient, and may be killed."""
    with running(tmp_path / "data", command=(sys.executable, "-c", PATIENT)) as server:
        yield server


def added(phone: Phone) -> list[int]:
    """The answers to the numbers that this phone sends, as they come."""
    answers: list[int] = []

    def seen(answer: Response) -> None:
        if answer.request.method == "POST" and answer.url.endswith("/fair"):
            answers.append(answer.status)

    phone.page.on("response", seen)
    return answers


def wait_for(phone: Phone, answers: list[int], count: int) -> None:
    phone.until(lambda: len(answers) >= count)


def both_opened(phone: Phone) -> None:
    """The gold's number and that of the first round, and no other."""
    found = """Object.entries(JSON.parse(localStorage.fair)).filter(([, one]) => one.opened)
        .map(([place]) => place.slice(-3)).join()"""
    phone.until(lambda: phone.page.evaluate(found) == "1.0,1.1")


def begins(laptop: Device) -> None:
    """Without waiting for who has not looked; sent once the cards are dealt."""
    expect(laptop.form("begin").first).to_be_attached()
    send(laptop, f"{laptop.page.url.removesuffix('/screen')}/do/begin")


def ends_the_round(phone: Phone, last: str) -> None:
    """By a phone that has not looked, which sees its card first."""
    phone.role()
    report(phone, None, last)
    expect(phone.page.locator("[aria-labelledby=roles-h]").first).to_be_attached()


def list_of(page: Page) -> list[str]:
    """The seals of the first round, on the page that explains the deals."""
    found: list[str] = json.loads(
        page.locator('[data-deal="1.1"]').get_attribute("data-seals") or ""
    )
    return found


def mine(phone: Phone, deal: str) -> LocatorAssertions:
    """What the page says of this phone's own number; its script may take a moment."""
    return expect(phone.page.locator(f'[data-deal="{deal}"] .mine:visible'))


def test_numbers_are_added_without_a_tap(browser: Browser, server: Server, zbarimg: str) -> None:
    laptop = Device(browser, server.url, Kind("en", 1366, 768))
    laptop.page.goto("/screen")
    laptop.page.locator("form[action='/open'] button.main").click()
    laptop.page.wait_for_url(re.compile(r"/t/[^/]+/screen$"))
    expect(laptop.page.locator(".fairline .hex")).to_have_text(
        re.compile(r"^[0-9a-f]{8} [0-9a-f]{8}$")
    )
    promised = laptop.page.locator(".fairline .hex").inner_text().replace(" ", "")
    link = scan(laptop.page.screenshot(), zbarimg)
    url = laptop.page.url.removesuffix("/screen")

    phones = [Phone(browser, server.url, kind) for kind in KINDS]
    answers = [added(phone) for phone in phones]
    for phone, name in zip(phones, NAMES, strict=True):
        phone.join(link, name)
    anna, berta, charlotte = phones
    for phone, given in zip(phones[:2], answers, strict=False):
        wait_for(phone, given, 1)

    server.kill()  # what lay in its memory is gone; the phones bring it again by themselves
    server.start()
    for phone, given in zip(phones[:2], answers, strict=False):
        wait_for(phone, given, 2)
    kept = [phone.page.evaluate("localStorage.fair") for phone in phones[:2]]
    laptop.page.goto(f"{url}/screen")
    laptop.do("start")
    expect(anna.page.locator("[data-pad]").first).to_be_visible()
    assert [set(given) for given in answers] == [{200}, {200}, set()]
    opened = [json.loads(each) for each in kept]
    assert not any(one.get("opened") for each in opened for one in each.values())
    for phone in phones[:2]:
        both_opened(phone)

    begins(laptop)
    anna.page.goto(f"{url}/fair")
    expect(anna.page.locator(".mine:visible")).to_have_count(4)
    mine(anna, "1.1").to_have_text("This phone has added its number.")
    assert anna.page.locator("[data-shares]").count() == 0
    anna.page.goto(url)
    ends_the_round(anna, "Bērta")
    for phone in (anna, berta):
        phone.page.goto(f"{url}/fair")
    mine(anna, "1.1").to_have_text("This phone’s number was used.")
    mine(berta, "1.1").to_have_text("Starp šiem skaitļiem ir arī šī tālruņa skaitlis.")
    mine(anna, "1.2").to_have_text("This phone has added its number.")
    round_1 = anna.page.locator('[data-deal="1.1"]')
    assert (round_1.get_attribute("data-commitment") or "").startswith(promised)
    assert len(json.loads(round_1.get_attribute("data-shares") or "")) == 3
    charlotte.page.goto(f"{url}/fair")
    assert charlotte.page.locator(".mine:visible").count() == 0
    assert charlotte.page.locator('[data-deal="1.1"]').inner_text().count("ei lukua") == 1

    for phone in (anna, berta):
        phone.page.goto(url)
    for _ in (2, 3):
        laptop.page.goto(f"{url}/screen")
        laptop.do("deal")
        begins(laptop)
        anna.page.goto(url)
        ends_the_round(anna, "Anna")
    record = anna.page.request.get(f"{url}/record.jsonl").body()
    assert [finding.good for finding in findings([record], GAMES)] == [True] * 4
    assert [finding.commitment for finding in findings([record], GAMES)][1].startswith(promised)
    for phone in phones:
        assert [one for one in phone.said if "Failed to load resource" not in one] == []  # killed
        phone.close()
    laptop.close()


def test_a_number_that_is_lost_on_its_way_is_sent_again(new_phone: Callable[..., Phone]) -> None:
    """Its seal, and the number itself."""
    host, anna, _ = phones = [new_phone() for _ in NAMES]
    path, _ = sit(phones, NAMES)
    given = added(anna)
    anna.route_once("**/fair", lambda route: route.abort())
    for phone in phones:
        phone.page.goto(path)
    wait_for(anna, given, 1)
    lost: list[str] = []

    def lose(route: Route) -> None:
        if route.request.method != "POST" or lost:
            return route.continue_()
        lost.append(route.request.url)
        route.abort()

    anna.context.route("**/fair", lose)
    # Not by `send`: until all numbers are there it waits, and so long no route would be served.
    assert host.context.request.post(f"{path}/do/start", form={"key": "start"}).ok
    wait_for(anna, given, 2)
    assert lost
    anna.page.goto(f"{path}/fair")
    expect(anna.page.locator('[data-deal="1.1"]')).to_have_attribute("data-late", "[]")


def test_a_number_left_out_and_a_fingerprint_that_changed(
    laptop: Device, new_phone: Callable[..., Phone], zbarimg: str
) -> None:
    """A phone knows what it has seen and sent, whatever the program says afterwards."""
    laptop.page.goto("/screen")
    laptop.page.locator("form[action='/open'] button.main").click()
    laptop.page.wait_for_url(re.compile(r"/t/[^/]+/screen$"))
    link = scan(laptop.page.screenshot(), zbarimg)
    url = laptop.page.url.removesuffix("/screen")
    phones = [new_phone() for _ in NAMES]
    given = added(phones[0])
    for phone, name in zip(phones, NAMES, strict=True):
        phone.join(link, name)
    anna = phones[0].page
    wait_for(phones[0], given, 1)
    laptop.do("start")
    expect(anna.locator("[data-pad]").first).to_be_visible()
    begins(laptop)
    ends_the_round(phones[1], "Anna")

    def doctored(pattern: str, by: str) -> None:
        def serve(route: Route) -> None:
            if route.request.method == "POST":  # the page adds a number, too
                return route.continue_()
            answer = route.fetch()
            return route.fulfill(response=answer, body=re.sub(pattern, by, answer.text()))

        anna.unroute_all()
        anna.route("**/fair", serve)
        anna.goto(f"{url}/fair")

    doctored(r"""data-shares='\["\w+""", f"""data-shares='["{"0" * 32}""")
    mine(phones[0], "1.1").to_contain_text("it was left out")
    expect(anna.locator('[data-deal="1.1"] .mine')).to_have_class("mine bad")
    doctored(r"(data-deal=\"1.1\"[^>]*data-late=')\[\]", r"\1" + json.dumps(list_of(anna)[:1]))
    mine(phones[0], "1.1").to_contain_text("it was left out")
    doctored(r"(data-deal=\"1.1\"[^>]*data-seals=')\[\"(\w+)\"", rf'\1["\2","{"0" * 64}"')
    mine(phones[0], "1.1").to_contain_text("not the list of seals")
    doctored(r'(data-deal="1.1" data-commitment=")\w+', r"\g<1>" + "0" * 64)
    mine(phones[0], "1.1").to_contain_text("Do not trust this deal")


@pytest.mark.parametrize(
    "beside",
    ["{}/fair", "/rules/saboteur?back={}", "{}/games"],
    ids=["fair", "rules", "evenings"],
)
def test_who_reads_beside_the_table_withholds_nothing(
    new_phone: Callable[..., Phone], beside: str
) -> None:
    host, anna, _ = phones = [new_phone() for _ in NAMES]
    path, _ = sit(phones, NAMES)
    given = added(anna)
    for phone in phones:
        phone.page.goto(path)
    wait_for(anna, given, 1)
    anna.page.goto(beside.format(path))
    send(host, f"{path}/do/start")
    expect(anna.page.locator(".under-way")).to_be_visible()
    anna.page.goto(f"{path}/fair")
    own = anna.page.locator('[data-deal="1.1"]')
    assert len(json.loads(own.get_attribute("data-seals") or "")) == len(NAMES)
    assert own.get_attribute("data-late") == "[]"
    assert anna.said == []


def test_each_step_has_one_mark(new_phone: Callable[..., Phone]) -> None:
    """A number or a dot of the list's, and none before it as on other pages."""
    phone = new_phone()
    path, _ = sit([phone], NAMES[:1])
    phone.page.goto(f"{path}/fair")
    before = "all => all.map(each => getComputedStyle(each, '::before').content)"
    assert set(phone.page.locator("main li").evaluate_all(before)) == {"none"}


def test_a_phone_whose_script_did_not_come_connects_again_and_takes_part(
    new_phone: Callable[..., Phone],
) -> None:
    phone = new_phone()
    path, _ = sit([phone], NAMES[:1])
    asked, given = lose_first(phone.page, "share.js"), added(phone)
    with phone.page.expect_event("requestfailed"):
        phone.page.goto(path)
    for each in "Bert", "Carl":  # what happens meanwhile does not keep it from that
        phone.page.wait_for_timeout(1500)
        send(phone, f"{path}/do/add-seat", name=each)
    wait_for(phone, given, 1)
    assert len(set(asked)) == 2
    assert not any("dynamically" in each for each in phone.said)
