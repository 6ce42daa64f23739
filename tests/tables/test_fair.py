"""Deals at a table: secrets that outlive the program, shares that hold nobody up."""

from __future__ import annotations

import random

import pytest

from companion.games.saboteur import GAME
from companion.record.fair import GOLD, Lot, drawn, is_digest
from companion.tables import commands as ask
from companion.tables import shares as basket
from tests.tables.evening import HOST, Evening

ANNA, BERTA = "a" * 32, "b" * 32


class Fair(Evening):
    """Deals as the program does, and keeps what each was drawn from."""

    def restart(self) -> None:
        self.lots: list[Lot] = []
        super().restart()

    def draw(self, lot: Lot) -> object:  # type: ignore[override]
        self.lots.append(lot)
        return drawn(lot)


@pytest.fixture
def evening() -> Fair:
    evening = Fair()
    evening.open()
    evening.seat("Anna", "Berta", "Carl")
    return evening


def give(evening: Evening, device: str, share: str) -> None:
    """As a phone does: the same for every deal to come."""
    to_come = evening.tables.deals.to_come(evening.table)
    evening.tables.add_shares(evening.id, device, dict.fromkeys(to_come, share))


def test_what_is_dealt_is_what_the_lots_give(evening: Fair) -> None:
    give(evening, "anna", ANNA)
    promised = list(evening.tables.deals.to_come(evening.table))
    table = evening.done(HOST, ask.Start())
    gold, first = evening.lots
    assert (gold.game, gold.round, first.game, first.round) == (1, GOLD, 1, 1)
    assert gold.shares == first.shares == (ANNA, None, None)
    assert gold.players == ("Anna", "Berta", "Carl")
    state = GAME.new(3, 0, "lv-2009", drawn(gold))
    assert table.play.gold == state.gold
    assert table.play.now.roles == GAME.deal(state, drawn(first)).roles
    assert table.shares == ((ANNA, None, None),) * 2
    assert len(promised) == 4
    assert promised[2:] == list(evening.tables.deals.to_come(table))
    assert all(map(is_digest, promised))


def test_secrets_are_not_alike_and_outlive_the_program(evening: Fair) -> None:
    secrets = [evening.tables.deals.secret(evening.table, n, r) for n in (1, 2) for r in range(4)]
    assert len(set(secrets)) == 8
    assert {len(secret) for secret in secrets} == {32}
    promised = evening.tables.deals.to_come(evening.table)
    evening.restart()
    assert evening.tables.deals.to_come(evening.table) == promised
    again = [evening.tables.deals.secret(evening.table, n, r) for n in (1, 2) for r in range(4)]
    assert again == secrets


def test_a_table_opened_anew_with_its_old_key_has_other_secrets() -> None:
    """Else its host could have learned them all before the others sat down."""
    evening = Fair()
    evening.open(key="open")
    before = evening.tables.deals.to_come(evening.table)
    evening.done(HOST, ask.End())
    evening.now += 60
    old = evening.id
    evening.open(key="open")
    assert evening.id != old
    assert set(before).isdisjoint(evening.tables.deals.to_come(evening.table))


def test_the_first_share_of_a_phone_counts_for_all_its_seats(evening: Fair) -> None:
    evening.done("anna", ask.Join("Dora"))
    give(evening, "anna", ANNA)
    give(evening, "anna", BERTA)
    give(evening, "stranger", BERTA)
    table = evening.done(HOST, ask.Start())
    assert table.shares[0] == (ANNA, None, None, ANNA)


@pytest.mark.parametrize("share", ["", "A" * 32, "a" * 31, "a" * 33, "\ud800"])
def test_what_is_no_share_is_left(evening: Fair, share: str) -> None:
    give(evening, "anna", share)
    assert evening.done(HOST, ask.Start()).shares[0] == (None, None, None)


def test_a_share_is_told_to_nobody(evening: Fair) -> None:
    version, told = evening.table.version, len(evening.told)
    give(evening, "anna", ANNA)
    assert (evening.table.version, len(evening.told)) == (version, told)


def test_shares_for_later_rounds_are_kept(evening: Fair) -> None:
    give(evening, "anna", ANNA)
    evening.done(HOST, ask.Start())
    give(evening, "berta", BERTA)
    evening.look()
    evening.report()
    assert evening.done(HOST, ask.Deal()).shares[2] == (ANNA, BERTA, None)
    evening.look()
    evening.report()
    evening.restart()  # what lay in memory is gone; nobody waits for it
    assert evening.done(HOST, ask.Deal()).shares[3] == (None, None, None)
    assert evening.table.shares[1:3] == ((ANNA, None, None), (ANNA, BERTA, None))


