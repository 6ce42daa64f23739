"""The program as its users start it: one process, real sockets, signals."""

from __future__ import annotations

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from companion.games import GAMES
from companion.server.process import FILES_MIN
from companion.settings import Settings, about
from companion.storage.secret_key import secret_key
from companion.storage.sqlite_log import FILE, SqliteLog
from companion.tables.commands import Open
from companion.tables.model import Table
from companion.tables.service import Tables
from tests.kit.limits import limits
from tests.kit.server import COMMAND, GENEROUS, ROOT, SOON_S, Server


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts it, with limits and an address as usual."""
    started: list[Server] = []
    as_usual = dict.fromkeys((*GENEROUS, "public_url"))

    def launch(*arguments: str, **settings: Any) -> Server:
        one = Server(tmp_path / "data", *arguments, **as_usual | settings)
        started.append(one)
        one.launch()
        return one

    yield launch
    for one in started:
        one.stop()


def address(one: Server) -> str:
    """That it prints when it serves."""
    found = re.search(r"http://127\.0\.0\.1:\d+", one.wait_for("Ctrl-C"))
    assert found
    return found[0]


def page(url: str) -> str:
    with urllib.request.urlopen(url, timeout=20) as answer:
        text: str = answer.read().decode()
        return text


def open_stream(url: str) -> socket.socket:
    """A television's stream: it needs no cookie that this test would have to keep."""
    host, _, port = url.removeprefix("http://").partition(":")
    line = socket.create_connection((host, int(port)), timeout=20)

    def ask(head: str, body: str = "") -> str:
        line.sendall(f"{head} HTTP/1.1\r\nHost: {host}:{port}\r\n{body}".encode())
        return line.recv(65536).decode(errors="replace")

    cookie = f"Cookie: device={'d' * 22}\r\n"
    form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 5\r\n\r\nkey=k"
    opened = ask("POST /open", cookie + form)
    found = re.search(r"Location: (/t/\S+)", opened)
    assert found, opened
    line.close()
    line = socket.create_connection((host, int(port)), timeout=20)
    first = ask(f"GET {found[1]}/live?page=screen", f"{cookie}\r\n")
    assert "text/event-stream" in first
    while "id: 1" not in first:
        first += line.recv(65536).decode()
    return line


def test_it_serves_and_ends_soon_with_a_stream_open(program) -> None:
    one = program()
    assert "<html" in page(address(one))
    with (
        open_stream(address(one)) as line,
        socket.create_connection((line.getpeername()[0], line.getpeername()[1])),
    ):  # and a silent connection
        assert one.end() < SOON_S
        rest = b""
        while piece := line.recv(65536):
            rest += piece
        assert rest.endswith(b"0\r\n\r\n")  # the stream was finished, not cut off
    assert one.errors() == ""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_phone_whose_stream_ends_finds_nobody_there(program, number: signal.Signals) -> None:
    """Behind a proxy it gets to another process at once, and not to the one that is ending: also
    where somebody has closed the terminal that it was started in."""
    one = program()
    with open_stream(address(one)) as line:
        os.kill(one.pid, number)
        rest = b""
        while not rest.endswith(b"0\r\n\r\n"):
            rest += line.recv(65536)
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(line.getpeername())
    assert one.ended() == 0


def test_what_is_not_a_form_costs_only_its_own_connection(program) -> None:
    one = program()
    host, _, port = address(one).removeprefix("http://").partition(":")
    form = b"Host: a\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    for head, body, status in (
        (
            b"POST /code HTTP/1.1\r\n" + form + b"Content-Length: 99999999\r\n\r\n",
            1 << 20,
            b"413",
        ),
        (
            b"POST /code HTTP/1.1\r\n" + form + b"Transfer-Encoding: chunked\r\n\r\n",
            0,
            b"411",
        ),
        (b"POST /code HTTP/1.1\r\n" + form + b"Content-Length: -5\r\n\r\n", 0, b"400"),
        (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 500 + b"\r\n", 0, b"431"),
        (b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n", 0, b"414"),
        (b"\x00\x01\xff\r\n\r\n", 0, b"400"),
    ):
        with socket.create_connection((host, int(port)), timeout=20) as line:
            line.sendall(head + b"x" * body)
            assert line.recv(64).split()[1] == status
    assert "<html" in page(address(one))
    one.end()
    assert one.errors() == ""


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for a process's limit")
def test_there_is_room_for_the_streams_where_few_files_are_usual(program) -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        one = program()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert page(address(one))
    allowed = resource.prlimit(one.pid, resource.RLIMIT_NOFILE)[0]
    assert allowed == hard or allowed > 3000


def with_files(most: int) -> list[str]:
    """The command, where no more files may be open at once."""
    return ["sh", "-c", f'ulimit -n {most}; exec "$@"', "sh", *COMMAND]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the limit is another")
def test_where_too_few_files_may_be_open_it_does_not_begin(program) -> None:
    one = program(command=with_files(64))
    assert one.ended() == 1
    assert one.errors() == (
        "companion: Only 64 files may be open at once, connections among them, and at least 200 "
        "are needed: ulimit -n 4100, or LimitNOFILE=4100 where systemd starts it.\n"
    )


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the limit is another")
def test_with_as_few_files_as_can_be_it_answers_among_connections_that_say_nothing(
    program,
) -> None:
    one = program(command=with_files(FILES_MIN))
    host, port = address(one).removeprefix("http://").split(":")
    with ExitStack() as held:
        for _ in range(300):
            held.enter_context(socket.create_connection((host, int(port)), timeout=20))
        assert page(f"{address(one)}/healthz") == "alive\n"
        assert "<html" in page(address(one))
    one.end()
    assert one.errors() == ""


