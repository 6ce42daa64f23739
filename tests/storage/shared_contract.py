"""What everything must do that processes share beside their log."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from msgspec.structs import replace

from companion.tables.offers import LentScreen, Offerable, Offered
from companion.tables.shared_store import NotesNeeded
from tests.storage.contract import index, row


class SharedContract:
    """Derived classes give the fixture `shared`, of an empty log, which it is, too."""

    def test_knows_how_far_tables_have_gone(self, shared: Any) -> None:
        shared.append("a", [row(1), row(2)], index("a"))
        shared.append("b", [row(1)], index("b"))
        assert shared.versions(["a", "b", "c"]) == {"a": 2, "b": 1}
        assert shared.versions([]) == {}

    def test_one_at_a_time_does_what_a_request_wants(self, shared: Any) -> None:
        inside = []

        def enter(number: int) -> None:
            with shared.alone("ab" * 32):
                inside.append(number)
                assert len(inside) == 1
                inside.remove(number)

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(enter, range(8)))
        with shared.alone("ab" * 32), shared.alone("cd" * 32):
            pass

    def test_the_first_note_of_a_name_stays(self, shared: Any) -> None:
        shared.append("a", [row(1)], index("a"))
        shared.append("b", [row(1)], index("b"))
        first = {"here": {"x": "1", "y": "2"}}
        assert shared.note("a", 1, first) == first
        both = {"here": {"x": "3", "z": "4"}, "there": {"x": "5"}}
        here = {"x": "1", "y": "2", "z": "4"}
        assert shared.note("a", 1, both) == {"here": here, "there": {"x": "5"}}
        assert shared.notes("a") == {"here": here, "there": {"x": "5"}}
        assert shared.notes("b") == shared.notes("nothing") == {}

    def test_nothing_is_noted_at_another_version(self, shared: Any) -> None:
        assert shared.note("a", 1, {"here": {"x": "1"}}) is None
        shared.append("a", [row(1), row(2)], index("a"))
        assert shared.note("a", 1, {"here": {"x": "1"}}) is None
        assert shared.note("a", 3, {"here": {"x": "1"}}) is None
        assert shared.notes("a") == {}

    def test_what_is_not_needed_goes(self, shared: Any) -> None:
        shared.append("a", [row(1)], index("a"))
        for place in ("old", "kept"):
            shared.note("a", 1, {place: {"x": "1"}})
        shared.note("a", 1, {"new": {"x": "1"}}, NotesNeeded({"kept", "new"}, (), 9))
        assert set(shared.notes("a")) == {"kept", "new"}
        shared.delete("a")
        shared.append("a", [row(1)], index("a"))
        assert shared.notes("a") == {}

    def test_where_a_place_is_full_names_that_are_not_needed_go(self, shared: Any) -> None:
        shared.append("a", [row(1)], index("a"))
        shared.note("a", 1, {"beside": {f"x{n}": "1" for n in range(600)}})
        needed = NotesNeeded({"here", "there", "beside"}, {"x1", "x4"}, 3)
        for name in ("x1", "x2", "x3"):
            shared.note("a", 1, {"here": {name: "1"}, "there": {"x1": "1"}}, needed)
        assert shared.notes("a")["here"].keys() == {"x1", "x2", "x3"}
        noted = shared.note("a", 1, {"here": {"x4": "1"}, "there": {"x4": "1"}}, needed)
        assert noted == {"here": {"x1": "1", "x4": "1"}, "there": {"x1": "1", "x4": "1"}}
        assert len(shared.notes("a")["beside"]) == 600

    def test_a_decision_that_has_overlooked_a_note_is_not_written_down(self, shared: Any) -> None:
        shared.append("a", [row(1)], index("a"))
        shared.note("a", 1, {"here": {"x": "1", "y": "2"}})
        shared.note("a", 1, {"elsewhere": {"x": "1"}})
        for overlooked in ({"here": 1}, {"here": 2, "there": 1}, {"here": 2, "elsewhere": 0}):
            assert not shared.append("a", [row(2)], replace(index("a"), notes=overlooked))
        assert shared.versions(["a"]) == {"a": 1}
        assert shared.append("a", [row(2)], replace(index("a"), notes={"here": 2, "there": 0}))

    def test_an_offer_is_found_by_key_and_code_and_taken_once(self, shared: Any) -> None:
        shared.append("a", [row(1)], index("a"))
        offered = Offered("a", 2, "device", 123.5)
        assert shared.put_offer(("key", "code"), offered)
        assert shared.find_offer("key") == shared.find_offer("code") == offered
        assert shared.find_offer("other") is None
        shared.take_offer(replace(offered, taken_by="another"))
        assert shared.find_offer("key") == replace(offered, taken_by="another")

    def test_a_new_offer_of_a_seat_takes_the_place_of_the_older_one(self, shared: Any) -> None:
        shared.append("a", [row(1)], index("a"))
        end = 4e9
        shared.put_offer(("key", "code"), Offered("a", 2, None, end))
        assert not shared.put_offer(("key 3", "code"), Offered("a", 3, None, end))
        assert shared.put_offer(("key 4", "code 4"), Offered("a", 4, None, end))
        assert shared.put_offer(("key 2", "code 2"), Offered("a", 2, "device", end))
        assert shared.find_offer("code") is None
        assert shared.find_offer("code 2") == Offered("a", 2, "device", end)
        assert shared.find_offer("code 4") is not None

    def test_a_renewed_link_ends_the_offers_of_its_table_at_once(self, shared: Any) -> None:
        """Not by another write, which may fail when the link is on disk already."""
        for name in ("a", "b"):
            shared.append(name, [row(1)], index(name))
            assert shared.put_offer((f"key {name}", f"code {name}"), Offered(name, 2, None, 4e9))
        shared.append("a", [row(2)], index("a"))
        assert not shared.append("a", [row(2)], replace(index("c"), renewed=True))
        assert shared.find_offer("key a") is not None
        assert shared.append("a", [row(3)], replace(index("c"), renewed=True))
        assert shared.find_offer("key a") is None
        assert shared.find_offer("key b") is not None

    def test_an_offer_of_the_table_screen_lies_beside_that_of_its_seat(self, shared: Any) -> None:
        shared.append("a", [row(1)], index("a"))
        offered: dict[str, Offerable] = {
            "1": 2,
            "2": LentScreen(2),
            "3": LentScreen(3),
            "4": LentScreen(None),
        }
        for key, what in offered.items():
            assert shared.put_offer((key, f"code {key}"), Offered("a", what, "device", 4e9))
        for key, what in offered.items():
            found = shared.find_offer(key)
            assert found == Offered("a", what, "device", 4e9)
            shared.take_offer(replace(found, taken_by=key))
        assert [shared.find_offer(key).taken_by for key in offered] == list(offered)

    def test_of_a_table_that_is_gone_nothing_is_offered(self, shared: Any) -> None:
        shared.append("a", [row(1)], index("a"))
        shared.put_offer(("key", "code"), Offered("a", 2, None, 1.0))
        shared.delete("a")
        assert shared.find_offer("key") is None
        assert not shared.put_offer(("key", "code"), Offered("a", 2, None, 1.0))
