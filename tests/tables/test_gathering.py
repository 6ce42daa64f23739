"""Two tables of the same people, who go from one to the other as often as they like: whatever
happens at either of them, all who come along sit there as they sat here."""

from __future__ import annotations

from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from companion.games.game import Rejection
from companion.tables import commands as ask
from companion.tables.model import SeatId, Table
from companion.tables.names import Names
from tests.tables.evening import HOST, DirectEvening
from tests.tables.test_machine import NAMES, devices

seats = st.integers(1, 5)
by_host = st.one_of(
    st.builds(ask.RemoveSeat, seats),
    st.builds(ask.RenameSeat, seats, st.sampled_from(NAMES)),
    st.builds(ask.FreeSeat, seats),
    st.builds(ask.PassHosting, seats),
    st.builds(ask.RenewLink),
    st.builds(ask.SetWifi, st.just("Kelder"), st.just("")),
)
by_guests = st.one_of(st.builds(ask.Join, st.sampled_from(NAMES)), st.builds(ask.ClaimSeat, seats))
at_either = st.integers(0, 1)


class Machine(RuleBasedStateMachine):
    @initialize()
    def open(self) -> None:
        """One game is for ten, the other for four."""
        self.evening = DirectEvening()
        self.ids = [
            self.evening.open(device=HOST).id,
            self.evening.open("trains", "et-2015", "light", device=HOST).id,
        ]

        for name in ("Anna", "Berta", "Carl"):
            self.do(0, name.lower(), ask.Join(name))
        self.come(1)

    @rule(at=at_either, command=by_host)
    def host_does(self, at: int, command: ask.Command) -> None:
        self.do(at, self._table(self.ids[at]).host, command)

    @rule(at=at_either, device=devices, command=by_guests)
    def do(self, at: int, device: str, command: ask.Command) -> None:
        self.evening.id = self.ids[at]
        self.evening.ask(device, command)

    @rule(at=at_either, mixed=st.randoms(use_true_random=False))
    def order(self, at: int, mixed: Random) -> None:
        table = self._table(self.ids[at])
        seats = [seat.id for seat in table.seats]
        mixed.shuffle(seats)
        self.do(at, table.host, ask.OrderSeats(tuple(seats)))

    @rule(at=at_either)
    def come(self, at: int) -> None:
        here, there = self._table(self.ids[at]), self._table(self.ids[1 - at])
        known = self._known(here, there)
        self.evening.id = here.id
        after = self.evening.done(there.host, ask.Gather(there))
        assert after.came_from is not None
        pairs = dict(after.came_from.seats)
        self._same_people(there, after, pairs)
        self._others_stay(here, after, pairs, known)
        self._one_evening(here, there, after)
        again = self.evening.done(there.host, ask.Gather(self._table(there.id)))
        assert (again.seats, again.came_from) == (after.seats, after.came_from)

    def _same_people(self, there: Table, after: Table, pairs: dict[SeatId, SeatId]) -> None:
        come = [seat for seat in after.seats if seat.id in pairs]
        theirs = [seat for seat in there.seats if seat.id in pairs.values()]
        assert [pairs[seat.id] for seat in come] == [seat.id for seat in theirs], "another order"
        assert [seat.device for seat in come] == [seat.device for seat in theirs]
        others = Names(seat.name for seat in after.seats if seat.id not in pairs)
        for mine, other in zip(come, theirs, strict=True):
            assert mine.name == other.name or other.name in others
        for seat in there.seats:
            if seat.id not in pairs.values():
                assert seat.device is None or not after.has_room, "there was room"

    def _known(self, here: Table, there: Table) -> set[tuple[SeatId, SeatId]]:
        known: set[tuple[SeatId, SeatId]] = set()
        for table, other in ((here, there), (there, here)):
            if table.came_from is not None and table.came_from.table == other.id:
                pairs = table.came_from.seats
                known |= {pair if table is here else pair[::-1] for pair in pairs}
        return known

    @staticmethod
    def _others_stay(
        here: Table, after: Table, pairs: dict[SeatId, SeatId], known: set[tuple[SeatId, SeatId]]
    ) -> None:
        """But for those who have left there."""
        for seat in here.seats:
            stays = after.seat(seat.id) is not None
            sat_there = any(ours == seat.id for ours, _ in known)
            assert stays == (seat.id in pairs or not sat_there)

    @staticmethod
    def _one_evening(here: Table, there: Table, after: Table) -> None:
        assert after.host == there.host
        assert after.link_renewals == max(here.link_renewals, there.link_renewals)
        assert after.wifi == (there.wifi or here.wifi)
        assert not any(
            one.name in Names([other.name])
            for place, one in enumerate(after.seats)
            for other in after.seats[:place]
        )
        if there.link_renewals < here.link_renewals:
            assert after.screens <= here.screens | {here.host}

    def _table(self, table_id: str) -> Table:
        found = self.evening.tables.get(table_id)
        assert found is not None
        assert not isinstance(found, Rejection)
        return found


TestMachine = Machine.TestCase
TestMachine.settings = settings(max_examples=100, stateful_step_count=30)


def test_no_more_come_than_the_game_is_for() -> None:
    evening = DirectEvening()
    first = evening.open().id
    evening.seat("Anna", "Berta", "Carl")
    second = evening.open("trains", "et-2015", "light").id
    for table_id, late in ((first, ()), (second, ("Dora",)), (first, ("Emil",))):
        evening.id = table_id
        evening.seat(*late)
        others = evening.tables.get(first)
        assert others is not None
        evening.id = second
        evening.done(HOST, ask.Gather(others))
    assert [seat.name for seat in evening.table.seats] == ["Anna", "Berta", "Carl", "Dora"]
