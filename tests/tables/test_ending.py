"""The end of a round that is told by word alone: it waits, and anybody can stop it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast, get_args

import pytest
from msgspec.structs import replace

from companion.games import GAMES
from companion.games.game import Rejection
from companion.tables import commands as ask
from companion.tables import events as on
from companion.tables.dealing import DealSource
from companion.tables.decide import decide
from companion.tables.ending import may_confirm
from companion.tables.evolve import fold
from companion.tables.ledger import logged
from companion.tables.log import StorageError
from companion.tables.model import Actor, Handovers, SeatId, Table
from companion.tables.offers import Offer
from companion.tables.service import TAKEN_BACK, Tables
from tests.kit.limits import limits
from tests.storage.contract import rows_of
from tests.tables.evening import HOST, SECRET, DirectEvening


class Waiting(DirectEvening):
    def restart(self) -> None:
        self.timer = 0.0
        self.tables = Tables(
            self.log,
            GAMES,
            limits(end_wait_s=10.0),
            secret=SECRET,
            clock=lambda: self.now,
            timer=lambda: self.timer,
            draw=self.draw,
        )
        self.tables.on_change.append(self.told.append)

    def later(self, seconds: float) -> None:
        self.now += seconds
        self.timer += seconds

    def tell(self, device: str = "anna", **more: Any) -> Any:
        return self.ask(device, ask.Play(None, {"play": "result", "finisher": 2}), **more)

    def change(self, event: on.Event) -> None:
        """As an older program let the host change it while an end waited."""
        entry = self.tables._ledger.get(self.id)
        assert entry is not None
        assert self.tables._ledger.add(entry, (event,), HOST)

    @property
    def kinds(self) -> list[str]:
        return [row.kind for row in rows_of(self.log, self.id)]


@pytest.fixture
def evening() -> Waiting:
    evening = Waiting()
    evening.start()
    return evening


def is_over(evening: DirectEvening) -> bool:
    table = evening.table
    return bool(table.game.is_between_rounds(table.game_state))


def test_an_end_that_is_told_waits_and_shows_nothing(evening: Waiting) -> None:
    before = evening.table
    table = evening.tell()
    assert evening.kinds[-1] == "EndTold"
    assert table.game_state == before.game_state
    assert table.round.waiting_end is not None
    assert (table.round.waiting_end.by, table.round.waiting_end.seat) == ("anna", 1)
    assert evening.tables.due_s(table) == 10
    evening.later(9.9)
    assert not is_over(evening)
    evening.later(0.2)
    assert is_over(evening)  # whoever asks next
    assert evening.kinds[-1] == "Played"
    assert evening.table.round.waiting_end is None
    assert evening.told[-1] == evening.table
    assert evening.table.round.undo_steps[-1].by == "anna"


def test_a_second_phone_ends_the_wait(evening: Waiting) -> None:
    evening.tell()
    assert evening.refused("anna", ask.ConfirmEnd()) == "own_report"
    assert evening.refused("stranger", ask.ConfirmEnd()) == "not_seated"
    assert not is_over(evening)
    evening.done("berta", ask.ConfirmEnd())
    assert is_over(evening)
    assert evening.table.round.undo_steps[-1].seat == 1  # whose word it was
    assert evening.refused("carl", ask.ConfirmEnd()) == "stale"


@pytest.mark.parametrize("device", ["anna", "berta", HOST])
def test_anybody_can_stop_it(evening: Waiting, device: str) -> None:
    before = evening.table
    evening.tell()
    assert evening.refused("stranger", ask.StopEnd()) == "not_seated"
    evening.done(device, ask.StopEnd())
    evening.later(60)
    assert evening.table.game_state == before.game_state
    assert evening.table.round.waiting_end is None
    assert evening.refused("carl", ask.StopEnd()) == "stale"
    evening.tell("carl")  # and it can be told again, with all its time
    assert evening.tables.due_s(evening.table) == 10


def test_nothing_else_is_told_meanwhile(evening: Waiting) -> None:
    evening.tell()
    assert evening.refused("berta", ask.Play(None, {"play": "result", "finisher": 3})) == "stale"
    said = evening.ask("berta", ask.Play(None, {"play": "result", "finisher": 3}))
    assert said.params == {"what": on.EndTold, "by": "Anna"}
    assert evening.refused("berta", ask.ConfirmEnd(), version=evening.table.version - 1) == "stale"
    evening.done("berta", ask.ConfirmEnd(), version=evening.table.version)


def test_what_else_changes_meanwhile_holds_up_neither_stop_nor_yes(evening: Waiting) -> None:
    """A page that shows the end is enough: nobody makes every "Stop" come too late."""
    shown = evening.tell().version
    evening.change(on.Configured("lv-2009", "roles", "fi"))
    assert evening.table.change.version > shown
    assert evening.refused("berta", ask.StopEnd(), version=shown - 1) == "stale"
    evening.done("berta", ask.StopEnd(), version=shown)
    shown = evening.tell().version
    evening.change(on.Configured("lv-2009", "roles", "et"))
    assert evening.refused("berta", ask.ConfirmEnd(), version=shown - 1) == "stale"
    evening.done("berta", ask.ConfirmEnd(), version=shown)


def test_an_end_that_was_told_again_is_another_one(evening: Waiting) -> None:
    shown = evening.tell().version
    evening.done("anna", ask.StopEnd())
    evening.tell()
    for answer in (ask.StopEnd(), ask.ConfirmEnd()):
        assert evening.refused("berta", answer, version=shown) == "stale"


@pytest.mark.parametrize("phones", [1, 2])
def test_at_one_phone_or_two_it_counts_at_once(phones: int) -> None:
    evening = Waiting()
    evening.open()
    for number, name in enumerate(("Anna", "Berta", "Carl")):
        evening.done("anna" if number < 4 - phones else "other", ask.Join(name))
    evening.done(HOST, ask.Start())
    evening.look()
    evening.tell("anna")
    assert is_over(evening)


def with_the_referee() -> Waiting:
    evening = Waiting()
    evening.start(way="referee")
    evening.done("anna", ask.Play(1, {"play": "pass"}))
    assert evening.kinds[-1] == "Played"
    return evening


def test_with_the_referee_the_hosts_word_waits_too() -> None:
    evening = with_the_referee()
    before = evening.table
    evening.done(HOST, ask.Play(None, {"play": "result", "finisher": None, "last": 1}))
    assert evening.kinds[-1] == "EndTold"
    assert evening.table.game_state == before.game_state
    evening.later(10)
    assert is_over(evening)


GOLD_REACHED = (
    *({"play": "path", "card": "NESW" if x < 5 else "EW", "at": [x, 0]} for x in range(1, 8)),
    {"play": "reveal", "goal": "middle", "card": "treasure"},
)
"""From the start to the middle goal: no other goal is beside it."""


def test_with_the_referee_a_play_that_ends_the_round_waits_too() -> None:
    evening = Waiting()
    evening.start(way="referee")
    names = ("anna", "berta", "carl")
    for number, play in enumerate(GOLD_REACHED):
        by = names[min(number, len(GOLD_REACHED) - 2) % 3]
        evening.done(by, ask.Play(None, dict(play)))
    assert evening.kinds[-1] == "EndTold"
    assert evening.table.game_state.now is not None
    assert evening.refused(by, ask.ConfirmEnd()) == "own_report"
    again = ask.Play(names.index(by) + 1, dict(GOLD_REACHED[-1]))
    for command in (ask.TakeBack(), ask.Finish(), again):
        assert evening.refused(HOST, command) == "stale"
    evening.done(next(name for name in names if name != by), ask.ConfirmEnd())
    assert is_over(evening)
    assert evening.table.game_state.past[-1].won_by == "miners"


@pytest.mark.parametrize("settled", [False, True], ids=["in a round", "between rounds"])
def test_a_game_that_is_ended_before_its_time_waits_too(evening: Waiting, settled: bool) -> None:
    if settled:
        evening.tell()
        evening.later(10)
    before = evening.table
    evening.done(HOST, ask.Finish())
    assert evening.kinds[-1] == "EndTold"
    assert evening.table.game_state == before.game_state
    assert evening.refused(HOST, ask.Finish()) == "stale"
    assert evening.refused(HOST, ask.Deal()) == ("stale" if settled else "round_under_way")
    assert evening.refused("anna", ask.ConfirmEnd()) == "own_report"
    evening.done("anna", ask.StopEnd())
    assert evening.table.game_state == before.game_state
    evening.done(HOST, ask.Finish())
    evening.later(10)
    assert evening.table.phase == "over"


def test_the_word_of_a_host_without_a_seat_is_nobodys_to_confirm(evening: Waiting) -> None:
    """Their own phone could be the second one."""
    table = evening.tell(HOST)
    assert table.round.waiting_end.seat is None
    assert evening.refused("anna", ask.ConfirmEnd()) == "own_report"
    evening.later(10)
    assert evening.table.round.undo_steps[-1].seat is None


def test_who_confirms_an_end_has_not_reported_it(evening: Waiting) -> None:
    """And takes back no more than who waited until it came."""
    evening.tell()
    table = evening.done("berta", ask.ConfirmEnd())
    assert table.round.undo_steps[-1].by == "anna"


def test_nor_does_such_a_host_confirm(evening: Waiting) -> None:
    evening.tell()
    assert evening.refused(HOST, ask.ConfirmEnd()) == "own_report"


def test_nobody_confirms_their_own_word_by_a_seat_that_moves(evening: Waiting) -> None:
    offer = evening.tables.seat_offers.offer(evening.id, "anna", 1)
    assert isinstance(offer, Offer)
    evening.tell()
    moved = evening.tables.seat_offers.take("another", ask.TakeSeat(offer.key), "k")
    assert isinstance(moved, Table)
    assert evening.refused("another", ask.ConfirmEnd()) == "own_report"
    assert evening.refused("anna", ask.ConfirmEnd()) == "not_seated"
    evening.done("another", ask.StopEnd())


@pytest.mark.parametrize("teller", ["anna", "second"])
def test_nobody_confirms_their_own_word_by_a_seat_that_has_moved_since_the_deal(
    evening: Waiting, teller: str
) -> None:
    """Anna has a second browser, and Carl's seat was free: his battery was flat."""
    evening.done(HOST, ask.FreeSeat(SeatId(3)))
    evening.done("second", ask.ClaimSeat(SeatId(3)))
    table = evening.tell(teller)
    assert not any(may_confirm(table, device) for device in ("anna", "second"))
    assert evening.refused("anna", ask.ConfirmEnd()) == "own_report"
    assert evening.refused("second", ask.ConfirmEnd()) == "own_report"
    if teller == "anna":
        evening.done("berta", ask.ConfirmEnd())
    else:
        assert evening.refused("berta", ask.ConfirmEnd()) == "own_report"
        evening.later(10)
    assert is_over(evening)


