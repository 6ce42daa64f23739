"""Nobody learns what is not theirs to know: games that differ in it alone answer alike.

Each evening is played in several worlds at once that differ in the roles, the left-over dwarf and
the order of the gold, and every answer of every route to every viewer is compared byte for byte
(see `worlds`). Any two worlds that everybody has been shown the same in are a pair.

    NONINTERFERENCE_TIMES=20 python -m pytest tests/noninterference

asks for everything so many times over, with other games; the usual run does so once.
"""

from __future__ import annotations

import logging
import os
import pickle
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.noninterference.answers import Tally
from tests.noninterference.evening import ComparedEvening
from tests.noninterference.plan import Plan
from tests.noninterference.requests import UNKNOWN_FIELD
from tests.noninterference.worlds import COOKIES

MINERS, SABOTEURS = "miners", "saboteurs"
PAIRS = 200
"""Of games, in the usual run."""

BUILT_IN = {"version", "key"}
"""Fields that every command's form has."""

TIMES = int(os.environ.get("NONINTERFERENCE_TIMES", "1"))

PLANS = (
    Plan("et-2007", "referee", 3, (2, 8), (MINERS, SABOTEURS), worlds=8, shared=True),
    Plan("et-2007", "roles", 6, (1, 1, 6), (MINERS, SABOTEURS, MINERS), worlds=6),
    Plan("lt-2009", "roles", 3, (1, 2, 8), (SABOTEURS, MINERS, SABOTEURS), worlds=9),
    Plan("lt-2009", "referee", 7, (1, 6), (SABOTEURS, MINERS), worlds=6, public=True),
    Plan("lv-2009", "referee", 4, (1, 8), (MINERS, MINERS), worlds=8, host_plays=True),
    Plan("lv-2009", "roles", 9, (5,), (MINERS,), worlds=5),
    Plan("fi", "roles", 5, (2, 4, 8), (SABOTEURS, MINERS, MINERS), worlds=8, shared=True),
    Plan("fi", "referee", 8, (5,), (SABOTEURS,), worlds=5),
    Plan("en", "referee", 5, (1, 1, 7), (MINERS, SABOTEURS, MINERS), worlds=7, host_plays=True),
    Plan("en", "roles", 10, (1, 5), (SABOTEURS, MINERS), worlds=5, public=True),
)


EVENINGS = [
    replace(plan, seed=number + len(PLANS) * again)
    for again in range(TIMES)
    for number, plan in enumerate(PLANS)
]


@dataclass(frozen=True)
class Together:
    """What all evenings have found, wherever they are played; whoever plays the last one has it."""

    folder: Path

    def add(self, plan: Plan, tally: Tally) -> None:
        part = self.folder / f"{plan}.part"
        part.write_bytes(pickle.dumps(tally))
        part.rename(self.folder / f"{plan}.tally")

    def sum(self) -> Tally | None:
        """None while some are still played, or were not asked for."""
        found = [self.folder / f"{plan}.tally" for plan in EVENINGS]
        if not all(each.exists() for each in found):
            return None
        together = Tally()
        for each in found:
            together.add(pickle.loads(each.read_bytes()))
        return together


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory) -> Together:
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "noninterference"
    folder.mkdir(exist_ok=True)
    return Together(folder)


@pytest.fixture
def quiet() -> Iterator[None]:
    logging.disable()  # a full disk is among what is tried
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.slow
@pytest.mark.parametrize(
    "plan",
    [
        pytest.param(each, id=str(each), marks=pytest.mark.xdist_group(f"evening {each}"))
        for each in EVENINGS
    ],
)
def test_nobody_can_tell_such_games_apart(plan: Plan, together: Together, quiet: None) -> None:
    tally = ComparedEvening(plan).play().tally
    together.add(plan, tally)
    said = "\n".join(map(str, tally.leaks[:10]))
    assert not tally.leaks, f"{len(tally.leaks)} answers tell a secret, such as:\n{said}"
    every_route_by_every_method_for_every_viewer(plan, tally)
    # What is shown at last does differ: else the worlds were the same, and nothing was tested.
    assert tally.told_apart
    assert tally.secrets_told
    assert tally.searched > 1000, "numbers of deals were not looked for"
    summed = together.sum()
    if summed is not None:
        so_many_pairs_and_every_seat(summed)
        other_methods_and_all_kinds_of_answers(summed)
        every_field_that_is_looked_for_is_sent(summed)


def every_route_by_every_method_for_every_viewer(plan: Plan, tally: Tally) -> None:
    routes = {route for route, method in tally.routes if method in ("GET", "POST")}
    viewers = set().union(*tally.routes.values())
    assert len(viewers) >= plan.players + 4
    for route in routes:
        asked = tally.routes.get((route, "GET"), set()) | tally.routes.get((route, "POST"), set())
        assert asked == viewers, (route, viewers - asked)


def so_many_pairs_and_every_seat(tally: Tally) -> None:
    everybody = ("host", "guest", "television", "stranger", "bare")
    for viewer in everybody:
        assert len(tally.pairs[viewer]) >= PAIRS
    assert len(set().union(*(tally.pairs[f"seat {seat}"] for seat in range(1, 11)))) >= PAIRS
    for seat in range(1, 11):
        assert len(tally.pairs[f"seat {seat}"]) >= 10
    print(
        f"\n{len(tally.pairs['host'])} pairs of games, {tally.answers} answers, "
        f"{tally.bytes} bytes: {len(tally.leaks)} differ"
    )


def other_methods_and_all_kinds_of_answers(tally: Tally) -> None:
    methods = {method for _, method in tally.routes}
    assert {"GET", "POST", "HEAD", "OPTIONS"} <= methods
    for status in ("200", "303", "400", "403", "404", "405", "409", "429", "503"):
        assert tally.statuses[status], f"nothing was answered with {status}"
    assert not any(status.startswith("500") for status in tally.statuses)


def every_field_that_is_looked_for_is_sent(tally: Tally) -> None:
    for route, names in tally.looked_for.items():
        missing = names - tally.sent[route] - tally.sent[COOKIES] - BUILT_IN
        said = UNKNOWN_FIELD.format(names=", ".join(sorted(missing)), rule=route)
        assert not missing or not route, said
