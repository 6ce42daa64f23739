"""A phone's address behind a proxy: the trusted proxy's header is believed, and nobody else's."""

from __future__ import annotations

import logging
from collections.abc import Container, Sequence
from ipaddress import IPv4Network, IPv6Network
from typing import Any

from werkzeug.middleware.proxy_fix import ProxyFix

from companion.web.http.ip import bare

log = logging.getLogger("companion.web")

Networks = Sequence[IPv4Network | IPv6Network]


def among(address: str, networks: Networks) -> bool:
    """Whether `address` is in one of the networks; IPv4 within IPv6 counts as IPv4."""
    found = bare(address)
    return found is not None and any(found in each for each in networks)


class FromProxy:
    """Believes X-Forwarded-For where the connection comes from a trusted proxy."""

    def __init__(self, app: Any, trusted: Networks, scheme: str, headers: Container[str]) -> None:
        """`scheme`: of the public address, by which phones come to the proxy. `headers`: what of
        X-Forwarded-… the proxy writes itself ("for", "proto", "host"): many pass on what the phone
        has sent of the rest."""
        self._plain = app
        self._scheme = scheme
        self._believing = ProxyFix(
            app, x_for=1, x_proto=int("proto" in headers), x_host=int("host" in headers)
        )
        self._trusted = trusted
        self._told = False

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        if among(environ.get("REMOTE_ADDR", ""), self._trusted):
            if "HTTP_X_FORWARDED_FOR" in environ:  # else it is this machine's own browser
                environ["wsgi.url_scheme"] = self._scheme
            return self._believing(environ, start_response)
        if "HTTP_X_FORWARDED_FOR" in environ and not self._told:
            self._told = True
            log.warning(
                "%s speaks for others but is not among the trusted proxies",
                environ.get("REMOTE_ADDR", ""),
            )
        return self._plain(environ, start_response)
