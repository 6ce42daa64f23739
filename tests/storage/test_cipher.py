"""The database tells nothing without its key, which is in none of its files."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.games import GAMES
from companion.games.fields import PlayerIndex
from companion.games.game import Rejection
from companion.games.saboteur.rules.cards import DWARVES
from companion.games.saboteur.rules.decide import decide
from companion.games.saboteur.rules.model import Dealt as RolesDealt
from companion.games.saboteur.rules.model import Result
from companion.storage import sqlite_log as storage
from companion.storage.cipher import (
    STEP_BYTES,
    AssociatedData,
    Cipher,
    UndecryptableError,
    encrypted_size,
)
from companion.storage.sqlite_log import FILE, SqliteLog
from companion.tables import commands as ask
from companion.tables.chance import AsItLies
from companion.tables.codec import encode, encode_events
from companion.tables.events import Dealt, EndTold
from companion.tables.log import StorageError
from companion.tables.model import SeatId
from tests.storage.contract import SECRET, index, row, rows_of
from tests.tables.evening import HOST, DirectEvening

ROOT = Path(__file__).resolve().parents[2]
OLDER = Path(__file__).with_name("older") / "0001.sqlite3"
"""A table with a game and a round, from before events were encrypted: all in it is plain text."""

ENCRYPTED = OLDER.with_name("0003.sqlite3")
"""The same table encrypted but bound to its place only, and another with one event damaged."""

OLDER_TABLE = "TrhSVTRTrc9Fx-b-YYSkEA"
SECRET_WORDS = ("Grubenlampe", "Šarūnas", "Ülle", "Kellergeist", "Streichholz")
"""Players, the Wi-Fi's name and its password."""

TELLTALE = ("miner", "saboteur", "shuffles", "roles", '"gold"', '"pile"')

CIPHER = Cipher(SECRET)
JSON = st.dictionaries(st.text(), st.none() | st.integers() | st.text() | st.lists(st.integers()))


def raw(folder: Path) -> bytes:
    """All that lies in the database's files: itself, its write-ahead log, their index."""
    files = sorted(file for file in folder.iterdir() if file.name.startswith(FILE))
    return b"".join(file.read_bytes() for file in files)


def legible(folder: Path) -> list[str]:
    found = raw(folder)
    return [word for word in SECRET_WORDS + TELLTALE if word.encode() in found]


# The cipher itself


PLACE = AssociatedData("t", 1, "Dealt", None, "device", 100.5)


@given(JSON, st.text(), st.integers(1, 10**6), st.none() | st.text(), st.text(), st.floats(0))
def test_what_was_closed_opens_beside_the_same_only(
    data: dict[str, Any], table: str, version: int, request: str | None, device: str, at: float
) -> None:
    place = AssociatedData(table, version, "Dealt", request, device, at)
    encrypted = CIPHER.encrypt(place, data)
    assert CIPHER.decrypt(place, encrypted) == data
    others: list[dict[str, Any]] = [
        {"table_id": table + "x"},
        {"version": version + 1},
        {"kind": "Looked"},
        {"request": "" if request is None else None},
        {"device": device + "x"},
        {"device": "", "request": device} if device else {"device": "x"},
        {"at": at + 1 if at < 10**9 else 0.0},
        {"at": str(at)},
    ]
    for other in others:
        with pytest.raises(UndecryptableError):
            CIPHER.decrypt(replace(place, **other), encrypted)
    with pytest.raises(UndecryptableError):
        Cipher(b"another").decrypt(place, encrypted)
    assert CIPHER.encrypt(place, data) != encrypted


def test_any_changed_byte_is_noticed() -> None:
    encrypted = CIPHER.encrypt(PLACE, {"roles": ["miner"]})
    for at in range(len(encrypted)):
        changed = bytes([*encrypted[:at], encrypted[at] ^ 1, *encrypted[at + 1 :]])
        with pytest.raises(UndecryptableError):
            CIPHER.decrypt(PLACE, changed)
    for cut in (0, 5, 12, len(encrypted) - 1):
        with pytest.raises(UndecryptableError):
            CIPHER.decrypt(PLACE, encrypted[:cut])


