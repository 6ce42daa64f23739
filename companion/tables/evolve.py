"""The state of a table after an event. Total and deterministic: no clock, no chance, no refusal.

An event that this program cannot have written (`UndecodableError`) means that the log is broken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from companion.games.game import Game, Rejection
from companion.tables import events as on
from companion.tables.chance import ReplayedShuffle
from companion.tables.codec import UndecodableError, decode_events
from companion.tables.memory import voice
from companion.tables.model import (
    Beginning,
    Change,
    Device,
    Hands,
    Player,
    Result,
    Sealed,
    Seat,
    SeatId,
    Table,
    Told,
    UndoStep,
    Wifi,
)
from companion.values import Value

Of = TypeVar("Of")

SHOWN_MAX: Final = 100
"""Finished games, and ends that were taken back, that are kept to be shown: the newest."""

STEPS_MAX: Final = 200
"""Plays that can be taken back or put right, the newest: a long game has some hundred, and what is
put right is written down with all plays since."""


class LoggedEvent(Value, frozen=True):
    """An event with what the log keeps beside it."""

    version: int
    at: float  # seconds since the epoch
    by: Device
    event: on.Event


def fold(
    table_id: str, table: Table | None, logged: Sequence[LoggedEvent], games: Mapping[str, Game]
) -> Table | None:
    for one in logged:
        table = opened(table_id, one, games) if table is None else evolve(table, one)
    return table


def opened(table_id: str, first: LoggedEvent, games: Mapping[str, Game]) -> Table:
    event = first.event
    if not isinstance(event, on.Opened):
        raise UndecodableError("event")
    game = games.get(event.game)
    if game is None:
        raise UndecodableError("game")
    return Table(
        id=table_id,
        version=first.version,
        change=Change(first.version, "Opened", first.by),
        game=game,
        edition=event.edition,
        way=event.way,
        language=event.language,
        host=first.by,
        seats=(),
        next_seat=SeatId(1),
        wifi=None,
        play=None,
        players=(),
        starter=None,
        looked=frozenset(),
        began=False,
        steps=(),
        games=0,
        opened_at=first.at,
        used_at=first.at,
        ended=False,
    )


def evolve(table: Table, logged: LoggedEvent) -> Table:
    change, for_all = table.change, table.changed_for_all
    if isinstance(logged.event, on.MAKES_PAGES_STALE):
        change = Change(logged.version, type(logged.event).__name__, logged.by)
        if not isinstance(logged.event, on.IGNORED_BY_ORDER_FREE_PLAYS):
            for_all = logged.version
    return replace(
        _after(table, logged),
        version=logged.version,
        used_at=max(table.used_at, logged.at),
        change=change,
        changed_for_all=for_all,
    )


def _after(table: Table, logged: LoggedEvent) -> Table:
    match logged.event:
        case on.SeatTaken(seat, name, device):
            seats = (*table.seats, Seat(seat, name, device))
            return replace(table, seats=seats, next_seat=SeatId(seat + 1))
        case on.SeatRemoved(seat):
            seats = tuple(one for one in table.seats if one.id != seat)
            moved = tuple(one for one in table.hands.moved if one != seat)
            hands = replace(table.hands, moved=moved, freed=_without(table.hands.freed, seat))
            steps = table.steps if table.index(seat) is None else ()
            gone = table.seat(seat)
            had = (gone.device if gone else None) or dict(table.hands.first_phones).get(seat)
            left = (*table.left, (seat, had)) if had else table.left
            return replace(table, seats=seats, hands=hands, left=left, steps=steps)
        case on.SeatRenamed(seat, name):
            return _renamed(table, seat, name)
        case on.NamesTakenOut(names):
            return _nameless(table, logged.version, names)
        case on.SeatsOrdered(order, events):
            by_id = {seat.id: seat for seat in table.seats}
            seats = tuple(by_id[seat] for seat in order)
            if not table.playing:
                return replace(table, seats=seats, steps=())
            if not events:
                return replace(table, seats=seats)
            play, steps = _folded(table, events), _reseated(table, order)
            hands = replace(table.hands, reordered=table.hands.reordered + 1)
            return replace(table, seats=seats, play=play, steps=steps, hands=hands)
        case on.SeatFreed(seat):
            table = _leaving(table, seat)
            freed = (*_without(table.hands.freed, seat), (seat, table.name_of(logged.by) or ""))
            return replace(table, hands=replace(table.hands, freed=freed))
        case on.SeatMoved(seat, device):
            taker = table.name_of(device) or ("" if device == table.host else None)
            takers = (*_without(table.hands.takers, seat), (seat, taker))
            table = _with_device(_leaving(table, seat), seat, device)
            moved = (*table.hands.moved, seat)
            return replace(table, hands=replace(table.hands, moved=moved, takers=takers))
        case on.HostMoved(device):
            screens = table.screens | {table.host}
            hands = replace(table.hands, host_moved=True)
            return replace(table, host=device, hands=hands, screens=screens)
        case on.Configured(edition, way, language):
            return replace(table, edition=edition, way=way, language=language)
        case on.WifiSet(name, password):
            return replace(table, wifi=Wifi(name, password))
        case on.WifiCleared():
            return replace(table, wifi=None)
        case on.LinkRenewed():
            return replace(table, links=table.links + 1, screens=frozenset())
        case on.PeopleJoined(seat, same):
            one, other = sorted((table.person(seat), table.person(same)))
            people = {each: one if first == other else first for each, first in table.people}
            return replace(table, people=tuple(sorted({**people, other: one}.items())))
        case on.PeopleParted(seat):
            person = table.person(seat)
            return replace(table, people=tuple(p for p in table.people if p[1] != person))
        case on.SealsFixed(starter, seals):
            return replace(table, sealed=Sealed(logged.version, logged.by, starter, seals))
        case on.DeckLoaded(known):
            return replace(table, deck=known)
        case on.GameStarted(starter, shuffles, shares, seals, known):
            started = replace(_started(table, starter, shuffles), voice=voice(table))
            if known and table.game.memory is not None:
                play = table.game.memory.given(started.play, dict(known))
                started = replace(started, play=play)
            beginning = Beginning(logged.version, started.play)
            return replace(
                started,
                beginning=beginning,
                shares=(shares,),
                seals=(seals,),
                sealed=None,
                redrawn=False,
            )
        case on.Dealt(events, shares, seals):
            play = _folded(table, events)
            fresh = replace(
                table, looked=frozenset(), began=False, steps=(), undone=None, corrected=None
            )
            return replace(
                fresh,
                play=play,
                shares=(*table.shares, shares),
                seals=(*table.seals, seals),
                sealed=None,
                ends_undone=(),
                stopped=None,
                dealt_to=len(table.phones),
            )
        case on.Looked(seat):
            looked = table.looked | {seat}
            began = table.began or len(looked) == len(table.players)
            return replace(table, looked=looked, began=began)
        case on.BegunWithout():
            return replace(table, began=True)
        case on.EndTold(seat, events):
            told = Told(logged.version, logged.at, logged.by, seat, events, table.phones)
            return replace(table, told=told, stopped=None)
        case on.EndStopped():
            taken_back = table.taken_back | {_told_at(table)}
            return replace(table, told=None, stopped=logged.by, taken_back=taken_back)
        case on.Played(seat, events):
            told_at = _told_at(table)
            table = replace(table, told=None, stopped=None)
            done = decode_events(table.game.events, events)
            step = UndoStep(
                version=logged.version,
                by=logged.by,
                before=table.play,
                edition=table.edition,
                way=table.way,
                events=done,
                seat=seat,
                hands=table.hands,
                told_at=told_at,
            )
            steps = (*table.steps, step)[-STEPS_MAX:]
            return _with_play(table, logged.at, table.game.fold(table.play, done), steps)
        case on.Corrected(step, corrected):
            return _corrected(table, logged, step, corrected)
        case on.Counted():
            return replace(table, counted=True)
        case on.Explained(step):
            return replace(table, explained=step)
        case on.TakenBack(_, shuffles):
            table = replace(table, explained=None)
            if shuffles:
                table = _redrawn(table, shuffles)
            taken = table.undone.taken + 1 if table.undone else 1
            undone = replace(table.steps[-1], by=logged.by, taken=taken)
            table = replace(table, edition=undone.edition, way=undone.way)
            ended = not table.game.is_between_rounds(undone.before)
            if ended and table.game.is_between_rounds(table.play):
                ends_undone = (*table.ends_undone, undone)[-SHOWN_MAX:]
                hands = undone.hands.then(table.hands)
                table = replace(table, ends_undone=ends_undone, hands=hands)
            taken_back = table.taken_back | {undone.version, undone.told_at}
            table = replace(table, taken_back=taken_back)
            return _with_play(table, logged.at, undone.before, table.steps[:-1], undone)
        case _:
            raise UndecodableError("event")


def _told_at(table: Table) -> int:
    """The version at which the end was told that waits; 0 where none does."""
    return table.told.version if table.told is not None else 0


def _reseated(table: Table, order: Sequence[SeatId]) -> tuple[UndoStep, ...]:
    """The plays that can still be taken back: they are told again with the players where they sit
    now. Nothing where the game does not let them change places in the middle of what was played."""
    game, circle = table.game, table.circle_of(order)
    steps = []
    for step in table.steps:
        events = game.reseat(step.before, circle) if game.reseat else ()
        if isinstance(events, Rejection):
            return ()
        steps.append(replace(step, before=game.fold(step.before, events)))
    return tuple(steps)


def _renamed(table: Table, seat: SeatId, name: str) -> Table:
    seats = tuple(replace(one, name=name) if one.id == seat else one for one in table.seats)
    players = tuple(
        replace(one, name=name, signed=one.recorded) if one.id == seat else one
        for one in table.players
    )
    return replace(table, seats=seats, players=players)


def _nameless(table: Table, version: int, names: Sequence[tuple[SeatId, str]]) -> Table:
    """The names are gone from the older events already. Deals that were drawn with them cannot be
    drawn again by anybody."""
    if any(table.index(seat) is not None for seat, _ in names):
        shares, seals = (None,) * len(table.shares), (None,) * len(table.seals)
        table = replace(table, shares=shares, seals=seals)
    return replace(table, nameless=version)


def _with_device(table: Table, seat: SeatId, device: Device | None) -> Table:
    seats = tuple(
        replace(one, device=device, moves=one.moves + (device is not None))
        if one.id == seat
        else one
        for one in table.seats
    )
    return replace(table, seats=seats)


def _started(table: Table, starter: SeatId, shuffles: Sequence[Sequence[int]]) -> Table:
    game = table.game
    players = tuple(Player(seat.id, seat.name) for seat in table.seats)
    first = [player.id for player in players].index(starter)
    return replace(
        table,
        play=game.new(len(players), first, table.edition, ReplayedShuffle(shuffles)),
        players=players,
        starter=starter,
        looked=frozenset(),
        hands=Hands(),  # before the deal nobody could see a secret
        began=not game.deals,
        counted=False,
        explained=None,
        steps=(),
        undone=None,
        corrected=None,
        ends_undone=(),
        stopped=None,
    )


def _redrawn(table: Table, shuffles: Sequence[Sequence[int]]) -> Table:
    """With another order of what was left before the last play; nothing proves it."""
    beginning, last = table.beginning, table.steps[-1]
    if table.game.redraw is None or beginning is None:
        raise UndecodableError("shuffles")
    began, before = table.game.redraw(beginning.play, last.before, ReplayedShuffle(shuffles))
    return replace(
        table,
        beginning=replace(beginning, play=began),
        steps=(*table.steps[:-1], replace(last, before=before)),
        shares=(None, *table.shares[1:]),
        seals=(None, *table.seals[1:]),
        redrawn=True,
    )


def _corrected(table: Table, logged: LoggedEvent, first: int, events: Sequence[on.Plain]) -> Table:
    """Each play from the first one on has other events, and begins where the one before led."""
    old = table.steps[first:]
    if not old or len(old) != len(events):
        raise UndecodableError("events")
    steps, play = list(table.steps[:first]), old[0].before
    for step, plain in zip(old, events, strict=True):
        done = decode_events(table.game.events, plain)
        steps.append(replace(step, before=play, events=done))
        play = table.game.fold(play, done)
    table = _with_play(table, logged.at, play, tuple(steps))
    return replace(table, corrected=replace(steps[first], by=logged.by))


def _folded(table: Table, events: on.Plain) -> Any:
    return table.game.fold(table.play, decode_events(table.game.events, events))


def _without(pairs: tuple[tuple[SeatId, Of], ...], seat: SeatId) -> tuple[tuple[SeatId, Of], ...]:
    return tuple(pair for pair in pairs if pair[0] != seat)


def _leaving(table: Table, seat_id: SeatId) -> Table:
    """Without its phone. The first one that it had is remembered."""
    seat = table.seat(seat_id)
    first = table.hands.first_phones
    if seat is not None and seat.device is not None and seat_id not in dict(first):
        first = (*first, (seat_id, seat.device))
    hands = replace(table.hands, first_phones=first)
    return replace(_with_device(table, seat_id, None), hands=hands)


def _with_play(
    table: Table,
    at: float,
    play: Any,
    steps: tuple[UndoStep, ...],
    undone: UndoStep | None = None,
) -> Table:
    game = table.game
    games = table.games + game.is_over(play) - game.is_over(table.play)
    counted = game.is_over(play) and game.is_between_rounds(table.play)
    if game.is_between_rounds(play) and not game.is_between_rounds(table.play):
        # Whoever took a seat or the host's part may have seen what is no secret any more.
        table = replace(table, hands=Hands())
    return replace(
        table,
        play=play,
        steps=steps,
        games=games,
        undone=undone,
        corrected=None,
        counted=counted,
        results=_results(table, at, play),
    )


def _results(table: Table, at: float, play: Any) -> tuple[Result, ...]:
    """With the game that this makes over, or without the one that goes on."""
    was, now = table.game.is_over(table.play), table.game.is_over(play)
    if was and not now:
        return table.results[:-1]
    if now and not was and table.beginning is not None:
        result = Result(table.beginning, table.version + 1, at, table.players, table.way, play)
        return (*table.results, result)[-SHOWN_MAX:]
    return table.results