def test_who_has_moved_confirms_from_the_next_deal_on(evening: Waiting) -> None:
    evening.done(HOST, ask.FreeSeat(SeatId(3)))
    evening.done("new", ask.ClaimSeat(SeatId(3)))
    evening.tell()
    evening.later(10)
    assert is_over(evening)
    evening.done(HOST, ask.Deal())
    evening.look()
    evening.tell()
    evening.done("new", ask.ConfirmEnd())


def test_who_has_given_the_seat_away_confirms_nothing(evening: Waiting) -> None:
    offer = evening.tables.seat_offers.offer(evening.id, "berta", SeatId(2))
    assert isinstance(offer, Offer)
    table = evening.tell()
    assert may_confirm(table, "berta")
    table = evening.tables.seat_offers.take("new", ask.TakeSeat(offer.key), "k")
    assert isinstance(table, Table)
    assert not may_confirm(table, "berta")


def test_the_host_frees_no_seat_and_renews_no_link_while_an_end_waits(evening: Waiting) -> None:
    """Else nobody is left who could stop the host's own word."""
    evening.tell(HOST)
    for command in (ask.FreeSeat(SeatId(2)), ask.RenewLink()):
        assert evening.refused(HOST, command) == "stale"
    assert evening.refused("berta", ask.TakeHosting(500.0, HOST)) == "stale"
    evening.done("berta", ask.StopEnd())
    evening.done(HOST, ask.FreeSeat(SeatId(2)))


