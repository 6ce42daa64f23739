"""Addresses as sockets and proxies write them."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address


def bare(address: str) -> IPv4Address | IPv6Address | None:
    """Without the link that it is on, and of IPv4 also where the socket speaks IPv6; None where it
    is none.

    >>> bare("::ffff:192.168.1.5"), bare("fe80::1%eth0"), bare("")
    (IPv4Address('192.168.1.5'), IPv6Address('fe80::1'), None)
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found
