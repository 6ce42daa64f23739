"""The explanation of a game: the same step on all pages of a table, and for one reader alone."""

from __future__ import annotations

import re
from html import unescape

import pytest

from companion.games import GAMES
from tests.games import third
from tests.kit import pages

TITLES = {
    "en": "Broken tools",
    "et": "Katkised tööriistad",
    "lt": "Sulaužyti įrankiai",
    "lv": "Salauzti darbarīki",
    "fi": "Rikkinäiset työkalut",
}
STEP = 6


def heading(text: str) -> str:
    found = re.search(r"<h1[^>]*>(.*?)</h1>", text)
    assert found, text
    return found[1]


def test_all_phones_and_the_screen_show_the_same_step(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "explain", step=STEP)
    for phone in phones:
        assert heading(phone.get(path).text) == TITLES[phone.language]
    television = club.phone("lv")
    for page in (host.get(f"{path}/screen"), television.get(f"{club.join_path(path)}/screen")):
        assert (
            f"{STEP}/12" in page.text and 'aria-label="QR code' in page.text
        ) or "QR" in page.text
    assert heading(television.get(f"{club.join_path(path)}/screen").text) == TITLES["lv"]
    late = club.phone("fi")
    assert late.post(club.join_path(path), {"name": "Väinö", "key": "k"}).status_code == 303
    assert heading(late.get(path).text) == TITLES["fi"]


def test_the_host_taps_on_from_phone_and_screen(seated) -> None:
    club, host, path, phones = seated
    for page in (path, f"{path}/screen"):
        assert f'action="{path}/do/explain"' in host.get(page).text
        club.done(host, path, "explain", step=STEP, page=page)
        assert re.search(r'name="step" value="7"', host.get(page).text)
        assert re.search(r'name="step" value="5"', host.get(page).text)
        club.done(host, path, "explain", step="", page=page)
        assert 'data-stage="step' not in host.get(page).text
    club.done(host, path, "explain", step=STEP)
    guest = phones[0].get(path).text
    assert "do/explain" not in guest
    assert "/explain/saboteur?" in guest
    assert club.do(phones[0], path, "explain", step=1).status_code == 403
    assert club.do(host, path, "explain", step=13).status_code == 400


@pytest.mark.parametrize(("game", "last"), [("saboteur", 12), ("trains", 10)])
@pytest.mark.parametrize("seated", [True, False])
def test_of_the_last_step_no_other_is_promised(club, game: str, last: int, seated: bool) -> None:
    """By a host with a name, or a laptop that hosts."""
    laptop = club.phone()
    path = club.open(laptop, game=game)
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    host = laptop
    if seated:
        club.done(laptop, path, "pass-hosting", seat=1)
        host = phones[0]
    for step, said in ((last - 1, "moves everyone on."), (last, "ends the explanation.")):
        club.done(host, path, "explain", step=step)
        lead = phones[1].get(path).text.partition('id="lead"')[2].partition("</p>")[0]
        plain = re.sub("<[^>]*>", "", lead)
        assert f"{'Anna, the host,' if seated else 'The host'} {said}" in plain
        assert plain.count(".") == 1


def test_the_other_pages_of_the_table_stay(seated) -> None:
    club, host, path, _ = seated
    club.done(host, path, "explain", step=STEP)
    for name, address in pages.ALL.items():
        shown = 'data-stage="step' in host.get(path + address).text
        assert shown == (name in ("table", "screen", "report")), name


def test_steps_follow_the_edition_and_the_way_of_the_table(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "explain", step=9)
    for edition, sentence in (("et-2007", "choose one"), ("lv-2009", "both are turned over")):
        club.done(host, path, "configure", edition=edition)
        assert sentence in phones[4].get(path).text
    club.done(host, path, "explain", step=12)
    assert "anyone can report how it ended" in phones[4].get(path).text
    club.done(host, path, "configure", way="referee")
    assert "the phone judges it" in phones[4].get(path).text


def test_while_a_game_is_on_there_is_none_for_all_but_one_alone(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "explain", step=1)
    club.done(host, path, "start")
    for phone in (host, *phones):
        for address in pages.ALL.values():
            text = phone.get(path + address).text
            assert 'data-stage="step' not in text
            assert "do/explain" not in text
    assert club.do(host, path, "explain", step=1).status_code == 409
    rules = phones[0].get(f"/rules/saboteur?back={path}").text
    found = re.search(r'href="(/explain/saboteur[^"]*)"', rules)
    assert found
    assert heading(phones[0].get(found[1].replace("&amp;", "&")).text)