@pytest.mark.parametrize("before", [True, False], ids=["before", "meanwhile"])
def test_who_had_a_seat_stops_an_end_without_one(evening: Waiting, before: bool) -> None:
    """Taken away before the end was told, or given away since."""
    if before:
        evening.done(HOST, ask.FreeSeat(SeatId(2)))
        evening.done("another", ask.ClaimSeat(SeatId(2)))
        evening.tell(HOST)
    else:
        offer = evening.tables.seat_offers.offer(evening.id, "berta", SeatId(2))
        assert isinstance(offer, Offer)
        evening.tell(HOST)
        evening.tables.seat_offers.take("another", ask.TakeSeat(offer.key), "k")
    assert not evening.table.held("berta")
    assert evening.refused("berta", ask.ConfirmEnd()) == "not_seated"
    assert evening.done("berta", ask.StopEnd()).round.waiting_end is None


def test_seats_that_are_freed_in_a_round_make_no_table_of_two(evening: Waiting) -> None:
    for seat in (2, 3):
        evening.done(HOST, ask.FreeSeat(seat))
    evening.tell()
    assert evening.kinds[-1] == "EndTold"


def test_who_told_it_stays_named_after_a_take_back(evening: Waiting) -> None:
    evening.tell()
    evening.done("berta", ask.ConfirmEnd())
    table = evening.done(HOST, ask.TakeBack())
    (undone,) = table.round.ends_undone
    assert (undone.seat, undone.by) == (1, HOST)


