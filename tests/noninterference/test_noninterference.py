"""Nobody learns what is not theirs to know: games that differ in it alone answer alike.

Each evening is played in several worlds at once that differ in the roles, the left-over dwarf and
the order of the gold, and every answer of every route to every viewer is compared byte for byte
(see `worlds`). Any two worlds that everybody has been shown the same in are a pair.

    NONINTERFERENCE_TIMES=20 python -m pytest tests/noninterference

asks for everything so many times over, with other games; the usual run does so once.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import pytest
from jinja2 import FileSystemBytecodeCache

from tests.noninterference.answers import Tally
from tests.noninterference.evening import Evening, Plan
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


def played(plan: Plan, cache: str) -> Tally:
    logging.disable()  # a full disk is among what is tried
    return Evening(plan, FileSystemBytecodeCache(cache)).play().tally


@pytest.fixture(scope="module")
def tallies(tmp_path_factory: pytest.TempPathFactory) -> dict[Plan, Tally]:
    """Every evening, played on as many processors as there are."""
    plans = [
        replace(plan, seed=number + len(PLANS) * again)
        for again in range(TIMES)
        for number, plan in enumerate(PLANS)
    ]
    cache = str(tmp_path_factory.mktemp("templates"))
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), mp_context=spawn) as pool:
        return dict(zip(plans, pool.map(played, plans, [cache] * len(plans)), strict=True))


@pytest.fixture(scope="module")
def tally(tallies: dict[Plan, Tally]) -> Tally:
    together = Tally()
    for one in tallies.values():
        together.add(one)
    return together


def test_nobody_can_tell_such_games_apart(tally: Tally) -> None:
    said = "\n".join(map(str, tally.leaks[:10]))
    assert not tally.leaks, f"{len(tally.leaks)} answers tell a secret, such as:\n{said}"


def test_so_many_pairs_and_every_seat(tally: Tally) -> None:
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


def test_every_route_by_every_method_for_every_viewer(tallies: dict[Plan, Tally]) -> None:
    for plan, tally in tallies.items():
        routes = {route for route, method in tally.routes if method in ("GET", "POST")}
        viewers = set().union(*tally.routes.values())
        assert len(viewers) >= plan.players + 4
        for route in routes:
            asked = tally.routes.get((route, "GET"), set()) | tally.routes.get(
                (route, "POST"), set()
            )
            assert asked == viewers, (str(plan), route, viewers - asked)


def test_other_methods_and_all_kinds_of_answers(tally: Tally) -> None:
    methods = {method for _, method in tally.routes}
    assert {"GET", "POST", "HEAD", "OPTIONS"} <= methods
    for status in ("200", "303", "400", "403", "404", "405", "409", "429", "503"):
        assert tally.statuses[status], f"nothing was answered with {status}"
    assert not any(status.startswith("500") for status in tally.statuses)


def test_every_field_that_is_looked_for_is_sent(tally: Tally) -> None:
    for route, names in tally.looked_for.items():
        missing = names - tally.sent[route] - tally.sent[COOKIES] - BUILT_IN
        said = UNKNOWN_FIELD.format(names=", ".join(sorted(missing)), rule=route)
        assert not missing or not route, said


def test_what_is_shown_at_last_does_differ(tallies: dict[Plan, Tally]) -> None:
    """Else the worlds were the same from the beginning, and nothing was tested."""
    for plan, tally in tallies.items():
        assert tally.told_apart, str(plan)
        assert tally.secrets_told, str(plan)


def test_numbers_of_deals_were_looked_for(tallies: dict[Plan, Tally]) -> None:
    for plan, tally in tallies.items():
        assert tally.searched > 1000, str(plan)
