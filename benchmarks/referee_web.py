"""The figures of the referee at the table: bytes of an update and of the page, reports, frames.

    python benchmarks/referee_web.py [--reports 40] [--no-browser]

Ten phones at one table with thirty cards on it; the maze that is dragged has forty-four.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.kit.browser import chromium, page_of
from benchmarks.kit.server import Server
from benchmarks.kit.streams import Streams
from benchmarks.kit.tables import PHONES, Table, bytes_of, table_of
from companion.games.saboteur import GAME
from companion.games.saboteur.rules.decide import legal
from companion.games.saboteur.rules.model import Break, Play, RoundEnded, State
from companion.games.saboteur.rules.model import Path as Lay

UPDATE_CARDS = 30
DRAG_CARDS = 44

FRAMES = """
async () => {
  const box = document.querySelector(".mazebox .maze").getBoundingClientRect();
  const target = document.querySelector(".pan");
  const at = (type, x, y) => target.dispatchEvent(new PointerEvent(type, {
    bubbles: true, cancelable: true, pointerId: 7, pointerType: "touch", isPrimary: true,
    clientX: x, clientY: y, button: type === "pointerdown" ? 0 : -1,
  }));
  const x = box.left + box.width / 2, y = box.top + box.height / 2;
  at("pointerdown", x, y);
  const spent = [];
  let last = 0;
  for (let n = 0; n < 90; n++) {
    at("pointermove", x + 90 * Math.sin(n / 9), y + 90 * Math.cos(n / 7));
    const now = await new Promise(requestAnimationFrame);
    if (last) spent.push(now - last);
    last = now;
  }
  at("pointerup", x, y);
  return spent.slice(10);
}
"""


def filled(table: Table, cards: int) -> State:
    """The table with so many cards in its maze, and the game as its server has it but for roles."""
    chance = random.Random(0)
    state = GAME.new(PHONES, 0, "lv-2009", chance)
    for event in deal(state, chance):
        state = GAME.evolve(state, event)
    while state.now is not None and len(state.now.maze.cards) < cards:
        play = next_card(state, chance)
        if play is None:
            break
        events = GAME.decide(state, play)
        assert isinstance(events, tuple)
        for event in events:
            state = GAME.evolve(state, event)
        report(table, play)
    return state


def deal(state: State, chance: random.Random) -> tuple[object, ...]:
    dealt = GAME.decide(state, GAME.deal(state, chance))
    assert isinstance(dealt, tuple)
    return dealt  # type: ignore[return-value]


def next_card(state: State, chance: random.Random) -> Play | None:
    """A tunnel card that reaches no goal, so that nothing ends; None when no more fits."""
    assert state.now is not None
    found = [
        Lay(state.now.turn, card, at)
        for at, fitting in legal(state).items()
        for card in fitting
        if -7 < at[0] < 7
    ]
    chance.shuffle(found)
    found.sort(key=lambda play: play.card.endswith("x"))
    for play in found:
        events = GAME.decide(state, play)
        if isinstance(events, tuple) and not any(isinstance(e, RoundEnded) for e in events):
            return play
    return None


def report(table: Table, play: Play, **more: str) -> None:
    fields = {"play": type(play).__name__.lower(), "seat": str(play.by + 1)}  # type: ignore[union-attr]
    if isinstance(play, Lay):
        fields |= {"card": play.card, "at": f"{play.at[0]},{play.at[1]}"}
    elif isinstance(play, Break):
        fields |= {"tool": play.tool, "target": str(play.seat + 1)}
    table.phones[play.by].post(  # type: ignore[union-attr]
        f"{table.path}/do/play", key=str(time.perf_counter()), **fields, **more
    )


def opened(port: int) -> Table:
    table = table_of(port, PHONES)
    table.do(table.host, "configure", way="referee", edition="lv-2009")
    table.do(table.host, "start")
    for seat, phone in enumerate(table.phones, 1):
        table.do(phone, "look", seat=str(seat))
    return table


def reports(table: Table, state: State, times: int) -> tuple[dict[str, float], dict[str, float]]:
    """From accepted, and from sent, to shown to all ten; and the bytes that each of them got."""
    streams = Streams([table])
    streams.start()
    streams.complete(0, int(table.version), 20)
    assert state.now is not None
    accepted: list[float] = []
    sent: list[float] = []
    sizes: list[int] = []
    for turn in range(times):
        version = table.version
        began = time.perf_counter()
        if turn % 2:
            phone, deed, form = table.host, "take-back", {}
        else:
            phone, deed = table.phones[state.now.turn], "play"
            target = str((state.now.turn + 2) % PHONES + 1)
            seat = str(state.now.turn + 1)
            form = {"play": "break", "tool": "pickaxe", "target": target, "seat": seat}
        phone.post(f"{table.path}/do/{deed}", version=version, key=str(began), **form)
        answered = time.perf_counter()
        arrivals = streams.complete(0, int(version) + 1)
        sent.extend(at - began for at in arrivals)
        accepted.extend(max(0.0, at - answered) for at in arrivals)
        sizes.extend(streams.sizes[0, int(version) + 1])
        time.sleep(0.02)
    streams.ended = True
    streams.join()
    return {"smallest": min(sizes), "largest": max(sizes)}, {
        "accepted_p50_ms": 1000 * statistics.median(accepted),
        "accepted_p99_ms": 1000 * statistics.quantiles(accepted, n=100)[98],
        "sent_p99_ms": 1000 * statistics.quantiles(sent, n=100)[98],
    }


def frames(table: Table) -> dict[str, float]:
    with chromium() as browser:
        page = page_of(browser, table, table.phones[0])
        page.wait_for_timeout(800)
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        session.send("Performance.enable")

        def task_s() -> float:
            metrics = session.send("Performance.getMetrics")["metrics"]
            return next(each["value"] for each in metrics if each["name"] == "TaskDuration")

        before = task_s()
        spent = page.evaluate(FRAMES)
        work = (task_s() - before) / 90
    return {
        "interval_median_ms": statistics.median(spent),
        "interval_p90_ms": statistics.quantiles(spent, n=10)[8],
        "main_thread_per_frame_ms": 1000 * work,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=40)
    parser.add_argument("--no-browser", action="store_true")
    given = parser.parse_args()
    figures: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as data:
        server = Server(data)
        table = opened(server.port)
        state = filled(table, UPDATE_CARDS)
        page = bytes_of(table.phones[0], table.path)
        figures["table page, bytes"] = page | {"in all": sum(page.values()) - page["repeat"]}
        sizes, times = reports(table, state, given.reports)
        figures[f"an update for a phone, {UPDATE_CARDS} cards, bytes"] = sizes
        figures["one table of ten"] = times
        if not given.no_browser:
            big = opened(server.port)
            now = filled(big, DRAG_CARDS - 3).now  # and three goals
            assert now is not None
            shown = len(now.maze.cards) + 3
            figures[f"dragging {shown} cards, 4 x slower"] = frames(big)
        server.end()
    for name, value in figures.items():
        if isinstance(value, dict):
            value = json.dumps({key: round(each, 1) for key, each in value.items()})
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
