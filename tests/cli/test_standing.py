"""A café's tables are made, and their tents printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.i18n import LOCALES
from companion.storage.folder import exclusive
from companion.storage.inventory import looking
from companion.storage.postgres import PostgresLog
from tests.kit.services import Postgres
from tests.tables.evening import SECRET
from tests.tables.test_others import Process

URL = "https://kelder.example"


def run(folder: Path, number: int, *arguments: str) -> tuple[Result, str]:
    """What it says, and the page."""
    page = folder / "tents.html"
    given = ["standing", str(number), "-o", str(page), "--data", str(folder / "data"), *arguments]
    said = CliRunner().invoke(main, given)
    return said, page.read_text(encoding="utf-8") if page.exists() else ""


def codes(page: str) -> list[str]:
    """On the faces that are read aloud: one a table."""
    return re.findall(r'<div class="face">.*?class="num code" translate="no">(\w+)<', page, re.S)


def test_a_tent_a_table_in_all_languages(tmp_path: Path) -> None:
    said, page = run(tmp_path, 5, "--public-url", URL, "--lang", "lt")
    assert (said.exit_code, said.output.splitlines()[1:]) == (0, [])
    assert said.output.endswith(f"tents for 5 tables at {URL}\n")
    assert len({*codes(page)}) == 5
    assert all(len(code) == 8 for code in codes(page))
    assert page.count('class="tents"') == 3  # sheets
    assert page.count("kelder.example") == 10
    assert page.count("<p lang=") == 10 * len(LOCALES)
    assert '<html lang="lt"' in page
    assert not re.search(r'(?:src|href)="(?!#)', page)


def test_what_there_is_stays_as_it_is_while_the_server_runs(tmp_path: Path) -> None:
    first = codes(run(tmp_path, 2, "--public-url", URL)[1])
    with exclusive(tmp_path / "data"):
        said, page = run(tmp_path, 3, "--public-url", URL)
    assert said.exit_code == 0
    assert codes(page)[:2] == first
    with looking(tmp_path / "data") as connection:
        numbers = connection.execute("SELECT number FROM standing ORDER BY number")
        assert numbers.fetchall() == [(1,), (2,), (3,)]


def test_in_a_shared_database_while_processes_serve(tmp_path: Path, postgres: Postgres) -> None:
    database = postgres.fresh()
    process = Process(PostgresLog(database, SECRET))
    where = ["--database", database, "--secret-key", SECRET.decode(), "--public-url", URL]
    first = codes(run(tmp_path, 2, *where)[1])
    said, page = run(tmp_path, 3, *where)
    assert said.exit_code == 0, said.output
    *same, added = codes(page)
    assert same == first
    assert added not in first
    found = [process.tables.standing.by_code(code) for code in codes(page)]
    assert [one and one.number for one in found] == [1, 2, 3]
    assert not (tmp_path / "data").exists()
    process.log.close()


def test_an_address_that_may_change_is_said(tmp_path: Path) -> None:
    said, page = run(tmp_path, 1, "--host", "127.0.0.1", "--port", "8123")
    assert "may change" in said.output
    assert "127.0.0.1:8123" in page


@pytest.mark.parametrize("number", ["0", "1001", "x"])
def test_a_number_that_cannot_be(tmp_path: Path, number: str) -> None:
    given = ["standing", number, "-o", str(tmp_path / "x"), "--data", str(tmp_path)]
    assert CliRunner().invoke(main, given).exit_code == 2


def test_where_it_cannot_be_written(tmp_path: Path) -> None:
    given = ["standing", "1", "-o", str(tmp_path / "no" / "x"), "--data", str(tmp_path / "data")]
    said = CliRunner().invoke(main, given)
    assert said.exit_code == 1
    assert "No such file" in said.output
