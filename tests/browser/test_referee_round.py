"""A round under the referee: every kind of play, every refusal, goals, take-backs, the record."""

import json
import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.phones import Phone, cards_gained, watch_taps
from tests.browser.referee import (
    SIX,
    Others,
    Round,
    close,
    judged,
    lay,
    place,
    plays,
    seen_the_end,
    sheet,
    tap_card,
    verdict,
)

pytestmark = pytest.mark.browser

TO_TWO_GOALS = [
    ("NW", 1, 0),
    ("ES", 1, 1),
    ("EW", 2, 1),
    ("EW", 3, 1),
    ("EW", 4, 1),
    ("NEW", 5, 1),
    ("NEW", 6, 1),
    ("NEW", 7, 1),
]
"""From the start to a place between the upper and the middle goal card."""


def dig(table: Round, cards: list[tuple[str, int, int]]) -> None:
    for card, x, y in cards:
        on = table.turn
        lay(table.phones[on], card, x, y)
        table.seen_by_all(table.names[(on + 1) % len(table.names)])


def record_at_the_end(table: Round) -> str:
    """After two more rounds, ended by word; before them there is none."""
    host = table.phones[0]
    for number in (2, 3):
        assert table.post(host, "do/deal", key=f"deal{number}") == 303
        table.look()
        assert host.context.request.get(table.path + "/record.jsonl").status == 409
        done = table.post(host, "do/play", play="result", reached="0", last="2", key=f"end{number}")
        assert done == 303
    assert table.post(host, "do/count", key="count") == 303
    answer = table.phones[1].context.request.get(table.path + "/record.jsonl")
    assert answer.ok
    return answer.text()


def totals(phone: Phone) -> dict[str, int]:
    """The final standings as the phone shows them."""
    return {
        line.locator("bdi").inner_text(): int(line.locator(".pts [aria-hidden]").inner_text())
        for line in phone.page.locator("ol.score > li").all()
    }


UNDO = "Undo the last play"


def test_a_round_with_every_kind_of_play(new_phone: Callable[..., Phone]) -> None:
    """One round, step by step; each step begins where the one before has ended."""
    table = Round(new_phone, "lv-2009")
    table.seen_by_all("Anna")
    what_is_not_legal_is_explained(table)
    dig(table, TO_TWO_GOALS[:5])
    expect(table.phones[4].page.locator('.pan use[href="#t-EW"]')).to_have_count(3)
    expect(table.phones[3].page.locator(".pan use[href='#new']")).to_have_count(1)
    a_tool_is_broken(table)
    whoever_cannot_dig_may_pass(table)
    the_tool_is_repaired(table)
    a_map_is_read(table)
    a_rockfall_takes_a_card(table)
    a_play_is_undone_and_made_again(table)
    dig(table, TO_TWO_GOALS[5:])
    finder = table.turn
    two_goals_are_reached_and_the_treasure_found(table)
    the_end_is_taken_back_and_told_again(table, finder)
    the_record_agrees(table, finder)
    said = {each: phone.said for each, phone in zip(table.names, table.phones, strict=True)}
    assert said == {each: [] for each in table.names}


def what_is_not_legal_is_explained(table: Round) -> None:
    anna, bert, *_ = table.phones
    place(bert, 1, 0).press("Enter")
    assert verdict(bert) == ("It is not your turn: Anna is to play.", "turn")
    close(bert)
    place(anna, 1, 0).press("Enter")
    anna.page.locator('.shapes.no a[href$="card=NS"]').press("Enter")
    assert verdict(anna)[1] == "matching"
    expect(anna.page.locator(".pan .edge")).to_have_count(1)
    anna.page.get_by_role("link", name="Choose another").click()
    sheet(anna, "place")
    close(anna)
    assert table.turn == 0


def a_tool_is_broken(table: Round) -> None:
    anna, *_, fina = table.phones
    assert table.turn == 5
    fina.page.locator("#mate-1").click()
    sheet(fina, "player").get_by_role("button", name="Broken lantern").click()
    table.seen_by_all("Anna")
    for phone in table.phones:
        expect(phone.page.locator('#mate-1 use[href="#lamp-x"]')).to_have_count(1)
    expect(anna.page.locator(".pan a")).to_have_count(0)
    assert "tools is broken" in anna.page.locator(".turn p").first.inner_text()


