"""Forms on bad networks, and on pages that change under them: what is sent, typed and chosen."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count

import pytest
from playwright.sync_api import Route, expect

from companion.languages import LOCALES
from tests.browser.phones import Kind, Phone
from tests.browser.referee import Round, lay, place, sheet
from tests.browser.tables import send, sit

pytestmark = pytest.mark.browser

NewPhone = Callable[..., Phone]
NAMES = ("Anna", "Berta", "Carl", "Dora")


def lose_answer(phone: Phone, deed: str) -> None:
    """The next form of this kind arrives, but nothing comes back."""

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    phone.route_once(f"**/do/{deed}", lose)


def test_what_was_said_not_to_be_sent_counts_once(new_phone: NewPhone) -> None:
    """Else the second tap would undo another play."""
    phones = [new_phone() for _ in range(3)]
    path, _ = sit(phones, NAMES[:3], way="referee", edition="en")
    host = phones[0]
    send(host, f"{path}/do/start")
    for seat, phone in enumerate(phones, 1):
        send(phone, f"{path}/role", seat=seat)
    for seat, phone in ((1, phones[0]), (2, phones[1])):
        send(phone, f"{path}/do/play", play="pass", seat=seat)
    page = host.page
    page.goto(f"{path}/screen")
    host.stop_clock()
    turn, unsaid = page.locator("#turn"), page.locator(".unsaid")
    expect(turn).to_contain_text("Carl")
    lose_answer(host, "take-back")
    with page.expect_request("**/live?*"):  # it looks whether it is out of touch
        host.do("take-back")
    expect(turn).to_contain_text("Berta")
    page.clock.run_for(4_000)
    expect(unsaid).to_be_visible()
    expect(page.locator("#offline")).to_be_hidden()
    with page.expect_response("**/do/take-back"):
        host.do("take-back")
    expect(unsaid).to_have_count(0)
    page.reload()
    expect(turn).to_contain_text("Berta")
    host.do("take-back")
    expect(turn).to_contain_text("Anna")


def test_it_is_said_also_where_its_sheet_was_closed_meanwhile(new_phone: NewPhone) -> None:
    """Anything that happens at the table closes the sheet from which a play is on its way."""
    table = Round(new_phone, "en", 3)
    phone, comes_next = table.on(), table.names[(table.turn + 1) % 3]
    page = phone.page
    place(phone, 1, 0).press("Enter")
    waiting = phone.hold("**/do/play")
    sheet(phone, "place").locator('button[name=card][value="EW"]').press("Enter")
    expect(page.locator("form[data-busy]")).to_have_count(1)
    send(table.phones[1], f"{table.path}/do/offer-move", seat=2)
    send(table.phones[0], f"{table.path}/do/renew-link")
    expect(page.locator("#sheet .sheet")).to_have_count(0)
    with page.expect_request("**/live?*"):  # it looks whether it is out of touch
        waiting().abort()
    unsaid = page.locator(".unsaid")
    expect(unsaid).to_be_visible()
    send(table.phones[0], f"{table.path}/do/renew-link")
    table.shown_to_all()
    expect(unsaid).to_be_visible()
    lay(phone, "EW", 1, 0)
    expect(unsaid).to_have_count(0)
    table.seen_by_all(comes_next)


def test_it_is_not_said_where_the_play_itself_has_closed_the_sheet(new_phone: NewPhone) -> None:
    """Only the answer was lost: the stream has shown the play."""
    table = Round(new_phone, "en", 3)
    phone, comes_next = table.on(), table.names[(table.turn + 1) % 3]
    page = phone.page
    place(phone, 1, 0).press("Enter")
    waiting = phone.hold("**/do/play")
    sheet(phone, "place").locator('button[name=card][value="EW"]').press("Enter")
    waiting().fetch()
    expect(page.locator("#sheet .sheet")).to_have_count(0)
    table.seen_by_all(comes_next)
    with page.expect_request("**/live?*"):  # it looks whether it is out of touch
        waiting().abort()
    page.evaluate("fetch('/privacy').then(each => each.text())")  # so long it would have taken
    expect(page.locator(".unsaid")).to_have_count(0)


def test_what_was_accepted_is_not_asked_for_again(new_phone: NewPhone) -> None:
    """Else a tap would end the turn of the one who comes next."""
    phone = new_phone()
    path, _ = sit([phone], NAMES[:1], game="trains", way="light")
    for name in NAMES[1:3]:
        send(phone, f"{path}/do/add-seat", name=name)
    send(phone, f"{path}/do/start", starter=1)
    for seat in (1, 2, 3):
        send(phone, f"{path}/do/play", play="next", seat=seat)
    phone.page.goto(path)
    turn = phone.page.locator("h1:visible").first
    expect(turn).to_have_text("Turn: Anna")
    lose_answer(phone, "play")
    with phone.page.expect_request("**/live?*"):
        phone.page.get_by_role("button", name="The turn is over").click()
    expect(turn).to_have_text("Turn: Berta")
    expect(phone.page.locator(".unsaid")).to_have_count(0)


def test_of_a_field_that_is_saved_twice_in_a_row_the_last_one_counts(new_phone: NewPhone) -> None:
    """What is typed after that stays, too."""
    host = new_phone()
    path, _ = sit([host], NAMES[:1])
    page = host.page
    page.goto(f"{path}/host")
    waiting = host.hold("**/do/set-wifi")
    name = page.locator("#wifi-name")
    name.fill("One")
    name.press("Enter")
    expect(page.locator("form[data-busy]")).to_have_count(1)
    name.fill("Two")
    name.press("Enter")
    answers = count(1)
    with page.expect_response(lambda each: "/do/set-wifi" in each.url and next(answers) == 2):
        waiting().continue_()
    expect(name).to_have_value("Two")
    page.reload()
    expect(name).to_have_value("Two")


COUNT_SHOWN = """addEventListener("table:shown", () => {
  const { dataset } = document.documentElement;
  dataset.shown = 1 + Number(dataset.shown ?? 0);
}, true);"""


def test_a_choice_that_did_not_arrive_is_not_shown_as_if_it_held(new_phone: NewPhone) -> None:
    host = new_phone()
    path, _ = sit([host], NAMES[:1], edition="en")
    page = host.page
    host.context.add_init_script(COUNT_SHOWN)
    page.goto(f"{path}/host")
    shown = page.locator("html")
    expect(shown).to_have_attribute("data-shown", "1")
    host.route_once("**/do/configure", lambda route: route.abort())
    edition = page.locator("#edition")
    edition.select_option("fi")
    expect(shown).to_have_attribute("data-shown", "2")  # its stream has begun anew
    expect(page.locator(".unsaid")).to_be_visible()
    expect(edition).to_have_value("en")
    edition.select_option("fi")
    expect(page.locator("#host-rules .saved").first).to_have_text("Saved")
    page.reload()
    expect(edition).to_have_value("fi")


def test_what_is_typed_while_an_answer_is_awaited_stays(new_phone: NewPhone) -> None:
    host = new_phone()
    path, _ = sit([host], NAMES[:1])
    page = host.page
    page.goto(f"{path}/host")
    field = page.locator("#add-name")
    waiting = host.hold("**/do/add-seat")
    field.fill("Berta")
    field.press("Enter")
    expect(page.locator("form[data-busy]")).to_have_count(1)
    field.fill("Carl")
    waiting().continue_()
    expect(page.locator("ol.order > li")).to_have_count(2)
    expect(page.locator("form[data-busy]")).to_have_count(0)
    expect(field).to_have_value("Carl")
    field.press("Enter")
    expect(page.locator("ol.order > li")).to_have_count(3)
    expect(field).to_have_value("")


def test_a_field_that_was_saved_shows_what_was(new_phone: NewPhone) -> None:
    """Also while the focus stays in it."""
    host = new_phone()
    path, _ = sit([host], NAMES[:1])
    page = host.page
    page.goto(f"{path}/host")
    name, password = page.locator("#wifi-name"), page.locator("#wifi-password")
    saved = page.locator("#host-wifi .saved")
    name.fill("Kelder")
    name.press("Enter")
    expect(saved).to_have_text("Saved")
    expect(name).to_have_value("Kelder")
    password.fill("passwordx")
    password.press("Enter")
    expect(saved).to_have_text("Saved")
    expect(password).to_have_value("passwordx")
    page.reload()
    expect(name).to_have_value("Kelder")
    expect(password).to_have_value("passwordx")


def test_who_was_chosen_to_begin_stays_chosen_while_others_come_and_go(
    new_phone: NewPhone,
) -> None:
    phones = [new_phone() for _ in range(4)]
    path, _ = sit(phones[:3], NAMES[:3], game="trains")
    page = phones[0].page
    page.goto(path)
    chosen = page.locator("#starter")
    chosen.select_option(label="Carl")
    send(phones[1], f"{path}/do/remove-seat", seat=2)
    expect(chosen.locator("option", has_text="Berta")).to_have_count(0)
    assert chosen.evaluate("each => each.selectedOptions[0].text") == "Carl"
    send(phones[0], f"{path}/do/add-seat", name="Emil")
    expect(chosen.locator("option", has_text="Emil")).to_have_count(1)
    assert chosen.evaluate("each => each.selectedOptions[0].text") == "Carl"
    send(phones[0], f"{path}/do/remove-seat", seat=3)
    expect(chosen.locator("option", has_text="Carl")).to_have_count(0)
    assert chosen.evaluate("each => each.selectedIndex") == 0


def test_the_first_of_those_who_may_begin_can_go(new_phone: NewPhone) -> None:
    """Without the lot's, its option is the first one."""
    phones = [new_phone() for _ in range(4)]
    path, _ = sit(phones, NAMES)
    page = phones[0].page
    page.goto(f"{path}/screen")
    chosen = page.locator("#starter")
    chosen.select_option(label="Carl")
    send(phones[0], f"{path}/do/remove-seat", seat=1)
    expect(chosen.locator("option", has_text="Anna")).to_have_count(0)
    assert chosen.evaluate("each => each.selectedOptions[0].text") == "Carl"


