"""Any commands in any order: whatever happens, a table stays a table.

After every command the state in memory is the fold of the log (`DirectEvening.ask`); here come what
must always hold, restarts at any time, and double taps.
"""

from __future__ import annotations

from itertools import combinations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.games.game import Rejection
from companion.tables import commands as ask
from companion.tables.names import Names
from tests.tables.evening import HOST, DirectEvening

DEVICES = (HOST, "anna", "berta", "carl", "stranger")
NAMES = ("Anna", "ANNA", "Berta", "Carl", "Dora", "Emil", " ", "x" * 30)

devices = st.sampled_from(DEVICES)
seats = st.integers(0, 8)
hints = st.integers(-1, 40) | st.none()
optional = st.none() | seats
commands = st.one_of(
    st.builds(ask.Join, st.sampled_from(NAMES)),
    st.builds(ask.AddSeat, st.sampled_from(NAMES)),
    st.builds(ask.RemoveSeat, seats),
    st.builds(ask.RenameSeat, seats, st.sampled_from(NAMES)),
    st.builds(ask.TakeNameOut, seats, st.just("Anna")),
    st.builds(ask.Finish),
    st.builds(ask.Count),
    st.builds(ask.Explain, st.none() | st.integers(0, 13)),
    st.builds(ask.OrderSeats, st.permutations(range(1, 5)).map(tuple)),
    st.builds(
        ask.Configure,
        st.sampled_from((None, "fi", "xx")),
        st.sampled_from((None, "roles", "referee")),
        st.sampled_from((None, "et", "?")),
    ),
    st.builds(ask.Start, optional, st.booleans()),
    st.builds(ask.Look, seats),
    st.builds(ask.BeginWithout),
    st.builds(
        ask.Play,
        optional,
        st.fixed_dictionaries({"play": st.just("result"), "finisher": optional, "last": optional}),
    ),
    st.builds(ask.Play, optional, st.just({"play": "pass"})),
    st.builds(ask.TakeBack),
    st.builds(ask.ConfirmEnd),
    st.builds(ask.StopEnd),
    st.builds(ask.Deal),
    st.builds(ask.FreeSeat, seats),
    st.builds(ask.PassHosting, seats),
    st.builds(ask.RenewLink),
    st.builds(ask.GoOn, st.just("another table"), st.just("trains")),
    st.builds(ask.JoinPeople, seats, seats),
    st.builds(ask.PartPeople, seats),
    st.builds(ask.ClaimSeat, seats),
    st.builds(ask.TakeHosting, st.sampled_from((0.0, 500.0)), devices),
)


class Machine(RuleBasedStateMachine):
    @initialize(seed=st.integers(0, 3), way=st.sampled_from(("roles", "referee")))
    def open(self, seed: int, way: str) -> None:
        self.evening = DirectEvening(seed=seed)
        self.evening.open(way=way)
        self.last: tuple[str, ask.Command, int | None, str] | None = None
        self.accepted = False

    @rule(device=devices, command=commands, version=hints)
    def anything(self, device: str, command: ask.Command, version: int | None) -> None:
        self.send(device, command, version)

    @precondition(lambda self: len(self.evening.table.seats) < 3)
    @rule(device=devices, name=st.sampled_from(NAMES[:6]))
    def sit(self, device: str, name: str) -> None:
        self.send(device, ask.Join(name), None)

    @rule(command=st.sampled_from((ask.Start(), ask.BeginWithout(), ask.Deal(), ask.TakeBack())))
    def host(self, command: ask.Command) -> None:
        self.send(self.evening.table.host, command, None)

    @precondition(
        lambda self: self.evening.table.game_state is not None and self.evening.table.round.begun
    )
    @rule(pick=st.integers(0, 9), reached=st.booleans())
    def report(self, pick: int, reached: bool) -> None:
        players = self.evening.table.players
        who = players[pick % len(players)].id
        play = {"finisher": who} if reached else {"finisher": None, "last": who}
        self.send(self.evening.table.host, ask.Play(None, {"play": "result", **play}), None)

    def send(self, device: str, command: ask.Command, version: int | None) -> None:
        key = self.evening.key()
        before = self.evening.table
        answer = self.evening.ask(device, command, version, key)
        after = self.evening.table
        self.last = (device, command, version, key)
        self.accepted = not isinstance(answer, Rejection)
        if isinstance(answer, Rejection):
            assert after == before
        renamed = len(before.round.left)  # at most: where they are back
        assert before.version <= after.version <= before.version + 2 + renamed
        assert before.change.version <= after.change.version <= after.version

    @precondition(lambda self: self.last is not None and self.accepted)
    @rule()
    def tap_again(self) -> None:
        assert self.last is not None
        device, command, version, key = self.last
        before = self.evening.table
        answer = self.evening.ask(device, command, version, key)
        stands = before.version > 0 and self.evening.table == before
        assert stands or not isinstance(answer, Rejection)

    @rule()
    def restart(self) -> None:
        before = self.evening.table
        self.evening.restart()
        assert self.evening.table == before

    @invariant()
    def a_table_is_a_table(self) -> None:
        table = self.evening.table
        ids = [seat.id for seat in table.seats]
        assert len(set(ids)) == len(ids) <= 10
        assert all(0 < seat < table.next_seat for seat in ids)
        assert not any(a.name in Names([b.name]) for a, b in combinations(table.seats, 2))
        if table.game_state is None:
            assert table.round.undo_steps == () == table.players
            return
        players = [player.id for player in table.players]
        assert len(players) == table.game_state.seats >= 3
        assert table.starter in players
        assert table.round.looked <= set(players)
        if not table.game_state.over:
            seated = [seat.id for seat in table.in_play]  # the others wait for the next
            assert sorted(seated) == sorted(players)
            assert table.circle_of(seated) == table.game_state.circle
            assert table.round.begun or len(table.round.looked) < len(players)

    @invariant()
    def devices_find_back(self) -> None:
        table, tables = self.evening.table, self.evening.tables
        seated = self.evening.log.seated(table.id)
        for device in DEVICES:
            assert (device in seated) == bool(table.held(device))
            assert (table.id in tables.hosted_by(device)) == (table.host == device)


TestMachine = Machine.TestCase
TestMachine.settings = settings(max_examples=60, stateful_step_count=40)
