"""A game is watched again in a browser: to its end, by slider, keys and links, and from a file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Page, Route, expect

from companion.cli.replay import replay
from companion.games import GAMES
from companion.languages import LOCALES
from companion.web.app import drawing
from companion.web.html.cache import Html
from companion.web.html.panels import Page as Panels
from companion.web.http.assets import Assets
from companion.web.view.replay import Replay, replay_of
from tests.browser.phones import NO_STORAGE, Device, Kind, Phone
from tests.browser.tables import send, sit

pytestmark = pytest.mark.browser

GAMES_FOLDER = Path(__file__).parents[1] / "games"
LONG = GAMES_FOLDER / "saboteur/records/shared/saboteur-lv-2009.jsonl"
TRAINS = GAMES_FOLDER / "trains/records/trains-1.jsonl"
RECORDS = sorted(
    path for path in GAMES_FOLDER.rglob("records/**/*.jsonl") if "verdicts" not in path.name
)

WALK = """([expected, jumps]) => {
  const same = at => {
    const box = document.createElement("div");
    box.innerHTML = expected[at - 1];
    const stage = document.getElementById("stage").cloneNode(true);
    for (const each of [box, stage]) {  // which card of the maze stands before which has no meaning
      for (const cells of each.querySelectorAll("[id^=cells-]"))
        cells.append(...[...cells.children].sort((a, b) => a.id < b.id ? -1 : 1));
    }
    return box.childNodes.length === stage.childNodes.length
      && [...box.childNodes].every((node, index) => node.isEqualNode(stage.childNodes[index]));
  };
  const wrong = [];
  const look = at => {
    if (!same(at)) wrong.push(`${at}: ${document.getElementById("stage").innerHTML}`);
  };
  look(1);
  for (let at = 2; at <= expected.length; at++) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
    look(at);
  }
  for (const at of jumps) {
    seek.value = at;
    seek.dispatchEvent(new Event("input"));
    look(at);
  }
  return wrong;
}"""
"""From the first scene by the key to the last, then where `jumps` says by the slider: what is not
as it is expected."""


@cache
def drawer() -> tuple[Flask, Html]:
    app = drawing(GAMES, Assets())
    return app, Html(app)


def stages(found: Replay, locale: str) -> list[str]:
    """What each scene shows, as it is drawn at once."""
    html = drawer()[1]
    return [html.whole(Panels(scene.layout, scene.parts), locale) for scene in found.scenes]


def games_in(path: Path) -> Iterator[tuple[int, Replay]]:
    number = 1
    while isinstance(found := replay_of([path.read_bytes()], GAMES, number=number), Replay):
        yield number, found
        number += 1


def opened(phone: Phone, record: Path) -> Page:
    page = phone.page
    page.goto("/replay")
    page.locator("#record").set_input_files(record)
    page.locator("#open button").click()
    expect(page.locator("#run")).to_be_visible()
    return page


def position(page: Page) -> int:
    return int(page.locator("#at").inner_text().partition("/")[0])


@pytest.mark.slow
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parents[1].name}-{path.stem}")
def test_every_scene_of_every_recorded_game(
    new_phone: Callable[..., Phone], tmp_path: Path, path: Path
) -> None:
    """Forwards play by play, then backwards in large steps: each is as if it had been drawn."""
    phone = new_phone(Kind("lv"))
    for number, found in games_in(path):
        file = tmp_path / f"{number}.html"
        arguments = [str(path), "-o", str(file), "--game", str(number), "--lang", "lv"]
        replay.main(arguments, standalone_mode=False)
        phone.page.goto(file.as_uri())
        expected = stages(found, "lv")
        last = len(expected)
        wrong = phone.page.evaluate(WALK, [expected, [*range(last, 0, -17), 1, last]])
        assert not wrong, [each[:2000] for each in wrong][:2]
        assert position(phone.page) == last
    assert phone.said == []


def test_slider_keys_and_links(new_phone: Callable[..., Phone]) -> None:
    phone = new_phone(Kind("en"))
    page = opened(phone, LONG)
    last = int(page.locator("#at").inner_text().partition("/")[2])
    assert position(page) == 1
    page.keyboard.press("ArrowRight")
    assert position(page) == 2
    page.keyboard.press("End")
    assert position(page) == last
    expect(page.locator("#said")).to_contain_text("Winner: Jüri")
    page.keyboard.press("ArrowRight")
    assert position(page) == last
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    assert position(page) == 1
    seek = page.locator("#seek")
    seek.focus()  # it has the same keys of itself
    for key, there in (("ArrowRight", 2), ("End", last), ("ArrowLeft", last - 1), ("Home", 1)):
        page.keyboard.press(key)
        assert position(page) == there, key
    seek.fill("40")
    assert position(page) == 40
    said = page.locator("#said").inner_text()
    assert seek.get_attribute("aria-valuetext") == said.replace("\n", "")
    assert page.locator(".plays [aria-current]").inner_text() == said
    page.locator(".controls [rel=next]").click()
    page.locator(".controls [rel=next]").click()
    page.locator(".controls [rel=prev]").click()
    assert position(page) == 41
    page.locator(".rounds a").nth(1).click()
    expect(page.locator("#in-round")).to_have_text("Round 2/3")
    expect(page.locator("#said")).to_have_text("The dwarf cards are dealt.")
    page.locator(".plays li a").nth(9).click()
    assert position(page) == 10
    page.wait_for_url(re.compile(r"#10$"))
    page.evaluate("location.hash = '#77'")
    expect(page.locator("#at")).to_have_text(f"77/{last}")
    assert phone.said == []


@pytest.mark.parametrize("touch", [False, True])
def test_every_quick_tap_goes_a_play_on(new_phone: Callable[..., Phone], *, touch: bool) -> None:
    page = opened(new_phone(Kind("en", touch=touch)), LONG)
    for rel, there in (("next", 6), ("prev", 1)):
        box = page.locator(f".controls [rel={rel}]").bounding_box()
        assert box
        at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if touch:
            for _ in range(5):
                page.touchscreen.tap(*at)
        else:
            page.mouse.click(*at, click_count=5)
        expect(page.locator("#at")).to_have_text(re.compile(f"^{there}/"))


OVER = """() => {
  const all = [...document.querySelectorAll(".onward :is(a, button), .said, .plays, .dock")];
  const boxes = all.map((each) => each.getBoundingClientRect());
  return all.flatMap((each, at) => boxes.slice(0, at)
    .filter((box) => box.right > boxes[at].left + 1 && box.left < boxes[at].right - 1
      && box.bottom > boxes[at].top + 1 && box.top < boxes[at].bottom - 1)
    .map(() => each.textContent));
}"""
"""What lies over something else."""


def played(laptop: Device, *begun: str) -> str:
    """The address of a table with a game after each of these commands."""
    path, _ = sit([laptop], ["Õnne"])
    for name in ("Ärni", "Bo"):
        send(laptop, f"{path}/do/add-seat", name=name)
    for game in begun:
        send(laptop, f"{path}/do/{game}")
        for number in (1, 2, 3):
            send(laptop, f"{path}/do/begin")
            send(laptop, f"{path}/do/play", play="result", reached=0, last=3)
            send(laptop, f"{path}/do/deal" if number < 3 else f"{path}/do/count")
    return path


def test_in_another_language_it_goes_on_where_it_is(laptop: Device) -> None:
    page = laptop.page
    page.goto(f"{played(laptop, 'start')}/replay")
    page.keyboard.press("End")
    at = page.locator("#at").inner_text()
    assert position(page) > 1
    page.locator("a.lang").click()
    page.locator("button[value=fi]").click()
    expect(page.locator("html[lang=fi] #at")).to_have_text(at)
    assert re.search(r"/replay(\?game=1)?#\d+$", page.url)


def test_in_another_language_a_file_is_shown_again(new_phone: Callable[..., Phone]) -> None:
    page = opened(new_phone(Kind("en")), TRAINS)
    page.keyboard.press("End")
    at = page.locator("#at").inner_text()
    page.locator("a.lang").click()
    page.locator("button[value=fi]").click()
    expect(page.locator("html[lang=fi] #at")).to_have_text(at)
    page.go_back()
    expect(page.get_by_role("button", name="Suomi")).to_be_visible()


def test_who_taps_while_a_file_is_on_its_way_again_goes_back_as_whoever_waits(
    new_phone: Callable[..., Phone],
) -> None:
    page = opened(new_phone(Kind("en")), TRAINS)
    page.locator("a.lang").click()
    steps = page.evaluate("history.length")

    def tapped(route: Route) -> None:
        page.locator("h1").click(no_wait_after=True)
        route.continue_()

    page.route("**/replay_open*", tapped)
    page.locator("button[value=fi]").click()
    expect(page.locator("html[lang=fi] #at")).to_be_visible()
    assert page.evaluate("history.length") == steps + 2  # what it was sent from is one of them
    page.go_back()
    expect(page.get_by_role("button", name="Suomi")).to_be_visible()


def test_a_file_that_was_opened_is_come_back_to(new_phone: Callable[..., Phone]) -> None:
    """At its play: by loading it anew, from the rules and from the foot of the page."""
    page = opened(new_phone(Kind("en")), TRAINS)
    page.locator(".plays li a").nth(4).click()
    expect(page).to_have_url(re.compile("#5$"))

    def there() -> None:
        expect(page.locator("#at")).to_have_text(re.compile("^5/"))

    page.reload()
    there()
    for link in ("a.rules", "footer a"):
        page.locator(link).click()
        page.go_back()
        there()
        page.locator(link).click()
        page.locator(".dock a, main a.btn").filter(has_text="Back").first.click()
        there()
    page.locator("a[href='#story']").first.click()
    page.reload()
    expect(page.locator("#story")).to_be_in_viewport()


def test_a_file_that_is_refused_is_not_sent_again(
    new_phone: Callable[..., Phone], tmp_path: Path
) -> None:
    """Chosen on the page on which one that was watched was on its way again."""
    page = opened(new_phone(Kind("en")), TRAINS)
    expect(page).to_have_url(re.compile("#1$"))

    def stops(route: Route) -> None:
        if route.request.method == "POST":
            route.abort("aborted")
        else:
            route.continue_()

    page.route("**/replay", stops)
    with page.expect_event("requestfailed"):
        page.evaluate("location.reload()")  # Playwright's own waits for what never comes
    page.locator("#record").wait_for()
    page.unroute("**/replay")
    bad = tmp_path / "bad.jsonl"
    bad.write_text("hello")
    page.locator("#record").set_input_files(bad)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    with page.expect_navigation():
        page.locator("#open button").click()
    expect(page.locator("#refusal")).to_be_visible()
    page.evaluate("fetch('/privacy').then(each => each.text())")  # so long it would have taken
    assert sent.count("POST") == 1


def test_a_game_of_the_table_is_come_back_to(laptop: Device) -> None:
    page = laptop.page
    page.goto(f"{played(laptop, 'start')}/replay")
    page.locator(".plays li a").nth(2).click()
    page.locator("footer a").click()
    page.locator(".dock a, main a.btn").filter(has_text="Tagasi").first.click()
    expect(page.locator("#at")).to_have_text(re.compile("^3/"))


@pytest.mark.parametrize("locale", LOCALES)
def test_nothing_lies_over_anything_on_a_table_screen(laptop: Device, locale: str) -> None:
    """After the second game, from where other games, the story and the table are reached."""
    page = laptop.page
    path = played(laptop, "start", "new-game")
    laptop.context.add_cookies([{"name": "screen_locale", "value": locale, "url": laptop.url}])
    for width, height in ((1280, 720), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{path}/replay?screen=1")
        expect(page.locator(".onward a")).to_have_count(4)
        assert page.evaluate(OVER) == []


ACROSS = ((568, 320), (667, 375), (800, 360), (844, 390))
"""Phones on their side."""


def first_of(record: Path, folder: Path) -> Path:
    """The first one of the games in a file, in a file of its own."""
    lines = record.read_text(encoding="utf-8").splitlines()
    ends = [at for at, line in enumerate(lines) if "game" in json.loads(line)][1:] or [None]
    file = folder / "first.jsonl"
    file.write_text("\n".join(lines[: ends[0]]), encoding="utf-8")
    return file


@pytest.mark.parametrize("record", [LONG, TRAINS], ids=lambda path: path.stem)
def test_on_its_side_a_phone_keeps_the_keys_in_sight(
    new_phone: Callable[..., Phone], record: Path
) -> None:
    page = opened(new_phone(Kind("fi", *ACROSS[0])), record)
    page.locator(".plays li a").nth(29).click()
    for width, height in ACROSS:
        page.set_viewport_size({"width": width, "height": height})
        for scrolled in ("0", "document.body.scrollHeight / 3"):
            page.evaluate(f"scrollTo(0, {scrolled})")
            for key in page.locator(".controls .round, #seek").all():
                expect(key).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("players", [2, 4])
def test_on_its_side_a_phone_shows_trains_without_a_frame(
    new_phone: Callable[..., Phone], tmp_path: Path, players: int
) -> None:
    """All of them, and the face-up cards; what does not fit is scrolled with the page."""
    record = first_of(GAMES_FOLDER / f"trains/records/endings-{players}.jsonl", tmp_path)
    page = opened(new_phone(Kind("fi", *ACROSS[0])), record)
    page.locator(".plays li a").last.click()
    stage = page.locator("#stage")
    trains = page.locator("#stage .trainlist > li")
    for width, height in ACROSS:
        page.set_viewport_size({"width": width, "height": height})
        assert stage.evaluate("box => box.scrollHeight <= box.clientHeight"), (width, height)
        first, second = (each.bounding_box() for each in trains.all()[:2])
        assert first
        assert second
        assert first["y"] == second["y"]  # beside each other
        keys, last = page.locator(".player"), page.locator("#stage li:visible").last
        page.evaluate("scrollTo(0, 0)")
        last.evaluate("row => row.scrollIntoView({ block: 'center' })")
        bound, box = keys.bounding_box(), last.bounding_box()
        assert bound
        assert box
        assert box["y"] + box["height"] <= bound["y"], (width, height)


def test_it_goes_on_by_itself_and_stops(new_phone: Callable[..., Phone]) -> None:
    phone = new_phone(Kind("en"))
    page = opened(phone, TRAINS)
    page.clock.install()
    page.keyboard.press("Space")
    page.clock.run_for(3000)
    assert position(page) == 3
    expect(page.locator("#run")).to_have_attribute("aria-label", "Pause")
    page.keyboard.press("Space")
    page.clock.run_for(9000)
    assert position(page) == 3
    page.locator("#run").click()
    page.locator(".controls [rel=next]").click()  # whoever takes a step wants to look
    page.clock.run_for(9000)
    assert position(page) == 4
    page.keyboard.press("End")
    page.locator("#run").click()  # from the beginning
    assert position(page) == 1


@pytest.mark.parametrize("stores", [True, False])
def test_a_file_is_dropped(new_phone: Callable[..., Phone], stores: bool) -> None:
    phone = new_phone(Kind("fi", 320, 640))
    page = phone.page
    if not stores:
        page.add_init_script(NO_STORAGE)
    page.goto("/replay")
    with page.expect_navigation():
        page.evaluate(
            """text => {
              const dropped = new DataTransfer();
              dropped.items.add(new File([text], "game.jsonl"));
              const how = { dataTransfer: dropped, bubbles: true, cancelable: true };
              document.querySelector("main").dispatchEvent(new DragEvent("drop", how));
            }""",
            TRAINS.read_text(encoding="utf-8"),
        )
    expect(page.locator("#run")).to_be_visible()
    assert phone.said == []


def test_hostile_files(new_phone: Callable[..., Phone], tmp_path: Path) -> None:
    phone = new_phone(Kind("en"))
    page = phone.page
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    for text in ("x" * 10_000_000, "{}\n" * 1_000_000):
        large = tmp_path / "large.jsonl"
        large.write_text(text)
        page.goto("/replay")
        sent.clear()
        page.locator("#record").set_input_files(large)
        expect(page.locator("#large")).to_have_text("The file is too large for a game.")
        page.locator("#open button").click()
        assert "POST" not in sent  # nothing is sent
    names = ["<img src=x onerror=x>", "</script><i>", "<!--<script>"]
    header = {"game": "trains", "seats": names, "starter": names[0]}
    deals = [
        {"play": "deal", "by": name, "row": [*range(80 - 10 * at, 73 - 10 * at, -1)]}
        for at, name in enumerate(names)
    ]
    odd = tmp_path / "odd.jsonl"
    odd.write_text("\n".join(map(json.dumps, (header, *deals))))
    opened(phone, odd)
    for at, name in enumerate(names, 1):
        expect(page.locator("#at")).to_have_text(f"{at}/3")
        expect(page.locator("#said")).to_contain_text(name)
        page.keyboard.press("ArrowRight")
    assert page.locator("main img, main i").count() == 0
    assert phone.said == []


def test_a_page_of_its_own_asks_for_nothing(
    new_phone: Callable[..., Phone], tmp_path: Path
) -> None:
    file = tmp_path / "game.html"
    replay.main([str(LONG), "-o", str(file), "--lang", "et"], standalone_mode=False)
    phone = new_phone(Kind("et"))
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url))
    phone.page.goto(f"{file.as_uri()}#42")
    expect(phone.page.locator("#at")).to_have_text(re.compile("^42/"))
    addresses = phone.page.locator("[href]").evaluate_all(
        "all => all.map(x => x.getAttribute('href'))"
    )
    assert all(each.startswith("#") for each in addresses)
    assert [each for each in asked if not each.startswith("file:")] == []
    assert phone.said == []
    still = new_phone(Kind("et", script=False))
    still.page.goto(file.as_uri())
    expect(still.page.locator(".plays li").nth(41)).to_be_visible()
    expect(still.page.locator("#run")).to_be_hidden()
