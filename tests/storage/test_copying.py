"""Tables move between a data folder and a shared database, both ways."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from companion.cli import main
from companion.settings import SettingsError, read
from companion.storage.copying import Copied, copy_all
from companion.storage.folder import KEY_FILE
from companion.storage.postgres import PostgresLog
from companion.storage.secret_key import as_bytes
from companion.storage.sqlite_log import FILE, SqliteLog
from companion.tables.log import Member, StandingTable, StorageError, Telling
from tests.kit.services import Postgres
from tests.storage.contract import index, row, rows_of

KEY = bytes(range(200, 232))
"""As the program makes it: no text."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    with closing(SqliteLog(folder, KEY)) as log:
        (folder / KEY_FILE).write_bytes(KEY)
        host = (Member("host", True, False),)
        tellings = (Telling("trains", "47", "protect", 2),)
        log.append("a", [row(1, name="Šarūnas"), row(2)], replace(index("a", members=host), size=7))
        log.append(
            "a", [row(3)], replace(index("a", used_at=5.0, members=None), tellings=tellings, size=9)
        )
        log.append("b", [row(1)], index("b"))
        log.set_purged_at(3.5)
    return folder


@pytest.fixture
def url(postgres: Postgres) -> str:
    return postgres.fresh()


@pytest.fixture
def there(url: str, folder: Path) -> Iterator[PostgresLog]:
    """What was copied out of the folder."""
    assert copy_all(str(folder), url) == Copied(2, 4)
    with closing(PostgresLog(url, KEY)) as log:
        yield log


def test_all_is_there_and_goes_on(there: PostgresLog, folder: Path) -> None:
    with closing(SqliteLog(folder, KEY)) as before:
        for table_id in ("a", "b"):
            assert rows_of(there, table_id) == rows_of(before, table_id)
            assert there.head(table_id) == before.head(table_id)
    assert there.by_code("code a") == there.by_join("join a") == "a"
    assert there.tables_of("host") == there.tables_of("host", hosts=True) == ["a"]
    assert there.tellings("trains") == [Telling("trains", "47", "protect", 2)]
    assert there.purged_at() == 3.5
    assert there.append("a", [row(4)], index("a"))


def test_it_stays_encrypted(there: PostgresLog, url: str, folder: Path) -> None:
    query = "SELECT data FROM events ORDER BY table_id, version"
    with psycopg.connect(url) as now, closing(sqlite3.connect(folder / FILE)) as before:
        assert [bytes(data) for (data,) in now.execute(query.encode())] == [
            data for (data,) in before.execute(query)
        ]


def test_back_again(url: str, folder: Path, tmp_path: Path) -> None:
    copy_all(str(folder), url)
    back = tmp_path / "back"
    said = CliRunner().invoke(
        main,
        ["copy", "--from", url, "--to", str(back), "--secret-key-file", str(folder / KEY_FILE)],
    )
    assert said.output == "2 tables with 4 events copied, all of them read and found whole.\n"
    with closing(SqliteLog(back, KEY)) as now, closing(SqliteLog(folder, KEY)) as before:
        assert rows_of(now, "a") == rows_of(before, "a")
        assert now.tables_of("host") == before.tables_of("host")
        assert now.purged_at() == 3.5


def test_a_home_folder_as_a_shell_leaves_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder.parent))
    said = CliRunner().invoke(main, ["copy", "--from=~/data", "--to=~/new"])
    assert (said.exit_code, said.output.split(" copied")[0]) == (0, "2 tables with 4 events")
    assert (folder.parent / "new" / FILE).exists()
    said = CliRunner().invoke(main, ["copy", "--from=~/data", "--to=~no-such-user/new"])
    assert said.exit_code == 1
    assert said.output.startswith("companion: ~no-such-user/new begins with a home folder")


