"""Every setting of the program: its name, default, unit, what it does and what it may be.

Read from the environment (``COMPANION_PORT=8080``); options of the command line override. A value
that cannot be used, or a variable that is no setting, is a `SettingsError` with one sentence for
the person who starts the program.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from difflib import get_close_matches
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, Final

from platformdirs import user_data_path

from companion import setting_checks as checks
from companion.setting_checks import Check, listed
from companion.setting_checks import SettingsError as SettingsError

PREFIX: Final = "COMPANION_"
QR: Final = f"{PREFIX}QR"
"""No setting, but a variable: the QR code is printed where there is no terminal, too."""
EVERYWHERE: Final = "::"
"""Every address, of IPv4 too."""
NAME_MAX: Final = 24
"""Characters of a name that a game record can hold; as `games.fields` has it, which settings do not
import."""
NO_NAME: Final = "off"
ABOUT: Final = "about"


def needs_shared(missing: ImportError) -> str:
    """
    >>> needs_shared(ImportError("No module named 'redis'"))[:66]
    "to share a database, more is needed (No module named 'redis'): ins"
    """
    return (
        f"to share a database, more is needed ({missing}): install requirements/shared.txt beside "
        "the program’s wheel, as docs/scale.md says"
    )


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a setting beside its name and its default."""

    help: str
    metavar: str
    """What stands for its value in the help."""
    nargs: int = 1
    """Values of its option; in the variable they have commas between them."""
    check: Check = checks.anything
    """Of a text."""
    low: int = 0
    high: int = 0
    """Of a number: the least and the greatest that it may be."""
    unit: str = ""


def about(setting: Field[Any]) -> About:
    found: About = setting.metadata[ABOUT]
    return found


def _text(
    usual: str, help: str, *, check: Check = checks.anything, metavar: str = "TEXT", nargs: int = 1
) -> str:
    known = About(help, metavar, nargs, check)
    return field(default=usual, metadata={ABOUT: known})


def _number(usual: int, help: str, low: int, high: int, unit: str = "") -> int:
    known = About(help, "NUMBER", low=low, high=high, unit=unit)
    return field(default=usual, metadata={ABOUT: known})


def default_data() -> Path:
    """Where a user's data lie on this system."""
    return user_data_path("companion", appauthor=False)


