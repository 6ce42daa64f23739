"""What only a database of several processes can get wrong: cut commits, races, who prepares it."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, event
from sqlalchemy.exc import OperationalError

from companion.storage import migrate, postgres_link, postgres_state
from companion.storage import postgres as module
from companion.storage.cipher import Cipher
from companion.storage.postgres import PostgresLog
from companion.storage.schema import HEAD
from companion.tables.keys import Keys
from companion.tables.log import Member, StorageError
from companion.tables.model import SeatId
from companion.tables.offers import LentScreen, Offerable, Offered
from tests.kit import newer
from tests.kit.services import Postgres
from tests.storage.contract import SECRET, index, row, rows_of
from tests.tables.test_others import Process


@pytest.fixture
def url(postgres: Postgres) -> str:
    return postgres.fresh()


@pytest.fixture
def log(url: str) -> Iterator[PostgresLog]:
    log = PostgresLog(url, SECRET)
    yield log
    log.close()


def cut(
    log: PostgresLog, monkeypatch: pytest.MonkeyPatch, *, committed: bool, then: Callable[[], Any]
) -> None:
    """The connection of the next commit is cut, before it reaches the database or after."""
    run = log._run

    def once(work: Any, **how: bool) -> Any:
        monkeypatch.setattr(log, "_run", run)
        if committed:
            run(work, **how)
        then()
        raise OperationalError("", None, psycopg.OperationalError("the connection is lost"))

    monkeypatch.setattr(log, "_run", once)


def test_it_is_away_where_no_new_connection_can_be_made(
    log: PostgresLog, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PING_EVERY_S", 0.0)
    server, _, name = url.rpartition("/")
    with psycopg.connect(f"{server}/postgres", autocommit=True) as admin:
        log.ping()
        assert log.count() == 0
        admin.execute(f'ALTER DATABASE "{name}" WITH ALLOW_CONNECTIONS false')
        assert log.count() == 0  # by the same connection
        with pytest.raises(StorageError, match="not currently accepting"):
            log.ping()
        admin.execute(f'ALTER DATABASE "{name}" WITH ALLOW_CONNECTIONS true')
        log.ping()


def test_however_many_ask_at_once_whether_it_is_there_it_is_tried_once(
    log: PostgresLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[object] = []
    connect = log._alone.connect
    monkeypatch.setattr(log._alone, "connect", lambda: tried.append(None) or connect())
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: log.ping(), range(50)))
    assert 1 <= len(tried) <= 2


both_ways = pytest.mark.parametrize("members", [None, ()], ids=["statement", "transaction"])
"""Who is at the table is as before, as after a play; or is written down besides."""


@both_ways
@pytest.mark.parametrize("committed", [False, True])
def test_what_a_cut_commit_has_done_is_found_out(
    log: PostgresLog,
    monkeypatch: pytest.MonkeyPatch,
    committed: bool,
    members: tuple[Member, ...] | None,
) -> None:
    for version in (1, 2):
        cut(log, monkeypatch, committed=committed, then=lambda: None)
        assert log.append("a", [row(version)], index("a", members=members)) is True
    assert rows_of(log, "a") == [row(1), row(2)]


@both_ways
def test_a_cut_commit_that_another_overtook_is_known(
    log: PostgresLog, monkeypatch: pytest.MonkeyPatch, members: tuple[Member, ...] | None
) -> None:
    def overtake(version: int) -> Callable[[], bool]:
        return lambda: log.append("a", [row(version, by="another")], at_table)

    at_table = index("a", members=members)

    log.append("a", [row(1)], at_table)
    cut(log, monkeypatch, committed=True, then=overtake(3))
    assert log.append("a", [row(2)], at_table) is True
    cut(log, monkeypatch, committed=False, then=overtake(4))
    assert log.append("a", [row(4)], at_table) is False
    assert rows_of(log, "a") == [row(1), row(2), row(3, by="another"), row(4, by="another")]


@both_ways
def test_a_commit_waits_for_what_is_left_of_its_first_attempt(
    log: PostgresLog, url: str, members: tuple[Member, ...] | None
) -> None:
    log.append("a", [row(1)], index("a"))
    with ThreadPoolExecutor() as pool, psycopg.connect(url) as left:
        left.execute("UPDATE tables SET version = 2 WHERE id = 'a'")
        again = pool.submit(log.append, "a", [row(2)], index("a", members=members))
        with pytest.raises(TimeoutError):
            again.result(0.3)
        left.rollback()
        assert again.result() is True


@pytest.mark.parametrize("committed", [False, True])
def test_a_code_that_a_cut_commit_has_renewed_is_found(
    log: PostgresLog, monkeypatch: pytest.MonkeyPatch, committed: bool
) -> None:
    standing = Process(log).tables.standing_codes
    one = standing.make(1)
    cut(log, monkeypatch, committed=committed, then=lambda: None)
    anew = standing.renew(one)
    assert log.standing() == [anew]
    assert anew.code != one.code
    assert standing.renew(one) == anew, "who renews the same at the same moment"
    assert standing.renew(anew).key not in (one.key, anew.key)


def test_a_play_is_one_statement(log: PostgresLog) -> None:
    log.append("a", [row(1)], index("a", members=()))
    said: list[str] = []
    for engine in (log._by_transaction, log._by_statement):
        event.listen(engine, "before_cursor_execute", lambda *of: said.append(of[2]))
    assert log.append("a", [row(2), row(3)], index("a"))
    assert len(said) == 1
    assert rows_of(log, "a") == [row(1), row(2), row(3)]


def test_a_database_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is there, and takes connections: nobody waits for it without end, nor twice as long. What
    was sent meanwhile may be done when it goes on, but no more than once."""
    monkeypatch.setattr(postgres_link, "SILENT_S", 0.4)
    monkeypatch.setattr(postgres_link, "WAIT_S", 2)
    server = Postgres()
    try:
        server.start()
        with closing(PostgresLog(server.fresh(), SECRET)) as log:
            log.append("a", [row(1)], index("a"))
            log.append("a", [row(2)], index("a"))  # over a connection that is kept
            server.pause()
            for work in (
                lambda: log.append("a", [row(3)], index("a")),
                log.ping,
                lambda: log.set_purged_at(1.0),
            ):
                began = time.monotonic()
                with pytest.raises(StorageError):
                    work()
                assert time.monotonic() - began < 3
            server.resume()
            log.append("a", [row(3)], index("a"))
            assert rows_of(log, "a") == [row(1), row(2), row(3)]
    finally:
        server.end()


