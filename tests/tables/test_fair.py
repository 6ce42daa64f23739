"""Deals at a table: secrets that outlive the program, numbers that are sealed, then opened."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.games import GAMES
from companion.games.game import Rejection
from companion.games.saboteur import GAME
from companion.record.fair import WHOLE_GAME, Lot, drawn, is_digest, seal
from companion.tables import commands as ask
from companion.tables import seals as basket
from companion.tables.evolve import fold
from companion.tables.ledger import logged
from companion.tables.log import StorageError
from companion.tables.model import Table
from companion.tables.rejections import NO_TABLE
from tests.storage.contract import rows_of
from tests.tables.evening import HOST, DirectEvening

ANNA, BERTA, CARL = "a" * 32, "b" * 32, "c" * 32


class KilledError(Exception):
    """The program ends here."""


class Fair(DirectEvening):
    """Deals as the program does, with phones that seal and open by themselves; and keeps what each
    deal was drawn from."""

    def __init__(self, *args: Any, **more: Any) -> None:
        self.shares: dict[str, str] = {}
        """By device: the number of a phone that is awake."""
        self.fixed: list[Table] = []
        self.killed = False
        super().__init__(*args, **more)

    def restart(self) -> None:
        self.lots: list[Lot] = []
        super().restart()
        self.tables.on_change[:] = [self.heard]

    def draw(self, lot: Lot) -> object:  # type: ignore[override]
        self.lots.append(lot)
        return drawn(lot)

    def heard(self, table: Table) -> None:
        self.told.append(table)
        if table.deals.sealed is None:
            return
        self.fixed.append(table)
        if self.killed:
            raise KilledError
        self.open_all(table)

    def open_all(self, table: Table) -> None:
        for device in self.shares:
            self.opens(table, device)

    def opens(self, table: Table, device: str) -> list[str]:
        promised = [one for one, _ in self.tables.fair_deals.to_open(table).values()]
        return self.tables.open_shares(table.id, dict.fromkeys(promised, self.shares[device]))

    def give(self, device: str, share: str) -> list[str]:
        """As a phone does: one number for every deal to come."""
        self.shares.setdefault(device, share)
        to_come = self.tables.fair_deals.to_come(self.table)
        return self.seals(device, {one: seal(one, share) for one in to_come})

    def seals(self, device: str, sealed: dict[str, str]) -> list[str]:
        return self.tables.keep_seals(self.id, device, sealed)

    def start_and_die(self) -> None:
        self.killed = True
        with pytest.raises(KilledError):
            self.ask(HOST, ask.Start())
        self.killed = False
        self.restart()


@pytest.fixture
def evening() -> Fair:
    evening = Fair()
    evening.open()
    evening.seat("Anna", "Berta", "Carl")
    return evening


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> Fair:
    """Whose deals wait for numbers until the clock is moved."""
    monkeypatch.setattr(Fair, "deal_wait_s", 1.0)
    evening = Fair()
    evening.open()
    evening.seat("Anna", "Berta", "Carl")
    return evening


def test_what_is_dealt_is_what_the_lots_give(evening: Fair) -> None:
    evening.give("anna", ANNA)
    promised = list(evening.tables.fair_deals.to_come(evening.table))
    table = evening.done(HOST, ask.Start())
    gold, first = evening.lots
    assert (gold.game, gold.round, first.game, first.round) == (1, WHOLE_GAME, 1, 1)
    assert gold.shares == first.shares == (ANNA, None, None)
    assert gold.seals == (seal(promised[0], ANNA), None, None)
    assert gold.players == ("Anna", "Berta", "Carl")
    state = GAME.new(3, 0, "lv-2009", drawn(gold))
    assert table.game_state.gold == state.gold
    assert table.game_state.now.roles == GAME.deal(state, drawn(first)).roles
    assert table.deals.shares == ((ANNA, None, None),) * 2
    assert table.deals.seals == (gold.seals, first.seals)
    assert len(promised) == 4
    assert promised[2:] == list(evening.tables.fair_deals.to_come(table))
    assert all(map(is_digest, promised))


def test_the_list_is_fixed_before_a_number_is_opened(evening: Fair) -> None:
    """And everybody is told of it, in an event that is on the disk."""
    evening.give("anna", ANNA)
    evening.give("berta", BERTA)
    version = evening.table.version
    evening.done(HOST, ask.Start(2))
    kinds = [row.kind for row in rows_of(evening.log, evening.id)[version:]]
    assert kinds == ["SealsFixed", "GameStarted", "Dealt"]
    (fixed,) = evening.fixed
    assert fixed.version == version + 1
    assert fixed.deals.sealed is not None
    promised = evening.tables.fair_deals.to_come(
        replace(fixed, deals=replace(fixed.deals, sealed=None))
    )
    gold, first, *_ = promised
    assert fixed.deals.sealed.seals == (
        (seal(gold, ANNA), seal(gold, BERTA), None),
        (seal(first, ANNA), seal(first, BERTA), None),
    )
    assert list(evening.tables.fair_deals.to_come(fixed)) == list(promised)[2:]
    assert evening.table.starter == 2


def test_without_a_seal_the_deal_waits_for_nobody(patient: Fair) -> None:
    version = patient.table.version
    table = patient.done(HOST, ask.Start())
    assert table.version == version + 2
    assert patient.fixed == []
    assert table.deals.seals == table.deals.shares == ((None, None, None),) * 2


def test_a_number_that_is_not_opened_is_left_out_and_named(evening: Fair) -> None:
    evening.give("anna", ANNA)
    evening.give("berta", BERTA)
    del evening.shares["berta"]  # her phone sleeps
    table = evening.done(HOST, ask.Start())
    assert table.deals.shares == ((ANNA, None, None),) * 2
    assert [proof.withheld for proof in evening.tables.fair_deals.proofs(table)] == [
        (1,),
        (1,),
        (),
        (),
    ]
    evening.look()
    evening.report()
    proof = evening.tables.fair_deals.proofs(evening.table)[1]
    assert proof.proves
    assert proof.withheld == (1,)


def test_a_game_finished_by_mistake_keeps_what_was_sealed_for_its_rounds(evening: Fair) -> None:
    """Berta's phone sleeps meanwhile; Anna's seals for the next game."""
    evening.done(HOST, ask.Start())
    evening.look()
    evening.report()
    for device, share in (("anna", ANNA), ("berta", BERTA)):
        evening.give(device, share)
    (second, *_) = evening.tables.fair_deals.to_come(evening.table)
    evening.done(HOST, ask.Finish())
    evening.give("anna", ANNA)
    evening.done(HOST, ask.TakeBack())
    assert evening.done(HOST, ask.Deal()).deals.shares[-1] == (ANNA, BERTA, None)
    assert evening.table.deals.seals[-1] == (seal(second, ANNA), seal(second, BERTA), None)


def test_only_the_sealed_number_opens_a_seal(patient: Fair) -> None:
    patient.give("anna", ANNA)
    patient.start_and_die()
    table = patient.table
    assert table.deals.sealed is not None
    (gold, first) = (one for one, _ in patient.tables.fair_deals.to_open(table).values())
    for shares in ({gold: BERTA}, {first: BERTA, gold: BERTA}, {"f" * 64: ANNA}, {gold: ""}):
        assert patient.tables.open_shares(table.id, shares) == []
        assert patient.table.deals.sealed is not None
    assert patient.tables.open_shares(table.id, {first: BERTA, gold: ANNA}) == [gold]
    assert patient.table.deals.sealed is not None
    assert patient.tables.open_shares(table.id, {gold: ANNA, first: ANNA}) == [gold, first]
    assert patient.table.deals.shares == ((ANNA, None, None),) * 2
    assert not patient.tables.open_shares(table.id, {gold: ANNA})
    assert not patient.tables.open_shares("nowhere", {gold: ANNA})


# The program is killed between the two steps


def test_a_deal_goes_on_after_a_kill(patient: Fair) -> None:
    """The phones open again what was lost with the memory; the list is on the disk."""
    patient.give("anna", ANNA)
    patient.give("berta", BERTA)
    patient.start_and_die()
    table = patient.table
    assert table.deals.sealed is not None
    assert patient.opens(table, "anna")
    assert patient.table.deals.sealed is not None
    assert patient.opens(table, "berta")
    table = patient.table
    assert table.deals.shares == ((ANNA, BERTA, None),) * 2
    assert table.deals.sealed is None
    rows = rows_of(patient.log, patient.id)
    assert fold(patient.id, None, [logged(row) for row in rows], GAMES) == table


def test_after_a_kill_the_time_begins_anew_and_ends(patient: Fair) -> None:
    patient.give("anna", ANNA)
    patient.give("berta", BERTA)
    patient.start_and_die()
    patient.now += 3600
    table = patient.table  # seen for the first time: the phones have a second
    assert table.deals.sealed is not None
    assert patient.tables.due_s(table) == 1.0
    assert patient.opens(table, "berta")
    patient.now += 0.5
    assert patient.table.deals.sealed is not None
    patient.now += 0.6
    table = patient.table
    assert table.deals.shares == ((None, BERTA, None),) * 2
    assert patient.tables.due_s(table) == math.inf
    assert table.change.by == HOST


def test_what_comes_after_a_kill_waits_for_the_deal(evening: Fair) -> None:
    evening.give("anna", ANNA)
    evening.start_and_die()
    evening.shares.clear()
    evening.done("anna", ask.Look(1))
    assert evening.table.round.looked == {1}
    assert evening.table.deals.shares == ((None, None, None),) * 2


def test_a_full_disk_holds_a_deal_up_but_no_page(
    patient: Fair, monkeypatch: pytest.MonkeyPatch
) -> None:
    patient.give("anna", ANNA)
    patient.start_and_die()
    assert patient.table.deals.sealed is not None
    patient.now += 2
    with monkeypatch.context() as full:

        def refuse(*_: object) -> bool:
            raise StorageError("the disk is full")

        full.setattr(patient.log, "append", refuse)
        assert patient.table.deals.sealed is not None
    assert patient.table.deals.sealed is not None  # it is not tried at each look
    patient.now += 2
    assert patient.table.deals.sealed is None


# What is asked between the two steps


def between(evening: Fair, device: str, command: ask.Command) -> list[Table | Rejection]:
    """Answers to a command that comes when the list of seals is fixed, before any number."""
    answers: list[Table | Rejection] = []
    left = [command]

    def first_this(table: Table) -> None:
        if left:
            now, key = left.pop(), evening.key()
            answers.append(
                evening.tables.submit(table.id, device, now, version=None, request_key=key)
            )

    evening.tables.on_change.insert(0, first_this)
    return answers


def test_a_seat_that_moves_meanwhile_moves_after_the_deal(evening: Fair) -> None:
    evening.give("anna", ANNA)
    answers = between(evening, HOST, ask.FreeSeat(1))
    table = evening.done(HOST, ask.Start())
    assert isinstance(answers[0], Table)
    assert table.seats[0].device is None
    assert table.deals.seals[0][0] == seal(next(iter(deals_of(evening))), ANNA)  # type: ignore[index]
    assert [row.kind for row in rows_of(evening.log, evening.id)[-4:]] == [
        "SealsFixed",
        "GameStarted",
        "Dealt",
        "SeatFreed",
    ]


def deals_of(evening: Fair) -> list[str]:
    return [proof.commitment for proof in evening.tables.fair_deals.proofs(evening.table)]


def test_nobody_comes_or_goes_meanwhile_nor_do_places_matter(evening: Fair) -> None:
    """Else the laptop's owner could change a deal when the numbers lie open."""
    for device, command in (
        (HOST, ask.RemoveSeat(3)),
        (HOST, ask.OrderSeats((3, 2, 1))),
        ("dora", ask.Join("Dora")),
        (HOST, ask.Configure("en")),
    ):
        evening = Fair()
        evening.open()
        evening.seat("Anna", "Berta", "Carl")
        evening.give("anna", ANNA)
        answers = between(evening, device, command)
        table = evening.done(HOST, ask.Start())
        (answer,) = answers
        if isinstance(command, ask.Join | ask.OrderSeats):  # after the deal, which stays as it is
            assert isinstance(answer, Table)
        else:
            assert isinstance(answer, Rejection)
            assert answer.reason.code == "game_under_way"
        assert [player.name for player in table.players] == ["Anna", "Berta", "Carl"]


