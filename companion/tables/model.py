"""What a table is: its seats, its settings, and the game that lies on it.

A table is one group's sitting. Its state is the fold of its log: commands (`commands`) are judged
by `decide`, what they bring about (`events`) is folded by `evolve`. A device is known only by the
SHA-256 of its cookie's key, in hexadecimal (``Device``); nothing here can be used to act in its
place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from enum import StrEnum
from typing import Any, NewType, TypeVar

from companion.games.fields import UNKNOWN_PLAYER, PlayerIndex, by_player
from companion.games.game import AnyGame
from companion.record.fair import Seals, Shares
from companion.tables.codec import Plain
from companion.values import Value

Device = NewType("Device", str)
"""A phone, laptop or television, by the hash of its cookie's key."""

SeatId = NewType("SeatId", int)
"""Unique and never reused at its table. Not the player's 0-based index in the game."""

SeatPairs = tuple[tuple[SeatId, SeatId], ...]
"""Ids of each one's seat at one table, and at another. As ids are never used again, what was once
known of them holds for ever."""

Of = TypeVar("Of")


class Wifi(Value, frozen=True):
    """The network that guests need first; shown as a second QR code."""

    name: str
    password: str  # empty: an open network


class Seat(Value, frozen=True):
    """A player's place. ``id`` is given once and never again at this table."""

    id: SeatId
    name: str
    device: Device | None  # None: freed by the host, waiting for a phone
    moves: int = 0  # how often the seat went to another phone during its life
    earlier_phones: tuple[Device, ...] = ()  # of its player, until one of them takes it again
    lent: bool = False  # its phone had another seat when it got this one, or hosts and took it over

    @property
    def phones(self) -> tuple[Device, ...]:
        """The phones known to be this player's; the present one last, unless it is only lent."""
        if self.device is None or (self.lent and self.earlier_phones):
            return self.earlier_phones
        return (*self.earlier_phones, self.device)


class Player(Value, frozen=True):
    """Who plays the game on the table, or the last one: a seat as it was when the game began.

    Players stay what they are when seats come and go after the game; so do the standings.
    """

    id: SeatId
    name: str
    signed: str = ""
    """The name at the beginning of the game, by which its deals are drawn and its record is
    written; empty: the same."""

    @property
    def recorded(self) -> str:
        return self.signed or self.name


class Actor(Value, frozen=True):
    """A device that has done something."""

    device: Device
    hosted: bool  # then: the hosting may have changed hands since


def _of(pairs: tuple[tuple[SeatId, Of], ...], seats: Set[SeatId]) -> tuple[tuple[SeatId, Of], ...]:
    return tuple(pair for pair in pairs if pair[0] in seats)


class Handovers(Value, frozen=True):
    """Seats that changed phones, and changes of the host, since a round last ended: secrets may
    have been seen by them. A freed seat that is on no phone of its player's stays listed until
    it is again, however many rounds have been dealt since."""

    moved: tuple[SeatId, ...] = ()
    """Seats, by id, at each change of phones."""
    freed: tuple[tuple[SeatId, Actor], ...] = ()
    """Seats that were freed, by id, each with every host that did it. No name is kept: a host may
    call seats otherwise for a moment."""
    first_phones: tuple[tuple[SeatId, Device], ...] = ()
    """Where the seats that were freed or moved had been before."""
    takers: tuple[tuple[SeatId, Actor | None], ...] = ()
    """Everybody who has taken one of them, but for its own player; None: a phone that had no seat,
    has never hosted and took one that was free."""
    host_moves: int = 0
    """How often the hosting has changed hands."""
    reordered: int = 0
    """How often the players have changed places: a game may share out by them."""
    renamed: tuple[tuple[SeatId, str], ...] = ()
    """Seats that play, each time with the name before: a role or a gain must be nobody else's."""

    def of(self, seats: Set[SeatId]) -> Handovers:
        """What is known of these seats alone."""
        return Handovers(
            tuple(seat for seat in self.moved if seat in seats),
            _of(self.freed, seats),
            _of(self.first_phones, seats),
            _of(self.takers, seats),
        )

    def then(self, later: Handovers) -> Handovers:
        """All of these and of the later ones."""
        if later == Handovers():
            return self  # as after nearly every play
        return Handovers(
            (*self.moved, *later.moved),
            tuple(dict.fromkeys((*self.freed, *later.freed))),
            tuple({**dict(later.first_phones), **dict(self.first_phones)}.items()),
            tuple(dict.fromkeys((*self.takers, *later.takers))),
            self.host_moves + later.host_moves,
            self.reordered + later.reordered,
            (*self.renamed, *later.renamed),
        )


