"""Every reason for which a play of Saboteur is refused, as far as fingers can bring it about.

Some need a phone that has not heard of what others played meanwhile: its network is gone for a
moment, so its page or its open sheet is behind. And some no button can send:

- `unknown_card`, `repair_mismatch`, `goal_orientation`: only cards of the deck are drawn, only a
  card that has the tool is offered for it, and only those ways up of a stone that fit.
- `no_copies_left` of a `reveal`: what lies elsewhere is not offered.
- `goal_not_reached`: only reached goals are offered, and none stops being reached while it waits.
- `no_round`, `round_in_progress`, `impossible_roles`: nothing of a round is shown outside it, and
  the app deals.

These are sent as a form that somebody has tampered with, and are refused all the same.
"""

import re
from collections.abc import Callable
from gettext import NullTranslations

import pytest
from playwright.sync_api import expect

from companion.games.game import Rejection
from companion.games.saboteur.reasons import REASONS
from tests.browser.phones import Phone
from tests.browser.referee import Others, Round, close, place, sheet, tap_card, verdict

pytestmark = pytest.mark.browser


@pytest.fixture
def table(new_phone: Callable[..., Phone]) -> Round:
    return Round(new_phone, "lv-2009", seats=3)


def deaf(phone: Phone) -> None:
    """Hears no more of the table; what it asks is answered."""
    phone.page.route("**/live?*", lambda route: route.abort())
    phone.page.reload()
    expect(phone.page.locator("html.js .pan")).to_be_visible()


def hears(phone: Phone, table: Round) -> None:
    phone.page.unroute_all()
    phone.page.goto(table.url)


def says(phone: Phone, code: str) -> None:
    """The sheet gives this reason and the paragraph of the rules that it rests on."""
    text, rule = verdict(phone)
    expected = Rejection(REASONS[code]).sentence(NullTranslations())
    assert text.startswith(expected), (code, text, expected)
    assert rule == REASONS[code].paragraph
    close(phone)


def tap_shape(phone: Phone, card: str) -> None:
    phone.page.locator(f'.shapes.no a[href$="card={card}"]').press("Enter")


def tap_player(phone: Phone, seat: int, card: str) -> None:
    phone.page.locator(f"#mate-{seat}").press("Enter")
    name = re.compile(f"^{card} ?, not possible now$")
    sheet(phone, "player").get_by_role("link", name=name).first.press("Enter")


def test_of_path_cards(table: Round) -> None:
    others = Others(table)
    anna, bert, _ = table.phones
    place(bert, 1, 0).press("Enter")
    text, rule = verdict(bert)
    assert (text, rule) == ("It is not your turn: Anna is to play.", "turn")
    close(bert)

    place(anna, 1, 0).press("Enter")
    tap_shape(anna, "NS")
    says(anna, "edge_mismatch")

    deaf(bert)  # its page has the places that Anna had
    others("break lantern 1")
    place(bert, 1, 0).press("Enter")
    text, rule = verdict(bert)
    assert ("lantern" in text, rule) == (True, "broken-tools")
    hears(bert, table)
    expect(bert.page.locator(".pan a")).to_have_count(0)
    others("repair lantern lantern 1")


def test_of_path_cards_from_a_sheet_left_behind(new_phone: Callable[..., Phone]) -> None:
    """The host may report for anyone: its phone holds on to a sheet while the others play on."""
    table = Round(new_phone, "lv-2009", seats=3, shown=(0,))
    others = Others(table)
    anna = table.phones[0]
    others("EW 1,0", "EW 2,0", "ES 0,1")
    others("NEW 1,1", "NEW 2,1", "SW 3,1")

    def left_open(x: int, y: int) -> None:
        hears(anna, table)
        deaf(anna)
        place(anna, x, y).press("Enter")
        sheet(anna, "place")

    left_open(3, 0)  # between 2,0 in the west and 3,1 in the north
    others("rock 3,1", "rock 1,0")
    tap_shape(anna, "ESW")  # fits 2,0, which nothing joins to the start any more
    says(anna, "not_connected")

    left_open(3, 1)
    others("NESW 3,1", "pass")
    tap_shape(anna, "NS")
    says(anna, "cell_occupied")

    left_open(4, 1)
    others("rock 3,1", "pass")
    tap_shape(anna, "NS")
    says(anna, "not_adjacent")

    hears(anna, table)
    others("EW 3,1")  # the last of three
    place(anna, 4, 1).press("Enter")
    tap_shape(anna, "EW")
    says(anna, "no_copies_left")


