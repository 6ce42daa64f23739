"""In which language each phone and each screen is spoken to."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import quote

import pytest

from companion.languages import LOCALES
from companion.tables.log import StorageError
from companion.web.view.asking import PAGES


def spoken(answer) -> str:
    return answer.headers["Content-Language"]


def test_the_browser_decides_at_first(club) -> None:
    assert spoken(club.phone("lt-LT,lt;q=0.9,en;q=0.8").get("/")) == "lt"
    assert spoken(club.phone("sv,de").get("/")) == "en-GB"


@pytest.mark.parametrize("locale", LOCALES)
def test_one_tap_for_a_year_and_back_to_the_same_page(club, locale: str) -> None:
    phone = club.phone("sv")
    choosing = phone.get("/language?next=/?screen%3D1")
    assert choosing.text.count('name="locale"') == len(LOCALES)
    chosen = phone.post("/language", {"locale": locale, "next": "/?screen=1"})
    assert (chosen.status_code, chosen.location) == (303, "/?screen=1")
    cookie = chosen.headers["Set-Cookie"]
    assert "Max-Age=31536000" in cookie
    assert spoken(phone.get("/")).startswith(locale)


def test_strangers_to_our_languages_get_the_table_s(club) -> None:
    path = club.open(club.phone("lv"), language="lv")
    guest = club.phone("ru-RU,ru;q=0.9")
    assert spoken(guest.get(club.join_path(path))) == "lv"


def test_they_keep_it_wherever_they_go_from_there(club, monkeypatch: pytest.MonkeyPatch) -> None:
    path = club.open(club.phone("et"), language="et")
    (guest,), join = club.sit(path, ["Uwe"], ("de",)), club.join_path(path)
    rules = quote(f"/rules/saboteur?back={path}", safe="")
    opened = {
        f"/privacy?back={path}": 200,
        f"/privacy?back={rules}": 200,
        f"/privacy?back={join}/screen": 200,
        f"/language?next={path}": 200,
        f"/language?next={rules}": 200,
        f"/rules/saboteur/scores?back={rules}": 200,
        f"/rules/none?back={path}": 404,
        f"{path}/nothing": 404,
        f"{path}/host": 403,
        f"{path}/take": 409,
        f"{join}/replay": 409,
    }
    for page, status in opened.items():
        answer = guest.get(page)
        assert (answer.status_code, spoken(answer)) == (status, "et"), page
    stranger = club.phone("de")
    for page in opened:
        assert spoken(stranger.get(page)) == ("et" if join in page else "en-GB"), page

    def fails(*args: object) -> None:
        raise StorageError("the disk is away")

    monkeypatch.setattr(club.tables, "get", fails)
    for page in (f"/privacy?back={path}", f"/language?next={path}", f"{path}/nothing"):
        answer = guest.get(page)
        assert (answer.status_code, spoken(answer)) == (opened[page], "en-GB"), page


def test_the_screen_has_its_own(club) -> None:
    laptop = club.phone("en")
    path = club.open(laptop)
    screen = f"{path}/screen"
    laptop.post("/language", {"locale": "fi", "next": screen})
    assert spoken(laptop.get(screen)) == "fi"
    assert spoken(laptop.get(path)) == "en-GB"
    laptop.post("/language", {"locale": "et", "next": path})
    assert spoken(laptop.get(screen)) == "fi"
    assert spoken(laptop.get(path)) == "et"


def switched(phone, page: str, locale: str) -> None:
    """By the switch in the head of a page, which then speaks that language."""
    shown = phone.get(page)
    switch = re.search(r'class="lang" href="([^"]*)"', shown.text)[1]
    choosing = phone.get(unescape(switch))
    assert spoken(choosing) == spoken(shown)
    there = unescape(re.search(r'name="next" value="([^"]*)"', choosing.text)[1])
    phone.post("/language", {"locale": locale, "next": there})
    assert spoken(phone.get(there)) == locale


@pytest.mark.parametrize("guest", [False, True])
def test_pages_opened_from_the_screen_have_its_language(seated, guest: bool) -> None:
    club, laptop, path, phones = seated
    club.done(laptop, path, "start")
    club.done(laptop, path, "begin")
    club.done(phones[0], path, "play", play="result", reached="1", finisher="2")
    club.done(laptop, path, "finish")
    here = club.join_path(path) if guest else path
    screen = club.phone() if guest else laptop
    for each in (laptop, screen):
        each.post("/language", {"locale": "fi", "next": path})
        each.post("/language", {"locale": "lv", "next": f"{path}/screen"})
    shown = screen.get(f"{here}/screen").text
    opened = [*re.findall(r'href="([^"]*/replay[^"]*|/rules/[^"]*)"', shown)]
    opened += [f"{here}/fair"] * guest + [f"/explain/saboteur?back={here}/screen"]
    assert len(opened) == 3 + guest
    for page, locale in zip(map(unescape, opened), ("et", "lt", "et", "lt"), strict=False):
        switched(screen, page, locale)
        assert spoken(screen.get(f"{here}/screen")) == locale
    privacy = screen.get("/privacy", Referer=f"http://localhost{here}/screen")
    assert spoken(privacy) == spoken(screen.get(f"{here}/screen"))
    assert spoken(laptop.get(path)) == "fi"
    for page in (f"{path}/replay", f"/rules/saboteur?back={path}", f"/privacy?back={path}"):
        switched(laptop, page, "et")
        switched(laptop, page, "fi")


def test_a_seat_s_page_has_one_language_wherever_it_was_opened(seated) -> None:
    """With the sheets on it."""
    club, host, path, phones = seated
    club.done(host, path, "configure", way="referee")
    club.done(host, path, "start")
    club.look(path, phones)
    host.post("/language", {"locale": "fi", "next": path})
    host.post("/language", {"locale": "lv", "next": f"{path}/screen"})
    (reporting,) = re.findall(rf'href="({path}\?screen=1)"', host.get(f"{path}/screen").text)
    assert spoken(host.get(reporting)) == "fi"
    (act,) = set(re.findall(rf'href="({path}/ask\?act=1[^"]*)"', host.get(reporting).text))
    assert spoken(host.get(unescape(act))) == "fi"


def test_what_is_opened_from_the_screen_stays_on_it(seated) -> None:
    """It has the screen's language, and leads back there; what a phone opens does not."""
    club, host, path, phones = seated
    for command in ("start", "new-game"):
        club.done(host, path, command)
        club.done(host, path, "begin")
        club.done(phones[0], path, "play", play="result", reached="1", finisher="2")
        club.done(host, path, "finish")
    host.post("/language", {"locale": "fi", "next": path})
    host.post("/language", {"locale": "lv", "next": f"{path}/screen"})
    for page, locale in (("/screen", "lv"), ("", "fi")):
        back = f'href="{path}{page}"'
        shown = host.get(path + page).text
        opened = re.findall(rf'href="({path}/(?:take|games|fair|host)[^"]*)"', shown)
        assert {re.split("[?#]", each)[0].removeprefix(f"{path}/") for each in opened} == {
            *("take", "games", "fair", "host")
        }
        for each in map(unescape, opened):
            answer = host.get(each)
            assert spoken(answer) == locale, each
            assert back in answer.text, each
            switched(host, each, "et")
            switched(host, each, locale)
        games = host.get(f"{path}/games{'?screen=1' if page else ''}").text
        for each in map(unescape, re.findall(rf'href="({path}/(?:take|replay)[^"]*)"', games)):
            assert spoken(host.get(each)) == locale, each
            assert back in host.get(each).text, each
        rules = host.get(f"/rules/saboteur?back={path}{page}").text
        scores = re.findall(r'href="(/rules/saboteur/scores[^"]*)"', rules)
        assert [spoken(host.get(unescape(each))) for each in scores] == [locale]