def test_a_take_back_meanwhile_finds_the_deal_done(evening: Fair) -> None:
    evening.give("anna", ANNA)
    evening.done(HOST, ask.Start())
    evening.look()
    evening.report()
    answers = between(evening, HOST, ask.TakeBack())
    table = evening.done(HOST, ask.Deal())
    assert isinstance(answers[0], Rejection)
    assert answers[0].reason.code == "nothing_to_take_back"
    assert table.deals.shares[2] == (None, None, None)  # it came before her phone had opened
    assert table.deals.seals[2] is not None
    assert table.deals.seals[2][0] is not None


def test_the_same_start_sent_again_deals_once(evening: Fair) -> None:
    evening.give("anna", ANNA)
    first = evening.done(HOST, ask.Start(), key="tap")
    assert evening.done(HOST, ask.Start(), key="tap") == first
    assert len(evening.fixed) == 1


# What counts


def test_secrets_are_not_alike_and_outlive_the_program(evening: Fair) -> None:
    secrets = [
        evening.tables.fair_deals.secret(evening.table, n, r) for n in (1, 2) for r in range(4)
    ]
    assert len(set(secrets)) == 8
    assert {len(secret) for secret in secrets} == {32}
    promised = evening.tables.fair_deals.to_come(evening.table)
    evening.restart()
    assert evening.tables.fair_deals.to_come(evening.table) == promised
    again = [
        evening.tables.fair_deals.secret(evening.table, n, r) for n in (1, 2) for r in range(4)
    ]
    assert again == secrets


