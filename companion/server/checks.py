"""What can be tried from this machine before an evening: addresses, port, names, clock, disk; of
several processes what they share.

A firewall lets a machine reach itself: whether phones get through, only a phone can tell.
"""

from __future__ import annotations

import errno
import os
import secrets
import socket
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from gettext import NullTranslations
from pathlib import Path
from statistics import median
from typing import Final
from urllib.parse import urlsplit

from companion.server import mdns, shared_checks
from companion.server.addresses import ALL, listen
from companion.server.findings import Finding, bad, doubtful, good
from companion.server.local_name import reached_at
from companion.settings import NO_NAME, Settings
from companion.storage.secret_key import file_of
from companion.tables.service import PROGRAM_WRITTEN_AT
from companion.web.view import advice
from companion.web.view.advice import Tip
from companion.web.view.network import Kind, Network, Sign

CONNECT_S: Final = 2.0
STANDARD_PORTS: Final = {"http": 80, "https": 443}
DAY_S: Final = 86400.0
WRITES: Final = 20
BLOCK: Final = bytes(4096)
OF_OTHERS: Final = stat.S_IRWXO | stat.S_IWGRP
"""Of a file's mode: a group that may read it has been given it, perhaps."""

SLOW_MS: Final = 50.0
"""To have a block on the disk for sure: each play waits for that."""


def all_of(settings: Settings, network: Network) -> Iterator[Finding]:
    """One after another, each when it has been tried."""
    yield from addresses(network)
    yield from port(settings, network)
    if settings.public_url:
        yield name(urlsplit(settings.public_url).hostname or "")
    else:
        yield from local_name(settings.local_name, reached_at(network))
    if settings.database:
        yield from shared_checks.all_of(settings)
    else:
        yield clock(settings.data)
        yield from folder(settings.data)
    yield from key(file_of(settings))
    yield from signs(network)


def addresses(network: Network) -> Iterator[Finding]:
    t = NullTranslations()
    for number, way in enumerate(network.ways):
        said = f"{way.url} ({advice.label(t, way.kind)})"
        if way.kind is Kind.LOOPBACK:
            continue
        yield good(f"Phones open {said}." if not number else f"Or {said}.")


def port(settings: Settings, network: Network) -> Iterator[Finding]:
    """Whether it is open on each address; where nobody listens there, this does for the moment."""
    number = settings.port
    try:
        listener = listen(settings.host, number, last=number)
    except OSError as error:
        here = "127.0.0.1" if settings.host in ALL else settings.host
        if error.errno != errno.EADDRINUSE or not _connects(here, number):
            yield bad(f"Port {number} cannot be used: {error.strerror}.")
            return
        yield doubtful(f"A program listens on port {number} already; companion, if it is running.")
        yield from _open(network, number)
        return
    with closing(listener):
        yield from _open(network, listener.getsockname()[1])


def _open(network: Network, number: int) -> Iterator[Finding]:
    """`number`: of the program's own port. A public address has a proxy's, perhaps, and a router
    may keep its own network from there."""
    for way in network.ways:
        url = urlsplit(way.url)
        host = url.hostname or ""
        to = number if network.at_home else url.port or STANDARD_PORTS[url.scheme]
        if way.kind is Kind.NAME:
            continue
        if _connects(host, to):
            yield good(f"Port {to} is open on {host}, from this machine.")
        elif network.at_home:
            yield bad(f"Port {to} is closed on {host}, even from this machine.")
        else:
            yield doubtful(f"Port {to} is closed on {host} from this machine; phones may reach it.")


def _connects(host: str, number: int) -> bool:
    try:
        socket.create_connection((host, number), timeout=CONNECT_S).close()
    except OSError:
        return False
    return True


def name(host: str) -> Finding:
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return bad(f"The name {host} is not known here.")
    return good(f"The name {host} leads to {found[0][4][0]}.")


def local_name(wanted: str, addresses: list[str]) -> Iterator[Finding]:
    """Whether somebody answers to it; it is told only while the program serves."""
    if wanted == NO_NAME or not addresses:
        return
    found = ", ".join(sorted(mdns.resolve(wanted, addresses)))
    if found:
        yield good(f"The name {wanted}.local leads to {found}.")
    else:
        yield good(f"Nobody answers to {wanted}.local now; companion announces it while it serves.")


def clock(data: Path, now: Callable[[], float] = time.time) -> Finding:
    """Against what must be older than now: this program, and what it has written."""
    shown = time.strftime("%Y-%m-%d %H:%M", time.localtime(now()))
    try:
        newest = max((each.stat().st_mtime for each in data.iterdir()), default=0.0)
    except OSError:
        newest = 0.0
    if now() < PROGRAM_WRITTEN_AT or now() < newest - DAY_S:
        return bad(f"The clock is wrong: it says {shown}, and what is on the disk is newer.")
    return good(f"The clock says {shown}.")


def folder(data: Path, timer: Callable[[], float] = time.perf_counter) -> Iterator[Finding]:
    """Whether the tables can be written, and how long the disk takes to have them for sure."""
    there = data
    try:
        while not there.exists() and there != there.parent:
            there = there.parent  # it will be made at the first start
        trial = there / f".companion-{secrets.token_hex(4)}"
        taken = _written(trial, timer)
    except OSError as error:
        yield bad(f"{data} cannot be written: {error.strerror}.")
        return
    yield good(f"{data} can be written.")
    slow = taken > SLOW_MS
    said = f"The disk takes {taken:.1f} ms to keep a play"
    yield doubtful(f"{said}: phones will wait.") if slow else good(f"{said}.")


def key(file: Path | None) -> Iterator[Finding]:
    """Whether others on this machine can read it; Windows tells that in another way."""
    try:
        mode = file.stat().st_mode if file and os.name == "posix" else 0
    except OSError:
        return  # it will be made at the first start
    if mode & OF_OTHERS:
        yield doubtful(
            f"Others on this machine can read {file}, and with it roles; let only the program's "
            "own user do so: chmod 600."
        )


def _written(trial: Path, timer: Callable[[], float]) -> float:
    """Milliseconds for a block, in the middle of some tries."""
    times = []
    try:
        with trial.open("wb") as file:
            for _ in range(WRITES):
                began = timer()
                file.write(BLOCK)
                file.flush()
                os.fsync(file.fileno())
                times.append((timer() - began) * 1000)
    finally:
        trial.unlink(missing_ok=True)
    return median(times)


IN_THE_WAY: Final = frozenset({Tip.ONLY_HERE, Tip.NO_NETWORK})
SEEN: Final = IN_THE_WAY | {Tip.INSIDE, Tip.VPN_ON, Tip.GUEST, Tip.PUBLIC, Tip.FIREWALL}
"""What is told because it was seen, and not as a guess."""


def signs(network: Network) -> Iterator[Finding]:
    """What keeps phones away, with what to do about it."""
    t = NullTranslations()
    for tip in advice.tips(network) if network.at_home else ():
        if tip in SEEN:
            said = advice.said(t, tip)
            if tip is Tip.FIREWALL:
                said = f"{said}\n      {advice.command(network)}"
            yield (bad if tip in IN_THE_WAY else doubtful)(said)
    if Sign.FIREWALL not in network.signs and network.at_home:
        yield good("No firewall was seen.")
