"""What opens when somebody taps the maze: every cell answers, with choices or with the rule."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.catalogues import catalogue
from companion.games.saboteur.pages.sheets import pile_at_most
from companion.games.saboteur.rules.cards import (
    BREAK_KIND,
    CODE,
    COPIES,
    DECK,
    KIND,
    MAP_KIND,
    NONE_USED,
    REPAIR_KIND,
    TOOL_BITS,
    TUNNEL_COPIES,
    use,
)
from companion.tables.model import UndoStep

ACROSS = ("NESW", "NESW", "NESW", "NESW", "NESW", "EW", "EW")
"""From the start card to the middle goal card."""


@pytest.fixture
def round_on(seated):
    return round_by("en", seated)


def round_by(edition: str, seated):
    """Under the referee; the host reports, for whoever it is."""
    club, host, path, phones = seated
    club.done(host, path, "configure", way="referee", edition=edition)
    club.done(host, path, "start")
    club.look(path, phones)

    def play(name: str, **fields: Any) -> int:
        """The version that it leads to."""
        table = club.table(path)
        seat = table.players[table.game_state.now.turn].id
        club.done(host, path, "play", play=name, seat=seat, **fields)
        return club.table(path).version

    def ask(**asked: str) -> str:
        answer = host.get(f"{path}/ask?" + "&".join(f"{k}={v}" for k, v in asked.items()))
        assert answer.status_code == 200
        found = re.search(r'<section class="sheet.*?</section>', answer.text, re.DOTALL)
        assert found
        return found[0]

    return play, ask


def kind(sheet: str) -> str:
    found = re.search(r'data-kind="(\w+)"', sheet)
    assert found
    return found[1]


def test_a_place_beside_tunnels_that_are_cut_off_says_so(round_on) -> None:
    play, ask = round_on
    play("path", card="EW", at="1,0")
    play("path", card="EW", at="2,0")
    play("rockfall", at="1,0")
    sheet = ask(place="3,0")
    assert kind(sheet) == "refused"
    assert "The card must continue an unbroken path from the start card." in sheet


def test_an_empty_cell_beside_no_card_says_so(round_on) -> None:
    _, ask = round_on
    sheet = ask(place="5,3")
    assert kind(sheet) == "refused"
    assert "A path card must lie beside a path card that is face up." in sheet


def test_with_broken_tools_every_cell_says_so(round_on) -> None:
    play, ask = round_on
    play("break", tool="lantern", target="2")
    for place in ("1,0", "5,3"):
        sheet = ask(place=place)
        assert kind(sheet) == "refused"
        assert "antern" in sheet


def test_a_tap_on_a_reached_goal_asks_what_it_shows(round_on) -> None:
    play, ask = round_on
    for column, card in enumerate(ACROSS, 1):
        play("path", card=card, at=f"{column},0")
    sheet = ask(fall="8,0")
    assert kind(sheet) == "goal"
    assert 'name="goal" value="middle"' in sheet
    other = ask(fall="8,2")
    assert kind(other) == "refused"
    assert "No unbroken path from the start card leads to this goal card." in other


def test_a_tap_on_a_stone_while_another_goal_is_turned_says_that_it_lies_face_up(round_on) -> None:
    """The path does lead to it."""
    play, ask = round_on
    for column, card in enumerate(ACROSS, 1):
        play("path", card=card, at=f"{column},0")
    play("reveal", goal="middle", card="NW")
    play("path", card="NSW", at="8,1")  # from that stone up to the next goal
    assert kind(ask(fall="8,2")) == "goal"
    sheet = ask(fall="8,0")
    assert kind(sheet) == "refused"
    assert "This goal card is already face up" in sheet
    assert "No unbroken path" not in sheet


def test_what_cannot_be_comes_before_how_many_cards_are_left(round_on) -> None:
    """Else it is said that an earlier play should be corrected, which would not help."""
    play, ask = round_on
    counted_out = "No copies of this card are left."
    for _ in range(3):
        play("path", card="NESW", at="1,0")
        play("rockfall", at="1,0")
    play("path", card="NS", at="0,1")
    assert counted_out in ask(fall="0,1")
    start = ask(fall="0,0")
    assert "A rockfall never takes the start card" in start
    assert counted_out not in start
    for target in "123":
        play("break", tool="cart", target=target)
    assert counted_out in ask(who="4", tool="cart")
    again = ask(who="1", tool="cart")
    assert "This tool is already broken" in again
    assert counted_out not in again


def test_that_a_goal_card_lies_face_up_comes_before_how_many_maps_are_left(round_on) -> None:
    play, ask = round_on
    for column, card in enumerate(ACROSS, 1):
        play("path", card=card, at=f"{column},0")
    play("reveal", goal="middle", card="NW")
    for _ in range(6):
        play("map", goal="north")
    assert "No copies of this card are left." in ask(fall="8,2")
    turned = ask(fall="8,0")
    assert "This goal card is already face up" in turned
    assert "No copies of this card are left." not in turned


def test_the_shapes_are_where_they_were(round_on) -> None:
    """However many copies of them are left."""
    play, ask = round_on

    def shapes(sheet: str) -> list[str]:
        cards = re.findall(r'name="card" value="(\w+)"', sheet)
        return [card for card in cards if card in CODE]

    before = shapes(ask(place="1,0"))
    for column in range(1, 5):
        play("path", card="NESW", at=f"{column},0")
    after = shapes(ask(place="5,0"))
    assert len(after) > 5
    assert after == [card for card in before if card in after]


def test_of_a_place_that_was_taken_it_is_said_who_took_it(round_on) -> None:
    """Somebody else may have played since, and nobody has laid the start card."""
    play, ask = round_on
    play("path", card="NESW", at="1,0")
    play("pass")
    sheet = ask(place="1,0")
    assert kind(sheet) == "gone"
    assert "played a path card." in sheet
    assert "passed" not in sheet
    assert "passed" not in ask(place="0,0")


def test_a_play_of_the_log_lies_in_the_maze(round_on) -> None:
    play, ask = round_on
    version = play("path", card="NESW", at="1,0")
    play("pass")
    sheet = ask(entry=version)
    assert kind(sheet) == "entry"
    assert "played a path card." in sheet
    assert "Row 1, middle column. Open sides: top, right, bottom, left." in sheet
    assert 'data-x="40" data-y="0"' in sheet


def test_a_play_that_was_taken_back_is_no_more_in_the_log(round_on) -> None:
    _, ask = round_on
    assert "This play has been taken back." in ask(entry="999")


def test_a_goal_card_that_waited_for_another_path_card_is_asked_for_with_the_reason(seated) -> None:
    play, ask = round_by("et-2007", seated)
    cards = ("ES", *("EW",) * 3, *("NESW",) * 4, "NSW")
    for column, card in enumerate(cards):
        play("path", card=card, at=f"{column},1")  # reaches two of them
    why = "It was reached before: whoever places the next path card turns it over."
    assert why not in ask(fall="8,0")
    play("reveal", goal="middle", card="NW")
    play("path", card="NS", at="0,-1")
    assert why in ask(fall="8,2")


def test_a_goal_card_that_a_card_far_from_it_reaches_has_not_waited(seated) -> None:
    """By the Estonian booklet one may lay on beyond a gap, and the gap is filled last; one that has
    waited may have the next card beside it, too."""
    play, ask = round_by("et-2007", seated)
    for x, card in enumerate(("EW", "EW", "EW", "NEW", "NEW", "ESW"), 1):
        play("path", card=card, at=f"{x},0")
    play("rockfall", at="3,0")
    play("path", card="NESW", at="7,0")
    play("path", card="NESW", at="7,1")
    play("path", card="ES", at="7,2")
    why = "It was reached before: whoever places the next path card turns it over."
    play("path", card="NESW", at="3,0")
    for goal in ("north", "middle"):
        assert why not in ask(goal=goal)
    play("reveal", goal="middle", card="NW")
    play("path", card="NSW", at="8,1")
    assert why in ask(goal="north")


def test_visible_words_are_true_however_the_view_is_turned(round_on) -> None:
    """Which goal card, and where a card lies, is drawn; only who cannot see it is told in words."""
    play, ask = round_on
    for column, card in enumerate(ACROSS, 1):
        play("path", card=card, at=f"{column},0")
    reached = ask(fall="8,0")
    play("reveal", goal="middle", card="NW")
    for sheet in (reached, ask(fall="8,2"), ask(fall="1,0"), ask(act="1")):
        seen = re.sub(r'<(\w+) class="vh"[^>]*>.*?</\1>|<[^>]*>', "", sheet, flags=re.DOTALL)
        assert not re.search("upper|middle|lower|olumn|left|right|top|bottom", seen), seen


def test_what_the_counts_refuse_can_be_accepted_by_the_host(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "configure", way="referee", edition="en")
    club.done(host, path, "start")
    club.look(path, phones)

    def send(phone, seat: int, **fields: str) -> int:
        form = {"play": "path", "seat": seat, **fields}
        return int(club.do(phone, path, "play", **form).status_code)

    assert send(phones[0], 1, card="Nx", at="0,-1") == 303
    again = {"card": "Sx", "at": "0,1"}
    asked = f"{path}/ask?place=0,1&card=Sx"
    assert "uncounted" not in phones[1].get(asked).text
    assert 'name="uncounted" value="1"' in host.get(asked).text
    assert send(phones[1], 2, **again) == 409
    assert send(phones[1], 2, **again, uncounted="1") == 403
    assert send(host, 2, **again, uncounted="1") == 303
    assert len(club.table(path).game_state.now.maze.cards) == 3


def test_the_pile_is_set_right_by_the_host(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "configure", way="referee", edition="en")
    club.done(host, path, "start")
    club.look(path, phones)
    assert 'name="pile" min="0" max="37"' in host.get(f"{path}/ask?count=1").text  # 30 were dealt
    assert phones[0].get(f"{path}/ask?count=1").status_code == 400
    assert club.do(phones[0], path, "play", play="count", pile="12").status_code == 403
    club.done(host, path, "play", play="count", pile="12")
    assert club.table(path).game_state.now.pile == 12
    assert "The draw pile was counted: 12" in phones[4].get(path).text
    assert club.table(path).game_state.now.turn == 0


def test_the_pile_has_no_more_cards_than_were_left_or_than_nobody_has_seen() -> None:
    assert pile_at_most(4, NONE_USED) == 43
    used = NONE_USED
    kinds = [kind for text, kind in KIND.items() for _ in range(TUNNEL_COPIES.get(text, 0))]
    for kind in kinds[:30]:
        used = use(used, kind)
    assert (pile_at_most(4, used), pile_at_most(3, used)) == (37, 37)


def test_a_play_is_put_right_while_the_later_ones_stay(seated) -> None:
    """By the host or by whose play it was."""
    club, host, path, phones = seated
    club.done(host, path, "configure", way="referee", edition="en")
    club.done(host, path, "start")
    club.look(path, phones)
    versions = []
    for seat, (card, at) in enumerate((("EW", "1,0"), ("EW", "2,0"), ("NESW", "3,0")), 1):
        club.done(phones[seat - 1], path, "play", play="path", card=card, at=at)
        versions.append(club.table(path).version)
    sheet = host.get(f"{path}/ask?entry={versions[1]}").text
    assert f"entry={versions[1]}&amp;card=1" in sheet
    assert "card=1" not in phones[0].get(f"{path}/ask?entry={versions[1]}").text
    picker = phones[1].get(f"{path}/ask?entry={versions[1]}&card=1").text
    assert 'value="NESW"' in picker
    assert 'action="' + path + '/do/correct"' in picker
    right = {"play": "path", "step": "1", "card": "NEW", "at": "2,0"}
    assert club.do(phones[0], path, "correct", **right).status_code == 403
    club.done(phones[1], path, "correct", **right)
    symbols = re.findall(r'id="c\d\.0" href="#([\w-]+)"', host.get(path).text)
    assert sorted(symbols) == ["start", "t-EW", "t-NESW", "t-NEW"]
    assert "Corrected:" in phones[4].get(path).text


def test_what_the_host_reports_for_somebody_is_told_as_the_host_s_report(round_on, seated) -> None:
    _, host, path, phones = seated
    play, _ = round_on
    version = play("path", card="EW", at="1,0")
    for phone in (host, phones[0], phones[1]):
        (last,) = re.findall(r'<p id="last">(.*?)</p>', phone.get(path, **EN).text, re.DOTALL)
        assert "Reported by the host" in last
    (line,) = re.findall(
        rf'<li id="e{version}">.*?</li>', phones[1].get(path, **EN).text, re.DOTALL
    )
    assert "Reported by the host" in line
    seat = seated[0].table(path).game_state.now.turn
    seated[0].done(phones[seat], path, "play", play="path", card="EW", at="2,0")
    (last,) = re.findall(r'<p id="last">(.*?)</p>', host.get(path, **EN).text, re.DOTALL)
    assert "Reported by" not in last


def test_who_reports_for_another_may_tell_more_than_an_action_card(round_on, seated) -> None:
    _, _, path, (anna, *_) = seated
    _, ask = round_on
    title = r'<h2 id="sheet-h"[^>]*>([^<]*)</h2>'
    assert re.findall(title, ask(act="1")) == ["Report for another player"]
    assert re.findall(title, anna.get(f"{path}/ask?act=1").text) == ["Tegevuskaart"]


def test_a_card_that_was_reported_wrongly_is_one_tap_from_the_question_of_a_rockfall(
    round_on,
) -> None:
    play, ask = round_on
    version = play("path", card="EW", at="1,0")
    sheet = ask(fall="1,0")
    assert kind(sheet) == "fall"
    assert re.search(rf'ask\?entry=e{version}[^"]*"[^>]*>It was reported wrongly<', sheet)


def test_of_a_tool_only_that_is_offered_which_lets_later_plays_stand(round_on) -> None:
    """Anna's pickaxe was broken, and mended since: it can have been no other tool, nor anybody
    else's."""
    play, ask = round_on
    version = play("break", tool="pickaxe", target="1")
    assert ask(entry=version).count("/do/correct") > 2
    play("pass")
    play("repair", card="pickaxe", tool="pickaxe", target="1")
    sheet = ask(entry=version)
    assert "/do/correct" not in sheet
    assert "This play can only be undone" in sheet