def test_of_action_cards(table: Round) -> None:
    others = Others(table)
    anna, _, carl = table.phones
    others("EW 1,0", "break cart 0")
    carl.page.get_by_role("link", name="Action card").click()
    sheet(carl, "action")
    tap_card(carl, "#start")
    text, rule = verdict(carl)
    taken = "There is already a card here. A rockfall never takes the start card or a goal card."
    assert (text, rule) == (taken, "rockfall")
    close(carl)
    tap_player(carl, 1, "Broken mine cart")
    says(carl, "tool_already_broken")
    tap_player(carl, 1, "Repair the lantern")
    says(carl, "tool_not_broken")

    deaf(carl)
    others("rock 1,0", "pass", "pass")  # Carl has told by word, and the host reported it
    carl.page.get_by_role("link", name="Action card").click()
    sheet(carl, "action")
    tap_card(carl, "#t-EW")
    says(carl, "nothing_there")
    hears(carl, table)

    # All copies of each card: two more rockfalls, six maps, three broken and four mended lanterns.
    others("NS 0,1", "rock 0,1", "NS 0,1", "rock 0,1")
    others(*("map north",) * 6)
    others("break lantern 1", "repair lantern lantern 1", "break lantern 1")
    others("repair lantern lantern 1", "break lantern 1", "break pickaxe 2")
    others("repair pickaxe+lantern pickaxe 2", "repair lantern+cart cart 0", "NESW 1,0")
    expect(anna.page.locator(".pan [href='#t-NESW']")).to_have_count(1)
    assert others.on == 0
    tap_card(anna, "#t-NESW")
    says(anna, "no_copies_left")
    tap_card(anna, "#goal-b")
    says(anna, "no_copies_left")
    tap_player(anna, 3, "Broken lantern")
    says(anna, "no_copies_left")
    tap_player(anna, 2, "Repair the lantern")
    says(anna, "no_copies_left")


def test_of_goals(table: Round) -> None:
    others = Others(table)
    anna, bert, _ = table.phones
    straight = ("EW 1,0", "EW 2,0", "EW 3,0")
    crossed = ("NESW 4,0", "NESW 5,0", "NESW 6,0")
    others(*straight, *crossed)
    assert others.on == 0
    others("pass", "NESW 7,0")  # by Bert: the middle goal is reached
    others.on -= 1
    expect(bert.page.locator("main .sheet[data-kind=goal]")).to_be_visible()
    anna.page.locator("#mate-3").press("Enter")
    says(anna, "reveal_pending")
    tampered = {
        ("middle", "NS"): "unknown_card",
        ("north", "treasure"): "goal_not_reached",
        ("middle", "NE"): "goal_orientation",
    }
    for (goal, card), code in tampered.items():
        answer = bert.context.request.post(
            f"{table.path}/do/play",
            form={"play": "reveal", "goal": goal, "card": card, "seat": "2", "key": code},
        )
        assert answer.status in (409, 422)
        assert Rejection(REASONS[code]).sentence(NullTranslations()) in answer.text()

    deaf(anna)
    report = anna.page.get_by_role("link", name="Report for: Bert")
    expect(report).to_be_visible()
    others.on += 1
    others("turn middle NW")
    report.click()
    says(anna, "nothing_to_reveal")
    hears(anna, table)
    anna.page.get_by_role("link", name="Report for: Carl").click()
    sheet(anna, "action")
    tap_card(anna, "#stone-NW")
    says(anna, "goal_face_up")
