"""Makes a command of a posted form, fields by name, seats by id; and what else forms differ in."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Final

from werkzeug.datastructures import MultiDict

from companion import catalogues, languages
from companion.games.game import AnyGame, Rejection
from companion.tables import commands as ask
from companion.tables.model import Device, SeatId, Table
from companion.tables.rejections import bad
from companion.values import Value
from companion.web.answers.services import current_services
from companion.web.http.fields import MisfitError, number
from companion.web.view.games import edition_for, pages_of

Form = MultiDict[str, str]

LOT = "lot"
"""In place of a starting player."""


def _seat_if_any(form: Mapping[str, str], field: str = "seat") -> SeatId | None:
    seat = number(form, field)
    return None if seat is None else SeatId(seat)


def _seat(form: Mapping[str, str], field: str = "seat") -> SeatId:
    seat = _seat_if_any(form, field)
    if seat is None:
        raise MisfitError(field)
    return seat


def _take_name_out(form: Form, table: Table) -> ask.TakeNameOut:
    t = catalogues.catalogue(table.language)
    return ask.TakeNameOut(_seat(form), t.upgettext("label", "Player"))


def _order(form: Form, _: Table) -> ask.OrderSeats:
    """All seats in their new order, "3,1,2"."""
    parts = ",".join(form.getlist("order")).split(",")
    return ask.OrderSeats(tuple(_seat({"order": part}, "order") for part in parts if part.strip()))


def _configure(form: Form, table: Table) -> ask.Configure:
    way = form.get("way")
    if way and way not in table.game.ways:
        raise MisfitError("way")
    language = form.get("language")
    if language is not None and language not in languages.ENDONYMS:
        raise MisfitError("language")
    return ask.Configure(form.get("edition"), way, language)


def _start(form: Form, _: Table) -> ask.Start:
    if form.get("starter") == LOT:
        return ask.Start(lot=True)
    return ask.Start(_seat_if_any(form, "starter"))


def _deck(form: Form, table: Table) -> ask.LoadDeck:
    memory = table.game.memory
    if memory is None:
        raise MisfitError("deck")
    return ask.LoadDeck(memory.read(form.get("deck", "")))


def _play(form: Form, table: Table) -> ask.Play:
    """A play of the table's game, with the seat that makes or reports it."""
    return ask.Play(_seat_if_any(form), pages_of(table.game).fields(form))


def _take_hosting(_: Form, table: Table) -> ask.TakeHosting:
    return ask.TakeHosting(current_services().arrivals.host_gone_s(table), table.host)


def _told_by_sender(before: Table, done: Table, device: Device) -> Device | None:
    return device if done.version != before.version else None


def _told_by_teller(before: Table, done: Table, _: Device) -> Device | None:
    stopped = done.round.stopped
    return stopped.told.by if stopped is not None and stopped != before.round.stopped else None


class Kind(Value, frozen=True):
    """The forms of a command: how they are read, and in what they differ from most."""

    name: str
    """What stands after /do/."""
    read: Callable[[Form, Table], ask.Command | ask.OfferSeat | ask.OfferScreen]
    """What the form asks for; `MisfitError` where none of our forms sends it."""
    as_join: bool = False
    """Counted as joining is: else a table could be filled with names and phones."""
    known: bool = False
    """Read from its form alone (see `access.asking`)."""
    telling: bool = False
    """Could be given without end by whoever undoes what they did."""
    undone: Callable[[Table, Table, Device], Device | None] = lambda *_: None
    """Who has told what this form has undone: of the table before and after it, and who sent it.
    Nobody, where it was sent again."""
    leaves: bool = False
    """Its device may be at the table no more, or have no such seat."""
    ends: bool = False
    """The table is gone after it."""
    names_phone: bool = False
    """Its phone goes by the name of the seat that it has taken, at other tables, too."""
    forgets_name: bool = False
    """Its phone goes by no name any more."""
    seatless: bool = False
    """Also of a phone that has lost its seat, while it may stop the end that waits."""
    opens_seat: bool = False
    """The page of the seat that it names comes after it."""
    leaves_screen: bool = False
    """A laptop that only hosted stays the table's screen."""