def whoever_cannot_dig_may_pass(table: Round) -> None:
    anna = table.phones[0]
    anna.page.locator("#mate-1").click()
    anna.page.get_by_role("link", name=re.compile("^Broken lantern ?,")).click()
    assert verdict(anna)[1] == "break"
    anna.page.get_by_role("link", name="Choose another").click()
    anna.page.get_by_role("link", name="Repair the mine cart").click()
    assert verdict(anna)[1] == "repair"
    close(anna)
    anna.page.get_by_role("button", name="Pass").click()
    table.seen_by_all("Bert")


def the_tool_is_repaired(table: Round) -> None:
    anna, bert, *_ = table.phones
    bert.page.locator("#mate-1").click()
    bert.page.get_by_role("button", name="Repair the lantern").first.click()
    table.seen_by_all("Carl")
    expect(anna.page.locator("#mate-1 .broken")).to_have_count(0)


def a_map_is_read(table: Round) -> None:
    """All see which goal card was looked at, and nobody what it is."""
    anna, _, carl, *_ = table.phones
    carl.page.get_by_role("link", name="Action card").click()
    sheet(carl, "action").get_by_role("button", name="left goal card").click()
    table.seen_by_all("Dora")
    said = carl.page.locator(".last p").first.inner_text()
    assert said.strip() == "Carl looked at a goal card."
    lying = carl.page.locator(".last .goals3 rect")  # as they lie with the goals above
    assert [each.get_attribute("class") for each in lying.all()] == ["lit", None, None]
    assert "stone" not in anna.page.locator("#live").inner_text().lower()


def a_rockfall_takes_a_card(table: Round) -> None:
    _, bert, _, dora, *_ = table.phones
    dora.page.get_by_role("link", name="Action card").click()
    sheet(dora, "action")
    tap_card(dora, "#start")
    assert verdict(dora)[1] == "rockfall"
    dora.page.get_by_role("link", name="Choose another").click()
    sheet(dora, "action")
    tap_card(dora, "#t-EW")
    sheet(dora, "fall").get_by_role("button", name="Take the card away").click()
    table.seen_by_all("Erik")
    expect(bert.page.locator('.pan use[href="#t-EW"]')).to_have_count(2)


def a_play_is_undone_and_made_again(table: Round) -> None:
    """Each copy of a card is there once, also after a rockfall; who played may undo."""
    *_, dora, erik, _ = table.phones
    place(erik, 4, 1).press("Enter")
    erik.page.locator('.shapes.no a[href$="card=EW"]').press("Enter")
    assert verdict(erik)[1] == "copies"
    close(erik)
    lay(erik, "NEW", 4, 1)
    table.seen_by_all("Fina")
    expect(dora.page.get_by_role("button", name=UNDO)).to_have_count(0)
    erik.page.get_by_role("button", name=UNDO).click()
    table.seen_by_all("Erik")
    for phone in table.phones:
        expect(phone.page.locator("#undone")).to_contain_text("Erik played a path card.")
    lay(erik, "NEW", 4, 1)
    table.seen_by_all("Fina")


def two_goals_are_reached_and_the_treasure_found(table: Round) -> None:
    on = table.on()
    lay(on, "NSW", 8, 1)
    asked = on.page.locator("main .sheet[data-kind=goal]")
    expect(asked).to_contain_text("left goal card")
    for phone in table.phones:
        if phone is not on:
            expect(phone.page.locator(".turn")).to_contain_text("A goal card has been reached")
            expect(phone.page.locator("main .sheet")).to_have_count(0)
    shown = asked.locator("button[name=card]")
    assert [each.get_attribute("value") for each in shown.all()] == ["treasure", "SW", "ES"]
    asked.locator("button[value=SW]").click()
    expect(asked).to_contain_text("middle goal card")
    assert [each.get_attribute("value") for each in shown.all()] == ["treasure", "NW"]
    asked.locator("button[value=treasure]").click()
    for phone in table.phones:
        expect(phone.page.locator("[aria-labelledby=roles-h]").first).to_be_attached()
        expect(phone.page.locator("h1:visible")).to_have_text("The gold diggers win the round")


def the_end_is_taken_back_and_told_again(table: Round, finder: int) -> None:
    anna, bert, *_ = table.phones
    on = table.phones[finder]
    expect(bert.page.locator("details#taking-back")).to_have_count(1 if on is bert else 0)
    anna.page.locator("#taking-back summary").click()
    anna.do("take-back")
    for phone in table.phones:
        expect(phone.page.locator("#undone")).to_be_visible()
        assert phone.secrets() == set()
    on.page.locator("main .sheet[data-kind=goal] button[value=treasure]").click()
    for phone in table.phones:
        expect(phone.page.locator("h1:visible")).to_have_text("The gold diggers win the round")


