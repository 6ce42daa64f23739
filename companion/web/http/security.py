"""The device that makes a request, and whether the request comes from our own pages.

A device is its cookie: 128 random bits, of which only the SHA-256 is kept. A form is accepted from
our own pages only: the browser says in Sec-Fetch-Site, in Origin or (on old phones) in Referer
where the form comes from. A client that sends none of the three is no browser and has no cookie
with it. The program answers under its own host names only, against DNS rebinding: a foreign name
that is resolved to our address would make its pages same-origin.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address
from typing import Any, cast
from urllib.parse import SplitResult, urlsplit

from flask import Flask, Response, abort, current_app, g, request
from werkzeug.wrappers import Response as BaseResponse

from companion.settings import Settings
from companion.tables.model import Device
from companion.web.http.assets import YEAR_S

DEVICES_SHARED = 4096

PARTS_MAX = 40

FIELDS_MAX = 200
"""Of a form that is no file: more than any of ours has, and each takes time to read."""

CSP = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Robots-Tag": "noindex",
}

OVER_HTTPS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
"""What browsers heed there alone: elsewhere they complain of the one, and give no page what the
other denies."""

LOADED = {
    name: HEADERS[name] for name in ("X-Content-Type-Options", "Cross-Origin-Resource-Policy")
}
"""The headers that matter for styles and scripts."""

_COOKIES = {
    name: re.compile(rf'(?:^|;)[ \t]*{name}="?([A-Za-z0-9_-]{{22}})"?[ \t]*(?=;|$)')
    for name in ("device", "__Host-device")
}


def origins() -> set[tuple[str, str]]:
    """Scheme and host of our own pages: as this request came, and as a proxy in front shows us."""
    return {(request.scheme, request.host.lower()), *_public()}


@dataclass(frozen=True, slots=True)
class Site:
    """Under which addresses this program is reached."""

    settings: Settings
    base: Callable[[], str]
    """The address that phones reach; asked each time, since a laptop may change networks."""


SITE = "companion.site"
"""Of the application's extensions."""


def _site() -> Site:
    return cast(Site, current_app.extensions[SITE])


def _public() -> list[tuple[str, str]]:
    public = urlsplit(_site().settings.public_url)
    return [(public.scheme, public.netloc.lower())] if public.netloc else []


def came_securely(environ: Mapping[str, Any], public_url: str) -> bool:
    """Whether the reader has come by HTTPS, even if the proxy in front forgets to say so."""
    if environ.get("wsgi.url_scheme") == "https":
        return True
    public = urlsplit(public_url)
    return (
        public.scheme == "https" and environ.get("HTTP_HOST", "").lower() == public.netloc.lower()
    )


def secure() -> bool:
    """Of the present request."""
    return came_securely(request.environ, _site().settings.public_url)


def _cookie_name(by_https: bool) -> str:
    """Under HTTPS the prefix forbids that anybody else on the domain sets it."""
    return "__Host-device" if by_https else "device"


def device_key(environ: Mapping[str, Any], public_url: str) -> str | None:
    """The key in the device's cookie; None without one, or with a made-up one. For all who ask: the
    application, and who decides in front of it whom to serve first."""
    name = _cookie_name(came_securely(environ, public_url))
    found = _COOKIES[name].search(environ.get("HTTP_COOKIE", ""))
    return found[1] if found else None


def device_of(environ: Mapping[str, Any], public_url: str) -> Device | None:
    key = device_key(environ, public_url)
    return None if key is None else _with_key(key)


def _with_key(key: str) -> Device:
    return _shared(hashlib.sha256(key.encode()).hexdigest())


@lru_cache(DEVICES_SHARED)
def _shared(device: Device) -> Device:
    """The same object, as long as few others have come since: it is remembered in many places.
    Not interned: anybody can make devices up, and some versions of Python keep what is for ever."""
    return device


def device() -> Device | None:
    """Who is asking; None without the cookie or with a made-up one."""
    return device_of(request.environ, _site().settings.public_url)


def ensure_device() -> Device:
    """The device; it gets its cookie with the answer, a new one or its own for another year."""
    key = device_key(request.environ, _site().settings.public_url)
    key = key or g.get("renew_device") or secrets.token_urlsafe(16)
    g.renew_device = key
    return _with_key(key)


