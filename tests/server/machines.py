"""Machines as they stand on tables: their interfaces, and the address that phones reach.

A row: what it is; the interfaces, each as name, address and, where the system has one, description;
the address of the default route; the address that a phone in the room reaches. The names are those
that Linux, Windows, macOS and Android give.
"""

from __future__ import annotations

Row = tuple[str, tuple[tuple[str, ...], ...], str, str]

WIN_WIFI = "Intel(R) Wi-Fi 6 AX201 160MHz"
WIN_LAN = "Realtek PCIe GbE Family Controller"

MACHINES: tuple[Row, ...] = (
    ("laptop, Wi-Fi", (("wlp2s0", "192.168.1.20"),), "192.168.1.20", "192.168.1.20"),
    (
        "Wi-Fi, a VPN that takes everything",
        (("wlp2s0", "192.168.1.20"), ("tun0", "10.8.0.6")),
        "10.8.0.6",
        "192.168.1.20",
    ),
    (
        "Wi-Fi, WireGuard named by its owner's provider",
        (("wg-mullvad", "10.66.3.4"), ("wlan0", "192.168.0.14")),
        "10.66.3.4",
        "192.168.0.14",
    ),
    (
        "Wi-Fi, Docker and libvirt",
        (
            ("docker0", "172.17.0.1"),
            ("br-5f3a9b2c1d00", "172.18.0.1"),
            ("virbr0", "192.168.122.1"),
            ("wlp3s0", "192.168.8.100"),
        ),
        "192.168.8.100",
        "192.168.8.100",
    ),
    (
        "two Wi-Fis, the way out over the second",
        (("wlan0", "10.0.0.5"), ("wlx00c0ca", "192.168.1.33")),
        "192.168.1.33",
        "192.168.1.33",
    ),
    (
        "cable and Wi-Fi, the way out over the cable of an office",
        (("enp0s31f6", "10.20.30.40"), ("wlp2s0", "192.168.1.20")),
        "10.20.30.40",
        "192.168.1.20",
    ),
    ("cable alone", (("eno1", "192.168.1.5"),), "192.168.1.5", "192.168.1.5"),
    ("no way out, Wi-Fi without internet", (("wlan0", "192.168.4.2"),), "", "192.168.4.2"),
    (
        "makes a hotspot, and has a cable",
        (("enp3s0", "192.168.1.9"), ("wlp2s0", "10.42.0.1")),
        "192.168.1.9",
        "10.42.0.1",
    ),
    (
        "a bridge of its own to the router, for virtual machines",
        (("br0", "192.168.1.6"), ("virbr0", "192.168.122.1")),
        "192.168.1.6",
        "192.168.1.6",
    ),
    (
        "IPv6 alone",
        (("wlp2s0", "fe80::1c2d:3eff:fe4f:5a6b"), ("wlp2s0", "2001:db8:5:1::20")),
        "2001:db8:5:1::20",
        "2001:db8:5:1::20",
    ),
    (
        "IPv6 of the house and of the internet, IPv4 of a VPN",
        (("wlan0", "2a02:abcd:5:1::20"), ("wlan0", "fd12:3456::20"), ("tun0", "10.9.0.2")),
        "10.9.0.2",
        "fd12:3456::20",
    ),
    (
        "Windows with WSL and Hyper-V",
        (
            ("{1}", "172.29.112.1", "Hyper-V Virtual Ethernet Adapter"),
            ("{2}", "172.20.0.1", "Hyper-V Virtual Ethernet Adapter #2"),
            ("{3}", "192.168.178.24", WIN_WIFI),
        ),
        "192.168.178.24",
        "192.168.178.24",
    ),
    (
        "Windows whose cable goes through Hyper-V's switch",
        (
            ("{1}", "172.29.112.1", "Hyper-V Virtual Ethernet Adapter"),
            ("{2}", "192.168.1.30", "Hyper-V Virtual Ethernet Adapter #2"),
        ),
        "192.168.1.30",
        "192.168.1.30",
    ),
    (
        "Windows with VirtualBox, VMware and an office VPN",
        (
            ("{1}", "192.168.56.1", "VirtualBox Host-Only Ethernet Adapter"),
            ("{2}", "192.168.109.1", "VMware Virtual Ethernet Adapter for VMnet8"),
            ("{3}", "10.251.7.7", "PANGP Virtual Ethernet Adapter"),
            ("{4}", "192.168.1.44", WIN_LAN),
        ),
        "10.251.7.7",
        "192.168.1.44",
    ),
    (
        "Windows with a mobile hotspot",
        (
            ("{1}", "192.168.1.44", WIN_LAN),
            ("{2}", "192.168.137.1", "Microsoft Wi-Fi Direct Virtual Adapter #2"),
        ),
        "192.168.1.44",
        "192.168.137.1",
    ),
    (
        "Windows, no answer of the router on the cable",
        (("{1}", "169.254.10.20", WIN_LAN), ("{2}", "192.168.1.21", WIN_WIFI)),
        "192.168.1.21",
        "192.168.1.21",
    ),
    (
        "Mac with iCloud's relays, AirDrop and a virtual machine",
        (
            ("utun0", "fe80::a1"),
            ("awdl0", "fe80::b2"),
            ("bridge100", "192.168.64.1"),
            ("en0", "192.168.1.12"),
        ),
        "192.168.1.12",
        "192.168.1.12",
    ),
    (
        "Mac with Tailscale, its network's cable on a dock",
        (("utun4", "100.101.102.103"), ("en7", "192.168.1.13")),
        "192.168.1.13",
        "192.168.1.13",
    ),
    (
        "Mac that shares its internet",
        (("en5", "10.1.1.4"), ("bridge100", "192.168.2.1")),
        "10.1.1.4",
        "192.168.2.1",
    ),
    (
        "Android phone with mobile data in the Wi-Fi",
        (("rmnet_data0", "100.70.1.2"), ("wlan0", "192.168.1.15")),
        "192.168.1.15",
        "192.168.1.15",
    ),
    (
        "Android phone that makes a hotspot",
        (("rmnet_data0", "10.120.1.2"), ("ap0", "192.168.43.1")),
        "10.120.1.2",
        "192.168.43.1",
    ),
    (
        "laptop in the hotspot of an iPhone, by cable",
        (("enx1e2d", "172.20.10.2"), ("docker0", "172.17.0.1")),
        "172.20.10.2",
        "172.20.10.2",
    ),
    (
        "two laptops with a cable between them, and nothing else",
        (("enp3s0", "169.254.7.8"), ("docker0", "172.17.0.1")),
        "",
        "169.254.7.8",
    ),
    ("no network", (("lo", "127.0.0.1"), ("lo", "::1")), "", "127.0.0.1"),
    (
        "an interface that nothing is known of, and ZeroTier",
        (("ztabc123", "10.147.17.5"), ("net0", "192.168.50.5")),
        "192.168.50.5",
        "192.168.50.5",
    ),
)