def the_record_agrees(table: Round, finder: int) -> None:
    anna = table.phones[0]
    record = record_at_the_end(table)
    kinds = {"path", "reveal", "break", "repair", "rockfall", "map", "pass", "result", "deal"}
    assert set(plays(record)) == kinds | {"header"}
    final = judged(record)[-1]
    assert table.post(anna, "do/count", key="count") == 303
    anna.page.goto(table.url)
    shown_totals = totals(anna)
    assert final["game_over"]["totals"] == shown_totals  # type: ignore[index]
    assert table.names[finder] in shown_totals


def test_opened_with_a_referee_and_joined_by_typing(new_phone: Callable[..., Phone]) -> None:
    anna, bert, carl = (new_phone(kind) for _, kind in SIX[:3])
    anna.page.goto("/")
    anna.page.locator("#how summary").first.click()
    anna.page.locator("label:has(input[name=way-saboteur][value=referee])").click()
    anna.page.locator("select[name=edition-saboteur]").select_option("et-2007")
    anna.page.locator("form[action='/open'] button.main").click()
    anna.page.wait_for_url(re.compile(r"/t/[\w-]+$"))
    url = anna.page.url
    anna.page.goto(url + "/qr")
    code = anna.page.locator(".addr .code").inner_text().strip()
    anna.page.goto(url)
    anna.page.locator("#own-name").fill("Anna")
    anna.do("join")
    for phone, name in ((bert, "Bert"), (carl, "Carl")):
        phone.page.goto("/")
        phone.page.locator("#code").fill(code)
        phone.page.locator("form[action='/code'] button").click()
        phone.page.locator("input[name=name]").fill(name)
        phone.page.locator("#join-form button").click()
        phone.page.wait_for_url(re.compile(r"/t/[\w-]+"))
    anna.page.goto(url)
    anna.do("start")
    for phone in (anna, bert, carl):
        phone.role()
    for phone in (anna, bert, carl):
        expect(phone.page.locator(".pan")).to_be_visible()
        rules = phone.page.locator("header.bar a.rules").get_attribute("href") or ""
        assert "edition=et-2007" in rules


def test_another_player_finds_the_treasure_after_a_take_back(
    new_phone: Callable[..., Phone],
) -> None:
    table = Round(new_phone, "lv-2009", seats=5)
    others = Others(table)
    dug = [*TO_TWO_GOALS[:6], ("NESW", 6, 1), ("NEW", 7, 1), ("NS", 6, 0), ("NS", 6, -1)]
    others(*(f"{card} {x},{y}" for card, x, y in [*dug, ("NE", 6, -2)]))
    others("NSW 8,1", "turn north SW", "turn middle treasure")
    anna, bert, *_ = table.phones
    assert table.names[others.on - 1] == "Bert"
    for phone in table.phones:
        expect(phone.page.locator("h1:visible")).to_have_text("The gold diggers win the round")
    seen = [seen_the_end(phone) for phone in table.phones]
    assert any(seen)
    first = cards_gained(anna.page)
    # Five cards for three or four gold diggers: some get one, and who finds the treasure gets two.
    finder = next(name for name, cards in first.items() if cards == 1)
    table.phones[table.names.index(finder)].gold()

    anna.page.locator("#taking-back summary").click()
    anna.do("take-back")
    for phone in table.phones:
        expect(phone.page.locator("#undone")).to_be_visible()
        expect(phone.page.locator("#gold-hold")).to_have_count(0)
        assert phone.secrets() == set()
    bert.page.locator("main .sheet[data-kind=goal] button[value=NW]").click()
    table.seen_by_all("Carl")
    while table.names[others.on] != finder:
        others("pass")
    table.seen_by_all(finder)
    others("NESW 7,-2")
    on = table.phones[table.names.index(finder)]
    on.page.locator("main .sheet[data-kind=goal] button[value=treasure]").click()
    for phone in table.phones:
        expect(phone.page.locator("h1:visible")).to_have_text("The gold diggers win the round")
    seen = [seen_the_end(phone) for phone in table.phones]
    assert any(seen)

    second = [cards_gained(phone.page) for phone in table.phones]
    assert all(each == second[0] for each in second)
    assert (sum(second[0].values()), second[0][finder]) == (5, 2)
    gold = {
        name: list(phone.gold() if second[0][name] else ())
        for name, phone in zip(table.names, table.phones, strict=True)
    }
    assert {name: len(values) for name, values in gold.items()} == second[0]
    said = judged(record_at_the_end(table))
    result = next(each["round_over"] for each in said if "round_over" in each)
    assert result == {"won_by": "miners", "finisher": finder, "gold": gold}


