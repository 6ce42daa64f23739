"""What there is, listed without names; and deleted."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.storage.folder import KEY_FILE, exclusive
from companion.storage.log import FILE, SqlLog
from companion.tables import commands as ask
from tests.tables.evening import HOST, SECRET, Evening

NAMES = ("Anna", "Berta", "Carl")


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    """A game on one day, and a table on the next."""
    (tmp_path / KEY_FILE).write_bytes(SECRET)
    evening = Evening(SqlLog(tmp_path, SECRET))
    evening.start(*NAMES)
    evening.now += 7200
    evening.open()
    return evening


def run(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["tables", "--data", str(folder), *arguments])


def test_the_list_while_the_server_runs(evening: Evening, tmp_path: Path) -> None:
    with exclusive(tmp_path):
        said = run(tmp_path)
    assert said.exit_code == 0
    head, first, second, total = said.output.splitlines()
    game = evening.tables.seated("anna")[0]
    first_times, second_times = (" ".join(line.split()[1:-1]) for line in (first, second))
    assert (first.split()[0], first_times) == (game, "2023-11-14 22:13 2023-11-14 22:13 9 3")
    assert (second.split()[0], second_times) == (
        evening.id,
        "2023-11-15 00:13 2023-11-15 00:13 1 0",
    )
    assert head.split()[0] == "table"
    assert total.startswith("2 tables, 10 events, ")
    secrets = (*NAMES, evening.tables.code(game), evening.tables.join_key(game))
    assert not [each for each in secrets if each and each in said.output]
    evening.log.close()


def test_totals_by_day(evening: Evening, tmp_path: Path) -> None:
    said = run(tmp_path, "--days")
    assert [line.split()[:3] for line in said.output.splitlines()[1:]] == [
        ["2023-11-14", "1", "9"],
        ["2023-11-15", "1", "1"],
    ]
    evening.log.close()


def test_a_table_is_deleted_for_good(evening: Evening, tmp_path: Path) -> None:
    evening.done(HOST, ask.SetWifi("Keller", "12345678"))
    evening.log.close()
    said = run(tmp_path, "--delete", evening.id)
    assert (said.exit_code, said.output) == (0, "1 table deleted.\n")
    assert evening.id.encode() not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert "1 table, 9 events" in run(tmp_path).output
    again = run(tmp_path, "--delete", evening.id)
    assert again.exit_code == 1
    assert f"there is no table {evening.id}" in again.output


def test_not_under_a_server_s_feet(evening: Evening, tmp_path: Path) -> None:
    with exclusive(tmp_path):
        said = run(tmp_path, "--delete", evening.id)
    assert said.exit_code == 1
    assert "is in use" in said.output
    evening.log.close()


def test_where_there_is_nothing(tmp_path: Path) -> None:
    assert "there are no tables" in run(tmp_path).output
    (tmp_path / FILE).write_bytes(b"x" * 5000)
    said = run(tmp_path)
    assert said.exit_code == 1
    assert "cannot be read" in said.output
