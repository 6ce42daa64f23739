"""The pages of the Game of Trains, for `gallery`."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from companion.games.trains.rules.abilities import ABILITIES, WAGONS
from companion.games.trains.rules.decide import whereabouts
from companion.games.trains.rules.model import Deal, Draft, Draw, Play, State, Use
from tests.browser.gallery import COVERED, NAMES, Tap, Visit, press, unfold_all
from tests.browser.phones import Device
from tests.browser.tables import send, sit
from tests.games.trains.dealer import until
from tests.kit.forms import form_of
from tests.kit.phone import Phone as Plain

SEATS = 4


def _type(*digits: str) -> Callable[[Page], None]:
    def typed(page: Page) -> None:
        page.locator("html.js").wait_for()
        for digit in digits:
            page.locator(f"[data-digit='{digit}']").first.press("Enter")

    return typed


def hang(host: Device, guest: Device, others: list[Plain]) -> list[Visit]:
    """Tables in the deal, at the host's turn, where gaps are to be filled, and a win."""

    def table(plays: list[Play]) -> str:
        devices = [host, guest, *others[: SEATS - 2]]
        path, _ = sit(devices, NAMES[:SEATS], game="trains")
        send(host, f"{path}/do/start")
        for play in plays:
            send(devices[play.by], f"{path}/do/play", **form_of(play))
        return path

    drawn, state = until(SEATS, _many_cards)
    removed, _ = until(SEATS, lambda state: state.phase == "refill" and state.turn == 1)
    won, _ = until(SEATS, lambda state: state.phase == "over")
    free = min(wagon for wagon in WAGONS if whereabouts(state, wagon) is None)
    new, turn, gap, over = map(table, ([], drawn, removed, won))
    emptied = [*_all_face_up(), Use(0, "remove_right", None)]
    gaps, undone = map(table, (emptied, emptied))
    send(host, f"{undone}/do/take-back")
    light, _ = sit([host, guest, *others[:2]], NAMES[:4], game="trains", way="light")
    send(host, f"{light}/do/start", starter=1)
    for seat, device in enumerate((host, guest, *others[:2]), 1):
        send(device, f"{light}/do/play", play="next", seat=seat)
    return [
        Visit("trains-deal", guest, new, _type("8", "5")),
        Visit("trains-turn", host, turn, _type("9", "9")),
        Visit("trains-waiting", guest, turn),
        Visit("trains-use", host, turn, press("[data-use=swap_adjacent]", "use")),
        Visit("trains-ability", host, f"{turn}/ask?card={free}&at=1"),
        Visit("trains-gap", guest, gap),
        Visit(
            "trains-for-another", host, gap, press(".dock a[data-sheet]", "act"), excused=COVERED
        ),
        Visit("trains-over", host, over),
        Visit("trains-deal-screen", host, f"{new}/screen", wide=True),
        Visit("trains-screen", host, f"{turn}/screen", wide=True),
        Visit("trains-gaps-screen", host, f"{gaps}/screen", wide=True),
        Visit("trains-undone-screen", guest, f"{undone}/screen", wide=True),
        Visit("trains-over-screen", host, f"{over}/screen", wide=True),
        Visit("trains-light-gaps", host, light, press(".dock a[href*=gaps]", "gaps")),
        Visit("trains-light-screen", host, f"{light}/screen", Tap("#deeds summary"), wide=True),
        Visit("trains-take", host, f"{over}/take"),
        Visit("trains-games", host, f"{over}/games"),
        Visit("trains-replay", host, f"{over}/replay?at=20"),
        Visit("trains-replay-screen", host, f"{over}/replay?screen=1&at=999", wide=True),
        Visit("trains-story", host, f"{over}/story", unfold_all),
        Visit("trains-story-screen", host, f"{over}/story?screen=1", wide=True),
    ]


def _many_cards(state: State) -> bool:
    """The host's turn, with a lock in a row and a wagon that nobody knows at the left end."""
    return (
        state.phase == "turn"
        and state.turn == 0
        and "swap_adjacent" in dict(state.market)
        and len(state.market) >= 4
        and state.known[state.rows[0][0]] is None
        and any(map(any, state.locks))
    )


def _all_face_up() -> list[Play]:
    """Each ability lies face up once, and no more ever do; then it is the host's turn."""
    seats = range(SEATS)
    return [
        *(Deal(seat, tuple(range(80 - seat, 0, -10))[:7]) for seat in seats),
        *(Draft(seat, 1 + seat, 1, ABILITIES[seat]) for seat in seats),
        *(Draw(seat, 81 + seat, 7, ABILITIES[SEATS + seat]) for seat in seats),
    ]
