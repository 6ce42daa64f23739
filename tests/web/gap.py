"""Games after games, and who asks for everything between the disk and the memory of each.

    python -m tests.web.gap [games]    # 10,000 unless said otherwise; some minutes

A new game is on the disk before the table in memory has moved on. Just then a player and, in turn,
the host or a guest ask for the record, for the proof of the deals, and for another of the table's
pages: each answer must be the one from before.
"""

from __future__ import annotations

import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from companion.record.fair import drawn
from companion.web.html.bounded_cache import BoundedCache
from tests.kit.pages import ALL
from tests.web.conftest import Club, Phone
from tests.web.test_slow_disk import FRESH, SlowLog

Asked = list[tuple[Phone, str]]
Answers = list[tuple[int, bytes]]

GAMES = 10_000
GAMES_EACH = 100
"""Of one table."""

PAGES = tuple(ALL.values())


def leaks(most: int) -> list[str]:
    """What was asked, where the answer was another one than before."""
    with tempfile.TemporaryDirectory() as folder:
        limited = ("requests", "forms", "joins", "dear")
        plenty = {f"{each}_per_minute": 10**9 for each in limited} | {"tables_per_hour": 10**9}
        club = Club(
            Path(folder),
            draw=drawn,
            wrap=SlowLog,
            **plenty,
        )
        try:
            with ThreadPoolExecutor(1) as elsewhere:  # not within the request that is answered
                return [
                    leak
                    for begun in range(0, most, GAMES_EACH)
                    for leak in at_a_table(club, elsewhere, min(GAMES_EACH, most - begun))
                ]
        finally:
            club.close()


def at_a_table(club: Club, elsewhere: ThreadPoolExecutor, games: int) -> list[str]:
    host = club.phone()
    path = club.open(host)
    player = club.sit(path, ["Anna", "Berta", "Carl"])[0]
    others = (host, club.phone())
    found: list[str] = []

    for number in range(games + 1):
        asked = [
            (phone, f"{path}{page}")
            for phone in (player, others[number % 2])
            for page in ("/record.jsonl", "/fair", PAGES[number // 2 % len(PAGES)])
        ]
        before = answers(asked)

        def meanwhile(asked: Asked = asked, before: Answers = before) -> None:
            club.app.extensions["companion"].records = BoundedCache(0)  # else it is that of before
            during = elsewhere.submit(answers, asked).result()
            pairs = zip(asked, before, during, strict=True)
            found.extend(page for (_, page), one, other in pairs if one != other)

        club.log.meanwhile = meanwhile if number else None
        club.done(host, path, "new-game" if number else "start")
        for round_ in range(3):
            if round_:
                club.done(host, path, "deal")
            club.done(host, path, "begin")
            club.done(host, path, "play", play="result", reached="0", last="1")
    club.done(host, path, "end")
    return found


def answers(asked: Asked) -> Answers:
    found = [phone.get(page) for phone, page in asked]
    return [(answer.status_code, FRESH.sub(rb"\1", answer.data)) for answer in found]


def main() -> None:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    found = leaks(most)
    print(f"{most} games, six answers at the beginning of each: {len(found)} differ")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
