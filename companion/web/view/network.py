"""Where phones may reach this machine, best first, and what can be seen here of what is in the
way. The server finds it out; pages and the terminal show it."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal

from companion.values import Value


class Kind(StrEnum):
    """What an address belongs to, those that phones reach most likely first."""

    NAME = "name"  # a name of this machine, told by multicast DNS
    HOTSPOT = "hotspot"  # a Wi-Fi network that this machine makes itself
    WIFI = "wifi"
    WIRED = "wired"
    OTHER = "other"
    LINK_LOCAL = "link_local"  # no router has given it: a cable between two machines, or nothing
    VIRTUAL = "virtual"  # a network of virtual machines or containers, inside this machine
    MOBILE = "mobile"  # a mobile network
    VPN = "vpn"
    LOOPBACK = "loopback"  # this machine itself: nobody else reaches it


LAN: Final = frozenset({Kind.HOTSPOT, Kind.WIFI, Kind.WIRED, Kind.OTHER})
"""Networks that phones in the room can be in."""


class Sign(StrEnum):
    """Something that can be seen on this machine and keeps phones away."""

    VPN = "vpn"
    FIREWALL = "firewall"
    GUEST = "guest"  # the Wi-Fi is called like one for guests, which often keeps devices apart
    PUBLIC = "public"  # the best address is one of the internet
    NO_NETWORK = "no_network"
    ONLY_HERE = "only_here"  # it was started for this machine alone
    INSIDE = "inside"  # the program runs in a container or a virtual machine of its own network
    HALF = "half"  # a phone opened a connection and then sent nothing


Firewall = Literal["", "netsh", "socketfilterfw", "ufw", "firewalld"]
"""The program that filters what comes in; empty: none is known."""


class WayIn(Value, frozen=True):
    """An address at which this machine listens."""

    url: str  # "http://192.168.1.20:8000"
    kind: Kind
    proved: bool = False  # a phone has come by it

    @property
    def address(self) -> str:
        return self.url.partition("://")[2]


class Network(Value, frozen=True):
    """As it is now."""

    ways: tuple[WayIn, ...]  # at least one; the best first
    signs: frozenset[Sign] = frozenset()
    firewall: Firewall = ""
    at_home: bool = True  # False: behind a proxy, where nothing of this machine's network matters

    @property
    def best(self) -> WayIn:
        return self.ways[0]


def fixed(url: str) -> Network:
    """One address that is given, and stays."""
    return Network((WayIn(url, Kind.OTHER),), at_home=False)