def test_a_finger_that_hits_the_start_card_hears_of_the_place_first(round_on) -> None:
    _, ask = round_on
    sheet = ask(fall="0,0")
    assert kind(sheet) == "refused"
    assert "There is already a card here. A rockfall never takes the start card" in sheet


EN = {"Accept-Language": "en"}


def test_a_sheet_that_is_opened_again_and_again_takes_no_more_room(seated) -> None:
    """As pages, without script: what is about one sheet is not kept for all."""
    club, host, path, phones = seated
    club.done(host, path, "configure", way="referee", edition="en")
    club.done(host, path, "start")
    club.look(path, phones)
    moments = club.app.extensions["companion"].moments
    sizes = []
    for _ in range(3):
        assert host.get(f"{path}/ask?place=1,0").status_code == 200
        sizes.append(len(moments.newest(club.table(path).id)._made))
    assert sizes[0] == sizes[-1] > 0


def test_all_are_told_who_can_put_a_play_right_or_undo_it(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "configure", way="referee", edition="en")
    club.done(host, path, "start")
    club.look(path, phones)
    club.done(phones[0], path, "play", play="path", card="EW", at="1,0")
    club.done(phones[1], path, "play", play="map", goal="north")
    club.done(phones[2], path, "play", play="rockfall", at="1,0")
    club.done(phones[3], path, "play", play="pass")
    club.done(host, path, "play", play="count", pile="20")
    words = (
        "This play can only be undone: by its player until the next play, or on the host’s device"
        " once all later plays have been undone."
    )
    corrected = "Only its player and the host can correct this play."
    everybody = (*phones, host)
    path_play, *others = club.table(path).round.undo_steps

    def told(step: UndoStep, words: str) -> list[int]:
        """Which of them."""
        asked = f"{path}/ask?entry={step.version}"
        sheets = [(phone.language, phone.get(asked).text) for phone in everybody]
        return [
            at
            for at, (language, sheet) in enumerate(sheets)
            if catalogue(language).gettext(words) in sheet
        ]

    assert told(path_play, words) == []
    assert told(path_play, corrected) == [1, 2, 3, 4]
    for step in others:
        assert told(step, words) == [0, 1, 2, 3, 4, 5]
        assert told(step, corrected) == []


