"""Every refusal of a table is a whole sentence with a status, in every language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion import i18n
from companion.games.game import Rejection
from companion.tables import events
from companion.tables import refusals as messages

SOURCE = Path(__file__).resolve().parents[2] / "companion" / "tables"
PARAMS = {
    "name_too_long": {"max": 24},
    "name_taken": {"name": "Anna", "suggestion": "Anna 2"},
    "not_enough_players": {"min": 3},
    "too_many_players": {"max": 10},
    "host_present": {"minutes": 2},
}
every_locale = pytest.mark.parametrize("locale", i18n.LOCALES)


def said(locale: str, rejection: Rejection, names: dict[int, str] | None = None) -> str:
    listing = i18n.listing(locale)
    return messages.sentence(i18n.catalogue(locale), rejection, names or {}, listing)


def test_every_reason_in_the_source_has_a_status_and_no_other() -> None:
    source = "".join(file.read_text(encoding="utf-8") for file in sorted(SOURCE.glob("*.py")))
    reasons = set(re.findall(r'Rejection\(\s*"(\w+)"', source))
    assert reasons | {"wrong_code"} == set(messages.STATUS)
    assert set(messages.STATUS.values()) <= {400, 403, 404, 409}


@every_locale
@pytest.mark.parametrize("reason", messages.STATUS)
def test_sentences(locale: str, reason: str) -> None:
    rejection = Rejection(reason, PARAMS.get(reason, {}))
    text = said(locale, rejection)
    assert text[0].isupper()
    assert text[-1] in ".2"  # a name stands last, after a colon
    assert "%" not in text


@every_locale
def test_what_a_stale_page_has_overlooked(locale: str) -> None:
    for what in (*(kind.__name__ for kind in events.OVERLOOKED), "SeatTaken", ""):
        for by in ("Anna", None):
            rejection = Rejection("stale", {"what": what, "by": by})
            text = said(locale, rejection)
            assert text.startswith("Anna") == (what == "Played" and by is not None)
            assert "%" not in text


@pytest.mark.parametrize(
    ("locale", "last"),
    [("et", " ja "), ("lt", " ir "), ("lv", " un "), ("fi", " ja "), ("en", " and ")],
)
def test_lists_in_the_readers_language(locale: str, last: str) -> None:
    tools = {"tools": ("pickaxe", "lantern", "cart"), "game": "saboteur"}
    text = said(locale, Rejection("tools_broken", tools))
    assert re.search(rf": \w+(?: \w+)?, \w+(?: \w+)?{last}\w+(?: \w+)?\.", text), text


@every_locale
def test_how_long_the_host_is_waited_for(locale: str) -> None:
    for minutes in (1, 2, 15):
        assert f" {minutes} " in said(locale, Rejection("host_present", {"minutes": minutes}))


@every_locale
def test_what_a_game_refuses_is_said_by_the_game(locale: str) -> None:
    rejection = Rejection("not_your_turn", {"seat": 7, "game": "saboteur"})
    text = said(locale, rejection, {7: "Berta"})
    assert "Berta" in text
    assert messages.status("not_your_turn") == 409
