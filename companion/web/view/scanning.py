"""The ways to the table: its code, and other addresses."""

from __future__ import annotations

from markupsafe import Markup

from companion.web.html.panels import Panel, View
from companion.web.view.models import Elsewhere, Reach


class ScanView(View, frozen=True):
    """The way to the table, on its screen."""

    template = "panels/scan.html"

    qr: Markup
    address: str
    code: str
    large: bool


class OtherAddressesView(View, frozen=True):
    """Other addresses of the table, for phones that do not reach the one in the code."""

    template = "panels/others.html"

    others: tuple[Elsewhere, ...]
    code: str


def scan(reach: Reach, large: bool) -> ScanView:
    return ScanView(reach.qr, reach.address, reach.code, large)


def other_addresses(reach: Reach) -> Panel:
    return Panel("others", OtherAddressesView(reach.others, reach.code))