def test_who_was_chosen_to_begin_another_game_stays_chosen(new_phone: NewPhone) -> None:
    """Also when the one whom the page had chosen first has gone."""
    phones = [new_phone() for _ in range(4)]
    path, _ = sit(phones, NAMES, way="roles")
    host = phones[0]
    send(host, f"{path}/do/start", starter=2)
    send(host, f"{path}/do/begin")
    send(host, f"{path}/do/finish")
    send(host, f"{path}/do/count")
    host.page.goto(path)
    chosen = host.page.locator("#starter")
    first = str(chosen.evaluate("each => each.selectedOptions[0].text"))
    other = next(name for name in NAMES[1:] if name != first)
    chosen.select_option(label=other)
    gone = NAMES.index(first)
    send(phones[gone], f"{path}/do/remove-seat", seat=gone + 1)
    expect(chosen.locator("option", has_text=first)).to_have_count(0)
    assert chosen.evaluate("each => each.selectedOptions[0].text") == other


@pytest.mark.parametrize("locale", LOCALES)
def test_what_is_saved_is_said_in_the_gap_below_its_form(new_phone: NewPhone, locale: str) -> None:
    phone = new_phone(Kind(locale, 320, 568))
    path, _ = sit([phone], NAMES[:1])
    page = phone.page
    page.goto(f"{path}/host")
    edition, fold = page.locator("#edition"), page.locator("#host-rules details > summary")
    words = fold.locator("span")

    def beneath() -> float:
        upper, lower = edition.bounding_box(), fold.bounding_box()
        assert upper
        assert lower
        return lower["y"] - upper["y"] - upper["height"]

    assert 0 < beneath() <= 26
    edition.select_option("lt-2009")
    saved = page.locator("#host-rules .saved").first
    expect(saved).not_to_be_empty()
    said, below = saved.bounding_box(), words.bounding_box()
    assert said
    assert below
    assert said["y"] + said["height"] <= below["y"]
    assert beneath() <= 26