def test_a_table_opened_anew_with_its_old_key_has_other_secrets() -> None:
    """Else its host could have learned them all before the others sat down."""
    evening = Fair()
    evening.open(key="open")
    before = evening.tables.fair_deals.to_come(evening.table)
    evening.done(HOST, ask.End())
    evening.now += 60
    old = evening.id
    evening.open(key="open")
    assert evening.id != old
    assert set(before).isdisjoint(evening.tables.fair_deals.to_come(evening.table))


def test_the_first_seal_of_a_phone_counts_for_all_its_seats(evening: Fair) -> None:
    evening.done("anna", ask.Join("Dora"))
    assert evening.give("anna", ANNA)
    assert not evening.give("anna", BERTA)
    assert not evening.give("stranger", BERTA)
    table = evening.done(HOST, ask.Start())
    assert table.deals.shares[0] == (ANNA, None, None, ANNA)


@pytest.mark.parametrize("sealed", ["", "A" * 64, "a" * 63, "a" * 65, "\ud800"])
def test_what_is_no_seal_is_left(evening: Fair, sealed: str) -> None:
    assert not evening.seals("anna", dict.fromkeys(deals_of(evening), sealed))
    assert evening.done(HOST, ask.Start()).deals.seals[0] == (None, None, None)


def test_a_seal_is_told_to_nobody(evening: Fair) -> None:
    version, told = evening.table.version, len(evening.told)
    evening.give("anna", ANNA)
    assert (evening.table.version, len(evening.told)) == (version, told)


