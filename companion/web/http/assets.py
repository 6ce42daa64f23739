"""Styles, scripts and drawings: read, minified and compressed once, cached for ever under one hash.

The whole folder has one hash, so that files can name each other by relative addresses.
"""

from __future__ import annotations

import hashlib
import mimetypes
import re
import threading
from collections import OrderedDict
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

import zopfli.gzip
from flask import Blueprint, Response, abort, g, redirect, request
from werkzeug.exceptions import TooManyRequests
from werkzeug.wrappers import Response as BaseResponse

from companion.compiled import compiled
from companion.web.http.limits import Limits, group
from companion.web.http.modules import scopes
from companion.web.http.priority import in_background, waiting
from companion.web.http.shorten import shortened

try:
    import rcssmin
except ImportError:  # it would have to be compiled on Windows and macOS
    rcssmin = None

ROOT = Path(__file__).resolve().parents[1] / "static"

_VALUE = re.compile(r":[^{};]+(?=[;}])")
_SELECTOR = re.compile(r"(?<=[{}])[^@{};]+(?=\{)")


def _styles(text: str) -> str:
    """Without comments and needless spaces, and without what the formatter puts in for the reader:
    the zero of 0.5, and the spaces and quotes that have no meaning."""
    if rcssmin is None:
        return text

    def value(found: re.Match[str]) -> str:
        return re.sub(r" ?([*/]) ?", r"\1", re.sub(r"(?<![\w.])0(?=\.\d)", "", found[0]))

    def selector(found: re.Match[str]) -> str:
        return re.sub(r'(?<==)"([a-z][a-z-]*)"', r"\1", re.sub(r" ?([+~]) ?", r"\1", found[0]))

    return _SELECTOR.sub(selector, _VALUE.sub(value, rcssmin.cssmin(text)))


_PACKED = {".css", ".js", ".svg", ".txt"}

_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}

JOIN = "+"
JOINED_MAX = 20
"""Files in one."""

OTHERS_BYTES = 2 << 20
"""Size of the cache of joined files that no page has asked for."""

YEAR_S = 365 * 24 * 3600


