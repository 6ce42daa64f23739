"""Who asks for a page of a table, and for which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal
from urllib.parse import urlencode

from msgspec.structs import replace

from companion.tables.model import Device, SeatId, Table
from companion.values import Value

PageName = Literal["table", "screen", "qr", "report", "host", "seat"]

PAGES: Final[dict[PageName, str]] = {
    "table": "",
    "screen": "/screen",
    "qr": "/qr",
    "report": "/report",
    "host": "/host",
    "seat": "/seat",
}
"""Pages of a table: name and address under /t/<id>."""

STREAMS: Final[dict[str, PageName]] = {
    "seat": "table",
    "screen": "screen",
    "qr": "qr",
    "report": "report",
    "host": "host",
    "myseat": "seat",
}
"""The names by which their streams are asked for, which stay as they are: phones ask for them with
what they loaded from another version, of which processes may also serve beside this one."""

_STREAM_OF: Final = {page: name for name, page in STREAMS.items()}

OPENED = (
    *("/qr", "/report", "/host", "/seat", "/replay", "/story", "/fair", "/take", "/games"),
    "/next",  # which answers where that table is closed
)
"""What opens on a table screen, too, where its address says so: addresses under /t/<id>. A seat's
own page is its player's, wherever it was opened, with all that opens on it."""


def address_of(folder: str, from_screen: bool, name: str, **fields: int | str) -> str:
    """The address of a page beside the table; `from_screen`: opened on a table screen, and leads
    back there."""
    query = {"screen": 1, **fields} if from_screen else fields
    return f"{folder}/{name}?{urlencode(query)}" if query else f"{folder}/{name}"


def is_from_screen(asked: Mapping[str, str]) -> bool:
    """Whether an address or a form says that it was opened on a table screen."""
    return asked.get("screen") == "1"


def home(screen: bool) -> str:
    """The address of the home page; `screen`: what is opened from there is a table screen."""
    return "/?screen=1" if screen else "/"


class Asking(Value, frozen=True):
    """A device that belongs to a table, and which page it has or wants."""

    table: Table
    device: Device | None  # None: a table screen that came by the join link
    page: PageName
    seat: SeatId | None = None
    dealt: str = ""  # for which deal a phone with several seats chose that one, or reports an end
    key: str = ""  # of the join link that it came by
    from_screen: bool = False  # it was opened on the table screen, and leads back there

    def at(self, table: Table) -> Asking:
        """The same, of the table as it is now."""
        return replace(self, table=table)

    @property
    def on_screen(self) -> bool:
        """Whether it is a table screen, or opened on one, and has its language."""
        return self.page == "screen" or (self.from_screen and PAGES[self.page] in OPENED)

    @property
    def opens_from_screen(self) -> bool:
        """Whether what is opened from it says that it was on the table screen; by the join link
        there is nothing else."""
        return self.on_screen and self.device is not None

    @property
    def folder(self) -> str:
        """The address under which its pages lie."""
        return f"/j/{self.key}" if self.device is None else f"/t/{self.table.id}"

    def address_of(self, name: str, **fields: int | str) -> str:
        return address_of(self.folder, self.opens_from_screen, name, **fields)

    @property
    def home(self) -> str:
        """The address of the home page, as opened from it."""
        return home(self.opens_from_screen)

    @property
    def path(self) -> str:
        if self.device is None:
            return f"{self.folder}/screen"
        dealt = self.dealt if self.page == "report" else ""
        query = "&".join(self._query(dealt))
        return f"/t/{self.table.id}{PAGES[self.page]}{'?' if query else ''}{query}"

    @property
    def live(self) -> str:
        if self.device is None:
            return f"{self.folder}/live"
        query = "&".join((f"page={_STREAM_OF[self.page]}", *self._query(self.dealt)))
        return f"/t/{self.table.id}/live?{query}"

    def _query(self, dealt: str) -> Iterator[str]:
        if self.seat is not None:
            yield f"seat={self.seat}"
        if dealt:
            yield f"dealt={dealt}"
        if self.from_screen:
            yield "screen=1"

    @property
    def seat_query(self) -> str:
        """For addresses of what opens on a page that is about one of several seats, or was opened
        on the table screen; as HTML."""
        held = self.table.held_in_play(self.device) if self.device is not None else ()
        several = any(seat.id != self.seat for seat in held)
        seat = f"&amp;seat={self.seat}" if several and self.seat is not None else ""
        return f"{seat}&amp;screen=1" if self.from_screen else seat