def test_a_folder_that_is_called_as_a_database(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder.rename(tmp_path / "postgresql-data")
    said = CliRunner().invoke(main, ["copy", "--from", "postgresql-data", "--to", "new"])
    assert (said.exit_code, said.output.split(" copied")[0]) == (0, "2 tables with 4 events")


def test_where_tables_are_none_are_copied(there: PostgresLog, url: str, folder: Path) -> None:
    there.close()
    with pytest.raises(StorageError, match="tables already"):
        copy_all(str(folder), url)


def test_from_a_place_to_itself_nothing_is_copied(
    there: PostgresLog, url: str, folder: Path, tmp_path: Path
) -> None:
    """However it is written: it is not in use."""
    there.close()
    link = tmp_path / "link"
    link.symlink_to(folder)
    otherwise = url.replace("127.0.0.1", "localhost")
    assert otherwise != url
    key = ["--secret-key-file", str(folder / KEY_FILE)]
    for origin, goal in ((folder, folder), (folder, link), (url, url), (url, otherwise)):
        said = CliRunner().invoke(main, ["copy", "--from", str(origin), "--to", str(goal), *key])
        assert said.exit_code == 1
        assert said.output.endswith("copied to: --from and --to are one place.\n")
    assert copy_all(str(folder), str(tmp_path / "new")) == Copied(2, 4)


def test_nothing_is_copied_while_somebody_serves(
    there: PostgresLog, url: str, folder: Path
) -> None:
    assert there.ids()
    with pytest.raises(StorageError, match="end all processes"):
        copy_all(url, str(folder.with_name("new")), as_text(folder))


def test_an_event_that_cannot_be_read_is_told(url: str, folder: Path) -> None:
    with sqlite3.connect(folder / FILE) as database:
        database.execute("UPDATE events SET data = zeroblob(200) WHERE version = 2")
    database.close()
    with pytest.raises(StorageError, match="cannot be decrypted"):
        copy_all(str(folder), url)


def test_without_the_key_or_the_tables(url: str, folder: Path, tmp_path: Path) -> None:
    for arguments, why in (
        (["--from", url, "--to", str(tmp_path / "new")], "the secret key is needed"),
        (["--from", str(tmp_path / "nothing"), "--to", url], "no tables in"),
    ):
        said = CliRunner().invoke(main, ["copy", *arguments])
        assert said.exit_code == 1
        assert why in said.output


def test_in_a_shell_that_servers_are_started_from(
    url: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the folder's own key, as without their settings."""
    monkeypatch.setenv("COMPANION_DATABASE", url)
    monkeypatch.setenv("COMPANION_BUS", "redis://127.0.0.1:1")
    said = CliRunner().invoke(main, ["copy", "--from", str(folder), "--to", url])
    assert said.exit_code == 0, said.output


def as_text(folder: Path) -> str:
    return read({}, secret_key_file=str(folder / KEY_FILE)).secret_key


def test_a_key_that_the_program_made_can_be_given_as_a_file(folder: Path, tmp_path: Path) -> None:
    assert as_bytes(as_text(folder)) == KEY
    line = tmp_path / "line"
    said = "a line of text with õ"
    line.write_text(f"{said}\n")
    assert as_bytes(read({}, secret_key_file=str(line)).secret_key) == said.encode()
    line.write_bytes(KEY[:-1])
    with pytest.raises(SettingsError, match="one line"):
        read({}, secret_key_file=str(line))


def test_where_a_server_was_tried_once(url: str, folder: Path) -> None:
    with closing(PostgresLog(url, KEY)) as tried:
        tried.set_purged_at(1.0)
    assert copy_all(str(folder), url) == Copied(2, 4)
    with closing(PostgresLog(url, KEY)) as log:
        assert log.purged_at() == 3.5


def test_where_tables_stand_nothing_is_copied(url: str, folder: Path) -> None:
    with closing(PostgresLog(url, KEY)) as log:
        assert log.add_standing(StandingTable(1, "hash", "ABCDEF"))
    with pytest.raises(StorageError, match="standing tables"):
        copy_all(str(folder), url)
