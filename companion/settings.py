"""Every setting of the program: its name, default, unit and what it does.

Read from the environment (``COMPANION_PORT=8080``); options of the command line override. A value
that cannot be used is a `SettingsError` with one sentence for whoever starts the program.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from platformdirs import user_data_path

PREFIX: Final = "COMPANION_"
EVERYWHERE: Final = "0.0.0.0"  # noqa: S104
KEY_FILE: Final = "secret.key"
SECRET_BYTES: Final = 32
SECRET_MIN: Final = 16
"""Characters of a secret key that is given as a setting."""


class SettingsError(Exception):
    """A setting that cannot be used; the text is one sentence."""


def _about(text: str, unit: str = "", low: int = 0, high: int = 10**9) -> dict[str, Any]:
    return {"help": text, "unit": unit, "low": low, "high": high}


def default_data() -> Path:
    """Where a user's data lie on this system."""
    return user_data_path("companion", appauthor=False)


@dataclass(frozen=True, slots=True)
class Settings:
    host: str = field(
        default=EVERYWHERE,
        metadata=_about("Address to listen on; 127.0.0.1 for this machine only."),
    )
    port: int = field(
        default=8000,
        metadata=_about("Port to listen on; the next free one is taken.", "", 0, 65535),
    )
    data: Path = field(
        default_factory=default_data,
        metadata=_about("Folder for the tables and the secret key."),
    )
    public_url: str = field(
        default="",
        metadata=_about("Address under which phones reach the program, if it is behind a proxy."),
    )
    secret_key: str = field(
        default="",
        metadata=_about("Key that the links are made with; else made and kept in the data folder."),
    )
    unused_days: int = field(
        default=30, metadata=_about("Tables that nobody has used for so long go.", "days", 1, 3650)
    )
    host_gone_s: int = field(
        default=120,
        metadata=_about(
            "How long the host's device is away before others may take over.", "seconds", 5, 86400
        ),
    )
    offer_s: int = field(
        default=300,
        metadata=_about("How long a seat is offered to another phone.", "seconds", 30, 86400),
    )
    body_kib: int = field(
        default=64, metadata=_about("Largest request that is read.", "KiB", 1, 1024)
    )
    tables_per_hour: int = field(
        default=30,
        metadata=_about("Tables that one address may open in an hour.", "tables", 1, 10**6),
    )
    codes_per_minute: int = field(
        default=10,
        metadata=_about("Short codes that one address may try in a minute.", "codes", 1, 10**6),
    )
    joins_per_minute: int = field(
        default=30,
        metadata=_about(
            "Names that one address may send to sit down, in a minute.", "names", 1, 10**6
        ),
    )
    requests_per_minute: int = field(
        default=1200,
        metadata=_about(
            "Requests of one address that are answered in a minute.", "requests", 10, 10**7
        ),
    )
    streams_per_address: int = field(
        default=200,
        metadata=_about(
            "Pages of one address that may follow a table at once.", "streams", 1, 10**6
        ),
    )
    streams: int = field(
        default=2000, metadata=_about("Pages that may follow tables at once.", "streams", 1, 10**6)
    )
    tables_in_memory: int = field(
        default=2000,
        metadata=_about(
            "Tables held in memory; others are read when asked for.", "tables", 1, 10**6
        ),
    )

    @property
    def secret(self) -> bytes:
        """The secret key; made at the first start and kept for the owner's eyes only."""
        if self.secret_key:
            return self.secret_key.encode()
        return _kept_secret(self.data / KEY_FILE)


def default(setting: Field[Any]) -> Any:
    """What holds where nothing is said."""
    return setting.default if setting.default is not MISSING else default_data()


def read(environ: Mapping[str, str] | None = None, /, **options: Any) -> Settings:
    """The settings from the environment, overridden by the options that are not None.

    >>> read({"COMPANION_PORT": "8080"}, host=None).port
    8080
    >>> read({"COMPANION_PORT": "many"})
    Traceback (most recent call last):
    companion.settings.SettingsError: COMPANION_PORT must be a whole number from 0 to 65535.
    """
    environ = os.environ if environ is None else environ
    found: dict[str, Any] = {}
    for setting in fields(Settings):
        variable = PREFIX + setting.name.upper()
        value, shown = options.pop(setting.name, None), "--" + setting.name.replace("_", "-")
        if value is None and environ.get(variable):
            value, shown = environ[variable], variable
        found[setting.name] = default(setting) if value is None else _checked(setting, value, shown)
    if options:
        raise TypeError(f"no such setting: {', '.join(options)}")
    return Settings(**found)


def _checked(setting: Field[Any], value: Any, shown: str) -> Any:
    if type(setting.default) is int:
        low, high = setting.metadata["low"], setting.metadata["high"]
        text = str(value).strip()
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 12):
            digits = ""
        if not digits or not low <= int(text) <= high:
            raise SettingsError(f"{shown} must be a whole number from {low} to {high}.")
        return int(text)
    if setting.name == "data":
        return Path(value).expanduser().absolute()
    text = str(value).strip()
    if not text.isprintable():
        raise SettingsError(f"{shown} contains characters that cannot be printed.")
    if setting.name == "public_url":
        return _public_url(text, shown)
    if setting.name == "secret_key" and len(text) < SECRET_MIN:
        raise SettingsError(f"{shown} must have at least {SECRET_MIN} characters.")
    if setting.name == "host" and (not text or any(char in text for char in "/ @")):
        raise SettingsError(f"{shown} must be an address or a host name, such as 127.0.0.1.")
    return text


def _public_url(text: str, shown: str) -> str:
    try:
        parts = urlsplit(text)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if text and (not good or parts.path not in ("", "/") or parts.query or parts.fragment):
        raise SettingsError(
            f"{shown} must be an address without a path, such as https://play.example.org."
        )
    return text.rstrip("/")


def _kept_secret(path: Path) -> bytes:
    try:
        if not path.exists():
            _make_secret(path)
        kept = path.read_bytes()
    except OSError as error:
        raise SettingsError(
            f"The data folder {path.parent} cannot be used: {error.strerror}."
        ) from error
    if len(kept) != SECRET_BYTES:
        raise SettingsError(f"{path} is damaged: it must hold {SECRET_BYTES} bytes.")
    return kept


def _make_secret(path: Path) -> None:
    """All of it appears at once, or nothing."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(secrets.token_bytes(SECRET_BYTES))
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