def test_what_is_opened_from_the_screen_switches_the_screen_s_language(
    seated,
) -> None:
    _, host, path, _ = seated
    for page in set(PAGES) - {"table", "screen"}:
        switched(host, f"{path}{PAGES[page]}?screen=1", "lv")
        assert spoken(host.get(f"{path}/screen")) == "lv"
        switched(host, f"{path}{PAGES[page]}", "fi")


def test_what_cannot_be_opened_from_the_screen_is_said_in_its_language(seated) -> None:
    club, host, path, _ = seated
    host.post("/language", {"locale": "fi", "next": path})
    host.post("/language", {"locale": "lv", "next": f"{path}/screen"})
    join = club.join_path(path)
    for page, locale in (
        (f"{path}/take?screen=1", "lv"),
        (f"{path}/replay?screen=1", "lv"),
        (f"{join}/story", "lv"),
        (f"/rules/none?back={path}/screen", "lv"),
        (f"{path}/take", "fi"),
        ("/rules/none?back=" * 1000 + f"{path}/screen", "fi"),
    ):
        assert host.get(page).status_code in (404, 409)
        assert spoken(host.get(page)) == locale, page
    switched(host, f"{path}/take?screen=1", "et")
    assert spoken(host.get(f"{path}/screen")) == "et"


@pytest.mark.parametrize("locale", ["", "xx", "en_GB", "../lt", "l" * 9000])
def test_other_languages_are_refused(club, locale: str) -> None:
    answer = club.phone().post("/language", {"locale": locale, "next": "/"})
    assert answer.status_code == 400
    assert "Set-Cookie" not in answer.headers


def test_junk_cookies_do_no_harm(club) -> None:
    phone = club.phone("fi")
    phone.client.set_cookie("locale", "lt-LT; DROP")
    phone.client.set_cookie("screen_locale", "\\xff")
    phone.client.set_cookie("name", "%ff%00<b>" * 50)
    assert spoken(phone.get("/")) == "fi"
    path = club.open(phone)
    assert phone.get(club.join_path(path)).status_code == 200


@pytest.mark.parametrize("locale", LOCALES)
def test_refusals_and_errors_speak_it_too(seated, locale: str) -> None:
    club, _, path, _ = seated
    phone = club.phone(locale)
    texts = {
        spoken(answer): answer.text
        for answer in (phone.get("/nowhere"), phone.post(club.join_path(path), {"name": "Anna"}))
    }
    assert next(iter(texts)).startswith(locale)
    assert len(texts) == 1


def test_pages_say_what_they_depend_on(club) -> None:
    vary = club.phone().get("/").headers["Vary"]
    assert {"Cookie", "Accept-Language", "Accept-Encoding"} <= set(vary.split(", "))