def test_of_two_choices_in_a_row_the_last_one_is_saved(new_phone: NewPhone) -> None:
    """The second one is made while the first is on its way."""
    host = new_phone()
    path, _ = sit([host], NAMES[:1], way="roles")
    page = host.page
    page.goto(f"{path}/host")
    waiting = host.hold("**/do/configure")
    ways = {way: page.locator(f"[name=way][value={way}]") for way in ("referee", "roles")}
    page.locator("label", has=ways["referee"]).click()
    expect(page.locator("form[data-busy]")).to_have_count(1)
    page.locator("label", has=ways["roles"]).click()
    answers = count(1)
    with page.expect_response(lambda each: "/do/configure" in each.url and next(answers) == 2):
        waiting().continue_()
    page.reload()
    expect(ways["roles"]).to_be_checked()


def test_a_page_that_was_stopped_on_its_way_can_be_asked_for_again(new_phone: NewPhone) -> None:
    host, guest = new_phone(), new_phone()
    _, link = sit([host], NAMES[:1])
    page = guest.page
    page.goto(link)
    guest.stop_clock()
    page.locator("input[name=name]").fill("Berta")
    guest.route_once("**/j/*", lambda route: route.abort("aborted"))
    button = guest.form_of_join().locator("button:not([type=button])").first
    with page.expect_event("requestfailed"):
        button.click()
    expect(page.locator("form[data-busy]")).to_have_count(1)
    page.clock.fast_forward(6_000)
    expect(page.locator("form[data-busy]")).to_have_count(0)
    button.click()
    page.wait_for_url("**/t/*")