def test_seals_for_later_rounds_are_kept(evening: Fair) -> None:
    evening.give("anna", ANNA)
    evening.done(HOST, ask.Start())
    evening.give("berta", BERTA)
    evening.look()
    evening.report()
    assert evening.done(HOST, ask.Deal()).deals.shares[2] == (ANNA, BERTA, None)
    evening.look()
    evening.report()
    evening.restart()  # what lay in memory is gone; nobody waits for it
    assert evening.done(HOST, ask.Deal()).deals.shares[3] == (None, None, None)
    assert evening.table.deals.shares[1:3] == ((ANNA, None, None), (ANNA, BERTA, None))


def test_a_seal_for_a_list_that_is_fixed_comes_too_late(patient: Fair) -> None:
    patient.give("anna", ANNA)
    promised = deals_of(patient)
    patient.start_and_die()
    assert not patient.seals("berta", {promised[0]: seal(promised[0], BERTA)})
    assert patient.seals("berta", {promised[2]: seal(promised[2], BERTA)})


def test_a_seat_that_moved_counts_with_its_new_phone(evening: Fair) -> None:
    evening.give("anna", ANNA)
    evening.done(HOST, ask.FreeSeat(1))
    evening.done("new", ask.ClaimSeat(1))
    evening.give("new", BERTA)
    assert evening.done(HOST, ask.Start()).deals.shares[0] == (BERTA, None, None)


def test_who_leaves_and_comes_back_cannot_choose_again(evening: Fair) -> None:
    """Else a player could wait for the others' numbers and then exchange his own."""
    evening.give("anna", ANNA)
    evening.done("anna", ask.RemoveSeat(1))
    evening.give("berta", BERTA)
    evening.done("anna", ask.Join("Anna"))
    assert not evening.give("anna", CARL)
    assert evening.done(HOST, ask.Start()).deals.shares[0] == (BERTA, None, ANNA)


