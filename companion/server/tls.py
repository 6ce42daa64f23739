"""HTTPS without a proxy: a certificate and its key in two files, read again when they change."""

from __future__ import annotations

import logging
import re
import socket
import ssl
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from gevent.ssl import SSLContext

from companion.settings import SettingsError

log = logging.getLogger("companion.server")

HANDSHAKE: Final = b"\x16"
"""The first byte of TLS; what begins otherwise is plain HTTP."""

ASKED: Final = re.compile(
    rb"(?:GET|HEAD) (/[^\s]*) HTTP/1\.[01]\r\n(?:.*\r\n)*?Host: ([\w.:\[\]-]+)\r", re.I
)
HEAD_MAX: Final = 4096
PLAIN: Final = "/?&=%~+,:;@!$()*-._"
"""What an address may hold as it stands."""


class UnfitError(ValueError):
    """A certificate that can be read, and that no browser would take."""


class Tls:
    """What the connections of a server are wrapped in."""

    def __init__(self, certificate: Path, key: Path) -> None:
        self._files = (certificate, key)
        self._context: Any = None
        self._stamps: list[tuple[int, int]] = []
        self.names: tuple[str, ...] = ()
        """That the certificate is for."""
        try:
            self._read()
        except (OSError, ValueError) as error:
            raise SettingsError(
                f"{certificate} and {key} cannot be used: {_why(error)}."
            ) from error

    def renew(self) -> bool:
        """Whether the files are others than before; what they have is for connections from now
        on. A bad pair changes nothing."""
        try:
            now = self._now()
        except OSError:
            return False  # they are just being replaced
        if self._stamps == now:
            return False
        self._stamps = now
        try:
            self._read()
        except (OSError, ValueError) as error:
            log.warning("the certificate stays as it was: %s", _why(error))
            return False
        return True

    def wrapped(self, sock: Any) -> Any:
        return self._context.wrap_socket(sock, server_side=True)

    def _now(self) -> list[tuple[int, int]]:
        return [(stat.st_mtime_ns, stat.st_size) for stat in (each.stat() for each in self._files)]

    def _read(self) -> None:
        stamps = self._now()
        names = _names(self._files[0].read_bytes())
        context: Any = SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(*self._files, password=lambda: "")  # keeps half of a bad pair
        self._context, self._stamps, self.names = context, stamps, names


def _names(pem: bytes) -> tuple[str, ...]:
    from cryptography import x509  # without TLS nobody needs it

    try:
        extensions = x509.load_pem_x509_certificate(pem).extensions
        found = extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    except (x509.DuplicateExtension, x509.InvalidVersion, x509.UnsupportedGeneralNameType) as error:
        raise UnfitError("the certificate is not in order") from error
    names = found.get_values_for_type(x509.DNSName)
    return tuple(each for each in names if "*" not in each)


def _why(error: Exception) -> str:
    if isinstance(error, UnfitError):
        return str(error)
    if isinstance(error, ssl.SSLError):
        return "they do not belong together, or the key has a password"
    return getattr(error, "strerror", None) or "the certificate is no PEM file"


def lead_over(sock: Any) -> None:
    """Somebody came by plain HTTP, as browsers do where only the address was typed."""
    asked = ASKED.match(sock.recv(HEAD_MAX))
    if asked is None:
        return
    where = f"https://{asked[2].decode()}{quote(asked[1].decode('latin-1'), safe=PLAIN)}"
    sock.sendall(
        f"HTTP/1.1 307 Temporary Redirect\r\nLocation: {where}\r\nContent-Length: 0\r\n"
        "Connection: close\r\n\r\n".encode()
    )
    sock.shutdown(socket.SHUT_WR)