def test_who_hosts_is_not_sent_to_the_host(seated) -> None:
    """By a correction that is refused: what it says is right on every phone."""
    club, host, path, phones = seated
    club.done(host, path, "configure", way="referee", edition="en")
    club.done(host, path, "start")
    club.look(path, phones)
    for phone, (card, at) in zip(phones, (("EW", "1,0"), ("EW", "2,0")), strict=False):
        club.done(phone, path, "play", play="path", card=card, at=at)
    moved = {"play": "path", "step": "0", "card": "EW", "at": "-1,0"}
    refused = club.do(host, path, "correct", **moved).text
    assert "On the host’s device" in refused
    assert "The host can" not in refused


def test_a_correction_by_which_a_later_play_would_fall_says_whose(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "configure", way="referee", edition="en")
    club.done(host, path, "start")
    club.look(path, phones)
    for phone, (card, at) in zip(phones, (("EW", "1,0"), ("EW", "2,0")), strict=False):
        club.done(phone, path, "play", play="path", card=card, at=at)
    moved = {"play": "path", "step": "0", "card": "EW", "at": "-1,0"}
    version = club.table(path).round.undo_steps[0].version
    later = "a later play by Berta would no longer be legal"
    for asked in ("to=-1,0", "card=EWx"):
        sheet = host.get(f"{path}/ask?entry={version}&{asked}").text
        assert kind(sheet) == "refused"
        assert later in sheet
    offered = host.get(f"{path}/ask?entry={version}&card=1").text
    assert 'value="NESW"' in offered
    assert 'value="EWx"' not in offered
    assert kind(host.get(f"{path}/ask?entry={version}&to=5,5").text) == "refused"
    misfit = host.get(f"{path}/ask?entry={version}&card=NS").text
    assert "The marked edges show where." in misfit
    assert '<path class="edge"' in misfit
    answer = club.do(host, path, "correct", **moved)
    assert answer.status_code == 409
    assert later in answer.text
    assert len(club.table(path).game_state.now.maze.cards) == 3


