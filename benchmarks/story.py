"""What the story of a game costs: `python -m benchmarks.story`.

Milliseconds of processor time, from the record to the page's HTML, the least of five, of the
longest recorded game of the tests; and of that the part for how far the treasure was. The figure to
reach stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time

from companion.games import GAMES
from companion.games.saboteur.rules import figures
from companion.web.app import drawing
from companion.web.http.assets import Assets
from companion.web.view.panels import Html
from companion.web.view.render import framed
from companion.web.view.replay import Played, Where, played_of, story_view

RECORDS = Path(__file__).parents[1] / "tests/games"


def milliseconds(task: Callable[[], object], times: int = 5) -> float:
    """The least processor time of so many runs."""
    spent = []
    for _ in range(times):
        start = process_time()
        task()
        spent.append(process_time() - start)
    return min(spent) * 1e3


def longest(game: str) -> tuple[bytes, int, Played]:
    """A record with this game, the number of the game in it, and what was played."""
    found = []
    for path in sorted((RECORDS / game).rglob("records/**/*.jsonl")):
        record, number = path.read_bytes(), 1
        while isinstance(played := played_of([record], GAMES, number=number), Played):
            found.append((record, number, played))
            number += 1
    return max(found, key=lambda each: len(each[2].steps))


def _course(plays: list[figures.Play]) -> list[figures.Point]:
    return list(figures.course(plays))


def main() -> None:
    app = drawing(GAMES, Assets())
    html = Html(app)
    where = Where(here="/t/x/story", fields=(("game", "1"),), back="/t/x")

    def page(record: bytes, number: int) -> str:
        played = played_of([record], GAMES, number=number)
        assert isinstance(played, Played)
        view = story_view(played, where, html, "lt")
        return framed(app, "story", "lt", view, html.fresh(view, "lt"))

    for game in GAMES:
        record, number, played = longest(game)
        page(record, number)  # templates are read once
        spent = milliseconds(partial(page, record, number))
        print(f"{game}: the longest record, {len(played.steps)} plays  {spent:6.1f} ms  (150)")
        if game == "saboteur":
            plays = [(step.state, step.events) for step in played.steps]
            spent = milliseconds(partial(_course, plays))
            print(f"  of it for how far the treasure was  {spent:6.1f} ms")


if __name__ == "__main__":
    main()