class UndoStep(Value, frozen=True):
    """A play that can be undone: the game's state before it, and the edition and the way of playing
    that held then. The way may have changed since, between two rounds; a round that is taken up
    again goes on in its own."""

    version: int  # of the table, that the play led to
    by: Device  # that reported it; among what was taken back or put right, that did so
    by_host: bool  # it hosted then: the hosting may have changed hands since
    before: Any  # the game's own state
    edition: str
    way: str
    events: tuple[Any, ...] = ()  # the game's own, that the play brought about
    seat: SeatId | None = None  # of the seat whose play it was, also where another one reported it
    handovers: Handovers = Handovers()  # at that time
    told_version: int = 0  # of the table, when an end was told that waited; 0: none did
    teller: SeatId | None = None  # of whose phone it was played or told by; None: a host without
    reporter: Device | None = None  # that reported it, also once it has been taken back
    in_a_row: int = 0  # how many plays have been taken back, this one the last

    @property
    def actor(self) -> Actor:
        return Actor(self.by, self.by_host)


class Correction(Value, frozen=True):
    """A play was put right."""

    play: UndoStep  # `events` are those that it had not before; `by` is the device that did it
    instead_of: tuple[Any, ...]  # the events that it has no more
    before: Any  # the game's own state until then, after all plays


class Change(Value, frozen=True):
    """The last thing that a page must know of before its plays are taken."""

    version: int
    what: type[Value]  # class of the event
    by: Device
    for_all_version: int = 0
    """Version of the last event that no play may overlook, not even an order-independent one."""


class Activity(Value, frozen=True):
    """When something was done here, in seconds since the epoch, and by whom last."""

    opened_at: float
    used_at: float
    last_by: Device
    seen_by: Device | None
    """The same; None where it was done in the host's name, wherever that is: others came back from
    a table that was closed."""
    last_at: float
    """When the last thing was done, by the clock as it was then: it may have been set back since
    the thing before."""
    lively_at: float
    """When somebody last played, or did something after another device had: what one device alone
    arranges does not move it, unless the clock was set back."""


class Beginning(Value, frozen=True):
    """Where a game begins in the table's log, and what it is before its first deal."""

    version: int  # of `GameStarted`
    game_state: Any


class Deals(Value, frozen=True):
    """Of the game on the table: in what is drawn once, then in each round's deal, with what proves
    how they were drawn."""

    shares: tuple[Shares | None, ...] = ()
    """None: dealt by a program that could not prove it, or with names that were taken out."""
    seals: tuple[Seals | None, ...] = ()
    """None: the phones sent their shares unsealed, to an older program."""
    phones: tuple[frozenset[Device], ...] = ()
    """That the players had at each of them."""
    sealed: SealedDeal | None = None
    """The one that waits for phones to open their numbers."""
    redrawn: bool = False
    """An end was taken back after what it gave had been seen, and what was left was drawn anew."""


class Result(Value, frozen=True):
    """A game of the table that is over."""

    beginning: Beginning
    version: int  # of the table, that its end led to
    at: float  # when it ended, in seconds since the epoch
    players: tuple[Player, ...]
    edition: str
    way: str
    game_state: Any  # as it ended
    deals: Deals = Deals()


class NextTable(Value, frozen=True):
    """Where they play another game."""

    id: str
    game: str


class CameFrom(Value, frozen=True):
    """The table that they played at before they sat down at this one."""

    table: str  # its id
    seats: SeatPairs  # here, and there


class WaitingEnd(Value, frozen=True):
    """How a round ended, as somebody has said; anybody can still stop it."""

    version: int  # of the table, when it was told
    at: float  # seconds since the epoch
    by: Device
    seat: SeatId | None  # in whose name it is; None: in nobody's, by a host without a seat
    teller: SeatId | None  # of whose phone it was told by; None: a host without a seat
    events: Plain  # of the play that is to follow
    phones: frozenset[Device]  # of the players, when it was told


class StoppedEnd(Value, frozen=True):
    """An end of a round that somebody has stopped."""

    told: WaitingEnd
    by: Actor
    seat: SeatId | None  # by which they went then; None: by none


class SealedDeal(Value, frozen=True):
    """A deal that has begun: the numbers that phones may open now, and no others."""

    version: int  # of the table, when the list was fixed
    by: Device  # that began the deal
    starter: SeatId | None  # that begins a new game; None: another round is dealt
    seals: tuple[Seals, ...]  # for each of the deals, in the order of the players


