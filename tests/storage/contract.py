"""What every event log must do; a class of tests for each store derives from `Contract`."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from msgspec.structs import replace

from companion.tables.log import (
    EventLog,
    Head,
    Index,
    Member,
    Row,
    StandingTable,
    Telling,
)

SECRET = b"a secret of the tests, 32 bytes."


def row(version: int, *, request: str | None = None, **data: Any) -> Row:
    return Row(version, "Happened", data, request or f"request {version}", "device", 100.5)


def index(name: str, *, used_at: float = 1.0, members: tuple[Member, ...] | None = None) -> Index:
    """By default with the devices that were there before, as after a play."""
    at_it = None if members is None else frozenset(members)
    return Index(f"join {name}", f"code {name}"[-8:], used_at, at_it)


def rows_of(log: EventLog, table_id: str) -> list[Row]:
    """All that the log has of a table."""
    head = log.head(table_id)
    return log.read(table_id, up_to=head.version) if head is not None else []


class Contract:
    """Derived classes give the fixture `log`, an empty one."""

    def test_reads_what_was_appended_in_order(self, log: EventLog) -> None:
        first = [row(1, name="Šarūnas", list=[1, [2, None]]), row(2, request="x", quote='"\n')]
        assert log.append("a", first, index("a"))
        assert log.append("a", [row(3)], index("a"))
        assert log.append("b", [row(1)], index("b"))
        assert rows_of(log, "a") == [*first, row(3)]
        assert rows_of(log, "b") == [row(1)]

    def test_reads_no_further_than_it_is_told(self, log: EventLog) -> None:
        log.append("a", [row(1), row(2), row(3)], index("a"))
        log.append("a", [row(4)], index("a"))
        assert log.read("a", up_to=2) == [row(1), row(2)]
        assert log.read("a", after=1, up_to=3) == [row(2), row(3)]
        assert log.read("a", after=4, up_to=4) == []
        assert log.head("a") == Head(4, "code a")

    def test_older_rows_can_be_written_anew_with_what_is_added(self, log: EventLog) -> None:
        log.append("a", [row(1, name="Anna"), row(2, name="Berta")], index("a"))
        log.append("b", [row(1, name="Anna")], index("b"))
        anew = replace(row(1, name="Player 1"), request=None)
        assert log.append("a", [row(4)], index("a"), [anew]) is False
        assert rows_of(log, "a") == [row(1, name="Anna"), row(2, name="Berta")]
        assert log.append("a", [row(3)], index("a"), [anew])
        assert rows_of(log, "a") == [anew, row(2, name="Berta"), row(3)]
        assert rows_of(log, "b") == [row(1, name="Anna")]

    def test_what_was_told_of_cards_is_added_up_and_outlives_its_tables(
        self, log: EventLog
    ) -> None:
        def told(*said: tuple[str, str, int]) -> Index:
            return replace(index("a"), tellings=tuple(Telling("trains", *each) for each in said))

        assert log.tellings("trains") == []
        log.append("a", [row(1)], told(("47", "protect", 1), ("7", "move_left", 1)))
        log.append("a", [row(2)], told(("47", "protect", 1), ("7", "move_left", -1)))
        assert not log.append("a", [row(2)], told(("47", "protect", 1)))
        log.delete("a")
        assert log.tellings("trains") == [Telling("trains", "47", "protect", 2)]

    def test_a_standing_table_has_one_number_key_and_code(self, log: EventLog) -> None:
        one, two = StandingTable(1, "key 1", "code 1"), StandingTable(2, "key 2", "code 2")
        assert log.standing() == []
        assert log.add_standing(two)
        assert log.add_standing(one)
        for taken in ((1, "x", "x"), (3, "key 1", "x"), (3, "x", "code 2")):
            assert log.add_standing(StandingTable(*taken)) is False
        assert log.standing() == [one, two]
        assert log.standing_by(key="key 1") == log.standing_by(code="code 1") == one
        assert log.standing_by(key="code 1") is log.standing_by(code="x") is None

    def test_of_two_who_open_a_standing_table_one_is_first(self, log: EventLog) -> None:
        log.add_standing(StandingTable(1, "key", "code"))
        for name in ("a", "b"):
            log.append(name, [row(1)], index(name))
        assert log.move_standing(1, None, "a")
        assert log.move_standing(1, None, "b") is False
        assert log.standing() == [StandingTable(1, "key", "code", "a")]
        assert log.move_standing(1, "a", None)
        assert log.standing() == [StandingTable(1, "key", "code")]
        assert log.move_standing(1, "a", None) is False
        assert log.move_standing(1, None, "b")
        log.delete("b")
        assert log.standing() == [StandingTable(1, "key", "code")]
        assert log.move_standing(1, None, "a")

    def test_a_standing_table_gets_another_key_and_code_and_is_free(self, log: EventLog) -> None:
        log.add_standing(StandingTable(1, "key 1", "code 1"))
        log.add_standing(StandingTable(2, "key 2", "code 2"))
        log.append("a", [row(1)], index("a"))
        assert log.move_standing(2, None, "a")
        anew = StandingTable(2, "key 3", "code 3")
        assert log.renew_standing(StandingTable(2, "key 3", "code 1"), "key 2") is False
        assert log.renew_standing(anew, "key 1") is False
        assert log.standing()[1].table_id == "a"
        assert log.renew_standing(anew, "key 2")
        assert log.standing() == [StandingTable(1, "key 1", "code 1"), anew]
        assert log.standing_by(key="key 2") is log.standing_by(code="code 2") is None
        assert log.renew_standing(anew, "key 2") is False

    def test_knows_how_much_room_is_taken(self, log: EventLog) -> None:
        one, large = row(1), row(2, much="x" * 5000)
        assert log.size_of(one) < log.size_of(large) - 4000
        before = log.used()
        for name, hosts in (("a", True), ("b", True), ("c", False)):
            mine = (Member("host", hosts, True),)
            log.append(name, [one], replace(index(name, members=mine), size=log.size_of(one)))
        assert log.hosted_size("host") == 2 * log.size_of(one)
        size = log.size_of(one) + log.size_of(large)
        log.append("a", [large], replace(index("a", members=None), size=size))
        assert log.head("a") == Head(2, "code a", size)
        assert log.hosted_size("host") == size + log.size_of(one)
        for number in range(3, 20):
            size += log.size_of(large)
            log.append(
                "a",
                [replace(large, version=number, request=f"request {number}")],
                replace(index("a", members=None), size=size),
            )
        full = log.used()
        assert full > before + 17 * 5000
        log.delete("a")
        assert log.used() < full - 17 * 4000
        assert log.hosted_size("host") == log.size_of(one)
        assert log.hosted_size("nobody") == 0

    def test_unknown_tables_are_empty(self, log: EventLog) -> None:
        assert rows_of(log, "a") == []
        assert log.head("a") is None
        assert log.read("a", up_to=9) == []
        assert log.by_code("code a") is log.by_join("join a") is None
        assert log.tables_of("device") == []
        assert log.delete("a") is False

    def test_a_version_is_given_once(self, log: EventLog) -> None:
        log.append("a", [row(1), row(2)], index("a"))
        assert log.append("a", [row(2)], index("a")) is False
        assert log.append("a", [row(4)], index("a")) is False
        assert log.append("a", [row(1)], index("a")) is False
        assert log.append("b", [row(2)], index("b")) is False
        assert rows_of(log, "a") == [row(1), row(2)]
        assert rows_of(log, "b") == []

    def test_a_refused_append_changes_nothing(self, log: EventLog) -> None:
        log.append("a", [row(1)], index("a", members=(Member("x", True, False),)))
        assert not log.append("a", [row(9)], index("a", used_at=9.0, members=()))
        assert log.tables_of("x") == log.tables_of("x", hosts=True) == ["a"]
        assert log.delete_unused(2.0) == ["a"]

    def test_of_many_at_once_one_wins(self, log: EventLog) -> None:
        log.append("a", [row(1)], index("a"))
        with ThreadPoolExecutor(8) as pool:
            won = list(
                pool.map(
                    lambda number: log.append("a", [row(2, number=number)], index("a")), range(8)
                )
            )
        assert sorted(won) == [False] * 7 + [True]
        assert rows_of(log, "a") == [row(1), row(2, number=won.index(True))]

    def test_many_tables_at_once(self, log: EventLog) -> None:
        names = [f"t{number}" for number in range(40)]

        def fill(name: str) -> bool:
            return all(log.append(name, [row(version)], index(name)) for version in range(1, 6))

        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(fill, names))
        assert all(len(rows_of(log, name)) == 5 for name in names)

    def test_a_short_code_belongs_to_one_table(self, log: EventLog) -> None:
        log.append("a", [row(1)], index("a"))
        taken = Index("join b", "code a", 1.0, frozenset())
        assert log.append("b", [row(1)], taken) is False
        assert rows_of(log, "b") == []
        log.delete("a")
        assert log.append("b", [row(1)], taken)

    def test_finds_by_join_hash_and_code(self, log: EventLog) -> None:
        log.append("a", [row(1)], index("a"))
        log.append("b", [row(1)], index("b"))
        assert log.by_join("join b") == "b"
        assert log.by_code("code a") == "a"
        assert log.head("b") == Head(1, "code b")

    def test_a_link_can_be_renewed(self, log: EventLog) -> None:
        log.append("a", [row(1)], index("a"))
        log.append("b", [row(1)], index("b"))
        log.append("a", [row(2)], Index("join c", "code c", 1.0, None))
        assert log.by_join("join a") == log.by_code("code a") == "a"
        assert log.append("a", [row(3)], Index("join c", "code c", 1.0, None, renewed=True))
        assert log.by_join("join c") == log.by_code("code c") == "a"
        assert log.by_join("join a") is log.by_code("code a") is None
        assert log.head("a") == Head(3, "code c")
        taken = Index("join d", "code b", 1.0, None, renewed=True)
        assert log.append("a", [row(4)], taken) is False
        assert log.head("a") == Head(3, "code c")
        assert log.by_join("join c") == "a"

    def test_a_device_finds_back_to_its_tables(self, log: EventLog) -> None:
        host, guest = Member("host", True, False), Member("guest", False, True)
        log.append("a", [row(1)], index("a", used_at=1.0, members=(host, guest)))
        log.append("b", [row(1)], index("b", used_at=2.0, members=(Member("guest", True, True),)))
        assert log.tables_of("guest") == ["b", "a"]
        assert log.tables_of("guest", hosts=True) == ["b"]
        log.append("a", [row(2)], index("a", used_at=3.0, members=None))
        assert log.tables_of("guest") == ["a", "b"]
        log.append("a", [row(3)], index("a", used_at=4.0, members=(host,)))
        assert log.tables_of("guest") == log.tables_of("guest", hosts=True) == ["b"]
        assert log.tables_of("host") == log.tables_of("host", hosts=True) == ["a"]

    def test_of_many_tables_the_newest_are_found(self, log: EventLog) -> None:
        for number in range(5):
            mine = Member("guest", number % 2 == 0, True)
            log.append(str(number), [row(1)], index(str(number), used_at=number, members=(mine,)))
        assert log.tables_of("guest", most=2) == ["4", "3"]
        assert log.tables_of("guest", most=2, hosts=True) == ["4", "2"]

    def test_a_table_that_has_gone_on_is_not_deleted_as_it_was(self, log: EventLog) -> None:
        log.append("a", [row(1)], index("a"))
        log.append("a", [row(2)], index("a"))
        assert log.delete("a", 1) is False
        assert len(rows_of(log, "a")) == 2
        assert log.delete("a", 2) is True
        assert rows_of(log, "a") == []
        assert log.delete("a", 2) is False

    def test_deleting_leaves_nothing(self, log: EventLog) -> None:
        log.append("a", [row(1)], index("a", members=(Member("x", True, True),)))
        log.append("b", [row(1)], index("b"))
        assert log.delete("a") is True
        assert rows_of(log, "a") == []
        assert log.tables_of("x") == []
        assert log.by_join("join a") is None
        assert log.append("a", [row(2)], index("a")) is False
        assert rows_of(log, "b") == [row(1)]

    def test_deletes_what_is_unused(self, log: EventLog) -> None:
        for name, used_at in (("old", 10.0), ("new", 20.0), ("older", 5.0)):
            log.append(name, [row(1)], index(name, used_at=used_at))
        assert sorted(log.delete_unused(20.0)) == ["old", "older"]
        assert rows_of(log, "old") == []
        assert rows_of(log, "new") == [row(1)]
        assert log.delete_unused(20.0) == []

    def test_what_was_used_at_no_time_that_can_be_counts_as_used_now(self, log: EventLog) -> None:
        for name, used_at in (("past", 4.0), ("old", 10.0), ("future", 90.0)):
            log.append(name, [row(1)], index(name, used_at=used_at))
        log.used_between(5.0, 20.0)
        assert log.delete_unused(20.0) == ["old"]
        assert sorted(log.delete_unused(20.5)) == ["future", "past"]

    def test_spares_what_it_is_told_to(self, log: EventLog) -> None:
        for name in ("old", "older"):
            log.append(name, [row(1)], index(name, used_at=5.0))
        assert log.delete_unused(20.0, {"old", "another"}) == ["older"]
        assert rows_of(log, "old") == [row(1)]

    def test_remembers_the_last_purge(self, log: EventLog) -> None:
        assert log.purged_at() is None
        for at in (3.5, 2.5):
            log.set_purged_at(at)
            assert log.purged_at() == at