def test_all_deals_have_one_length() -> None:
    """Whatever the number of players, however many numbers their phones added, and whoever is left
    over: at nine players with seven numbers 128 bytes' steps once told him."""
    lengths = set()
    for players, (saboteurs, miners) in DWARVES.items():
        for left_over in ("saboteur", "miner"):
            roles = ["saboteur"] * saboteurs + ["miner"] * miners
            roles.remove(left_over)
            for shares in range(players + 1):
                numbers = ("0" * 32,) * shares + (None,) * (players - shares)
                seals = ("0" * 64,) * shares + (None,) * (players - shares)
                dealt = Dealt(({"event": "Dealt", "roles": roles},), numbers, seals)
                lengths.add(len(CIPHER.encrypt(PLACE, encode(dealt))))
    assert lengths == {2048 + 12 + 16}


def test_all_ends_that_were_told_have_one_length() -> None:
    """Whoever had it stopped could else read who is left over: at eight players it was told so by
    the size, where the tenth who ever sat there had told it."""
    game, lengths = GAMES["saboteur"], set()
    for players, (saboteurs, miners) in DWARVES.items():
        began = game.new(players, PlayerIndex(0), "et-2007", AsItLies())
        for left_over, finisher in product(("saboteur", "miner"), (None, PlayerIndex(0))):
            roles = ["miner"] * miners + ["saboteur"] * saboteurs
            roles.remove(left_over)
            state = game.fold(began, (RolesDealt(tuple(roles)),))
            told = decide(state, Result(PlayerIndex(0), finisher, None))
            assert not isinstance(told, Rejection)
            for seat in (None, *map(SeatId, (9, 10, 100, 1000))):
                event = encode(EndTold(seat, encode_events(told)))
                lengths.add(encrypted_size("EndTold", event))
    assert lengths == {1024 + 12 + 16}


def test_sizes_come_in_steps() -> None:
    looked = replace(PLACE, kind="Looked")
    assert {len(CIPHER.encrypt(looked, {"seat": "x" * n})) for n in range(100)} == {STEP_BYTES + 28}
    assert {encrypted_size("Looked", {"seat": "ü" * n}) for n in range(50)} == {STEP_BYTES + 28}


def test_the_check_tells_keys_apart() -> None:
    assert Cipher(SECRET).fits(CIPHER.check)
    assert not Cipher(b"another").fits(CIPHER.check)
    assert CIPHER.check not in SECRET


# The database


def test_a_played_game_is_legible_nowhere(tmp_path: Path) -> None:
    """Looked at while the program runs: in the file, its write-ahead log and their index."""
    evening = DirectEvening(SqliteLog(tmp_path, SECRET))
    evening.start(*SECRET_WORDS[:3])
    evening.done(HOST, ask.SetWifi(*SECRET_WORDS[3:]))
    evening.finish()
    names = [file.name for file in tmp_path.iterdir()]
    assert sorted(names) == [FILE, f"{FILE}-shm", f"{FILE}-wal"]
    assert legible(tmp_path) == []
    found = raw(tmp_path)
    assert b"GameStarted" in found  # it did look at the events
    assert SECRET not in found
    for number in (1, 2):
        for round_ in range(4):
            secret = evening.tables.fair_deals.secret(evening.table, number, round_)
            assert secret not in found
            assert secret.hex().encode() not in found
    evening.log.close()
    assert legible(tmp_path) == []


def test_another_key_opens_nothing_and_changes_nothing(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path, SECRET)
    log.append("a", [row(1)], index("a"))
    log.close()
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(StorageError, match=r"another secret key: put back the file secret\.key"):
        SqliteLog(tmp_path, b"x" * 32)
    assert (tmp_path / FILE).read_bytes() == before
    log = SqliteLog(tmp_path, SECRET)
    assert rows_of(log, "a") == [row(1)]
    log.close()


