"""What only POSIX systems have is not needed: the program starts and serves without it."""

from __future__ import annotations

import ast
import re
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.kit.server import ROOT, Server

HIDDEN = (
    *("fcntl", "grp", "posix", "pwd", "resource", "syslog", "termios", "tty", "pty"),
    "rcssmin",
)
"""Modules that Windows has not, or that would have to be compiled there and on macOS."""

NOT_ON_WINDOWS = {
    "os": r"fork|getuid|geteuid|getgid|chown|fchown|fchmod|getpgid|setsid|killpg|mkfifo|statvfs|"
    r"sync|uname|O_DIRECTORY|O_NOFOLLOW|O_CLOEXEC|O_NONBLOCK|sched_\w+|register_at_fork",
    "signal": r"SIGKILL|SIGHUP|SIGUSR\d|SIGALRM|SIGCHLD|SIGPIPE|alarm|setitimer|pthread_\w+",
    "socket": r"AF_UNIX|SO_REUSEPORT|MSG_NOSIGNAL|TCP_USER_TIMEOUT|socketpair",
}
"""What these modules have on POSIX systems only; asking with hasattr or getattr is no use of it."""

WITHOUT = f"""
import builtins, sys
real = builtins.__import__
def without(name, globals=None, *rest, **named):
    if str((globals or {{}}).get("__name__", "")).startswith("companion") and name in {HIDDEN!r}:
        raise ImportError(name)
    return real(name, globals, *rest, **named)
builtins.__import__ = without
sys.argv[0] = "companion"
from companion.cli import main
main()
"""


def test_it_starts_and_serves(tmp_path: Path) -> None:
    one = Server(tmp_path / "data", command=(sys.executable, "-c", WITHOUT), public_url=None)
    one.launch()
    try:
        one.wait()
        with urllib.request.urlopen(one.url, timeout=20) as answer:
            page = answer.read().decode()
        assert "<html" in page
        for address in re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', page):
            with urllib.request.urlopen(one.url + address, timeout=20) as answer:
                assert answer.read()
        one.end()
        assert one.errors() == ""
    finally:
        one.stop()


@pytest.mark.parametrize("module", NOT_ON_WINDOWS)
def test_nothing_is_used_that_only_posix_has(module: str) -> None:
    only = re.compile(NOT_ON_WINDOWS[module])
    used = [
        f"{file.relative_to(ROOT)}:{node.lineno} {module}.{node.attr}"
        for file in (ROOT / "companion").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == module
        and only.fullmatch(node.attr)
    ]
    assert used == []


def test_texts_are_read_and_written_as_utf_8() -> None:
    """Else in the encoding of the system, which is not that on Windows."""
    bare = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in (ROOT / "companion").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("read_text", "write_text")
        and not any(each.arg == "encoding" for each in node.keywords)
    ]
    assert bare == []
