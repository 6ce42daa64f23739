"""The drawings of a page: it has those that it shows, and its script brings the rest of its files.

A file of `static/symbols/` has a drawing a line, named by its id: `<use href="#lamp"/>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from markupsafe import Markup

from companion.web.http.assets import Assets

_DRAWING: Final = re.compile(r'<\w+ id="([\w-]+)"')
_USE: Final = re.compile(r'href="#([\w-]+)"')


class Drawings:
    def __init__(self, assets: Assets) -> None:
        self._assets = assets
        self._of = cache(self._read)

    def address(self, files: Iterable[str]) -> str:
        """The address of all drawings of these files."""
        return self._assets.url(*(f"symbols/{name}.svg" for name in files))

    def all(self, files: Iterable[str]) -> Markup:
        """Where those that are shown would tell something by their size."""
        return Markup("\n".join(self._of(tuple(files)).values()))  # noqa: S704 - our own files

    def shown(self, files: Iterable[str], html: str) -> Markup:
        """Those that `html` names, and those that these name, in the order of the files."""
        drawings = self._of(tuple(files))
        wanted: set[str] = set()
        found = set(_USE.findall(html)) & drawings.keys()
        while found:
            wanted |= found
            found = {use for each in found for use in _USE.findall(drawings[each])}
            found = found & drawings.keys() - wanted
        lines = (line for name, line in drawings.items() if name in wanted)
        return Markup("\n".join(lines))  # noqa: S704 - our own files

    def _read(self, files: tuple[str, ...]) -> dict[str, str]:
        """By id; of two with the same one, the first."""
        text = "".join(self._assets.unpacked(f"symbols/{name}.svg").decode() for name in files)
        drawings: dict[str, str] = {}
        for line in text.splitlines():
            name = _DRAWING.match(line)
            assert name is not None, line
            drawings.setdefault(name[1], line)
        return drawings
