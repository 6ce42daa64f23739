"""What `make gap` looks for, in a few games; and it is found where it is."""

import pytest

from companion.tables.ledger import Ledger
from tests.web import gap

GAMES = 12


def test_no_game_is_seen_before_it_is_shown() -> None:
    assert gap.leaks(GAMES) == []


def test_a_reader_of_more_than_its_reader_has_seen_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = Ledger.rows

    def all_there_is(self: Ledger, table_id: str, after: int, _: int):
        head = self.log.head(table_id)
        assert head is not None
        return rows(self, table_id, after, head.version)

    monkeypatch.setattr(Ledger, "rows", all_there_is)
    assert any(page.endswith("/record.jsonl") for page in gap.leaks(GAMES))
