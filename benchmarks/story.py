"""What the story of a game costs: `python -m benchmarks.story`.

Milliseconds of processor time, from the record to the page's HTML, the least of five, of the
longest recorded game of the tests; of that the part for how far the treasure was; and for how long
nobody else has a turn meanwhile. Then the same of ten random players, whose rounds go on until
nobody has a card, and single random mazes. Figures to reach stand beside.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from companion.games import GAMES
from companion.games.saboteur.rules import figures
from companion.games.saboteur.rules.distance import further_cards
from companion.web.answers.render import framed
from companion.web.app import drawing
from companion.web.html.cache import Html
from companion.web.http.assets import Assets
from companion.web.view.recorded_game import RecordedGame, recorded_game_of
from companion.web.view.story import Where, story_view
from tests.games.saboteur.positions import positions
from tests.web.test_replay import long_game

MAZES = 500

RECORDS = Path(__file__).parents[1] / "tests/games"


def milliseconds(task: Callable[[], object], times: int = 5) -> float:
    """The least processor time of so many runs."""
    spent = []
    for _ in range(times):
        start = process_time()
        task()
        spent.append(process_time() - start)
    return min(spent) * 1e3


def longest(game: str) -> tuple[bytes, int, RecordedGame]:
    """A record with this game, the number of the game in it, and what it has."""
    found = []
    for path in sorted((RECORDS / game).rglob("records/**/*.jsonl")):
        record, number = path.read_bytes(), 1
        while isinstance(
            recorded := recorded_game_of([record], GAMES, number=number), RecordedGame
        ):
            found.append((record, number, recorded))
            number += 1
    return max(found, key=lambda each: len(each[2].steps))


def _course(plays: list[figures.AfterPlay]) -> list[figures.Point]:
    return list(figures.course(plays))


def longest_slice(task: Callable[[Callable[[], None]], object]) -> float:
    """The most processor time between two of its rests, in milliseconds; the least of five runs."""
    runs = []
    for _ in range(5):
        at = [process_time()]
        task(lambda at=at: at.append(process_time()))
        at.append(process_time())
        runs.append(max(after - before for before, after in pairwise(at)))
    return min(runs) * 1e3


def main() -> None:
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], 1 << 30)  # as the server does
    app = drawing(GAMES, Assets())
    html = Html(app)
    where = Where(here="/t/x/story", fields=(("game", "1"),), back="/t/x")

    def page(record: bytes, number: int, breathe: Callable[[], None] = lambda: None) -> str:
        recorded = recorded_game_of([record], GAMES, breathe, number)
        assert isinstance(recorded, RecordedGame)
        view = story_view(recorded, where, html, "lt", breathe)
        return framed(app, "story", "lt", view, html.fresh(view, "lt"))

    def tell(title: str, record: bytes, number: int) -> None:
        page(record, number)  # templates are read once
        print(f"{title}  {milliseconds(partial(page, record, number)):6.1f} ms  (150)")
        print(f"  at a stretch  {longest_slice(partial(page, record, number)):6.1f} ms  (20)")

    for game in GAMES:
        record, number, recorded = longest(game)
        tell(f"{game}: the longest record, {len(recorded.steps)} plays", record, number)
        if game == "saboteur":
            plays = [(step.state, step.events) for step in recorded.steps]
            spent = milliseconds(partial(_course, plays))
            print(f"  of it for how far the treasure was  {spent:6.1f} ms")
    tell("saboteur: ten players to their last cards", long_game(), 1)
    spent = sorted(
        milliseconds(partial(further_cards, maze, used), 1)
        for maze, used, _ in islice(positions(Random(11)), MAZES)
    )
    middle, tail, most = spent[MAZES // 2], spent[MAZES * 99 // 100], spent[-1]
    print(f"how far the treasure is, of {MAZES} mazes  median {middle:.2f} ms  (2)")
    print(f"  99 of 100 within  {tail:6.1f} ms, all within {most:.1f} ms")


if __name__ == "__main__":
    main()
