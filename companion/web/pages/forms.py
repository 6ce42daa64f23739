"""Makes a command of a posted form: fields by name, seats by id."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping

from werkzeug.datastructures import MultiDict

from companion import i18n
from companion.games.game import AnyGame, Rejection
from companion.tables import commands as ask
from companion.tables.model import SeatId, Table
from companion.tables.rejections import bad
from companion.web.http.fields import MisfitError, number
from companion.web.view.games import edition_for, pages_of

Form = MultiDict[str, str]

LOT = "lot"
"""In place of a starting player."""


def _seat_if_any(form: Form, field: str = "seat") -> SeatId | None:
    seat = number(form, field)
    return None if seat is None else SeatId(seat)


def _seat(form: Form, field: str = "seat") -> SeatId:
    seat = _seat_if_any(form, field)
    if seat is None:
        raise MisfitError(field)
    return seat


def _take_name_out(form: Form, table: Table) -> ask.TakeNameOut:
    return ask.TakeNameOut(_seat(form), i18n.catalogue(table.language).upgettext("label", "Player"))


def _order(form: Form, _: Table) -> ask.OrderSeats:
    """All seats in their new order, "3,1,2"."""
    parts = ",".join(form.getlist("order")).split(",")
    return ask.OrderSeats(tuple(SeatId(_number(part, "order")) for part in parts if part.strip()))


def _number(raw: str, field: str) -> int:
    found = number({field: raw}, field)
    if found is None:
        raise MisfitError(field)
    return found


def _configure(form: Form, table: Table) -> ask.Configure:
    way = form.get("way")
    if way and way not in table.game.ways:
        raise MisfitError("way")
    language = form.get("language")
    if language is not None and language not in i18n.ENDONYMS:
        raise MisfitError("language")
    return ask.Configure(form.get("edition"), way, language)


def _start(form: Form, _: Table) -> ask.Start:
    return ask.Start(*_starter(form))


def _starter(form: Form) -> tuple[SeatId | None, bool]:
    """Who begins, if anybody is named; and whether the lot decides."""
    if form.get("starter", "") == LOT:
        return None, True
    return _seat_if_any(form, "starter"), False


def _deck(form: Form, table: Table) -> ask.LoadDeck:
    memory = table.game.memory
    if memory is None:
        raise MisfitError("deck")
    return ask.LoadDeck(memory.read(form.get("deck", "")))


def _play(form: Form, table: Table) -> ask.Play:
    """A play of the table's game, with the seat that makes or reports it."""
    return ask.Play(_seat_if_any(form), pages_of(table.game).fields(form))


_COMMANDS: dict[str, Callable[[Form, Table], ask.Command]] = {
    "join": lambda form, _: ask.Join(form.get("name", "")),
    "add-seat": lambda form, _: ask.AddSeat(form.get("name", "")),
    "remove-seat": lambda form, _: ask.RemoveSeat(_seat(form)),
    "rename-seat": lambda form, _: ask.RenameSeat(_seat(form), form.get("name", "")),
    "take-name-out": _take_name_out,
    "order-seats": _order,
    "configure": _configure,
    "set-wifi": lambda form, _: ask.SetWifi(
        form.get("wifi_name", ""), form.get("wifi_password", "")
    ),
    "clear-wifi": lambda form, _: ask.ClearWifi(),
    "renew-link": lambda form, _: ask.RenewLink(),
    "join-people": lambda form, _: ask.JoinPeople(_seat(form), _seat(form, "same")),
    "part-people": lambda form, _: ask.PartPeople(_seat(form)),
    "start": _start,
    "new-game": _start,
    "look": lambda form, _: ask.Look(_seat(form)),
    "begin": lambda form, _: ask.BeginWithout(),
    "play": _play,
    "confirm-end": lambda form, _: ask.ConfirmEnd(),
    "stop-end": lambda form, _: ask.StopEnd(),
    "correct": lambda form, table: ask.Correct(pages_of(table.game).fields(form)),
    "load-deck": _deck,
    "take-back": lambda form, _: ask.TakeBack(),
    "deal": lambda form, _: ask.Deal(),
    "finish": lambda form, _: ask.Finish(),
    "count": lambda form, _: ask.Count(),
    "explain": lambda form, _: ask.Explain(number(form, "step")),
    "free-seat": lambda form, _: ask.FreeSeat(_seat(form)),
    "claim-seat": lambda form, _: ask.ClaimSeat(_seat(form)),
    "pass-hosting": lambda form, _: ask.PassHosting(_seat(form)),
    "end": lambda form, _: ask.End(),
}

AS_JOINS = ("join", "rename-seat", "claim-seat")
"""Commands that are counted as joining is: else a table could be filled with names and phones."""

TELLING = ("play", "correct")
"""Commands that could be given without end by whoever undoes what they did."""

NAMES = (*_COMMANDS, "take-hosting", "offer-move", "offer-screen")
"""Everything that may stand after /do/; the last three need more than the form."""


def command(name: str, form: Form, table: Table) -> ask.Command:
    """What the form asks for; `MisfitError` where none of our forms sends it."""
    return _COMMANDS[name](form, table)


def opening(form: Form, games: Mapping[str, AnyGame], locale: str) -> ask.Open | Rejection:
    """The table that a form asks for; what the form does not say is chosen for the reader's
    language."""
    game = games.get(form.get("game") or next(iter(games)))
    if game is None:
        return bad("game")
    command = ask.Open(  # the form has the choices of all games
        game=game.name,
        edition=form.get(f"edition-{game.name}") or edition_for(game, locale),
        way=form.get(f"way-{game.name}") or next(iter(game.ways)),
        language=form.get("language") or locale,
    )
    if command.language not in i18n.ENDONYMS:
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
