"""Who asks for a page of a table, and for which."""

from __future__ import annotations

from companion.tables.model import Device, SeatId, Table
from companion.values import Value

PAGES = {
    "seat": "",
    "screen": "/screen",
    "qr": "/qr",
    "report": "/report",
    "host": "/host",
    "myseat": "/seat",
}
"""Pages of a table: name and address under /t/<id>."""


class Asking(Value, frozen=True):
    """A device that belongs to a table, and which page it has or wants."""

    table: Table
    device: Device | None  # None: a table screen that came by the join link
    page: str
    seat: SeatId | None = None
    dealt: str = ""  # for which deal a phone with several seats chose that one
    key: str = ""  # of the join link that it came by

    def at(self, table: Table) -> Asking:
        """The same, of the table as it is now."""
        return Asking(table, self.device, self.page, self.seat, self.dealt, self.key)

    @property
    def path(self) -> str:
        if self.device is None:
            return f"/j/{self.key}/screen"
        path = f"/t/{self.table.id}{PAGES[self.page]}"
        return f"{path}?seat={self.seat}" if self.seat is not None else path

    @property
    def live(self) -> str:
        if self.device is None:
            return f"/j/{self.key}/live"
        seat = f"&seat={self.seat}" if self.seat is not None else ""
        dealt = f"&dealt={self.dealt}" if self.dealt else ""
        return f"/t/{self.table.id}/live?page={self.page}{seat}{dealt}"

    @property
    def seat_query(self) -> str:
        """For addresses on a page that is about one of several seats; as HTML."""
        several = self.device is not None and len(self.table.held_in_play(self.device)) > 1
        return f"&amp;seat={self.seat}" if several and self.seat is not None else ""