def keep_cookie(response: BaseResponse, cookie: str, value: str) -> None:
    """What the phone is to bring along for a year, and no script can read."""
    response.set_cookie(
        cookie, value, max_age=YEAR_S, secure=secure(), httponly=True, samesite="Lax"
    )


def same_origin() -> bool:
    """Whether what is sent comes from a page of ours."""
    fetch_site = request.headers.get("Sec-Fetch-Site")
    if fetch_site not in (None, "same-origin", "none"):
        return False
    if fetch_site == "same-origin":
        return True
    for name in ("Origin", "Referer"):
        value = request.headers.get(name)
        if value is not None:
            return is_our_address(url_parts(value))
    return True


def is_our_address(parts: SplitResult | None) -> bool:
    """Whether an address leads to pages of ours."""
    return parts is not None and (parts.scheme, parts.netloc.lower()) in origins()


LOCAL_NAMES = (".local", ".localhost", ".lan", ".home.arpa", ".internal")
"""Ends of names that nobody on the internet can have."""


def is_our_host(host: str) -> bool:
    """Whether this is an address or a name of this program, with or without a port."""
    parts = url_parts(f"//{host}")
    if parts is None or not parts.hostname or parts.netloc != host or "@" in host:
        return False
    name = parts.hostname
    if "." not in name or name.endswith(LOCAL_NAMES):
        return True
    try:
        ip_address(name)
    except ValueError:
        site = _site()
        known = {url_parts(each) for each in (site.settings.public_url, site.base())}
        return name in site.settings.host_name_set | {each.hostname for each in known if each}
    return True


def is_network_ip(host: str) -> bool:
    """Whether a host is a number of a network, which may change, and not this machine itself."""
    try:
        return host not in ("127.0.0.1", "::1") and bool(ip_address(host))
    except ValueError:
        return False


def url_parts(sent: str) -> SplitResult | None:
    """The parts of an address that somebody sent; None where it is none, such as "http://["."""
    try:
        return urlsplit(sent)
    except ValueError:
        return None


def local_path(value: str | None, default: str) -> str:
    """A path of this site to go on to, or `default`: never another host."""
    if not value or len(value) > 500 or not value.startswith("/"):
        return default
    if value.startswith("//") or "\\" in value or any(ord(each) < 33 for each in value):
        return default
    return value


FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


def install(app: Flask, settings: Settings, base: Callable[[], str]) -> None:
    app.extensions[SITE] = Site(settings, base)
    body_max = settings.body_kib * 1024
    app.config["MAX_CONTENT_LENGTH"] = body_max
    app.config["MAX_FORM_MEMORY_SIZE"] = body_max
    app.config["MAX_FORM_PARTS"] = PARTS_MAX

    @app.before_request
    def only_from_here() -> None:
        if request.blueprint != "assets" and not is_our_host(request.host):
            abort(421)
        if not request.path.isprintable():
            abort(404)  # no address of ours; it could not even be led on from
        if "Transfer-Encoding" in request.headers and request.content_length is None:
            abort(411)  # no form of a browser comes without its length
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return
        if not same_origin():
            abort(403)
        if request.content_length and request.mimetype not in FORMS:
            abort(415)
        if request.mimetype == FORMS[0] and request.get_data().count(b"&") >= FIELDS_MAX:
            abort(413)

    @app.after_request
    def headers(response: Response) -> Response:
        loaded = response.mimetype in ("text/css", "text/javascript")
        given = {name.lower() for name, _ in response.headers}
        pages = HEADERS | OVER_HTTPS if secure() else HEADERS
        for name, value in (LOADED if loaded else pages).items():
            if name.lower() not in given:
                response.headers.add(name, value)
        if settings.hsts_days and settings.public_url and secure():
            response.headers.setdefault(
                "Strict-Transport-Security", f"max-age={settings.hsts_days * 24 * 3600}"
            )
        response.headers.setdefault("Cache-Control", "no-store")
        key = g.get("renew_device")
        if key is not None:
            keep_cookie(response, _cookie_name(secure()), key)
        return response
