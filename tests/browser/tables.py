"""Tables opened and joined by requests, for tests that begin later than at the door."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from companion.games.fields import PlayerIndex
from companion.games.trains.rules.model import Deal
from tests.browser.phones import Device
from tests.kit.forms import form_of, opening
from tests.kit.phone import Answer, shown_code
from tests.kit.phone import Phone as Plain

Sender = Device | Plain
"""Who sends a form: a phone, or what is like a phone but has no screen."""

_keys = count(1)


def send(sender: Sender, path: str, **fields: str | int | list[int]) -> Answer:
    """As a page without script sends a form. It does not follow the redirect: nobody reads that."""
    form = fields | {"key": f"sent{next(_keys)}"}
    asks = plain(sender)
    answer = asks.post(path.removeprefix(asks.origin), form)
    assert answer.accepted, (path, form, answer.status_code)
    return answer


def led(sender: Sender, path: str, **fields: str | int) -> str:
    """The path of the table to which a form leads."""
    return send(sender, path, **fields).location


def sit(senders: Sequence[Sender], names: Sequence[str], **choices: str) -> tuple[str, str]:
    """Opens a table at which each has a seat, the first one hosting; its path and the way to it
    that others scan. Choices are those of the home page: game, way, edition, language."""
    host = plain(senders[0])
    for sender in map(plain, senders):
        if not sender.cookies:
            sender.get("/")  # gives the phone its cookie
    path = led(host, "/open", **opening(**choices))
    link = host.post("/code", {"code": shown_code(host.get(f"{path}/qr").text)}).location
    send(host, f"{path}/do/join", name=names[0])
    for sender, name in zip(senders[1:], names[1:], strict=True):
        send(sender, link, name=name)
    return path, link


def dealt_trains(senders: Sequence[Sender], names: Sequence[str]) -> str:
    """The path of a table at which the first one's turn is the first."""
    path, _ = sit(senders, names, game="trains")
    send(senders[0], f"{path}/do/start", starter="1")
    for seat, sender in enumerate(senders):
        row = tuple(range(80 - seat, 10 - seat, -10))
        send(sender, f"{path}/do/play", **form_of(Deal(PlayerIndex(seat), row)))
    return path


def plain(sender: Sender) -> Plain:
    return sender.plain if isinstance(sender, Device) else sender