def test_a_name_that_was_typed_outlives_another_language(new_phone: NewPhone) -> None:
    host, guest = new_phone(), new_phone()
    _, link = sit([host], NAMES[:1])
    page = guest.page
    page.goto(link)
    page.locator("input[name=name]").fill("Zoltan")
    page.locator("form.langs button[value=et]").click()
    expect(page.locator("html")).to_have_attribute("lang", "et")
    expect(page.locator("input[name=name]")).to_have_value("Zoltan")


def test_another_name_typed_where_one_was_remembered_outlives_another_language(
    new_phone: NewPhone,
) -> None:
    """Chosen on the page itself or behind the globe."""
    hosts, guest = [new_phone(), new_phone()], new_phone()
    links = [sit([host], [name])[1] for host, name in zip(hosts, NAMES, strict=False)]
    guest.join(links[0], "Berta")
    page = guest.page
    page.goto(links[1])
    name = page.locator("#name")
    expect(name).to_have_value("Berta")
    name.fill("Zoltan")
    page.locator("form.langs button[value=et]").click()
    expect(page.locator("html")).to_have_attribute("lang", "et")
    expect(name).to_have_value("Zoltan")
    name.fill("Zoe")
    choose_behind_the_globe(guest, "fi")
    expect(name).to_have_value("Zoe")


HAS_COME = """script => performance.getEntriesByType("resource")
  .some(({ name }) => name.endsWith(`/${script}`))"""


def choose_behind_the_globe(phone: Phone, locale: str, *, after: str = "") -> None:
    """After the script has come that the page asked for when it was touched: people are slower."""
    phone.page.wait_for_load_state()  # of the page that a tap led to: its scripts are there
    phone.until(lambda: not after or phone.page.evaluate(HAS_COME, after))
    phone.page.locator("a.lang").click()
    phone.page.locator(f"button[value={locale}]").click()
    phone.page.wait_for_url(lambda url: "/language" not in url)
    expect(phone.page.locator("html")).to_have_attribute("lang", locale)


def test_the_name_of_a_host_who_will_play_too_outlives_another_language(
    new_phone: NewPhone,
) -> None:
    phone = new_phone()
    phone.page.goto("/")
    phone.page.locator("#open-form .btn.main").click()
    name = phone.page.locator("#own-name")
    name.fill("Zoltan")
    choose_behind_the_globe(phone, "et")
    expect(name).to_have_value("Zoltan")


def test_what_is_chosen_on_the_start_page_outlives_another_language(new_phone: NewPhone) -> None:
    phone = new_phone()
    page = phone.page
    page.goto("/")
    page.locator("#code").fill("ABC")
    page.locator("#how > summary").click()
    page.locator("label:has([name=way-saboteur][value=referee])").click()
    page.locator("#edition-saboteur").select_option("lt-2009")
    page.locator("#table-language").select_option("lv")
    page.locator("label:has([name=game][value=trains])").click()
    choose_behind_the_globe(phone, "et")
    expect(page.locator("[name=game][value=trains]")).to_be_checked()
    expect(page.locator("[name=way-saboteur][value=referee]")).to_be_checked()
    expect(page.locator("#edition-saboteur")).to_have_value("lt-2009")
    chosen = page.locator("#edition-saboteur").evaluate("each => each.selectedOptions[0].text")
    expect(page.locator("[data-chosen=edition-saboteur]")).to_have_text(chosen)
    expect(page.locator("#table-language")).to_have_value("lv")
    expect(page.locator("#code")).to_have_value("ABC")


