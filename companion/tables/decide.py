"""Whether a device may do what it asks of a table, and which events follow.

One check answers both (`events.Answer`). What takes more than a few lines has a module of its own:
who sits where (`seating`), what is dealt (`dealing`), what is played (`playing`), how a round ends
(`ending`), and plays that are put right (`correcting`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, assert_never

from companion.games.game import AnyGame, Rejection
from companion.tables import commands as ask
from companion.tables import correcting, dealing, ending, gathering, playing, reasons, seating
from companion.tables import events as on
from companion.tables.identity import name_of
from companion.tables.limits import TableLimits
from companion.tables.model import Device, NextTable, Table
from companion.tables.rejections import NOT_HOST, UNDER_WAY, bad, stale

WIFI_NAME_MAX: Final = 32  # bytes, IEEE 802.11
WIFI_PASSWORD_MIN: Final = 8  # characters, WPA
WIFI_PASSWORD_MAX: Final = 63
LANGUAGE: Final = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})?")


def decide_open(command: ask.Open, games: Mapping[str, AnyGame]) -> on.Answer:
    game = games.get(command.game)
    if game is None:
        return bad("game")
    wrong = _settings(game, command.edition, command.way, command.language)
    if wrong is not None:
        return wrong
    return (on.Opened(command.game, command.edition, command.way, command.language),)


def overlooked(table: Table, command: ask.Judged, version: int | None) -> Rejection | None:
    """A play from a page that has overlooked something: what it was, and by whom."""
    if version is None or not command.on_seen_state:
        return None
    if 0 < version <= table.version and _must_know(table, command) <= version:
        return None
    return _overlooked(table)


def _overlooked(table: Table) -> Rejection:
    change, stopped = table.change, table.round.stopped
    told = table.round.waiting_end or (stopped.told if stopped is not None else None)
    if told is None or told.version != change.version or not ending.ends_game(table, told):
        return stale(change.what, name_of(table, change.by))
    return ending.blocked(table) or stale(None)  # None: it was stopped


def _must_know(table: Table, command: ask.Judged) -> int:
    """Version of what the page must have shown. Who stops or confirms an end that waits has to have
    seen that one, and nothing that has come since: else "Stop" could be made to come too late."""
    if table.round.waiting_end is not None and isinstance(command, ask.ConfirmEnd | ask.StopEnd):
        return table.round.waiting_end.version
    if _is_order_free(table, command):
        return table.change.for_all_version
    return table.change.version


def _is_order_free(table: Table, command: ask.Judged) -> bool:
    return isinstance(command, ask.Play) and command.play.get("play") in table.game.order_free


def decide(
    table: Table,
    device: Device,
    command: ask.Judged,
    source: dealing.DealSource,
    limits: TableLimits,
    *,
    ends_wait: bool,
) -> on.Answer:
    """`ends_wait`: whether the end of a round waits (see `ending`)."""
    if command.by_host and device != table.host:
        return NOT_HOST
    answer = _answer(table, device, command, source, limits, ends_wait=ends_wait)
    stays = isinstance(answer, Rejection) or not command.not_while_an_end_waits
    return answer if stays else ending.blocked(table) or answer


def _answer(
    table: Table,
    device: Device,
    command: ask.Judged,
    source: dealing.DealSource,
    limits: TableLimits,
    *,
    ends_wait: bool,
) -> on.Answer:
    """Whether an end waits is asked after this (`decide`); what calls the game asks it itself, too,
    before it does: how long the game's answer takes may tell of secrets."""
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
        case ask.PassHosting():
            return seating.pass_hosting(table, command)
        case ask.Configure():
            return _configure(table, command)
        case ask.SetWifi():
            return _set_wifi(table, command)
        case ask.ClearWifi():
            return _clear_wifi(table)
        case ask.RenewLink():
            return (on.LinkRenewed(),)
        case ask.GoOn(other, game):
            return _go_on(table, NextTable(other, game))
        case ask.Gather(others):
            return gathering.gather(table, device, others, limits.name_max)
        case ask.JoinPeople():
            return seating.join_people(table, command)
        case ask.PartPeople():
            return seating.part_people(table, command)
        case ask.LoadDeck():
            return _load_deck(table, command)
        case ask.Explain():
            return _explain(table, command)
        case ask.Start():
            return dealing.start(table, command, source)
        case ask.Deal():
            return dealing.deal(table, source)
        case ask.Look():
            return playing.look(table, device, command)
        case ask.BeginWithout():
            return playing.begin(table)
        case ask.Play():
            return playing.play(table, device, command, ends_wait=ends_wait)
        case ask.Correct():
            return correcting.correct(table, device, command)
        case ask.TakeBack():
            return playing.take_back(table, device, source, limits.name_max)
        case ask.ConfirmEnd():
            return ending.confirm(table, device)
        case ask.StopEnd():
            return ending.stop(table, device)
        case ask.Finish():
            return playing.finish(table, ends_wait=ends_wait)
        case ask.Count():
            return playing.count(table, device)
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
        if way != table.way and not game.is_between_rounds(table.game_state):
            return Rejection(reasons.ROUND_UNDER_WAY)
    if (edition, way, language) == (table.edition, table.way, table.language):
        return ()
    return (on.Configured(edition, way, language),)


def _settings(game: AnyGame, edition: str, way: str, language: str) -> Rejection | None:
    if edition not in game.editions:
        return bad("edition")
    if way not in game.ways:
        return bad("way")
    if not LANGUAGE.fullmatch(language):
        return bad("language")
    return None


def _load_deck(table: Table, command: ask.LoadDeck) -> on.Answer:
    if command.known is None:
        return Rejection(reasons.BAD_DECK)
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


def _go_on(table: Table, after: NextTable) -> on.Answer:
    if table.playing:
        return UNDER_WAY
    now = table.next_table or NextTable(table.id, table.game.name)
    return () if after == now else (on.WentOn(after.id, after.game),)


def _explain(table: Table, command: ask.Explain) -> on.Answer:
    if table.playing:
        return UNDER_WAY
    steps = range(1, 1 + len(table.game.steps(table.edition, table.way)))
    if command.step is not None and command.step not in steps:
        return bad("step")
    return () if command.step == table.explained else (on.Explained(command.step),)