def test_a_correction_by_which_a_count_would_fall_says_that_the_host_made_it(seated) -> None:
    """A host without a seat reports in the first player's name."""
    club, host, path, phones = seated
    club.done(host, path, "configure", way="referee", edition="en")
    club.done(host, path, "start")
    club.look(path, phones)
    for x, card in enumerate(["EW"] * 3 + ["NESW"] * 3 + ["NESWx"]):
        phone = phones[x % len(phones)]
        club.done(phone, path, "play", play="path", card=card, at=f"{x + 1},0")
    version = club.table(path).round.undo_steps[6].version
    club.done(host, path, "play", play="count", pile="20")
    sheet = host.get(f"{path}/ask?entry={version}&card=NESW").text
    assert "a later report by the host would no longer be possible" in sheet
    assert "a later play by" not in sheet


def test_from_a_correction_that_is_refused_its_play_is_one_tap_away(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "configure", way="referee", edition="en")
    club.done(host, path, "start")
    club.look(path, phones)
    before = club.table(path).version
    for phone, (card, at) in zip(phones, (("EW", "1,0"), ("EW", "2,0")), strict=False):
        club.done(phone, path, "play", play="path", card=card, at=at)
    club.done(phones[2], path, "play", play="break", tool="cart", target="4")
    again = re.compile(r'id="refusal".*?ask\?entry=(\d+)" data-sheet>(.*?)</a>', re.DOTALL)
    moved = {"play": "path", "step": "0", "card": "EW", "at": "-1,0"}
    aimed = {"play": "break", "step": "2", "tool": "cart", "target": "9"}
    for wrong in (moved, aimed):
        version = club.table(path).round.undo_steps[int(wrong["step"])].version
        link = again.search(club.do(host, path, "correct", **wrong).text)
        assert link is not None
        assert int(link[1]) == version
        sheet = host.get(f"{path}/ask?entry={version}").text
        assert f">{link[2]}</h2>" in sheet
        form = {"version": club.table(path).version, "key": "again", **wrong}
        by_script = host.fetch(f"{path}/do/correct", form, on=path)
        assert f"/ask?entry={version}" in by_script.text
    played = {"play": "path", "card": "EW", "at": "1,0"}
    assert not again.search(club.do(phones[3], path, "play", **played).text)
    for step in ("x", "9", ""):
        assert not again.search(club.do(host, path, "correct", **moved | {"step": step}).text)
    earlier = host.post(f"{path}/do/correct", {"version": before, "key": "earlier", **moved})
    assert not again.search(earlier.text)  # what had that number then is another play