def test_a_seat_that_moved_counts_with_its_new_phone(evening: Fair) -> None:
    give(evening, "anna", ANNA)
    evening.done(HOST, ask.FreeSeat(1))
    evening.done("new", ask.ClaimSeat(1))
    give(evening, "new", BERTA)
    assert evening.done(HOST, ask.Start()).shares[0] == (BERTA, None, None)


def test_who_leaves_and_comes_back_cannot_choose_again(evening: Fair) -> None:
    """Else a player could wait for the others' numbers and then exchange his own."""
    give(evening, "anna", ANNA)
    evening.done("anna", ask.RemoveSeat(1))
    give(evening, "berta", BERTA)
    evening.done("anna", ask.Join("Anna"))
    to_come = evening.tables.deals.to_come(evening.table)
    assert not evening.tables.add_shares(evening.id, "anna", dict.fromkeys(to_come, BERTA))
    assert evening.done(HOST, ask.Start()).shares[0] == (BERTA, None, ANNA)


def test_a_round_taken_back_is_not_dealt_anew(evening: Fair) -> None:
    evening.done(HOST, ask.Start())
    evening.look()
    to_come = evening.tables.deals.to_come(evening.table)
    roles = evening.table.play.now.roles
    evening.report()
    assert evening.tables.deals.to_come(evening.table) == to_come
    evening.done(HOST, ask.TakeBack())
    assert evening.tables.deals.to_come(evening.table) == to_come
    assert evening.table.play.now.roles == roles
    evening.report()
    evening.done(HOST, ask.Deal())
    assert [lot.round for lot in evening.lots] == [0, 1, 2]


def test_another_game_is_drawn_from_other_secrets(evening: Fair) -> None:
    first = evening.tables.deals.to_come(evening.table)
    evening.done(HOST, ask.Start())
    evening.look()
    evening.finish()
    second = evening.tables.deals.to_come(evening.table)
    assert list(second.values()) == [(2, 0), (2, 1), (2, 2), (2, 3)]
    assert set(first).isdisjoint(second)
    evening.done(HOST, ask.TakeBack())  # the last word of game 1: its gold was shown, game 2 waits
    assert evening.tables.deals.to_come(evening.table) == {}
    evening.report()
    give(evening, "carl", ANNA)
    table = evening.done(HOST, ask.NewGame())
    assert table.shares == ((None, None, ANNA),) * 2
    assert {(lot.game, lot.round) for lot in evening.lots[-2:]} == {(2, 0), (2, 1)}


def test_nothing_is_drawn_for_a_game_that_deals_nothing() -> None:
    evening = Fair()
    evening.open("trains", "et-2015", "referee")
    evening.seat("Anna", "Berta")
    assert evening.tables.deals.to_come(evening.table) == {}
    give(evening, "anna", ANNA)
    assert evening.done(HOST, ask.Start()).shares == (None,)


def test_forgotten_tables_do_not_fill_the_memory(
    evening: Fair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(basket, "TABLES_MAX", 5)
    kept = evening.tables.deals._basket._of
    for _ in range(9):
        evening.open()
        evening.seat("Anna")
        give(evening, "anna", ANNA)
    assert len(kept) == 5
    monkeypatch.setattr(basket, "DEVICES_MAX", 9)
    for number in range(20):  # who sits down and leaves again does not stay for ever
        seat = evening.done(f"d{number}", ask.Join("Guest")).seats[-1].id
        give(evening, f"d{number}", BERTA)
        evening.done(f"d{number}", ask.RemoveSeat(seat))
    assert [len(one) <= 9 for one in kept[evening.id].values()] == [True] * 4
    assert all("anna" in one for one in kept[evening.id].values())
    evening.done(HOST, ask.End())
    assert evening.id not in kept


def test_by_chance_alone_saboteurs_sit_anywhere() -> None:
    """Fifty evenings: each of three seats has been the saboteur."""
    found = set()
    for number in range(50):
        evening = Fair(seed=number)
        evening.open()
        evening.seat("Anna", "Berta", "Carl")
        give(evening, "anna", f"{random.Random(number).getrandbits(128):032x}")
        evening.done(HOST, ask.Start())
        roles = evening.table.play.now.roles
        found |= {seat for seat, role in enumerate(roles) if role == "saboteur"}
    assert found == {0, 1, 2}
