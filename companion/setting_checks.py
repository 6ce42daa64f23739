"""What the text of a setting must be: each check gives it back as it is kept, or says in one
sentence what is wrong, with the name under which it was given (`shown`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import ip_network
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import urlsplit

LOCAL_NAME: Final = re.compile(r"[a-z0-9]([a-z0-9-]{0,40}[a-z0-9])?", re.IGNORECASE)
_LABEL = r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?"
PUBLIC_URL: Final = re.compile(
    rf"https?://(\[[0-9a-f:.]+\]|{_LABEL}(\.{_LABEL})*)(:[0-9]+)?/?", re.IGNORECASE | re.ASCII
)
SECRET_BYTES: Final = 32
"""Of a secret key that the program makes."""
SECRET_MIN: Final = 16
"""Characters of a secret key that is given as a setting."""

Check: TypeAlias = Callable[[str, str], str]


class SettingsError(Exception):
    """A setting that cannot be used; the text is one sentence."""


def listed(text: str) -> list[str]:
    """What stands between commas."""
    return [each.strip() for each in text.split(",") if each.strip()]


def whole_number(text: str, shown: str, low: int, high: int) -> int:
    text = text.strip()
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 12):
        digits = ""
    if not digits or not low <= int(text) <= high:
        raise SettingsError(f"{shown} must be a whole number from {low} to {high}.")
    return int(text)


def path(text: str) -> Path:
    """Also with the ~ that a shell leaves as it is, as after `--data=`."""
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError as error:
        raise SettingsError(f"{text} begins with a home folder that there is not.") from error


def printable(text: str, shown: str) -> str:
    text = text.strip()
    if not text.isprintable():
        raise SettingsError(f"{shown} contains characters that cannot be printed.")
    return text


def anything(text: str, shown: str) -> str:
    return text


def beginning(*starts: str) -> Check:
    def check(text: str, shown: str) -> str:
        if text and not text.startswith(starts):
            raise SettingsError(f"{shown} must begin with {' or '.join(starts)}.")
        return text

    return check


def one_of(*words: str) -> Check:
    def check(text: str, shown: str) -> str:
        if text not in words:
            raise SettingsError(f"{shown} must be {' or '.join(words)}.")
        return text

    return check


def host(text: str, shown: str) -> str:
    if not text or any(char in text for char in "/ @"):
        raise SettingsError(f"{shown} must be an address or a host name, such as 127.0.0.1.")
    return text


def public_url(text: str, shown: str) -> str:
    try:
        good = PUBLIC_URL.fullmatch(text) is not None and urlsplit(text).port != 0
    except ValueError:
        good = False
    if text and not good:
        raise SettingsError(
            f"{shown} must be an address without a path, such as https://play.example.org; a name "
            "with other letters as DNS has it, beginning with xn--."
        )
    return text.rstrip("/")


def page_of_others(text: str, shown: str) -> str:
    try:
        parts = urlsplit(text)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and " " not in text
    except ValueError:
        good = False
    if text and not good:
        raise SettingsError(
            f"{shown} must be a page’s address, such as https://club.example/imprint."
        )
    return text


def local_name(text: str, shown: str) -> str:
    if not LOCAL_NAME.fullmatch(text):
        raise SettingsError(f"{shown} must be letters, digits and hyphens, such as companion.")
    return text


def host_names(text: str, shown: str) -> str:
    for each in listed(text):
        if not each.isascii() or any(char in each for char in "/ @:*"):
            raise SettingsError(
                f"{shown} must be host names without a port, such as play.example.org,club.example."
            )
    return text


def networks(text: str, shown: str) -> str:
    for each in listed(text):
        try:
            ip_network(each)
        except ValueError as error:
            raise SettingsError(
                f"{shown} must be addresses or networks, such as 127.0.0.1,10.0.0.0/8."
            ) from error
    return text


def forwarded_headers(text: str, shown: str) -> str:
    if not set(listed(text)) <= {"for", "proto", "host"}:
        raise SettingsError(f"{shown} must be of for, proto and host, such as for,proto.")
    return ",".join(listed(text))


POSTGRESQL: Final = ("postgresql://", "postgresql+psycopg://")
"""How the address of a shared database begins."""


def two_files(text: str, shown: str) -> str:
    if text and len(listed(text)) != 2:
        raise SettingsError(f"{shown} must be two files, of the certificate and of its key.")
    return text


def secret_key(text: str, shown: str) -> str:
    if len(text) < SECRET_MIN:
        raise SettingsError(f"{shown} must have at least {SECRET_MIN} characters.")
    return text


def secret_key_in(path: Path) -> str:
    """A line of text; or what the program has made, any bytes (see `storage.secret_key`)."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise SettingsError(
            f"{path} with the secret key cannot be read: {error.strerror}."
        ) from error
    key = raw.decode(errors="surrogateescape").strip()
    if len(raw) == SECRET_BYTES and not key.isprintable():
        return raw.decode(errors="surrogateescape")
    if len(key) < SECRET_MIN or not key.isprintable():
        raise SettingsError(f"{path} must hold one line of at least {SECRET_MIN} characters.")
    return key
