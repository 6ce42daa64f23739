"""What to try when no phone comes: in the order in which it helps most often, with what can be seen
on this machine first. For the table screen and for the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from enum import StrEnum
from gettext import NullTranslations
from typing import Final

from companion.web.view.network import LAN, Kind, Network, Sign


class Tip(StrEnum):
    ONLY_HERE = "only_here"
    NO_NETWORK = "no_network"
    INSIDE = "inside"
    HALF = "half"
    VPN_ON = "vpn_on"
    GUEST = "guest"
    PUBLIC = "public"
    SAME_WIFI = "same_wifi"
    FIREWALL = "firewall"
    VPN_MAYBE = "vpn_maybe"
    OTHERS = "others"
    HOTSPOT = "hotspot"


TIPS_MAX: Final = 5
"""On a screen: nobody reads more."""


def tips(network: Network) -> tuple[Tip, ...]:
    return tuple(_tips(network))[:TIPS_MAX]


def _tips(network: Network) -> Iterator[Tip]:
    signs = network.signs
    if Sign.ONLY_HERE in signs:
        yield Tip.ONLY_HERE
        return
    if Sign.NO_NETWORK in signs:
        yield Tip.NO_NETWORK
        yield Tip.HOTSPOT
        return
    if Sign.INSIDE in signs:
        yield Tip.INSIDE
    if Sign.HALF in signs:
        yield Tip.HALF
    if Sign.GUEST in signs:
        yield Tip.GUEST
    if Sign.VPN in signs:
        yield Tip.VPN_ON
    if Sign.PUBLIC in signs:
        yield Tip.PUBLIC
    if Sign.GUEST not in signs:
        yield Tip.SAME_WIFI
    if Sign.FIREWALL in signs:
        yield Tip.FIREWALL
    if any(way.kind in LAN or way.kind is Kind.NAME for way in network.ways[1:]):
        yield Tip.OTHERS
    if Sign.VPN not in signs:
        yield Tip.VPN_MAYBE
    yield Tip.HOTSPOT


def command(network: Network) -> str:
    """What lets phones through the firewall of this machine, to be typed in a terminal."""
    port = network.best.url.rpartition(":")[2]
    if network.firewall == "netsh":
        return (
            "netsh advfirewall firewall add rule name=Companion dir=in action=allow "
            f"protocol=TCP localport={port}"
        )
    if network.firewall == "socketfilterfw":
        tool = "/usr/libexec/ApplicationFirewall/socketfilterfw"
        return f'sudo {tool} --add "{sys.executable}" --unblockapp "{sys.executable}"'
    if network.firewall == "ufw":
        return f"sudo ufw allow {port}/tcp"
    if network.firewall == "firewalld":
        return f"sudo firewall-cmd --add-port={port}/tcp"
    return ""


_TEXTS: Final[dict[Tip, Callable[[NullTranslations], str]]] = {
    Tip.ONLY_HERE: lambda t: (
        t.gettext(
            "The program was started for this computer only. Start it again without %(option)s."
        )
        % {"option": "--host"}
    ),
    Tip.NO_NETWORK: lambda t: t.gettext(
        "The computer is not on any network. Connect it to the Wi-Fi that the phones use."
    ),
    Tip.INSIDE: lambda t: t.gettext(
        "The program runs inside a virtual machine or a container, which phones may be unable to"
        " reach. Start it directly on the computer."
    ),
    Tip.HALF: lambda t: t.gettext(
        "A phone has found the computer, but the page did not load. Switch off the VPN on that "
        "phone and scan again."
    ),
    Tip.VPN_ON: lambda t: t.gettext("The computer is using a VPN. Switch it off for the evening."),
    Tip.GUEST: lambda t: t.gettext(
        "This seems to be a guest network, and these often keep devices apart. Use another Wi-Fi"
        " network for the computer and the phones."
    ),
    Tip.PUBLIC: lambda t: t.gettext(
        "The computer has a public address, and its network may not let phones in. Use another"
        " Wi-Fi network."
    ),
    Tip.SAME_WIFI: lambda t: t.gettext(
        "Is the phone on the same Wi-Fi as the computer? This page cannot be reached over "
        "mobile data."
    ),
    Tip.FIREWALL: lambda t: t.gettext(
        "Let the program through the computer’s firewall with this command:"
    ),
    Tip.VPN_MAYBE: lambda t: t.gettext("Is the phone using a VPN? Switch it off and scan again."),
    Tip.OTHERS: lambda t: t.gettext("Try another address: tap ‘Other addresses’ and scan there."),
    Tip.HOTSPOT: lambda t: t.gettext(
        "Turn on the hotspot of a phone, and connect the computer and all phones to it."
    ),
}


def said(t: NullTranslations, tip: Tip) -> str:
    """The tip as a sentence or two."""
    return _TEXTS[tip](t)


_LABELS: Final[dict[Kind, Callable[[NullTranslations], str]]] = {
    Kind.NAME: lambda t: t.pgettext("label", "Address by name"),
    Kind.HOTSPOT: lambda t: t.pgettext("label", "This computer’s hotspot"),
    Kind.WIFI: lambda _: "Wi-Fi",
    Kind.WIRED: lambda t: t.pgettext("label", "Cable"),
    Kind.OTHER: lambda t: t.pgettext("label", "Network"),
    Kind.LINK_LOCAL: lambda t: t.pgettext("label", "Without a router"),
    Kind.VIRTUAL: lambda t: t.pgettext("label", "Virtual network"),
    Kind.MOBILE: lambda t: t.pgettext("label", "Mobile data"),
    Kind.VPN: lambda _: "VPN",
    Kind.LOOPBACK: lambda t: t.pgettext("label", "This computer only"),
}


def label(t: NullTranslations, kind: Kind, proved: bool = False) -> str:
    """Why an address stands where it stands."""
    what = _LABELS[kind](t)
    return t.pgettext("label", "%(kind)s, works") % {"kind": what} if proved else what