def test_what_is_chosen_on_the_start_page_outlives_a_look_at_the_rules(
    new_phone: NewPhone,
) -> None:
    page = new_phone().page
    page.goto("/")
    page.locator("#code").fill("ABC")
    page.locator("label:has([name=game][value=trains])").click()
    page.locator("a.rules:visible").click()
    page.locator(".dock a").click()
    expect(page.locator("[name=game][value=trains]")).to_be_checked()
    expect(page.locator("#code")).to_have_value("ABC")


def test_what_nobody_has_chosen_on_the_start_page_is_as_the_language_has_it(
    new_phone: NewPhone,
) -> None:
    phone = new_phone()
    page = phone.page
    page.goto("/")
    page.locator("#how > summary").click()
    page.locator("label:has([name=way-saboteur][value=referee])").click()
    for language, edition in (("et", "et-2007"), ("lv", "lv-2009")):
        choose_behind_the_globe(phone, language)
        expect(page.locator("#edition-saboteur")).to_have_value(edition)
        expect(page.locator("#table-language")).to_have_value(language)
        expect(page.locator("[name=way-saboteur][value=referee]")).to_be_checked()


def test_what_is_chosen_outlives_a_language_that_has_it_so_by_itself(new_phone: NewPhone) -> None:
    phone = new_phone()
    page = phone.page
    page.goto("/")
    page.locator("#how > summary").click()
    page.locator("#edition-saboteur").select_option("lv-2009")
    for language in ("lv", "et", "fi"):
        choose_behind_the_globe(phone, language)
        expect(page.locator("#edition-saboteur")).to_have_value("lv-2009")


def test_the_name_of_one_more_player_outlives_another_language(new_phone: NewPhone) -> None:
    phone = new_phone()
    path, _ = sit([phone], NAMES[:1])
    page = phone.page
    page.goto(f"{path}/seat")
    name = page.locator("#more-h ~ form input[name=name]")
    name.fill("Zoltan")
    choose_behind_the_globe(phone, "et", after="kept.js")
    expect(name).to_have_value("Zoltan")


@pytest.mark.parametrize("page", ["", "/screen"])
def test_who_was_chosen_to_begin_outlives_another_language(new_phone: NewPhone, page: str) -> None:
    phone = new_phone()
    path, _ = sit([phone], NAMES[:1])
    for name in NAMES[1:3]:
        send(phone, f"{path}/do/add-seat", name=name)
    phone.page.goto(f"{path}{page}")
    starter = phone.page.locator("#starter")
    starter.select_option("3")
    choose_behind_the_globe(phone, "et", after="kept.js")
    expect(starter).to_have_value("3")


def test_what_is_typed_on_the_host_page_outlives_another_language(new_phone: NewPhone) -> None:
    phone = new_phone()
    path, _ = sit([phone], NAMES[:1])
    phone.page.goto(f"{path}/host")
    name = phone.page.locator("#add-name")
    name.fill("Zoltan")
    choose_behind_the_globe(phone, "et", after="kept.js")
    expect(name).to_have_value("Zoltan")


def test_a_row_that_is_typed_in_its_sheet_outlives_another_language(new_phone: NewPhone) -> None:
    phone = new_phone()
    path, _ = sit([phone, new_phone()], NAMES[:2], game="trains", way="light")
    send(phone, f"{path}/do/start")
    page = phone.page
    page.goto(path)
    page.locator("a[href*='claim=1']").click()
    fields = page.locator("form.claim [name=row]")
    fields.nth(0).fill("3")
    fields.nth(1).fill("12")
    page.locator("#claimer").select_option("2")
    choose_behind_the_globe(phone, "et", after="kept.js")
    expect(fields.nth(0)).to_have_value("3")
    expect(fields.nth(1)).to_have_value("12")
    expect(page.locator("#claimer")).to_have_value("2")


def test_how_a_round_ended_outlives_another_language(new_phone: NewPhone) -> None:
    """Half told: the one tap that is left is who placed the last path card."""
    phones = [new_phone() for _ in range(3)]
    path, _ = sit(phones, NAMES[:3])
    send(phones[0], f"{path}/do/start")
    for seat, phone in enumerate(phones, 1):
        send(phone, f"{path}/role", seat=seat)
    page = phones[1].page
    page.goto(path)
    page.locator("a[href*='/report']").click()
    page.locator("label[for=end-yes]").click()
    choose_behind_the_globe(phones[1], "et", after="kept.js")
    expect(page.locator("#who-h")).to_be_visible()