def test_one_of_two_goals_is_chosen_in_the_estonian_edition(
    new_phone: Callable[..., Phone],
) -> None:
    table = Round(new_phone, "et-2007")
    others = Others(table)
    others(*(f"{card} {x},{y}" for card, x, y in TO_TWO_GOALS))
    carl, dora = table.phones[2:4]
    table.seen_by_all("Carl")
    lay(carl, "NSW", 8, 1)
    first = carl.page.locator("main .sheet[data-kind=goal]")
    expect(first).to_contain_text("Which goal card is being turned over?")
    first.get_by_role("link", name="middle goal card").click()
    sheet(carl, "goal").locator("button[value=NE]").click()
    table.seen_by_all("Dora")
    for phone in table.phones:
        expect(phone.page.locator('.pan use[href="#stone-NE"]')).to_have_count(1)
    expect(carl.page.locator(".turn")).to_contain_text("Carl found a stone.")

    carl.page.get_by_role("button", name="Undo the last play").click()
    for phone in table.phones:
        expect(phone.page.locator("#undone")).to_contain_text("Carl found a stone.")
        expect(phone.page.locator('.pan use[href="#stone-NE"]')).to_have_count(0)
        expect(phone.page.locator(".turn")).to_contain_text(
            "Several goal cards have been reached" if phone is not carl else "Your turn"
        )
    first.get_by_role("link", name="left goal card").click()
    sheet(carl, "goal").locator("button[value=SW]").click()
    table.seen_by_all("Dora")
    lay(dora, "NS", 0, -1)
    asked = dora.page.locator("main .sheet[data-kind=goal]")
    expect(asked).to_contain_text("middle goal card")
    asked.locator("button[value=treasure]").click()
    for phone in table.phones:
        expect(phone.page.locator("h1:visible")).to_have_text("The gold diggers win the round")

    record = record_at_the_end(table)
    told = [json.loads(line) for line in record.splitlines()]
    turned = [(each["goal"], each["card"]) for each in told if each.get("play") == "reveal"]
    assert (told[0]["edition"], len(told[0]["seats"])) == ("et-2007", 6)
    assert turned == [("north", "SW"), ("middle", "treasure")]
    dora.page.goto(table.url)
    assert judged(record)[-1]["game_over"]["totals"] == totals(dora)  # type: ignore[index]


def test_taps(new_phone: Callable[..., Phone]) -> None:
    table = Round(new_phone, "lv-2009", seats=3)
    count = {name: watch_taps(phone) for name, phone in zip(table.names, table.phones, strict=True)}
    for phone in table.phones:
        phone.page.reload()
        expect(phone.page.locator("html.js .pan")).to_be_visible()

    def taps(deed: Callable[[Phone], None]) -> int:
        on = table.turn
        counted = count[table.names[on]]
        before = counted()
        deed(table.phones[on])
        table.seen_by_all(table.names[(on + 1) % 3])
        return counted() - before

    def tunnel(phone: Phone) -> None:
        place(phone, 1, 0).locator(".hop").click()
        sheet(phone, "place").locator("button[name=card][value=NESW]").click()

    def breaks(phone: Phone) -> None:
        phone.page.locator("#mate-1").click()
        phone.page.get_by_role("button", name="Broken pickaxe").click()

    def mends(phone: Phone) -> None:
        phone.page.locator("#mate-1").click()
        phone.page.get_by_role("button", name="Repair the pickaxe").first.click()

    def mends_with_a_double(phone: Phone) -> None:
        phone.page.locator("#mate-1").click()
        phone.page.get_by_role("link", name="Repair the pickaxe").click()
        sheet(phone, "double").get_by_role("button", name="Pickaxe or lantern").click()

    def rockfall(phone: Phone) -> None:
        phone.page.get_by_role("link", name="Action card").click()
        sheet(phone, "action")
        tap_card(phone, "#t-NESW")
        sheet(phone, "fall").get_by_role("button", name="Take the card away").click()

    def looks(phone: Phone) -> None:
        phone.page.get_by_role("link", name="Action card").click()
        sheet(phone, "action").get_by_role("button", name="right goal card").click()

    def passes(phone: Phone) -> None:
        phone.page.get_by_role("button", name="Pass").click()

    assert taps(tunnel) == 2
    assert taps(breaks) == 2
    assert taps(mends) == 2
    assert taps(breaks) == 2
    assert taps(mends_with_a_double) == 3
    assert taps(rockfall) == 3
    assert taps(looks) == 2
    assert taps(passes) == 1