def test_a_tool_and_its_owner_are_put_right(seated) -> None:
    """Another tool of the same player, or the same of another one: what was possible then, and lets
    later plays stand."""
    club, host, path, phones = seated
    club.done(host, path, "configure", way="referee", edition="en")
    club.done(host, path, "start")
    club.look(path, phones)
    for seat, tool in ((1, "cart"), (2, "lantern")):
        club.done(phones[seat - 1], path, "play", play="break", tool=tool, target="4")

    def offered(phone, at: int) -> set[tuple[str, str, str]]:
        version = club.table(path).round.undo_steps[at].version
        page = phone.get(f"{path}/ask?entry={version}").text
        forms = re.findall(r'action="[^"]*/do/correct".*?</form>', page, re.DOTALL)

        def field(form: str, name: str) -> str:
            found = re.search(rf'name="{name}" value="([^"]*)"', form)
            return found[1] if found else ""

        return {tuple(field(form, name) for name in ("card", "tool", "target")) for form in forms}

    assert offered(phones[0], 1) == set()
    assert offered(phones[1], 1) == {("", "pickaxe", "4")} | {("", "lantern", s) for s in "1235"}
    club.done(phones[2], path, "play", play="repair", card="lantern", tool="lantern", target="4")
    assert offered(phones[1], 1) == set()
    mends = {("cart", "cart"), ("lantern,cart", "cart"), ("lantern,cart", "lantern")}
    mends |= {("pickaxe,cart", "cart"), ("pickaxe,lantern", "lantern")}
    assert offered(host, 2) == {(card, tool, "4") for card, tool in mends}
    was = {"play": "break", "step": "0", "tool": "pickaxe", "target": "4"}
    assert club.do(phones[1], path, "correct", **was).status_code == 403
    assert club.do(host, path, "correct", **was | {"target": "9"}).status_code == 409
    assert club.do(host, path, "correct", **was | {"play": "pass"}).status_code == 400
    assert (
        club.do(host, path, "correct", **was | {"play": "map", "goal": "north"}).status_code == 400
    )
    club.done(phones[0], path, "correct", **was)
    assert club.table(path).game_state.now.broken == (0, 0, 0, 1, 0)
    other = {"play": "repair", "step": "2", "card": "cart", "tool": "cart", "target": "4"}
    answer = club.do(host, path, "correct", **other)
    assert "This tool is not broken" in answer.text
    club.done(host, path, "correct", **other | {"card": "pickaxe,cart", "tool": "pickaxe"})
    now = club.table(path).game_state.now
    assert now.broken == (0, 0, 0, 2, 0)
    fallen = {"play": "break", "step": "0", "tool": "pickaxe", "target": "5"}
    assert (
        "a later play by Carl would no longer be legal"
        in club.do(host, path, "correct", **fallen).text
    )