def test_ctrl_c_ends_it(program) -> None:
    one = program()
    assert page(address(one))
    assert one.end(signal.SIGINT) < SOON_S


def test_a_taken_port_is_said_and_the_next_one_used(program) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        one = program("--port", str(port))
        assert f"Port {port} is taken" in one.wait_for("Ctrl-C")
        assert address(one) != f"http://127.0.0.1:{port}"
        assert page(address(one))
        one.end()


def test_behind_a_proxy_it_serves_on_its_own_port_or_not_at_all(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        server = Server(tmp_path / "data", port=str(port), public_url="https://table.example")
        server.launch()
        assert server.ended() == 1
    assert f"127.0.0.1:{port} cannot be used: " in server.errors()


def test_it_goes_on_where_it_was_killed(program) -> None:
    one = program()
    open_stream(address(one)).close()
    one.kill()
    two = program()
    request = urllib.request.Request(f"{address(two)}/", headers={"Cookie": f"device={'d' * 22}"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        assert 'href="/t/' in answer.read().decode()
    two.end()


def test_the_address_and_its_qr_code_are_printed(program) -> None:
    said = program("--port", "0", qr="1").wait_for("Ctrl-C")
    assert re.search(r"Phones open http://127\.0\.0\.1:\d+", said)
    assert "█" in said


@pytest.mark.parametrize("to", [">&-", ">/dev/full"])
def test_it_serves_though_nobody_can_be_told_where(tmp_path: Path, to: str) -> None:
    command = ["sh", "-c", f'exec "$@" {to}', "sh", *COMMAND]
    usual = dict.fromkeys((*GENEROUS, "public_url"))
    one = Server(tmp_path / "data", command=command, local_name="off", **usual)
    one.launch()
    try:
        one.until(lambda: (tmp_path / "data" / FILE).exists() and one.serves(), "it does not serve")
        time.sleep(0.5)
        assert page(f"{one.url}/healthz") == "alive\n"
        assert one.errors() == ""
    finally:
        one.stop()


def test_behind_a_proxy_the_public_address_is_printed(program) -> None:
    one = program(public_url="https://play.example.org")
    assert "Phones open https://play.example.org\n" in one.wait_for("Ctrl-C")


def test_the_log_holds_no_address(program) -> None:
    one = program("--log")
    page(f"{address(one)}/?screen=1")
    with pytest.raises(urllib.error.HTTPError):
        page(f"{address(one)}/j/a-join-key-of-22-chars")
    one.end()
    logged = one.errors()
    assert "GET /j/<key> 404" in logged
    assert "a-join-key" not in logged


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("port", "many"),
        ("port", "70000"),
        ("unused_days", "0"),
        ("public_url", "play.example.org/here"),
        ("secret_key", "short"),
        ("host", "a b"),
    ],
)
@pytest.mark.parametrize("by", ["environment", "argument"])
def test_a_bad_setting_is_one_sentence(program, by: str, setting: str, value: str) -> None:
    if by == "environment":
        one, shown = program(**{setting: value}), f"COMPANION_{setting.upper()}"
    else:
        shown = f"--{setting.replace('_', '-')}"
        one = program(shown, value)
    assert one.ended() == 2
    said = one.errors().strip()
    assert said.count("\n") == 0
    assert shown in said
    assert said.endswith(".")


def test_a_data_folder_that_cannot_be_used(program, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    one = program("--data", str(tmp_path / "file"))
    assert one.ended() in (1, 2)
    assert one.errors().strip().count("\n") == 0


def test_an_address_that_is_not_ours(program) -> None:
    one = program("--host", "198.51.100.7")
    assert one.ended() == 1
    assert "198.51.100.7" in one.errors()


@pytest.mark.parametrize("command", [[], ["serve"]])
def test_help_explains_every_setting(command: list[str]) -> None:
    shown = subprocess.run(
        [*COMMAND, *command, "--help"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "200"},
        cwd=ROOT,
    ).stdout
    for setting in fields(Settings):
        assert f"--{setting.name.replace('_', '-')} " in shown
        assert f"COMPANION_{setting.name.upper()}" in shown
        assert about(setting).help.split(";")[0][:60] in re.sub(r"\s+", " ", shown)


@pytest.mark.parametrize(
    ("command", "never"),
    [
        (["referee", "--help"], ("flask", "gevent", "sqlalchemy", "companion.web")),
        (["--version"], ("flask", "gevent", "sqlalchemy", "companion.record")),
    ],
)
def test_commands_load_what_they_need(command: list[str], never: tuple[str, ...]) -> None:
    code = (
        "import sys\nfrom companion.cli import main\n"
        f"try:\n    main({command!r})\nfinally:\n    print(*sys.modules, file=sys.stderr)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=ROOT,
    ).stderr.split()
    assert "companion.cli" in loaded
    assert not set(never) & set(loaded)


def test_tables_unused_for_long_are_deleted_soon_after_the_start(
    program: Callable[..., Server], tmp_path: Path
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    secret = secret_key(Settings(data=folder))
    event_log = SqliteLog(folder, secret)
    opened_at = time.time() - 5 * 86400
    long_ago = Tables(event_log, GAMES, limits(), secret=secret, clock=lambda: opened_at)
    opened = long_ago.open("d" * 64, Open("saboteur", "fi", "roles", "fi"), "key")
    assert isinstance(opened, Table)
    assert long_ago.get(opened.id) is not None
    event_log.set_purged_at(time.time() - 2 * 86400)
    event_log.close()
    program("--unused-days", "1").wait_for("Ctrl-C")
    end = time.monotonic() + 60
    with closing(sqlite3.connect(folder / "tables.sqlite3")) as database:
        while database.execute("SELECT count(*) FROM tables").fetchone() != (0,):
            assert time.monotonic() < end
            time.sleep(0.1)