@dataclass(frozen=True, slots=True)
class Settings:
    host: str = _text(
        EVERYWHERE,
        "Address to listen on; 127.0.0.1 for this machine only, :: for all of IPv6 and IPv4.",
        check=checks.host,
        metavar="ADDRESS",
    )
    port: int = _number(
        8000, "Port to listen on; without a public address the next free one will do.", 0, 65535
    )
    data: Path = field(
        default_factory=default_data,
        metadata={ABOUT: About("Folder for the tables and the secret key.", metavar="FOLDER")},
    )
    database: str = _text(
        "",
        "Database that several processes share, in the place of the folder: "
        "postgresql://user:password@host/name. Better given in the variable, since the list of "
        "processes shows it.",
        check=checks.beginning(*checks.POSTGRESQL),
        metavar="URL",
    )
    bus: str = _text(
        "",
        "Redis or Valkey by which these processes wake each other's phones: redis://host:6379.",
        check=checks.beginning("redis://", "rediss://"),
        metavar="URL",
    )
    public_url: str = _text(
        "",
        "Address under which phones reach the program, where it is not this machine's own: behind a"
        " proxy, or one that stays.",
        check=checks.public_url,
        metavar="URL",
    )
    local_name: str = _text(
        "companion",
        "Name, before .local, that phones in the same network can type; off: none is announced.",
        check=checks.local_name,
    )
    host_names: str = _text(
        "",
        "More names under which it is reached, with commas between them.",
        check=checks.host_names,
    )
    trusted_proxies: str = _text(
        "127.0.0.1,::1",
        "Addresses or networks of the proxy in front, with commas between them.",
        check=checks.networks,
    )
    forwarded_headers: str = _text(
        "for",
        "What of X-Forwarded-For, -Proto and -Host the proxy writes itself: for,proto,host.",
        check=checks.forwarded_headers,
    )
    tls: str = _text(
        "",
        "Certificate and key, two PEM files, to serve HTTPS without a proxy; they are read "
        "again when they change. In the variable with a comma between them.",
        check=checks.two_files,
        metavar="CERTIFICATE KEY",
        nargs=2,
    )
    hsts_days: int = _number(
        365, "How long browsers keep to HTTPS once they have come by it.", 0, 3650, "days"
    )
    secret_key: str = _text(
        "",
        "Key that the database is encrypted and links are made with: with another one nothing "
        "can be read. Whoever guesses it can work out roles, so take 32 random characters or "
        "more. Else one is made, and kept in the data folder.",
        check=checks.secret_key,
    )
    secret_key_file: str = _text(
        "",
        "File with that key, which then shows in no list of processes: a line of text, or the "
        "secret.key of a data folder.",
        metavar="FILE",
    )
    metrics_port: int = _number(0, "Port with figures for Prometheus; 0: there are none.", 0, 65535)
    metrics_host: str = _text(
        "127.0.0.1",
        "Address to listen on with these figures; anybody there can read them.",
        check=checks.host,
        metavar="ADDRESS",
    )
    log_format: str = _text(
        "text",
        "How the log is written: text, or a JSON object a line (json).",
        check=checks.one_of("text", "json"),
    )
    operator: str = _text(
        "", "Who runs the program, for its page on privacy; else that is whoever opened the table."
    )
    contact: str = _text("", "How to reach them: an e-mail address, a page's address or a number.")
    notices_url: str = _text(
        "",
        "Page with their own notices (privacy, imprint), which the foot of pages leads to, too.",
        check=checks.page_of_others,
        metavar="URL",
    )
    unused_days: int = _number(
        30, "Tables that nobody has used for this long are deleted.", 1, 3650, "days"
    )
    host_gone_s: int = _number(
        120, "How long the host's device is away before others may take over.", 5, 86400, "seconds"
    )
    end_wait_s: int = _number(
        10,
        "How long anybody can stop an end of a round or a game that turns secrets over, where "
        "three phones or more play; 0: it counts at once.",
        0,
        600,
        "seconds",
    )
    offer_s: int = _number(
        300, "How long a seat is offered to another phone.", 30, 86400, "seconds"
    )
    body_kib: int = _number(64, "Largest request that is read.", 1, 1024, "KiB")
    head_kib: int = _number(16, "Largest head of a request, its headers together.", 4, 64, "KiB")
    head_s: int = _number(
        20, "How long the head of a request may take to arrive.", 1, 300, "seconds"
    )
    body_s: int = _number(
        30, "How long the body of a request may take to arrive.", 1, 300, "seconds"
    )
    silent_s: int = _number(
        75, "How long a connection may say nothing, or take nothing.", 1, 3600, "seconds"
    )
    unasked_s: int = _number(
        10, "How long a new connection may wait with its first request.", 1, 300, "seconds"
    )
    dead_s: int = _number(
        30, "How long a phone may leave unanswered what it was sent.", 5, 3600, "seconds"
    )
    unread_kib: int = _number(
        128,
        "What the system keeps for a phone that does not read; of larger answers, 32 MiB at most "
        "wait for all phones together.",
        16,
        4096,
        "KiB",
    )
    tables_per_hour: int = _number(
        30, "Tables that one address may open in an hour.", 1, 10**6, "tables"
    )
    codes_per_minute: int = _number(
        10,
        "Wrong codes of one address in a minute; in an hour, six times as many.",
        1,
        10**6,
        "codes",
    )
    events_per_table: int = _number(
        20_000, "Events of one table that are kept; then it takes no more.", 1000, 10**6, "events"
    )
    mib_per_host: int = _number(
        256,
        "What the tables of one host may take on the disk; then they take no more.",
        1,
        10**6,
        "MiB",
    )
    mib_in_all: int = _number(
        4096,
        "What all tables may take on the disk; the fuller it is, the less one table may take; no "
        "new ones are opened from nine tenths of it. The log warns at 80 % and at 95 %.",
        10,
        10**7,
        "MiB",
    )
    dear_per_minute: int = _number(
        60,
        "Pages that take long to make (records, replays, searches) for one address in a minute.",
        1,
        10**6,
        "pages",
    )
    joins_per_minute: int = _number(
        30,
        "Names that one address, or one phone with a seat, may give to seats of one table, and "
        "seats there that it may take over, in a minute.",
        1,
        10**6,
        "names",
    )
    name_max: int = _number(NAME_MAX, "Longest name of a player.", 6, NAME_MAX, "characters")
    forms_per_minute: int = _number(
        120,
        "Forms of one device that are taken in a minute; a sixth may be undone before it waits.",
        10,
        10**6,
        "forms",
    )
    requests_per_minute: int = _number(
        1200,
        "Requests of one address in a minute; a phone that plays has three for each of its forms.",
        10,
        10**7,
        "requests",
    )
    streams_per_device: int = _number(
        8,
        "Pages of one device that may follow a table; one more ends the oldest.",
        1,
        1000,
        "streams",
    )
    streams_per_address: int = _number(
        200, "Pages of one address that may follow a table at once.", 1, 10**6, "streams"
    )
    streams_per_table: int = _number(
        60, "Pages that may follow one table at once.", 12, 10**6, "streams"
    )
    streams: int = _number(2000, "Pages that may follow tables at once.", 1, 10**6, "streams")
    connections_per_address: int = _number(
        200, "Connections of one address beside its streams.", 1, 10**6, "connections"
    )
    connections: int = _number(
        2000, "Connections in all beside the streams.", 10, 10**6, "connections"
    )
    tables_in_memory: int = _number(
        2000, "Tables held in memory; others are read when asked for.", 1, 10**6, "tables"
    )

    @property
    def host_name_set(self) -> frozenset[str]:
        """`host_names`, each by itself, in small letters."""
        return frozenset(each.lower() for each in listed(self.host_names))

    @property
    def tls_files(self) -> tuple[Path, Path] | None:
        """`tls`, each as a file."""
        if not self.tls:
            return None
        certificate, key = (checks.path(each) for each in listed(self.tls))
        return certificate, key

    @property
    def proxies(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """`trusted_proxies`, each as a network."""
        return tuple(ip_network(each) for each in listed(self.trusted_proxies))


def default(setting: Field[Any]) -> Any:
    """The default value of a setting."""
    return setting.default if setting.default is not MISSING else default_data()


def read(environ: Mapping[str, str] | None = None, /, **options: Any) -> Settings:
    """The settings from the environment, overridden by the options that are not None.

    >>> read({"COMPANION_PORT": "8080"}, host=None).port
    8080
    >>> read({"COMPANION_PORT": "many"})
    Traceback (most recent call last):
    companion.setting_checks.SettingsError: COMPANION_PORT must be a whole number from 0 to 65535.
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
        path = checks.path(found["secret_key_file"])
        found["secret_key_file"] = str(path)
        found["secret_key"] = checks.secret_key_in(path)
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


def _checked(setting: Field[Any], value: Any, shown: str) -> Any:
    known = about(setting)
    match default(setting):
        case int():
            return checks.whole_number(str(value), shown, known.low, known.high)
        case Path():
            return checks.path(value)
    return known.check(checks.printable(str(value), shown), shown)
