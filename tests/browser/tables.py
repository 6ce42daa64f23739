"""Tables opened and joined by requests, for tests that begin later than at the door."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from urllib.parse import urlencode

from playwright.sync_api import APIRequestContext, APIResponse

from companion.games.fields import PlayerIndex
from companion.games.trains.rules.model import Deal
from tests.browser.phones import Device
from tests.kit.forms import form_of, opening
from tests.kit.phone import shown_code

Sender = Device | APIRequestContext
"""Who sends a form: a phone, or what is like a phone but has no screen."""

FORM = {"Content-Type": "application/x-www-form-urlencoded"}

_keys = count(1)


def send(sender: Sender, path: str, **fields: str | int | list[int]) -> APIResponse:
    """As a page without script sends a form. It does not follow the redirect: nobody reads that."""
    form = fields | {"key": f"sent{next(_keys)}"}
    data = urlencode(form, doseq=True)
    answer = _requests(sender).post(path, data=data, headers=FORM, max_redirects=0)
    assert answer.status in (200, 303), (path, form, answer.status)
    return answer


def led(sender: Sender, path: str, **fields: str | int) -> str:
    """The path of the table to which a form leads."""
    return send(sender, path, **fields).headers["location"]


def sit(senders: Sequence[Sender], names: Sequence[str], **choices: str) -> tuple[str, str]:
    """Opens a table at which each has a seat, the first one hosting; its path and the way to it
    that others scan. Choices are those of the home page: game, way, edition, language."""
    host = senders[0]
    for sender in senders:
        if not _requests(sender).storage_state()["cookies"]:
            _requests(sender).get("/")  # gives the phone its cookie
    path = led(host, "/open", **opening(**choices))
    code = shown_code(_requests(host).get(f"{path}/qr").text())
    asked = _requests(host).post("/code", form={"code": code}, max_redirects=0)
    link = asked.headers["location"]
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


def _requests(sender: Sender) -> APIRequestContext:
    return sender.context.request if isinstance(sender, Device) else sender