@pytest.mark.parametrize("game", [each for each in GAMES if GAMES[each].explanation])
def test_between_games_it_is_offered_again(club, game: str) -> None:
    host = club.phone()
    path = club.open(host, game=game, way=next(iter(GAMES[game].ways)))
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    for command in ("begin", "finish", "count"):
        club.done(host, path, command)
    for page in (path, f"{path}/screen"):
        assert f'action="{path}/do/explain"' in host.get(page).text, page
        assert "do/explain" not in phones[0].get(page).text
    club.done(host, path, "explain", step=2)
    for page in (path, f"{path}/screen"):
        assert 'data-stage="step-2"' in phones[0].get(page).text
    club.done(host, path, "new-game")
    assert 'data-stage="step' not in phones[0].get(path).text


def test_alone_as_at_the_table_one_came_from(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "configure", edition="et-2007", way="referee")
    mine = phones[4].get(f"/explain/saboteur?step=9&back={path}").text
    assert "choose one" in mine
    assert f'href="{path}"' in mine
    stranger = club.phone().get(f"/explain/saboteur?step=9&back={path}").text
    assert "both are turned over" in stranger


@pytest.mark.parametrize("game", GAMES)
def test_every_step_alone_without_a_table(club, game: str) -> None:
    phone, manifest = club.phone("lt"), GAMES[game]
    for edition in manifest.editions:
        for way in manifest.ways:
            of = len(manifest.steps(edition, way))
            for step in range(1, of + 1):
                address = f"/explain/{game}?edition={edition}&way={way}&step={step}"
                answer = phone.get(address)
                assert answer.status_code == 200
                assert f"{step}/{of}" in answer.text
                inputs = re.findall(
                    r'<input class="try try\d" [^>]* id="(try-\d+-\d)"', answer.text
                )
                labels = re.findall(r'<label [^>]*for="(try-\d+-\d)"', answer.text)
                assert inputs
                assert inputs == labels
                replies = re.findall(r'class="reply is\d', answer.text)
                assert len(replies) == len(inputs)
                drawn = re.findall(r'<use href="#([\w-]+)"', answer.text)
                assert all(f'id="{each}"' in answer.text for each in drawn), address


@pytest.mark.parametrize("step", ["0", "99", "x", "", "-1", "²"])
def test_a_step_that_is_none_leads_to_one(club, step: str) -> None:
    assert club.phone().get(f"/explain/trains?step={step}").status_code == 200


def test_strange_addresses(club) -> None:
    assert club.phone().get("/explain/chess").status_code == 404
    page = club.phone().get("/explain/saboteur?edition=x&way=x&back=//example.org").text
    assert "example.org" not in page


def test_the_start_page_and_the_rules_lead_there(club) -> None:
    phone = club.phone()
    for page in ("/", "/screen", "/rules/trains"):
        assert "/explain/trains" in phone.client.get(page, follow_redirects=True).text, page


def test_who_looks_things_up_in_the_rules_finds_the_way_back_however_often(seated) -> None:
    """From the explanation the rules are a tap away, and it is from there."""
    _, _, path, (guest, *_) = seated
    shown = guest.get(path)
    for _ in range(6):
        for to in ("/rules/saboteur?", "/explain/saboteur?"):
            (at, *_) = re.findall(rf'href="({to}[^"]*)"', shown.text)
            shown = guest.get(unescape(at))
            assert shown.headers["Content-Language"] == guest.get(path).headers["Content-Language"]
    assert f'class="btn" href="{path}"' in shown.text


def test_a_game_without_one_speaks_of_none(clubs) -> None:
    club = clubs(games={"pebbles": third.game(fox=False)})
    host = club.phone()
    path = club.open(host, game="pebbles", edition="five", way="told")
    club.sit(path, ["Anna", "Berta"])
    for page in ("/", "/rules/pebbles", path, f"{path}/screen"):
        assert "/explain" not in host.get(page).text, page
    assert club.do(host, path, "explain", step=1).status_code == 400
    assert host.get("/explain/pebbles").status_code == 404