class Round(Value, frozen=True):
    """What has happened since the last deal."""

    looked: frozenset[SeatId] = frozenset()
    """Of the players that have looked at what was dealt."""
    begun: bool = False
    """Its plays are taken: everybody has looked, or the host went on without."""
    undo_steps: tuple[UndoStep, ...] = ()
    """Newest last; of a long game the newest."""
    undone: UndoStep | None = None
    """Taken back last, until something is played or dealt."""
    corrected: Correction | None = None
    """The last one, until something is played."""
    waiting_end: WaitingEnd | None = None
    """An end that waits for a second phone, or for time."""
    stopped: StoppedEnd | None = None
    """The last end that was told, if it was stopped: until the next is, or the game changes."""
    ends_undone: tuple[UndoStep, ...] = ()
    """Ends that were taken back, oldest first; `by` is the device that took them back. All of them
    are shown, since somebody may have seen secrets meanwhile."""
    left: tuple[tuple[SeatId | None, Seat], ...] = ()
    """Players' seats that have gone since the game was over, in their order, each with the player's
    seat that was before it: they are back where its end is taken back."""

    @property
    def last_events(self) -> tuple[Any, ...]:
        """What the last play has led to; empty where none can be taken back."""
        return self.undo_steps[-1].events if self.undo_steps else ()

    @property
    def end_waits(self) -> bool:
        """Whether an end was told that can be stopped yet."""
        return self.waiting_end is not None


class People(Value, frozen=True):
    """What outlives the seats: who had those that are gone, and which were one person's."""

    gone: tuple[tuple[SeatId, Device], ...] = ()
    """Seats that are gone, each with every phone of its player's: the last one last."""
    first_seats: tuple[tuple[SeatId, SeatId], ...] = ()
    """Seats whose players were somebody who has had another seat, too: by id, and that of their
    first one."""
    nameless: frozenset[SeatId] = frozenset()
    """Seats, also gone ones, whose names were taken out and that have had no other since."""
    nameless_version: int = 0
    """Version of the last event by which names were taken out; 0: never."""

    def person(self, seat: SeatId) -> SeatId:
        """Id of the first seat of whoever has or had this one."""
        return dict(self.first_seats).get(seat, seat)

    @property
    def several(self) -> frozenset[SeatId]:
        """First seats of those who have had more than one."""
        return frozenset(first for _, first in self.first_seats)


class Phase(StrEnum):
    """How far the game on a table is."""

    LOBBY = "lobby"
    LOOKING = "looking"
    """At what was dealt."""
    PLAYING = "playing"
    SETTLED = "settled"
    """A round is over, and more are to come."""
    OVER = "over"