def test_a_database_without_its_check_is_not_used(tmp_path: Path) -> None:
    SqliteLog(tmp_path, SECRET).close()
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("DELETE FROM seal")
    database.close()
    with pytest.raises(StorageError, match="which key"):
        SqliteLog(tmp_path, SECRET)


def test_events_cannot_be_exchanged(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path, SECRET)
    for name in ("a", "b"):
        log.append(name, [row(1, of=name), row(2, of=name)], index(name))
    with sqlite3.connect(tmp_path / FILE) as database:
        (one,) = database.execute("SELECT data FROM events WHERE table_id = 'a' AND version = 2")
        database.execute("UPDATE events SET data = ? WHERE table_id = 'b' AND version = 2", one)
        database.execute("UPDATE events SET kind = 'Other' WHERE table_id = 'a' AND version = 1")
    database.close()
    for name in ("a", "b"):
        with pytest.raises(StorageError, match="cannot be decrypted"):
            rows_of(log, name)
    log.close()


@pytest.mark.parametrize(
    "change", ["device = 'host'", "at = at + 1", "request = 'another'", "request = NULL"]
)
def test_what_stands_beside_an_event_cannot_be_changed(tmp_path: Path, change: str) -> None:
    """Else whoever writes to the file could make himself host, or date a table anew."""
    log = SqliteLog(tmp_path, SECRET)
    log.append("a", [row(1), row(2)], index("a"))
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute(f"UPDATE events SET {change} WHERE version = 1")
    database.close()
    with pytest.raises(StorageError, match="cannot be decrypted"):
        rows_of(log, "a")
    log.close()


# Older databases


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A data folder of the older program, killed: plain text in the write-ahead log, too."""
    running, killed = tmp_path / "running", tmp_path / "killed"
    running.mkdir()
    shutil.copy(OLDER, running / FILE)
    (running / FILE).chmod(0o600)
    with sqlite3.connect(running / FILE) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("UPDATE events SET data = data || ' '")
        database.commit()
        shutil.copytree(running, killed)
    database.close()
    for file in killed.iterdir():
        words = [word for word in SECRET_WORDS if word.encode() in file.read_bytes()]
        assert words == ([] if file.name.endswith("-shm") else list(SECRET_WORDS))
    return killed


def test_an_older_database_is_encrypted_and_played_on(older: Path) -> None:
    evening = DirectEvening(SqliteLog(older, SECRET))
    assert legible(older) == []
    evening.id = OLDER_TABLE
    table = evening.table
    assert tuple(seat.name for seat in table.seats) == SECRET_WORDS[:3]
    assert table.wifi is not None
    assert (table.wifi.name, table.wifi.password) == SECRET_WORDS[3:]
    assert (table.version, table.games_over, len(table.game_state.past)) == (27, 1, 1)
    assert table.deals.shares == (None, None)  # dealt when nothing could be proved
    evening.done(HOST, ask.Deal())
    assert evening.table.deals.shares[2] == (None, None, None)
    evening.look()
    evening.finish()
    assert legible(older) == []
    assert {stat.S_IMODE(file.stat().st_mode) for file in older.iterdir()} == {0o600}
    evening.log.close()
    log = SqliteLog(older, SECRET)
    rows, head = rows_of(log, OLDER_TABLE), log.head(OLDER_TABLE)
    assert len(rows) == evening.table.version
    assert head is not None
    assert head.size == sum(map(log.size_of, rows))
    log.close()


def test_killed_after_the_encrypting_the_wiping_is_made_up_for(
    older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(engine: object) -> None:
        raise StorageError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(storage, "_sweep", killed)
        with pytest.raises(StorageError, match="killed"):
            SqliteLog(older, SECRET)
    swept: list[object] = []
    real = storage._sweep

    def sweep(engine: Any) -> None:
        swept.append(engine)
        real(engine)

    monkeypatch.setattr(storage, "_sweep", sweep)
    for _ in range(2):
        SqliteLog(older, SECRET).close()
    assert len(swept) == 1
    assert legible(older) == []


def test_an_older_database_that_cannot_be_encrypted_stays_whole(
    older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk fails in the middle: everything is as it was, and the next start does it."""
    encrypted = 0
    real = Cipher.encrypt_bytes

    def failing(self: Cipher, *of: Any) -> bytes:
        nonlocal encrypted
        encrypted += 1
        if encrypted == 10:
            raise sqlite3.OperationalError("disk I/O error")
        return real(self, *of)

    with monkeypatch.context() as patched:
        patched.setattr(Cipher, "encrypt_bytes", failing)
        with pytest.raises(StorageError, match="disk"):
            SqliteLog(older, SECRET)
    with sqlite3.connect(older / FILE) as database:
        assert list(database.execute("SELECT version_num FROM alembic_version")) == [("0001",)]
        assert list(database.execute("SELECT count(*) FROM events")) == [(27,)]
    database.close()
    log = SqliteLog(older, SECRET)
    assert len(rows_of(log, OLDER_TABLE)) == 27
    log.close()