KINDS: Final = (
    Kind("join", lambda form, _: ask.Join(form.get("name", "")), as_join=True, names_phone=True),
    Kind("add-seat", lambda form, _: ask.AddSeat(form.get("name", ""))),
    Kind("remove-seat", lambda form, _: ask.RemoveSeat(_seat(form)), leaves=True),
    Kind(
        "rename-seat",
        lambda form, _: ask.RenameSeat(_seat(form), form.get("name", "")),
        as_join=True,
    ),
    Kind("take-name-out", _take_name_out, forgets_name=True),
    Kind("order-seats", _order),
    Kind("configure", _configure),
    Kind(
        "set-wifi",
        lambda form, _: ask.SetWifi(form.get("wifi_name", ""), form.get("wifi_password", "")),
    ),
    Kind("clear-wifi", lambda form, _: ask.ClearWifi()),
    Kind("renew-link", lambda form, _: ask.RenewLink()),
    Kind("join-people", lambda form, _: ask.JoinPeople(_seat(form), _seat(form, "same"))),
    Kind("part-people", lambda form, _: ask.PartPeople(_seat(form))),
    Kind("start", _start),
    Kind("new-game", _start),
    Kind("look", lambda form, _: ask.Look(_seat(form))),
    Kind("begin", lambda form, _: ask.BeginWithout()),
    Kind("play", _play, known=True, telling=True),
    Kind("confirm-end", lambda form, _: ask.ConfirmEnd()),
    Kind("stop-end", lambda form, _: ask.StopEnd(), undone=_told_by_teller, seatless=True),
    Kind(
        "correct",
        lambda form, table: ask.Correct(pages_of(table.game).fields(form)),
        telling=True,
        undone=_told_by_sender,
    ),
    Kind("load-deck", _deck),
    Kind("take-back", lambda form, _: ask.TakeBack(), undone=_told_by_sender),
    Kind("deal", lambda form, _: ask.Deal()),
    Kind("finish", lambda form, _: ask.Finish()),
    Kind("count", lambda form, _: ask.Count()),
    Kind("explain", lambda form, _: ask.Explain(number(form, "step"))),
    Kind("free-seat", lambda form, _: ask.FreeSeat(_seat(form))),
    Kind("claim-seat", lambda form, _: ask.ClaimSeat(_seat(form)), as_join=True),
    Kind("pass-hosting", lambda form, _: ask.PassHosting(_seat(form)), leaves_screen=True),
    Kind("end", lambda form, _: ask.End(), ends=True),
    Kind("take-hosting", _take_hosting),
    Kind("offer-move", lambda form, _: ask.OfferSeat(_seat(form)), opens_seat=True),
    Kind("offer-screen", lambda form, _: ask.OfferScreen()),
)

BY_NAME: Final = {kind.name: kind for kind in KINDS}

NAMES: Final = tuple(BY_NAME)
"""Everything that may stand after /do/."""


def opening(form: Form, games: Mapping[str, AnyGame], locale: str) -> ask.Open | Rejection:
    """The table that a form asks for. What it does not say is chosen: of the games the first that
    there is, edition and language for the reader."""
    game = games.get(form.get("game") or next(iter(games)))
    if game is None:
        return bad("game")
    command = ask.Open(  # the form has the choices of all games
        game=game.name,
        edition=form.get(f"edition-{game.name}") or edition_for(game, locale),
        way=form.get(f"way-{game.name}") or next(iter(game.ways)),
        language=form.get("language") or locale,
    )
    if command.language not in languages.ENDONYMS:
        return bad("language")
    return command


def request_key(name: str, form: Form) -> str:
    """What makes a double tap one request: all that the form says, and the version it was made for.

    All of it, since two buttons of one page mean different things.
    """
    said = "\0".join(
        f"{field}={value}" for field, value in sorted(form.items(multi=True)) if field != "next"
    )
    return hashlib.sha256(f"{name}\0{said}".encode(errors="replace")).hexdigest()