class Table(Value, frozen=True):
    """The fold of a table's log."""

    id: str
    version: int  # of the last event; the first event makes it 1
    change: Change  # what a stale page has overlooked
    activity: Activity

    # What is played, and how
    game: AnyGame
    edition: str
    way: str  # one of the game's ways
    language: str  # of the table: for guests whose own is not spoken here

    # Who is here
    host: Device
    screens: frozenset[Device] = frozenset()
    """That have been hosts since the link was last renewed: what stood on the table as its screen
    stays so."""
    link_renewals: int = 0
    """How often the join link has been renewed."""
    wifi: Wifi | None = None
    seats: tuple[Seat, ...] = ()
    """Clockwise."""
    next_seat: SeatId = SeatId(1)
    people: People = People()
    handovers: Handovers = Handovers()
    handovers_before: Handovers = Handovers()
    """In the round that ended last, until the next deal: somebody may have made it end to see more
    than the seats had shown."""

    # The game on the table, or the last one
    players: tuple[Player, ...] = ()
    """Clockwise; the game's seat 0 is the first."""
    starter: SeatId | None = None
    """That began the game."""
    beginning: Beginning | None = None
    game_state: Any | None = None
    """None in the lobby."""
    deals: Deals = Deals()
    round: Round = Round()
    taken_back: frozenset[int] = frozenset()
    """Versions of the plays that were taken back and do not count any more, in all games."""
    finishes_undone: tuple[Actor, ...] = ()
    """Who took back, each time, that this game was finished between two rounds: all that its
    players had gained was seen, and is secret again until the game is over."""
    counted: bool = False
    """The game is over, and who has won is shown; before that its last round is."""
    explained: int | None = None
    """The step of the game's explanation that all see, from 1; None: none is shown."""
    next_table: NextTable | None = None
    """Until another game begins here, or the last one goes on."""
    came_from: CameFrom | None = None
    """None: they met here."""

    # The games before it, and those to come
    games_over: int = 0
    """How many, at this table."""
    results: tuple[Result, ...] = ()
    """Of the games that are over, oldest first; of very many the newest."""
    deck: tuple[tuple[str, str], ...] = ()
    """What is printed on the cards, from a file: for the games to come."""
    said_before: tuple[tuple[str, str], ...] = ()
    """What players have said of the cards, in the games before this one."""
    ended: bool = False
    """Only ever seen in the last notice of a table: its log is gone."""

    @property
    def playing(self) -> bool:
        """A game is on and is not over: its players stay, and change places only as its
        `Game.reseat` lets them."""
        return self.game_state is not None and not self.game.is_over(self.game_state)

    @property
    def coming_game(self) -> int:
        """Number of the game that is on, or of the one that would be next, from 1."""
        return self.games_over + 1

    @property
    def numbered_results(self) -> Iterator[tuple[int, Result]]:
        """With their numbers at this table, from 1."""
        return enumerate(self.results, self.games_over - len(self.results) + 1)

    def finished(self, number: str) -> tuple[int, Result] | None:
        """The game that is asked for by its number here, and that number; without one, the game
        that is over."""
        wanted = number or (str(self.games_over) if self.phase == Phase.OVER else "")
        return next((each for each in self.numbered_results if str(each[0]) == wanted), None)

    @property
    def phase(self) -> Phase:
        if self.game_state is None:
            return Phase.LOBBY
        if self.game.is_over(self.game_state):
            return Phase.OVER
        if self.game.is_between_rounds(self.game_state):
            return Phase.SETTLED
        return Phase.PLAYING if self.round.begun else Phase.LOOKING

    def circle_of(self, order: Iterable[SeatId]) -> tuple[PlayerIndex, ...]:
        """The players among these seats, in this order."""
        return tuple(at for seat in order if (at := self.index(seat)) is not None)

    def seat(self, seat: SeatId | None) -> Seat | None:
        return next((one for one in self.seats if one.id == seat), None)

    def index(self, seat: SeatId) -> PlayerIndex | None:
        """The player with this seat id."""
        for index, player in by_player(self.players):
            if player.id == seat:
                return index
        return None

    def player_index(self, seat: object) -> PlayerIndex | None:
        """As `index`, of what should be a seat's id in a play's fields: None: it is no number,
        `UNKNOWN_PLAYER`: no player has it."""
        if type(seat) is not int:
            return None
        index = self.index(SeatId(seat))
        return UNKNOWN_PLAYER if index is None else index

    def may_be_screen(self, device: Device | None) -> bool:
        """Whether a device hosts the table, or has since the link was last renewed."""
        return device is not None and (device == self.host or device in self.screens)

    def actor(self, device: Device) -> Actor:
        """Who does something now."""
        return Actor(device, hosted=device == self.host)

    def held(self, device: Device) -> tuple[Seat, ...]:
        """The seats that this device holds, clockwise."""
        return tuple([seat for seat in self.seats if seat.device == device])

    def held_in_play(self, device: Device) -> tuple[Seat, ...]:
        """Those of them that do not wait for the next game."""
        return tuple(seat for seat in self.in_play if seat.device == device)

    @property
    def phones(self) -> frozenset[Device]:
        """Of the players."""
        return frozenset(seat.device for seat in self.in_play if seat.device is not None)

    @property
    def dealt_phones(self) -> frozenset[Device]:
        """That the players had at the last deal."""
        return self.deals.phones[-1] if self.deals.phones else frozenset()

    @property
    def late(self) -> tuple[str, ...]:
        """Names of the seats that wait for the next game."""
        return tuple(seat.name for seat in self.seats if not self.plays(seat.id))

    def plays(self, seat: SeatId) -> bool:
        """Whether this seat has a part in the game that is on; else it waits for the next one."""
        return not self.playing or self.index(seat) is not None

    @property
    def handovers_shown(self) -> Handovers:
        """Those that everybody is to know of: also of the round that ended last."""
        return self.handovers_before.then(self.handovers)

    @property
    def has_room(self) -> bool:
        """For one more seat."""
        return len(self.seats) < self.game.seat_counts[-1]

    @property
    def in_play(self) -> tuple[Seat, ...]:
        """The seats without those that wait for the next game, clockwise."""
        return tuple(seat for seat in self.seats if self.plays(seat.id))

    def player_name(self, seat: SeatId | None) -> str | None:
        """Also when the seat has gone since."""
        return next((each.name for each in self.players if each.id == seat), None)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the players."""
        return tuple(player.name for player in self.players)

    @property
    def missing(self) -> tuple[str, ...]:
        """Who has not looked at what was dealt last, by name, clockwise."""
        return tuple(seat.name for seat in self.in_play if seat.id not in self.round.looked)
