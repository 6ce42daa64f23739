"""What there is, listed without names; and deleted."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.settings import Settings
from companion.storage import preflight
from companion.storage.folder import KEY_FILE, LOCK, InUseError, exclusive
from companion.storage.inventory import read_only
from companion.storage.open_log import open_log
from companion.storage.postgres import PostgresLog
from companion.storage.schema import LOG
from companion.storage.sqlite_log import FILE, SqliteLog, cut_off
from companion.tables import commands as ask
from companion.tables.model import Table
from tests.tables.evening import HOST, SECRET, DirectEvening
from tests.tables.test_others import Process

NAMES = ("Anna", "Berta", "Carl")
AWAY = "postgresql://127.0.0.1:1/none"


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[DirectEvening]:
    (tmp_path / KEY_FILE).write_bytes(SECRET)
    log = SqliteLog(tmp_path, SECRET)
    yield played(DirectEvening(log))
    log.close()


@pytest.fixture
def database(request: pytest.FixtureRequest) -> str:
    """The address of an empty one."""
    url: str = request.getfixturevalue("postgres").fresh()
    return url


@pytest.fixture(params=["folder", "database"])
def place(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[DirectEvening, list[str]]]:
    """An evening, and the options that say where its tables are."""
    if request.param == "folder":
        yield request.getfixturevalue("evening"), ["--data", str(tmp_path)]
        return
    database = request.getfixturevalue("database")
    log = PostgresLog(database, SECRET)
    yield played(DirectEvening(log)), ["--database", database, "--secret-key", SECRET.decode()]
    log.close()


def played(evening: DirectEvening) -> DirectEvening:
    """A game on one day, and a table on the next."""
    evening.start(*NAMES)
    evening.now += 7200
    evening.open()
    return evening


def said_at(place: list[str], *arguments: str) -> Result:
    return CliRunner().invoke(main, ["tables", *place, *arguments])


def run(folder: Path, *arguments: str) -> Result:
    return said_at(["--data", str(folder)], *arguments)


def test_the_list_while_the_server_runs(
    place: tuple[DirectEvening, list[str]], tmp_path: Path
) -> None:
    evening, where = place
    with exclusive(tmp_path):
        said = said_at(where)
    assert said.exit_code == 0
    head, first, second, total = said.output.splitlines()
    game = evening.tables.of("anna")[0]
    first_times, second_times = (" ".join(line.split()[1:-1]) for line in (first, second))
    assert (first.split()[0], first_times) == (game, "2023-11-14 22:13 2023-11-14 22:13 9 3")
    assert (second.split()[0], second_times) == (
        evening.id,
        "2023-11-15 00:13 2023-11-15 00:13 1 0",
    )
    assert head.split()[0] == "table"
    assert total.startswith("2 tables, 10 events, ")
    secrets = (*NAMES, evening.tables.code(game), evening.tables.join_key(evening.tables.get(game)))
    assert not [each for each in secrets if each and each in said.output]


def test_totals_by_day(place: tuple[DirectEvening, list[str]]) -> None:
    said = said_at(place[1], "--days")
    assert [line.split()[:3] for line in said.output.splitlines()[1:]] == [
        ["2023-11-14", "1", "9"],
        ["2023-11-15", "1", "1"],
    ]


def test_a_table_is_deleted_for_good(evening: DirectEvening, tmp_path: Path) -> None:
    evening.done(HOST, ask.SetWifi("Keller", "12345678"))
    evening.log.close()
    said = run(tmp_path, "--delete", evening.id)
    assert (said.exit_code, said.output) == (0, "1 table deleted.\n")
    assert evening.id.encode() not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert "1 table, 9 events" in run(tmp_path).output
    again = run(tmp_path, "--delete", evening.id)
    assert again.exit_code == 1
    assert f"there is no table {evening.id}" in again.output


def test_a_table_that_is_named_twice_is_deleted_once(
    evening: DirectEvening, tmp_path: Path
) -> None:
    evening.log.close()
    said = run(tmp_path, "--delete", evening.id, "--delete", evening.id)
    assert (said.exit_code, said.output) == (0, "1 table deleted.\n")


def test_not_under_a_server_s_feet(evening: DirectEvening, tmp_path: Path) -> None:
    with exclusive(tmp_path):
        said = run(tmp_path, "--delete", evening.id)
    assert said.exit_code == 1
    assert "is in use" in said.output


def test_from_a_shared_database_while_processes_serve(database: str) -> None:
    """They find that the table is gone; a play that was on its way is refused."""
    logs = PostgresLog(database, SECRET), PostgresLog(database, SECRET)
    one, other = map(Process, logs)
    table_id, stays = one.open(), one.open("another")
    other.tables.fresh(table_id)
    where = ["--database", database, "--secret-key", SECRET.decode()]
    said = said_at(where, "--delete", table_id, "--delete", "x")
    assert said.exit_code == 1
    assert said.output.splitlines() == ["1 table deleted.", "companion: there is no table x."]
    assert not isinstance(one.ask(table_id, "anna", ask.Join("Anna")), Table)
    other.tables.look_for_news([table_id])
    assert other.news[-1].ended
    assert other.tables.get(table_id) is None
    assert logs[0].ids() == [stays]
    for each in logs:
        each.close()


def test_of_a_database_nothing_is_made_by_looking(database: str) -> None:
    where = ["--database", database, "--secret-key", SECRET.decode()]
    for arguments in ([], ["--delete", "x"], []):
        said = said_at(where, *arguments)
        assert (said.exit_code, said.output) == (
            1,
            "companion: there are no tables in the database.\n",
        )
    assert "cannot be read: connection failed" in said_at([*where, "--database", AWAY]).output
    with psycopg.connect(database) as connection:
        connection.execute(*LOG["alembic_version"])
        connection.execute("INSERT INTO alembic_version VALUES ('older')")
    assert "of another version: start the server once" in said_at(where).output


@pytest.mark.parametrize("arguments", [[], ["--days"], ["--delete", "x"]])
def test_where_there_is_nothing_nothing_is_made(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "there").mkdir()
    for name in ("none", "there"):
        said = run(tmp_path / name, *arguments)
        assert said.exit_code == 1
        assert said.output == f"companion: there are no tables in {tmp_path / name}.\n"
    assert {each.name for each in tmp_path.rglob("*")} <= {"there", LOCK}


def test_a_folder_is_told_as_it_was_given(tmp_path: Path) -> None:
    folder = tmp_path / ".." / "none"
    assert run(folder).output == f"companion: there are no tables in {folder}.\n"


def test_where_there_is_nothing(tmp_path: Path) -> None:
    assert "there are no tables" in run(tmp_path).output
    (tmp_path / FILE).write_bytes(b"x" * 5000)
    said = run(tmp_path)
    assert said.exit_code == 1
    assert "cannot be read" in said.output


def test_a_look_that_began_before_the_server_leaves_it_its_index(tmp_path: Path) -> None:
    """Without it, the server would not see who reads, and take from under them what they read."""
    SqliteLog(tmp_path, SECRET).close()
    with read_only(tmp_path):
        server = SqliteLog(tmp_path, SECRET)
        assert server.count() == 0
    assert (tmp_path / f"{FILE}-shm").exists()
    server.close()


def test_a_look_is_not_taken_for_a_server_that_was_cut_off(tmp_path: Path) -> None:
    SqliteLog(tmp_path, SECRET).close()
    with read_only(tmp_path):
        pass
    assert not cut_off(tmp_path)


@pytest.mark.parametrize("served", [False, True])
def test_who_writes_beside_a_server_does_not_take_its_file_for_still(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, served: bool
) -> None:
    SqliteLog(tmp_path, SECRET).close()
    alone: list[bool] = []
    once = preflight.untouched

    def untouched(database: Path, **how: bool) -> AbstractContextManager[sqlite3.Connection]:
        alone.append(how["alone"])
        return once(database, **how)

    monkeypatch.setattr(preflight, "untouched", untouched)
    settings = Settings(data=tmp_path, secret_key=SECRET.decode())
    with exclusive(tmp_path) if served else nullcontext(), open_log(settings):
        assert alone == [not served]
        if not served:
            with pytest.raises(InUseError), exclusive(tmp_path):
                pass