def test_who_has_had_which_seat_stays_known_after_a_take_back(evening: Waiting) -> None:
    evening.done(HOST, ask.FreeSeat(1))
    evening.done("other", ask.ClaimSeat(1))
    handovers = evening.table.handovers
    assert (handovers.moved, handovers.freed) == ((1,), ((1, Actor(HOST, hosted=True)),))
    evening.tell("berta")
    evening.done("carl", ask.ConfirmEnd())
    assert evening.table.handovers == Handovers()
    evening.done(HOST, ask.FreeSeat(2))
    evening.done("berta", ask.ClaimSeat(2))
    handovers = evening.done(HOST, ask.TakeBack()).handovers
    assert handovers.moved == (1, 2)
    assert dict(handovers.freed) == dict.fromkeys((1, 2), Actor(HOST, hosted=True))
    assert dict(handovers.first_phones) == {1: "anna", 2: "berta"}


@pytest.mark.parametrize(
    ("away", "left"), [(4.0, 6.0), (3600.0, 10.0), (-3600.0, 10.0)], ids=["soon", "late", "clock"]
)
def test_it_outlives_the_program(evening: Waiting, away: float, left: float) -> None:
    """Also when its clock was set back meanwhile: nobody waits longer than ever. Where it was away
    for all of the wait, that begins anew: nobody could have stopped the end."""
    evening.tell()
    evening.now += away
    evening.restart()
    entry = evening.tables._ledger.get(evening.id)
    assert entry is not None
    assert entry.table.round.waiting_end is not None
    assert evening.tables.due_s(entry.table) == left
    evening.later(left)
    assert is_over(evening)
    rows = rows_of(evening.log, evening.id)
    assert fold(evening.id, None, [logged(row) for row in rows], GAMES) == evening.table