def test_unused_tables_are_deleted_some_at_a_time(
    log: PostgresLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many there are, and what is gone stays so."""
    monkeypatch.setattr(postgres_link, "SILENT_S", 1.0)
    names = [f"t{number:03}" for number in range(75)]
    for name in names:
        log.append(name, [row(1)], index(name))
    slow = """
        CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN
            PERFORM pg_sleep(CASE OLD.id WHEN 't070' THEN 1.5 ELSE 0.02 END);
            RETURN OLD;
        END $$"""
    log._changed(slow, {})
    log._changed(
        "CREATE TRIGGER slow BEFORE DELETE ON tables FOR EACH ROW EXECUTE FUNCTION slow()", {}
    )
    assert log.delete_unused(2.0) == names[:50]
    assert log.ids() == names[50:]
    with pytest.raises(StorageError, match="does not answer"):
        log.delete_unused(2.0)
    assert log.ids() == names[50:]
    log._changed("DROP TRIGGER slow ON tables", {})
    assert log.delete_unused(2.0, names[:-1]) == names[-1:]
    assert log.delete_unused(2.0) == names[50:-1]


@pytest.mark.parametrize("last", ["SELECT pg_sleep(0.3)", "COMMIT"])
def test_a_transaction_takes_no_longer_than_one_answer_may(
    log: PostgresLog, monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    """However many slow answers it has; then it is not made again, and leaves nothing."""
    monkeypatch.setattr(postgres_link, "SILENT_S", 0.8)
    times = []
    if last == "COMMIT":  # which waits, too
        slow = """
            CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_sleep(0.7); RETURN NEW; END $$"""
        log._changed(slow, {})
        log._changed(
            "CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON standing"
            " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow()",
            {},
        )

    def work(connection: Any) -> None:
        times.append(time.monotonic())
        connection.execute("INSERT INTO standing (number, key_hash, code) VALUES (1, 'k', 'c')")
        for _ in range(1 if last == "COMMIT" else 10):
            connection.execute("SELECT pg_sleep(0.3)")

    with pytest.raises(StorageError, match="does not answer"):
        log._write(work)
    assert len(times) == 1
    assert 0.7 < time.monotonic() - times[0] < 2.5
    if last != "COMMIT":
        assert log.standing() == []
    assert log.append("a", [row(1)], index("a")), "others are as before"
    assert rows_of(log, "a") == [row(1)]


def test_what_is_copied_takes_as_long_as_it_takes(
    log: PostgresLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each statement is waited for as long as any."""
    monkeypatch.setattr(postgres_link, "SILENT_S", 0.6)

    def work(connection: Any, *waits: float) -> bool:
        connection.execute("INSERT INTO standing (number, key_hash, code) VALUES (1, 'k', 'c')")
        for each in waits:
            connection.execute(f"SELECT pg_sleep({each})")
        return True

    with pytest.raises(StorageError, match="does not answer"):
        log.write_once(lambda connection: work(connection, 0.9))
    assert log.standing() == []
    assert log.write_once(lambda connection: work(connection, 0.3, 0.3, 0.3)) is True
    assert len(log.standing()) == 1
    assert log.write_once(work) is None, "the same number again"


def hurried(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The database waits for a quarter of a second only, in one of the ways that it waits."""
    options = re.sub(rf"(?<={name}=)\w+", "250ms", postgres_link.OPTIONS)
    assert options != postgres_link.OPTIONS
    monkeypatch.setattr(postgres_link, "OPTIONS", options)


def test_what_the_database_itself_gives_up_is_not_tried_again(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asks has waited for long enough."""
    hurried(monkeypatch, "statement_timeout")
    with closing(PostgresLog(url, SECRET)) as log, psycopg.connect(url) as other:
        assert log.append("a", [row(1)], index("a"))
        other.execute("LOCK TABLE tables IN ACCESS EXCLUSIVE MODE")
        said: list[str] = []
        for engine in (log._by_transaction, log._by_statement):
            event.listen(engine, "before_cursor_execute", lambda *of: said.append(of[2]))
        for work in (
            lambda: log.head("a"),
            lambda: log.append("a", [row(2)], index("a")),
            lambda: log.delete("a"),
        ):
            said.clear()
            with pytest.raises(StorageError, match="statement timeout"):
                work()
            assert len(said) == 1
        other.rollback()
        assert log.append("a", [row(2)], index("a"))


def test_whoever_opens_a_table_stays_alone_however_long_it_takes(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurried(monkeypatch, "idle_in_transaction_session_timeout")
    with (
        closing(PostgresLog(url, SECRET)) as one,
        closing(PostgresLog(url, SECRET)) as other,
        ThreadPoolExecutor() as pool,
    ):

        def opened() -> None:
            with other.alone("0000001"):
                pass

        with one.alone("0000001"):
            second = pool.submit(opened)
            with pytest.raises(TimeoutError):
                second.result(0.7)
        second.result(5)


def test_a_copy_waits_for_the_disk_on_its_other_side(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database cuts off whoever says nothing amid a transaction, but not these."""
    hurried(monkeypatch, "idle_in_transaction_session_timeout")
    with closing(PostgresLog(url, SECRET)) as log:
        log.append("a", [row(1)], index("a"))

        def work(connection: Any) -> None:
            connection.execute("DELETE FROM purge")
            time.sleep(0.5)
            connection.execute("INSERT INTO purge (id, at) VALUES (1, 2.5)")

        with log.reading() as reading:
            assert len(reading.execute("SELECT * FROM events").fetchall()) == 1
            log.write_once(work)
        assert log.purged_at() == 2.5
        with log._by_transaction.connect() as later:
            shown = later.exec_driver_sql("SHOW idle_in_transaction_session_timeout")
            assert shown.scalar() == "250ms", "all others"


def test_the_database_is_killed_and_comes_back() -> None:
    server = Postgres()
    try:
        server.start()
        log = PostgresLog(server.fresh(), SECRET)
        log.append("a", [row(1)], index("a"))
        for version, number in ((2, signal.SIGKILL), (3, signal.SIGINT)):
            server.kill(number)
            with pytest.raises(StorageError, match="cannot be read"):
                rows_of(log, "a")
            with pytest.raises(StorageError, match="cannot be written"):
                log.append("a", [row(version)], index("a"))
            server.start()
            assert log.append("a", [row(version)], index("a"))
        assert rows_of(log, "a") == [row(1), row(2), row(3)]
        log.close()
    finally:
        server.end()


def test_a_cut_connection_is_not_noticed(log: PostgresLog, url: str) -> None:
    log.append("a", [row(1)], index("a"))
    for version in range(2, 5):
        with psycopg.connect(url, autocommit=True) as other:
            other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        assert log.head("a")
        assert log.append("a", [row(version)], index("a"))
    assert len(rows_of(log, "a")) == 4


def test_a_connection_that_broke_amid_several_rows_is_not_used_again(
    log: PostgresLog, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The database says that it ends, and the line is not closed yet."""

    def ended(_self: psycopg.Pipeline) -> Iterator[None]:
        monkeypatch.undo()
        raise psycopg.errors.AdminShutdown("terminating connection")
        yield

    log.append("a", [row(1)], index("a"))
    monkeypatch.setattr(psycopg.Pipeline, "_exit_gen", ended)
    said = {"table": {"one": "said", "other": "said"}}
    assert log.note("a", 1, said) == said
    assert not caplog.records


def test_what_lies_there_is_encrypted(log: PostgresLog, url: str) -> None:
    log.append("a", [row(1, name="Grubenlampe")], index("a"))
    with psycopg.connect(url) as other:
        assert b"Grubenlampe" not in other.execute("SELECT data FROM events").fetchone()[0]
        other.execute("UPDATE events SET at = at + 1")
    with pytest.raises(StorageError, match="cannot be decrypted"):
        rows_of(log, "a")


# Who prepares it


def test_of_many_that_start_at_once_one_prepares_it(url: str) -> None:
    with ThreadPoolExecutor(6) as pool:
        logs = list(pool.map(lambda _: PostgresLog(url, SECRET), range(6)))
    assert logs[0].append("a", [row(1)], index("a"))
    assert all(rows_of(log, "a") == [row(1)] for log in logs)
    for log in logs:
        log.close()


@pytest.fixture
def newer_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "config", newer.config)
    monkeypatch.setattr(postgres_state, "HEAD", newer.HEAD)
    monkeypatch.setattr(postgres_state, "REVISIONS", newer.REVISIONS)


@pytest.mark.usefixtures("newer_version")
def test_of_many_that_find_it_older_one_changes_it(
    log: PostgresLog, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An old process beside them goes on."""
    log.append("a", [row(1)], index("a"))
    changes = []

    def upgrade(connection: Connection, cipher: Cipher) -> None:
        changes.append(HEAD)
        ours(connection, cipher)

    ours = migrate.upgrade
    monkeypatch.setattr(migrate, "upgrade", upgrade)
    with ThreadPoolExecutor(4) as pool:
        logs = list(pool.map(lambda _: PostgresLog(url, SECRET), range(4)))
    assert changes == [HEAD]
    assert log.append("a", [row(2)], index("a"))
    assert logs[0].append("b", [row(1)], index("b"))
    assert rows_of(logs[1], "a") == [row(1), row(2)]
    assert rows_of(log, "b") == [row(1)]
    with psycopg.connect(url) as other:
        assert other.execute("SELECT id, colour FROM tables ORDER BY id").fetchall() == [
            ("a", "green"),
            ("b", "green"),
        ]
    for each in logs:
        each.close()


@pytest.mark.usefixtures("newer_version")
def test_whoever_changes_the_database_lets_others_in_while_a_backup_reads(
    log: PostgresLog, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits for the backup, and else all would wait behind it."""
    monkeypatch.setattr(postgres_state, "LOCK_MS", 200)
    monkeypatch.setattr(postgres_state, "AGAIN_S", 0.2)
    log.append("a", [row(1)], index("a"))
    with ThreadPoolExecutor() as pool, psycopg.connect(url) as backup:
        backup.execute("SELECT count(*) FROM tables")
        started = pool.submit(PostgresLog, url, SECRET)
        for version in range(2, 7):
            time.sleep(0.1)
            played = pool.submit(log.append, "a", [row(version)], index("a"))
            assert played.result(1)
        assert not started.done()
        backup.rollback()
        started.result(5).close()
    with psycopg.connect(url) as other:
        assert other.execute("SELECT colour FROM tables").fetchall() == [("green",)]


@pytest.mark.usefixtures("newer_version")
def test_where_a_backup_reads_for_long_the_start_says_so(
    log: PostgresLog, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_state, "LOCK_MS", 50)
    monkeypatch.setattr(postgres_state, "AGAIN_S", 0.01)
    with psycopg.connect(url) as backup:
        backup.execute("SELECT count(*) FROM tables")
        with pytest.raises(StorageError, match="a backup may be reading"):
            PostgresLog(url, SECRET)
    assert log.append("a", [row(1)], index("a"))


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("UPDATE alembic_version SET version_num = '9999'", "newer version"),
        ("UPDATE seal SET key_check = 'x'", "another secret key"),
        ("DROP TABLE alembic_version", "tables of others: devices, events"),
    ],
)
def test_a_database_of_others_is_left_alone(url: str, statement: str, why: str) -> None:
    PostgresLog(url, SECRET).close()
    with psycopg.connect(url) as other:
        other.execute(statement.encode())
    with pytest.raises(StorageError, match=why):
        PostgresLog(url, SECRET)


def test_no_database_at_all(postgres: Postgres) -> None:
    with pytest.raises(StorageError, match="does not exist"):
        PostgresLog(postgres.url("nothing"), SECRET)


def test_who_is_alone_and_is_cut_off_has_done_what_it_did(postgres: Postgres) -> None:
    """The database gives up what a slow process holds: what was written meanwhile counts."""
    database = postgres.fresh()
    log = PostgresLog(database, SECRET)
    with (
        log.alone("ab" * 32),
        closing(psycopg.connect(database, autocommit=True)) as connection,
    ):
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        assert log.append("a", [row(1)], index("a"))
    assert rows_of(log, "a") == [row(1)]
    log.close()


def test_what_is_offered_lies_there_as_a_number(log: PostgresLog, url: str) -> None:
    """So that processes of older and newer versions read each other's."""
    log.append("a", [row(1)], index("a"))
    offered: dict[int, Offerable] = {2: SeatId(2), -2: LentScreen(SeatId(2)), 0: LentScreen(None)}
    for number, what in offered.items():
        log.put_offer((f"key {number}", f"code {number}"), Offered("a", what, None, 4e9))
    with psycopg.connect(url) as other:
        rows = other.execute("SELECT key_hash, seat FROM offers").fetchall()
    keys = Keys(SECRET)  # by a plain digest a short code could be tried out
    assert sorted(rows) == sorted((keys.blinded(f"key {number}"), number) for number in offered)
    for number, what in offered.items():
        found = log.find_offer(f"code {number}")
        assert found is not None
        assert found.what == what


@pytest.mark.parametrize(
    ("table", "missing"), [("alembic_version", "version"), ("seal", "which key")]
)
def test_a_database_without_its_marks_is_said_to_be_damaged(
    url: str, log: PostgresLog, table: str, missing: str
) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DELETE FROM {table}".encode())
    with pytest.raises(StorageError, match=missing):
        postgres_state.examined(url, SECRET)
