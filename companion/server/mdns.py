"""A name of this machine by multicast DNS, such as companion.local: told, and looked up again.

It is a process of its own, since asyncio, which zeroconf is built on, and gevent do not share a
thread on every system. It reads lines of JSON, `{"name": "companion", "port": 8000, "addresses":
["192.168.1.20"]}`, and answers each with one line: the name that others find this machine by, or
nothing where nobody does. Where another machine has the name already, this one takes the next:
companion-2.local. It ends when its input does.
"""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack, suppress
from ipaddress import ip_address
from typing import Any, Final, TextIO

from zeroconf import AddressResolverIPv4, Error, IPVersion, ServiceInfo, Zeroconf

LOOK_MS: Final = 2500
"""For an answer: the question is repeated after a second."""

NAMES_MAX: Final = 9

FAULTS: Final = (OSError, Error)
"""A network that carries no multicast, or has just gone."""


def addresses_of(zeroconf: Zeroconf, name: str) -> set[str]:
    """What the network says that the name leads to."""
    resolver = AddressResolverIPv4(f"{name}.local.")
    resolver.request(zeroconf, LOOK_MS)
    return {str(each) for each in resolver.parsed_addresses()}


def resolve(name: str, interfaces: list[str]) -> set[str]:
    """As somebody else would find it: nothing is remembered from before."""
    try:
        with Zeroconf(interfaces=interfaces, ip_version=IPVersion.V4Only) as asking:
            return addresses_of(asking, name)
    except FAULTS:
        return set()


class Announced:
    """The name while it is told; `name` is empty where nobody would find it."""

    def __init__(self, name: str, port: int, addresses: list[str]) -> None:
        self.name = ""
        self._zeroconf = Zeroconf(interfaces=addresses, ip_version=IPVersion.V4Only)
        with ExitStack() as until_told:
            until_told.callback(self.end)
            self._tell(name, port, addresses)
            until_told.pop_all()

    def _tell(self, name: str, port: int, addresses: list[str]) -> None:
        for number in range(1, NAMES_MAX + 1):
            wanted = name if number == 1 else f"{name}-{number}"
            if addresses_of(self._zeroconf, wanted):
                continue  # somebody has it
            self._zeroconf.register_service(
                ServiceInfo(
                    "_http._tcp.local.",
                    f"{wanted}._http._tcp.local.",
                    port=port,
                    server=f"{wanted}.local.",
                    addresses=[ip_address(each).packed for each in addresses],
                ),
                allow_name_change=True,
            )
            if resolve(wanted, addresses) == set(addresses):
                self.name = f"{wanted}.local"
            return

    def end(self) -> None:
        with suppress(*FAULTS):
            self._zeroconf.close()


def announced(line: str) -> Announced | None:
    asked: dict[str, Any] = json.loads(line)
    if not asked["addresses"]:
        return None
    try:
        return Announced(asked["name"], asked["port"], asked["addresses"])
    except FAULTS:
        return None


def main(lines: TextIO, out: TextIO) -> None:
    now: Announced | None = None
    for line in lines:
        if now is not None:
            now.end()
        now = announced(line)
        print(now.name if now is not None else "", file=out, flush=True)
    if now is not None:
        now.end()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main(sys.stdin, sys.stdout)
