"""Every setting of the program: its name, default, unit and what it does.

Read from the environment (``COMPANION_PORT=8080``); options of the command line override. A value
that cannot be used, or a variable that is no setting, is a `SettingsError` with one sentence for
the person who starts the program.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from difflib import get_close_matches
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from platformdirs import user_data_path

PREFIX: Final = "COMPANION_"
QR: Final = f"{PREFIX}QR"
"""No setting, but a variable: the QR code is printed where there is no terminal, too."""
EVERYWHERE: Final = "::"
"""Every address, of IPv4 too."""
NAME_MAX: Final = 24
"""Characters of a name that a game record can hold."""
LOCAL_NAME: Final = re.compile(r"[a-z0-9]([a-z0-9-]{0,40}[a-z0-9])?", re.IGNORECASE)
NO_NAME: Final = "off"
LOG_FORMATS: Final = ("text", "json")
SCHEMES: Final = {
    "database": ("postgresql://", "postgresql+psycopg://"),
    "bus": ("redis://", "rediss://"),
}
"""How the addresses of what processes share begin."""
NEEDS_SHARED: Final = (
    "to share a database, more is needed: install requirements/shared.txt beside the program’s "
    "wheel, as docs/scale.md says"
)
SECRET_BYTES: Final = 32
"""Of a secret key that the program makes."""
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
        metadata=_about(
            "Address to listen on; 127.0.0.1 for this machine only, :: for all of IPv6 and IPv4."
        ),
    )
    port: int = field(
        default=8000,
        metadata=_about(
            "Port to listen on; without a public address the next free one will do.", "", 0, 65535
        ),
    )
    data: Path = field(
        default_factory=default_data,
        metadata=_about("Folder for the tables and the secret key."),
    )
    database: str = field(
        default="",
        metadata=_about(
            "Database that several processes share, in the place of the folder: "
            "postgresql://user:password@host/name. Better given in the variable, since the list of "
            "processes shows it."
        ),
    )
    bus: str = field(
        default="",
        metadata=_about(
            "Redis or Valkey by which these processes wake each other's phones: redis://host:6379."
        ),
    )
    public_url: str = field(
        default="",
        metadata=_about("Address under which phones reach the program, if it is behind a proxy."),
    )
    local_name: str = field(
        default="companion",
        metadata=_about(
            "Name, before .local, that phones in the same network can type; off: none is announced."
        ),
    )
    host_names: str = field(
        default="",
        metadata=_about("More names under which it is reached, with commas between them."),
    )
    trusted_proxies: str = field(
        default="127.0.0.1,::1",
        metadata=_about("Addresses or networks of the proxy in front, with commas between them."),
    )
    forwarded_headers: str = field(
        default="for",
        metadata=_about(
            "What of X-Forwarded-For, -Proto and -Host the proxy writes itself: for,proto,host."
        ),
    )
    tls: str = field(
        default="",
        metadata=_about(
            "Certificate and key, two PEM files, to serve HTTPS without a proxy; they are read "
            "again when they change. In the variable with a comma between them."
        ),
    )
    hsts_days: int = field(
        default=365,
        metadata=_about(
            "How long browsers keep to HTTPS once they have come by it.", "days", 0, 3650
        ),
    )
    secret_key: str = field(
        default="",
        metadata=_about(
            "Key that the database is encrypted and links are made with: with another one nothing "
            "can be read. Whoever guesses it can work out roles, so take 32 random characters or "
            "more. Else one is made, and kept in the data folder."
        ),
    )
    secret_key_file: str = field(
        default="",
        metadata=_about(
            "File with that key, which then shows in no list of processes: a line of text, or the "
            "secret.key of a data folder."
        ),
    )
    metrics_port: int = field(
        default=0,
        metadata=_about("Port with figures for Prometheus; 0: there are none.", "", 0, 65535),
    )
    metrics_host: str = field(
        default="127.0.0.1",
        metadata=_about("Address to listen on with these figures; anybody there can read them."),
    )
    log_format: str = field(
        default=LOG_FORMATS[0],
        metadata=_about("How the log is written: text, or a JSON object a line (json)."),
    )
    operator: str = field(
        default="",
        metadata=_about(
            "Who runs the program, for its page on privacy; else that is whoever opened the table."
        ),
    )
    contact: str = field(
        default="",
        metadata=_about("How to reach them: an e-mail address, a page's address or a number."),
    )
    notices_url: str = field(
        default="",
        metadata=_about(
            "Page with their own notices (privacy, imprint), which the foot of pages leads to, too."
        ),
    )
    unused_days: int = field(
        default=30,
        metadata=_about("Tables that nobody has used for this long are deleted.", "days", 1, 3650),
    )
    host_gone_s: int = field(
        default=120,
        metadata=_about(
            "How long the host's device is away before others may take over.", "seconds", 5, 86400
        ),
    )
    end_wait_s: int = field(
        default=10,
        metadata=_about(
            "How long anybody can stop an end of a round or a game that turns secrets over, where "
            "three phones or more play; 0: it counts at once.",
            "seconds",
            0,
            600,
        ),
    )
    offer_s: int = field(
        default=300,
        metadata=_about("How long a seat is offered to another phone.", "seconds", 30, 86400),
    )
    body_kib: int = field(
        default=64, metadata=_about("Largest request that is read.", "KiB", 1, 1024)
    )
    head_kib: int = field(
        default=16,
        metadata=_about("Largest head of a request, its headers together.", "KiB", 4, 64),
    )
    head_s: int = field(
        default=20,
        metadata=_about("How long the head of a request may take to arrive.", "seconds", 1, 300),
    )
    body_s: int = field(
        default=30,
        metadata=_about("How long the body of a request may take to arrive.", "seconds", 1, 300),
    )
    silent_s: int = field(
        default=75,
        metadata=_about(
            "How long a connection may say nothing, or take nothing.", "seconds", 1, 3600
        ),
    )
    unasked_s: int = field(
        default=10,
        metadata=_about(
            "How long a new connection may wait with its first request.", "seconds", 1, 300
        ),
    )
    dead_s: int = field(
        default=30,
        metadata=_about(
            "How long a phone may leave unanswered what it was sent.", "seconds", 5, 3600
        ),
    )
    unread_kib: int = field(
        default=128,
        metadata=_about("What is kept for a phone that does not read.", "KiB", 16, 4096),
    )
    tables_per_hour: int = field(
        default=30,
        metadata=_about("Tables that one address may open in an hour.", "tables", 1, 10**6),
    )
    codes_per_minute: int = field(
        default=10,
        metadata=_about(
            "Wrong codes of one address in a minute; in an hour, six times as many.",
            "codes",
            1,
            10**6,
        ),
    )
    events_per_table: int = field(
        default=20_000,
        metadata=_about(
            "Events of one table that are kept; then it takes no more.", "events", 1000, 10**6
        ),
    )
    mib_per_host: int = field(
        default=256,
        metadata=_about(
            "What the tables of one host may take on the disk; then they take no more.",
            "MiB",
            1,
            10**6,
        ),
    )
    mib_in_all: int = field(
        default=4096,
        metadata=_about(
            "What all tables may take on the disk; no new ones are opened from nine tenths of it. "
            "The log warns at 80 % and at 95 %.",
            "MiB",
            10,
            10**7,
        ),
    )
    dear_per_minute: int = field(
        default=60,
        metadata=_about(
            "Pages that take long to make (records, replays, searches) for one address in a "
            "minute.",
            "pages",
            1,
            10**6,
        ),
    )
    joins_per_minute: int = field(
        default=30,
        metadata=_about(
            "Names that one address may send to sit down, in a minute.", "names", 1, 10**6
        ),
    )
    name_max: int = field(
        default=NAME_MAX,
        metadata=_about("Longest name of a player.", "characters", 6, NAME_MAX),
    )
    forms_per_minute: int = field(
        default=120,
        metadata=_about("Forms of one device that are taken in a minute.", "forms", 10, 10**6),
    )
    requests_per_minute: int = field(
        default=1200,
        metadata=_about(
            "Requests of one address that are answered in a minute.", "requests", 10, 10**7
        ),
    )
    streams_per_device: int = field(
        default=8,
        metadata=_about(
            "Pages of one device that may follow a table; one more ends the oldest.",
            "streams",
            1,
            1000,
        ),
    )
    streams_per_address: int = field(
        default=200,
        metadata=_about(
            "Pages of one address that may follow a table at once.", "streams", 1, 10**6
        ),
    )
    streams_per_table: int = field(
        default=60,
        metadata=_about("Pages that may follow one table at once.", "streams", 12, 10**6),
    )
    streams: int = field(
        default=2000, metadata=_about("Pages that may follow tables at once.", "streams", 1, 10**6)
    )
    connections_per_address: int = field(
        default=200,
        metadata=_about("Connections of one address beside its streams.", "connections", 1, 10**6),
    )
    connections: int = field(
        default=2000,
        metadata=_about("Connections in all beside the streams.", "connections", 10, 10**6),
    )
    tables_in_memory: int = field(
        default=2000,
        metadata=_about(
            "Tables held in memory; others are read when asked for.", "tables", 1, 10**6
        ),
    )

    @property
    def names(self) -> frozenset[str]:
        """`host_names`, each by itself, in small letters."""
        return frozenset(each.lower() for each in _listed(self.host_names))

    @property
    def tls_files(self) -> tuple[Path, Path] | None:
        """`tls`, each as a file."""
        if not self.tls:
            return None
        certificate, key = (Path(each).expanduser().absolute() for each in _listed(self.tls))
        return certificate, key

    @property
    def proxies(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """`trusted_proxies`, each as a network."""
        return tuple(ip_network(each) for each in _listed(self.trusted_proxies))


def _listed(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def default(setting: Field[Any]) -> Any:
    """The default value of a setting."""
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
    _refuse_unknown(environ)
    found: dict[str, Any] = {}
    for setting in fields(Settings):
        variable = PREFIX + setting.name.upper()
        value, shown = options.pop(setting.name, None), "--" + setting.name.replace("_", "-")
        if value is None and environ.get(variable):
            value, shown = environ[variable], variable
        found[setting.name] = default(setting) if value is None else _checked(setting, value, shown)
    if options:
        raise TypeError(f"no such setting: {', '.join(options)}")
    if found["secret_key_file"]:
        if found["secret_key"]:
            raise SettingsError("The secret key is given twice: as a text, and in a file.")
        found["secret_key"] = _key_in(Path(found["secret_key_file"]).expanduser().absolute())
    if found["bus"] and not found["database"]:
        raise SettingsError("A bus is for processes that share a database: --database.")
    if found["database"] and not found["secret_key"]:
        raise SettingsError(
            "Processes that share a database need the same secret key: --secret-key-file."
        )
    return Settings(**found)


def _refuse_unknown(environ: Mapping[str, str]) -> None:
    """What is misspelt would else be as if it were not there, and nobody would know."""
    known = [setting.name.upper() for setting in fields(Settings)]
    strange = []
    for variable in sorted(environ):
        name = variable.removeprefix(PREFIX)
        if name != variable != QR and name not in known:
            near = get_close_matches(name, known, 1)
            strange.append(f"{variable} (perhaps {PREFIX}{near[0]})" if near else variable)
    if strange:
        raise SettingsError(f"There is no setting of this name: {', '.join(strange)}.")


def _key_in(path: Path) -> str:
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
    if setting.name in SCHEMES and text and not text.startswith(SCHEMES[setting.name]):
        raise SettingsError(f"{shown} must begin with {' or '.join(SCHEMES[setting.name])}.")
    if setting.name == "public_url":
        return _public_url(text, shown)
    if setting.name == "notices_url" and text:
        return _page_of_others(text, shown)
    if setting.name == "tls" and text and len(_listed(text)) != 2:
        raise SettingsError(f"{shown} must be two files, of the certificate and of its key.")
    if setting.name == "local_name" and not LOCAL_NAME.fullmatch(text):
        raise SettingsError(f"{shown} must be letters, digits and hyphens, such as companion.")
    if setting.name == "secret_key" and len(text) < SECRET_MIN:
        raise SettingsError(f"{shown} must have at least {SECRET_MIN} characters.")
    if setting.name == "log_format" and text not in LOG_FORMATS:
        raise SettingsError(f"{shown} must be {' or '.join(LOG_FORMATS)}.")
    if setting.name == "forwarded_headers":
        if not set(_listed(text)) <= {"for", "proto", "host"}:
            raise SettingsError(f"{shown} must be of for, proto and host, such as for,proto.")
        return ",".join(_listed(text))
    if setting.name == "trusted_proxies":
        return _networks(text, shown)
    if setting.name == "host_names" and any(
        not each.isascii() or any(char in each for char in "/ @:*") for each in _listed(text)
    ):
        raise SettingsError(
            f"{shown} must be host names without a port, such as play.example.org,club.example."
        )
    is_host = setting.name in ("host", "metrics_host")
    if is_host and (not text or any(char in text for char in "/ @")):
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


def _page_of_others(text: str, shown: str) -> str:
    try:
        parts = urlsplit(text)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and " " not in text
    except ValueError:
        good = False
    if not good:
        raise SettingsError(
            f"{shown} must be a page’s address, such as https://club.example/imprint."
        )
    return text


def _networks(text: str, shown: str) -> str:
    for each in _listed(text):
        try:
            ip_network(each)
        except ValueError as error:
            raise SettingsError(
                f"{shown} must be addresses or networks, such as 127.0.0.1,10.0.0.0/8."
            ) from error
    return text