def left_of(sheet: str) -> list[tuple[int, int]]:
    """Of each kind of card: how many may still come, of how many there are."""
    return [(int(n), int(of)) for n, of in re.findall(r"<b>(\d+)</b>/(\d)", sheet)]


def test_what_has_been_played_is_counted_for_everybody(seated) -> None:
    """By kind, whichever way up a card lies; what was discarded face down, nobody knows."""
    club, host, path, phones = seated
    club.done(host, path, "configure", way="referee", edition="en")
    club.done(host, path, "start")
    club.look(path, phones)

    def sheets() -> set[tuple[tuple[int, int], ...]]:
        asked = [phone.get(f"{path}/ask?copies=1").text for phone in (host, *phones)]
        return {tuple(left_of(sheet)) for sheet in asked}

    (fresh,) = sheets()
    assert [of for _, of in fresh] == list(COPIES[:-2])
    assert all(left == of for left, of in fresh)
    assert sum(of for _, of in fresh) == DECK
    plays = (
        {"play": "path", "card": "ESW", "at": "1,0"},
        {"play": "pass"},
        {"play": "break", "tool": "cart", "target": "1"},
        {"play": "repair", "tool": "cart", "card": "pickaxe,cart", "target": "1"},
        {"play": "map", "goal": "north"},
        {"play": "path", "card": "NEW", "at": "2,0"},
    )
    for number, play in enumerate(plays):
        club.done(phones[number % 5], path, "play", **play)
    (now,) = sheets()
    gone = {at: of - left for at, (left, of) in enumerate(now) if left < of}
    repair = REPAIR_KIND[TOOL_BITS["pickaxe"] | TOOL_BITS["cart"]]
    assert gone == {KIND["NEW"]: 2, BREAK_KIND["cart"]: 1, repair: 1, MAP_KIND: 1}
    club.done(phones[0], path, "take-back")
    (before,) = sheets()
    assert before[KIND["NEW"]] == (4, 5)
    assert 'href="' + path + "/ask?copies=1" in phones[3].get(path).text


