"""The one list of a table's pages, as the program has it: no test types it again."""

from __future__ import annotations

from companion.web.view.access import PAGES
from tests.kit.phone import Answered, Asks

ALL = PAGES
"""Every page by its name, by which a stream is asked for, and its address under /t/<id>."""

OF_PLAYERS = {name: address for name, address in ALL.items() if name != "host"}
"""What a phone with a seat may see: all but the page of who hosts."""


def seen(phone: Asks, path: str) -> dict[str, str]:
    """The pages of the table at this path that the phone may see: address -> text."""
    answers: dict[str, Answered] = {each: phone.get(path + each) for each in ALL.values()}
    assert {answer.status_code for answer in answers.values()} <= {200, 403}
    shown = {each: answer.text for each, answer in answers.items() if answer.status_code == 200}
    assert shown, f"it may see no page of {path}"
    return shown
