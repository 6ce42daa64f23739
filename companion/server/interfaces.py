"""The network interfaces of this machine: their addresses, and what kind of network each is.

What an interface is, systems tell by its name at best ("wg0", "vEthernet (WSL)"); a few addresses
tell it too. Phones in the room reach a Wi-Fi, a cable of the same router and a hotspot that the
machine makes itself; they do not reach a VPN, a network of virtual machines or a mobile network.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

import ifaddr

from companion.values import Value
from companion.web.view.network import LAN, Kind

_WAYS_OUT: Final = (
    (socket.AF_INET, "192.0.2.1"),
    (socket.AF_INET, "10.255.255.255"),
    (socket.AF_INET, "192.168.255.255"),
    (socket.AF_INET6, "2001:db8::1"),
)
"""Asked for the way there only; nothing is sent. The first and last are for documentation, routed
by the default route; the others help where there is none."""

_NAMES: Final = (
    (
        Kind.HOTSPOT,
        r"ap\d|swlan|softap|.*wi-?fi direct|.*hosted network|bridge1\d\d .* 192\.168\.2\.",
    ),
    (
        Kind.VPN,
        r"tun|utun|tap|wg|ppp|pptp|ipsec|zt|tailscale|ts\d|nordlynx|nordtun|proton|mullvad|hamachi|"
        r"cscotun|gpd|outline|cloudflarewarp|.*(vpn|wireguard|wintun|tap-windows|tailscale|zerotier|"
        r"anyconnect|fortinet|pangp|globalprotect|hamachi|checkpoint|juniper|pulse secure|zscaler|"
        r"cloudflare|nordlynx|mullvad|openconnect|wan miniport)",
    ),
    (
        Kind.VIRTUAL,
        r"docker|br-|veth|virbr|vnet|vmnet|vboxnet|vnic|lxc|lxd|incus|podman|cni|flannel|cali|"
        r"bridge|br\d|awdl|llw|anbox|waydroid|dummy|vmenet|feth|"
        r".*(virtual|hyper-v|vmware|vethernet|vbox|docker|wsl|parallels|npcap)",
    ),
    (
        Kind.MOBILE,
        r"rmnet|r_rmnet|v4-rmnet|ccmni|wwan|wwp|pdp_ip|clat|.*(mobile broadband|cellular)",
    ),
    (Kind.WIFI, r"wl|ath\d|ra\d|en0 |.*(wi-?fi|wireless|802\.11|wlan|airport)"),
    (Kind.WIRED, r"eth|en|em\d|usb|rndis|ncm|.*(ethernet|gigabit|gbe|family controller|lan\b)"),
)
"""Kinds by how an interface is called, its description included; the first that fits. On a Mac,
`en0` is the Wi-Fi, and the only one called so: Linux gives longer names."""

_ADDRESSES: Final = (
    (Kind.VIRTUAL, ip_network("100.115.92.0/23")),  # ChromeOS, towards its Linux
    (Kind.VPN, ip_network("100.64.0.0/10")),  # Tailscale and others
)
"""Kinds by address, where the name says nothing."""

_OWN_HOTSPOTS: Final = re.compile(r"192\.168\.(137|43|49)\.1|10\.42\.\d+\.1")
"""What Windows, Android and NetworkManager call themselves in a network that they make."""


class Interface(Value, frozen=True):
    """One address of one interface."""

    name: str
    address: str  # without brackets and scope
    title: str = ""  # what the system calls it for people
    prefix: int = 24

    @property
    def ip(self) -> IPv4Address | IPv6Address:
        return ip_address(self.address)


def present() -> tuple[Interface, ...]:
    """Every address of this machine; none where the system does not tell."""
    try:
        adapters = list(ifaddr.get_adapters())
    except OSError:
        return ()
    return tuple(
        Interface(
            _text(adapter.name),
            ip.ip if isinstance(ip.ip, str) else ip.ip[0].partition("%")[0],
            adapter.nice_name,
            ip.network_prefix,
        )
        for adapter in adapters
        for ip in adapter.ips
    )


def _text(name: str | bytes) -> str:
    return name if isinstance(name, str) else name.decode(errors="replace")


def ways_out() -> tuple[str, ...]:
    """The addresses from which this machine goes to others, that of the default route first."""
    found = []
    for family, elsewhere in _WAYS_OUT:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((elsewhere, 9))
                found.append(str(probe.getsockname()[0]).partition("%")[0])
        except OSError:
            continue
    return tuple(dict.fromkeys(found))


def kind_of(interface: Interface, *, way_out: bool = False) -> Kind:
    """`way_out`: the default route leads over it; then a bridge is no inner network."""
    ip = interface.ip
    if ip.is_loopback:
        return Kind.LOOPBACK
    if ip.is_link_local:
        return Kind.LINK_LOCAL
    kind = by_name(interface)
    if kind is Kind.VIRTUAL and way_out:
        return Kind.WIRED
    if kind in (Kind.WIFI, Kind.WIRED, Kind.OTHER) and _OWN_HOTSPOTS.fullmatch(interface.address):
        return Kind.HOTSPOT
    if kind is not Kind.OTHER:
        return kind
    if ip.version == 4 and interface.prefix == 32:
        return Kind.VPN  # a line between two machines
    return next((each for each, network in _ADDRESSES if ip in network), Kind.OTHER)


def by_name(interface: Interface) -> Kind:
    """What its name says."""
    called = f"{interface.name} {interface.title} {interface.address}".lower()
    return next((kind for kind, names in _NAMES if re.match(names, called)), Kind.OTHER)


def ranked(
    found: Iterable[Interface], way_out: tuple[str, ...], proved: tuple[str, ...]
) -> tuple[tuple[Interface, Kind], ...]:
    """The addresses that are worth a try, best first; `proved`: phones have come by these, most by
    the first.

    What is not in the room comes later whoever has come by it: guests are in none of its networks;
    nor does every phone have IPv6. An address of IPv6 whose scope is one link needs the name of the
    phone's own interface behind it, and no browser takes that.
    """
    order = list(Kind)

    def rank(each: tuple[Interface, Kind]) -> tuple[object, ...]:
        interface, kind = each
        address = interface.address
        return (
            kind not in LAN,
            interface.ip.version == 6,
            proved.index(address) if address in proved else len(proved),
            order.index(kind),
            way_out.index(address) if address in way_out else len(way_out),
            not interface.ip.is_private,
        )

    kinds = [(each, kind_of(each, way_out=each.address in way_out[:1])) for each in found]
    worth = [
        (each, kind)
        for each, kind in kinds
        if kind is not Kind.LOOPBACK and not (each.ip.version == 6 and each.ip.is_link_local)
    ]
    return tuple(sorted(dict.fromkeys(worth), key=rank))