KILLED_AT_EVERY_STEP = """
import os, shutil, signal, sys
from pathlib import Path
from sqlalchemy import Engine, event
from companion.storage import migrate
from companion.storage.sqlite_log import SqliteLog

older, secret = Path(sys.argv[1]), sys.argv[2].encode()

def killed_at(last, folder):
    done = 0
    def step(*_):
        nonlocal done
        done += 1
        if done == last:
            os.kill(os.getpid(), signal.SIGKILL)
    @event.listens_for(Engine, "connect")
    def connected(connection, _record):
        connection.set_trace_callback(step)
        connection.set_progress_handler(step, 400)
    SqliteLog(folder, secret)
    os._exit(0)

last = 1
while True:
    folder = older.with_name(f"killed-{last}")
    shutil.copytree(older, folder)
    child = os.fork() or killed_at(last, folder)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
        break
    last += int(sys.argv[3])
"""
"""Starts on copies of an older database, each of which is killed some steps later than the last."""

STEPS = 3
"""From one kill to the next; a step is a statement, or four hundred instructions inside one."""


def test_encrypted_events_are_bound(tmp_path: Path) -> None:
    """One that was damaged before takes nothing else down, and its table is no better after."""
    shutil.copy(ENCRYPTED, tmp_path / FILE)
    log = SqliteLog(tmp_path, SECRET)
    assert len(rows_of(log, OLDER_TABLE)) == 27
    with pytest.raises(StorageError, match="cannot be decrypted"):
        rows_of(log, "damaged")
    log.close()
    with sqlite3.connect(tmp_path / FILE) as database:
        deals = database.execute("SELECT length(data) FROM events WHERE kind = 'Dealt'").fetchall()
        database.execute("UPDATE events SET at = at + 1 WHERE table_id = ?", (OLDER_TABLE,))
    database.close()
    assert set(deals) == {(2048 + 28,)}
    log = SqliteLog(tmp_path, SECRET)
    with pytest.raises(StorageError, match="cannot be decrypted"):
        rows_of(log, OLDER_TABLE)
    log.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
@pytest.mark.parametrize("file", [OLDER, ENCRYPTED])
def test_killed_anywhere_while_it_is_brought_up_to_date(
    older: Path, tmp_path: Path, file: Path
) -> None:
    if file == ENCRYPTED:
        older = tmp_path / "encrypted"
        older.mkdir()
        shutil.copy(ENCRYPTED, older / FILE)
    subprocess.run(
        [sys.executable, "-c", KILLED_AT_EVERY_STEP, str(older), SECRET.decode(), str(STEPS)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=True,
        timeout=300,
    )
    SqliteLog(older, SECRET).close()
    log = SqliteLog(older, SECRET)
    rows = rows_of(log, OLDER_TABLE)
    log.close()
    killed = sorted(older.parent.glob("killed-*"))
    assert len(killed) > 10
    for folder in killed:
        log = SqliteLog(folder, SECRET)
        assert rows_of(log, OLDER_TABLE) == rows, folder
        log.close()
        assert legible(folder) == [], folder
