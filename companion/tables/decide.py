"""Whether a device may do what it asks of a table, and which events follow.

One check answers both (`events.Answer`). What takes more than a few lines has a module of its own:
who sits where (`seating`), what is dealt (`dealing`), how a round ends (`ending`), and plays that
are put right (`correcting`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, assert_never

from companion.games.fields import UNKNOWN_PLAYER, Fields, Malformed
from companion.games.game import Game, Rejection
from companion.tables import commands as ask
from companion.tables import correcting, dealing, ending, refusals, seating
from companion.tables import events as on
from companion.tables.codec import encode_events
from companion.tables.limits import TableLimits
from companion.tables.model import Device, SeatId, Table
from companion.tables.rejections import NO_GAME, NOT_HOST, NOT_SEATED, UNDER_WAY, UNKNOWN_SEAT

WIFI_NAME_MAX: Final = 32  # bytes, IEEE 802.11
WIFI_PASSWORD_MIN: Final = 8  # characters, WPA
WIFI_PASSWORD_MAX: Final = 63
LANGUAGE: Final = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})?")


def bad(field: str) -> Rejection:
    return Rejection(refusals.BAD_REQUEST, {"field": field})


def decide_open(command: ask.Open, games: Mapping[str, Game]) -> on.Answer:
    game = games.get(command.game)
    if game is None:
        return bad("game")
    wrong = _settings(game, command.edition, command.way, command.language)
    if wrong is not None:
        return wrong
    return (on.Opened(command.game, command.edition, command.way, command.language),)


def stale(table: Table, command: ask.Judged, version: int | None) -> Rejection | None:
    """A play from a page that has overlooked something: what it was, and by whom."""
    if version is None or not isinstance(command, ask.ON_SEEN_STATE):
        return None
    if 0 < version <= table.version and _must_know(table, command) <= version:
        return None
    change = table.change
    return Rejection(refusals.STALE, {"what": change.what, "by": table.name_of(change.by)})


def _must_know(table: Table, command: ask.Judged) -> int:
    """Version of what the page must have shown. Who stops or confirms an end that waits has to have
    seen that one, and nothing that has come since: else "Stop" could be made to come too late."""
    if table.waiting_end is not None and isinstance(command, ask.ConfirmEnd | ask.StopEnd):
        return table.waiting_end.version
    return table.changed_for_all if _is_order_free(table, command) else table.changed


def _is_order_free(table: Table, command: ask.Judged) -> bool:
    return isinstance(command, ask.Play) and command.play.get("play") in table.game.order_free


def decide(
    table: Table,
    device: Device,
    command: ask.Judged,
    draw: dealing.Draw,
    limits: TableLimits,
    *,
    ends_wait: bool,
) -> on.Answer:
    """`ends_wait`: whether the end of a round waits (see `ending`)."""
    if isinstance(command, ask.BY_HOST) and device != table.host:
        return NOT_HOST
    answer = _answer(table, device, command, draw, limits, ends_wait=ends_wait)
    stays = isinstance(answer, Rejection) or not isinstance(command, ask.NOT_WHILE_AN_END_WAITS)
    return answer if stays else ending.blocked(table) or answer


def _answer(
    table: Table,
    device: Device,
    command: ask.Judged,
    draw: dealing.Draw,
    limits: TableLimits,
    *,
    ends_wait: bool,
) -> on.Answer:
    """What works on the game for it has asked before whether an end waits."""
    match command:
        case ask.Join() | ask.AddSeat():
            return seating.join(table, device, command, limits.name_max)
        case ask.RemoveSeat():
            return seating.remove_seat(table, device, command)
        case ask.RenameSeat():
            return seating.rename_seat(table, device, command, limits.name_max)
        case ask.TakeNameOut():
            return seating.take_name_out(table, device, command)
        case ask.OrderSeats():
            return seating.order_seats(table, command)
        case ask.FreeSeat():
            return seating.free_seat(table, command)
        case ask.ClaimSeat():
            return seating.claim_seat(table, device, command)
        case ask.TakeHosting():
            return seating.take_hosting(table, device, command, limits.host_gone_s)
        case ask.Configure():
            return _configure(table, command)
        case ask.SetWifi():
            return _set_wifi(table, command)
        case ask.ClearWifi():
            return _clear_wifi(table)
        case ask.RenewLink():
            return (on.LinkRenewed(),)
        case ask.JoinPeople():
            return seating.join_people(table, command)
        case ask.PartPeople():
            return seating.part_people(table, command)
        case ask.LoadDeck():
            return _load_deck(table, command)
        case ask.Explain():
            return _explain(table, command)
        case ask.Start() | ask.NewGame():
            return dealing.start(table, command, draw)
        case ask.Deal():
            return dealing.deal(table, draw)
        case ask.Look():
            return _look(table, device, command)
        case ask.Begin():
            return _begin(table)
        case ask.Play():
            return _play(table, device, command, ends_wait=ends_wait)
        case ask.Correct():
            return correcting.correct(table, device, command)
        case ask.TakeBack():
            return _take_back(table, device, draw)
        case ask.ConfirmEnd():
            return ending.confirm(table, device)
        case ask.StopEnd():
            return ending.stop(table, device)
        case ask.Finish():
            return _finish(table, ends_wait=ends_wait)
        case ask.Count():
            return _count(table, device)
        case _:
            assert_never(command)


# The host's part


def _configure(table: Table, command: ask.Configure) -> on.Answer:
    game = table.game
    edition = command.edition or table.edition
    way = command.way or table.way
    language = command.language or table.language
    wrong = _settings(game, edition, way, language)
    if wrong is not None:
        return wrong
    if table.playing:
        if edition != table.edition:
            return UNDER_WAY
        if way != table.way and not game.is_between_rounds(table.play):
            return Rejection(refusals.ROUND_UNDER_WAY)
    if (edition, way, language) == (table.edition, table.way, table.language):
        return ()
    return (on.Configured(edition, way, language),)


def _settings(game: Game, edition: str, way: str, language: str) -> Rejection | None:
    if edition not in game.editions:
        return bad("edition")
    if way not in game.ways:
        return bad("way")
    if not LANGUAGE.fullmatch(language):
        return bad("language")
    return None


def _load_deck(table: Table, command: ask.LoadDeck) -> on.Answer:
    if command.known is None:
        return Rejection(refusals.BAD_DECK)
    deck = tuple(sorted(command.known.items()))
    return () if deck == table.deck else (on.DeckLoaded(deck),)


def _set_wifi(table: Table, command: ask.SetWifi) -> on.Answer:
    name, password = command.name, command.password
    if not 0 < len(name.encode(errors="replace")) <= WIFI_NAME_MAX or not name.isprintable():
        return bad("name")
    fits = WIFI_PASSWORD_MIN <= len(password) <= WIFI_PASSWORD_MAX and password.isprintable()
    if password and not fits:
        return bad("password")
    if table.wifi is not None and (table.wifi.name, table.wifi.password) == (name, password):
        return ()
    return (on.WifiSet(name, password),)


def _clear_wifi(table: Table) -> on.Answer:
    return () if table.wifi is None else (on.WifiCleared(),)


# The game


def _look(table: Table, device: Device, command: ask.Look) -> on.Answer:
    seat = table.seat(command.seat)
    if seat is None:
        return UNKNOWN_SEAT
    if seat.device != device:
        return NOT_SEATED
    if table.play is None or table.index(seat.id) is None:
        return NO_GAME
    if seat.id in table.looked or not table.game.deals:
        return ()
    return (on.Looked(seat.id),)


def _begin(table: Table) -> on.Answer:
    if not table.playing:
        return NO_GAME
    return () if table.began else (on.BegunWithout(),)


def _play(table: Table, device: Device, command: ask.Play, *, ends_wait: bool) -> on.Answer:
    held = table.held_in_play(device)
    if device != table.host and not held:
        return NOT_SEATED
    seat_id = command.seat
    if seat_id is None and held:
        seat_id = held[0].id
    if table.play is None:
        return NO_GAME
    by = None
    if seat_id is not None:
        by = table.index(seat_id)
        if by is None:
            return UNKNOWN_SEAT
        if device != table.host and seat_id not in (seat.id for seat in held):
            return NOT_SEATED
    game = table.game
    play = _read(table, command.play, by, device == table.host)
    if isinstance(play, Rejection):
        return play
    if not table.began:
        return Rejection(refusals.NOT_BEGUN, {"missing": [one.name for one in table.missing]})
    events = ending.blocked(table) or game.decide(table.play, play)
    if isinstance(events, Rejection):
        return events
    return _played(table, seat_id, events, ends_wait=ends_wait)


def _played(
    table: Table, seat: SeatId | None, events: Sequence[Any], *, ends_wait: bool
) -> tuple[on.Event, ...]:
    """What ends a round or the game waits."""
    done = on.Played(seat, encode_events(events))
    if ends_wait and ending.must_wait(table, table.game.fold(table.play, events)):
        return (on.EndTold(done.seat, done.events),)
    return (done,)


def _read(table: Table, fields: Mapping[str, Any], by: int | None, host: bool) -> Any | Rejection:
    """The game's play out of the fields that came in; `by` is the index of who makes it.

    A host without a seat reports in the first player's name: the table's own event keeps that it
    was nobody's.
    """
    game = table.game
    name = fields.get("play")
    way = game.ways[table.way]
    if type(name) is not str or name not in way.plays | game.host_plays | way.host_plays:
        return bad("play")
    if not host and (name not in way.plays or not way.host_fields.isdisjoint(fields)):
        return NOT_HOST
    unknown: list[object] = []

    def player_index(seat: object) -> int | None:
        index = table.player_index(seat)
        if index == UNKNOWN_PLAYER:
            unknown.append(seat)
        return index

    whose: Fields = {"by": table.players[by or 0].id}
    read = game.ways[table.way].read or game.read_play
    play = read({**fields, **whose}, player_index)
    if isinstance(play, Malformed):
        return bad(play.field)
    return UNKNOWN_SEAT if unknown else play


def _finish(table: Table, *, ends_wait: bool) -> on.Answer:
    if not table.playing:
        return NO_GAME
    if table.game.finish is None:
        return UNDER_WAY
    blocked = ending.blocked(table)
    if blocked is not None:
        return blocked
    return _played(table, None, table.game.finish(table.play), ends_wait=ends_wait)


def _count(table: Table, device: Device) -> on.Answer:
    if not may_count(table, device):
        return NOT_SEATED
    if table.play is None or table.playing:
        return UNDER_WAY if table.playing else NO_GAME
    return () if table.counted else (on.Counted(),)


def may_count(table: Table, device: Device | None) -> bool:
    """The host, or who held a seat in the game: not who waits for the next one."""
    if device is None:
        return False
    played = (table.index(seat.id) is not None for seat in table.held(device))
    return device == table.host or any(played)


def _explain(table: Table, command: ask.Explain) -> on.Answer:
    if table.playing:
        return UNDER_WAY
    steps = range(1, 1 + len(table.game.steps(table.edition, table.way)))
    if command.step is not None and command.step not in steps:
        return bad("step")
    return () if command.step == table.explained else (on.Explained(command.step),)


def _take_back(table: Table, device: Device, draw: dealing.Draw) -> on.Answer:
    if device != table.host and not table.held_in_play(device):
        return NOT_SEATED
    if not table.steps:
        return Rejection(refusals.NOTHING_TO_TAKE_BACK)
    blocked = ending.blocked(table)
    if blocked is not None:
        return blocked
    if not may_take_back(table, device):
        return NOT_HOST
    return dealing.taken_back(table, draw)


def may_take_back(table: Table, device: Device | None) -> bool:
    """The host may take back any play since the deal. Where the referee follows the plays, the
    device that reported the last one and the seat whose play it was may take that one back, until
    the next play, also where something was put right meanwhile; but none before it."""
    if not table.steps or device is None or table.waiting_end is not None:
        return False
    if device != table.host and not table.held_in_play(device):
        return False
    last = table.steps[-1]
    mine = last.by == device or any(seat.id == last.seat for seat in table.held(device))
    return device == table.host or (
        mine and table.game.ways[last.way].follows and table.undone is None
    )