def test_a_full_disk_holds_it_up(evening: Waiting, monkeypatch: pytest.MonkeyPatch) -> None:
    evening.tell()
    evening.later(11)
    with monkeypatch.context() as full:

        def refuse(*_: object) -> bool:
            raise StorageError("the disk is full")

        full.setattr(evening.log, "append", refuse)
        assert not is_over(evening)
    assert not is_over(evening)  # it is not tried at each look
    evening.later(11)
    assert is_over(evening)


def test_a_table_that_ends_is_forgotten(evening: Waiting) -> None:
    evening.tell()
    assert evening.tables.due_s(evening.table) == 10
    evening.done(HOST, ask.End())
    assert evening.tables._due.ends._until == {}


WAITING = (
    ask.RenameSeat(SeatId(2), "Dora"),
    ask.OrderSeats((SeatId(2), SeatId(1), SeatId(3))),
    ask.Configure(language="lt"),
    ask.RenewLink(),
    ask.Play(None, {"play": "result", "finisher": 3}),
    ask.TakeBack(),
    ask.Correct({"step": 0}),
    ask.Deal(),
    ask.Finish(),
    ask.FreeSeat(SeatId(2)),
    ask.TakeHosting(500.0, HOST),
    ask.PassHosting(SeatId(1)),
)


def test_these_are_all_that_have_to_wait() -> None:
    waiting = [kind for kind in get_args(ask.Judged) if kind.not_while_an_end_waits]
    assert list(map(type, WAITING)) == waiting


@pytest.mark.parametrize("command", WAITING, ids=lambda command: type(command).__name__)
def test_while_an_end_waits_no_game_is_asked(evening: Waiting, command: ask.Judged) -> None:
    """How long its answer takes may tell of what is secret."""

    def asked(*_args: Any) -> Any:
        pytest.fail("the game was asked")

    evening.tell()
    evening.later(11)
    assert is_over(evening)
    if not isinstance(command, ask.Deal | ask.TakeBack):
        evening.done(HOST, ask.Deal())
        evening.look()
        evening.tell()
    else:
        evening.done(HOST, ask.Finish())
    table, source = evening.table, cast(DealSource, SimpleNamespace(seals=asked, chance=asked))
    assert table.round.waiting_end is not None
    game = replace(
        table.game, decide=asked, evolve=asked, finish=asked, correct=asked, reseat=asked
    )
    told, more = replace(table, game=game), limits(end_wait_s=10.0)
    nobodys = replace(table.round, waiting_end=replace(table.round.waiting_end, seat=None))
    for one in (told, replace(told, round=nobodys)):
        answer = decide(one, HOST, command, source, more, ends_wait=True)
        assert isinstance(answer, Rejection)
        assert (answer.reason.code, answer.params["what"]) == ("stale", on.EndTold)
    answer = decide(told, "stranger", command, source, more, ends_wait=True)
    assert isinstance(answer, Rejection)
    assert answer.reason.code in ("not_host", "not_seated")


def test_while_an_end_waits_nobody_changes_places(evening: Waiting) -> None:
    evening.tell()
    assert evening.refused(HOST, ask.OrderSeats((2, 1, 3))) == "stale"
    evening.done("berta", ask.StopEnd())
    evening.done(HOST, ask.OrderSeats((2, 1, 3)))


# What was sent again


def test_who_told_an_end_that_was_taken_back_hears_so_when_it_is_sent_again(
    evening: Waiting,
) -> None:
    evening.tell(key="told")
    evening.later(11)
    assert is_over(evening)
    assert not isinstance(evening.tell(key="told"), Rejection)
    evening.done(HOST, ask.TakeBack())
    assert evening.tell(key="told") == TAKEN_BACK


def test_who_told_an_end_that_was_stopped_hears_so_when_it_is_sent_again(evening: Waiting) -> None:
    evening.tell(key="told")
    evening.done("berta", ask.StopEnd())
    assert evening.tell(key="told") == TAKEN_BACK


# By a correction an end would come at once


