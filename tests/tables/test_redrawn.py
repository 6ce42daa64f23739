"""The gold that is drawn anew when an end is taken back stays so: whatever is undone or put right
afterwards, the record pays what the table pays."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.games import GAMES
from companion.games.game import Rejection
from companion.record import read
from companion.record.writing import record_lines
from companion.tables import commands as ask
from companion.tables import evolve_play
from companion.tables.chance import ReplayedShuffle
from companion.tables.model import Table
from tests.tables.evening import HOST, DirectEvening

TOOLS = ("pickaxe", "lantern", "cart")


def round_on(seed: int) -> DirectEvening:
    evening = DirectEvening(seed=seed)
    evening.start(way="referee")
    return evening


def play(evening: DirectEvening, **fields: Any) -> Table:
    """Of the player whose turn it is."""
    table = evening.table
    return evening.done(HOST, ask.Play(table.players[table.game_state.now.turn].id, fields))


def broken(evening: DirectEvening) -> Table:
    return play(evening, play="break", tool="cart", seat=evening.table.players[1].id)


def treasure(evening: DirectEvening) -> Table:
    finisher = evening.table.players[0].id
    return evening.done(HOST, ask.Play(None, {"play": "result", "finisher": finisher}))


def by_record(evening: DirectEvening) -> Any:
    """The game as whoever reads its record has it."""
    table, game = evening.table, GAMES["saboteur"]
    history = evening.tables.last_game(table)
    assert history is not None
    names = tuple(player.recorded for player in table.players)
    lines = "".join(record_lines(game, names, history.initial_state, game.plays_of(history.events)))
    *_, last = read([lines.encode()], GAMES)
    assert last.verdict is None or last.verdict.ok
    return last.state


def put_right(evening: DirectEvening) -> None:
    wrong = {"play": "break", "step": 0, "tool": "lantern", "seat": evening.table.players[1].id}
    evening.done(HOST, ask.Correct(wrong))


def undo(evening: DirectEvening) -> None:
    evening.done(HOST, ask.TakeBack())


@pytest.mark.parametrize("then", [undo, put_right])
@pytest.mark.parametrize("seed", range(1, 4))
def test_what_was_seen_does_not_come_back(seed: int, then: Callable[[DirectEvening], None]) -> None:
    evening = round_on(seed)
    gold = broken(evening).game_state.gold
    play(evening, play="pass")
    treasure(evening)
    undo(evening)
    assert evening.table.game_state.gold != gold
    then(evening)
    assert evening.table.game_state.gold != gold
    evening.restart()
    assert by_record(evening) == evening.table.game_state
    treasure(evening)
    assert by_record(evening) == evening.table.game_state


def test_the_game_is_finished_and_that_is_undone_with_the_round_before_it() -> None:
    evening = round_on(2)
    broken(evening)
    treasure(evening)
    evening.done(HOST, ask.Finish())
    for _ in range(2):
        undo(evening)
        assert by_record(evening) == evening.table.game_state
    put_right(evening)
    treasure(evening)
    assert by_record(evening) == evening.table.game_state


def shuffled_for_the_last_play_alone(table: Table, shuffles: Sequence[Sequence[int]]) -> Table:
    """As the program did it until November 2026."""
    beginning, last = table.beginning, table.round.undo_steps[-1]
    assert beginning is not None
    assert table.game.redraw is not None
    began, before = table.game.redraw(beginning.game_state, last.before, ReplayedShuffle(shuffles))
    return replace(
        table,
        beginning=replace(beginning, game_state=began),
        round=replace(
            table.round, undo_steps=(*table.round.undo_steps[:-1], replace(last, before=before))
        ),
        deals=replace(
            table.deals,
            shares=(None, *table.deals.shares[1:]),
            seals=(None, *table.deals.seals[1:]),
            redrawn=True,
        ),
    )


@pytest.mark.parametrize("then", [undo, put_right])
def test_a_table_of_an_older_program_has_what_its_phones_have_shown(
    then: Callable[[DirectEvening], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """There the old pile came back, and was paid from: what is kept of a round's end says how."""
    for seed in range(10):
        evening = round_on(seed)
        with monkeypatch.context() as older:
            older.setattr(evolve_play, "_redrawn", shuffled_for_the_last_play_alone)
            broken(evening)
            play(evening, play="pass")
            treasure(evening)
            undo(evening)
            then(evening)
            shown = treasure(evening).game_state
            evening.done(HOST, ask.Deal())
            evening.look()
            broken(evening)
            treasure(evening)
            undo(evening)
            treasure(evening)
            was = evening.table
        evening.restart()
        now = evening.table
        assert now.game_state.past[0] == shown.past[0]
        assert now.game_state == was.game_state
        assert now.beginning == was.beginning
        undo(evening)
        treasure(evening)
        assert evening.table.game_state.past[0] == shown.past[0]


