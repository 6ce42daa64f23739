"""QR codes: as one SVG path for pages, and as blocks for a terminal.

Always dark on light with four quiet modules, whatever the page's colours are: scanners need it.
"""

from __future__ import annotations

from functools import lru_cache

import qrcode
from markupsafe import Markup
from qrcode.constants import ERROR_CORRECT_M

QUIET = 4
"""Modules of empty border that the standard asks for."""


def _modules(text: str) -> list[list[bool]]:
    code = qrcode.QRCode(border=QUIET, error_correction=ERROR_CORRECT_M)
    code.add_data(text)
    code.make(fit=True)
    return [[bool(module) for module in row] for row in code.get_matrix()]


@lru_cache(maxsize=256)
def svg(text: str) -> Markup:
    """One path of horizontal runs: small, and without gaps between modules."""
    rows = _modules(text)
    size = len(rows)
    path: list[str] = []
    for y, row in enumerate(rows):
        x = 0
        while x < size:
            start = x
            while x < size and row[x]:
                x += 1
            if x > start:
                path.append(f"M{start} {y}h{x - start}v1H{start}z")
            x += 1
    return Markup(  # noqa: S704 - nothing but numbers goes in
        f'<svg class="qr" viewBox="0 0 {size} {size}" shape-rendering="crispEdges" '
        'aria-hidden="true" focusable="false">'
        f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/>'
        f'<path fill="#000" d="{"".join(path)}"/></svg>'
    )


def blocks(text: str) -> str:
    """Two rows of modules a line, light ones printed: for terminals of any colours."""
    rows = _modules(text)
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    glyphs = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    return "\n".join(
        "".join(glyphs[upper, lower] for upper, lower in zip(above, below, strict=True))
        for above, below in zip(rows[::2], rows[1::2], strict=True)
    )


def wifi(name: str, password: str) -> str:
    """What a phone's camera understands as "join this network"."""

    def escaped(text: str) -> str:
        return "".join("\\" + each if each in '\\;,:"' else each for each in text)

    if not password:
        return f"WIFI:T:nopass;S:{escaped(name)};;"
    return f"WIFI:T:WPA;S:{escaped(name)};P:{escaped(password)};;"
