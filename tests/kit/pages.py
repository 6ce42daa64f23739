"""The one list of a table's pages, and that of its secrets, as the program has them: no test types
them again."""

from __future__ import annotations

from companion.games import GAMES
from companion.web.view.asking import PAGES, STREAMS
from companion.web.view.games import pages_of
from tests.kit.phone import Answered, Asks

ALL = PAGES
"""Every page by its name, and its address under /t/<id>."""

OF_PLAYERS = {name: address for name, address in ALL.items() if name != "host"}
"""What a phone with a seat may see: all but the page of who hosts."""

STREAMS_OF_PLAYERS = tuple(name for name, page in STREAMS.items() if page in OF_PLAYERS)
"""Names by which the streams of these are asked for."""


WITH_NAMES = ("", "/screen", "/host")
"""Addresses of pages that show who has a seat, whatever else is played."""

SECRETS = tuple(
    f"/t/<table_id>/{secret}" for game in GAMES.values() for secret in pages_of(game).secrets
)
"""The addresses that answer with what only one seat may see."""


def seen(phone: Asks, path: str) -> dict[str, str]:
    """The pages of the table at this path that the phone may see: address -> text."""
    answers: dict[str, Answered] = {each: phone.get(path + each) for each in ALL.values()}
    assert {answer.status_code for answer in answers.values()} <= {200, 403}
    shown = {each: answer.text for each, answer in answers.items() if answer.status_code == 200}
    assert shown, f"it may see no page of {path}"
    return shown
