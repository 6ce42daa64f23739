"""Addresses as sockets and proxies write them."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

_WITH_PORT: Final = re.compile(r"([\d.]+):\d+|\[(.+)\](?::\d+)?")


def bare(address: str) -> IPv4Address | IPv6Address | None:
    """Without the link that it is on, without a port and the brackets before one, and of IPv4 also
    where the socket speaks IPv6; None where it is none.

    >>> bare("::ffff:192.168.1.5"), bare("fe80::1%eth0"), bare("")
    (IPv4Address('192.168.1.5'), IPv6Address('fe80::1'), None)
    >>> bare("203.0.113.5:4711"), bare("[2001:db8::1]:4711")
    (IPv4Address('203.0.113.5'), IPv6Address('2001:db8::1'))
    """
    if with_port := _WITH_PORT.fullmatch(address):
        address = with_port[1] or with_port[2]
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found


def as_known(address: str) -> str:
    """As people know it, of IPv4 also where the socket speaks IPv6; what is none stays.

    >>> as_known("::ffff:192.168.1.5"), as_known("FE80::1%eth0"), as_known("unix:")
    ('192.168.1.5', 'fe80::1', 'unix:')
    """
    return str(bare(address) or address)