def test_the_phone_that_hosts_adds_its_number_too(evening: Fair) -> None:
    evening.done(HOST, ask.AddSeat("Host"))
    assert evening.give(HOST, CARL)
    assert evening.done(HOST, ask.Start()).deals.shares[0] == (None, None, None, CARL)


def test_a_round_taken_back_is_not_dealt_anew(evening: Fair) -> None:
    evening.done(HOST, ask.Start())
    evening.look()
    to_come = evening.tables.fair_deals.to_come(evening.table)
    roles = evening.table.game_state.now.roles
    evening.report()
    assert evening.tables.fair_deals.to_come(evening.table) == to_come
    evening.done(HOST, ask.TakeBack())
    assert evening.tables.fair_deals.to_come(evening.table) == to_come
    assert evening.table.game_state.now.roles == roles
    evening.report()
    evening.done(HOST, ask.Deal())
    assert [lot.round for lot in evening.lots if lot.round] == [1, 2]


def test_another_game_is_drawn_from_other_secrets(evening: Fair) -> None:
    first = evening.tables.fair_deals.to_come(evening.table)
    evening.done(HOST, ask.Start())
    evening.look()
    evening.finish()
    second = evening.tables.fair_deals.to_come(evening.table)
    assert list(second.values()) == [(2, 0), (2, 1), (2, 2), (2, 3)]
    assert set(first).isdisjoint(second)
    evening.done(HOST, ask.TakeBack())  # the last word of game 1: its gold was shown, game 2 waits
    assert evening.tables.fair_deals.to_come(evening.table) == {}
    evening.report()
    evening.give("carl", ANNA)
    table = evening.done(HOST, ask.Start())
    assert table.deals.shares == ((None, None, ANNA),) * 2
    assert {(lot.game, lot.round) for lot in evening.lots[-2:]} == {(2, 0), (2, 1)}


def test_nothing_is_drawn_for_a_game_that_deals_nothing() -> None:
    evening = Fair()
    evening.open("trains", "et-2015", "referee")
    evening.seat("Anna", "Berta")
    assert evening.tables.fair_deals.to_come(evening.table) == {}
    assert not evening.seals("anna", {"f" * 64: "f" * 64})
    assert evening.done(HOST, ask.Start()).deals.shares == (None,)
    assert evening.fixed == []


