"""What a page has become by its stream, play after play, is what it is when it is loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from benchmarks.kit.evening import EDITION, SEATS, commands
from tests.browser.phones import Kind, Phone
from tests.browser.tables import Sender, send, sit
from tests.games.trains.dealer import until
from tests.kit.forms import form_of
from tests.kit.phone import Phone as Plain
from tests.kit.server import Server

pytestmark = pytest.mark.browser

PAGES = (("/screen", Kind("en", 1366, 768)), ("", Kind("lt")), ("/host", Kind("fi")))
"""That follow the table, the last one the host's."""

SEED = 0
COMMANDS = 135
"""Three rounds, and the beginning of the next game."""

LOADED = """async () => {
  const BY_SCRIPT = ["style", "inputmode", "readonly", "disabled"];
  const byScript = (node, name) =>
    BY_SCRIPT.includes(name) || (name === "hidden" && node.matches("[data-script]"));
  const plain = (page) => {
    const live = page.getElementById("live").cloneNode(true);
    const cells = live.querySelector("#cells"); // they lie in no order
    cells?.append(...[...cells.children].sort((a, b) => (a.id < b.id ? -1 : 1)));
    for (const each of live.querySelectorAll("noscript, input[name=version]")) each.remove();
    const walker = page.createTreeWalker(live, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.nodeType === Node.ELEMENT_NODE) {
        const kept = [...node.attributes].filter(({ name }) => !byScript(node, name));
        found.push([node.localName, ...kept.map(({ name, value }) => `${name}=${value}`).sort()]);
      } else if (node.data.trim()) found.push(node.data.replace(/\\s+/g, " ").trim());
    }
    return found.map(String);
  };
  const loaded = await (await fetch(location.href)).text();
  const here = plain(document), anew = plain(new DOMParser().parseFromString(loaded, "text/html"));
  anew.length = Math.max(here.length, anew.length);
  const at = anew.findIndex((each, place) => each !== here[place]);
  return at < 0 ? "" : `${here.slice(at, at + 3)} and not ${anew.slice(at, at + 3)}`;
}"""
"""In what the open page differs; whatever is open or typed there is its own."""

TRIES = 60
"""A computer that is busy may bring what a page follows later than what is loaded."""


def differing(phone: Phone) -> str:
    for _ in range(TRIES):
        wrong: str = phone.page.evaluate(LOADED)
        if not wrong:
            return ""
        phone.page.wait_for_timeout(50)
    return wrong


def compared(phones: list[Phone], done: Iterator[object], every: int) -> int:
    """How often all was alike."""
    times = 0
    for number, _ in enumerate(done, 1):
        for phone in phones if number % every == 0 else ():
            wrong = differing(phone)
            assert not wrong, (number, phone.page.url, wrong)
            times += 1
    return times


@pytest.fixture
def following(new_phone: Callable[..., Phone]) -> list[Phone]:
    """The host's is the last one."""
    return [new_phone(kind) for _, kind in PAGES]


@pytest.fixture
def others(server: Server) -> list[Plain]:
    """Who plays along without a page."""
    return [Plain(server.port) for _ in range(SEATS - len(PAGES))]


def opened(following: list[Phone], path: str) -> None:
    for phone, (page, _) in zip(following, PAGES, strict=True):
        phone.page.goto(path + page)


def test_saboteur(following: list[Phone], others: list[Plain]) -> None:
    senders: list[Sender] = [*reversed(following), *others]
    names = [f"Nr {number}" for number in range(1, SEATS + 1)]
    path, _ = sit(senders, names, way="referee", edition=EDITION)
    opened(following, path)

    def played() -> Iterator[object]:
        for command in islice(commands(SEED), COMMANDS):
            deed = "role" if command.name == "look" else f"do/{command.name}"
            yield send(senders[command.by or 0], f"{path}/{deed}", **command.form)

    assert compared(following, played(), 12) == len(PAGES) * (COMMANDS // 12)


def test_trains(following: list[Phone]) -> None:
    senders = following[::-1]
    path, _ = sit(senders, ["Anna", "Bert", "Carl"], game="trains")
    opened(following, path)
    plays, _ = until(3, lambda state: state.phase == "over")

    def played() -> Iterator[object]:
        yield send(senders[0], f"{path}/do/start", starter=1)
        for play in plays:
            yield send(senders[play.by], f"{path}/do/play", **form_of(play))

    assert compared(following, played(), 4) >= len(PAGES) * 8
