"""A café's tables are made, and their tents printed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.languages import LOCALES
from companion.storage.folder import KEY_FILE, LOCK, exclusive
from companion.storage.inventory import read_only
from companion.storage.postgres import PostgresLog
from companion.storage.sqlite_log import FILE, SqliteLog
from companion.tables import commands as ask
from companion.tables.model import Table
from tests.kit.certificate import write
from tests.kit.services import Postgres
from tests.tables.evening import HOST, SECRET, DirectEvening
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


def test_tents_of_a_server_with_a_certificate_lead_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = write(tmp_path)
    monkeypatch.setenv("COMPANION_TLS", ",".join(map(str, pair)))
    said, page = run(tmp_path, 1, "--host", "127.0.0.1", "--port", "8443")
    assert "tents for 1 table at https://127.0.0.1:8443\n" in said.output
    assert len(codes(page)) == 1


def test_with_a_certificate_that_cannot_be_used_no_table_is_made(tmp_path: Path) -> None:
    said, page = run(tmp_path, 1, "--tls", "/no/cert.pem", "/no/key.pem")
    assert said.exit_code == 1
    assert said.output == (
        "companion: /no/cert.pem and /no/key.pem cannot be used: No such file or directory.\n"
    )
    assert not page
    assert not (tmp_path / "data").exists()


def test_a_home_folder_as_a_shell_leaves_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    said, page = run(tmp_path, 1, "--output=~/tents.html", "--public-url", URL)
    assert said.output == f"{tmp_path / 'tents.html'}: tents for 1 table at {URL}\n"
    assert len(codes(page)) == 1


def test_what_there_is_stays_as_it_is_while_the_server_runs(tmp_path: Path) -> None:
    first = codes(run(tmp_path, 2, "--public-url", URL)[1])
    with exclusive(tmp_path / "data"):
        said, page = run(tmp_path, 3, "--public-url", URL)
    assert said.exit_code == 0
    assert codes(page)[:2] == first
    with read_only(tmp_path / "data") as connection:
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
    found = [process.tables.standing_codes.by_code(code) for code in codes(page)]
    assert [one and one.number for one in found] == [1, 2, 3]
    assert not (tmp_path / "data").exists()
    process.log.close()


def test_the_list_of_tables_tells_at_which_tent_an_evening_is(
    tents: tuple[DirectEvening, list[str]],
) -> None:
    evening, where = tents
    evening.open()
    said = CliRunner().invoke(main, ["tables", *where])
    head, *lines, _ = said.output.splitlines()
    assert head.split()[-1] == "tent"
    assert sorted(len(line.split()) for line in lines) == [8, 9]
    assert [line.split()[-1] for line in lines if len(line.split()) == 9] == ["2"]


@pytest.fixture(params=["folder", "database"])
def tents(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[DirectEvening, list[str]]]:
    """A server at work with three tables of a café, an evening at the second, and the options that
    say where it all is."""
    log: SqliteLog | PostgresLog
    if request.param == "folder":
        (tmp_path / KEY_FILE).write_bytes(SECRET)
        log, where = SqliteLog(tmp_path, SECRET), ["--data", str(tmp_path)]
    else:
        database = request.getfixturevalue("postgres").fresh()
        log = PostgresLog(database, SECRET)
        where = ["--database", database, "--secret-key", SECRET.decode()]
    evening = DirectEvening(log)
    made = [evening.tables.standing_codes.make(number) for number in (1, 2, 3)]
    command = ask.Open("saboteur", "lv-2009", "roles", "lv")
    opened = evening.tables.standing.open(made[1], HOST, command, "key")
    assert isinstance(opened, Table)
    evening.id = opened.id
    with exclusive(tmp_path):
        yield evening, where
    log.close()


def freed(where: list[str], *numbers: int) -> Result:
    given = [each for number in numbers for each in ("--free", str(number))]
    return CliRunner().invoke(main, ["standing", *given, *where])


def test_a_table_is_freed_while_the_server_runs(tents: tuple[DirectEvening, list[str]]) -> None:
    """Who comes next opens an evening; who was there before has theirs."""
    evening, where = tents
    standing = evening.tables.standing

    def there() -> Table | None:
        (_, one, _) = evening.log.standing()
        return standing.evening_at(one)

    assert there() is not None
    said = freed(where, 3, 2)
    assert (said.exit_code, said.output) == (0, "Table 3 is free.\nTable 2 is free.\n")
    assert there() is None
    evening.done("anna", ask.Join("Anna"))
    command = ask.Open("saboteur", "lv-2009", "roles", "lv")
    again = standing.open(evening.log.standing()[1], "berta", command, "key")
    assert isinstance(again, Table)
    assert again.id != evening.id
    assert there() == again


def test_a_table_that_there_is_not_is_freed_in_vain(tents: tuple[DirectEvening, list[str]]) -> None:
    evening, where = tents
    said = freed(where, 4, 2, 5)
    assert said.exit_code == 1
    assert said.output.splitlines() == ["Table 2 is free.", "companion: there is no table 4, 5."]
    assert [one.table_id for one in evening.log.standing()] == [None] * 3


def test_where_there_are_no_tables_none_is_freed(tmp_path: Path) -> None:
    said = freed(["--data", str(tmp_path / "data")], 1)
    assert said.exit_code == 1
    assert "there are no tables in" in said.output
    assert not (tmp_path / "data").exists()


def test_a_table_gets_another_code_while_the_server_runs(
    tents: tuple[DirectEvening, list[str]], tmp_path: Path
) -> None:
    """Whoever knows the one before opens nothing there any more."""
    evening, where = tents
    standing, page = evening.tables.standing_codes, tmp_path / "tents.html"
    before = evening.log.standing()
    keys = [standing.key(one) for one in before]
    for times in (1, 2):
        given = ["standing", "--renew", "2", "-o", str(page), "--public-url", URL, *where]
        said = CliRunner().invoke(main, given)
        assert (said.exit_code, said.output) == (0, f"{page}: tents for 1 table at {URL}\n")
        assert page.read_text(encoding="utf-8").count('class="tents"') == 1
        now = evening.log.standing()
        keys.append(standing.key(now[1]))
        assert len({*keys}) == 3 + times
        assert codes(page.read_text(encoding="utf-8")) == [now[1].code]
        assert (now[0], now[2]) == (before[0], before[2])
        assert standing.by_key(keys[-1]) == standing.by_code(now[1].code) == now[1]
        assert standing.by_key(keys[-2 if times > 1 else 1]) is None
        assert standing.by_code(before[1].code) is None
        assert evening.tables.standing.evening_at(now[1]) is None
        assert standing.make(2) == now[1], "it is printed again as it is"
    evening.done("anna", ask.Join("Anna"))


def test_a_table_that_there_is_not_gets_no_code(
    tents: tuple[DirectEvening, list[str]], tmp_path: Path
) -> None:
    evening, where = tents
    before, page = evening.log.standing(), tmp_path / "tents.html"
    given = ["standing", "--renew", "2", "--renew", "4", "-o", str(page), *where]
    said = CliRunner().invoke(main, given)
    assert said.exit_code == 1
    assert "there is no table 4" in said.output
    assert evening.log.standing() == before
    assert not page.exists()


def test_no_code_is_new_whose_tent_cannot_be_written(
    tents: tuple[DirectEvening, list[str]], tmp_path: Path
) -> None:
    evening, where = tents
    before, page = evening.log.standing(), tmp_path / "no" / "tents.html"
    given = ["standing", "--renew", "2", "-o", str(page), *where]
    said = CliRunner().invoke(main, given)
    assert (said.exit_code, said.output) == (1, f"Error: {page}: No such file or directory\n")
    assert evening.log.standing() == before


@pytest.mark.parametrize("name", ["tables.sqlite3", "secret.key"])
def test_tents_do_not_take_the_place_of_the_tables(tmp_path: Path, name: str) -> None:
    run(tmp_path, 1)
    file = tmp_path / "data" / name
    before = file.read_bytes()
    given = ["standing", "1", "-o", str(file), "--data", str(tmp_path / "data")]
    said = CliRunner().invoke(main, given)
    assert said.exit_code == 2
    assert "is a file of the tables themselves" in said.output
    assert file.read_bytes() == before


def test_a_page_that_is_there_stays_while_no_other_takes_its_place(
    tents: tuple[DirectEvening, list[str]], tmp_path: Path
) -> None:
    page, link = tmp_path / "tents.html", tmp_path / "link.html"
    page.write_text("older")
    for number, said in (("4", "older"), ("2", "<!doctype html>")):
        CliRunner().invoke(main, ["standing", "--renew", number, "-o", str(page), *tents[1]])
        assert page.read_text(encoding="utf-8").startswith(said)
    link.symlink_to(tmp_path / "other.html")
    CliRunner().invoke(main, ["standing", "2", "-o", str(link), *tents[1]])
    assert len(codes((tmp_path / "other.html").read_text(encoding="utf-8"))) == 2
    assert link.is_symlink()


def test_on_a_full_disk_it_is_said_how_new_tents_are_printed(
    tents: tuple[DirectEvening, list[str]],
) -> None:
    evening, where = tents
    before = evening.log.standing()
    for given, more in ((["3"], ""), (["--renew", "2"], ". The codes are new already: to print")):
        said = CliRunner().invoke(main, ["standing", *given, "-o", "/dev/full", *where])
        assert said.exit_code == 1
        assert said.output.startswith(f"Error: /dev/full: No space left on device{more}")
    assert evening.log.standing()[1].code != before[1].code


@pytest.mark.parametrize(
    "given",
    [
        ["--renew", "1"],
        ["3", "-o", "x", "--renew", "1"],
        ["-o", "x", "--renew", "1", "--free", "1"],
        ["-o", "x", "--renew", "0"],
        [],
        ["3"],
        ["-o", "x"],
        ["3", "-o", "x", "--free", "1"],
        ["--free", "0"],
        ["3", "--free", "1"],
    ],
)
def test_tables_are_made_or_freed(tmp_path: Path, given: list[str]) -> None:
    said = CliRunner().invoke(main, ["standing", *given, "--data", str(tmp_path / "data")])
    assert said.exit_code == 2
    assert not (tmp_path / "data").exists()


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
    assert not (tmp_path / "data").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_root_makes_before_a_service_starts_belongs_to_it(tmp_path: Path) -> None:
    folder, service = tmp_path / "data", (65530, 65531)
    folder.mkdir()
    os.chown(folder, *service)
    tents = ["standing", "2", "-o", str(tmp_path / "tents.html"), "--data", str(folder)]
    assert CliRunner().invoke(main, [*tents, "--public-url", "http://x.example"]).exit_code == 0
    made = {each.name: (each.stat().st_uid, each.stat().st_gid) for each in folder.iterdir()}
    assert made == dict.fromkeys((FILE, KEY_FILE, LOCK), service)
