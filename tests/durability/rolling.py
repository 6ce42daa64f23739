"""An evening at processes behind nginx that are all restarted, one after the other, while it is
played: nothing that a phone sends is refused, and its page is out of touch for a moment at most.

    make rolling ARGS="--times 10 --seed 1"
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.durability.ledger import Ledger, Line
from tests.durability.server import END_WAIT_S, Moments
from tests.durability.sitting import Sitting
from tests.kit.nginx import SECRET, Behind, SecurePhone, behind_nginx
from tests.kit.phone import BROKEN, NO_MORE, Answer, Form
from tests.kit.server import Server
from tests.kit.services import Postgres, Redis

REFUSED = (429, *range(500, 600))


class Watchful(SecurePhone):
    """Notes what it is refused."""

    refused: list[str]

    def once(
        self,
        method: str,
        path: str,
        form: Form | None = None,
        headers: Mapping[str, str] = NO_MORE,
    ) -> Answer:
        """Over a connection of its own: one that was kept could have been idle for too long."""
        try:
            answer = self.by(method, path, form, **headers)
        except BROKEN as broken:
            self.refused.append(f"{method} {path}: {broken}")
            raise
        if answer.status_code in REFUSED:
            self.refused.append(f"{method} {path}: {answer.status_code}")
            raise ConnectionError(answer.status_code)
        return answer


class House:
    """The processes, as phones come to them."""

    def __init__(self, behind: Behind) -> None:
        self.behind = behind
        self.refused: list[str] = []

    @property
    def starts(self) -> int:
        return sum(server.starts for server in self.behind.servers)

    def phone(self, name: str, over: threading.Event) -> Watchful:
        phone = Watchful(self.behind.nginx, name, over=over)
        phone.refused = self.refused
        return phone

    def restart(self, server: Server) -> None:
        """Until phones are led to it again."""
        server.end()
        server.launch()
        self.behind.wait_for(server)

    def errors(self) -> str:
        return "".join(server.errors() for server in self.behind.servers)

    def lines(self) -> list[Line]:
        with psycopg.connect(self.behind.database) as connection:
            rows = connection.execute(
                "SELECT version, kind, data, request, device, at FROM events ORDER BY version"
            )
            return [Line(*row) for row in rows]


@dataclass(frozen=True)
class Figures:
    restarts: int
    accepted: int
    plays: int
    refused: list[str]
    moves: int
    """How often a phone's stream has begun anew."""
    away_s: float
    """From the end of a stream until the phone shows the table again, at most."""

    def __str__(self) -> str:
        return (
            f"{self.restarts} restarts; {self.accepted} requests accepted, {self.plays} plays, "
            f"{len(self.refused)} refused; phones went elsewhere {self.moves} times, out of touch "
            f"for {self.away_s:.2f} s at most"
        )


def played(behind: Behind, times: int, seed: int) -> Figures:
    """All processes are restarted so many times."""
    house, ledger = House(behind), Ledger(SECRET.encode)
    sitting = Sitting(house, seed, ledger, Moments())
    try:
        sitting.gather()
        for server in behind.servers * times:
            with ThreadPoolExecutor(1) as pool:
                restarting = pool.submit(house.restart, server)
                while not restarting.done():
                    sitting.step()
            restarting.result()
            sitting.settle()
            sitting.same_everywhere()
            ledger.check(house.lines())
        refused = [*house.refused]  # till here: what is still under way ends with the processes
    except BaseException as error:
        error.add_note(f"seed {seed}, {house.refused}")
        error.add_note(house.errors()[-3000:])
        raise
    finally:
        sitting.over.set()
        for server in behind.servers:
            server.stop()
        sitting.close()
    assert "Traceback" not in house.errors(), house.errors()
    away = [each for stream in sitting.streams for each in stream.away_s]
    accepted = sum(report.told is not None for report in ledger.reports.values())
    return Figures(
        times * len(behind.servers), accepted, sitting.plays, refused, len(away), max(away)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    postgres, redis = Postgres(), Redis()
    try:
        postgres.start()
        redis.start()
        with (
            tempfile.TemporaryDirectory() as folder,
            behind_nginx(Path(folder), postgres, redis, end_wait_s=str(END_WAIT_S)) as behind,
        ):
            print(played(behind, given.times, given.seed))
    finally:
        redis.end()
        postgres.end()


if __name__ == "__main__":
    sys.exit(main())