def test_forgotten_tables_do_not_fill_the_memory(
    evening: Fair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(basket, "TABLES_MAX", 5)
    kept = evening.tables.fair_deals._seals._of
    for _ in range(9):
        evening.open()
        evening.seat("Anna")
        evening.give("anna", ANNA)
    assert len(kept) == 5
    monkeypatch.setattr(basket, "DEVICES_MAX", 9)
    for number in range(20):  # who sits down and leaves again does not stay for ever
        seat = evening.done(f"d{number}", ask.Join("Guest")).seats[-1].id
        evening.give(f"d{number}", BERTA)
        evening.done(f"d{number}", ask.RemoveSeat(seat))
    assert [len(one) <= 9 for one in kept[evening.id].values()] == [True] * 4
    assert all("anna" in one for one in kept[evening.id].values())
    evening.done(HOST, ask.End())
    assert evening.id not in kept


def test_a_table_that_ends_while_it_deals_is_forgotten(patient: Fair) -> None:
    patient.give("anna", ANNA)
    patient.start_and_die()
    assert patient.table.deals.sealed is not None
    patient.done(HOST, ask.End())
    assert patient.tables._due.waiting_deals._of == {}


def test_whoever_waits_for_the_deal_of_a_table_that_ends_is_told(
    patient: Fair, monkeypatch: pytest.MonkeyPatch
) -> None:
    patient.give("anna", ANNA)
    patient.start_and_die()
    waiting_deals = patient.tables._due.waiting_deals
    assert patient.table.deals.sealed is not None

    def ends_meanwhile(_: object) -> float:
        monkeypatch.undo()
        patient.done(HOST, ask.End())
        return 0.0

    monkeypatch.setattr(waiting_deals, "left_s", ends_meanwhile)
    answer = patient.tables.submit(patient.id, HOST, ask.Finish(), version=None, request_key="x")
    assert answer == NO_TABLE
    assert waiting_deals._of == {}


def test_a_table_that_ends_while_it_is_dealt_at(
    patient: Fair, monkeypatch: pytest.MonkeyPatch
) -> None:
    patient.give("anna", ANNA)
    patient.start_and_die()
    waiting_deals = patient.tables._due.waiting_deals
    entry = patient.tables._ledger.get(patient.id)
    assert entry is not None
    patient.done(HOST, ask.End())
    monkeypatch.setattr(waiting_deals, "left_s", lambda _: 0.0)
    gone = iter((entry, None))
    monkeypatch.setattr(patient.tables._ledger, "get", lambda _: next(gone))
    assert patient.tables._due.deal(patient.id) is None
    assert waiting_deals._of == {}


def test_by_chance_alone_saboteurs_sit_anywhere() -> None:
    """Fifty evenings: each of three seats has been the saboteur."""
    found = set()
    for number in range(50):
        evening = Fair(seed=number)
        evening.open()
        evening.seat("Anna", "Berta", "Carl")
        evening.give("anna", f"{random.Random(number).getrandbits(128):032x}")
        evening.done(HOST, ask.Start())
        roles = evening.table.game_state.now.roles
        found |= {seat for seat, role in enumerate(roles) if role == "saboteur"}
    assert found == {0, 1, 2}


# An end of the game that is taken back


def over(evening: Fair) -> Table:
    evening.done(HOST, ask.Start())
    evening.look()
    return evening.finish()


def test_what_is_left_of_the_gold_is_drawn_anew_when_a_games_end_is_taken_back(
    evening: Fair,
) -> None:
    """It was shown to the last card."""
    table = over(evening)
    before = table.round.undo_steps[-1].before
    table = evening.done(HOST, ask.TakeBack())
    assert table.deals.redrawn
    assert table.game_state.past == before.past
    assert sorted(table.game_state.gold) == sorted(before.gold)
    assert table.game_state.gold != before.gold
    assert table.beginning is not None
    assert sorted(table.beginning.game_state.gold) == sorted([1] * 16 + [2] * 8 + [3] * 4)
    gold, *rounds = evening.tables.fair_deals.proofs(table)
    assert not gold.proves
    assert table.deals.shares[0] is None
    evening.restart()
    assert evening.table == table
    table = evening.report()
    history = evening.tables.last_game(table)
    assert history is not None
    assert history.initial_state == table.beginning.game_state  # type: ignore[union-attr]
    evening.done(HOST, ask.TakeBack())  # and again, and not as before
    assert evening.table.game_state.gold != table.round.undo_steps[-1].before.gold
    evening.report()
    assert not evening.done(HOST, ask.Start()).deals.redrawn
    assert rounds


def test_who_had_what_at_an_end_that_was_taken_back_tells_nothing_of_the_next(
    evening: Fair,
) -> None:
    """Else each finisher that somebody tries would show one more of the cards."""
    evening.done(HOST, ask.Start())
    evening.look()
    gold = evening.table.game_state.gold
    evening.report(finisher=1)
    table = evening.done(HOST, ask.TakeBack())
    assert table.game_state.gold != gold
    assert sorted(table.game_state.gold) == sorted(gold)
    assert table.deals.redrawn


def test_with_the_referee_a_play_that_ends_nothing_is_taken_back_and_nothing_is_drawn() -> None:
    evening = Fair()
    evening.open(way="referee")
    evening.seat("Anna", "Berta", "Carl")
    evening.done(HOST, ask.Start())
    evening.look()
    gold = evening.table.game_state.gold
    evening.done("anna", ask.Play(None, {"play": "pass"}))
    table = evening.done(HOST, ask.TakeBack())
    assert table.game_state.gold == gold
    assert not table.deals.redrawn


def test_who_looks_at_an_older_state_ends_no_waiting(patient: Fair) -> None:
    """A stream may still hold the table as it was before the list of seals."""
    patient.give("anna", ANNA)
    before = patient.table
    patient.start_and_die()
    waiting_deals = patient.tables._due.waiting_deals
    waiting = waiting_deals.of(patient.table)
    assert waiting is not None
    assert patient.tables.due_s(before) == math.inf
    assert waiting_deals.of(patient.table) is waiting
    assert not waiting.dealt.is_set()