# Any order of all that changes a game


class Chosen:
    """What a table is asked, by numbers that Hypothesis has chosen."""

    def __init__(self, evening: DirectEvening, random_: random.Random) -> None:
        self.evening, self.random = evening, random_

    def ask(self, command: ask.Command) -> bool:
        return not isinstance(self.evening.ask(HOST, command), Rejection)

    def play(self) -> None:
        players, turn = self.evening.table.players, self.evening.table.game_state.now.turn
        fields = self.random.choice(
            (
                {"play": "break", "tool": self.random.choice(TOOLS)},
                {"play": "repair", "tool": (tool := self.random.choice(TOOLS)), "card": [tool]},
                {"play": "pass"},
            )
        )
        if fields["play"] != "pass":
            fields = {**fields, "seat": self.random.choice(players).id}
        self.ask(ask.Play(players[turn].id, fields))

    def end(self) -> None:
        who = self.random.choice(self.evening.table.players).id
        told = self.random.choice(({"finisher": who}, {"finisher": None, "last": who}))
        self.ask(ask.Play(None, {"play": "result", **told}))

    def put_right(self) -> None:
        seat = self.random.choice(self.evening.table.players).id
        for step in range(len(self.evening.table.round.undo_steps)):
            wrong = {"step": step, "tool": self.random.choice(TOOLS), "seat": seat}
            if self.ask(ask.Correct({"play": "break", **wrong})):
                return

    def places(self) -> None:
        order = [seat.id for seat in self.evening.table.seats]
        self.random.shuffle(order)
        self.ask(ask.OrderSeats(tuple(order)))

    def deal(self) -> None:
        if self.ask(ask.Deal()):
            self.evening.look()

    def finish(self) -> None:
        self.ask(ask.Finish())

    def undo(self) -> None:
        self.ask(ask.TakeBack())

    def one(self, what: str) -> None:
        on = self.evening.table.game_state.now is not None
        if on or what not in ("play", "end"):
            getattr(self, what)()


PLAYING = ("play", "play", "end", "undo", "undo", "put_right", "places", "deal", "finish")


@settings(max_examples=25)
@given(
    st.integers(0, 10**6),
    st.sampled_from(("lv-2009", "fi")),
    st.lists(st.sampled_from(PLAYING), min_size=4, max_size=16),
)
def test_record_and_table_pay_the_same(seed: int, edition: str, what: list[str]) -> None:
    evening = DirectEvening(seed=seed)
    evening.open(edition=edition, way="referee")
    evening.seat("Anna", "Berta", "Carl", "Dora")
    evening.done(HOST, ask.Start())
    evening.look()
    chosen = Chosen(evening, random.Random(seed))
    for each in ("play", "end", "undo", *what):
        chosen.one(each)
        if (
            not evening.table.game_state.over
        ):  # no line of a record says that a game was finished early
            assert by_record(evening) == evening.table.game_state
