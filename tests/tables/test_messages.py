"""Every refusal of a table is a whole sentence with a status, in every language."""

from __future__ import annotations

import re

import pytest

from companion import catalogues, languages
from companion.games.game import Rejection
from companion.games.saboteur.reasons import NOT_YOUR_TURN, TOOLS_BROKEN
from companion.tables import events, reasons
from companion.tables.reasons import REASONS

PARAMS = {
    "name_too_long": {"max": 24},
    "name_taken": {"name": "Anna", "suggestion": "Anna 2"},
    "not_enough_players": {"min": 3},
    "too_many_players": {"max": 10},
    "host_present": {"minutes": 2},
    "would_fall": {"name": "Anna"},
}
every_locale = pytest.mark.parametrize("locale", languages.LOCALES)


def said(locale: str, rejection: Rejection, names: tuple[str, ...] = ()) -> str:
    return rejection.sentence(catalogues.catalogue(locale), names, catalogues.listing(locale))


def test_statuses() -> None:
    assert {reason.status for reason in REASONS.values()} <= {400, 403, 404, 409}


@every_locale
@pytest.mark.parametrize("code", REASONS)
def test_sentences(locale: str, code: str) -> None:
    rejection = Rejection(REASONS[code], PARAMS.get(code, {}))
    text = said(locale, rejection)
    assert text[0].isupper()
    assert text[-1] in ".2"  # a name stands last, after a colon
    assert "%" not in text


@every_locale
def test_what_a_stale_page_has_overlooked(locale: str) -> None:
    for what in (*events.MAKES_PAGES_STALE, events.SeatTaken, None):
        for by in ("Anna", None):
            rejection = Rejection(reasons.STALE, {"what": what, "by": by})
            text = said(locale, rejection)
            assert text.startswith("Anna") == (
                what in (events.Played, events.EndTold) and by is not None
            )
            assert "%" not in text


@every_locale
def test_whose_later_play_a_correction_would_undo(locale: str) -> None:
    texts = [said(locale, Rejection(reasons.WOULD_FALL, {"name": name})) for name in ("Anna", None)]
    assert ["Anna" in text for text in texts] == [True, False]
    assert not any("None" in text for text in texts)
    assert texts[0] != texts[1]


@pytest.mark.parametrize(
    ("locale", "last"),
    [("et", " ja "), ("lt", " ir "), ("lv", " un "), ("fi", " ja "), ("en", " and ")],
)
def test_lists_in_the_readers_language(locale: str, last: str) -> None:
    tools = {"tools": ("pickaxe", "lantern", "cart")}
    text = said(locale, Rejection(TOOLS_BROKEN, tools))
    assert re.search(rf": \w+(?: \w+)?, \w+(?: \w+)?{last}\w+(?: \w+)?\.", text), text


@every_locale
def test_how_long_the_host_is_waited_for(locale: str) -> None:
    for minutes in (1, 2, 15):
        assert f" {minutes} " in said(locale, Rejection(reasons.HOST_PRESENT, {"minutes": minutes}))


@every_locale
def test_what_a_game_refuses_is_said_by_the_game(locale: str) -> None:
    rejection = Rejection(NOT_YOUR_TURN, {"seat": 1})
    assert "Berta" in said(locale, rejection, ("Anna", "Berta"))
    assert NOT_YOUR_TURN.status == 409


def test_a_refusal_has_no_parameters_but_its_own() -> None:
    with pytest.raises(TypeError, match=r"table/stale has no parameters \['seat'\]"):
        Rejection(reasons.STALE, {"seat": 1})
