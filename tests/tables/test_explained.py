"""The host takes all through the explanation of the game, while none is on."""

from __future__ import annotations

import pytest

from companion.tables import commands as ask
from tests.storage.contract import rows_of
from tests.tables.evening import HOST, DirectEvening


@pytest.fixture
def evening() -> DirectEvening:
    evening = DirectEvening()
    evening.open()
    evening.seat("Anna", "Berta", "Carl")
    return evening


def test_all_are_at_one_step_and_a_restart_changes_nothing(evening: DirectEvening) -> None:
    for step in (1, 2, 3, 2):
        assert evening.done(HOST, ask.Explain(step)).explained == step
    evening.restart()
    assert evening.table.explained == 2
    assert evening.done(HOST, ask.Explain(None)).explained is None


def test_only_the_host_taps_on(evening: DirectEvening) -> None:
    assert evening.refused("anna", ask.Explain(1)) == "not_host"
    assert evening.table.explained is None


@pytest.mark.parametrize("step", [0, -1, 13, 10**9])
def test_there_are_only_the_steps_of_the_game(evening: DirectEvening, step: int) -> None:
    assert evening.refused(HOST, ask.Explain(step)) == "bad_request"


def test_the_same_step_again_is_not_written_down(evening: DirectEvening) -> None:
    evening.done(HOST, ask.Explain(1))
    rows = len(rows_of(evening.log, evening.id))
    evening.done(HOST, ask.Explain(1))
    assert len(rows_of(evening.log, evening.id)) == rows


def test_no_page_is_stale_because_of_it(evening: DirectEvening) -> None:
    version = evening.table.version
    evening.done(HOST, ask.Explain(1))
    assert evening.done(HOST, ask.Start(), version=version).playing


def test_a_game_ends_it_and_it_is_back_between_games(evening: DirectEvening) -> None:
    evening.done(HOST, ask.Explain(12))
    evening.done(HOST, ask.Start())
    assert evening.table.explained is None
    assert evening.refused(HOST, ask.Explain(1)) == "game_under_way"
    evening.look()
    evening.report()
    assert evening.refused(HOST, ask.Explain(1)) == "game_under_way"  # between two rounds, too
    evening.done(HOST, ask.Deal())
    evening.look()
    evening.finish()
    assert evening.done(HOST, ask.Explain(1)).explained == 1
    evening.done(HOST, ask.TakeBack())
    assert evening.table.playing
    assert evening.table.explained is None
