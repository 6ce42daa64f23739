"""What whoever watches over the program gets: figures, and its log."""

from __future__ import annotations

import errno
import json
import logging
import os
import re
import socket
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from companion.build import build
from companion.cli.json_lines import JsonLines
from companion.web.http import reasons
from tests.kit.evening import Evening
from tests.kit.phone import Phone
from tests.kit.server import Server, free_port, running

IN_USE = os.strerror(errno.EADDRINUSE)
NAMES = ("Õnneliis", "Bartholomäus", "Žygimantė")


def figures(port: int) -> tuple[str, dict[tuple[str, str], float]]:
    """As they are sent; and each by its name and the value of its label."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=20) as answer:
        said: str = answer.read().decode()
    return said, {
        (sample.name, next(iter(sample.labels.values()), "")): sample.value
        for family in text_string_to_metric_families(said)
        for sample in family.samples
    }


def played(server: Server) -> Evening[Phone]:
    """A round, and something that is refused."""
    evening = Evening(lambda: Phone(server.port))
    evening.open()
    evening.sit(NAMES)
    evening.start()
    evening.look()
    evening.do(evening.phones[0], "play", seat="1", play="result", reached="1", finisher="2")
    assert evening.post(evening.phones[1], f"{evening.path}/do/end").status_code == 403
    return evening


def test_the_figures_of_an_evening(tmp_path: Path) -> None:
    port = free_port()
    with running(tmp_path / "data", metrics_port=str(port), codes_per_minute="1") as server:
        evening = played(server)
        guesses = [evening.host.post("/code", {"code": "ZZZZZZZZ"}) for _ in range(2)]
        assert [each.status_code for each in guesses] == [404, 429]
        said, of = figures(port)
    assert of["companion_info", build()] == 1
    assert of["companion_reports_total", "play"] == 1
    assert of["companion_reports_total", "start"] == 1
    assert of["companion_refusals_total", "table/not_host"] == 1
    assert of["companion_refusals_total", str(reasons.TOO_MANY_CODES)] == 1
    assert of["companion_limits_hit_total", "code"] == 1
    assert of["companion_request_seconds_count", "table.do"] == 3
    assert of["companion_tables", ""] == 1
    assert of["companion_open_streams", ""] == 0
    assert of["companion_log_write_seconds_count", ""] >= 8
    assert 10_000 < of["companion_database_bytes", ""] < of["companion_database_bytes_max", ""]
    assert of["process_cpu_seconds_total", ""] > 0
    table, key = evening.path.split("/")[2], evening.join.split("/")[2]
    devices = [each.cookies["device"] for each in (evening.host, *evening.phones)]
    assert not [secret for secret in (*NAMES, evening.code, table, key, *devices) if secret in said]
    labels = set(re.findall(r'="([^"]*)"', said))
    assert [each for each in labels if not re.fullmatch(r"[a-z_./0-9+Inf-]+", each)] == []


def test_nothing_of_it_is_on_the_pages_own_port(tmp_path: Path) -> None:
    port = free_port()
    with running(tmp_path / "data", metrics_port=str(port)) as server:
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{server.url}/metrics", timeout=20)
        for path in ("healthz", "readyz"):
            assert urllib.request.urlopen(f"{server.url}/{path}", timeout=20).status == 200
        server.end()
        assert server.errors() == ""


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        server = Server(tmp_path / "data", metrics_port=str(port))
        server.launch()
        assert server.ended() == 1
    assert server.errors() == f"companion: 127.0.0.1:{port} cannot be used: {IN_USE}.\n"


def test_the_log_as_json(tmp_path: Path) -> None:
    with running(tmp_path / "data", "--log", log_format="json") as server:
        played(server)
        lines = [json.loads(line) for line in server.errors().splitlines()]
    assert set(lines[0]) == {"time", "level", "logger", "message"}
    assert any(line["message"].startswith("POST /t/<table_id>/do/<name> 303 ") for line in lines)
    written = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00"
    assert all(re.fullmatch(written, line["time"]) for line in lines)


def messages(server: Server) -> list[tuple[str, str]]:
    """Of a log in JSON that has nothing else in it: level and text of each line."""
    lines = [json.loads(line) for line in server.errors().splitlines()]
    return [(line["level"], line["message"]) for line in lines]


def test_the_log_tells_of_the_beginning_the_end_and_what_was_cut_off(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running(data, log_format="json") as server:
        played(server)
        server.kill()
        server.start()
        server.end()
        server.start()
        server.end()
        assert server.printed() == ""
        said = messages(server)
    assert {level for level, _ in said} == {"info"}
    start = f"companion {build()} serves {server.url}, listening on 127.0.0.1:{server.port}, "
    start += f"as the only process, with {{}} from SQLite in {data}"
    first, recovered, second, ended, third, ended_again = (text for _, text in said)
    assert first == start.format("0 tables")
    assert "did not end in order: 1 table found whole" in recovered
    assert second == third == start.format("1 table")
    for each in (ended, ended_again):
        assert re.fullmatch(
            rf"companion {re.escape(build())} has ended in order, after \d+ s", each
        )


@pytest.mark.parametrize("by", ["environment", "argument"])
def test_why_it_does_not_start_is_json_too(tmp_path: Path, by: str) -> None:
    arguments = () if by == "environment" else ("--log-format", "json")
    asked = {"log_format": "json"} if by == "environment" else {}
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for number, more in enumerate(({"unused_days": "x"}, {"port": str(port)})):
            server = Server(tmp_path / f"data{number}", *arguments, **asked | more)
            server.launch()
            assert server.ended() == (2, 1)[number]
            assert server.printed() == ""
            ((level, text),) = messages(server)
            assert level == "error"
            assert ("COMPANION_UNUSED_DAYS must be", f"127.0.0.1:{port} cannot")[number] in text


def test_a_traceback_is_on_its_line() -> None:
    try:
        raise ValueError("oh")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "", 0, "failed", (), sys.exc_info())
    said = JsonLines().format(record)
    assert "\n" not in said
    assert json.loads(said)["error"].endswith("ValueError: oh")