class Dug(Waiting):
    """A tunnel up to the middle goal, dug by three whose plays the referee follows."""

    PHONES = ("anna", "berta", "carl")

    def dig(self) -> None:
        self.open(edition="en", way="referee")
        for name, phone in zip(("Anna", "Berta", "Carl"), self.PHONES, strict=True):
            self.done(phone, ask.Join(name))
        self.done(HOST, ask.Start())
        self.look()
        self.done(HOST, ask.Play(None, {"play": "count", "pile": 0}))
        dug = [("EW", 1), ("EW", 2), ("EW", 3), ("NESW", 4), ("NESW", 5), ("NESW", 6)]
        for card, x in dug:
            self.play("path", card=card, at=[x, 0])

    @property
    def turn(self) -> str:
        return self.PHONES[self.table.game_state.now.turn]

    def play(self, name: str, **fields: Any) -> None:
        by = self.table.game_state.now.turn
        self.done(self.turn, ask.Play(SeatId(by + 1), {"play": name, **fields}))


@pytest.fixture
def dug() -> Dug:
    dug = Dug()
    dug.dig()
    return dug


def test_no_correction_ends_a_round(dug: Dug) -> None:
    """Carl has reached a goal with the last but one card of the round; had it led nowhere, the
    round would have been over with the next."""
    while sum(dug.table.game_state.now.hands) > 1:
        dug.play("pass")
    dug.play("path", card="NESW", at=[7, 0])
    assert dug.table.game_state.now.reveal == ("middle",)
    wrong = {
        "step": len(dug.table.round.undo_steps) - 1,
        "play": "path",
        "card": "EWx",
        "at": [7, 0],
    }
    assert dug.refused(dug.turn, ask.Correct(wrong)) == "would_end"
    assert not is_over(dug)


class DugByTwoPhones(Dug):
    """No end waits here."""

    PHONES = ("anna", "berta", "anna")


def test_who_has_had_which_seat_stays_known_where_a_correction_ended_the_round() -> None:
    dug = DugByTwoPhones()
    dug.dig()
    while sum(dug.table.game_state.now.hands) > 1:
        dug.play("pass")
    dug.play("path", card="NESW", at=[7, 0])
    dug.done(HOST, ask.FreeSeat(SeatId(2)))
    dug.done(HOST, ask.ClaimSeat(SeatId(2)))
    handovers = dug.table.handovers
    wrong = {
        "step": len(dug.table.round.undo_steps) - 1,
        "play": "path",
        "card": "EWx",
        "at": [7, 0],
    }
    dug.done(HOST, ask.Correct(wrong))
    assert dug.table.phase == "settled"
    dug.done(HOST, ask.TakeBack())
    assert dug.table.handovers == handovers


def test_after_an_end_that_was_stopped_the_last_play_is_still_its_makers(dug: Dug) -> None:
    by = dug.turn
    dug.play("path", card="NESW", at=[7, 0])
    dug.play("reveal", goal="middle", card="treasure")
    assert dug.table.round.waiting_end is not None
    dug.done(by, ask.StopEnd())
    dug.done(by, ask.TakeBack())
    assert (7, 0) not in dug.table.game_state.now.maze.cards


def test_an_end_that_is_due_follows_though_another_process_was_faster(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With something else, of which it knows nothing."""
    evening = Waiting()
    evening.start("Anna", "Berta", "Carl")
    evening.tables._ledger._shared = True
    evening.tell()
    evening.later(10)
    other = Waiting(evening.log)
    append = evening.log.append

    def later(*given: Any, **more: Any) -> bool:
        monkeypatch.setattr(evening.log, "append", append)
        joined = ask.Join("Dora")
        other.tables.submit(evening.id, "dora", joined, version=None, request_key="d")
        return append(*given, **more)

    monkeypatch.setattr(evening.log, "append", later)
    table = evening.tables.get(evening.id)
    assert table is not None
    assert [seat.name for seat in table.seats][-1] == "Dora"
    assert table.round.waiting_end is None
