"""What of this system keeps phones away: a firewall, a Wi-Fi for guests, a container around it.

Each is asked of the system's own commands, which need no rights; what does not answer in time is
not known.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

from msgspec import field

from companion.values import Value
from companion.web.view.network import Firewall, Sign

PATIENCE_S: Final = 3.0

GUEST: Final = re.compile(
    r"guest|visitor|public|free|hotel|külali|avalik|svečia|viesi|viešas|viesiem|vieraa|vieras|vieraili|"
    r"airport|cafe|café|eduroam",
    re.IGNORECASE,
)
"""In names of networks that often keep devices apart."""

PUBLIC_PROFILE: Final = (
    r"HKLM\SYSTEM\CurrentControlSet\Services\SharedAccess\Parameters\FirewallPolicy\PublicProfile"
)
"""Of a network that nobody has called private, as most are on Windows."""

Run = Callable[..., str]

System = Literal["windows", "macos", "android", "linux"]


class Seen(Value, frozen=True):
    signs: frozenset[Sign] = field(default_factory=frozenset)
    firewall: Firewall = ""


def run(*command: str) -> str:
    """What a command prints; nothing where it is missing, slow or fails."""
    try:
        done = subprocess.run(  # noqa: S603 - our own commands
            command,
            capture_output=True,
            timeout=PATIENCE_S,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout if done.returncode == 0 else ""


def system() -> System:
    if sys.platform == "win32":
        return "windows"
    if sys.platform == "darwin":
        return "macos"
    return (
        "android" if hasattr(sys, "getandroidapilevel") or "ANDROID_ROOT" in os.environ else "linux"
    )


def firewall(on: System, run: Run, root: Path = Path("/")) -> Firewall:
    """The program that filters what comes in, where one is on."""
    if on == "windows":
        return (
            "netsh" if "0x1" in run("reg", "query", PUBLIC_PROFILE, "/v", "EnableFirewall") else ""
        )
    if on == "macos":
        tool = "/usr/libexec/ApplicationFirewall/socketfilterfw"
        return "socketfilterfw" if re.search(r"State = [12]", run(tool, "--getglobalstate")) else ""
    if on != "linux":
        return ""
    try:
        ufw = (root / "etc/ufw/ufw.conf").read_text(encoding="utf-8", errors="replace")
    except OSError:
        ufw = ""
    if re.search(r"^ENABLED=yes", ufw, re.MULTILINE | re.IGNORECASE):
        return "ufw"
    return "firewalld" if run("firewall-cmd", "--state").strip() == "running" else ""


def wifi_name(on: System, run: Run) -> str:
    """The name of the Wi-Fi that this machine is in."""
    if on == "windows":
        found = re.search(r"^\s*SSID\s*: (.+)$", run("netsh", "wlan", "show", "interfaces"), re.M)
        return found[1].strip() if found else ""
    if on == "macos":
        said = run("networksetup", "-getairportnetwork", "en0")
        return said.partition("Network: ")[2].strip()
    if on != "linux":
        return ""
    said = run("nmcli", "-t", "-f", "active,ssid", "device", "wifi")
    found = re.search(r"^yes:(.+)$", said, re.M)
    return found[1] if found else run("iwgetid", "--raw").strip()


def inside(root: Path = Path("/"), environ: os._Environ[str] | dict[str, str] = os.environ) -> bool:
    """Whether this is a container, or Linux within Windows: a machine within the machine."""
    boxes = (root / ".dockerenv", root / "run/.containerenv")
    return "WSL_DISTRO_NAME" in environ or any(each.exists() for each in boxes)


def look(run: Run = run) -> Seen:
    on = system()
    signs = set()
    filters = firewall(on, run)
    if filters:
        signs.add(Sign.FIREWALL)
    if GUEST.search(wifi_name(on, run)):
        signs.add(Sign.GUEST)
    if inside():
        signs.add(Sign.INSIDE)
    return Seen(frozenset(signs), filters)
