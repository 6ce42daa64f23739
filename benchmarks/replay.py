"""What a step of a game watched again costs a slow phone: `python benchmarks/replay.py`.

A game of ten players and three rounds, each until nobody has a card, on a phone of 390 × 844. Each
play is gone to by key, to the end and back; the time is the processor's, of the script, styles and
layout, as if it were four times slower.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.sync_api import CDPSession, Page

from benchmarks.kit.browser import chromium
from companion.cli.replay import replay
from tests.web.test_replay import long_game

SLOWER = 4
MOST_MS = 16

STEP = """key => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  document.body.getBoundingClientRect();
}"""

COSTS = ("ScriptDuration", "RecalcStyleDuration", "LayoutDuration")


def spent_ms(session: CDPSession) -> float:
    """Processor time of the page up to now."""
    found = session.send("Performance.getMetrics")["metrics"]
    return 1000 * sum(each["value"] for each in found if each["name"] in COSTS)


def steps(page: Page) -> Iterator[float]:
    """Milliseconds of each, as if the processor were slower."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    plays = int(page.locator("#seek").get_attribute("max") or 0)
    for key in ("ArrowRight", "ArrowLeft"):
        for _ in range(plays - 1):
            before = spent_ms(session)
            page.evaluate(STEP, key)
            yield SLOWER * (spent_ms(session) - before)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        record, page_file = Path(folder, "game.jsonl"), Path(folder, "game.html")
        record.write_bytes(long_game())
        replay.main([str(record), "-o", str(page_file), "--lang", "lt"], standalone_mode=False)
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.goto(page_file.as_uri())
        took = list(steps(page))
    middle, tail, most = median(took), quantiles(took, n=100)[98], max(took)
    print(f"{len(took)} steps, processor {SLOWER} times slower: median {middle:.1f} ms, ", end="")
    print(f"99 of 100 within {tail:.1f} ms, all within {most:.1f} ms  ({MOST_MS})")


if __name__ == "__main__":
    main()