def test_that_a_tool_is_whole_comes_before_which_cards_are_left(round_on) -> None:
    play, ask = round_on
    for _ in range(2):
        play("break", tool="pickaxe", target="1")
        play("repair", card="pickaxe", tool="pickaxe", target="1")
    sheet = ask(who="2", tool="pickaxe", mend="1")
    assert kind(sheet) == "refused"
    assert "This tool is not broken" in sheet


def test_why_a_tool_cannot_be_mended_by_double_cards_that_are_gone(round_on) -> None:
    play, ask = round_on
    play("break", tool="pickaxe", target="2")
    play("break", tool="cart", target="2")
    play("repair", card="pickaxe,cart", tool="cart", target="2")
    play("break", tool="lantern", target="2")
    play("repair", card="pickaxe,lantern", tool="lantern", target="2")
    assert "already broken" not in ask(who="2", double="pickaxe")
    for _ in range(2):
        play("break", tool="pickaxe", target="1")
        play("repair", card="pickaxe", tool="pickaxe", target="1")
    sheet = ask(who="2", double="pickaxe")
    assert kind(sheet) == "refused"
    assert "No copies of this card are left." in sheet
    assert "It can be corrected in the log of the round." in sheet


def test_the_pile_is_not_counted_while_a_goal_is_turned(round_on) -> None:
    play, ask = round_on
    for x, card in enumerate(ACROSS, 1):
        play("path", card=card, at=f"{x},0")
    sheet = ask(count="1")
    assert kind(sheet) == "refused"


def test_of_a_card_that_somebody_vouched_for_all_is_put_right(round_on) -> None:
    """How it lies, and where."""
    play, ask = round_on
    play("path", card="EW", at="1,0")
    for x in range(2, 7):
        play("path", card="NEW", at=f"{x},0")
    version = play("path", card="NEW", at="-1,0", uncounted="1")  # a sixth
    assert "7,0" in ask(entry=f"e{version}", to="1")
    fits, _, _ = ask(entry=f"e{version}", card="1").partition("Cards that do not fit")
    assert 'name="card" value="ESW"' in fits


def test_of_a_repair_card_that_somebody_vouched_for_the_other_tool_is_offered(round_on) -> None:
    play, ask = round_on
    pair = {"card": "pickaxe,lantern", "tool": "pickaxe", "target": "2"}
    play("break", tool="pickaxe", target="2")
    play("repair", **pair)
    play("break", tool="pickaxe", target="2")
    play("break", tool="lantern", target="2")
    version = play("repair", **pair, uncounted="1")  # there is one such card
    sheet = ask(entry=f"e{version}")
    other = 'name="tool" value="lantern"><input type="hidden" name="card" value="pickaxe,lantern">'
    assert other in sheet
    assert other.replace("lantern", "pickaxe", 1) not in sheet


def test_a_sheet_at_the_last_card_shares_out_no_gold(round_on, monkeypatch) -> None:
    """How long its answer takes may tell whether there is a saboteur."""
    play, ask = round_on
    play("count", pile=0)
    for _ in range(5 * 6 - 1):
        play("pass")

    def shared(*_args: Any) -> Any:
        pytest.fail("gold was shared out")

    monkeypatch.setattr("companion.games.saboteur.rules.gold.pay_saboteurs", shared)
    assert kind(ask(place="1,0")) == "place"
    assert kind(ask(act="1")) == "action"
    assert kind(ask(who="2")) == "player"


def test_cards_for_two_tools_are_told_apart_by_ear(seated) -> None:
    """In a correction: the same tool is mended by each."""
    club, host, path, phones = seated
    club.done(host, path, "configure", way="referee", edition="en")
    club.done(host, path, "start")
    club.look(path, phones)
    club.done(phones[0], path, "play", play="break", tool="pickaxe", target="4")
    version = club.table(path).version + 1
    club.done(phones[1], path, "play", play="repair", tool="pickaxe", card="pickaxe", target="4")
    sheet = host.get(f"{path}/ask?entry={version}").text
    names = [
        re.sub(r"<[^>]*>|\s+", " ", each).strip()
        for each in re.findall(r'<button class="choice tall">(.*?)</button>', sheet, re.DOTALL)
    ]
    assert len(names) > 1
    assert len({*names}) == len(names), names
