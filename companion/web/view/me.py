"""The phone that a page is for: its seats, what it has sent, and how it sees the table."""

from __future__ import annotations

from companion.games.game import Reason
from companion.tables.model import Device, SeatId
from companion.values import Value
from companion.web.html.panels import View
from companion.web.view.asking import address_of
from companion.web.view.models import (
    FairLine,
    OtherGame,
    Reach,
    RefusalView,
    SeatName,
    SeatOfferView,
    Typed,
)


class Me(Value, frozen=True, cache_hash=True):
    """The phone that a page is for, and what is on this page alone: the same value while others
    play. How the table stands is told beside it, by a `Moment`."""

    device: Device | None  # None: a table screen that came by the join link
    seats: tuple[SeatName, ...]  # on this phone
    held_in_play: tuple[SeatName, ...]  # those of them that have a part in the game that is on
    seat: SeatId | None  # the one that the page is about, where the phone has chosen
    folder: str  # address under which its pages lie, with a mark for the table's id
    path: str  # address of the page, with that mark
    opens_from_screen: bool  # what is opened from it says that it was on the table screen
    quarters: int  # quarter turns of its view
    turned: bool  # its player has said so, or need not
    hosts: bool
    reach: Reach
    fair: FairLine | None
    refusal: RefusalView | None
    typed: Typed  # what a refused form had
    offer: SeatOfferView | None
    codes: tuple[tuple[SeatId, str], ...]  # of freed seats, for the host
    screen_code: str  # that lends the table screen, once this phone has asked for it
    sheet: View | None  # the game's own: opened over the page
    dealt: str  # for which deal the seat was chosen, or an end is reported
    from_screen: bool  # the page was opened on the table screen, and leads back there
    seat_lost: Reason | None  # why it sees no page but an end that waits
    end_left_s: int  # in which an end that was told can still be stopped
    other_games: tuple[OtherGame, ...]  # for the host

    def address_of(self, name: str, **fields: int | str) -> str:
        """The address of a page beside the table, as opened from this one."""
        return address_of(self.folder, self.opens_from_screen, name, **fields)

    def host_page(self, name: str = "host") -> str:
        """The address of "host" or "report", for a device that hosts, else empty. They lead back to
        the table screen also from a seat's page that was opened there."""
        if not self.hosts:
            return ""
        return address_of(self.folder, self.opens_from_screen or self.from_screen, name)

    @property
    def several(self) -> bool:
        """Whether the page says which seat it is about, and asks where none is chosen."""
        return len(self.held_in_play) > 1 or (bool(self.held_in_play) and self.gone)

    @property
    def gone(self) -> bool:
        """The seat that was chosen has left this phone. Its player may still hold it, so the page
        does not turn to another seat by itself."""
        return self.seat is not None and all(seat.id != self.seat for seat in self.seats)

    @property
    def chosen(self) -> SeatName | None:
        """The seat that the page is about: of several the one that was chosen."""
        return self.one_of(self.held_in_play)

    @property
    def you(self) -> SeatId | None:
        """Whom this page may call “you”: the one player that its phone plays for."""
        return self.chosen.id if self.chosen is not None and not self.several else None

    def one_of(self, seats: tuple[SeatName, ...]) -> SeatName | None:
        for seat in seats:
            if seat.id == self.seat:
                return seat
        return seats[0] if len(seats) == 1 and not self.gone else None

    def named(self, seat: SeatName | None) -> SeatName | None:
        """A seat of this phone, where it has to be told apart from others. What a phone with one
        seat shows is alike for all of them."""
        return seat if self.several else None

    @property
    def waits(self) -> bool:
        """It has sat down while a game is on, and plays from the next one."""
        return bool(self.seats) and not self.held_in_play and not self.hosts