def test_an_open_sheet_outlives_another_language(new_phone: NewPhone) -> None:
    table = Round(new_phone, "en", 3, shown=(0,))
    phone = table.on()
    page = phone.page
    place(phone, 1, 0).press("Enter")
    before = sheet(phone, "place").locator("h2").inner_text()
    choose_behind_the_globe(phone, "et", after="sheets.js")
    expect(sheet(phone, "place").locator("h2")).not_to_have_text(before)
    page.go_back()  # closes it
    expect(page.locator("#sheet .sheet")).to_have_count(0)
    choose_behind_the_globe(phone, "fi")
    expect(page.locator(".pan")).to_be_visible()
    expect(page.locator("#sheet .sheet")).to_have_count(0)
    place(phone, 1, 0).press("Enter")
    sheet(phone, "place")
    page.locator("a.lang").click()
    page.goto("/")  # what was open at one page does not open at another
    page.goto(f"{table.path}/fair")
    page.goto(table.path)
    expect(page.locator(".pan")).to_be_visible()
    again = sheet(phone, "place")  # until its own comes once more
    again.locator('button[name=card][value="NESW"]').press("Enter")
    expect(page.locator("#sheet .sheet")).to_have_count(0)


def test_a_free_name_takes_the_seat_in_one_tap(new_phone: NewPhone) -> None:
    host, guest = new_phone(), new_phone()
    _, link = sit([host], NAMES[:1])
    guest.page.goto(link)
    guest.page.locator("#name").fill(NAMES[0])
    guest.form_of_join().locator("button").click()
    expect(guest.page.locator("#name")).to_have_value(f"{NAMES[0]} 2")
    guest.form_of_join().locator("button").click()
    guest.page.wait_for_url(re.compile(r"/t/[^/]+"))


def test_what_is_typed_into_a_page_that_looks_again_stays(new_phone: NewPhone) -> None:
    """A code, where a game has begun without who types it; it ends meanwhile."""
    phones = [new_phone() for _ in NAMES]
    path, link = sit(phones, NAMES, way="roles")
    send(phones[0], f"{path}/do/start")
    late = new_phone()
    late.stop_clock()
    late.page.goto(link)
    field = late.page.locator("#later input[name=code]")
    field.press_sequentially("ABCDE")
    send(phones[0], f"{path}/do/finish")
    with late.page.expect_response("**/j/*"):
        late.page.clock.run_for(4_000)  # else the answer would come too late by the page's clock
    late.page.evaluate("fetch('/privacy').then(each => each.text())")  # so long it would have taken
    expect(field).to_have_value("ABCDE")


def test_a_name_that_is_taken_out_is_forgotten_by_its_phone_too(new_phone: NewPhone) -> None:
    host, guest = new_phone(), new_phone()
    path, link = sit([host], NAMES[:1])
    guest.join(link, "Zoltan")
    page = guest.page
    page.goto(f"{path}/seat")
    page.locator("#out summary").click()
    guest.do("take-name-out")
    expect(page.get_by_text("Zoltan")).to_have_count(0)
    assert "Zoltan" not in page.evaluate("JSON.stringify(localStorage)")


def test_the_start_page_says_what_is_chosen_when_one_comes_back(new_phone: NewPhone) -> None:
    page = new_phone().page
    page.goto("/")
    page.locator("#how > summary").click()
    page.locator("label:has([name=way-saboteur][value=referee])").click()
    page.locator("#edition-saboteur").select_option("lt-2009")
    page.locator("footer a").first.click()
    page.wait_for_url("**/privacy*")
    page.go_back()
    expect(page.locator("[name=way-saboteur][value=referee]")).to_be_checked()
    expect(page.locator("[data-chosen=way-saboteur]")).to_have_text(["Full referee"] * 2)


def test_who_has_typed_a_code_is_led_to_its_table(new_phone: NewPhone) -> None:
    """And opens none by the button that was the main one before."""
    page = new_phone(Kind("lt", 320, 568)).page
    page.goto("/")
    lit = "each => getComputedStyle(each).backgroundColor"
    join = page.locator("form[action='/code'] button")
    opens = page.locator("form[action='/open'] .dock button")
    main = opens.evaluate(lit)
    assert join.evaluate(lit) != main
    page.locator("#code").fill("RVPT74")
    expect(join).to_have_css("background-color", main)
    expect(opens).not_to_have_css("background-color", main)
    page.locator("#code").fill("")
    expect(opens).to_have_css("background-color", main)