def test_a_sheet_lasts_as_long_as_its_turn(new_phone: Callable[..., Phone]) -> None:
    table = Round(new_phone, "lv-2009", seats=3)
    anna, bert, carl = table.phones
    place(anna, 1, 0).locator(".hop").click()
    opened = sheet(anna, "place")
    assert table.post(carl, "turn", seat="3") == 303
    table.post(bert, "do/offer-move", seat="2")
    expect(opened).to_be_visible()
    expect(anna.page.locator(".pan use[href='#chosen']")).to_have_count(1)
    opened.locator("button[name=card][value=NESW]").click()
    table.seen_by_all("Bert")

    place(anna, 2, 0).locator(".hop").click()  # the host may report for Bert
    mine = sheet(anna, "place")
    expect(mine).to_contain_text("Reporting for: Bert")
    carl.page.locator("#more a[href*=copies]").click()
    place(bert, 1, 1).press("Enter")
    sheet(bert, "place").locator("button[value=NESW]").press("Enter")
    table.seen_by_all("Carl")
    expect(anna.page.locator("#sheet .sheet")).to_have_count(0)  # Carl is not Bert
    expect(sheet(carl, "copies")).to_be_visible()
    place(anna, 2, 0).press("Enter")
    expect(sheet(anna, "place")).to_contain_text("Reporting for: Carl")
    place(carl, 2, 0).press("Enter")
    sheet(carl, "place")
    play = {"play": "path", "card": "EW", "at": "2,0", "seat": "3"}
    assert table.post(anna, "do/play", **play) == 303
    table.seen_by_all("Anna")
    expect(carl.page.locator("#sheet .sheet")).to_have_count(0)
    carl.page.goto(f"{table.path}/ask?seat=3&place=2,0")
    expect(sheet(carl, "refused")).to_contain_text("It is not your turn: Anna is to play.")
    anna.page.goto(f"{table.path}/ask?seat=1&place=2,0")
    gone = sheet(anna, "gone")
    expect(gone).to_contain_text("Carl played a path card.")
    assert re.search("taken in the meantime", gone.inner_text())


def test_the_page_stays_where_it_is_when_a_sheet_goes(new_phone: Callable[..., Phone]) -> None:
    """WebKit asks only after it has told the page whether to scroll to where it stood."""
    phone = Round(new_phone, "lv-2009", 3, shown=(0,)).phones[0]
    place(phone, 1, 0).press("Enter")
    sheet(phone, "place")
    restores = "history.scrollRestoration"
    phone.page.evaluate(f"addEventListener('popstate', () => {{ window.told = {restores} }})")
    phone.page.go_back()
    expect(phone.page.locator("#sheet .sheet")).to_have_count(0)
    assert phone.page.evaluate("told") == "manual"
    assert phone.page.evaluate(restores) == "auto"


def test_two_phones_report_at_the_same_moment(new_phone: Callable[..., Phone]) -> None:
    table = Round(new_phone, "lv-2009", seats=3)
    Others(table)("NESW 1,0")
    table.seen_by_all("Bert")
    anna, bert, carl = table.phones
    cards = {anna: "EW", bert: "NEW"}  # the host reports for Bert
    for phone in cards:
        phone.page.clock.set_fixed_time(time.time())  # a refusal stays for some seconds
        phone.page.route("**/live?*", lambda route: None)  # neither hears of the other
        phone.page.goto(table.url)
        place(phone, 2, 0).press("Enter")
        sheet(phone, "place")
    sent = re.compile(r"/do/play$")
    with anna.page.expect_response(sent) as one, bert.page.expect_response(sent) as other:
        for phone, card in cards.items():
            button = sheet(phone, "place").locator(f"button[name=card][value={card}]")
            button.evaluate("button => { setTimeout(() => button.click(), 30) }")
    assert sorted((one.value.status, other.value.status)) == [200, 409]
    first, late = (anna, bert) if one.value.status == 200 else (bert, anna)
    expect(first.page.locator("#refusal")).to_have_count(0)
    refusal = late.page.locator("#refusal")
    expect(refusal).to_be_visible()
    expect(refusal).to_contain_text("has just reported something")
    table.seen_by_all("Carl")
    for phone in table.phones:
        expect(phone.page.locator("#sheet .sheet")).to_have_count(0)
        expect(phone.page.locator(f'.pan use[href="#t-{cards[first]}"]')).to_have_count(1)
        expect(phone.page.locator(f'.pan use[href="#t-{cards[late]}"]')).to_have_count(0)
    expect(refusal).to_be_visible()
    told = "Bert played a path card." + (" Reported by the host." if first is anna else "")
    expect(carl.page.locator(".last p").first).to_have_text(told)