class Assets:
    """The folder as it was when the program started."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        names = sorted(
            str(path.relative_to(root).as_posix()) for path in root.rglob("*") if path.is_file()
        )
        self._names = dict.fromkeys(names)
        digest = hashlib.sha256()
        for name in self._names:
            digest.update(name.encode() + b"\0" + (root / name).read_bytes() + b"\0")
        self.hash = digest.hexdigest()[:10]
        self._asked_by_pages: set[str] = set()
        self._plain: dict[str, bytes] = {}
        self._joined: dict[str, bytes] = {}
        self._others: OrderedDict[str, bytes] = OrderedDict()
        """What no page of this process has joined, but perhaps one of another process or from
        before a start; the longest unused make room."""
        self._packed: dict[str, bytes] = {}
        self._packing = threading.Lock()

    def __contains__(self, name: str) -> bool:
        return name in self._names or self._is_joined(name)

    def _is_joined(self, name: str) -> bool:
        """What pages ask for in one: "app.css+play.css"."""
        parts = name.split(JOIN)
        known = all(part in self._names for part in parts)
        alike = {Path(part).suffix for part in parts} in ({".css"}, {".js"}, {".svg"})
        return known and alike and 1 < len(set(parts)) == len(parts) <= JOINED_MAX

    def url(self, *names: str) -> str:
        """For templates: ``asset("app.css")``; several styles, scripts or drawings are loaded as
        one."""
        name = JOIN.join(names)
        if name not in self._asked_by_pages:
            if name not in self:
                raise LookupError(f"no such asset: {name}")
            self._asked_by_pages.add(name)
        return f"/static/{self.hash}/{name}"

    def unpacked(self, name: str) -> bytes:
        if name in self._joined:
            return self._joined[name]
        if name in self._others:
            self._others.move_to_end(name)
            return self._others[name]
        if not self._is_joined(name):
            return self._short(name)
        body = self._join(name)
        if name in self._asked_by_pages:
            self._joined[name] = body
        else:
            self._others[name] = body
            while sum(map(len, self._others.values())) > OTHERS_BYTES:
                self._others.popitem(last=False)
        return body

    def is_dear(self, name: str) -> bool:
        """Whether it has to be joined first, and only because somebody asks so."""
        known = name in self._asked_by_pages or name in self._others
        return not known and self._is_joined(name)

    def _join(self, name: str) -> bytes:
        parts = name.split(JOIN)
        if not name.endswith(".js"):
            return b"".join(map(self._short, parts))
        each = scopes(parts, self._text)
        return ";\n".join(self._scripts.get(f"{JOIN}{part}", each[part]) for part in each).encode()

    def _text(self, name: str) -> str:
        return (self.root / name).read_text(encoding="utf-8")

    def _short(self, name: str) -> bytes:
        if name not in self._plain:
            if name.endswith(".css"):
                self._plain[name] = _styles(self._text(name)).encode()
            elif name.endswith(".js") and name in self._scripts:
                self._plain[name] = self._scripts[name].encode()
            else:
                self._plain[name] = (self.root / name).read_bytes()
        return self._plain[name]

    @cached_property
    def _scripts(self) -> Mapping[str, str]:
        """By name; as a part of a joined one by "+" and the name. What comes minified stays as it
        is."""
        ours = [name for name in self._names if name.endswith(".js") and ".min." not in name]
        parts = scopes(ours, self._text)
        return shortened(
            {name: self._text(name) for name in ours}
            | {f"{JOIN}{name}": text for name, text in parts.items()}
        )

    def packed(self, name: str) -> bytes | None:
        """Compressed as tightly as gzip can be, where that pays, and kept for the next start. A
        stranger may ask for styles together that no page does, and they are sent as they are."""
        if Path(name).suffix not in _PACKED or (
            self._is_joined(name) and name not in self._asked_by_pages
        ):
            return None
        if name not in self._packed:
            self._pack(name, self.unpacked(name))
        return self._packed[name]

    def _pack(self, name: str, plain: bytes) -> None:
        """One after the other: it takes up to half a second, in which all others are served."""
        kept_as = f"{hashlib.sha256(name.encode()).hexdigest()}.gz"  # joined names can be long
        with waiting(), self._packing:
            if name not in self._packed:
                self._packed[name] = compiled(
                    plain, kept_as, lambda text: in_background(zopfli.gzip.compress, text)
                )


def blueprint(assets: Assets, limits: Limits) -> Blueprint:
    """Their addresses. `limits` count who asks for what has to be made first."""
    made = Blueprint("assets", __name__)

    @made.get("/static/<hash_>/<path:name>")
    def static(hash_: str, name: str) -> Response:
        if name not in assets:
            abort(404)
        if assets.is_dear(name):
            _count_dear(limits)
        return _answer(assets, name, immutable=hash_ == assets.hash)

    @made.get("/favicon.ico")
    def favicon() -> BaseResponse:
        return redirect(assets.url("icon.svg"), 302)

    @made.get("/robots.txt")
    def robots() -> Response:
        return Response("User-agent: *\nDisallow: /\n", content_type="text/plain; charset=utf-8")

    return made


def _count_dear(limits: Limits) -> None:
    """As of pages that take long to make."""
    who = group(request.remote_addr)
    if not limits.hit("dear", who):
        g.limit_hit = "dear"
        raise TooManyRequests(retry_after=limits.wait_s("dear", who))


def _answer(assets: Assets, name: str, *, immutable: bool) -> Response:
    body = assets.unpacked(name)
    response = Response()
    packed = assets.packed(name)
    if packed is not None:
        response.vary.add("Accept-Encoding")
        if request.accept_encodings.quality("gzip") > 0:
            body = packed
            response.content_encoding = "gzip"
    response.set_data(body)
    response.content_type = (
        _TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    )
    if immutable:
        response.headers["Cache-Control"] = f"max-age={YEAR_S}, immutable"
    else:  # a page from before an update: give it what there is, but keep nothing
        response.headers["Cache-Control"] = "no-cache"
    return response
